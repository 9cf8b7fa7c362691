"""On the stage a panel has in sight what the page of the tour beside it speaks of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.ui.programs import screens, told_by


def seen(tmp_path: Path, pages: str, width: int, height: int) -> dict[str, Any]:
    """What some pages show on a screen of that size."""
    screen = screens(tmp_path, [("hall", 0, 0, width, height)])
    found: dict[str, Any] = told_by("tests.ui.stage.stage_pages", pages, QT_QPA_PLATFORM=screen)
    return found


def check_why(written: str, words: str) -> None:
    assert words in written.replace("\xa0", " "), "the sentence comes first"
    assert "the tie is broken by first occurrence, so they become" in written.replace("\xa0", " ")


def check_pages_that_differ_by_the_screen(seen: dict[str, Any]) -> None:
    assert "the tie is broken by first occurrence" in seen["why 12"].replace("\xa0", " ")
    assert seen["steps"] == list(range(seen["last step"] + 1)), "from the symbols to the tokens"
    assert seen["hidden width of steps"] == 0
    assert seen["longest bar"] > 0.15, "large numbers leave it some room"
    assert seen["names of curves"]
    assert list(seen["values of curves"].values()) == [True], seen["values of curves"]
    assert seen["lanes"] > 1.4, "a short text fills its panel"
    assert seen["one word of lanes"]
    assert seen["one number"], "no word is broken that has room in a row"
    assert seen["lanes in sight"]
    assert not seen["bar below numbers"]
    whole = [row for row in seen["languages"] if row >= 0]
    told = f"Showing {len(whole)} of 20 languages"
    assert seen["part of languages"].startswith(told)
    assert not seen["bar beside languages"], "nobody scrolls in front of an audience"
    assert "merge 1" in seen["why beside others"]


def test_what_a_page_speaks_of_is_in_sight(tmp_path: Path) -> None:
    pages = seen(tmp_path, "all", 1024, 700)
    for page in (2, 11):
        check_why(pages[f"why {page}"], "widest ×3 = 9")
    assert pages["counts"], "the line of counts is not cut"
    assert pages["points"], "the spotlight follows panels that have changed their places"
    assert pages["marked word"] == -1, "no row is marked that nobody went to"
    assert pages["words"] == [0, 1, 2, 3]
    assert pages["leaves"]
    assert pages["token"]
    assert pages["corpus as one word"]
    assert pages["scrolled pages"] == [], "nobody scrolls in front of an audience"
    assert all(pages["bytes"]), "a text is in sight as a whole, also where its bytes are shown"
    assert pages["line"] == {"8": True, "18": False, "10": True}, "no merge below a mere text"
    check_pages_that_differ_by_the_screen(pages)


def test_a_wide_screen_shows_more_of_some_pages(tmp_path: Path) -> None:
    pages = seen(tmp_path, "wide", 1920, 1080)
    check_why(pages["why 12"], "lower ×2 = 2")
    assert pages["ranks"], "they give way only where the boxes need their room"
    check_pages_that_differ_by_the_screen(pages)

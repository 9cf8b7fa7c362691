"""On the stage a panel has in sight what the page of the tour beside it speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.programs import screens, told_by


@pytest.mark.parametrize(("width", "height"), [(1024, 700), (1920, 1080)])
def test_what_a_page_speaks_of_is_in_sight(tmp_path: Path, width: int, height: int) -> None:
    screen = screens(tmp_path, [("hall", 0, 0, width, height)])
    seen = told_by("tests.ui.stage.stage_pages", QT_QPA_PLATFORM=screen)
    for page, words in ((2, "widest ×3 = 9"), (11, "widest ×3 = 9"), (12, "lower ×2 = 2")):
        why = seen[f"why {page}"].replace("\xa0", " ")
        assert words in why or (page == 12 and width < 1920), "the sentence comes first"
        assert "the tie is broken by first occurrence, so they become" in why
    assert seen["counts"], "the line of counts is not cut"
    assert seen["points"], "the spotlight follows panels that have changed their places"
    assert seen["marked word"] == -1, "no row is marked that nobody went to"
    assert seen["words"] == [0, 1, 2, 3]
    assert seen["steps"] == list(range(seen["last step"] + 1)), "from the symbols to the tokens"
    assert seen["ranks"] or width < 1920, "they give way where the boxes need their room"
    assert seen["hidden width of steps"] == 0
    assert seen["leaves"]
    assert seen["token"]
    assert seen["corpus as one word"]
    assert seen["scrolled pages"] == [], "nobody scrolls in front of an audience"
    assert all(seen["bytes"]), "a text is in sight as a whole, also where its bytes are shown"
    assert seen["line"] == {"8": True, "18": False, "10": True}, "no merge below a mere text"
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

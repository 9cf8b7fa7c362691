"""`bpe-gui render`: the coloured text, the merges and the tables of panels, read again."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.exporting.terminal_text import nearest
from bpe_gui.sessions import load_session, save_session
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.export.targets import Options, subjects_of
from bpe_gui.ui.theme.theme import DARK, LIGHT
from bpe_gui.ui.theme.token_palettes import PATTERNS, QUIET, STRONG
from tests.command_line.program import assert_fails
from tests.command_line.rendering import TEXT, rgb
from tests.exporting.reading_back import without_codes
from tests.exporting.test_html_text import Page
from tests.ui.histories import FOUR_WORDS
from tests.ui.session.session_windows import Begun


def test_the_coloured_text(rendered, history: History) -> None:
    tokens = [
        visible(history.token_bytes(token)) if token >= 0 else ""
        for token in Tokenizer(history, 7).encode(TEXT).ids.tolist()
    ]
    assert "newest" not in tokens
    page = rendered(".html").read_text(encoding="utf-8")
    assert f"{len(tokens)} tokens." in page
    assert "Tokenized with 7 merges of the recipe whitespace." in page
    assert "<b>widest" not in page
    seen = without_codes(rendered(".ansi").read_text(encoding="utf-8"))
    assert seen == without_codes(rendered(".txt", "--panel", "text").read_text(encoding="utf-8"))
    assert "low</w>·lower</w>" in seen.replace("\n", "")
    later = rendered(".ansi", "--position", 15, "--theme", "light").read_text(encoding="utf-8")
    assert later.count("\x1b[0m") < rendered(".ansi").read_text(encoding="utf-8").count("\x1b[0m")


def test_tokens_have_the_colours_that_they_have_in_the_window(
    rendered, session: Path, begun: Begun, qtbot: QtBot
) -> None:
    ours = {
        "html": Page(rendered(".html").read_text(encoding="utf-8")).looks,
        "text-svg": fills(rendered(".svg", "--whole").read_text(encoding="utf-8")),
        "ansi": rendered(".ansi").read_text(encoding="utf-8"),
        "ansi-256": rendered(".ansi", "--colours", "256").read_text(encoding="utf-8"),
    }
    window = begun("open", str(session))
    qtbot.waitUntil(lambda: window.explore.text_panel.shown_cut() is not None)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    [subject] = [one for one in subjects_of(window.context) if one.name == "text"]
    make = {offer.name: offer for offer in subject.offers}
    theirs = {
        name: "".join(make[name].make(Options(colours=make[name].colours[0]))()) for name in ours
    }
    cut, _ = window.explore.text_panel.shown_cut()
    tokens = zip(cut.ids, cut.colours, strict=True)
    known = [f"c{colour}" if token >= 0 else "u" for token, colour in tokens]
    assert ours["html"] == known
    assert ours["html"] == Page(theirs["html"]).looks
    assert ours["text-svg"] == fills(theirs["text-svg"])
    assert ours["ansi"] == theirs["ansi"]
    assert ours["ansi-256"] == theirs["ansi-256"]


def fills(drawing: str) -> list[str | None]:
    """The colours of the boxes in a drawing."""
    boxes = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}rect")
    return [box.get("fill") for box in boxes]


@pytest.mark.parametrize("ending", [".ansi", ".txt"])
def test_the_colours_of_a_terminal(rendered, ending: str) -> None:
    many = rendered(ending, "--theme", "light").read_text(encoding="utf-8")
    few = rendered(ending, "--theme", "light", "--colours", "256").read_text(encoding="utf-8")
    assert without_codes(many) == without_codes(few)
    assert "48;2;" in many and "48;5;" not in many  # noqa: PT018 - one thing
    for colour in {scheme.tokens[0] for scheme in both_schemes(QUIET) if not scheme.dark}:
        assert f"48;5;{nearest(colour)}" in few
    assert "48;2;" not in few
    strong = rendered(ending, "--colours", "256", "--palette", "strong", "--theme", "light")
    [light, _] = both_schemes(STRONG)
    assert f"48;5;{nearest(light.tokens[0])}" in strong.read_text(encoding="utf-8")


@pytest.fixture
def in_patterns(session: Path) -> None:
    """The session is one of a light window that tells tokens apart by patterns."""
    layout = {"theme": "light", "palette": "patterns"}
    save_session(session, replace(load_session(session), layout=layout))


@pytest.mark.usefixtures("in_patterns")
def test_tokens_are_told_apart_as_in_the_session(rendered) -> None:
    [light, dark] = both_schemes(PATTERNS)
    # Patterns are pictures within the style sheet, written as addresses.
    page = unquote(rendered(".html").read_text(encoding="utf-8"))
    assert light.ink in page
    assert dark.ink in page
    assert light.ink in unquote(rendered(".html", "--player").read_text(encoding="utf-8"))
    red, green, blue = rgb(light.tokens[0])
    background = f"48;2;{red};{green};{blue}"
    assert background in rendered(".ansi").read_text(encoding="utf-8")
    dark_text = rendered(".ansi", "--theme", "dark").read_text(encoding="utf-8")
    assert background not in dark_text
    picture = ["--panel", "text", "--size", "500x400"]
    drawing = rendered(".svg", *picture).read_text(encoding="utf-8")
    assert light.ink in drawing
    quiet = rendered(".svg", *picture, "--palette", "quiet").read_text(encoding="utf-8")
    assert light.ink not in quiet
    assert any(colour in quiet for colour in LIGHT.token_fills.of_tokens)
    film = rendered(".gif", "--panel", "text", "--size", "500x400", "--from", 6, "--to", 7)
    with Image.open(film) as image:
        pixels = np.asarray(image.convert("RGB"))
    assert (pixels == rgb(light.ink)).all(axis=2).any()


def test_the_whole_text_as_a_drawing(rendered) -> None:
    drawing = rendered(".svg", "--whole", "--panel", "text", "--position", 15)
    seen = "".join(ElementTree.parse(drawing).getroot().itertext())
    assert "newest" in seen
    assert DARK.panel in drawing.read_text()
    assert LIGHT.panel in rendered(".svg", "--whole", "--theme", "light").read_text()


def test_the_second_table_of_a_panel(rendered) -> None:
    first, second = (
        rendered(".csv", "--panel", "branches", "--table", number).read_text(encoding="utf-8")
        for number in (1, 2)
    )
    assert first.startswith("branch,merges,")
    assert len(second.splitlines()) == 1 + 15


@pytest.mark.parametrize(
    ("panel", "reason"),
    [
        ("languages", "the text that is compared is not the story in twenty languages"),
        ("lockstep", "no recipes have been trained in lockstep"),
    ],
)
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_panel_that_has_nothing_to_show_is_not_drawn(
    run, session: Path, tmp_path: Path, qapp: QApplication, panel: str, reason: str, ending: str
) -> None:
    output = tmp_path / f"x{ending}"
    result = run("render", session, "--panel", panel, "-o", output)
    assert_fails(result, f"the panel {panel} has nothing to show: {reason}")
    assert not output.exists()


def test_panels_that_have_nothing_to_show_keep_no_other_from_being_drawn(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    panels = ("languages", "pairs", "lockstep", "why")
    asked = [part for panel in panels for part in ("--panel", panel)]
    # What is asked for twice is told once.
    drawing = "--panel", "lockstep", "-o", tmp_path / "lockstep.svg"
    result = run("render", session, *asked, "-o", f"{pictures}/", *drawing)
    assert_fails(
        result,
        "the panel languages has nothing to show: the text that is compared is not the story in "
        "twenty languages; the panel lockstep has nothing to show: no recipes have been trained "
        "in lockstep",
    )
    assert sorted(path.name for path in pictures.iterdir()) == ["pairs.png", "why.png"]


def test_without_a_text_there_is_no_picture_of_it(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    save_session(session, replace(load_session(session), text=""))
    film = run("render", session, "--panel", "text", "-o", tmp_path / "x.gif")
    assert_fails(film, "the panel text has nothing to show: there is no text")
    panels = ("text", "lanes", "pipeline")
    asked = [part for panel in panels for part in ("--panel", panel)]
    result = run("render", session, *asked, "-o", f"{tmp_path / 'pictures'}/")
    reasons = (f"the panel {panel} has nothing to show: there is no text" for panel in panels)
    assert_fails(result, "; ".join(reasons))


def test_a_table_without_rows_is_not_written(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    output = tmp_path / "languages.csv"
    result = run("render", session, "--panel", "languages", "-o", output)
    assert_fails(result, "the table of the panel languages has no rows: the text that")
    assert not output.exists()


def test_the_merges(rendered, history: History) -> None:
    lines = list(csv.DictReader(io.StringIO(rendered(".csv").read_text(encoding="utf-8"))))
    assert [int(line["id"]) for line in lines] == history.new_id.tolist()
    assert [int(line["count"]) for line in lines] == history.count.tolist()
    # The session stands before its end: all are written unless a place is given.
    assert len(lines) == 15
    table = rendered(".md", "--position", 3).read_text(encoding="utf-8").splitlines()
    assert len(table) == 2 + 3
    assert table[2] == "| 1 | `e` | `s` | `es` | 9 | 11 |"


def test_the_table_of_a_panel(rendered, history: History) -> None:
    def table(*arguments: object) -> list[dict[str, str]]:
        written = rendered(".csv", *arguments).read_text(encoding="utf-8")
        return list(csv.DictReader(io.StringIO(written)))

    assert len(table("--panel", "vocabulary")) == history.vocabulary_size(7)
    assert len(table("--panel", "vocabulary", "--position", 15)) == history.vocabulary_size(15)
    pairs = table("--panel", "pairs", "--position", 0)
    assert [(row["left"], row["right"], row["count"]) for row in pairs][:2] == [
        ("e", "s", "9"),
        ("s", "t", "9"),
    ]
    assert {row["word"]: row["count"] for row in table("--panel", "words")} == {
        word: str(count) for word, count in FOUR_WORDS
    }

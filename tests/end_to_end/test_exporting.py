"""Panels as pictures, drawings and tables, and the text as a page and for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from PySide6.QtWidgets import QComboBox, QDialog, QMainWindow, QSpinBox, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.library import Tokenizer
from tests.end_to_end.window import (
    action,
    answered,
    cells,
    choose,
    csv_rows,
    description,
    go_to,
    messages,
    named,
    press,
    write,
)
from tests.exporting.reading_back import unguarded
from tests.ui.driving import child

TEXT = "the lowest <new>"
Export = Callable[..., Path]


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow) -> QMainWindow:
    """A finished run, and the text."""
    write(qtbot, gpt2_run, "sampleText", TEXT)
    qtbot.waitUntil(lambda: TEXT in description(child(gpt2_run, QWidget, "tokenView")))
    return gpt2_run


@pytest.fixture
def export(qtbot: QtBot, window: QMainWindow, tmp_path: Path) -> Export:
    """Exports something in a format as a person would, and gives the path of the file."""

    def export(subject: str, kind: str, name: str, **numbers: int) -> Path:
        path = tmp_path / name

        def settle(dialog: QDialog) -> None:
            for box, wanted in (("exportSubject", subject), ("exportKind", kind)):
                found = child(dialog, QComboBox, box)
                choose(found, found.findData(wanted))
            for box, value in numbers.items():
                child(dialog, QSpinBox, box).setValue(value)
            press(qtbot, dialog, "exportButton")

        answered(qtbot, action(window, "exportAction").trigger, [settle, named(qtbot, path)])
        qtbot.waitUntil(lambda: path.exists() and path.name in "\n".join(messages(window)))
        return path

    return export


# -- pictures -------------------------------------------------------------------------------------


def check_panels_are_pictures(export: Export) -> None:
    for panel in ("pairs", "vocabulary", "metrics", "pipeline", "window"):
        with Image.open(export(panel, "png", f"{panel}.png")) as image:
            assert image.format == "PNG"
            assert len(image.convert("RGB").getcolors(1 << 24)) > 20, "something is painted"


def check_a_picture_has_the_size_and_scale_that_are_chosen(export: Export) -> None:
    path = export("pairs", "png", "small.png", exportWidth=500, exportHeight=300)
    with Image.open(path) as image:
        assert (image.width / 500, image.height / 300) in ((1, 1), (2, 2))


def check_a_drawing_has_its_texts_as_text(export: Export) -> None:
    tree = ElementTree.fromstring(
        export("vocabulary", "svg", "v.svg", exportWidth=600, exportHeight=400).read_text()
    )
    assert tree.get("width", "").removesuffix("px") == "600"
    assert "widest" in "".join(tree.itertext())


# -- tables and merges ----------------------------------------------------------------------------


def check_the_vocabulary_is_a_table(
    window: QMainWindow, export: Export, tokenizer: Tokenizer
) -> None:
    heading, *lines = csv_rows(export("vocabulary", "csv", "vocabulary.csv"))
    assert [int(line[heading.index("id")]) for line in lines] == sorted(tokenizer.vocab.values())
    shown = child(window, QTableView, "vocabularyTable")
    # Control characters have names in the table, where their signs are too small to be read.
    written = [(unguarded(line[1]), row[1]) for line, row in zip(lines, cells(shown), strict=True)]
    assert all(one == other or other.startswith("‹") for one, other in written)


def check_other_panels_are_tables(export: Export) -> None:
    for panel in ("pairs", "words", "branches", "metrics", "boundaries"):
        heading, *lines = csv_rows(export(panel, "csv", f"{panel}.csv"))
        assert len(heading) > 1
        # No pair is left at the end.
        assert {len(line) for line in lines} == (set() if panel == "pairs" else {len(heading)})


def check_the_merges_are_tables(
    qtbot: QtBot, window: QMainWindow, export: Export, tokenizer: Tokenizer
) -> None:
    merges = len(tokenizer.merges)
    assert len(csv_rows(export("merges", "csv", "merges.csv"))) == merges + 1
    written = export("merges", "md", "merges.md").read_text()
    assert len([line for line in written.splitlines() if line.startswith("|")]) == merges + 2
    go_to(qtbot, window, 1)
    assert len(csv_rows(export("merges", "csv-here", "here.csv"))) == 2


# -- the text -------------------------------------------------------------------------------------


def check_the_text_is_a_web_page(export: Export, tokenizer: Tokenizer) -> None:
    page = export("text", "html", "text.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "&lt;" in page
    assert "<new>" not in page
    assert "color-scheme" in page


def check_the_text_is_a_drawing(export: Export) -> None:
    tree = ElementTree.fromstring(export("text", "text-svg", "text.svg").read_text())
    written = "".join(tree.itertext())
    assert all(word in written for word in ("t", "low", "<", ">"))


def check_a_terminal_shows(export: Export, kind: str, code: str) -> None:
    written = export("text", kind, f"{kind}.txt").read_text()
    assert code in written
    plain = re.sub("\x1b\\[[0-9;]*m", "", written)
    assert plain.replace("␣", " ").replace("·", " ").rstrip("\n") == TEXT


def check_the_text_is_written_for_a_terminal(export: Export) -> None:
    for kind, code in [("ansi", "48;2;"), ("ansi-256", "48;5;")]:
        check_a_terminal_shows(export, kind, code)


def test_everything_is_exported(
    export: Export, window: QMainWindow, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    check_panels_are_pictures(export)
    check_the_vocabulary_is_a_table(window, export, tokenizer)
    check_other_panels_are_tables(export)
    check_the_text_is_a_web_page(export, tokenizer)
    check_the_text_is_a_drawing(export)
    check_the_text_is_written_for_a_terminal(export)
    check_a_picture_has_the_size_and_scale_that_are_chosen(export)
    check_a_drawing_has_its_texts_as_text(export)
    check_the_merges_are_tables(qtbot, window, export, tokenizer)

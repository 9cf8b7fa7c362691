"""What each language pays: tokens and parity, sorted, shaded, and written out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton, QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.grouped_counts import TOKENS, GroupedCounts
from bpe_gui.encodings.measuring.several_texts import TextCounts
from bpe_gui.encodings.measuring.text_numbers import TextMeasure
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import CutLane
from bpe_gui.ui.compare.tables import on_lines
from bpe_gui.ui.compare.texts_model import TextsModel
from bpe_gui.ui.compare.texts_page import TextsPage
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from tests.ui.compare.compared import english
from tests.ui.driving import active, child, picture, shown

CODES = list(languages())
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def lane(key: int, name: str, counts: dict[str, int]) -> CutLane:
    """A lane whose encoding takes so many tokens for the story in each language."""
    return CutLane(key, TrainedEncoding(english(), name=name), story=tuple(made_of(counts)))


def made_of(counts: dict[str, int]) -> Iterator[TextCounts]:
    for number in counts.values():
        found = GroupedCounts(np.array([1000]))
        found.groups[0, TOKENS] = number
        yield TextCounts(found, lossy=False)


COUNTS = {code: 100 + 10 * n for n, code in enumerate(CODES)}


def columns() -> list[CutLane]:
    """Two lanes: English takes 100 tokens, every next language 10, or 3, more than the last."""
    return [
        lane(1, "steep", COUNTS),
        lane(2, "flat", {code: 100 + 3 * n for n, code in enumerate(CODES)}),
    ]


def widget_of(qtbot: QtBot) -> TextsPage:
    widget = active(qtbot, shown(qtbot, TextsPage(), 600, 640))
    widget.set_columns(columns())
    return widget


def cells(widget: TextsPage, column: int) -> list[str]:
    model = child(widget, QTableView, "languageTable").model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


NAMES = (
    "the run at the cursor", "a tenth of its merges", "tokenizer.json", "gpt2_large.tiktoken",
    "wordpiece-uncased.json", "openai-community/gpt2", "o200k_base", "sp-unigram.model",
)  # fmt: skip


@pytest.mark.parametrize("width", [752, 950, 1400])
def test_eight_lanes_have_room_and_their_names_can_be_read(qtbot: QtBot, width: int) -> None:
    """So wide is the panel in windows of 1024, 1280 and 1920 pixels."""
    widget = shown(qtbot, TextsPage(), width, 240)
    widget.set_columns([lane(n, name, COUNTS) for n, name in enumerate(NAMES)])
    table, header = child(widget, QTableView, "languageTable"), widget.header
    assert table.horizontalScrollBar().maximum() == 0
    metrics = header.fontMetrics()
    for section, name in enumerate(NAMES, 1):
        lines = header.text(section).split("\n")
        assert "".join(lines).replace(" ", "") == name.replace(" ", ""), "nothing is left out"
        assert max(map(metrics.horizontalAdvance, lines)) < header.sectionSize(section)
        assert len(lines) * metrics.height() < header.height()
    number = table.visualRect(table.model().index(0, 8))
    assert number.width() >= table.fontMetrics().horizontalAdvance("9.99 ×") + 12


def test_what_an_interval_is_is_said_while_there_are_some(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    note, box = child(widget, QLabel, "languagesLossy"), child(widget, QCheckBox, "showIntervals")
    assert box.text() == "± 95%"
    assert wording.INTERVALS not in note.text()
    box.click()
    assert wording.INTERVALS in note.text()
    assert "texts of fewer than five lines have none" in note.text()
    widget.set_columns(columns())
    assert wording.INTERVALS in note.text(), "also with other numbers"
    box.click()
    assert wording.INTERVALS not in note.text()


def test_words_of_names_are_whole_where_twelve_lanes_have_no_room(qtbot: QtBot) -> None:
    names = ("gpt2.tiktoken", "multilingual.tiktoken", "wordpiece-uncased.json", "a.json")
    widget = shown(qtbot, TextsPage(), 752, 240)
    widget.set_columns([lane(n, f"{name} {n}", COUNTS) for n, name in enumerate(names * 3)])
    for section, title in enumerate(widget.model.titles()[1:], 1):
        assert re.findall(r"\w+", widget.header.text(section)) == re.findall(r"\w+", title)


def test_a_name_that_is_far_too_long_is_cut_in_its_middle(qtbot: QtBot) -> None:
    font = QFont()
    for most in (1, 2, 4):
        text = on_lines("x" * 200, font, 60, most)
        assert text.count("\n") == most - 1
        assert "…" in text.split("\n")[-1]
    assert on_lines("gpt2.tiktoken", font, 60) == "gpt2\n.tiktoken"
    assert on_lines("", font, 60) == ""


@pytest.mark.parametrize("name", ["🙂🙂🙂_gpt4.model", "a\udcff_b.model"])
def test_names_with_any_character_have_room_in_their_lines(qtbot: QtBot, name: str) -> None:
    metrics = QFontMetrics(QFont())
    width = max(map(metrics.horizontalAdvance, ("🙂🙂🙂_", "a\udcff_b", ".model"))) + 4
    lines = on_lines(name, QFont(), width).split("\n")
    assert len(lines) > 1
    assert "".join(lines) == name
    assert max(map(metrics.horizontalAdvance, lines)) <= width


@pytest.mark.parametrize("height", [90, 130, 640])
def test_headings_leave_room_for_rows(qtbot: QtBot, height: int) -> None:
    widget = shown(qtbot, TextsPage(), 300, height)
    named = [lane(n, "gpt2 on Python's standard library", COUNTS) for n in range(3)]
    widget.set_columns(named)
    table = child(widget, QTableView, "languageTable")
    assert widget.header.height() <= height / 2
    assert table.viewport().height() >= table.rowHeight(0)
    assert ("…" in widget.header.text(1)) == (height < 640)


def test_the_heading_it_is_sorted_by_has_room_for_the_arrow(qtbot: QtBot) -> None:
    widget = shown(qtbot, TextsPage(), 950, 240)
    widget.set_columns([lane(n, "wordpiece.json", COUNTS) for n in range(8)])
    before = widget.header.text(3)
    table = child(widget, QTableView, "languageTable")
    table.sortByColumn(3, DESCENDING)
    lines = widget.header.text(3).split("\n")
    widest = max(map(widget.header.fontMetrics().horizontalAdvance, lines))
    assert widest + 16 < widget.header.sectionSize(3)
    table.sortByColumn(0, ASCENDING)
    assert widget.header.text(3) == before


def test_the_model_keeps_the_rules(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    model = TextsModel()
    watch = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    qtmodeltester.check(model)
    model.set_columns(columns())
    qtmodeltester.check(model)
    model.choose(TextMeasure.TOKENS, 1, intervals=True)
    model.set_columns([lane(1, "steep", {}), columns()[1]])
    model.take_colours(LIGHT)
    model.set_columns(columns()[:1])
    model.set_columns([])
    watch.deleteLater()


def test_parity_against_english_is_shown_first(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    assert cells(widget, 0) == [language.name for language in languages().values()]
    assert cells(widget, 1)[:3] == ["1.00 ×", "1.10 ×", "1.20 ×"]
    assert cells(widget, 2)[:3] == ["1.00 ×", "1.03 ×", "1.06 ×"]


def test_parity_goes_against_any_language(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    child(widget, QComboBox, "parityReference").setCurrentIndex(10)
    assert cells(widget, 1)[0] == "0.50 ×"
    assert cells(widget, 1)[10] == "1.00 ×"


def test_tokens_are_shown_instead(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    child(widget, QComboBox, "languageNumber").setCurrentText("Tokens")
    assert cells(widget, 1)[:2] == ["100", "110"]
    assert not child(widget, QComboBox, "parityReference").isEnabled()


def test_encodings_are_compared_with_any_of_them(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    box = child(widget, QComboBox, "baselineEncoding")
    assert not box.isVisibleTo(widget.controls)
    child(widget, QComboBox, "languageNumber").setCurrentText("Relative to the encoding")
    assert box.isVisibleTo(widget.controls)
    assert not child(widget, QComboBox, "parityReference").isVisibleTo(widget.controls)
    assert cells(widget, 1)[1] == "1.00 ×"
    box.setCurrentText("flat")
    assert cells(widget, 1)[1] == f"{110 / 103:.2f} ×"
    assert cells(widget, 2)[1] == "1.00 ×"
    tip = widget.model.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("times as many as flat")
    widget.set_columns([lane(3, "new", COUNTS), columns()[1]])
    assert box.currentText() == "flat", "it stays chosen while it is there"
    widget.set_columns(columns()[:1])
    assert box.currentText() == "steep"
    assert cells(widget, 1)[1] == "1.00 ×"


def test_a_reference_without_tokens_gives_no_number(qtbot: QtBot) -> None:
    model = TextsModel()
    model.set_columns([lane(1, "none", {**COUNTS, "en": 0})])
    assert model.index(1, 1).data() == "–"
    assert model.index(1, 1).data(Qt.ItemDataRole.BackgroundRole) is None


def test_it_sorts_by_any_lane_and_back(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    table = child(widget, QTableView, "languageTable")
    table.sortByColumn(2, DESCENDING)
    names = [language.name for language in languages().values()]
    assert cells(widget, 0) == names[::-1]
    table.sortByColumn(0, ASCENDING)
    assert cells(widget, 0) == names


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_the_more_a_language_pays_the_stronger_its_cell_is_shaded(
    qtbot: QtBot, theme: Theme
) -> None:
    widget = widget_of(qtbot)
    widget.setPalette(palette(theme))
    table = child(widget, QTableView, "languageTable")
    image = picture(table.viewport())
    panel = QColor(theme.panel)

    def shade(row: int, column: int) -> int:
        corner = table.visualRect(table.model().index(row, column)).topLeft()
        colour = image.pixelColor(corner.x() + 3, corner.y() + 3)
        return sum(abs(a - b) for a, b in zip(colour.getRgb()[:3], panel.getRgb()[:3], strict=True))

    steep, flat = ([shade(row, column) for row in (1, 10, 19)] for column in (1, 2))
    assert steep == sorted(steep)
    assert steep[0] < steep[-1]
    assert flat[-1] < steep[-1]


def test_hovering_says_it_in_words(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    tip = widget.model.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    name = languages()[CODES[1]].name
    said = f"steep takes 110 tokens for the story in {name}"
    assert tip == f"{said}, 1.10 times as many as in English"
    header = widget.model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert header == "flat: 2,570 tokens in all languages"


def test_the_csv_and_the_clipboard_have_the_numbers_unrounded(qtbot: QtBot, tmp_path: Path) -> None:
    widget = widget_of(qtbot)
    widget.table.export_to(tmp_path / "languages.csv")
    lines = list(csv.reader(io.StringIO((tmp_path / "languages.csv").read_text("utf-8"))))
    assert lines[0] == ["language", "steep", "flat", "steep lossless", "flat lossless"]
    second = languages()[CODES[1]].name
    assert lines[1:3] == [
        ["English", "1.0", "1.0", "yes", "yes"], [second, "1.1", "1.03", "yes", "yes"]
    ]  # fmt: skip
    assert len(lines) == 1 + len(CODES)
    table = child(widget, QTableView, "languageTable")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().split("\n")[1] == "English\t1.0\t1.0\tyes\tyes"


def test_the_csv_says_of_a_text_that_was_not_decoded_to_its_end_that_it_is_not_checked(
    qtbot: QtBot,
) -> None:
    half = [replace(counts, decoded=False) for counts in made_of(COUNTS)]
    widget = widget_of(qtbot)
    widget.set_columns([CutLane(1, TrainedEncoding(english(), name="one"), story=tuple(half))])
    assert {line[-1] for line in widget.model.lines()[1:]} == {"not checked"}


def test_a_path_that_cannot_be_written_to_is_one_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    widget = widget_of(qtbot)
    with qtbot.waitSignal(widget.table.problem) as told:
        widget.table.export_to(tmp_path)
    assert told.args[1].startswith(f"{tmp_path} cannot be written: ")


def test_for_another_text_the_story_is_offered(qtbot: QtBot) -> None:
    widget = widget_of(qtbot)
    widget.set_columns(None)
    assert not child(widget, QTableView, "languageTable").isVisible()
    assert child(widget, QPushButton, "compareOnStory").isVisible()
    widget.set_columns(columns())
    assert child(widget, QTableView, "languageTable").isVisible()

"""How the compare view shares its room: enough for many lanes, and all of it for one part."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QTabWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.lanes.layout import SYSTEM_GAP, LanePlace
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.compare.compare_workspace import TEXT, afresh, settled, table, write
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn
from tests.ui.panels.painted import painted_texts

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """Seven lanes over the story."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    act(window, "compareAction")
    window.compare.comparison.at_positions(range(5))
    window.compare.source.show_story()
    settled(qtbot, window)
    return window


def systems_in_sight(window: MainWindow) -> float:
    lanes = window.compare.lanes
    first, second = (lanes.token_center(LanePlace(lane, 0)).y() for lane in (0, 1))
    system = len(window.compare.comparison.lanes) * (second - first) + SYSTEM_GAP
    return (lanes.viewport().height() + SYSTEM_GAP) / system


def rows_in_sight(view: QTableView) -> float:
    return view.viewport().height() / view.rowHeight(0)


def check_two_lines_of_text_are_seen_in_seven_lanes(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: systems_in_sight(window) >= 2)
    assert rows_in_sight(child(window, QTableView, "metricsTable")) >= 5


def check_a_small_window_says_which_text_was_compared(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1024, 700)
    child(window, TextEditor, "compareText").setPlainText("twelve words " * 20)
    settled(qtbot, window)
    label = child(window, QLabel, "metricsAbout")
    assert label.text() == "260 characters, 260 bytes"
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.contentsRect().width()
    tabs, pages = child(window, QTabWidget, "numbersTabs"), window.compare.numbers
    tabs.setCurrentWidget(window.compare.list)
    assert label.text() == "", "the box of causes, which counts them all, has the room"
    tabs.setCurrentWidget(pages.texts)
    assert label.text() == "", "the boxes of the story have it"
    tabs.setCurrentWidget(pages.vocabularies)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: window.compare.at_rest)
    pages.vocabularies.matrix.cellChosen.emit(0, 1)
    qtbot.waitUntil(lambda: "Jaccard" in label.text())
    (shown,) = painted_texts(label)
    assert shown == label.text().partition(",")[0] + "…", "there is no room for all of it"
    assert re.fullmatch(r"Jaccard \d\.\d{3}…", shown), "but what is there is a whole number"


def check_a_small_window_has_room_for_four_languages(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1024, 700)
    numbers = window.compare.numbers
    numbers.tabs.setCurrentWidget(numbers.texts)
    view = child(window, QTableView, "languageTable")
    qtbot.waitUntil(lambda: rows_in_sight(view) >= 3.8)
    assert numbers.texts.what.isVisible()
    numbers.tabs.setCurrentWidget(numbers.table)
    assert not numbers.texts.what.isVisible()


def check_lanes_alone_keep_the_reason_for_a_difference(qtbot: QtBot, window: MainWindow) -> None:
    view = window.compare
    splitter = child(view, QSplitter, "compareSplitter")
    splitter.setSizes([60, 300, 240])
    before = splitter.sizes()
    systems = systems_in_sight(window)
    QTest.keyClick(window, Qt.Key.Key_F4)
    assert not view.numbers.isVisible()
    assert view.differences.card.isVisible()
    qtbot.waitUntil(lambda: systems_in_sight(window) > 1.3 * systems)
    QTest.keyClick(window, Qt.Key.Key_F4)
    assert view.numbers.isVisible()
    qtbot.waitUntil(lambda: splitter.sizes() == before)


def check_numbers_alone_have_the_room_of_the_lanes(qtbot: QtBot, window: MainWindow) -> None:
    view = window.compare
    splitter = child(view, QSplitter, "compareSplitter")
    before = splitter.sizes()
    QTest.keyClick(window, Qt.Key.Key_F4)
    QTest.keyClick(window, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert not child(window, QAction, "lanesAloneAction").isChecked()
    assert (view.lanes.isVisible(), view.source.editor.isVisible()) == (False, False)
    assert view.numbers.isVisible()
    assert not view.differences.card.isVisible(), "there is nothing in it"
    view.numbers.tabs.setCurrentWidget(view.numbers.texts)
    languages = child(window, QTableView, "languageTable")
    qtbot.waitUntil(lambda: rows_in_sight(languages) >= 15)
    act(window, "nextDifferenceAction")
    qtbot.waitUntil(view.differences.card.isVisible)
    QTest.keyClick(window, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert view.lanes.isVisible()
    qtbot.waitUntil(lambda: splitter.sizes() == before)


def test_what_is_lost_is_told_when_one_points_at_it(qtbot: QtBot, opened: Opened) -> None:
    window = opened("words.txt", TEXT, "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    act(window, "compareAction")
    window.compare.source.show_story()
    settled(qtbot, window)
    assert re.fullmatch(r"lossy: [\d,]+ unknown chars", table(window)[0][-1])
    model = child(window, QTableView, "metricsTable").model()
    index = model.index(0, model.columnCount() - 1)
    assert "unknown" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "unknown" in str(window.compare.numbers.table.metrics.lines()[1][-1]), "in files, too"


def test_the_chosen_text_is_named_whole_beside_the_choice_of_lanes(
    qtbot: QtBot, opened: Opened
) -> None:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.resize(1024, 700)
    window.compare.comparison.at_positions(range(3))
    act(window, "compareAction")
    window.compare.source.show_story()
    settled(qtbot, window)
    choice = child(window, QComboBox, "laneChoice")
    qtbot.waitUntil(choice.isVisible)
    for box in (child(window, QComboBox, "compareTextBox"), choice):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        kind, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(kind, option, field, box).width()
        assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room
    window.resize(1920, 1000)
    longest = max(map(choice.fontMetrics().horizontalAdvance, map(choice.itemText, range(2))))
    qtbot.waitUntil(lambda: choice.width() > longest + 30)


def test_lanes_of_a_short_text_are_large_and_whole_with_the_marks_of_its_words(
    qtbot: QtBot, opened: Opened
) -> None:
    window = opened("words.txt", TEXT, "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    act(window, "compareAction")
    write(qtbot, window, "the cat sat on the mat")
    lanes = window.compare.lanes
    for width, height in ((1024, 700), (1366, 768), (1920, 1080)):
        window.resize(width, height)
        qtbot.waitUntil(lambda: window.width() == width)  # noqa: B023
        assert lanes.verticalScrollBar().maximum() == 0
        large = lanes.font().pointSizeF()
        assert large > 1.5 * window.font().pointSizeF()
        write(qtbot, window, "the cat sat on the mat " * 20)
        write(qtbot, window, "the cat sat on the mat")
        assert lanes.font().pointSizeF() == large, "the size is not that of the text before"


def test_room(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_small_window_says_which_text_was_compared,
        check_two_lines_of_text_are_seen_in_seven_lanes,
        check_a_small_window_has_room_for_four_languages,
        check_lanes_alone_keep_the_reason_for_a_difference,
        check_numbers_alone_have_the_room_of_the_lanes,
    )

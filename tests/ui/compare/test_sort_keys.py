"""What a click on a heading does, the keyboard does too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.ui.compare.numbers_panel import NumbersPanel
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def window(with_words: MainWindow) -> MainWindow:
    return with_words


def sorted_by(table: QTableView) -> tuple[int, Qt.SortOrder]:
    columns = table.horizontalHeader()
    return columns.sortIndicatorSection(), columns.sortIndicatorOrder()


def check_each_column_is_sorted_by_in_turn_and_either_way(
    window: MainWindow, name: str, qtbot: QtBot
) -> None:
    if name == "metricsTable":
        window.workspaces.compare()
        assert child(window, NumbersPanel, "numbersPanel").isVisible()
    table = child(window, QTableView, name)
    table.setFocus()
    columns = table.horizontalHeader()
    seen = [n for n in range(columns.count()) if not columns.isSectionHidden(n)]
    first = sorted_by(table)
    visited = []
    for _ in seen:
        qtbot.keyClick(table, Qt.Key.Key_H, CTRL)
        visited.append(columns.sortIndicatorSection())
    assert sorted(visited) == seen
    assert sorted_by(table) == first
    qtbot.keyClick(table, Qt.Key.Key_H, CTRL | SHIFT)
    assert sorted_by(table) == (first[0], DOWN if first[1] is UP else UP)


def test_each_column_is_sorted_by_in_turn_and_either_way(window: MainWindow, qtbot: QtBot) -> None:
    for name in ["vocabularyTable", "metricsTable"]:
        check_each_column_is_sorted_by_in_turn_and_either_way(window, name, qtbot)


def test_the_rows_follow(window: MainWindow, qtbot: QtBot) -> None:
    table = child(window, QTableView, "vocabularyTable")
    table.setFocus()
    before = [table.model().index(row, 0).data() for row in range(3)]
    qtbot.keyClick(table, Qt.Key.Key_H, CTRL | SHIFT)
    qtbot.waitUntil(lambda: [table.model().index(r, 0).data() for r in range(3)] != before)


def test_the_keys_mean_nothing_beside_the_table(window: MainWindow, qtbot: QtBot) -> None:
    table = child(window, QTableView, "vocabularyTable")
    window.player_bar.timeline.setFocus()
    before = sorted_by(table)
    qtbot.keyClick(window.player_bar.timeline, Qt.Key.Key_H, CTRL)
    assert sorted_by(table) == before

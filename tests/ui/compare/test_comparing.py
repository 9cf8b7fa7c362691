"""The compare workspace: what stands there at once, how one goes about, and what is exported."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QTabBar,
    QTableView,
    QTextBrowser,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import run_of, table, window, write
from tests.ui.driving import act, child

__all__ = ["window"]


# -- the workspace -------------------------------------------------------------------------------


def check_two_lanes_stand_there_at_once(qtbot: QtBot, window: MainWindow) -> None:
    assert child(window, CompareView, "compareView").isVisible()
    names = [row[0] for row in table(window)]
    assert names == [FOLLOWING, BEHIND]
    text = window.compare.source.text
    history = run_of(window)
    tokens = [row[1] for row in table(window)]
    assert tokens == [
        f"{len(Tokenizer(history).encode(text)):,}",
        f"{len(Tokenizer(history, len(history) // 10).encode(text)):,}",
    ]
    assert [row[-1] for row in table(window)] == ["yes", "yes"]
    card = child(window, QTextBrowser, "differenceCard")
    legend = "Grey: tokens that all lanes share"
    qtbot.waitUntil(lambda: legend in card.toPlainText())


def check_the_workspaces_by_tab_and_by_key(qtbot: QtBot, window: MainWindow) -> None:
    docks = list(window.explore.docks.values())
    assert not any(dock.isVisible() for dock in docks)
    tabs = child(window, QTabBar, "workspaceTabs")
    tabs.setCurrentIndex(0)
    assert not window.compare.isVisible()
    assert any(dock.isVisible() for dock in docks)
    assert child(window, QAction, "exploreAction").isChecked()
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.compare.isVisible()
    assert tabs.currentIndex() == 1
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not window.compare.isVisible()
    act(window, "compareAction")


def check_tab_leads_only_to_what_is_in_sight(window: MainWindow) -> None:
    """Docks that are hidden leave tabs behind, out of sight."""
    box = child(window, QComboBox, "compareTextBox")
    box.setFocus()
    seen = []
    for _ in range(60):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is box:
            break
    assert QApplication.focusWidget() is box, "it comes round"
    assert window.compare.lanes in seen
    assert child(window, QTableView, "metricsTable") in seen
    for widget in seen:
        assert window.rect().contains(widget.mapTo(window, widget.rect().center()))


def check_a_message_stays_when_the_workspace_changes(window: MainWindow) -> None:
    window.message_bar.show_message("Something.")
    act(window, "exploreAction")
    assert window.message_bar.text == "Something."
    window.message_bar.withdraw()
    act(window, "compareAction")
    assert window.message_bar.text == ""


def check_ones_own_text_is_the_same_in_both_workspaces(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the hat")
    act(window, "exploreAction")
    assert window.sample_text.text == "the hat"
    window.sample_text.set("the rat")
    act(window, "compareAction")
    assert window.compare.source.text == "the rat"


def check_the_layout_is_reset_in_explore(window: MainWindow) -> None:
    act(window, "resetLayoutAction")
    assert not window.compare.isVisible()
    assert window.explore.docks["pairDock"].isVisible()


# -- the table -----------------------------------------------------------------------------------


def check_the_table_sorts_and_is_copied_and_exported(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    view = child(window, QTableView, "metricsTable")
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].startswith("encoding\ttokens\t")
    assert lines[1].startswith("the run at the cursor\t")
    path = tmp_path / "numbers.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    act(window, "exportMetricsAction")
    rows = list(csv.reader(io.StringIO(path.read_text())))
    result = window.compare.comparison.result
    assert result is not None
    metrics = result.lanes[0].metrics
    assert metrics is not None
    assert rows[1][:2] == ["the run at the cursor", str(metrics.tokens)]
    assert float(rows[1][2]) == metrics.characters_per_token
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "no" / "x.csv"), "")
    )
    act(window, "exportMetricsAction")
    assert "cannot be written" in window.message_bar.text


def test_the_workspace_its_table_and_its_text(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    check_two_lanes_stand_there_at_once(qtbot, window)
    check_tab_leads_only_to_what_is_in_sight(window)
    check_a_message_stays_when_the_workspace_changes(window)
    check_the_table_sorts_and_is_copied_and_exported(qtbot, monkeypatch, window, tmp_path)
    check_ones_own_text_is_the_same_in_both_workspaces(qtbot, window)
    check_the_workspaces_by_tab_and_by_key(qtbot, window)
    check_the_layout_is_reset_in_explore(window)


def test_closing_while_it_compares(qtbot: QtBot, window: MainWindow) -> None:
    window.compare.source.show_story()
    window.close()
    result = window.compare.comparison.result
    assert result is not None
    assert result.text != window.compare.source.text, "what came too late is not shown"


def test_lanes_that_were_all_removed_stay_away_while_the_cursor_moves(
    qtbot: QtBot, window: MainWindow
) -> None:
    for lane in [*window.compare.comparison.lanes]:
        window.compare.comparison.remove(lane.key)
    child(window, QAction, "exploreAction").trigger()
    window.player.scrub(1)
    assert not window.compare.comparison.lanes

"""A lane that was removed is brought back as it was, until the lanes are others."""

from __future__ import annotations

from gc import collect
from weakref import ref

from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import settled, table, window
from tests.ui.driving import act, child

__all__ = ["window"]

SAID = "“mine” is removed."


def remove(qtbot: QtBot, window: MainWindow, lane: int) -> None:
    metrics = window.compare.numbers.table
    metrics.select_lane(window.compare.comparison.lanes[lane].key)
    child(metrics, QAction, "removeLaneAction").trigger()
    settled(qtbot, window)


def test_a_removed_lane_is_brought_back(qtbot: QtBot, window: MainWindow) -> None:
    comparison = window.compare.comparison
    comparison.at_positions([3])
    key = comparison.lanes[1].key
    comparison.rename(key, "mine")
    comparison.set_colour(key, 2)
    settled(qtbot, window)
    before, looks = table(window), comparison.looks()
    remove(qtbot, window, 1)
    assert [row[0] for row in table(window)] == [before[0][0], before[2][0]]
    assert window.message_bar.text == SAID
    window.player.scrub(1)
    settled(qtbot, window)
    assert window.message_bar.text == SAID, "the lanes are the same"
    act(window, "acceptAction")
    settled(qtbot, window)
    assert comparison.looks() == looks
    assert [row[0] for row in table(window)] == [row[0] for row in before]
    assert window.message_bar.text == ""
    followed = comparison.ready()[key]
    assert followed.name == "mine"


def test_a_removed_lane_is_forgotten_with_the_next_one(qtbot: QtBot, window: MainWindow) -> None:
    comparison = window.compare.comparison
    comparison.rename(comparison.lanes[1].key, "mine")
    remove(qtbot, window, 1)
    assert window.message_bar.text == SAID
    comparison.add_behind()
    settled(qtbot, window)
    assert window.message_bar.text == ""
    assert [lane.name for lane in comparison.lanes] == [FOLLOWING, BEHIND]


def test_a_dismissed_lane_is_released(qtbot: QtBot, window: MainWindow) -> None:
    comparison = window.compare.comparison
    comparison.rename(comparison.lanes[1].key, "mine")
    lane = ref(comparison.lanes[1])
    remove(qtbot, window, 1)
    assert lane() is not None
    act(window, "dismissAction")
    settled(qtbot, window)
    collect()
    assert lane() is None

"""Nothing keeps a run in memory that cannot be shown again."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import WeakSet

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QMainWindow, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS
from tests.end_to_end.test_past_runs import choose_recipe, listed
from tests.end_to_end.window import (
    action,
    bring_up,
    choose,
    drop,
    end,
    finished,
    is_enabled,
    said,
)
from tests.ui.driving import act, child


def histories() -> WeakSet[History]:
    """All histories that are alive."""
    gc.collect()
    return WeakSet(each for each in gc.get_objects() if type(each) is History)


@pytest.fixture
def foreign() -> WeakSet[History]:
    """Histories that are alive before the window is, of other tests."""
    return histories()


def show_panels(qtbot: QtBot, window: QMainWindow) -> None:
    """Bring up two panels, one after the other, so that each draws the run."""
    bring_up(window, "treeDock")
    qtbot.waitUntil(lambda: bool(said(window, "scaffolding").strip()))
    bring_up(window, "spaceTimeDock")
    caption = child(window, QLabel, "spaceTimeCaption")
    qtbot.waitUntil(lambda: bool(caption.text()))


def show_all_presets(qtbot: QtBot, window: QMainWindow) -> None:
    """Train all presets for the picture of space and time."""
    bring_up(window, "spaceTimeDock")
    choose(child(window, QComboBox, "spaceTimeView"), "All presets")
    caption = child(window, QLabel, "spaceTimeCaption")
    qtbot.waitUntil(lambda: "under every preset" in caption.text())
    qtbot.waitUntil(lambda: "Training" not in caption.text())


def remove_lanes(qtbot: QtBot, window: QMainWindow) -> None:
    """Remove from Compare the lanes of all runs that have made way."""
    act(window, "compareAction")
    table, remove = child(window, QTableView, "metricsTable"), action(window, "removeLaneAction")
    for row in range(table.model().rowCount() - 1, -1, -1):
        table.selectRow(row)
        if remove.isEnabled():
            remove.trigger()
            qtbot.waitUntil(lambda rest=row: table.model().rowCount() <= max(rest, 1))
    act(window, "exploreAction")


def test_runs_are_released_once_another_corpus_is_open_and_they_are_removed(
    foreign: WeakSet[History], gpt2_run: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = gpt2_run
    show_panels(qtbot, window)
    choose_recipe(qtbot, window, "gpt4")
    act(window, "trainAction")
    finished(qtbot, window)
    show_all_presets(qtbot, window)
    old = histories() - foreign
    assert len(old) >= 2 + len(PRESETS)

    other = tmp_path / "other.txt"
    other.write_text("apples and pears")
    drop(window, other)
    qtbot.waitUntil(lambda: end(window) == 0 and is_enabled(window, "trainAction"))
    while listed(window):
        act(window, "removeRun1Action")
    remove_lanes(qtbot, window)
    qtbot.waitUntil(lambda: not histories() & old)


def test_presets_are_released_when_their_picture_gives_way_to_another(
    gpt2_run: QMainWindow, qtbot: QtBot
) -> None:
    before = histories()
    show_all_presets(qtbot, gpt2_run)
    presets = histories() - before
    assert len(presets) == len(PRESETS)
    choose(child(gpt2_run, QComboBox, "spaceTimeView"), "Eight sizes")
    qtbot.waitUntil(lambda: not histories() & presets)

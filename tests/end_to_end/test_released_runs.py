"""Nothing keeps a run in memory that cannot be shown again."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from weakref import WeakSet

import pytest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QMainWindow,
    QPushButton,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS
from tests.end_to_end.test_past_runs import choose_recipe, listed
from tests.end_to_end.window import (
    action,
    bring_up,
    choose,
    description,
    digits,
    drop,
    end,
    finished,
    go_to,
    is_enabled,
    rows,
    said,
    show_tab,
)
from tests.ui.driving import act, child


def histories() -> WeakSet[History]:
    """All histories that are alive."""
    gc.collect()
    interval = sys.getswitchinterval()
    try:
        # No other thread's turn: a tuple that it is making, and that is looked at, is an error.
        sys.setswitchinterval(1_000)
        return WeakSet(each for each in gc.get_objects() if type(each) is History)
    finally:
        sys.setswitchinterval(interval)


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
    qtbot.waitUntil(lambda: "preset" in caption.text())
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


def forbid(qtbot: QtBot, window: QMainWindow) -> None:
    """Begin a branch, of which the chart counts the pair that is forbidden."""
    go_to(qtbot, window, 3)
    act(window, "forbidAction")
    qtbot.waitUntil(lambda: "times, forbidden from merge" in said(window, "pairChart"))


def present(qtbot: QtBot, window: QMainWindow) -> None:
    """Go on the stage, which tells the merge at the cursor, and leave it."""
    act(window, "presentAction")
    qtbot.waitUntil(lambda: "3 / " in said(child(window, QWidget, "stage"), "stageLine"))
    act(window, "presentAction")


def show_numbers(qtbot: QtBot, window: QMainWindow) -> None:
    """Bring up every page of numbers of the lanes, the table last."""
    for page, is_full in (
        ("languageBars", lambda: any(len(row) > 1 for row in rows(window, "languageTable"))),
        ("mergeCurves", lambda: bool(child(window, QLabel, "curvesLegend").text())),
        ("vocabularies", lambda: bool(rows(window, "tokensTable"))),
        ("differenceList", lambda: bool(rows(window, "differenceList"))),
        ("metricsTable", lambda: True),
    ):
        widget = child(window, QWidget, page)
        tabs = child(window, QTabWidget, "numbersTabs")
        while not widget.isVisible():
            tabs.setCurrentIndex((tabs.currentIndex() + 1) % tabs.count())
        if page == "languageBars":
            choose(child(window, QComboBox, "textSet"), "Probes")
        qtbot.waitUntil(is_full)


def test_runs_are_released_once_another_corpus_is_open_and_they_are_removed(
    foreign: WeakSet[History], gpt2_run: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = gpt2_run
    show_panels(qtbot, window)
    forbid(qtbot, window)
    present(qtbot, window)
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


def test_lanes_are_released_when_they_are_removed_behind_what_showed_them(
    foreign: WeakSet[History], gpt2_run: QMainWindow, qtbot: QtBot
) -> None:
    window = gpt2_run
    old = histories() - foreign
    choose_recipe(qtbot, window, "gpt4")
    act(window, "trainAction")
    finished(qtbot, window)
    act(window, "compareAction")
    qtbot.waitUntil(lambda: len(rows(window, "metricsTable")) >= 3)
    show_numbers(qtbot, window)
    act(window, "exploreAction")
    while listed(window):
        act(window, "removeRun1Action")
    assert histories() & old, "a lane has the first run"
    remove_lanes(qtbot, window)
    qtbot.waitUntil(lambda: not histories() & old)


def test_runs_in_lockstep_are_released_once_another_corpus_is_open(
    gpt2_run: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = gpt2_run
    in_view = histories()
    act(window, "laboratoryAction")
    show_tab(qtbot, window, "laboratoryTabs", "lockstepPanel")
    choose(child(window, QComboBox, "firstRecipe"), "gpt4")
    choose(child(window, QComboBox, "secondRecipe"), "raw")
    both = child(window, QPushButton, "trainBothButton")
    chart = child(window, QWidget, "slopeChart")
    both.click()
    qtbot.waitUntil(lambda: both.text() == "Train both" and digits(description(chart)) != [])
    legend = child(child(window, QWidget, "lockstepPanel"), QLabel, "curvesLegend")
    qtbot.waitUntil(lambda: bool(legend.text()))
    old = histories() - in_view
    assert len(old) >= 2  # while the session is saved there are copies

    other = tmp_path / "other.txt"
    other.write_text("apples and pears")
    drop(window, other)
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

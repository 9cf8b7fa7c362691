"""The compare workspace in tests: opened with a finished run, waited for, written in, and read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.driving import act, child

TEXT = "the cat sat on the mat and the hat, the rat saw that\n" * 30
Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A finished run in the compare workspace."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    child(window, QAction, "compareAction").trigger()
    settled(qtbot, window)
    return window


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until everything that was asked for is in view."""
    comparison = window.compare.comparison
    qtbot.waitUntil(
        lambda: not window.explore.scheduler.isActive()
        and comparison.up_to_date
        and comparison.result is not None
        and len(comparison.result.lanes)
        == sum(lane.encoding is not None for lane in comparison.lanes),
    )


def afresh(qtbot: QtBot, window: MainWindow) -> Callable[[], None]:
    """Brings the workspace back to how it is now, with the run alone."""
    source, position, size = window.compare.source.state(), window.player.position, window.size()

    def again() -> None:
        act(window, "compareAction")
        window.compare.comparison.set_lanes([])
        window.compare.comparison.begin_with_run()
        window.compare.comparison.set_pair(None)
        window.compare.source.restore(*source)
        window.player.scrub(position)
        window.resize(size)
        child(window, QTabWidget, "numbersTabs").setCurrentIndex(0)
        settled(qtbot, window)

    return again


def run_of(window: MainWindow) -> History:
    """The run in view."""
    history = window.player.history
    assert history is not None
    return history


def write(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Replace one's own text."""
    child(window, TextEditor, "compareText").setPlainText(text)
    settled(qtbot, window)


def table(window: MainWindow) -> list[list[str]]:
    """The table of numbers as it is shown."""
    model = child(window, QTableView, "metricsTable").model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def loaded(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until every encoding that was asked for is there, or has failed."""
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    settled(qtbot, window)


def waiting(window: MainWindow) -> list[tuple[str, str]]:
    """The lanes below the others, which have no tokens: their names, and why they have none."""
    view = window.compare.waiting
    if not view.isVisible():
        return []
    sentences = view.findChildren(QLabel, "waitingSentence")
    rows = sorted((label.parentWidget() for label in sentences), key=lambda row: row.y())
    texts = [child(row, QLabel, "waitingSentence").text() for row in rows]
    return [
        (row.accessibleName().removesuffix(f": {text}"), text)
        for row, text in zip(rows, texts, strict=True)
    ]

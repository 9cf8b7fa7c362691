"""The stage of a window with a trained run: entered, left, and its panels chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.show import Show
from tests.ui.stage.stages import CORPUS, at_rest

KEY = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """The four words, trained to the end, the cursor behind the second merge."""
    window = opened("words.csv", CORPUS, "--preset", "whitespace", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
    )
    window.player.scrub(2)
    at_rest(qtbot, window)
    return window


@pytest.fixture
def show(window: MainWindow, qtbot: QtBot) -> Show:
    """The stage, up."""
    return entered(window, qtbot)


def entered(window: MainWindow, qtbot: QtBot) -> Show:
    """Go on the stage by its key, and see it."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, KEY.Key_F11)
    show = window.stage.show_window
    qtbot.waitUntil(show.isActiveWindow)
    at_rest(qtbot, window)
    return show


def left(window: MainWindow, qtbot: QtBot) -> None:
    """Leave the stage by its key."""
    QTest.keyClick(window.stage.show_window, KEY.Key_F11)
    qtbot.waitUntil(window.isActiveWindow)
    at_rest(qtbot, window)


def panels_of(show: Show) -> list[QWidget]:
    """The frames of the panels that are seen."""
    frames = show.board.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [frame for frame in frames if frame.isVisible() and frame is not show.board.line]


def choose(window: MainWindow, *panels: str) -> None:
    """Put these panels on the stage, all of them in view."""
    window.stage.choice = {"panels": list(panels), "layout": len(panels)}

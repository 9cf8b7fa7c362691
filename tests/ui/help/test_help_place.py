"""The help has room to be read in, and gives it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import active

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("words.txt", "low lower lowest newest")
    window.resize(1280, 800)
    return active(qtbot, window)


def widths(window: MainWindow) -> dict[str, int]:
    docks = window.findChildren(QDockWidget)
    seen = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
    return {dock.objectName(): dock.width() for dock in seen}


def letters(window: MainWindow) -> float:
    """How many letters have room in a line of the help."""
    browser = window.help_dock.browser
    return browser.viewport().width() / browser.fontMetrics().averageCharWidth()


def check_the_help_has_room_and_the_window_stays(
    window: MainWindow, place: WorkspaceId, scale: int, qtbot: QtBot
) -> None:
    window.text_sizing.set_scale(scale)
    getattr(window.workspaces, place.name.lower())()
    qtbot.waitUntil(lambda: window.minimumSizeHint().width() <= window.width())
    size = window.size()
    window.helping.open("present")
    qtbot.waitUntil(lambda: letters(window) > 28)
    assert window.size() == size
    window.helping.close()
    assert not window.help_dock.isVisible()


def check_the_help_has_room_at_any_text_size_and_the_window_stays(
    window: MainWindow, qtbot: QtBot
) -> None:
    for place in WorkspaceId:
        for scale in [1, 2]:
            check_the_help_has_room_and_the_window_stays(window, place, scale, qtbot)
    window.text_sizing.set_scale(1)


def check_what_the_help_took_is_given_back(window: MainWindow, qtbot: QtBot) -> None:
    before = widths(window)
    window.helping.open("present")
    qtbot.waitUntil(lambda: widths(window).get("helpDock", 0) > 300)
    window.helping.close()
    qtbot.waitUntil(lambda: "helpDock" not in widths(window))
    qtbot.waitUntil(
        lambda: all(abs(wide - before[name]) <= 3 for name, wide in widths(window).items())
    )


def check_the_help_comes_back_beside_once_there_is_room(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.workspaces.compare()
    window.text_sizing.set_scale(3)
    window.helping.open("present")
    assert window.help_dock.isFloating()
    window.helping.close()
    window.text_sizing.set_scale(1)
    qtbot.waitUntil(lambda: window.minimumSizeHint().width() < 1000)
    window.helping.open("present")
    assert not window.help_dock.isFloating()


@pytest.mark.no_qt_log
def test_the_help_has_its_place(window: MainWindow, qtbot: QtBot) -> None:
    check_what_the_help_took_is_given_back(window, qtbot)
    check_the_help_has_room_at_any_text_size_and_the_window_stays(window, qtbot)
    check_the_help_comes_back_beside_once_there_is_room(window, qtbot)

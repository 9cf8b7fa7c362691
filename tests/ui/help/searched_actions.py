"""A window whose actions are searched in tests, and what the search finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import active

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A window of which every workspace has been made, and which has the keyboard."""
    window = opened("words.txt", "low lower lowest newest")
    qtbot.waitUntil(lambda: window.player.history is not None)
    # The laboratory is made when it is first seen.
    window.actions_.laboratory.trigger()
    window.actions_.explore.trigger()
    return active(qtbot, window)


@pytest.fixture
def search(window: MainWindow, qtbot: QtBot) -> ActionSearch:
    """The search, open over its window."""
    window.actions_.search_actions.trigger()
    search = window.helping.search
    qtbot.waitUntil(search.isActiveWindow)
    return search


def found(search: ActionSearch) -> list[str]:
    """The names in its list."""
    model = search.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]

"""Starts the program as its command line does, and ends it after each test.

The tests of this folder are what a user relies on. They know `bpe_gui.app`, Qt's own classes
and object names, and nothing of how the window is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from bpe_gui import app
from tests.own_folders import own_folders as own_folders

WORDS = "low lower lowest newest widest " * 9


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Callable[..., QMainWindow]]:
    """Start the program with these arguments; the window has the keyboard."""
    windows: list[QMainWindow] = []

    def start(*arguments: str) -> QMainWindow:
        _, window = app.create(list(arguments))
        windows.append(window)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield start
    for window in windows:
        window.close()
        window.deleteLater()


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A corpus of five words."""
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    return path

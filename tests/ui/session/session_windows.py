"""Windows with sessions in tests: begun as the command line does it, ended, and what they kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.folders import user_folders
from bpe_gui.sessions import save_session
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.sessions.made import four_words
from tests.ui.windows import Windows

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50
Begun = Callable[..., MainWindow]


@pytest.fixture
def begun(qtbot: QtBot) -> Iterator[Begun]:
    """Windows as the command line opens them, closed in the end."""
    windows = Windows()
    yield windows.open
    windows.end()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of a session."""
    path = tmp_path / "talk.bpesession"
    save_session(path, four_words(lanes=None, layout={}))
    return path


def end(window: MainWindow) -> None:
    """Close a window, as its user does."""
    window.close()


def saved_states() -> list[Path]:
    """What windows keep by themselves for the next start."""
    return sorted((user_folders().data / "sessions").glob("*.bpesession"))


def trained(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A window with a run that has been trained to its end."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    return window


def saved_to(path: Path, qtbot: QtBot, opened: Opened) -> MainWindow:
    """A window as `trained` gives it, saved as a session."""
    window = trained(qtbot, opened)
    with qtbot.waitSignal(window.session_keeper.saved):
        window.session_keeper.save_to(path)
    return window


def autosaved(qtbot: QtBot, window: MainWindow) -> Path:
    """The state of a window, when nothing is to be drawn any more and the file is there."""
    keeper = window.session_keeper
    path = keeper.recovery_files.path
    saver = keeper.autosave
    qtbot.waitUntil(lambda: saver.writing is None)
    saver.save()
    qtbot.waitUntil(lambda: saver.writing is None)
    return path


def button(window: MainWindow, text: str) -> QToolButton:
    """The button of the message in view that has this text."""
    bar = window.message_bar
    buttons = bar.findChildren(QToolButton)
    return next(each for each in buttons if each.text() == text and each.isVisibleTo(bar))


def shows_four_words(window: MainWindow) -> bool:
    """Whether the session of `kept` is in view."""
    shown = window.branches.shown
    return shown is not None and shown.name == "without es + t" and window.player.position == 3

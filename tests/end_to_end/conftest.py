"""Starts the program as its command line does, and ends it after each test.

The tests of this folder are what a user relies on. They know `bpe_gui.app`, Qt's own classes
and object names, and nothing of how the window is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

import bpe_gui
from bpe_gui.library import Tokenizer
from tests.end_to_end.window import MERGES, SYMBOLS, WORDS, Start, finished, is_trained, tokens
from tests.own_folders import own_folders as own_folders
from tests.ui.driving import active
from tests.ui.in_turn import in_turn as in_turn
from tests.ui.windows import Windows


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    """Start the program with these arguments; the window has the keyboard."""
    windows = Windows()

    def start(*arguments: str) -> QMainWindow:
        return active(qtbot, windows.open(*arguments))

    yield start
    windows.end()


@pytest.fixture
def trained(start: Start, words: Path, qtbot: QtBot) -> QMainWindow:
    """A window with all that can be learned of the five words; `MERGES` tells what it is."""
    window = start("open", str(words), "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: is_trained(window) and len(tokens(window)) == SYMBOLS + len(MERGES))
    return window


@pytest.fixture
def gpt2_run(qtbot: QtBot, start: Start, words: Path) -> QMainWindow:
    """A window with a whole run of GPT-2's recipe, the cursor at its end."""
    arguments = ("--preset", "gpt2", "--vocab-size", "280", "--start")
    return finished(qtbot, start("open", str(words), *arguments))


@pytest.fixture
def tokenizer(words: Path) -> Tokenizer:
    """The run of `gpt2_run`, trained by the library."""
    return bpe_gui.train(words, preset="gpt2", vocab_size=280)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A corpus of five words."""
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    return path

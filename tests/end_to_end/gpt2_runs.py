"""A run of GPT-2's recipe over the five words: in the window, and by the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

import bpe_gui
from bpe_gui.library import Tokenizer
from tests.end_to_end.window import Start, finished

MERGES = 16
"""How many merges there are before no pair is left."""


@pytest.fixture
def gpt2_run(qtbot: QtBot, start: Start, words: Path) -> QMainWindow:
    """A window with the whole run, the cursor at its end."""
    arguments = ("--preset", "gpt2", "--vocab-size", "280", "--start")
    return finished(qtbot, start("open", str(words), *arguments))


@pytest.fixture
def tokenizer(words: Path) -> Tokenizer:
    """The same run, trained by the library."""
    return bpe_gui.train(words, preset="gpt2", vocab_size=280)

"""The comparison that its tests begin with: a finished run in Compare, and a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow, QTableView
from pytestqt.qtbot import QtBot

from tests.end_to_end.driving import Start, cells, finished, write
from tests.ui.widgets import act, child

TEXT = "the lowest and the newest"


@pytest.fixture
def window(qtbot: QtBot, start: Start, words: Path) -> QMainWindow:
    """A run of GPT-2's recipe to its end, in Compare, and the text."""
    arguments = ("--preset", "gpt2", "--vocab-size", "280", "--start")
    window = finished(qtbot, start("open", str(words), *arguments))
    act(window, "compareAction")
    write(qtbot, window, "compareText", TEXT)
    return window


def numbers(window: QMainWindow) -> QTableView:
    """The table of the lanes' numbers."""
    return child(window, QTableView, "metricsTable")


def names(window: QMainWindow) -> list[str]:
    """What the lanes are called."""
    return [row[0] for row in cells(numbers(window))]

"""The comparison that its tests begin with: a finished run in Compare, and a text."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMainWindow, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.library import Tokenizer
from tests.end_to_end.window import cells, column, write
from tests.ui.driving import act, child

TEXT = "the lowest and the newest"


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow, tokenizer: Tokenizer) -> QMainWindow:
    """A finished run in Compare, and the text, which is compared."""
    act(gpt2_run, "compareAction")
    write(qtbot, gpt2_run, "compareText", TEXT)
    tokens = str(len(tokenizer.encode(TEXT).ids))
    qtbot.waitUntil(lambda: column(numbers(gpt2_run), "tokens")[:1] == [tokens])
    return gpt2_run


def numbers(window: QMainWindow) -> QTableView:
    """The table of the lanes' numbers."""
    return child(window, QTableView, "metricsTable")


def names(window: QMainWindow) -> list[str]:
    """What the lanes are called."""
    return [row[0] for row in cells(numbers(window))]

"""A finished run that is branched in tests: by keys, trained to the end, and read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.branches import Branch
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.branches.table import STATE
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child

KEY = Qt.Key
TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """A window with a finished run of some 24 merges, the cursor at 5."""
    window = opened("story.txt", TEXT, "--start")
    at_rest(qtbot, window)
    window.player.scrub(5)
    at_rest(qtbot, window)
    return window


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the run has ended and nothing is to be drawn any more."""
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())


def shown(window: MainWindow) -> Branch:
    """The branch in view, which must be there."""
    branch = window.branches.shown
    assert branch is not None
    return branch


def table(window: MainWindow) -> QTableView:
    """The table of the branches."""
    return child(window, QTableView, "branchTable")


def names(window: MainWindow) -> list[str]:
    """What the branches are called, in their order."""
    return [branch.name for branch in window.branches.all]


def merges(history: History) -> list[tuple[int, int]]:
    """The pairs that a run merged, by their ids, in their order."""
    return list(zip(history.left.tolist(), history.right.tolist(), strict=True))


def text_of(window: MainWindow, name: str) -> str:
    """A label's text without its marks."""
    label = child(window, QLabel, name)
    return QTextDocumentFragment.fromHtml(label.text()).toPlainText()


def comparison(window: MainWindow) -> str:
    """The comparison of two branches, in words."""
    return text_of(window, "branchComparison")


def states(window: MainWindow) -> list[str]:
    """What the table says of how far each branch is."""
    model = table(window).model()
    return [model.index(row, STATE).data() for row in range(model.rowCount())]


def forbid(window: MainWindow, qtbot: QtBot) -> Branch:
    """Forbid the next merge, and let the branch be trained to its end."""
    number = len(window.branches.all)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == number + 1)
    at_rest(qtbot, window)
    return window.branches.all[number]


def press(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Press a key in the window."""
    QTest.keyClick(window, key, modifier or Qt.KeyboardModifier.NoModifier)

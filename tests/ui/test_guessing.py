"""The guessing mode through the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.main_window import MainWindow

CORPUS = "word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n"
CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """The four words, trained to the end, the cursor behind the second merge."""
    window = opened("words.csv", CORPUS, "--preset", "whitespace", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
        timeout=60_000,
    )
    window.player.scrub(2)
    at_rest(qtbot, window)
    return window


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window._frame.up_to_date and not window._frame.isActive())


def test_the_chart_gives_way_to_the_question(window: MainWindow, qtbot: QtBot) -> None:
    guess, chart = window.workspace.guess, window.pair_chart
    words = window.workspace.words
    qtbot.waitUntil(lambda: words.model.words is not None and words.model.words.touched == 2)
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert guess.isVisible()
    assert not chart.isVisible()
    at_rest(qtbot, window)
    assert guess.covers
    assert words.model.words is not None
    assert words.model.words.touched == 0
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert chart.isVisible()
    assert not guess.isVisible()
    qtbot.waitUntil(lambda: words.model.words is not None and words.model.words.touched == 2)


def test_a_guess_reveals_and_enter_goes_on(window: MainWindow, qtbot: QtBot) -> None:
    guess = window.workspace.guess
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    with qtbot.waitSignal(guess.answered) as answered:
        QTest.keyClick(guess, KEY.Key_1)
    assert answered.args[0] == 2
    assert not guess.covers
    QTest.keyClick(guess, KEY.Key_Return)
    assert window.player.position == 3
    at_rest(qtbot, window)
    assert guess.covers


def test_the_question_follows_the_cursor(window: MainWindow, qtbot: QtBot) -> None:
    action = window.findChild(QAction, "guessAction")
    assert isinstance(action, QAction)
    action.trigger()
    at_rest(qtbot, window)
    before = window.workspace.guess.accessibleDescription()
    QTest.keyClick(window, KEY.Key_Left)
    at_rest(qtbot, window)
    assert window.workspace.guess.accessibleDescription() != before
    assert window.workspace.guess.covers

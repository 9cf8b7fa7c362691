"""The next merge is covered, guessed and revealed."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import focus, go_to, is_enabled, position, said
from tests.ui.driving import act, child

ANSWER = "lo + w"
"""The second merge."""


@pytest.fixture
def asked(trained: QMainWindow, qtbot: QtBot) -> QMainWindow:
    """A window that asks for the second merge."""
    go_to(qtbot, trained, 1)
    act(trained, "guessAction")
    qtbot.waitUntil(lambda: ANSWER in said(trained, "guessBoard"))
    return trained


def key_of(window: QMainWindow, wanted: str) -> Qt.Key:
    """The key that answers with a pair."""
    answers = dict(re.findall(r"(\d): (\S+ \+ [^\s;.]+)", said(window, "guessBoard")))
    number = next(number for number, pair in answers.items() if pair == wanted)
    return Qt.Key(Qt.Key.Key_0 + int(number))


def score(window: QMainWindow) -> str:
    """The score as it is written."""
    return child(window, QLabel, "guessScore").text()


def test_the_answer_is_covered_everywhere(asked: QMainWindow) -> None:
    for name in ("pairChart", "whyText"):
        assert not child(asked, QWidget, name).isVisible()
    for name in ("timeline", "wordsTable", "branchesPanel"):
        assert ANSWER not in said(asked, name)
    assert not is_enabled(asked, "forceAction")


@pytest.mark.parametrize("answer", [ANSWER, "w + e"])
def test_a_round_is_played(answer: str, asked: QMainWindow, qtbot: QtBot) -> None:
    board = focus(qtbot, asked, "guessBoard")
    qtbot.keyClick(board, key_of(asked, answer))
    # Both occur 27 times, so both are right.
    qtbot.waitUntil(lambda: score(asked).startswith("1 of 1"))
    assert "27" in said(asked, "guessBoard")
    # Enter asks for the merge after it.
    qtbot.keyClick(board, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: position(asked) == 2)
    qtbot.waitUntil(lambda: "e + s" in said(asked, "guessBoard"))
    act(asked, "guessAction")
    qtbot.waitUntil(lambda: child(asked, QWidget, "pairChart").isVisible())
    qtbot.waitUntil(lambda: "e + s" in said(asked, "pairChart"))


def test_a_pair_that_is_rarer_is_a_wrong_answer(asked: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, asked, 3)
    qtbot.waitUntil(lambda: "es + t" in said(asked, "guessBoard"))
    board = focus(qtbot, asked, "guessBoard")
    qtbot.keyClick(board, key_of(asked, "low + e"))
    qtbot.waitUntil(lambda: score(asked).startswith("0 of 1"))


def test_the_answer_is_given(asked: QMainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(child(asked, QPushButton, "guessReveal"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "27" in said(asked, "guessBoard"))
    assert "right" not in score(asked)
    qtbot.mouseClick(child(asked, QPushButton, "guessNext"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: position(asked) == 2)


def test_who_has_clicked_on_the_timeline_goes_on_guessing(
    asked: QMainWindow, qtbot: QtBot
) -> None:
    timeline, reveal = focus(qtbot, asked, "timeline"), child(asked, QPushButton, "guessReveal")
    assert reveal.isEnabled()
    qtbot.keyClick(timeline, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not reveal.isEnabled())

"""The guess panel in tests: its parts, its keys, and what it says."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.game import Question
from bpe_gui.ui.panels.guess.panel import GuessPanel
from tests.ui.driving import child


@pytest.fixture
def panel(qtbot: QtBot) -> GuessPanel:
    """A panel in a window of its own, which has the keyboard."""
    made = GuessPanel()
    qtbot.addWidget(made)
    made.resize(380, 440)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(board_of(made).hasFocus)
    return made


def board_of(panel: GuessPanel) -> GuessBoard:
    """What the question is drawn on."""
    return child(panel, GuessBoard, "guessBoard")


def button(panel: GuessPanel, name: str) -> QPushButton:
    """A button by its object name."""
    return child(panel, QPushButton, name)


def score(panel: GuessPanel) -> str:
    """How the score is told."""
    return child(panel, QLabel, "guessScore").text()


def said(panel: GuessPanel) -> str:
    """What a screen reader is told, of the panel and of its board."""
    text = panel.accessibleDescription()
    assert board_of(panel).accessibleDescription() == text
    return text


def is_covered(panel: GuessPanel) -> bool:
    """Whether the question is still open, as the panel and its button say it."""
    covered = said(panel).endswith("R reveals.")
    assert button(panel, "guessReveal").isEnabled() == covered
    return covered


def is_revealed(panel: GuessPanel) -> bool:
    """Whether the panel says that the answer is there."""
    return said(panel).endswith("Enter goes on to the next question.")


def wrong_one(question: Question) -> int:
    """The place of a candidate that does not count as right."""
    places = range(len(question.candidates))
    return next(place for place in places if not question.is_right(place))


def row_middle(panel: GuessPanel, index: int) -> QPoint:
    """The middle of a candidate's row."""
    return board_of(panel).areas[index].center().toPoint()


def click(panel: GuessPanel, place: QPoint) -> None:
    """Click on the board."""
    QTest.mouseClick(board_of(panel).viewport(), Qt.MouseButton.LeftButton, pos=place)


def press(panel: GuessPanel, *keys: Qt.Key) -> None:
    """Press keys on the board, one after another."""
    for key in keys:
        QTest.keyClick(board_of(panel), key)

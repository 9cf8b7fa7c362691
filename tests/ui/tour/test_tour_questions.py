"""The questions of a tour: answered by keys, in the panel and where the chart stands."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.tour.short_tour import begin, go_back, go_on, go_to

KEY = Qt.Key


def test_a_question_is_answered_by_key_and_honestly(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    panel = window.touring.panel
    texts = [
        child(panel, QPushButton, f"tourChoice{n}").text().split(maxsplit=1)[1] for n in range(1, 5)
    ]
    right = texts.index("e + s")
    wrong = (right + 1) % 4
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(panel, KEY(KEY.Key_1 + wrong))
    verdict = child(panel, QLabel, "tourVerdict").text()
    assert verdict == f"Not {texts[wrong]}: it is e + s."
    signs = [child(panel, QPushButton, f"tourChoice{n}").text()[0] for n in range(1, 5)]
    assert signs[right] == "✓"
    assert signs[wrong] == "✗"
    go_back(qtbot, window)
    assert child(panel, QLabel, "tourVerdict").text() == "", "another audience may guess"
    with qtbot.waitSignal(window.touring.arrived):
        child(panel, QPushButton, f"tourChoice{right + 1}").click()
    assert child(panel, QLabel, "tourVerdict").text() == "Right: e + s."


def test_a_question_can_be_answered_where_the_chart_stands(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    guess = window.explore.guess
    qtbot.waitUntil(lambda: guess.covers)
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(guess, KEY.Key_1)
    assert window.touring.number == 2
    assert child(window.touring.panel, QLabel, "tourVerdict").text()


def test_what_is_right_is_found_out_and_not_written_down(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.touring.panel, KEY.Key_3)
    assert child(window.touring.panel, QLabel, "tourVerdict").text() == "Right: 1 tokens."
    assert window.player.position == 15


def seen(widget: QWidget) -> list[str]:
    """The texts of all labels that are in view."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def test_on_a_page_that_asks_the_question_stands_once(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    guess = window.explore.guess
    qtbot.waitUntil(lambda: guess.covers and guess.isVisible())
    assert not child(guess, QPushButton, "guessReveal").isVisible()
    board = child(guess, GuessBoard, "guessBoard")
    assert "Which pair is merged next?" not in seen(guess)
    assert len(board.areas) == 4
    window.touring.leave()
    window.actions_.guess.setChecked(True)
    qtbot.waitUntil(lambda: child(guess, QPushButton, "guessReveal").isVisible())
    assert "Which pair is merged next?" in seen(guess)

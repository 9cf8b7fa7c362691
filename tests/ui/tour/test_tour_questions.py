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
from tests.ui.in_turn import InTurn
from tests.ui.tour.short_tour import begin, go_back, go_on, go_to

KEY = Qt.Key


def check_a_question_is_answered_by_key_and_honestly(
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


def check_a_question_can_be_answered_where_the_chart_stands(
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


def check_what_is_right_is_found_out_and_not_written_down(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.touring.panel, KEY.Key_3)
    assert child(window.touring.panel, QLabel, "tourVerdict").text() == "Right: 1 tokens."
    assert window.player.position == 15


SLOW = """bpe-gui tour 1
title: A corpus that is read

# Only

## The first
corpus: four-words
preset: whitespace

Four words.

## A question
corpus: other.txt
preset: whitespace
text: abab

After {merges} merges there are {pairs} pairs.

predict: How many tokens is it now?
choice: {tokens in "abab" at 0} tokens
choice: 1 token
right: {tokens in "abab" at 0} tokens

then:
go to: 2

Now it is {tokens in "abab"}.

## The last

The end.
"""


def check_nothing_is_revealed_of_a_page_that_is_not_there_yet(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "slow.tour"
    path.write_text(SLOW)
    (tmp_path / "other.txt").write_text("abab ab b " * 9)
    begin(qtbot, window, path)
    touring, panel = window.touring, window.touring.panel
    with qtbot.waitSignal(touring.arrived):
        for _ in range(3):
            QTest.keyClick(panel, KEY.Key_PageDown)
            QTest.keyClick(panel, KEY.Key_1)
    assert touring.number == 1
    assert child(panel, QLabel, "tourWords").text() == "After 0 merges there are 3 pairs."
    assert child(panel, QLabel, "tourVerdict").text() == ""
    go_on(qtbot, window)
    assert child(panel, QLabel, "tourVerdict").text() == "Answer: 5 tokens."
    assert child(panel, QLabel, "tourAfter").text() == "Now it is 2."
    touring.leave()


def check_going_back_after_a_jump_shows_a_question_without_its_answer(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    go_back(qtbot, window)
    panel = window.touring.panel
    assert child(panel, QLabel, "tourTitle").text() == "A question"
    assert child(panel, QLabel, "tourVerdict").text() == ""
    assert window.player.position == 0
    go_on(qtbot, window)
    assert child(panel, QLabel, "tourVerdict").text() == "Answer: e + s."
    go_on(qtbot, window)
    go_back(qtbot, window)
    assert child(panel, QLabel, "tourVerdict").text() == "Answer: e + s.", "it has been seen"
    window.touring.leave()


def seen(widget: QWidget) -> list[str]:
    """The texts of all labels that are in view."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def check_on_a_page_that_asks_the_question_stands_once(
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


def test_questions(window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        window.touring.leave,
        check_a_question_is_answered_by_key_and_honestly,
        check_a_question_can_be_answered_where_the_chart_stands,
        check_what_is_right_is_found_out_and_not_written_down,
        check_nothing_is_revealed_of_a_page_that_is_not_there_yet,
        check_going_back_after_a_jump_shows_a_question_without_its_answer,
        check_on_a_page_that_asks_the_question_stands_once,
    )

"""Messages over the lower edge of the window: problems stay, none hides another."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.message_bar import RUN, MessageBar
from tests.ui.driving import shown


@pytest.fixture
def bar(qtbot: QtBot) -> MessageBar:
    """A bar in a window, over something else."""
    window = QMainWindow()
    made = MessageBar(window)
    window.setCentralWidget(QWidget())
    shown(qtbot, window, 640, 400)
    made.window_ = window  # type: ignore[attr-defined]
    return made


def seen(bar: MessageBar) -> list[str]:
    """The sentences that stand there, from top to bottom."""
    labels = [label for label in bar.findChildren(QLabel, "messageText") if label.isVisible()]
    return [label.text() for label in sorted(labels, key=lambda one: one.mapTo(bar, one.pos()).y())]


def dismiss(bar: MessageBar, text: str) -> None:
    for button in bar.findChildren(QToolButton):
        if button.accessibleName() == f"Dismiss: {text}" and button.isVisible():
            button.setFocus()
            QTest.keyClick(button, Qt.Key.Key_Space)


def counted(bar: MessageBar) -> str:
    """What is said of the messages that are not seen."""
    labels = [label.text() for label in bar.findChildren(QLabel) if label.isVisible()]
    return next((text for text in labels if text.endswith(" more")), "")


def test_problems_with_different_things_do_not_replace_each_other(bar: MessageBar) -> None:
    assert not bar.isVisible()
    bar.tell_problem("save", "It cannot be saved.")
    assert (seen(bar), counted(bar)) == (["It cannot be saved."], "")
    bar.tell_problem("text", "It cannot be read.")
    assert (seen(bar), counted(bar)) == (["It cannot be read."], "and 1 more")
    assert bar.accessibleName() == bar.text == "It cannot be saved.\nIt cannot be read."
    bar.tell_problem("save", "It still cannot be saved.")
    assert bar.text == "It cannot be read.\nIt still cannot be saved."


def test_a_success_ends_the_problem_with_the_same_thing(bar: MessageBar) -> None:
    bar.tell_problem("save", "It cannot be saved.")
    bar.tell_problem("text", "It cannot be read.")
    bar.tell_success("save", "It is saved.")
    assert bar.text == "It cannot be read.\nIt is saved."
    signs = [label.text() for label in bar.findChildren(QLabel, "messageSign") if label.isVisible()]
    assert signs == ["✓"]
    bar.tell_problem("text", "")
    assert bar.text == "It is saved."


def test_a_success_leaves_by_itself_and_a_problem_stays(qtbot: QtBot, bar: MessageBar) -> None:
    timer = bar.findChild(QTimer, "successesEnd")
    assert isinstance(timer, QTimer)
    bar.tell_problem("text", "It cannot be read.")
    bar.offer("tour", "There is a tour.", "Begin")
    bar.tell_success("save", "It is saved.")
    assert bar.text.endswith("It is saved.")
    assert timer.interval() <= 10_000
    timer.start(1)
    qtbot.waitUntil(lambda: "saved" not in bar.text)
    assert bar.text == "It cannot be read.\nThere is a tour."
    bar.withdraw_all()
    bar.tell_success(RUN, "The run is kept.")
    timer.start(1)
    qtbot.waitUntil(bar.isHidden)


def test_what_is_about_the_run_ends_with_it_and_the_rest_stays(bar: MessageBar) -> None:
    bar.show_message("The corpus cannot be read.")
    bar.show_lasting("A recipe cannot be read.")
    bar.tell_problem("save", "It cannot be saved.")
    bar.withdraw()
    assert bar.text == "A recipe cannot be read.\nIt cannot be saved."


def test_when_one_is_closed_the_one_before_comes_into_sight(
    qtbot: QtBot, bar: MessageBar
) -> None:
    for number in range(3):
        bar.tell_problem(str(number), f"Problem {number}.")
    with qtbot.waitSignal(bar.dismissed):
        dismiss(bar, "Problem 2.")
    assert (seen(bar), counted(bar)) == (["Problem 1."], "and 1 more")
    dismiss(bar, "Problem 1.")
    assert (seen(bar), counted(bar)) == (["Problem 0."], "")
    dismiss(bar, "Problem 0.")
    assert not bar.isVisible()
    assert bar.text == ""


def test_the_same_sentence_is_said_once(bar: MessageBar) -> None:
    bar.tell_problem("one", "It cannot be read.")
    bar.tell_problem("two", "It cannot be read.")
    assert bar.text == "It cannot be read."


def test_a_sentence_is_seen_whole_and_takes_no_more_room_than_that(
    qtbot: QtBot, bar: MessageBar
) -> None:
    bar.tell_problem("short", "Short.")
    qtbot.waitUntil(lambda: bar.isVisible() and bar.height() < 80)
    one = bar.height()
    bar.tell_problem("long", "A sentence that goes on and on. " * 12)
    qtbot.waitUntil(lambda: bar.height() > 1.5 * one)
    label = next(one for one in bar.findChildren(QLabel, "messageText") if one.isVisible())
    assert label.height() >= label.heightForWidth(label.width())
    bar.withdraw("long")
    qtbot.waitUntil(lambda: bar.height() == one)

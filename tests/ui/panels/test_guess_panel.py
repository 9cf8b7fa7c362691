"""The guessing game as an audience sees it: asked, answered, revealed, and by which keys."""

from __future__ import annotations

from itertools import groupby

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.guess.panel import GuessPanel
from tests.ui.driving import picture
from tests.ui.histories import four_words, trained
from tests.ui.panels.guess_panels import (
    board_of,
    button,
    click,
    is_covered,
    is_revealed,
    panel,
    press,
    row_middle,
    said,
    score,
)
from tests.ui.panels.offered import asked

__all__ = ["panel"]


# -- asking and answering ---------------------------------------------------------------------


def test_it_can_be_found(panel: GuessPanel) -> None:
    assert panel.objectName() == "guessPanel"
    for widget in (panel, board_of(panel)):
        assert widget.accessibleName() == "Guess the next merge"
    for name in ("guessReveal", "guessNext"):
        assert button(panel, name).accessibleName()
        assert button(panel, name).toolTip()


def test_it_takes_the_place_of_the_pair_chart(panel: GuessPanel) -> None:
    least = panel.minimumSizeHint()
    assert least.height() < 140, "there is no more room in a small window"
    panel.setMinimumSize(1, 1)  # as in a dock, not by its layout in a larger size
    panel.resize(least)
    assert panel.size() == least
    assert panel.layout().minimumSize().height() <= least.height()


def test_the_question_is_covered(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    panel.show_position(4, False)
    assert is_covered(panel)
    assert said(panel).startswith("Which pair is merged next? It is merge 5. ")
    assert score(panel) == ""
    assert not button(panel, "guessNext").isEnabled()


@pytest.mark.parametrize("place", range(4))
def test_a_number_answers(panel: GuessPanel, qtbot: QtBot, place: int) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    right = place == asked(history, 4).answer
    with qtbot.waitSignal(panel.answered) as answered:
        press(panel, Qt.Key(Qt.Key.Key_1 + place))
    assert answered.args == [4, right]
    assert is_revealed(panel)
    assert said(panel).startswith("Right, it is pair" if right else "No, it is pair")
    assert score(panel) == ("1 of 1 right" if right else "0 of 1 right")


def test_a_number_without_a_candidate_does_nothing(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(trained([("ab", 3), ("cd", 2)], preset("raw")))
    with qtbot.assertNotEmitted(panel.answered):
        press(panel, Qt.Key.Key_3, Qt.Key.Key_4)
    assert is_covered(panel)


def test_a_click_answers(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    question = asked(history, 0)
    with qtbot.assertNotEmitted(panel.answered):
        click(panel, QPoint(2, row_middle(panel, 0).y()))
    with qtbot.waitSignal(panel.answered) as answered:
        click(panel, row_middle(panel, question.answer))
    assert answered.args == [0, True]
    assert is_revealed(panel)


def test_arrows_and_enter_answer(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    with qtbot.assertNotEmitted(panel.answered), qtbot.assertNotEmitted(panel.stepWanted):
        press(panel, Qt.Key.Key_Return)  # None is chosen yet.
    press(panel, Qt.Key.Key_Down)
    assert said(panel).startswith("Pair 1: ")
    press(panel, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)
    assert said(panel).startswith("Pair 2: ")
    press(panel, *[Qt.Key.Key_Up] * 3)
    assert said(panel).startswith("Pair 1: ")
    press(panel, *[Qt.Key.Key_Down] * 7)
    assert said(panel).startswith("Pair 4: ")
    with qtbot.waitSignal(panel.answered) as answered:
        press(panel, Qt.Key.Key_Return)
    assert answered.args == [4, asked(history, 4).answer == 3]


def test_up_begins_with_the_last(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Up)
    assert said(panel).startswith("Pair 4: ")


@pytest.mark.parametrize("by", ["key", "button"])
def test_revealing_is_no_answer(panel: GuessPanel, qtbot: QtBot, by: str) -> None:
    panel.set_history(four_words())
    with qtbot.assertNotEmitted(panel.answered):
        if by == "key":
            press(panel, Qt.Key.Key_R)
        else:
            QTest.mouseClick(button(panel, "guessReveal"), Qt.MouseButton.LeftButton)
        assert is_revealed(panel)
        assert said(panel).startswith("Answer: pair ")
        assert score(panel) == ""
        press(panel, Qt.Key.Key_1)
        click(panel, row_middle(panel, 0))
    assert board_of(panel).hasFocus()


@pytest.mark.parametrize("by", ["key", "button"])
def test_next_asks_for_a_step(panel: GuessPanel, qtbot: QtBot, by: str) -> None:
    history = four_words()
    panel.set_history(history)
    press(panel, Qt.Key.Key_1)
    following = button(panel, "guessNext")
    assert following.isEnabled()
    assert following.isDefault()
    with qtbot.waitSignal(panel.stepWanted):
        if by == "key":
            press(panel, Qt.Key.Key_Enter)
        else:
            QTest.mouseClick(following, Qt.MouseButton.LeftButton)
    panel.show_position(1, False)
    assert is_covered(panel)
    assert not following.isEnabled()
    assert board_of(panel).hasFocus()


def test_a_key_held_down_does_not_rush_through_the_questions(
    panel: GuessPanel, qtbot: QtBot
) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Down)

    def repeat() -> None:
        event = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
        )
        QApplication.sendEvent(board_of(panel), event)

    with qtbot.assertNotEmitted(panel.answered):
        repeat()
    press(panel, Qt.Key.Key_Return)
    with qtbot.assertNotEmitted(panel.stepWanted):
        repeat()


def test_the_second_click_of_two_selects_nothing(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    place = row_middle(panel, 1)
    with qtbot.assertNotEmitted(panel.tokenSelected), qtbot.waitSignal(panel.answered):
        click(panel, place)
        QTest.mouseDClick(board_of(panel).viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_keys_work_from_the_buttons_too(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    reveal = button(panel, "guessReveal")
    QTest.keyClick(board_of(panel), Qt.Key.Key_Tab)
    assert reveal.hasFocus()
    with qtbot.waitSignal(panel.answered):
        QTest.keyClick(reveal, Qt.Key.Key_2)
    assert board_of(panel).hasFocus(), "a button that is off has no use for it"
    QTest.keyClick(board_of(panel), Qt.Key.Key_Tab)
    assert button(panel, "guessNext").hasFocus()
    with qtbot.waitSignal(panel.stepWanted):
        QTest.keyClick(button(panel, "guessNext"), Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("key", "modifier", "claimed"),
    [
        (Qt.Key.Key_1, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_4, Qt.KeyboardModifier.KeypadModifier, True),
        (Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, True),
        # These belong to the window.
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier, False),
    ],
)
def test_only_its_own_keys_are_claimed(
    panel: GuessPanel, key: Qt.Key, modifier: Qt.KeyboardModifier, claimed: bool
) -> None:
    panel.set_history(four_words())
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier)
    event.ignore()
    QApplication.sendEvent(board_of(panel), event)
    assert event.isAccepted() == claimed
    if not claimed:
        QTest.keyClick(board_of(panel), key, modifier)
        assert is_covered(panel)


# -- tokens -----------------------------------------------------------------------------------


def test_tokens_can_be_selected_once_the_answer_is_given(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    question = asked(history, 4)
    first = question.candidates[0]
    press(panel, Qt.Key.Key_R)
    area = board_of(panel).areas[0]
    y = round(area.center().y())
    clicked: list[int] = []
    panel.tokenSelected.connect(clicked.append)
    for x in range(round(area.left()), round(area.right()), 4):
        click(panel, QPoint(x, y))
    newer = max(first.left, first.right)
    in_turn = [newer, first.left, first.right, newer]
    assert [token for token, _ in groupby(clicked)] == [token for token, _ in groupby(in_turn)]
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        press(panel, Qt.Key.Key_2)
    second = question.candidates[1]
    assert selected.args == [max(second.left, second.right)]


def test_a_selected_token_is_underlined(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    plain = picture(panel)
    with qtbot.assertNotEmitted(panel.tokenSelected):
        panel.select_token(asked(history, 0).candidates[0].left)
    assert picture(panel) != plain
    panel.select_token(history.base.texts.index("d"))
    assert picture(panel) == plain

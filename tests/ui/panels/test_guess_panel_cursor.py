"""The guess panel as the cursor goes about, and while the merges run."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.guess.panel import GuessPanel
from tests.ui.driving import picture
from tests.ui.histories import four_words, invented, trained
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
    wrong_one,
)
from tests.ui.panels.offered import asked
from tests.ui.panels.stories import train_words

__all__ = ["panel"]

MOVING = "The merges are playing. The next question comes when they pause."


# -- the cursor -------------------------------------------------------------------------------


def test_what_was_answered_stays_revealed(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    press(panel, Qt.Key(Qt.Key.Key_1 + wrong_one(asked(history, 0))))
    told = said(panel)
    looks = picture(board_of(panel))
    panel.show_position(3, False)
    assert is_covered(panel)
    press(panel, Qt.Key(Qt.Key.Key_1 + asked(history, 3).answer))
    assert score(panel) == "1 of 2 right"
    panel.show_position(0, False)
    assert is_revealed(panel)
    assert said(panel) == told.replace("0 of 1 right", "1 of 2 right")
    assert picture(board_of(panel)) == looks


def test_each_run_is_a_game_of_its_own(panel: GuessPanel) -> None:
    first, second = four_words(), four_words()
    panel.set_history(first)
    press(panel, Qt.Key(Qt.Key.Key_1 + asked(first, 0).answer))
    panel.set_history(second)
    panel.show_position(0, False)
    assert is_covered(panel)
    assert score(panel) == ""
    panel.set_history(first)
    panel.show_position(0, False)
    assert is_revealed(panel)
    assert score(panel) == "1 of 1 right"


def test_the_choice_ends_with_the_question(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Down)
    panel.show_position(2, False)
    assert said(panel).startswith("Which pair")
    panel.show_position(0, False)
    assert said(panel).startswith("Which pair")


def test_a_run_that_grows_leaves_the_question_alone(panel: GuessPanel) -> None:
    _, trainer = train_words([("low", 5), ("lower", 2), ("newest", 6)], preset("whitespace"), 2)
    panel.set_history(trainer.history)
    panel.show_position(2, False)
    press(panel, Qt.Key.Key_Down)
    before = said(panel)
    assert before.startswith("Pair 1")
    trainer.advance(3)
    panel.show_position(2, False)
    assert said(panel) == before


def test_positions_outside_the_history_are_refused(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    for live in (False, True):
        with pytest.raises(IndexError, match="outside"):
            panel.show_position(len(history) + 1, live)


def test_without_a_question_it_says_why(panel: GuessPanel, qtbot: QtBot) -> None:
    assert said(panel) == "Open a corpus to guess its merges."
    history = four_words()
    panel.set_history(history)
    covered = picture(panel)
    panel.show_position(len(history), False)
    assert said(panel).startswith("No pair is left: every word of the corpus is a single token.")
    assert picture(panel) != covered
    assert not is_covered(panel)
    assert not button(panel, "guessNext").isEnabled()
    with qtbot.assertNotEmitted(panel.stepWanted), qtbot.assertNotEmitted(panel.answered):
        press(panel, Qt.Key.Key_Return, Qt.Key.Key_1, Qt.Key.Key_R, Qt.Key.Key_Down)
        click(panel, QPoint(100, 100))


def test_one_pair_can_be_passed_over(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(trained([("abc", 3)], preset("raw")))
    panel.show_position(1, False)
    assert said(panel) == "Only one pair is left: there is nothing to guess."
    with qtbot.waitSignal(panel.stepWanted):
        press(panel, Qt.Key.Key_Return)


# -- in motion --------------------------------------------------------------------------------


def test_while_the_cursor_moves_nothing_is_asked(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(invented(3000))
    panel.show_position(0, False)
    for position in range(1, 2000, 400):
        panel.show_position(position, True)
    with qtbot.assertNotEmitted(panel.answered), qtbot.assertNotEmitted(panel.stepWanted):
        press(panel, Qt.Key.Key_1, Qt.Key.Key_R, Qt.Key.Key_Down, Qt.Key.Key_Return)
        click(panel, row_middle(panel, 0))
    assert not button(panel, "guessReveal").isEnabled()
    qtbot.waitUntil(lambda: said(panel) == MOVING)
    calm = picture(panel)
    for position in range(2000, 2900, 100):
        panel.show_position(position, True)
        assert picture(panel) == calm
    panel.show_position(2900, False)
    assert is_covered(panel)
    assert "merge 2,901" in said(panel)


def test_a_short_move_leads_from_question_to_question(panel: GuessPanel) -> None:
    seen: list[str] = []
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_R)
    panel.show_position(1, True)
    seen.append(said(panel))
    panel.show_position(1, False)
    seen.append(said(panel))
    assert MOVING not in seen
    assert is_covered(panel)
    late = panel.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert isinstance(late, QTimer)
    assert not late.isActive(), "no word comes late"


def test_hidden_it_waits_for_nothing(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    panel.show_position(3, True)
    panel.hide()
    assert said(panel) == MOVING
    panel.show_position(3, False)
    assert is_covered(panel)


def test_a_training_that_ends_is_followed_by_a_question(panel: GuessPanel, qtbot: QtBot) -> None:
    recipe = preset("whitespace").with_changes(merges=3)
    _, trainer = train_words([("low", 5), ("lower", 2)], recipe, merges=0)
    panel.set_history(trainer.history)
    trainer.advance(2)
    panel.show_position(2, True)
    qtbot.waitUntil(lambda: said(panel) == MOVING)
    panel.show_position(2, False)
    assert is_covered(panel)
    trainer.advance(1)
    panel.show_position(3, False)
    assert said(panel).startswith("The training has stopped: number of merges reached.")

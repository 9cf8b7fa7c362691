"""Guessing on the stage: what the keys mean while a question is open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.in_turn import InTurn
from tests.ui.stage.entered_stage import choose, entered, left, panels_of
from tests.ui.stage.stages import at_rest

KEY = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def check_numbers_answer_an_open_question(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    guess = window.explore.guess
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert guess.window() is show
    show.setFocus()
    with qtbot.waitSignal(guess.answered) as answered:
        QTest.keyClick(show, KEY.Key_1)
    assert answered.args[0] == window.player.position
    assert len(panels_of(show)) == 2
    QTest.keyClick(show, KEY.Key_1)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 1, "the question is answered"


def check_numbers_answer_what_was_covered_before_it_was_seen(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    guess = window.explore.guess
    window.explore.scheduler.catch_up()
    guess.show_position(window.player.position, moving=False)
    assert guess.covers, "unseen, it has its question already"
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    with qtbot.waitSignal(guess.answered):
        QTest.keyClick(show, KEY.Key_1)
    assert len(panels_of(show)) == 2


def check_nothing_is_answered_unseen(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_Period)
    QTest.keyClick(show, KEY.Key_2)
    assert show.page is show.board
    assert window.explore.guess.covers


def check_alt_chooses_the_layout_while_a_question_is_open(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_4, ALT)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 4
    assert window.explore.guess.covers


def check_a_clicker_reveals_and_then_steps(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    guess, position = window.explore.guess, window.player.position
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_PageDown)
    assert not guess.covers
    assert window.player.position == position
    QTest.keyClick(show, KEY.Key_PageDown)
    assert window.player.position == position + 1
    at_rest(qtbot, window)
    assert guess.covers


def check_a_question_out_of_sight_leaves_the_numbers(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    choose(window, "text", "why")
    QTest.keyClick(show, KEY.Key_1)
    assert len(panels_of(show)) == 1


def test_keys_mean_other_things_while_a_question_is_open(
    window: MainWindow, show: Show, qtbot: QtBot, in_turn: InTurn
) -> None:
    chosen, positions = window.stage.choice, iter(range(2, 8))

    def again() -> None:
        window.actions_.guess.setChecked(False)
        # What has been answered is not asked again.
        window.player.scrub(next(positions))
        window.stage.choice = chosen
        at_rest(qtbot, window)

    in_turn(
        again,
        check_numbers_answer_what_was_covered_before_it_was_seen,
        check_numbers_answer_an_open_question,
        check_nothing_is_answered_unseen,
        check_alt_chooses_the_layout_while_a_question_is_open,
        check_a_clicker_reveals_and_then_steps,
        check_a_question_out_of_sight_leaves_the_numbers,
    )


def check_a_question_has_a_place_as_long_as_it_is_asked(
    window: MainWindow, qtbot: QtBot, place: WorkspaceId
) -> None:
    window.workspaces.show_place(place)
    choose(window, "text", "pipeline")
    show = entered(window, qtbot)
    kept, guess = window.stage.choice, window.explore.guess
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert window.workspaces.shown is place
    assert guess.window() is show
    assert guess.isVisible()
    assert window.explore.text_panel.window() is show
    assert len(panels_of(show)) == 2
    QTest.keyClick(show, KEY.Key_D)
    QTest.keyClick(show, KEY.Key_D)
    at_rest(qtbot, window)
    assert guess.window() is show, "in other colours too"
    kept["scheme"] = window.stage.choice["scheme"]
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert window.stage.choice == kept
    assert window.laboratory.view.pipeline.window() is show
    assert window.workspaces.shown is place
    left(window, qtbot)


def test_a_question_has_a_place_as_long_as_it_is_asked(window: MainWindow, qtbot: QtBot) -> None:
    for place in [WorkspaceId.COMPARE, WorkspaceId.LABORATORY]:
        check_a_question_has_a_place_as_long_as_it_is_asked(window, qtbot, place)

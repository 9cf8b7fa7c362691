"""Branches that are trained on: to which size, what is held meanwhile, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.trainer import Trainer
from bpe_gui.ui.run.branches import ORIGINAL
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.pace import Rations, Shut
from tests.ui.run.branching import (
    TEXT,
    at_rest,
    forbid,
    merges,
    names,
    press,
    shown,
    states,
    window,
)

__all__ = ["window"]

KEY = Qt.Key


def test_a_branch_left_unfinished_can_be_trained_on(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None)
    for done in range(1, 4):
        press(window, KEY.Key_F7)
        qtbot.waitUntil(lambda done=done: window.player.position == done)  # type: ignore[misc]
    before = merges(shown(window).history)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    window.branches.show(0)
    assert (window.player.position, window.player.end) == (3, 3)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.end == 4 and window.player.position == 4)
    assert merges(shown(window).history)[:3] == before
    window.branches.show(1)
    window.branches.show(0)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    assert shown(window) is window.branches.all[0]
    assert shown(window).history.stopped is not None
    assert len(window.branches.all) == 2


def check_train_has_nothing_to_do_for_a_complete_branch(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    before = [branch.history for branch in window.branches.all]
    press(window, KEY.Key_F5)
    window.run_control.train()
    window.branches.show(0)
    press(window, KEY.Key_F5)
    assert [branch.history for branch in window.branches.all] == before
    assert not window.training.busy


def check_a_branch_is_trained_to_the_size_that_is_chosen_now(
    window: MainWindow, qtbot: QtBot
) -> None:
    original = shown(window).history
    window.controls.size_box.setValue(270)
    branch = forbid(window, qtbot)
    assert branch.history.vocabulary_size(len(branch.history)) == 270
    assert window.branches.all[0].history is original
    window.controls.size_box.setValue(275)
    window.player.add_bookmark(4)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: branch.history.stopped is not None)
    assert branch.history.vocabulary_size(len(branch.history)) == 275
    assert window.player.history is branch.history
    assert [mark.position for mark in window.player.bookmarks] == [4]
    assert len(window.branches.all) == 2
    assert window.branches.all[0].history is original


def test_what_is_in_view_is_a_branch_while_its_merges_are_done_once_more(
    qtbot: QtBot, opened: Callable[..., MainWindow], shut: Shut
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    forbid(window, qtbot)
    window.branches.show(0)
    branch, before = shown(window), window.player.history
    merging = shut(Trainer, "advance")
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: merging.arrived == 1)
    qtbot.waitUntil(lambda: window.training.history is not None)
    assert shown(window) is branch
    assert branch.history is window.player.history is before
    assert states(window) == ["training", "finished"]
    merging.open()
    qtbot.waitUntil(lambda: window.player.history is not before)
    assert shown(window) is branch
    assert window.player.position == window.player.end == 2


def check_a_size_that_is_full_before_the_branch_parts_is_refused(window: MainWindow) -> None:
    window.controls.size_box.setValue(261)
    press(window, KEY.Key_F8)
    assert "full before merge 6" in window.message_bar.text
    assert names(window) == [ORIGINAL]
    assert not window.training.busy


def check_another_recipe_may_have_a_size_too_small_for_the_branches(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.controls.choose_preset("raw")
    window.controls.size_box.setValue(40)
    assert window.branches.chosen is None
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: shown(window).history.recipe.name == "raw")
    at_rest(qtbot, window)
    assert shown(window).history.vocabulary_size(len(shown(window).history)) == 40


def test_the_state_of_each_branch_is_told(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    forbid(window, qtbot)
    assert states(window) == ["stopped", "finished"]
    assert window.status.text.startswith(f"“{names(window)[1]}”: Done")
    assert ": no pair is left to merge. 24 merges" in window.status.text
    window.branches.show(0)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: states(window) == ["finished", "finished"])
    assert window.status.text.startswith(f"“{ORIGINAL}”: Done")


def test_a_branch_that_is_held_says_so_wherever_one_looks(
    qtbot: QtBot, opened: Callable[..., MainWindow], rations: Rations
) -> None:
    text = " ".join(f"{index * 7919 % 100_003:x}" for index in range(100_000))
    window = opened("large.txt", text, "--preset", "gpt2", "--vocab-size", "200000")
    qtbot.waitUntil(lambda: window.player.history is not None)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: window.branches.shown in window.branches.all[1:])
    qtbot.waitUntil(lambda: states(window) == ["stopped", "training"])
    press(window, KEY.Key_F6)
    assert states(window) == ["stopped", "paused"]
    press(window, KEY.Key_F5)
    window.branches.show(0)
    assert not window.actions_.step.isEnabled(), "it would end the training of the other"
    press(window, KEY.Key_F6)
    assert window.actions_.step.isEnabled()
    window.branches.show(1)
    branch = window.branches.all[1]
    window.branches.show(0)
    assert states(window) == ["stopped", "paused"]
    assert window.status.text.startswith(f"“{branch.name}”: Paused.")
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: states(window) == ["training", "stopped"])
    press(window, KEY.Key_F6)
    window.branches.show(1)
    held = len(branch.history)
    rations.merges = held + 100
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: states(window) == ["stopped", "training"])
    qtbot.waitUntil(lambda: window.branches.trained is branch)
    qtbot.waitUntil(lambda: len(branch.history) > held)
    press(window, KEY.Key_Escape)
    assert states(window) == ["stopped", "stopped"]


def test_a_training_stays_as_far_as_it_is_when_a_branch_is_trained(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    text = " ".join(f"{index * 7919 % 100_003:x}" for index in range(100_000))
    window = opened("large.txt", text, "--preset", "gpt2", "--vocab-size", "200000")
    qtbot.waitUntil(lambda: window.player.history is not None)
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: window.player.end > 10)
    window.player.scrub(5)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    original, branch = window.branches.all
    qtbot.waitUntil(lambda: states(window) == ["stopped", "finished"])
    assert original.history.stopped is None
    assert shown(window) is branch
    assert window.player.position == 5


def test_a_training_that_fails_leaves_its_merges_in_view(
    qtbot: QtBot, opened: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    done = merges(shown(window).history)

    def fail(trainer: Trainer, merges: int) -> int:
        raise MemoryError

    with monkeypatch.context() as failing:
        failing.setattr(Trainer, "advance", fail)
        press(window, KEY.Key_F5)
        qtbot.waitUntil(lambda: "not enough memory" in window.message_bar.text)
    assert merges(shown(window).history) == done
    assert window.player.position == 1
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    assert merges(shown(window).history)[:1] == done
    assert window.player.end > 20


def test_sizes_of_branches(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_train_has_nothing_to_do_for_a_complete_branch,
        check_a_branch_is_trained_to_the_size_that_is_chosen_now,
        check_a_size_that_is_full_before_the_branch_parts_is_refused,
        check_another_recipe_may_have_a_size_too_small_for_the_branches,
    )

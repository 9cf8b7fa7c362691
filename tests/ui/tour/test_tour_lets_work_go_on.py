"""What was under way before a tour stops meanwhile, and goes on after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import Decision
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.run.worker import TrainingControl
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.pace import Rations, Shut
from tests.ui.tour.short_tour import begin, check_answers, go_to


def train_six_merges(window: MainWindow, qtbot: QtBot, rations: Rations) -> None:
    """Begin a training, which is under way when it has done six merges."""
    rations.merges = 6
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.end == window.player.position == 6)


def test_a_run_under_way_is_there_again_and_can_be_trained_on(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.run_control.step()
    qtbot.waitUntil(lambda: window.player.position == 1)
    history = window.player.history
    begin(qtbot, window, short)
    go_to(qtbot, window, 3)
    window.touring.leave()
    assert window.player.history is history
    assert window.player.position == 1
    window.run_control.step()
    qtbot.waitUntil(lambda: window.player.position == 2)
    assert window.player.history is not None
    assert len(window.player.history) == 2


@pytest.mark.parametrize("live", [True, False])
def test_a_training_under_way_goes_on_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations, live: bool
) -> None:
    train_six_merges(window, qtbot, rations)
    if not live:
        window.player.scrub(2)
    history, position = window.player.history, window.player.position
    window.controls.size_box.setValue(500)  # for later
    begin(qtbot, window, short)
    go_to(qtbot, window, 3)
    assert not window.player.growing
    assert window.player.history is not history
    window.touring.leave()
    assert window.player.history is history
    assert (window.player.position, window.player.live) == (position, live)
    assert history is not None
    assert len(history) == 6, "it stood still meanwhile"
    qtbot.waitUntil(lambda: window.training.phase is Phase.TRAINING)
    if not live:
        check_answers(window, qtbot)
    # Its merges are done once more, and are the same.
    qtbot.waitUntil(lambda: window.player.history is not history and window.player.end == 6)
    assert window.player.history is not None
    assert window.player.history.equals(history)
    assert window.player.history.recipe == history.recipe
    assert window.controls.size_box.value() == 500
    assert (window.player.position, window.player.live) == (position, live)
    rations.more()
    qtbot.waitUntil(lambda: window.player.end == 12)
    qtbot.waitUntil(lambda: window.player.position == (12 if live else 2))
    window.training.pause()
    check_answers(window, qtbot)


def test_a_second_tour_may_come_before_all_merges_are_done_again(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    train_six_merges(window, qtbot, rations)
    history = window.player.history
    rations.merges = 3
    for _ in range(2):
        begin(qtbot, window, short)
        window.touring.leave()
        assert (window.player.history, window.player.position) == (history, 6)
        qtbot.waitUntil(lambda: window.training.history is not None)
        qtbot.waitUntil(lambda: len(window.training.history or ()) == 3)
    assert window.player.history is history, "what is in view is not undone"
    rations.more()
    qtbot.waitUntil(lambda: window.player.history is not history)
    assert (window.player.position, window.player.live) == (6, True)
    [branch] = window.branches.all
    assert window.branches.shown is branch
    window.training.pause()
    check_answers(window, qtbot)


def test_what_was_guessed_in_a_run_under_way_is_there_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    train_six_merges(window, qtbot, rations)
    window.player.scrub(2)
    window.player.toggle_bookmark()
    window.actions_.guess.setChecked(True)
    qtbot.waitUntil(lambda: window.explore.guess.covers)
    window.explore.guess.choose(0)
    history = window.player.history
    assert history is not None
    [given] = window.explore.guess.given(history)
    begin(qtbot, window, short)
    window.touring.leave()
    qtbot.waitUntil(lambda: window.player.history is not history)
    assert window.player.history is not None
    assert window.explore.guess.given(window.player.history) == (given,)
    assert [mark.position for mark in window.player.bookmarks] == [2]
    assert window.actions_.guess.isChecked()
    window.actions_.guess.setChecked(False)


def test_a_paused_training_stays_where_it_is_after_the_tour_until_it_is_asked_for(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    train_six_merges(window, qtbot, rations)
    window.training.pause()
    begin(qtbot, window, short)
    window.touring.leave()
    assert window.player.position == window.player.end == 6
    assert not window.training.busy
    rations.merges = 9
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.position == 9)


def test_a_corpus_that_is_read_is_read_anew_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path, shut: Shut
) -> None:
    gate = shut(TrainingControl, "may_read")
    path = tmp_path / "slow.txt"
    path.write_text("slowly and surely " * 9)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    window.touring.open(short)
    gate.open()
    qtbot.waitUntil(lambda: window.touring.scene_setting.scene is None)
    assert window.controls.corpus_box.currentText() == "Four words"
    window.touring.leave()
    assert window.controls.corpus_box.currentText() == "slow.txt"
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    assert window.branches.shown is not None
    assert window.branches.corpus is window.controls.corpus()
    assert window.player.position == window.player.end > 0
    check_answers(window, qtbot)


def test_what_branches_were_doing_goes_on_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    train_six_merges(window, qtbot, rations)
    window.player.scrub(2)
    history = window.player.history
    assert history is not None
    window.branches.decide(Decision.FORBID, int(history.left[2]), int(history.right[2]))
    qtbot.waitUntil(lambda: window.branches.shown in window.branches.all[1:])
    qtbot.waitUntil(lambda: window.player.end == 6)
    before = [(branch.history, window.branches.state(branch)) for branch in window.branches.all]
    begin(qtbot, window, short)
    window.touring.leave()
    branches = window.branches.all
    assert [(branch.history, window.branches.state(branch)) for branch in branches] == before
    assert window.branches.shown is branches[1]
    check_answers(window, qtbot)
    rations.merges = 400
    rations.more()
    qtbot.waitUntil(lambda: window.branches.all[1].history.stopped is not None)

"""A session in another window: one goes on with the run, the lanes, the recipe and the guesses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.recipe import preset
from bpe_gui.sessions import FollowingLane, NamedLane, RunLane, SavedBranch
from bpe_gui.sessions.file import from_bytes, to_bytes
from bpe_gui.ui.context.context import reveal
from bpe_gui.ui.laboratory.drafts import RecipeDraft
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.session.snapshot import capture, restore
from bpe_gui.ui.shell.main_window import MainWindow
from tests.sessions.made import four_words, trained
from tests.ui.driving import child
from tests.ui.laboratory.lockstep_training import train_presets
from tests.ui.pace import Rations
from tests.ui.session.recorded_sessions import (
    TEXT,
    Opened,
    Recorded,
    at_rest,
    finished,
    never_train,
    taken,
)


def test_an_unfinished_run_is_trained_on_though_its_corpus_is_gone(
    opened: Opened, second: MainWindow, qtbot: QtBot, rations: Rations, tmp_path: Path
) -> None:
    rations.merges = 6
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 6)
    session = taken(window)
    (tmp_path / "story.txt").unlink()
    restore(second.context, session)
    assert len(session.branches[0].history) == second.player.end == 6
    assert second.status.text.startswith("6 merges.")
    rations.merges = 1000
    second.actions_.train.trigger()
    finished(qtbot, second)
    assert second.player.end > 6
    assert second.message_bar.text == ""
    shown = second.branches.shown
    assert shown is not None
    assert shown.history.left[:6].tolist() == session.branches[0].history.left.tolist()


def test_a_branch_of_a_session_can_be_begun(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    restore(second.context, recorded.session())
    second.actions_.tell_last.setChecked(False)
    second.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(second.branches.all) == 3)
    finished(qtbot, second)
    assert second.player.position == 7
    assert len(second.branches.all[2].history.interventions) == 2


def test_lanes_come_back_and_nothing_is_fetched(second: MainWindow, qtbot: QtBot) -> None:
    session = from_bytes(to_bytes(four_words(layout={})))
    session = replace(session, lanes=(*(session.lanes or ()), NamedLane("model", "hub:no/such")))
    restore(second.context, session)
    comparison = second.compare.comparison
    references = session.lanes
    assert references is not None
    assert [lane.follows for lane in comparison.lanes] == [
        isinstance(reference, FollowingLane) for reference in references
    ]
    for lane, reference in zip(comparison.lanes, references, strict=True):
        if isinstance(reference, RunLane):
            assert lane.name == reference.name
    qtbot.waitUntil(lambda: not second.compare.loader.busy)
    last = comparison.lanes[-1]
    assert last.failed
    assert last.status == "Model is not on this computer; try again to fetch it."
    said = "is not on this computer; try again to fetch it"
    qtbot.waitUntil(lambda: said in second.message_bar.text)
    restore(second.context, four_words())
    assert said not in second.message_bar.text


def test_a_preset_and_a_recipe_of_ones_own_are_chosen_again(
    second: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_train(monkeypatch)
    restore(second.context, four_words())
    assert second.controls.preset_box.currentData() == "whitespace"
    assert second.controls.vocabulary_size == 20
    assert second.controls.corpus_box.currentData() == "four-words"
    made = four_words()
    # The preset of that name could not be as small as this.
    recipe = made.recipe.with_changes(name="gpt2", min_frequency=0)
    branches = (SavedBranch("Original", trained(made.words, recipe, 3)),)
    restore(second.context, four_words(recipe=recipe, branches=branches, shown=0, lanes=None))
    assert second.controls.recipe() == recipe
    recipe = made.recipe.with_changes(name="mine", min_frequency=0, vocabulary_size=None)
    run = trained(made.words, recipe, 3)
    branches = (SavedBranch("Original", run),)
    restore(second.context, four_words(recipe=recipe, branches=branches, shown=0, lanes=None))
    assert second.controls.preset_box.currentText() == "mine"
    assert second.controls.recipe() == recipe
    assert second.branches.chosen == recipe


def test_a_recipe_that_is_being_written_comes_back(
    recorded: Recorded, second: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session = recorded.session()
    draft = RecipeDraft(preset("gpt4")).with_changes(name="of the talk", split="regex:(half")
    restore(second.context, replace(session, layout={}))
    assert capture(second.context).layout["draft"] is None
    second.laboratory.files.drafts.begin(draft)
    session = taken(second)
    # A window that has its own draft, and one in which nobody has looked at the laboratory.
    for window in (second, app.create()[1]):
        if window is second:
            window.laboratory.view.editor.drafts.change({"name": "my own"})
        restore(window.context, session)
        assert window.laboratory.files.draft == draft
        window.workspaces.laboratory()
        assert window.laboratory.view.editor.draft == draft
        assert child(window, QLineEdit, "recipeNameEdit").text() == "of the talk"
        assert taken(window).layout["draft"] == session.layout["draft"]
    second.laboratory.files.drafts.undo_stack.undo()
    assert second.laboratory.files.drafts.current.name == "my own", "it can be gone back to"
    window.close()
    window.deleteLater()


def test_what_was_to_be_guessed_is_to_be_guessed_again(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    plain = recorded.session()
    restore(second.context, plain)
    assert not second.actions_.guess.isChecked()
    second.actions_.guess.trigger()
    guessing = taken(second)
    second.actions_.guess.trigger()
    restore(second.context, guessing)
    at_rest(qtbot, second)
    assert second.actions_.guess.isChecked()
    assert second.player.position == 7
    restore(second.context, plain)
    assert not second.actions_.guess.isChecked()


def test_recipes_in_lockstep_and_what_was_guessed_come_back(
    recorded: Recorded,
    second: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    restore(second.context, recorded.session())
    view = second.laboratory.view
    lockstep, guess = view.lockstep, second.explore.guess
    reveal(lockstep)
    train_presets(lockstep, "whitespace", "raw")
    runs = lockstep.runs
    qtbot.waitUntil(lambda: runs.shown != () and not (runs.busy or runs.comparing))
    sentence = child(lockstep, QLabel, "lockstepSentence").text()
    shown = second.branches.shown
    assert shown is not None
    second.actions_.guess.trigger()
    for position, index in ((7, 0), (3, 1), (4, None)):
        second.player.scrub(position)
        at_rest(qtbot, second)
        guess.reveal() if index is None else guess.choose(index)
    score = score_of(guess)
    assert score[1] == "2"
    given = guess.given(shown.history)
    assert [position for position, _ in given] == [7, 3, 4]
    session = taken(second)
    assert [run.recipe.name for run in session.lockstep] == ["whitespace", "raw"]
    # Somebody who has chosen nothing yet, and so begins outside the laboratory.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "chosen by nobody"))
    third = app.create()[1]
    qtbot.waitUntil(lambda: third.player.history is not None)
    never_train(monkeypatch)
    for window in (second, third):
        restore(window.context, four_words(layout={}, lockstep=()))
        assert window.laboratory.runs.shown == ()
        restore(window.context, session)
        # Also for who has not looked at the laboratory yet.
        assert window.laboratory.has_view is (window is second)
        again = window.laboratory.view.lockstep
        qtbot.waitUntil(lambda panel=again: panel.chart.lockstep is not None)
        assert child(again, QLabel, "lockstepSentence").text() == sentence
        assert child(again, QComboBox, "secondRecipe").currentText() == "raw"
        qtbot.waitUntil(lambda made=window: made.explore.scheduler.isActive() is False)
        assert score_of(window.explore.guess) == score
        branch = window.branches.shown
        assert branch is not None
        assert window.explore.guess.given(branch.history) == given
        assert taken(window).lockstep[1].equals(session.lockstep[1])
    third.close()
    third.deleteLater()


def test_what_was_never_offered_was_not_guessed(second: MainWindow) -> None:
    made = four_words()
    run = made.branches[0].history
    right, *_ = zip(run.top(0).left.tolist(), run.top(0).right.tolist(), strict=True)
    guesses = ((0, right), (1, (10**6, 0)), (2, None), (99, None), (10**6, (1, 2)))
    branches = (SavedBranch("Original", run, (), guesses),)
    restore(second.context, four_words(branches=branches, shown=0))
    assert second.explore.guess.given(run) == ((0, right), (2, None))
    assert score_of(second.explore.guess) == ["1", "1"]


def score_of(guess: GuessPanel) -> list[str]:
    """How many answers are right, and how many there are, however there is room to say it."""
    return re.findall(r"\d+", child(guess, QLabel, "guessScore").text())

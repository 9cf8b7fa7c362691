"""What is done is written by itself: when its time has come, and what is said when it cannot be."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.folders import user_folders
from bpe_gui.sessions import load_session, partial_save, validate
from bpe_gui.ui.panels.guess import wording
from tests.ui.laboratory.lockstep_training import train_presets
from tests.ui.pace import Rations, Shut
from tests.ui.session.session_windows import TEXT, Begun, Opened, autosaved, button, trained


def test_a_folder_that_is_taken_away_meanwhile_is_made_again(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    qtbot.waitUntil((user_folders().data / "sessions").exists)
    shutil.rmtree(user_folders().data / "sessions")
    path = autosaved(qtbot, window)
    assert load_session(path).branches
    assert begun().session_keeper.recovery_files.abandoned() == []
    assert window.message_bar.text == ""


def test_a_change_is_written_when_its_time_has_come(
    opened: Opened, qtbot: QtBot, rations: Rations
) -> None:
    """During a training as well: what is written is as far as the run has got."""
    rations.merges = 5
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 5)
    saver = window.session_keeper.autosave
    assert saver.changed
    saver.timer.setInterval(1)
    path = autosaved(qtbot, window)
    assert len(load_session(path).branches[0].history) == 5
    rations.more()
    qtbot.waitUntil(lambda: len(load_session(path).branches[0].history) == 10)


def test_guesses_and_runs_side_by_side_are_changes(opened: Opened, qtbot: QtBot) -> None:
    window = trained(qtbot, opened)
    lockstep, guess = window.laboratory.view.lockstep, window.explore.guess
    window.player.scrub(3)
    window.session_keeper.autosave.timer.setInterval(1)
    path = autosaved(qtbot, window)
    train_presets(lockstep, "whitespace", "raw")
    qtbot.waitUntil(lambda: len(load_session(path).lockstep) == 2)
    window.actions_.guess.trigger()
    qtbot.waitUntil(lambda: bool(load_session(path).layout["guessing"]))
    qtbot.waitUntil(lambda: wording.QUESTION in guess.accessibleDescription())
    guess.choose(0)
    qtbot.waitUntil(lambda: len(load_session(path).branches[0].guesses) == 1)


def test_a_state_that_is_being_written_is_waited_for(
    opened: Opened, qtbot: QtBot, shut: Shut
) -> None:
    window = trained(qtbot, opened)
    gate = shut(partial_save, "save_what_fits")
    saver = window.session_keeper.autosave
    qtbot.waitUntil(lambda: saver.writing is None)
    saver.save()
    first = saver.writing
    saver.save()
    assert saver.writing is first
    gate.open()
    qtbot.waitUntil(lambda: saver.writing is not first)


def test_a_folder_that_cannot_be_written_is_told_once(
    opened: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, session: object, check: object) -> str:
        raise OSError(28, "No space left on device", str(path))

    whole = partial_save.save_what_fits
    monkeypatch.setattr(partial_save, "save_what_fits", write)
    window = trained(qtbot, opened)
    path = autosaved(qtbot, window)
    said = window.message_bar.text
    assert said.startswith(f"Your work is not autosaved: {path} cannot be written")
    assert "No space left on device; make room, or save the session elsewhere." in said
    button(window, "Dismiss").click()
    autosaved(qtbot, window)
    assert window.message_bar.text == ""
    assert window.session_keeper.autosave.changed
    monkeypatch.setattr(partial_save, "save_what_fits", whole)
    autosaved(qtbot, window)
    assert path.exists()


def test_of_what_would_not_open_again_is_kept_what_would(
    opened: Opened, begun: Begun, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is too much is kept as far as it is not, and the next window opens that."""
    window = trained(qtbot, opened)
    merges = window.player.end
    monkeypatch.setattr(validate, "MAX_TOKEN", 4)
    path = autosaved(qtbot, window)
    kept = len(load_session(path).branches[0].history)
    assert 0 < kept < merges
    said = window.message_bar.text
    assert said.startswith("Some of your work is not autosaved: merges after the first")
    assert f"{kept:,}, " in said
    assert "one of its tokens is too long to be shown" in said
    button(window, "Dismiss").click()
    autosaved(qtbot, window)
    assert window.message_bar.text == ""
    window.close()
    again = begun()
    qtbot.waitUntil(lambda: "Restore your work" in again.message_bar.text)
    with qtbot.waitSignal(again.player.loaded):
        button(again, "Restore").click()
    qtbot.waitUntil(lambda: again.player.end == kept)
    assert again.sample_text.text == window.sample_text.text


def test_a_data_folder_that_is_a_file_is_told(begun: Begun, qtbot: QtBot) -> None:
    user_folders().data.mkdir(parents=True, exist_ok=True)
    (user_folders().data / "sessions").write_text("in the way")
    window = begun()
    said = "sessions cannot be written: File exists"
    qtbot.waitUntil(lambda: said in window.message_bar.text)
    qtbot.waitUntil(lambda: window.player.history is not None)

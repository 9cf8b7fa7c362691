"""What the next start offers of what was there, and what it does not."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.folders import user_folders
from bpe_gui.sessions import load_session, save_session
from bpe_gui.ui.actions.action_words import keys_of
from tests.sessions.made import four_words
from tests.ui.driving import act
from tests.ui.laboratory.lockstep_training import train_presets
from tests.ui.session.session_windows import (
    Begun,
    Opened,
    autosaved,
    button,
    end,
    saved_states,
    saved_to,
    shows_four_words,
    trained,
)


def left(name: str, text: str = "newest") -> Path:
    """The state that a window has left which is gone."""
    path = user_folders().data / "sessions" / f"{name}.bpesession"
    path.parent.mkdir(parents=True, exist_ok=True)
    save_session(path, four_words(text=text, lanes=None))
    return path


def test_the_next_start_offers_what_was_there(opened: Opened, begun: Begun, qtbot: QtBot) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(6)
    merges = window.player.end
    end(window)
    assert len(saved_states()) == 1
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    assert re.fullmatch(
        rf"Restore your work of \d+ \w+ \d+ at \d\d:\d\d\? story.txt with {merges:,} merges: "
        r"\d+\.\d kB, not saved.",
        second.message_bar.text,
    )
    qtbot.waitUntil(lambda: second.player.history is not None)
    button(second, "Restore").click()
    qtbot.waitUntil(lambda: second.player.position == 6)
    assert second.player.end == merges
    assert second.session_keeper.name == ""
    assert second.message_bar.text == ""
    end(second)
    # What was opened is kept anew by the window that has it, and by no other.
    assert len(saved_states()) == 1
    third = begun()
    qtbot.waitUntil(lambda: third.message_bar.text != "")


def test_the_next_start_has_the_recipes_in_lockstep(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    lockstep = window.laboratory.view.lockstep
    train_presets(lockstep, "whitespace", "raw")
    qtbot.waitUntil(lambda: lockstep.chart.lockstep is not None and not lockstep.runs.busy)
    window.player.scrub(2)
    end(window)
    [state] = saved_states()
    assert [run.recipe.name for run in load_session(state).lockstep] == ["whitespace", "raw"]


def test_what_is_discarded_is_gone(begun: Begun, qtbot: QtBot) -> None:
    left("first")
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    button(second, "Discard").click()
    assert saved_states() == []
    end(second)
    third = begun()
    qtbot.waitUntil(lambda: third.player.history is not None)
    assert third.message_bar.text == ""


def test_what_another_window_has_opened_is_told(begun: Begun, qtbot: QtBot) -> None:
    state = left("first")
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    assert saved_states() == [state]
    state.unlink()
    button(second, "Restore").click()
    told = f"There is no file {state}; check the name."
    qtbot.waitUntil(lambda: second.message_bar.text == told)


def test_what_is_recovered_stays_among_the_runs_when_a_session_is_opened(
    opened: Opened, begun: Begun, kept: Path, qtbot: QtBot
) -> None:
    end(trained(qtbot, opened))
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    button(second, "Restore").click()
    qtbot.waitUntil(lambda: second.player.end > 0)
    merges = second.player.end
    with qtbot.waitSignal(second.session_keeper.opened):
        second.session_keeper.open_session(kept)
    end(second)
    third = begun()
    offered = "with changes that are not in talk.bpesession."
    qtbot.waitUntil(lambda: third.message_bar.text.endswith(offered))
    button(third, "Restore").click()
    qtbot.waitUntil(lambda: third.session_keeper.name == "talk")
    act(third, "run1Action")
    assert third.player.end == merges


def test_what_is_offered_is_taken_and_declined_by_keys(begun: Begun, qtbot: QtBot) -> None:
    left("first")
    second = begun()
    take, dismiss = second.actions_.accept, second.actions_.dismiss
    assert not take.isEnabled()
    assert not dismiss.isEnabled()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    for action, text in ((take, "Restore"), (dismiss, "Discard")):
        assert action.isEnabled()
        assert button(second, text).toolTip() == f"{text} ({keys_of(action)})"
    second.activateWindow()
    qtbot.waitUntil(lambda: second.player.history is not None and second.isActiveWindow())
    control_and_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(second, Qt.Key.Key_D, control_and_shift)
    assert second.message_bar.text == ""
    assert not dismiss.isEnabled()
    end(second)
    left("first")
    third = begun()
    qtbot.waitUntil(lambda: third.message_bar.text != "" and third.player.history is not None)
    third.activateWindow()
    qtbot.waitUntil(third.isActiveWindow)
    qtbot.keyClick(third, Qt.Key.Key_J, control_and_shift)
    qtbot.waitUntil(lambda: third.player.end > 0)


def test_what_is_saved_is_not_offered_over_itself(
    opened: Opened, begun: Begun, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "mine.bpesession"
    end(saved_to(path, qtbot, opened))
    assert saved_states() == []
    second = begun("open", str(path))
    with qtbot.waitSignal(second.session_keeper.opened):
        pass
    # How it looks is no work that could be lost.
    second.workspaces.compare()
    end(second)
    assert saved_states() == []
    third = begun("open", str(path))
    with qtbot.waitSignal(third.session_keeper.opened):
        pass
    third.sample_text.set("another text")
    end(third)
    assert len(saved_states()) == 1
    last = begun()
    qtbot.waitUntil(lambda: last.message_bar.text != "")
    assert last.message_bar.text.endswith("with changes that are not in mine.bpesession.")
    last.actions_.accept.trigger()
    qtbot.waitUntil(lambda: last.sample_text.text == "another text")
    # It is the session that it was, and goes where that was saved.
    assert last.windowTitle().startswith("mine — story.txt")
    with qtbot.waitSignal(last.session_keeper.saved):
        last.session_keeper.save()
    assert load_session(path).text == "another text"
    assert load_session(path).saved_as is None


def test_a_crash_after_saving_offers_nothing(
    opened: Opened, begun: Begun, qtbot: QtBot, tmp_path: Path
) -> None:
    window = saved_to(tmp_path / "mine.bpesession", qtbot, opened)
    state = autosaved(qtbot, window)
    left = state.with_name("crashed.bpesession")
    shutil.copy(state, left)
    second = begun()
    qtbot.waitUntil(lambda: not left.exists())
    assert second.message_bar.text == ""


def test_a_state_never_says_to_save_over_what_is_no_session(
    begun: Begun, qtbot: QtBot, tmp_path: Path
) -> None:
    victim = tmp_path / "thesis.txt"
    victim.write_text("years of work")
    window = begun()
    keeper = window.session_keeper
    keeper.recovery_files.folder.mkdir(parents=True, exist_ok=True)
    left = keeper.recovery_files.folder / "0123.bpesession"
    save_session(left, four_words(lanes=None, layout={}, saved_as=str(victim)))
    keeper.open_session(left)
    qtbot.waitUntil(lambda: shows_four_words(window))
    assert keeper.path is None


def test_who_does_not_answer_is_asked_again(opened: Opened, begun: Begun, qtbot: QtBot) -> None:
    end(trained(qtbot, opened))
    first = saved_states()
    end(begun())
    assert saved_states() == first
    end(trained(qtbot, opened))
    assert len(saved_states()) == 2
    assert set(first) < set(saved_states())


def test_of_several_that_were_left_all_can_be_had(begun: Begun, qtbot: QtBot) -> None:
    for number, name in enumerate(("first", "second", "third")):
        path = left(name, text=name)
        os.utime(path, (10**9 + 60 * number, 10**9 + 60 * number))
    window = begun()
    qtbot.waitUntil(lambda: len(window.message_bar.findChildren(QLabel, "messageText")) == 3)
    button(window, "Restore").click()
    qtbot.waitUntil(lambda: window.sample_text.text == "third")
    # What is in view is in the file of this window, and what nobody has answered is where it was.
    folder = user_folders().data / "sessions"
    assert not (folder / "third.bpesession").exists()
    button(window, "Discard").click()
    assert not (folder / "second.bpesession").exists()
    qtbot.waitUntil(lambda: len(window.message_bar.findChildren(QLabel, "messageText")) == 1)
    button(window, "Restore").click()
    qtbot.waitUntil(lambda: window.sample_text.text == "first")


def test_a_window_in_which_nothing_was_done_leaves_nothing(begun: Begun, qtbot: QtBot) -> None:
    window = begun()
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.session_keeper.autosave.save()
    end(window)
    assert saved_states() == []
    assert list((user_folders().data / "sessions").glob("*.lock")) == []


def test_a_window_offers_nothing_of_one_that_is_open(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    path = autosaved(qtbot, window)
    assert saved_states() == [path]
    second = begun()
    assert second.session_keeper.recovery_files.abandoned() == []
    assert second.session_keeper.recovery_files.path != path


def test_a_state_that_is_damaged_is_told_of_once(begun: Begun, qtbot: QtBot) -> None:
    folder = user_folders().data / "sessions"
    folder.mkdir(parents=True)
    save_session(folder / "torn.bpesession", four_words())
    (folder / "torn.bpesession").write_bytes((folder / "torn.bpesession").read_bytes()[:-1])
    window = begun()
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    said = window.message_bar.text
    assert said.startswith("The unsaved work cannot be opened: ")
    assert said.endswith(f"It is kept as {folder}/torn.damaged.")
    assert saved_states() == []
    end(window)
    again = begun()
    qtbot.waitUntil(lambda: again.player.history is not None)
    assert again.message_bar.text == ""

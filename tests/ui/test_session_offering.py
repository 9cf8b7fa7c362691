"""What the next start offers of what was there, and what it does not."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.folders import user_folders
from bpe_gui.sessions import load_session, save_session
from bpe_gui.ui.actions.actions import keys_of
from bpe_gui.ui.session.autosave_folder import AutosaveFolder
from tests.sessions.made import four_words
from tests.ui.session_windows import (
    Begun,
    Opened,
    autosaved,
    begun,
    button,
    end,
    saved_states,
    saved_to,
    shows_four_words,
    trained,
)

__all__ = ["begun"]


def test_the_next_start_offers_what_was_there(opened: Opened, begun: Begun, qtbot: QtBot) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(6)
    merges = window.player.end
    end(window)
    assert len(saved_states()) == 1
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    assert re.fullmatch(
        rf"When the program ended, today at \d\d:\d\d, story.txt with {merges:,} merges was open: "
        r"\d+\.\d kB, not saved.",
        second.message_bar.text,
    )
    qtbot.waitUntil(lambda: second.player.history is not None)
    button(second, "Open it").click()
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
    lockstep.train_presets("whitespace", "raw")
    qtbot.waitUntil(lambda: lockstep.chart.lockstep is not None and not lockstep.runs.busy)
    window.player.scrub(2)
    end(window)
    [state] = saved_states()
    assert [run.recipe.name for run in load_session(state).lockstep] == ["whitespace", "raw"]


def test_what_is_dismissed_is_not_offered_again(opened: Opened, begun: Begun, qtbot: QtBot) -> None:
    end(trained(qtbot, opened))
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    button(second, "Dismiss").click()
    assert saved_states() == []
    assert second.status.text == "It stays for a while under File, Kept by itself."
    assert len(list((user_folders().data / "sessions" / "aside").iterdir())) == 1
    end(second)
    third = begun()
    assert third.session_keeper._states.abandoned() == []
    # But there is a way back.
    qtbot.waitUntil(lambda: third.kept_states.actions()[0].data() is not None)
    assert re.fullmatch(
        r"&1 story.txt with \d+ merges — today at \d\d:\d\d", third.kept_states.actions()[0].text()
    )
    assert third.message_bar.text == ""
    qtbot.waitUntil(lambda: third.player.history is not None)
    third.kept_states.actions()[0].trigger()
    qtbot.waitUntil(lambda: third.player.end > 0)


@pytest.mark.parametrize("by_another", [True, False])
def test_what_is_offered_and_cannot_be_had_says_why(
    opened: Opened,
    begun: Begun,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    by_another: bool,
) -> None:
    def refuse(states: AutosaveFolder, path: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    end(trained(qtbot, opened))
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    [state] = saved_states()
    if by_another:
        state.unlink()
        told = "Another window has opened it meanwhile."
    else:
        monkeypatch.setattr(AutosaveFolder, "claim", refuse)
        told = f"{state} cannot be put aside: Permission denied; open that file as a session."
    button(second, "Open it").click()
    assert second.message_bar.text == told


def test_what_is_offered_is_taken_and_declined_by_keys(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    end(trained(qtbot, opened))
    second = begun()
    take, dismiss = second.actions_.take_up, second.actions_.dismiss
    assert not take.isEnabled()
    assert not dismiss.isEnabled()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    for action, text in ((take, "Open it"), (dismiss, "Dismiss")):
        assert action.isEnabled()
        assert button(second, text).toolTip() == f"{text} ({keys_of(action)})"
    second.activateWindow()
    qtbot.waitUntil(lambda: second.player.history is not None and second.isActiveWindow())
    control_and_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(second, Qt.Key.Key_D, control_and_shift)
    assert second.message_bar.text == ""
    assert not dismiss.isEnabled()
    end(second)
    end(trained(qtbot, opened))
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
    assert last.message_bar.text.endswith("with changes that mine.bpesession lacks.")
    last.actions_.take_up.trigger()
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
    keeper._states.folder.mkdir(exist_ok=True)
    left = keeper._states.folder / "0123.bpesession"
    save_session(left, four_words(lanes=None, layout={}, saved_as=str(victim)))
    keeper._open(keeper._states.claim(left))
    qtbot.waitUntil(lambda: shows_four_words(window))
    assert keeper.path is None


def test_what_was_not_wanted_makes_way_for_what_was_done_since(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    end(trained(qtbot, opened))
    first = saved_states()
    end(begun())
    assert saved_states() == first
    end(trained(qtbot, opened))
    assert len(saved_states()) == 1
    assert saved_states() != first
    aside = user_folders().data / "sessions" / "aside"
    assert [path.name for path in aside.iterdir()] == [first[0].name]


def test_of_several_that_were_left_all_can_be_had(begun: Begun, qtbot: QtBot) -> None:
    folder = user_folders().data / "sessions"
    folder.mkdir(parents=True)
    for number, name in enumerate(("first", "second", "third")):
        path = folder / f"{name}.bpesession"
        save_session(path, four_words(text=name, lanes=None))
        os.utime(path, (10**9 + number, 10**9 + number))
    window = begun()
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert len(window.message_bar.findChildren(QLabel, "messageText")) == 1
    menu = window.kept_states
    qtbot.waitUntil(lambda: len(menu.actions()) == 3 and len(saved_states()) == 1)
    button(window, "Open it").click()
    qtbot.waitUntil(lambda: window.sample_text.text == "third")
    # What is open is a state of this window now, and so is what was open before it.
    for place, text in ((1, "second"), (2, "first")):
        qtbot.waitUntil(lambda at=place: menu.actions()[at].data() is not None)  # type: ignore[misc]
        found = [action for action in menu.actions() if text in str(action.data())]
        found[0].trigger()
        qtbot.waitUntil(lambda wanted=text: window.sample_text.text == wanted)  # type: ignore[misc]


def test_a_window_in_which_nothing_was_done_leaves_nothing(begun: Begun, qtbot: QtBot) -> None:
    window = begun()
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.session_keeper._autosave.save()
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
    assert second.session_keeper._states.abandoned() == []
    assert second.session_keeper._states.path != path


def test_a_state_that_is_damaged_is_told_of_once(begun: Begun, qtbot: QtBot) -> None:
    folder = user_folders().data / "sessions"
    folder.mkdir(parents=True)
    save_session(folder / "torn.bpesession", four_words())
    (folder / "torn.bpesession").write_bytes((folder / "torn.bpesession").read_bytes()[:-1])
    window = begun()
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    said = window.message_bar.text
    assert said.startswith("What the program kept by itself when it ended cannot be opened: ")
    assert said.endswith(f"It is put aside as {folder}/aside/torn.bpesession.")
    assert saved_states() == []
    end(window)
    again = begun()
    qtbot.waitUntil(lambda: again.player.history is not None)
    assert again.message_bar.text == ""

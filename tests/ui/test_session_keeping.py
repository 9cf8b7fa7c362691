"""Sessions saved and opened through the window, and what the next start offers."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.arguments import CommandError, parse_open
from bpe_gui.bpe.kernels import kernel
from bpe_gui.config_folder import config_folder
from bpe_gui.data_folder import data_folder
from bpe_gui.sessions import read_session, write_session
from bpe_gui.sessions.last_states import LastStates
from bpe_gui.ui.actions import keys_of
from bpe_gui.ui.keeping import autosave, choices_file, session_files
from bpe_gui.ui.keeping.opening_note import OpeningNote
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.training import Phase
from bpe_gui.ui.workspaces import Place
from tests.sessions.made import four_words
from tests.ui.pace import Rations, Shut
from tests.ui.save_dialogs import Answer, answered, reject
from tests.ui.test_encoding_loading import drop
from tests.ui.widgets import child as child_of

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50
Begun = Callable[..., MainWindow]


@pytest.fixture
def begun(qtbot: QtBot) -> Iterator[Begun]:
    """Windows as the command line opens them, closed in the end."""
    windows: list[MainWindow] = []

    def begun(*arguments: str) -> MainWindow:
        _, window = app.create(arguments)
        windows.append(window)
        return window

    yield begun
    for window in windows:
        end(window)
        window.deleteLater()
    kernel.loaded()


def end(window: MainWindow) -> None:
    window.close()


def saved_states() -> list[Path]:
    return sorted((data_folder() / "sessions").glob("*.bpesession"))


def trained(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    return window


def autosaved(qtbot: QtBot, window: MainWindow) -> Path:
    """The state of a window, when its clock has run out and the file is there."""
    keeper = window.session_keeper
    path = keeper._states.path
    assert path is not None
    saver = keeper._autosave
    qtbot.waitUntil(lambda: saver._writing is None)
    saver.save()
    qtbot.waitUntil(lambda: saver._writing is None, timeout=20_000)
    return path


def button(window: MainWindow, text: str) -> QToolButton:
    found = [b for b in window.message_bar.findChildren(QToolButton) if b.text() == text]
    return found[-1]


def shows_four_words(window: MainWindow) -> bool:
    shown = window.branches.shown
    return shown is not None and shown.name == "without es + t" and window.player.position == 3


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of a session."""
    path = tmp_path / "talk.bpesession"
    write_session(path, four_words(lanes=None, layout={}))
    return path


# -- opening and saving --------------------------------------------------------------------------


def test_the_command_line_opens_a_session(kept: Path, begun: Begun, qtbot: QtBot) -> None:
    window = begun("open", str(kept))
    keeper = window.session_keeper
    with qtbot.waitSignal(keeper.opened) as signal:
        pass
    assert signal.args == [str(kept)]
    assert shows_four_words(window)
    assert window.windowTitle() == "talk — Four words · whitespace — bpe-gui"
    assert window.message_bar.text == ""
    assert window.statusBar().currentMessage() == ""


def test_a_session_stands_alone_on_the_command_line(kept: Path, tmp_path: Path) -> None:
    assert parse_open(["open", str(kept)]).session == str(kept)
    renamed = kept.rename(tmp_path / "talk.zip")
    assert parse_open(["open", str(renamed)]).session == str(renamed)
    for more in (["--start"], ["--preset", "gpt2"], [str(kept)], ["--vocab-size", "300"]):
        with pytest.raises(CommandError, match="of its own; name it alone"):
            parse_open(["open", str(renamed), *more])
    with pytest.raises(FileNotFoundError):
        parse_open(["open", str(tmp_path / "missing.bpesession")])


def test_a_damaged_session_says_so_and_the_window_begins_as_ever(
    kept: Path, begun: Begun, qtbot: QtBot
) -> None:
    kept.write_bytes(kept.read_bytes()[:-5])
    window = begun("open", str(kept))
    qtbot.waitUntil(lambda: window.player.history is not None)
    assert window.message_bar.text == (
        f"{kept} cannot be opened as a session: its end is missing; open another copy of it."
    )
    assert window.session_keeper.name == ""


def test_a_session_is_saved_and_opened_with_keys_and_dialogs(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    window = trained(qtbot, opened)
    actions = window.actions_
    keeper, path = window.session_keeper, tmp_path / "mine.bpesession"
    window.player.scrub(5)
    with qtbot.waitSignal(keeper.saved) as signal:
        answered(actions.save_session, [named(tmp_path / "mine")])
    assert signal.args == [str(path)]
    assert window.message_bar.text == "mine.bpesession is saved."
    assert window.windowTitle().startswith("mine — story.txt")
    assert read_session(path).position == 5
    window.player.scrub(6)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qtbot.waitSignal(keeper.saved):
        qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert read_session(path).position == 6
    window.player.scrub(1)
    assert actions.open_session.shortcut().toString() == "Ctrl+J"
    with qtbot.waitSignal(keeper.opened):
        answered(actions.open_session, [named(path)])
    assert window.player.position == 6
    # An ending is put behind a name, and a file that is there is not replaced unasked.
    answered(actions.save_session_as, [named(tmp_path / "mine"), reject, reject])
    assert window.message_bar.text.startswith("mine.bpesession is open")


def named(path: Path) -> Answer:
    """Write a name into a dialog for files, and accept it."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        dialog.setDirectory(str(path.parent))
        dialog.findChild(QLineEdit, "fileNameEdit").setText(path.name)
        dialog.accept()

    return answer


def test_what_cannot_be_saved_is_told(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    window = trained(qtbot, opened)
    window.session_keeper.save_to(tmp_path / "missing" / "x.bpesession")
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert window.message_bar.text == (
        f"{tmp_path}/missing/x.bpesession cannot be written: No such file or directory; save the "
        "session elsewhere."
    )
    assert window.session_keeper.name == ""


def test_a_session_that_is_dropped_takes_the_place_of_a_run_that_can_be_gone_back_to(
    opened: Opened, kept: Path, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(4)
    with qtbot.waitSignal(window.session_keeper.opened):
        drop(window, kept)
    assert shows_four_words(window)
    assert window.message_bar.text == (
        "talk.bpesession is open. What was here before is kept."
    )
    button(window, "Go back to it").click()
    qtbot.waitUntil(lambda: window.player.position == 4)
    assert window.controls.corpus_box.currentText() == "story.txt"
    assert window.session_keeper.name == ""


@pytest.mark.parametrize("way", ["key", "button"])
def test_a_session_that_takes_long_is_told_of_and_can_be_left(
    opened: Opened, kept: Path, qtbot: QtBot, shut: Shut, way: str
) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(4)
    gate = shut(session_files._Worker, "open")
    note = child_of(window, OpeningNote, "openingNote")
    cancel = child_of(window, QToolButton, "cancelOpeningButton")
    assert not window.actions_.cancel.isEnabled()
    window.session_keeper.open_session(kept)
    assert window.actions_.cancel.isEnabled()
    qtbot.waitUntil(note.isVisible)
    assert cancel.accessibleName() == "Cancel: reading talk.bpesession"
    if way == "key":
        qtbot.waitUntil(window.isActiveWindow)
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    else:
        cancel.click()
    assert not note.isVisible()
    assert not window.actions_.cancel.isEnabled()
    with qtbot.waitSignal(window.session_keeper._files.read):
        gate.open()
    assert window.player.position == 4
    assert window.branches.all[0].name == "Original"
    assert window.message_bar.text == ""


def test_who_leaves_the_session_of_the_command_line_has_a_window_as_ever(
    begun: Begun, kept: Path, qtbot: QtBot
) -> None:
    window = begun("open", str(kept))
    window.actions_.cancel.trigger()
    qtbot.waitUntil(lambda: window.player.history is not None)
    assert not shows_four_words(window)
    assert window.session_keeper.name == ""


def test_how_a_session_looks_is_not_how_the_next_window_begins(
    begun: Begun, tmp_path: Path, qtbot: QtBot
) -> None:
    window = begun()
    own = window.theme.name
    other = "light" if own == "dark" else "dark"
    path = tmp_path / "other.bpesession"
    looks = {"theme": other, "palette": "patterns"}
    layout = {**looks, "speed": 200.0, "workspace": "compare"}
    write_session(path, four_words(lanes=None, layout=layout))
    with qtbot.waitSignal(window.session_keeper.opened):
        window.session_keeper.open_session(path)
    assert (window.theme.name, window.player.speed) == (other, 200.0)
    assert window.palette_choice.palette.name == "patterns"
    end(window)
    again = begun()
    assert (again.theme.name, again.player.speed) == (own, 5.0)
    assert again.palette_choice.palette.name == "quiet"
    assert again.workspaces.shown is Place.EXPLORE


def test_several_sessions_are_opened_one_by_one(
    begun: Begun, kept: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = begun()
    other = tmp_path / "other.bpesession"
    other.write_bytes(kept.read_bytes())
    with qtbot.waitSignal(window.session_keeper.opened) as signal:
        drop(window, kept, other)
    assert signal.args == [str(kept)]
    assert "One session at a time: talk.bpesession is opened" in window.message_bar.text


def test_a_session_among_the_files_of_a_corpus_is_opened(
    begun: Begun, kept: Path, qtbot: QtBot
) -> None:
    window = begun()
    with qtbot.waitSignal(window.session_keeper.opened):
        window.open_sources([str(kept)])
    assert shows_four_words(window)


# -- from one start to the next --------------------------------------------------------------------


def test_the_next_start_offers_what_was_there(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
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
    lockstep = window.laboratory.bench.lockstep
    lockstep.train_presets("whitespace", "raw")
    qtbot.waitUntil(lambda: lockstep.chart.lockstep is not None and not lockstep.runs.busy)
    window.player.scrub(2)
    end(window)
    [state] = saved_states()
    assert [run.recipe.name for run in read_session(state).lockstep] == ["whitespace", "raw"]


def test_what_is_dismissed_is_not_offered_again(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    end(trained(qtbot, opened))
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    button(second, "Dismiss").click()
    assert saved_states() == []
    assert second.statusBar().currentMessage() == "It stays for a while under File, Kept by itself."
    assert len(list((data_folder() / "sessions" / "aside").iterdir())) == 1
    end(second)
    third = begun()
    assert third.session_keeper._states.left() == []
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
    def refuse(states: LastStates, path: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    end(trained(qtbot, opened))
    second = begun()
    qtbot.waitUntil(lambda: second.message_bar.text != "")
    [state] = saved_states()
    if by_another:
        state.unlink()
        told = "Another window has opened it meanwhile."
    else:
        monkeypatch.setattr(LastStates, "claim", refuse)
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
    window = trained(qtbot, opened)
    path = tmp_path / "mine.bpesession"
    with qtbot.waitSignal(window.session_keeper.saved):
        window.session_keeper.save_to(path)
    end(window)
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
    third.text_panel.set_text("another text")
    end(third)
    assert len(saved_states()) == 1
    last = begun()
    qtbot.waitUntil(lambda: last.message_bar.text != "")
    assert last.message_bar.text.endswith("with changes that mine.bpesession lacks.")
    last.actions_.take_up.trigger()
    qtbot.waitUntil(lambda: last.text_panel.text() == "another text")
    # It is the session that it was, and goes where that was saved.
    assert last.windowTitle().startswith("mine — story.txt")
    with qtbot.waitSignal(last.session_keeper.saved):
        last.session_keeper.save()
    assert read_session(path).text == "another text"
    assert read_session(path).saved_as is None


def test_a_crash_after_saving_offers_nothing(
    opened: Opened, begun: Begun, qtbot: QtBot, tmp_path: Path
) -> None:
    window = trained(qtbot, opened)
    path = tmp_path / "mine.bpesession"
    with qtbot.waitSignal(window.session_keeper.saved):
        window.session_keeper.save_to(path)
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
    write_session(left, four_words(lanes=None, layout={}, saved_as=str(victim)))
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
    aside = data_folder() / "sessions" / "aside"
    assert [path.name for path in aside.iterdir()] == [first[0].name]


def test_a_window_in_which_nothing_was_done_leaves_nothing(begun: Begun, qtbot: QtBot) -> None:
    window = begun()
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.session_keeper._autosave.save()
    end(window)
    assert saved_states() == []
    assert list((data_folder() / "sessions").glob("*.lock")) == []


def test_a_window_offers_nothing_of_one_that_is_open(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    path = autosaved(qtbot, window)
    assert saved_states() == [path]
    second = begun()
    assert second.session_keeper._states.left() == []
    assert second.session_keeper._states.path != path


def test_a_folder_that_is_taken_away_meanwhile_is_made_again(
    opened: Opened, begun: Begun, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    shutil.rmtree(data_folder() / "sessions")
    path = autosaved(qtbot, window)
    assert read_session(path).branches
    assert begun().session_keeper._states.left() == []
    assert window.message_bar.text == ""


def test_a_change_is_written_when_its_time_has_come(
    opened: Opened, qtbot: QtBot, rations: Rations
) -> None:
    """During a training as well: what is written is as far as the run has got."""
    rations.merges = 5
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 5)
    saver = window.session_keeper._autosave
    assert saver.changed
    saver._timer.setInterval(1)
    path = autosaved(qtbot, window)
    assert len(read_session(path).branches[0].history) == 5
    rations.more()
    qtbot.waitUntil(lambda: len(read_session(path).branches[0].history) == 10)


def test_guesses_and_runs_side_by_side_are_changes(opened: Opened, qtbot: QtBot) -> None:
    window = trained(qtbot, opened)
    lockstep, guess = window.laboratory.bench.lockstep, window.workspace.guess
    window.player.scrub(3)
    window.session_keeper._autosave._timer.setInterval(1)
    path = autosaved(qtbot, window)
    lockstep.train_presets("whitespace", "raw")
    qtbot.waitUntil(lambda: len(read_session(path).lockstep) == 2, timeout=20_000)
    window.actions_.guess.trigger()
    qtbot.waitUntil(lambda: bool(read_session(path).layout["guessing"]))
    qtbot.waitUntil(lambda: window.workspace.at_rest and not guess._moving)
    guess.choose(0)
    qtbot.waitUntil(lambda: len(read_session(path).branches[0].guesses) == 1)


def test_a_state_that_is_being_written_is_waited_for(
    opened: Opened, qtbot: QtBot, shut: Shut
) -> None:
    window = trained(qtbot, opened)
    gate = shut(session_files._Worker, "write")
    saver = window.session_keeper._autosave
    qtbot.waitUntil(lambda: saver._writing is None)
    saver.save()
    first = saver._writing
    saver.save()
    assert saver._writing is first
    gate.open()
    qtbot.waitUntil(lambda: saver._writing is not first)


def test_a_folder_that_cannot_be_written_is_told_once(
    opened: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, session: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    whole = session_files.write_session
    monkeypatch.setattr(session_files, "write_session", write)
    window = trained(qtbot, opened)
    path = autosaved(qtbot, window)
    said = window.message_bar.text
    assert said.startswith(f"What you do is not kept for the next start: {path} cannot be written")
    assert "No space left on device" in said
    button(window, "Dismiss").click()
    autosaved(qtbot, window)
    assert window.message_bar.text == ""
    assert window.session_keeper._autosave.changed
    monkeypatch.setattr(session_files, "write_session", whole)
    autosaved(qtbot, window)
    assert path.exists()


def test_a_data_folder_that_is_a_file_is_told(begun: Begun, qtbot: QtBot) -> None:
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / "sessions").write_text("in the way")
    window = begun()
    assert "sessions cannot be written: Not a directory" in window.message_bar.text
    qtbot.waitUntil(lambda: window.player.history is not None)


def test_only_some_states_are_kept_aside(tmp_path: Path) -> None:
    states = LastStates(tmp_path)
    for number in range(9):
        path = tmp_path / f"{number}.bpesession"
        path.write_text(str(number))
        os.utime(path, (number, number))
    assert [path.stem for path in states.left()] == list("876543210")
    for path in states.left():
        states.claim(path)
    assert len(list((tmp_path / "aside").iterdir())) == 5
    with pytest.raises(FileNotFoundError):
        states.claim(tmp_path / "3.bpesession")
    states.close()


def test_a_state_that_is_put_aside_keeps_its_time(tmp_path: Path) -> None:
    states = LastStates(tmp_path)
    for name, moment in (("old", 1_000), ("new", 2_000)):
        path = tmp_path / f"{name}.bpesession"
        path.touch()
        os.utime(path, (moment, moment))
    new, old = states.left()
    new, old = states.claim(new), states.claim(old)
    assert states.claim(old) == old
    assert [path.stat().st_mtime for path in (old, new)] == [1_000, 2_000]
    assert states.aside() == [new, old]
    # The older one was used last, and outlives what came before.
    for number in range(3):
        states.claim(_left(tmp_path / f"{number}.bpesession"))
    states.claim(old)
    states.claim(_left(tmp_path / "3.bpesession"))
    assert old.exists()
    assert not new.exists()
    states.close()


def _left(path: Path) -> Path:
    path.touch()
    return path


def test_what_killed_windows_leave_half_done_is_swept_up(tmp_path: Path) -> None:
    names = ("a.lock", "b.lock", ".x.bpesession.1234.part", "b.bpesession", "c.lock")
    for name in names:
        (tmp_path / name).touch()
        if name != "c.lock":
            os.utime(tmp_path / name, (1, 1))
    states = LastStates(tmp_path)
    assert {path.name for path in tmp_path.glob("?.*")} == {"b.lock", "b.bpesession", "c.lock"}
    assert list(tmp_path.glob("*.part")) == []
    assert [path.name for path in states.left()] == ["b.bpesession"]
    states.close()


# -- the end of a process --------------------------------------------------------------------------

CHECKOUT = Path(__file__).parents[2]


def child(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ui.killed_window", *arguments],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def test_after_a_kill_in_the_middle_of_a_training_the_next_start_has_it(tmp_path: Path) -> None:
    corpus = tmp_path / "words.txt"
    text = "".join(f"{a}{b}{c} " for a in "abcdefgh" for b in "ijklmnop" for c in "qrstuvwx")
    corpus.write_text(text * 3)
    with child("train", str(corpus)) as killed:
        assert killed.stdout is not None
        # Each line tells of a state that is on the disk; the training goes on meanwhile.
        told = [json.loads(killed.stdout.readline()) for _ in range(4)]
        # What another process works on is its own.
        other = LastStates(data_folder() / "sessions")
        assert other.left() == []
        other.close()
        os.kill(killed.pid, signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    with child("restart") as second:
        seen = json.loads(second.communicate(timeout=120)[0])
    assert second.returncode == 0
    last = told[-1]["merges"]
    assert last > told[0]["merges"] > 0
    assert re.match(
        r"When the program ended, today at \d\d:\d\d, words.txt with ", seen["offered"]
    )
    assert seen["merges"] >= last
    assert seen["position"] == seen["merges"]
    assert seen["trained_on"] > seen["merges"]
    assert autosave.EVERY <= 5_000


def test_after_a_kill_the_next_start_has_what_was_chosen(
    tmp_path: Path, begun: Begun, qtbot: QtBot
) -> None:
    corpus = tmp_path / "words.txt"
    corpus.write_text("low lower newest widest")
    with child("choose", str(corpus)) as killed:
        assert killed.stdout is not None
        assert json.loads(killed.stdout.readline()) == "chosen"
        named = {"colours", "text-size", "token-palette", "layout", "recent-corpora"}
        qtbot.waitUntil(lambda: named <= choices_file.read(config_folder()).keys())
        os.kill(killed.pid, signal.SIGKILL)
    window = begun()
    assert (window.theme.name, window.text_sizing.scale) == ("light", 1.5)
    assert window.palette_choice.palette.name == "strong"
    assert window.workspace.docks["treeDock"].isHidden()
    assert window.recent_corpora.entries == [[str(corpus)]]
    assert window.message_bar.text == ""
    window.text_sizing.set_scale(1.0)

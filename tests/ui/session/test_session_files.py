"""Sessions saved and opened through the window, and on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.arguments import CommandError, parse_open
from bpe_gui.sessions import file, load_session, save_session, validate
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.sessions.made import four_words
from tests.ui.driving import act, child
from tests.ui.dropped_files import drop
from tests.ui.pace import Shut
from tests.ui.save_dialogs import Answer, answered, reject
from tests.ui.session.session_windows import (
    Begun,
    Opened,
    end,
    saved_to,
    shows_four_words,
    trained,
)


def test_the_command_line_opens_a_session(kept: Path, begun: Begun, qtbot: QtBot) -> None:
    window = begun("open", str(kept))
    keeper = window.session_keeper
    with qtbot.waitSignal(keeper.opened) as signal:
        pass
    assert signal.args == [str(kept)]
    assert shows_four_words(window)
    assert window.windowTitle() == "talk — Four words · whitespace — bpe-gui"
    assert window.message_bar.text == ""


def test_a_session_stands_alone_on_the_command_line(kept: Path, tmp_path: Path) -> None:
    assert parse_open(["open", str(kept)]).session == str(kept)
    renamed = kept.rename(tmp_path / "talk.zip")
    assert parse_open(["open", str(renamed)]).session == str(renamed)
    for more in (["--start"], ["--preset", "gpt2"], [str(kept)], ["--vocab-size", "300"]):
        with pytest.raises(CommandError, match="its own corpus and recipe; name it alone"):
            parse_open(["open", str(renamed), *more])
    with pytest.raises(FileNotFoundError):
        parse_open(["open", str(tmp_path / "missing.bpesession")])


def test_a_damaged_session_says_so_and_the_window_begins_as_ever(
    kept: Path, begun: Begun, qtbot: QtBot
) -> None:
    kept.write_bytes(kept.read_bytes()[:-5])
    window = begun("open", str(kept))
    qtbot.waitUntil(lambda: window.player.history is not None)
    assert window.message_bar.text.startswith(f"{kept} cannot be opened as a session: ")
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
    assert window.status.text == "mine.bpesession is saved."
    assert window.message_bar.isHidden(), "no panel moves"
    assert window.windowTitle().startswith("mine — story.txt")
    assert load_session(path).position == 5
    window.player.scrub(6)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qtbot.waitSignal(keeper.saved):
        qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load_session(path).position == 6
    window.player.scrub(1)
    assert actions.open_session.shortcut().toString() == "Ctrl+J"
    assert actions.save.shortcut().toString() == "Ctrl+Shift+S"
    with qtbot.waitSignal(keeper.opened):
        answered(actions.open_session, [named(path)])
    assert window.player.position == 6
    # An ending is put behind a name, and a file that is there is not replaced unasked.
    answered(actions.save_session_as, [named(tmp_path / "mine"), reject, reject])


def named(path: Path) -> Answer:
    """Write a name into a dialog for files, and accept it."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        dialog.setDirectory(str(path.parent))
        dialog.findChild(QLineEdit, "fileNameEdit").setText(path.name)
        dialog.accept()

    return answer


def test_what_cannot_be_saved_is_told(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    window = trained(qtbot, opened)
    window.session_keeper.save_to(tmp_path / "missing" / "x.bpesession")
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert window.message_bar.text == (
        f"{tmp_path}/missing/x.bpesession cannot be written: No such file or directory; save the "
        "session elsewhere."
    )
    assert window.session_keeper.name == ""


def test_a_session_that_would_not_open_again_leaves_the_good_one(
    opened: Opened, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "talk.bpesession"
    window = saved_to(path, qtbot, opened)
    before = path.read_bytes()
    window.player.scrub(1)
    monkeypatch.setattr(validate, "MAX_TOKEN", 2)
    window.session_keeper.save_to(path)
    qtbot.waitUntil(lambda: "would not open" in window.message_bar.text)
    assert window.message_bar.text == (
        "The session would not open again: one of its tokens is too long to be shown; save "
        "the tokenizer instead. talk.bpesession stays as it was saved before."
    )
    assert path.read_bytes() == before


def test_a_session_that_is_dropped_takes_the_place_of_a_run_that_can_be_gone_back_to(
    opened: Opened, kept: Path, qtbot: QtBot
) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(4)
    with qtbot.waitSignal(window.session_keeper.opened):
        drop(window, kept)
    assert shows_four_words(window)
    act(window, "run1Action")
    assert window.player.position == 4
    assert window.controls.corpus_box.currentText() == "story.txt"


def test_a_session_that_is_opened_twice_has_its_past_runs_once(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    window = trained(qtbot, opened)
    window.controls.choose_preset("raw")
    window.run_control.train()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    path = tmp_path / "talk.bpesession"
    with qtbot.waitSignal(window.session_keeper.saved):
        window.session_keeper.save_to(path)
    listed = []
    for _ in range(3):
        with qtbot.waitSignal(window.session_keeper.opened):
            window.session_keeper.open_session(path)
        listed.append([action.text() for action in window.run_control.past.menu.actions()])
    raw, before = listed[0][:2]
    assert "raw on story.txt" in raw
    assert "gpt2 on story.txt" in before
    assert listed == [listed[0]] * 3


def test_the_stage_is_left_for_a_session(opened: Opened, kept: Path, qtbot: QtBot) -> None:
    window = trained(qtbot, opened)
    window.actions_.present.trigger()
    assert window.stage.on
    with qtbot.waitSignal(window.session_keeper.opened):
        window.session_keeper.open_session(kept)
    assert not window.stage.on
    assert shows_four_words(window)


@pytest.mark.parametrize("way", ["key", "button"])
def test_a_session_that_takes_long_is_told_of_and_can_be_left(
    opened: Opened, kept: Path, qtbot: QtBot, shut: Shut, way: str
) -> None:
    window = trained(qtbot, opened)
    window.player.scrub(4)
    gate = shut(file, "load_session")
    said = child(window, QLabel, "statusText")
    cancel = child(window, QToolButton, "cancelButton")
    assert not window.actions_.cancel.isEnabled()
    window.session_keeper.open_session(kept)
    assert window.actions_.cancel.isEnabled()
    qtbot.waitUntil(lambda: said.text() == "Reading talk.bpesession …")
    assert cancel.isVisible()
    if way == "key":
        qtbot.waitUntil(window.isActiveWindow)
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    else:
        cancel.click()
    assert not said.text().startswith("Reading")
    assert not cancel.isVisible()
    assert not window.actions_.cancel.isEnabled()
    with qtbot.waitSignal(window.session_keeper.files.rested):
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
    own = window.theme_choice.theme.name
    other = "light" if own == "dark" else "dark"
    path = tmp_path / "other.bpesession"
    looks = {"theme": other, "palette": "patterns"}
    layout = {**looks, "speed": 200.0, "workspace": "compare"}
    save_session(path, four_words(lanes=None, layout=layout))
    with qtbot.waitSignal(window.session_keeper.opened):
        window.session_keeper.open_session(path)
    assert (window.theme_choice.theme.name, window.player.speed) == (other, 200.0)
    assert window.palette_choice.palette.name == "patterns"
    end(window)
    again = begun()
    assert (again.theme_choice.theme.name, again.player.speed) == (own, 5.0)
    assert again.palette_choice.palette.name == "quiet"
    assert again.workspaces.shown is WorkspaceId.EXPLORE


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

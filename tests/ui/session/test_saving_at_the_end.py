"""What is to be written is written, also if the window is closed while other things are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QThread
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.sessions import file, load_session
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.pace import Gate, Rations, Shut


def open_when_waited_for(gate: Gate, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is at work goes on only when somebody waits for the thread of that name to end."""
    wait = QThread.wait

    def open_and_wait(thread: QThread) -> bool:
        if thread.objectName() == name:
            gate.open()
        return wait(thread)

    monkeypatch.setattr(QThread, "wait", open_and_wait)


def test_a_session_that_waits_to_be_saved_is_saved_when_the_window_closes(
    at_the_start: MainWindow,
    qtbot: QtBot,
    shut: Shut,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    gate = shut(file, "save_session")
    keeper = at_the_start.session_keeper
    keeper.save_to(tmp_path / "one.bpesession")
    qtbot.waitUntil(lambda: gate.arrived == 1)
    keeper.save_to(tmp_path / "other.bpesession")
    open_when_waited_for(gate, "sessions", monkeypatch)
    at_the_start.close()
    # That it is saved is told to nobody who would go on because of it.
    QCoreApplication.sendPostedEvents()
    _, again = app.create([])
    qtbot.addWidget(again)
    names = [Path(entry[0]).name for entry in again.recent_sessions.entries]
    again.close()
    assert names == ["other.bpesession", "one.bpesession"]
    assert load_session(tmp_path / "one.bpesession").text
    assert load_session(tmp_path / "other.bpesession").text


def test_the_merges_under_way_when_the_window_closes_are_saved(
    at_the_start: MainWindow,
    qtbot: QtBot,
    shut: Shut,
    rations: Rations,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = at_the_start
    rations.merges = 4
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.end == 4)
    gate = shut(Trainer, "advance")
    rations.more()
    qtbot.waitUntil(lambda: gate.arrived == 1)
    open_when_waited_for(gate, "training", monkeypatch)
    window.close()
    assert window.player.history is not None
    merges = len(window.player.history)
    assert merges > 4
    session = load_session(window.session_keeper.recovery_files.path)
    assert len(session.branches[0].history) == merges

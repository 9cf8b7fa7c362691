"""What several tests of the window share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets.motion import MergeMotion
from tests.own_folders import own_folders as own_folders
from tests.ui.driving import active
from tests.ui.in_turn import in_turn as in_turn
from tests.ui.pace import Gate, Rations, Shut
from tests.ui.windows import Windows


@pytest.fixture
def teller(qapp: object) -> Iterator[CorpusQueries]:
    """Queries with their thread; what tests a panel connects it to them."""
    made = CorpusQueries()
    yield made
    end_tasks(made)


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., MainWindow]]:
    """Opens a file of that name and text in a window, which is closed in the end."""
    windows = Windows()

    def opened(name: str, text: str, *arguments: str) -> MainWindow:
        path = tmp_path / name
        path.write_text(text)
        window = windows.open("open", str(path), "--vocab-size", "280", *arguments)
        window.activateWindow()
        return window

    yield opened
    windows.end()


@pytest.fixture
def with_words(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """A window with all merges of a few words, which has the keyboard."""
    window = opened("words.txt", "low lower lowest newest " * 9, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    return active(qtbot, window)


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shut]:
    """Shuts gates. Asked for after the thing that owns the thread, it opens them before."""
    gates: list[Gate] = []

    def shut(owner: type[Any], name: str) -> Gate:
        gates.append(Gate(monkeypatch, owner, name))
        return gates[-1]

    yield shut
    for gate in gates:
        gate.open()


@pytest.fixture
def rations(monkeypatch: pytest.MonkeyPatch) -> Rations:
    """Every order to train gives some merges only, from now on."""
    return Rations(monkeypatch)


@pytest.fixture
def at_the_start(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window as it stands there at the start."""
    windows = Windows()
    made = windows.open()
    made.activateWindow()
    qtbot.waitUntil(lambda: made.player.history is not None)
    yield made
    windows.end()


@pytest.fixture
def motion() -> MergeMotion:
    """The motion that a panel outside of a window follows."""
    return MergeMotion(None)

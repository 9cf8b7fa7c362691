"""When which panel is drawn: no frame is held up for long while a run comes and grows."""

from __future__ import annotations

from time import monotonic

import pytest
from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.workspaces.frame_scheduler import FrameScheduler
from tests.ui.panels.stories import four_words_run


class Frames(QObject):
    """What panels were told, frame by frame."""

    def __init__(self, scheduler: FrameScheduler) -> None:
        super().__init__(scheduler)
        self.told: list[list[str]] = [[]]
        scheduler.drew.connect(self._end)

    @Slot()
    def _end(self) -> None:
        self.told.append([])

    @property
    def all(self) -> list[str]:
        return [what for frame in self.told for what in frame]


class NotingPanel(QWidget):
    """Notes what it is told, and takes a millisecond for it."""

    def __init__(self, name: str, frames: Frames, window: QWidget) -> None:
        super().__init__(window)
        self._name, self._frames = name, frames
        self.resize(20, 20)

    def _note(self, what: str) -> None:
        self._frames.told[-1].append(f"{self._name} {what}")
        end = monotonic() + 0.001
        while monotonic() < end:
            pass

    def set_history(self, history: History | None) -> None:
        self._note("cleared" if history is None else "given")

    def show_position(self, position: int, live: bool) -> None:
        self._note("drawn")

    def select_token(self, token: int) -> None:
        """Nothing to do."""


@pytest.fixture
def player(qtbot: QtBot) -> Player:
    return Player()


@pytest.fixture
def frames(qtbot: QtBot, player: Player) -> Frames:
    """Of a window with the two panels a and b, which lie beside each other."""
    window = QMainWindow()
    qtbot.addWidget(window)
    scheduler = FrameScheduler(window, player)
    noted = Frames(scheduler)
    panels = [NotingPanel(name, noted, window) for name in "ab"]
    panels[1].move(30, 0)
    window.show()
    qtbot.waitExposed(window)
    scheduler.set_panels(panels)
    qtbot.waitUntil(lambda: len(noted.all) == 2)
    return noted


def test_without_a_run_one_panel_is_drawn_in_a_frame(frames: Frames) -> None:
    assert [frame for frame in frames.told if frame] == [["a cleared"], ["b cleared"]]


def test_a_run_that_grows_is_given_in_one_frame_and_drawn_in_another(
    qtbot: QtBot, frames: Frames, player: Player
) -> None:
    frames.told = [[]]
    player.load(four_words_run(3)[1])
    player.set_growing(True)
    qtbot.waitUntil(lambda: {"a drawn", "b drawn"} <= set(frames.all))
    player.set_growing(False)
    told = [frame for frame in frames.told if frame]
    assert all(len(frame) == 1 for frame in told)
    for name in "ab":
        own = [what for what in frames.all if what.startswith(name)]
        assert own[:2] == [f"{name} given", f"{name} drawn"]


def test_a_run_that_makes_way_is_cleared_panel_by_panel(
    qtbot: QtBot, frames: Frames, player: Player
) -> None:
    player.load(four_words_run(3)[1])
    qtbot.waitUntil(lambda: {"a drawn", "b drawn"} <= set(frames.all))
    frames.told = [[]]
    player.load(None)
    qtbot.waitUntil(lambda: len(frames.all) == 2)
    assert sorted(frame for frame in frames.told if frame) == [["a cleared"], ["b cleared"]]

"""Sessions of windows in tests: recorded, and what was to be seen when they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QTabBar, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.sessions import Session
from bpe_gui.sessions.file import from_bytes, to_bytes
from bpe_gui.ui.run.training import Phase, Training
from bpe_gui.ui.session.snapshot import capture
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import act, child

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50


def finished(qtbot: QtBot, window: MainWindow) -> None:
    """Let the run in training end."""
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    at_rest(qtbot, window)


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    """Let what is to be drawn be drawn."""
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())


def taken(window: MainWindow) -> Session:
    """The session of a window, through the bytes of its file."""
    session = capture(window.context)
    assert session is not None
    return from_bytes(to_bytes(session))


@pytest.fixture
def second(qtbot: QtBot) -> Iterator[MainWindow]:
    """Another window, as it opens by itself."""
    _, window = app.create()
    qtbot.waitUntil(lambda: window.player.history is not None)
    yield window
    window.close()
    window.deleteLater()


def never_train(monkeypatch: pytest.MonkeyPatch) -> None:
    """To train is an error from now on."""

    def prepare(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a session is opened without training")

    monkeypatch.setattr(Training, "prepare", prepare)


@dataclass(frozen=True)
class Facts:
    """What there is to be seen in a window, whichever workspace it shows."""

    title: str
    status: str
    branches: tuple[tuple[str, int], ...]
    shown: str
    position: int
    live: bool
    bookmarks: tuple[tuple[int, str], ...]
    recipe: Recipe
    speed: float
    theme: str
    palette: str
    coloured_by: str
    tells_last: bool
    token: int
    lanes: tuple[tuple[str, bool, bool], ...]
    text: str
    chosen: tuple[tuple[str, object], ...]


def facts_of(window: MainWindow) -> Facts:
    """What there is to be seen in a window now."""
    player, shown = window.player, window.branches.shown
    assert shown is not None
    place = window.workspaces.shown
    window.workspaces.explore()
    window.explore.make_all()
    facts = Facts(
        window.windowTitle(),
        # How long it took is not in a session, and is said only of what took a while.
        re.sub(r"Done in [\d.,]+ s", "Done", window.status.text),
        tuple((branch.name, len(branch.history)) for branch in window.branches.all),
        shown.name,
        player.position,
        player.live,
        tuple((mark.position, mark.name) for mark in player.bookmarks),
        window.controls.recipe(),
        player.speed,
        window.theme_choice.theme.name,
        window.palette_choice.palette.name,
        window.colouring_choice.name,
        window.actions_.tell_last.isChecked(),
        window.explore.token,
        tuple((lane.name, lane.follows, lane.step) for lane in window.compare.comparison.lanes),
        window.sample_text.text,
        tuple(
            (name, choice)
            for name, choice in sorted(window.view_state.values().items())
            if not name.endswith("Splitter")
        ),
    )
    window.workspaces.show_place(place)
    return facts


@dataclass(frozen=True)
class Recorded:
    """Files of sessions of one window in each workspace, and what there was to be seen."""

    files: dict[WorkspaceId, bytes]
    facts: Facts

    def session(self, place: WorkspaceId = WorkspaceId.EXPLORE) -> Session:
        """The session that was recorded while that workspace was shown."""
        return from_bytes(self.files[place])


_recorded: list[Recorded] = []
"""Made once: it takes a training or two."""


@pytest.fixture
def recorded(qtbot: QtBot, opened: Opened) -> Recorded:
    """A window with a branch, bookmarks, lanes, a text, a selected token and another look."""
    if _recorded:
        return _recorded[0]
    window = opened("story.txt", TEXT, "--start")
    finished(qtbot, window)
    window.player.add_bookmark(4)
    window.player.rename_bookmark(4, "here")
    window.player.scrub(5)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    finished(qtbot, window)
    window.player.scrub(7)
    window.sample_text.set("the rat 🐀")
    window.explore.select_token(260)
    window.compare.comparison.at_positions([3])
    window.player.set_speed(20.0)
    next(a for a in window.theme_choice.actions if a.data() == "light").trigger()
    window.palette_choice.choose("patterns")
    window.colouring_choice.choose("length")
    window.actions_.tell_last.setChecked(True)
    child(window.explore.curves, QTabBar, "curveTabs").setCurrentIndex(2)
    child(window, QLineEdit, "vocabularySearch").setText("at")
    for choice in ("filterRegexAction", "filterSpaceAction"):
        act(window, choice)
    child(window, QLineEdit, "wordsSearch").setText("at")
    child(window, QComboBox, "wordsOrder").setCurrentIndex(1)
    header = child(window, QTableView, "vocabularyTable").horizontalHeader()
    header.setSortIndicator(1, Qt.SortOrder.DescendingOrder)
    child(window.compare, QTabWidget, "numbersTabs").setCurrentIndex(1)
    child(window.laboratory.view, QTabWidget, "laboratoryTabs").setCurrentIndex(1)
    at_rest(qtbot, window)
    files = {}
    for place in WorkspaceId:
        window.workspaces.show_place(place)
        session = capture(window.context)
        assert session is not None
        files[place] = to_bytes(session)
    _recorded.append(Recorded(files, facts_of(window)))
    return _recorded[0]

"""A short tour through a window, and how its pages are gone to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView, QTextBrowser
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.next_merge import will_be_merged
from bpe_gui.ui.laboratory.boundary_wording import NOTHING_LOADED
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tour import scene_setting
from tests.ui.driving import child

KEY = Qt.Key

TOUR = """bpe-gui tour 1
title: A short tour

# First

## Words
corpus: four-words
preset: whitespace
text: newest
spotlight: words

There are {words} words.

## A question
spotlight: pairs

predict: Which pair comes next?
choices: the next pair

Look at the words.

then:
go to: 1
select: {last token}
spotlight: pairs 1-2
spotlight: vocabulary

It was {last pair}, {last count} times; {cut of "newest"}.

## Another question
go to: 1

A text of one's own.

predict: How many tokens is “newest” at the end?
choice: {tokens in "newest" at 0} tokens
choice: {tokens in "newest"} tokens
choice: 1 tokens
right: {tokens in "newest"} tokens

then:
play to: 15

It is {tokens in "newest"}.

# Second

## Another rule
ties: lowest-id
go to: 2

Merge 2 is {last pair}.

## Side by side
workspace: compare
text: newest low
lane: the run after 3 merges
lane: whitespace
spotlight: lanes

{tokens in lane 1} against {tokens in lane 2}: {lane with fewest tokens}.

## The laboratory
workspace: laboratory
spotlight: boundaries

Boundaries.
"""


@pytest.fixture
def own(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """A window with a run of the user's own, trained, the cursor at merge 3."""
    window = opened("mine.txt", "to be or not to be " * 9, "--preset", "gpt2", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
    )
    window.sample_text.set("to be")
    window.player.scrub(3)
    return window


@pytest.fixture
def window(at_the_start: MainWindow) -> MainWindow:
    return at_the_start


@pytest.fixture
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The short tour, in which nobody walks slowly."""
    monkeypatch.setattr(scene_setting, "_WALK_SECONDS", 0.5)
    path = tmp_path / "short.tour"
    path.write_text(TOUR)
    return path


def begin(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.touring.arrived):
        window.touring.open(path)


def go_on(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.touring.panel, KEY.Key_PageDown)


def go_back(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.touring.panel, KEY.Key_PageUp)


def go_to(qtbot: QtBot, window: MainWindow, page: int) -> None:
    with qtbot.waitSignal(window.touring.arrived):
        window.touring.go_to_page(page)


def points_beside_the_panel(window: MainWindow) -> bool:
    """Whether all is pointed to that is to be, and nothing of it lies under the panel."""
    touring = window.touring
    dock, holes = touring.dock, touring.spotlight.holes
    panel = dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))
    free = [hole for hole in holes if not hole.adjusted(4, 4, -4, -4).intersects(panel)]
    return len(free) == len(holes) == len(touring.moment.scene.spotlight)


def at_rest(window: MainWindow, qtbot: QtBot) -> None:
    """Let what is laid out a little later be so."""
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
    for _ in range(3):  # a layout may ask for another one
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def check_answers(window: MainWindow, qtbot: QtBot) -> None:
    """Words, Why, What if and the boundaries tell of the run in view, wherever one goes."""
    branch, workspace = window.branches.shown, window.explore
    assert branch is not None
    assert branch.history is window.player.history
    table = child(window, QTableView, "branchTable").model()
    names = [table.index(row, 0).data() for row in range(table.rowCount())]
    assert f"▸ {branch.name}" in names
    assert window.actions_.forbid.isEnabled()
    window.workspaces.explore()
    for name in ("wordsDock", "whyDock"):
        workspace.docks[name].show()
        workspace.docks[name].raise_()

    def answered() -> bool:
        listed, position = workspace.words.model.words, window.player.position
        why = child(window, QTextBrowser, "whyText").toPlainText()
        told = position + will_be_merged(branch.history, position)
        return (
            listed is not None
            and listed.corpus.history is branch.history
            and listed.position == position
            and re.search(rf"merge {told:,}\b", why) is not None
            and "looking through" not in why
        )

    qtbot.waitUntil(answered)
    position = window.player.position
    window.player.scrub(max(0, position - 1))
    qtbot.waitUntil(answered)
    window.player.scrub(position)
    window.workspaces.laboratory()
    sentence = window.findChild(QLabel, "boundarySentence")
    assert isinstance(sentence, QLabel)
    qtbot.waitUntil(lambda: sentence.text() != NOTHING_LOADED)
    window.workspaces.explore()

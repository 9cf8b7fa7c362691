"""What the user has chosen is kept from one window to the next."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QComboBox, QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import Start, choose, rows, written
from tests.ui.driving import act, child

DOCKS = (
    "textDock", "pairDock", "whyDock", "vocabularyDock", "treeDock", "wordsDock", "curvesDock",
    "branchesDock", "derivationDock", "spaceTimeDock", "concordanceDock",
)  # fmt: skip


@pytest.fixture
def begin(start: Start, qtbot: QtBot) -> Start:
    """Start the program, and wait until it has read its sample."""

    def begin(*arguments: str) -> QMainWindow:
        window = start(*arguments)
        qtbot.waitUntil(lambda: len(rows(window, "wordsTable")) == 4)
        return window

    return begin


def forget_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Have the next windows begin as if there had been none; returns where it was kept."""
    before = os.environ["XDG_CONFIG_HOME"]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    return before


def brightness(window: QWidget) -> int:
    """How bright the window is, from 0 to 255."""
    return window.palette().color(QPalette.ColorRole.Window).lightness()


def text_height(window: QWidget) -> int:
    """How high letters are, in pixels."""
    return child(window, QWidget, "sampleText").fontInfo().pixelSize()


def is_checked(window: QWidget, action: str) -> bool:
    """Whether an action is the chosen one."""
    return child(window, QAction, action).isChecked()


def test_colours_palette_and_text_size_are_kept(
    begin: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = begin()
    plain = text_height(first)
    act(first, "lightAction")
    qtbot.waitUntil(lambda: brightness(first) > 200)
    act(first, "strongPaletteAction")
    act(first, "ageColoursAction")
    act(first, "tellLastAction")
    act(first, "largerTextAction")
    act(first, "largerTextAction")
    qtbot.waitUntil(lambda: text_height(first) > plain)
    large = text_height(first)
    act(first, "darkAction")
    qtbot.waitUntil(lambda: brightness(first) < 80)
    act(first, "lightAction")
    first.close()
    kept = forget_all(monkeypatch, tmp_path)
    other = begin()
    qtbot.waitUntil(lambda: text_height(other) == plain)
    assert not is_checked(other, "lightAction")
    for chosen in ("strongPaletteAction", "ageColoursAction", "tellLastAction"):
        assert not is_checked(other, chosen)
    act(other, "darkAction")
    qtbot.waitUntil(lambda: brightness(other) < 80)
    other.close()
    monkeypatch.setenv("XDG_CONFIG_HOME", kept)
    second = begin()
    qtbot.waitUntil(lambda: text_height(second) == large)
    assert brightness(second) > 200
    assert is_checked(second, "lightAction")
    for chosen in ("strongPaletteAction", "ageColoursAction", "tellLastAction"):
        assert is_checked(second, chosen)
    act(second, "plainTextAction")
    qtbot.waitUntil(lambda: text_height(second) == plain)


def test_the_size_of_the_window_is_kept(begin: Start, qtbot: QtBot) -> None:
    first = begin()
    first.resize(799, 690)
    qtbot.waitUntil(lambda: first.height() == 690)
    size = first.size()
    first.close()
    assert begin().size() == size


@pytest.mark.parametrize("workspace", ["exploreAction", "compareAction"])
def test_a_window_without_some_panels_stays_small(
    start: Start, qtbot: QtBot, workspace: str
) -> None:
    first = start()
    usual = first.minimumHeight()
    for name in ("pairDock", "whyDock", "vocabularyDock", "treeDock", "branchesDock"):
        child(first, QDockWidget, name).toggleViewAction().trigger()
    act(first, workspace)
    qtbot.waitUntil(lambda: first.minimumHeight() < usual)
    first.resize(690, usual - 40)
    size = first.size()
    assert size.height() < usual
    first.close()
    assert start().size() == size


def test_the_places_of_the_panels_are_kept(
    begin: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = begin()
    text, vocabulary, tree = (
        child(first, QDockWidget, name) for name in ("textDock", "vocabularyDock", "treeDock")
    )
    first.tabifyDockWidget(text, vocabulary)
    tree.toggleViewAction().trigger()
    qtbot.waitUntil(tree.isHidden)
    arranged = arrangement(first)
    first.close()
    kept = forget_all(monkeypatch, tmp_path)
    other = begin()
    usual = arrangement(other)
    assert usual != arranged
    other.close()
    monkeypatch.setenv("XDG_CONFIG_HOME", kept)
    second = begin()
    qtbot.waitUntil(lambda: arrangement(second) == arranged)
    act(second, "resetLayoutAction")
    qtbot.waitUntil(lambda: arrangement(second) == usual)


def arrangement(window: QMainWindow) -> list[object]:
    """Which panels are shown, where, and which have the same place."""
    docks = [child(window, QDockWidget, name) for name in DOCKS]
    return [
        (
            dock.objectName(),
            dock.isHidden(),
            dock.isHidden() or window.dockWidgetArea(dock),
            sorted(
                other.objectName()
                for other in window.tabifiedDockWidgets(dock)
                if not (dock.isHidden() or other.isHidden())
            ),
        )
        for dock in docks
    ]


def test_the_speed_is_kept(begin: Start) -> None:
    first = begin()
    choose(child(first, QComboBox, "speedBox"), "20 a second")
    first.close()
    assert written(begin(), "speedBox") == "20 a second"


def test_all_choices_are_forgotten_and_brought_back(begin: Start, qtbot: QtBot) -> None:
    window = begin()
    plain = text_height(window)
    act(window, "largerTextAction")
    act(window, "strongPaletteAction")
    qtbot.waitUntil(lambda: text_height(window) > plain)
    act(window, "resetSettingsAction")
    qtbot.waitUntil(lambda: text_height(window) == plain)
    assert not is_checked(window, "strongPaletteAction")
    act(window, "undoResetAction")
    qtbot.waitUntil(lambda: text_height(window) > plain)
    assert is_checked(window, "strongPaletteAction")
    act(window, "plainTextAction")


def test_a_box_beside_a_search_is_as_high_as_before_when_text_is_small_again(
    begin: Start, qtbot: QtBot
) -> None:
    window = begin()
    box, plain = child(window, QComboBox, "wordsOrder"), text_height(window)
    before = box.height()
    for _ in range(4):
        act(window, "largerTextAction")
    qtbot.waitUntil(lambda: box.height() > before)
    act(window, "plainTextAction")
    qtbot.waitUntil(lambda: text_height(window) == plain)
    qtbot.waitUntil(lambda: box.height() == before)

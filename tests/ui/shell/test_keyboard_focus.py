"""Tab reaches every control, shows where it is, and everything that can be used has a name."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QPushButton,
    QTabBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

import bpe_gui
from bpe_gui.ui.export.animation_dialog import AnimationDialog
from bpe_gui.ui.export.hidden_panels import AnimationChoice
from bpe_gui.ui.help.helping import navigation_targets
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.widgets.keyboard import FocusRing
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.colour_vision import SEEN, contrast
from tests.ui.driving import active, child
from tests.ui.in_turn import InTurn, explore_again

MOST_LINKS = 80
"""Tab may stay in a text for each of its links, but not for ever."""


@pytest.fixture
def window(with_words: MainWindow) -> MainWindow:
    with_words.resize(1280, 800)
    return with_words


def show(window: MainWindow, place: WorkspaceId) -> None:
    getattr(window.workspaces, place.name.lower())()


def walk(window: MainWindow, qtbot: QtBot, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Every stop from the timeline round to it again."""
    window.player_bar.timeline.setFocus()
    stops = [window.player_bar.timeline]
    while True:
        focus = QApplication.focusWidget()
        for _ in range(MOST_LINKS):
            qtbot.keyClick(QApplication.focusWidget(), key)
            if QApplication.focusWidget() is not focus:
                break
        else:
            pytest.fail(f"{focus} does not let go of the keyboard")
        stop = QApplication.focusWidget()
        if stop in stops:
            assert stop is stops[0], f"{stop} leads back to itself, past the rest of the window"
            return stops
        stops.append(stop)


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def part_of(widget: QWidget) -> str:
    """The dock or the bar in which it stands, or the workspace."""
    part: QWidget | None = widget
    while part is not None and not isinstance(part, QDockWidget | QToolBar):
        part = part.parentWidget()
    return part.objectName() if part is not None else ""


def check_tab_goes_through_all_of_a_workspace_part_by_part(
    window: MainWindow, qtbot: QtBot
) -> None:
    must = {
        WorkspaceId.EXPLORE: (
            "pairChart",
            "sampleText",
            "tokenView",
            "wordsTable",
            "vocabularyTable",
        ),
        WorkspaceId.COMPARE: ("compareText", "laneView", "metricsTable", "addEncodingButton"),
        WorkspaceId.LABORATORY: ("recipeBaseBox", "pipelineView", "trainRecipeButton"),
    }
    for place in WorkspaceId:
        show(window, place)
        stops = walk(window, qtbot)
        for stop in stops:
            within = stop.rect().translated(stop.mapTo(window, QPoint(0, 0)))
            assert stop.isVisible()
            assert window.rect().intersects(within), f"{stop} is out of sight"
            assert name_of(stop).strip(), f"{stop} has no name"
        everywhere = ("timeline", "corpusBox", "workspaceTabs")
        assert {*must[place], *everywhere} <= {stop.objectName() for stop in stops}
        parts = [part_of(stop) for stop in stops if not isinstance(stop, QTabBar)]
        # The walk begins within a bar, so that one may come again at the very end.
        runs = [part for part, _ in groupby(parts)]
        runs = runs[1:] if runs[0] == runs[-1] else runs
        assert len(set(runs)) == len(runs), runs
        if place is WorkspaceId.EXPLORE:
            back = walk(window, qtbot, Qt.Key.Key_Backtab)
            assert back[1:] == stops[:0:-1]
            check_a_panel_is_read_from_top_to_bottom(window, stops)


def check_a_panel_is_read_from_top_to_bottom(window: MainWindow, stops: list[QWidget]) -> None:
    for part in ("textDock", "wordsDock", "vocabularyDock", "treeDock"):
        tops = [
            stop.mapTo(window, QPoint(0, 0)).y() // 12 for stop in stops if part_of(stop) == part
        ]
        assert tops == sorted(tops), part


def check_what_goes_while_the_keyboard_is_elsewhere_takes_nothing_along(
    window: MainWindow, qtbot: QtBot
) -> None:
    walk(window, qtbot)
    window.message_bar.offer("test", "There is an offer.", "Accept")
    walk(window, qtbot)
    window.helping.navigator.go(navigation_targets()[0])
    bar = window.menuBar()
    docks = window.explore.docks.values()
    kept = [bar, *bar.actions(), *(dock.toggleViewAction() for dock in docks)]
    window.actions_.dismiss.trigger()
    message = window.findChild(QWidget, "message")
    qtbot.waitUntil(lambda: message is None or not isValid(message))
    assert all(map(isValid, kept))
    window.resize(900, 700)


@pytest.mark.parametrize("asked", ["InFocusChain(", ".itemAt("])
def test_nobody_asks_qt_for_what_makes_wrappers_invalid(asked: str) -> None:
    """What comes next in the order of focus belongs to what was asked from then on, and goes with
    it; items of layouts are deleted unseen, and other objects at their address taken for them."""
    package = Path(bpe_gui.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    assert len(sources) > 100
    assert not any(asked in source for source in sources)


# -- the ring ------------------------------------------------------------------------------------


def luminous(image: QImage, place: QPoint) -> str:
    return image.pixelColor(place).name()


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_a_ring_that_is_seen_stands_around_what_has_the_keyboard(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    window.theme_choice.choose(theme.name)
    assert window.findChild(FocusRing) is None, "nobody has used Tab yet"
    for place in WorkspaceId:
        show(window, place)
        for stop in walk(window, qtbot):
            stop.setFocus()
            ring = child(window, FocusRing, "focusRing")
            assert ring.isVisible()
            assert ring.target is stop
            within = stop.rect().translated(stop.mapTo(window, QPoint(0, 0)))
            assert ring.geometry().intersects(within)
            assert ring.mask().contains(QPoint(ring.width() // 2, 0))
            assert not ring.mask().contains(ring.rect().center())
            edge = ring.geometry().topLeft() + QPoint(ring.width() // 2, 0)
            seen = window.grab(QRect(edge, QSize(1, 1))).toImage()
            assert luminous(seen, QPoint()) == theme.accent, stop
    for ground in (theme.window, theme.panel, theme.raised, theme.border):
        assert contrast(theme.accent, ground) >= (SEEN if ground != theme.border else 2)


def check_the_ring_goes_with_a_click_and_comes_with_tab(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = window.player_bar.timeline
    qtbot.keyClick(timeline, Qt.Key.Key_Tab)
    ring = child(window, FocusRing, "focusRing")
    assert ring.isVisible()
    tokens = child(window, QWidget, "tokenView")
    with monkeypatch.context() as patch:
        patch.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
        tokens.setFocus()
    assert not ring.isVisible()
    timeline.setFocus()
    assert not ring.isVisible()
    qtbot.keyClick(timeline, Qt.Key.Key_Tab)
    assert ring.isVisible()
    assert ring.target is QApplication.focusWidget()


def check_dialogs_have_a_ring_too(window: MainWindow, qtbot: QtBot) -> None:
    dialog = AnimationDialog(AnimationChoice(), 10, window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert dialog.findChild(FocusRing) is None, "nothing has moved yet"
    seen = set()
    for _ in range(60):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        ring = child(dialog, FocusRing, "focusRing")
        assert ring.isVisible()
        assert ring.target is focus
        assert name_of(focus).strip(), focus
        seen.add(focus)
    assert len(seen) > 8
    dialog.close()
    # No window manager gives the keyboard back.
    active(qtbot, window)


def check_the_ring_follows_what_moves(window: MainWindow, qtbot: QtBot) -> None:
    show(window, WorkspaceId.COMPARE)
    window.player_bar.timeline.setFocus()
    qtbot.keyClick(window.player_bar.timeline, Qt.Key.Key_Tab)
    ring = child(window, FocusRing, "focusRing")
    lanes = child(window, QWidget, "laneView")
    lanes.setFocus()
    before = ring.geometry()
    window.actions_.lanes_alone.trigger()
    qtbot.waitUntil(lambda: ring.geometry() != before)
    assert ring.geometry().contains(lanes.mapTo(window, lanes.rect().center()))
    show(window, WorkspaceId.EXPLORE)
    assert ring.target is not lanes or not ring.isVisible()


def check_the_ring_goes_with_what_is_taken_away(window: MainWindow, qtbot: QtBot) -> None:
    outer = QWidget(window)
    column = QVBoxLayout(outer)
    column.addWidget(QPushButton("One"))
    button = QPushButton("Another")
    column.addWidget(button)
    outer.setGeometry(100, 100, 200, 100)
    outer.show()
    button.setFocus()
    window.focus_rings.use_keyboard()
    ring = child(window, FocusRing, "focusRing")
    assert ring.target is button
    outer.deleteLater()
    qtbot.waitUntil(lambda: not isValid(outer))
    assert not ring.isVisible() or ring.target is QApplication.focusWidget()
    qtbot.keyClick(window, Qt.Key.Key_Tab)
    assert ring.target is QApplication.focusWidget()


def check_no_ring_comes_where_what_was_clicked_is_hidden(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = child(window, FocusRing, "focusRing")
    for place in WorkspaceId:
        show(window, place)
        button = QPushButton("Gone", window)
        button.show()
        with monkeypatch.context() as patch:
            patch.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
            button.setFocus()
        button.hide()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not button)  # noqa: B023
        assert not ring.isVisible(), place
        button.deleteLater()
    show(window, WorkspaceId.EXPLORE)


def test_the_ring_comes_moves_and_goes(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_dialogs_have_a_ring_too(window, qtbot)
    check_the_ring_goes_with_a_click_and_comes_with_tab(window, qtbot, monkeypatch)
    check_the_ring_goes_with_what_is_taken_away(window, qtbot)
    check_the_ring_follows_what_moves(window, qtbot)
    check_no_ring_comes_where_what_was_clicked_is_hidden(window, qtbot, monkeypatch)


def check_the_stage_and_its_choice_have_a_ring_and_no_trap(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.actions_.choose_panels.trigger()
    stage = window.stage.show_window
    for least in (8, 4):
        active(qtbot, stage)
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        stops: list[QWidget] = []
        for _ in range(200):
            focus = QApplication.focusWidget()
            assert focus.window() is stage
            qtbot.keyClick(focus, Qt.Key.Key_Tab)
            focus = QApplication.focusWidget()
            if focus is not stage:
                ring = child(stage, FocusRing, "focusRing")
                assert ring.isVisible(), focus
                assert ring.target is focus
            assert name_of(focus).strip(), focus
            if focus in stops[:1]:
                break
            stops.append(focus)
        else:
            pytest.fail("Tab does not come round")
        assert len(set(stops)) >= least
        window.stage.show_panels()
    child(stage, QWidget, "tokenView").setFocus()
    assert not child(stage, FocusRing, "focusRing").isVisible(), "nobody used Tab for that"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not stage.isVisible()


def test_the_keyboard(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_tab_goes_through_all_of_a_workspace_part_by_part,
        check_what_goes_while_the_keyboard_is_elsewhere_takes_nothing_along,
        check_the_stage_and_its_choice_have_a_ring_and_no_trap,
    )

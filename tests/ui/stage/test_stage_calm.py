"""On the stage nothing comes up unasked, and a run looks the same every time."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QTextBrowser,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.run.player import EACH_FRAME
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage import show as stage_window
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.stage.stage import StagePanels
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.stage.entered_stage import choose, entered, left
from tests.ui.stage.stages import at_rest, seen

KEY = Qt.Key


# -- calm -----------------------------------------------------------------------------------------


def check_no_hint_and_no_menu_comes_up(window: MainWindow, show: Show) -> None:
    chart = window.explore.pair_chart
    place = QPoint(40, 20)
    for event in (
        QHelpEvent(QHelpEvent.Type.ToolTip, place, chart.mapToGlobal(place)),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, chart.mapToGlobal(place)),
    ):
        QApplication.sendEvent(chart, event)
        assert not QToolTip.isVisible()
        assert QApplication.activePopupWidget() is None


def check_messages_wait_in_the_window(window: MainWindow, show: Show) -> None:
    window.message_bar.show_message("The corpus could not be read.")
    assert window.message_bar.window() is window
    assert QApplication.activePopupWidget() is None
    assert QApplication.activeModalWidget() is None
    QTest.keyClick(show, KEY.Key_F11)
    assert window.message_bar.isVisible()
    assert "could not be read" in window.message_bar.text


def test_nothing_comes_up_on_the_stage(window: MainWindow, show: Show) -> None:
    check_no_hint_and_no_menu_comes_up(window, show)
    check_messages_wait_in_the_window(window, show)


ON_STAGE = {
    "pause", "play", "step", "step_back", "home", "end", "live", "faster", "slower",
    "bookmark", "next_bookmark", "previous_bookmark", "animate", "forbid", "force",
    "next_branch", "guess", "next_difference", "previous_difference", "next_palette", "tour",
    "short_tour", "next_page", "previous_page", "leave_tour",
}  # fmt: skip
OF_THE_STAGE = {"present", "cancel"}
"""Actions whose keys mean something else there: they leave the stage."""


def check_every_key_of_the_window_shows_the_run_or_does_nothing(
    window: MainWindow, qtbot: QtBot, place: WorkspaceId
) -> None:
    window.workspaces.show_place(place)
    choose(window, "text", "why", "boundaries", "numbers")
    show = entered(window, qtbot)
    before = docks_of(window)
    for name in Actions.__struct_fields__:
        action: QAction = getattr(window.actions_, name)
        if name in OF_THE_STAGE:
            continue
        done = QSignalSpy(action.triggered)
        enabled = action.isEnabled()
        for key in action.shortcuts():
            show.setFocus()
            pressed = key[0]
            QTest.keyClick(show, pressed.key(), pressed.keyboardModifiers())
        assert bool(done.count()) is (name in ON_STAGE and enabled), name
        if name == "guess":
            action.setChecked(False)
        elif name in ("tour", "short_tour"):
            # It begins as soon as all late parts of the window are made.
            qtbot.waitUntil(lambda: window.touring.active)
            window.actions_.leave_tour.trigger()
        assert window.stage.on, name
        assert window.workspaces.shown is place, name
        assert QApplication.activePopupWidget() is None, name
        assert QApplication.activeModalWidget() is None, name
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    assert docks_of(window) == before
    left(window, qtbot)
    assert docks_of(window) == before


def test_every_key_of_the_window_shows_the_run_or_does_nothing(
    window: MainWindow, qtbot: QtBot
) -> None:
    for place in list(WorkspaceId):
        check_every_key_of_the_window_shows_the_run_or_does_nothing(window, qtbot, place)


def docks_of(window: MainWindow) -> dict[str, tuple[bool, bool]]:
    """Which docks of the window are closed, and which stand before others."""
    docks = window.findChildren(QDockWidget)
    return {
        dock.objectName(): (dock.isHidden(), dock.visibleRegion().isEmpty()) for dock in docks
    }


def check_what_asks_in_a_window_is_not_to_be_had(
    window: MainWindow, qtbot: QtBot, panel: str
) -> None:
    choose(window, panel)
    show = entered(window, qtbot)
    widget = StagePanels(window.context, window.touring.panel).widget(panel)
    for part in (widget, *widget.findChildren(QWidget)):
        for action in part.actions():
            if action.text().endswith("…"):
                done = QSignalSpy(action.triggered)
                action.setEnabled(True)
                part.setFocus()
                for key in action.shortcuts():
                    QTest.keyClick(part, key[0].key(), key[0].keyboardModifiers())
                assert done.count() == 0, action.text()
                assert QApplication.activeModalWidget() is None
        if isinstance(part, QAbstractButton):
            assert not (part.isVisibleTo(show) and part.text().endswith("…")), part.text()
    left(window, qtbot)


def test_what_asks_in_a_window_is_not_to_be_had(window: MainWindow, qtbot: QtBot) -> None:
    for panel in ["numbers", "words", "vocabulary", "lanes", "branches"]:
        check_what_asks_in_a_window_is_not_to_be_had(window, qtbot, panel)


def test_the_pointer_hides_when_still(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_window, "STILL_MILLISECONDS", 30)
    QTest.keyClick(window, KEY.Key_F11)
    show = window.stage.show_window
    qtbot.waitUntil(lambda: QGuiApplication.overrideCursor() is not None)
    shape = QGuiApplication.overrideCursor()
    assert shape.shape() is Qt.CursorShape.BlankCursor
    places = cycle((5, 9))

    def is_seen_after_a_move() -> bool:
        # It hides again soon, so that one who looks later may miss it.
        place = show.rect().center() + QPoint(next(places), 5)
        QTest.mouseMove(show.windowHandle(), place)
        return QGuiApplication.overrideCursor() is None

    qtbot.waitUntil(is_seen_after_a_move)
    qtbot.waitUntil(lambda: QGuiApplication.overrideCursor() is not None)
    QTest.keyClick(show, KEY.Key_F11)
    assert QGuiApplication.overrideCursor() is None


# -- the same every time --------------------------------------------------------------------------


def text_of_why(window: MainWindow) -> str:
    return child(window.explore.why, QTextBrowser, "whyText").toPlainText()


def stepped(window: MainWindow, show: Show, qtbot: QtBot) -> list[dict[str, Any]]:
    """What is seen at each position, gone through from the start by the keys of a clicker."""
    QTest.keyClick(show, KEY.Key_Home)
    found = []
    while True:
        at_rest(qtbot, window)
        qtbot.waitUntil(lambda: "looking through" not in text_of_why(window))
        found.append(seen(window))
        if window.player.position == window.player.end:
            return found
        QTest.keyClick(show, KEY.Key_PageDown)


def played(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speed: float
) -> list[tuple[int, list[int], list[int]]]:
    """Position, tokens and colours of what is drawn, played from the start to the end."""
    frames: list[tuple[int, list[int], list[int]]] = []

    view = child(window.explore.text_panel, TokenView, "tokenView")
    set_cut = view.set_cut

    def note(
        cut: TokenizedText, history: History, position: int, merging: NDArray[np.bool_]
    ) -> None:
        frames.append((position, cut.ids.tolist(), cut.colours.tolist()))
        set_cut(cut, history, position, merging)

    window.player.set_speed(speed)
    QTest.keyClick(show, KEY.Key_Home)
    at_rest(qtbot, window)
    monkeypatch.setattr(view, "set_cut", note)
    QTest.keyClick(show, KEY.Key_Space)
    qtbot.waitUntil(lambda: window.player.position == window.player.end)
    at_rest(qtbot, window)
    monkeypatch.setattr(view, "set_cut", set_cut)
    return frames


def test_a_run_is_the_same_every_time(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    QTest.keyClick(show, KEY.Key_3)
    first = stepped(window, show, qtbot)
    assert len(first) == 16
    assert stepped(window, show, qtbot) == first
    for speed in (20.0, EACH_FRAME):
        frames = played(window, show, qtbot, monkeypatch, speed)
        positions = [position for position, *_ in frames]
        assert positions == sorted(positions)
        assert positions[-1] == 15
        for position, tokens, colours in frames:
            assert tokens == first[position]["tokens"]
            assert colours == first[position]["colours"]
        qtbot.waitUntil(lambda: "looking through" not in text_of_why(window))
        assert seen(window) == first[-1]

"""Presenting, through the window: F11, what is seen then, and how it ends."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.panels.painted import painted_texts
from tests.ui.stage.entered_stage import choose, entered, left, panels_of
from tests.ui.stage.stages import at_rest, standing

KEY = Qt.Key


def test_f11_shows_the_chosen_panels_alone(window: MainWindow, show: Show) -> None:
    assert show.isFullScreen()
    assert show.isVisible()
    workspace = window.explore
    assert workspace.pair_chart.window() is show
    assert workspace.text_panel.window() is show
    assert workspace.vocabulary.window() is window
    assert len(panels_of(show)) == 2
    line = show.board.line.accessibleName()
    assert line.startswith("2 / 15   Next: merge 3: est + </w> → est</w>, 9 times")


def test_the_line_of_the_run_stands_below_panels_that_show_the_run(
    window: MainWindow, qtbot: QtBot, show: Show
) -> None:
    comparison, line = window.compare.comparison, show.board.line
    assert line.isVisible()
    choose(window, "lanes", "numbers")
    following = [lane for lane in comparison.lanes if lane.follows]
    assert line.isVisible() == bool(following)
    for lane in following:
        comparison.remove(lane.key)
    qtbot.waitUntil(lambda: not line.isVisible())
    choose(window, "lanes", "why")
    assert line.isVisible()
    choose(window, "pipeline")
    assert not line.isVisible()
    choose(window, "lanes")
    comparison.add_following()
    qtbot.waitUntil(line.isVisible)


def check_it_is_left_by_a_key_and_by_closing_it(window: MainWindow, qtbot: QtBot) -> None:
    for leave in (
        lambda show: QTest.keyClick(show, KEY.Key_F11),
        lambda show: QTest.keyClick(show, KEY.Key_Escape),
        QWidget.close,
    ):
        show = entered(window, qtbot)
        leave(show)
        assert not show.isVisible()
        assert not window.stage.on
        assert window.explore.pair_chart.window() is window
        assert window.explore.text_panel.window() is window


def check_everything_stands_as_before(
    window: MainWindow, qtbot: QtBot, workspace: WorkspaceId, panels: tuple[str, ...]
) -> None:
    window.workspaces.show_place(workspace)
    if workspace is WorkspaceId.EXPLORE:
        window.explore.docks["curvesDock"].raise_()
        child(window.explore.text_panel, QPlainTextEdit, "sampleText").setFocus()
    choose(window, *panels)
    # What is made when it is first seen is there.
    entered(window, qtbot)
    left(window, qtbot)
    focus, before = QApplication.focusWidget(), standing(window)
    show = entered(window, qtbot)
    for key in (KEY.Key_D, KEY.Key_1, KEY.Key_4, KEY.Key_3):
        QTest.keyClick(show, key)
        at_rest(qtbot, window)
    left(window, qtbot)
    after = standing(window)
    moved = {key: (before.get(key), after.get(key)) for key in before.keys() | after.keys()}
    for key, (was, now) in moved.items():
        assert was == now, key
    assert QApplication.focusWidget() is focus


def test_everything_stands_as_before(window: MainWindow, qtbot: QtBot) -> None:
    for workspace, panels in [
        (WorkspaceId.EXPLORE, ("pairs", "text", "why", "vocabulary")),
        (WorkspaceId.EXPLORE, ("token", "words", "curves", "derivation")),
        (WorkspaceId.EXPLORE, ("branches", "lanes", "pipeline", "text")),
        (WorkspaceId.COMPARE, ("lanes", "numbers")),
        (WorkspaceId.COMPARE, ("pairs", "lanes")),
        (WorkspaceId.LABORATORY, ("pipeline", "boundaries", "lockstep")),
        (WorkspaceId.LABORATORY, ("text", "numbers", "boundaries")),
    ]:
        check_everything_stands_as_before(window, qtbot, workspace, panels)


def check_what_is_in_a_panel_outlives_the_stage(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "pipeline")
    bar = window.laboratory.view.pipeline.verticalScrollBar()
    for _ in range(2):
        entered(window, qtbot)
        left(window, qtbot)
        gc.collect()
        assert isValid(bar)


def check_an_encoding_may_fail_while_the_lanes_are_on_the_stage(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(window, "lanes")
    entered(window, qtbot)
    window.compare.add_menu.add_path(tmp_path / "gone.json")
    qtbot.waitUntil(lambda: window.compare.findChild(QWidget, "tryAgainButton") is not None)
    left(window, qtbot)


def test_the_window_closes_from_the_stage(window: MainWindow, show: Show) -> None:
    window.close()
    assert not show.isVisible()
    assert window.explore.pair_chart.window() is window


def check_a_floating_panel_goes_on_stage_and_back(window: MainWindow, qtbot: QtBot) -> None:
    dock = window.explore.docks["textDock"]
    dock.setFloating(True)
    at_rest(qtbot, window)
    place = dock.geometry()
    window.stage.toggle()
    at_rest(qtbot, window)
    assert window.explore.text_panel.window() is window.stage.show_window
    window.stage.toggle()
    at_rest(qtbot, window)
    assert window.explore.text_panel.window() is dock
    assert dock.geometry() == place
    dock.setFloating(False)


def test_what_stands_behind_the_stage_is_not_drawn(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    drawn: list[int] = []
    vocabulary = window.explore.vocabulary
    show_position = vocabulary.show_position

    def note(position: int, live: bool) -> None:
        drawn.append(position)
        show_position(position, live)

    vocabulary.show_position = note  # type: ignore[method-assign]
    QTest.keyClick(show, KEY.Key_PageDown)
    at_rest(qtbot, window)
    assert drawn == []
    QTest.keyClick(show, KEY.Key_F11)
    at_rest(qtbot, window)
    assert drawn == [3]


def check_among_four_panels_the_reason_is_a_whole_sentence(
    window: MainWindow, qtbot: QtBot
) -> None:
    choose(window, "pairs", "text", "why", "vocabulary")
    show = entered(window, qtbot)
    window.player.scrub(6)
    at_rest(qtbot, window)
    why = child(show, QTextBrowser, "whyText")
    end = why.document().find("so they become “new”.")
    assert not end.isNull()
    assert why.viewport().rect().contains(why.cursorRect(end))
    left(window, qtbot)


def check_beside_another_panel_the_pairs_are_more_than_an_ellipsis(
    window: MainWindow, qtbot: QtBot
) -> None:
    choose(window, "pairs", "text")
    entered(window, qtbot)
    window.player.scrub(7)
    at_rest(qtbot, window)
    written = painted_texts(window.explore.pair_chart)
    assert {"new", "low", "</w>"} <= set(written)
    assert "…" not in written
    left(window, qtbot)


@pytest.mark.qt_log_ignore("does not support raise")
def test_the_stage_is_entered_and_left_with_any_panels(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    check_it_is_left_by_a_key_and_by_closing_it(window, qtbot)
    check_a_floating_panel_goes_on_stage_and_back(window, qtbot)
    check_what_is_in_a_panel_outlives_the_stage(window, qtbot)
    check_among_four_panels_the_reason_is_a_whole_sentence(window, qtbot)
    check_beside_another_panel_the_pairs_are_more_than_an_ellipsis(window, qtbot)
    check_an_encoding_may_fail_while_the_lanes_are_on_the_stage(window, qtbot, tmp_path)

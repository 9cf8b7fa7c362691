"""Presenting, through the window: F11, what is seen then, its keys, and how it ends."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QPushButton,
    QTableView,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.actions import Actions
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.player import EACH_FRAME
from bpe_gui.ui.stage import pointer
from bpe_gui.ui.stage.chooser import Chooser
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.tokens.cut import Cut
from bpe_gui.ui.training import Phase
from bpe_gui.ui.workspaces import Place
from tests.ui.stages import CORPUS, at_rest, seen, standing
from tests.ui.widgets import child

KEY = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """The four words, trained to the end, the cursor behind the second merge."""
    window = opened("words.csv", CORPUS, "--preset", "whitespace", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
        timeout=60_000,
    )
    window.player.scrub(2)
    at_rest(qtbot, window)
    return window


@pytest.fixture
def show(window: MainWindow, qtbot: QtBot) -> Show:
    """The stage, up."""
    return entered(window, qtbot)


def entered(window: MainWindow, qtbot: QtBot) -> Show:
    """Go on the stage by its key, and see it."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, KEY.Key_F11)
    show = window.stage.show_window
    qtbot.waitUntil(show.isActiveWindow)
    at_rest(qtbot, window)
    return show


def left(window: MainWindow, qtbot: QtBot) -> None:
    """Leave the stage by its key."""
    QTest.keyClick(window.stage.show_window, KEY.Key_F11)
    qtbot.waitUntil(window.isActiveWindow)
    at_rest(qtbot, window)


def panels_of(show: Show) -> list[QWidget]:
    frames = show.board.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [frame for frame in frames if frame.isVisible() and frame is not show.board.line]


def choose(window: MainWindow, *panels: str) -> None:
    window.stage.choice = {"panels": list(panels), "layout": len(panels)}


# -- entering and leaving -------------------------------------------------------------------------


def test_f11_shows_the_chosen_panels_alone(window: MainWindow, show: Show) -> None:
    assert show.isFullScreen()
    assert show.isVisible()
    workspace = window.workspace
    assert workspace.pair_chart.window() is show
    assert workspace.text_panel.window() is show
    assert workspace.vocabulary.window() is window
    assert len(panels_of(show)) == 2
    assert show.board.line.text.startswith("2 / 15   merge 2: es + t → est, 9 times")


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


@pytest.mark.parametrize("key", [KEY.Key_F11, KEY.Key_Escape])
def test_it_is_left_by_a_key(window: MainWindow, show: Show, key: Qt.Key) -> None:
    QTest.keyClick(show, key)
    assert not show.isVisible()
    assert not window.stage.on
    assert window.pair_chart.window() is window


@pytest.mark.parametrize(
    ("workspace", "panels"),
    [
        (Place.EXPLORE, ("pairs", "text", "why", "vocabulary")),
        (Place.EXPLORE, ("token", "words", "curves", "derivation")),
        (Place.EXPLORE, ("branches", "lanes", "pipeline", "text")),
        (Place.COMPARE, ("lanes", "numbers")),
        (Place.COMPARE, ("pairs", "lanes")),
        (Place.LABORATORY, ("pipeline", "wall", "lockstep")),
        (Place.LABORATORY, ("text", "numbers", "wall")),
    ],
)
def test_everything_stands_as_before(
    window: MainWindow, qtbot: QtBot, workspace: Place, panels: tuple[str, ...]
) -> None:
    window.workspaces.show_place(workspace)
    if workspace is Place.EXPLORE:
        window.workspace.docks["curvesDock"].raise_()
        window.text_panel._editor.setFocus()
    choose(window, *panels)
    # What is made when it is first seen is there.
    entered(window, qtbot)
    left(window, qtbot)
    focus, before = QApplication.focusWidget(), standing(window)
    for _ in range(2):
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


def test_the_window_closes_from_the_stage(window: MainWindow, show: Show) -> None:
    window.close()
    assert not show.isVisible()
    assert window.pair_chart.window() is window


def test_closing_the_stage_leaves_it(window: MainWindow, show: Show) -> None:
    show.close()
    assert not window.stage.on
    assert window.text_panel.window() is window


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_floating_panel_goes_on_stage_and_back(window: MainWindow, qtbot: QtBot) -> None:
    dock = window.workspace.docks["textDock"]
    dock.setFloating(True)
    at_rest(qtbot, window)
    place = dock.geometry()
    window.stage.toggle()
    at_rest(qtbot, window)
    assert window.text_panel.window() is window.stage.show_window
    window.stage.toggle()
    at_rest(qtbot, window)
    assert window.text_panel.window() is dock
    assert dock.geometry() == place


def test_what_stands_behind_the_stage_is_not_drawn(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    drawn: list[int] = []
    vocabulary = window.workspace.vocabulary
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


# -- keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_numbers_choose_the_layout(
    window: MainWindow, show: Show, qtbot: QtBot, count: int
) -> None:
    QTest.keyClick(show, Qt.Key(KEY.Key_0 + count))
    at_rest(qtbot, window)
    frames = panels_of(show)
    assert len(frames) == count
    assert window.stage.choice["layout"] == count
    areas = [frame.geometry() for frame in frames]
    for one, other in itertools.pairwise(areas):
        assert not one.intersects(other)
    assert all(area.bottom() < show.board.line.y() for area in areas)


def test_no_more_panels_are_seen_than_are_chosen(window: MainWindow, show: Show) -> None:
    choose(window, "why", "words")
    QTest.keyClick(show, KEY.Key_4)
    assert len(panels_of(show)) == 2


def test_the_keys_of_a_clicker_step(window: MainWindow, show: Show) -> None:
    for key, position in (
        (KEY.Key_PageDown, 3),
        (KEY.Key_PageDown, 4),
        (KEY.Key_PageUp, 3),
    ):
        QTest.keyClick(show, key)
        assert window.player.position == position


def test_they_step_where_they_would_scroll(window: MainWindow, show: Show) -> None:
    choose(window, "vocabulary", "text")
    table = window.vocabulary.findChild(QWidget, "vocabularyTable")
    for widget in (table, window.text_panel._editor):
        assert widget is not None
        widget.setFocus()
        before = window.player.position
        QTest.keyClick(widget, KEY.Key_PageDown)
        assert window.player.position == before + 1


def test_page_keys_scroll_elsewhere(window: MainWindow) -> None:
    QTest.keyClick(window, KEY.Key_PageDown)
    assert window.player.position == 2


def test_the_keys_of_the_window_play_on_stage(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_Right)
    assert window.player.position == 3
    QTest.keyClick(show, KEY.Key_Home)
    assert window.player.position == 0
    window.player.set_speed(EACH_FRAME)
    QTest.keyClick(show, KEY.Key_Space)
    qtbot.waitUntil(lambda: window.player.position == 15)


def test_letters_are_typed_into_a_text(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    editor = window.text_panel._editor
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "bcd 1.")
    assert window.text_panel.text() == "bcd 1."
    assert len(panels_of(show)) == 2
    QTest.keyClick(editor, KEY.Key_1, ALT)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 1


def test_what_is_typed_is_cut_in_all_panels(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    choose(window, "text", "lanes", "pipeline")
    editor = window.text_panel._editor
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "lowest")
    comparison = window.compare.comparison
    qtbot.waitUntil(lambda: comparison.up_to_date and comparison.text == "lowest")
    assert window.laboratory.text() == "lowest"


@pytest.mark.parametrize("panel", ["lanes", "numbers"])
def test_parts_of_another_workspace_follow_the_cursor(
    window: MainWindow, show: Show, qtbot: QtBot, panel: str
) -> None:
    choose(window, panel)
    at_rest(qtbot, window)
    comparison = window.compare.comparison
    qtbot.waitUntil(lambda: comparison.result is not None)
    assert comparison.position == 2
    QTest.keyClick(show, KEY.Key_PageDown)
    at_rest(qtbot, window)
    assert comparison.position == 3
    assert [lane.name for lane in comparison.lanes]


def test_views_of_the_laboratory_follow_the_cursor(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    choose(window, "pipeline")
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_PageDown)
    at_rest(qtbot, window)
    assert window.laboratory._position == 3


@pytest.mark.parametrize("key", [KEY.Key_B, KEY.Key_Period])
def test_the_stage_goes_empty_and_back(
    window: MainWindow, show: Show, qtbot: QtBot, key: Qt.Key
) -> None:
    QTest.keyClick(show, key)
    assert show.page is show.blank
    assert not window.pair_chart.isVisible()
    QTest.keyClick(show, KEY.Key_PageDown)
    assert show.page is show.board
    assert window.player.position == 2, "nothing happens unseen"
    QTest.keyClick(show, key)
    QTest.keyClick(show, key)
    assert window.pair_chart.isVisible()
    QTest.keyClick(show, key)
    QTest.keyClick(show, KEY.Key_Escape)
    assert window.stage.on
    assert window.pair_chart.isVisible()


def test_what_plays_waits_while_the_stage_is_empty(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_Home)
    window.player.set_speed(0.5)
    QTest.keyClick(show, KEY.Key_Space)
    assert window.player.playing
    QTest.keyClick(show, KEY.Key_B)
    assert not window.player.playing
    QTest.keyClick(show, KEY.Key_B)
    assert window.player.playing


def test_what_waits_on_an_empty_stage_goes_on_where_that_is_left(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_Home)
    window.player.set_speed(0.5)
    QTest.keyClick(show, KEY.Key_Space)
    QTest.keyClick(show, KEY.Key_B)
    assert not window.player.playing
    left(window, qtbot)
    assert window.player.playing
    window.player.pause()
    entered(window, qtbot)
    assert not window.player.playing


def test_dark_and_light(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    before = window.theme.name
    QTest.keyClick(show, KEY.Key_D)
    assert window.theme.name != before
    assert window.stage.choice["scheme"] == window.theme.name
    left(window, qtbot)
    assert window.theme.name == before
    entered(window, qtbot)
    assert window.theme.name != before


# -- guessing -------------------------------------------------------------------------------------


def test_numbers_answer_an_open_question(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    guess = window.workspace.guess
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert guess.window() is show
    show.setFocus()
    with qtbot.waitSignal(guess.answered) as answered:
        QTest.keyClick(show, KEY.Key_1)
    assert answered.args[0] == 2
    assert len(panels_of(show)) == 2
    QTest.keyClick(show, KEY.Key_1)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 1, "the question is answered"


def test_numbers_answer_what_was_covered_before_it_was_seen(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    guess = window.workspace.guess
    window.workspace.clock.catch_up()
    guess.show_position(window.player.position, live=False)
    assert guess.covers, "unseen, it has its question already"
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    with qtbot.waitSignal(guess.answered):
        QTest.keyClick(show, KEY.Key_1)
    assert len(panels_of(show)) == 2


def test_nothing_is_answered_unseen(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_Period)
    QTest.keyClick(show, KEY.Key_2)
    assert show.page is show.board
    assert window.workspace.guess.covers


def test_alt_chooses_the_layout_while_a_question_is_open(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_4, ALT)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 4
    assert window.workspace.guess.covers


def test_a_clicker_reveals_and_then_steps(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    guess = window.workspace.guess
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_PageDown)
    assert not guess.covers
    assert window.player.position == 2
    QTest.keyClick(show, KEY.Key_PageDown)
    assert window.player.position == 3
    at_rest(qtbot, window)
    assert guess.covers


def test_a_question_out_of_sight_leaves_the_numbers(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    choose(window, "text", "why")
    QTest.keyClick(show, KEY.Key_1)
    assert len(panels_of(show)) == 1


@pytest.mark.parametrize("place", [Place.COMPARE, Place.LABORATORY])
def test_a_question_has_a_place_as_long_as_it_is_asked(
    window: MainWindow, qtbot: QtBot, place: Place
) -> None:
    window.workspaces.show_place(place)
    choose(window, "text", "pipeline")
    show = entered(window, qtbot)
    kept, guess = window.stage.choice, window.workspace.guess
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert window.workspaces.shown is place
    assert guess.window() is show
    assert guess.isVisible()
    assert window.text_panel.window() is show
    assert len(panels_of(show)) == 2
    QTest.keyClick(show, KEY.Key_D)
    QTest.keyClick(show, KEY.Key_D)
    at_rest(qtbot, window)
    assert guess.window() is show, "in other colours too"
    kept["scheme"] = window.stage.choice["scheme"]
    QTest.keyClick(show, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    assert window.stage.choice == kept
    assert window.laboratory.bench.pipeline.window() is show
    assert window.workspaces.shown is place


# -- choosing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080)])
def test_the_page_for_choosing_takes_the_room_there_is(
    qtbot: QtBot, size: tuple[int, int]
) -> None:
    names = ("Pair frequencies", "Text", "Words", "Two recipes in lockstep") * 4
    chooser = Chooser({f"panel{number}": name for number, name in enumerate(names)})
    qtbot.addWidget(chooser)
    chooser.resize(*size)
    chooser.show()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    inside = chooser.childrenRect()
    assert chooser.rect().contains(inside)
    assert abs(inside.center().x() - chooser.rect().center().x()) <= 2
    assert abs(inside.center().y() - chooser.rect().center().y()) <= 2
    large = max(inside.width() / size[0], inside.height() / size[1])
    font = child(chooser, QPushButton, "stagePanel_panel0").fontInfo().pointSizeF()
    grown = font / chooser.fontInfo().pointSizeF()
    assert large > 0.8 or grown == pytest.approx(1.6, abs=0.1)


def test_panels_are_chosen_by_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(window, KEY.Key_F11, SHIFT)
    show = window.stage.show_window
    qtbot.waitUntil(show.isActiveWindow)
    assert show.page is show.chooser
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPushButton)
    assert focus.text() == "1   Pair frequencies"
    QTest.keyClick(focus, KEY.Key_Return)
    assert window.stage.choice["panels"] == ["text", "why", "vocabulary"]
    words = child(show, QPushButton, "stagePanel_words")
    words.setFocus()
    QTest.keyClick(words, KEY.Key_1)
    assert window.stage.choice["panels"] == ["words", "why", "vocabulary"]
    before = window.player.position
    QTest.keyClick(words, KEY.Key_Down)
    assert QApplication.focusWidget() is not words
    assert window.player.position == before
    QTest.keyClick(show, KEY.Key_C)
    at_rest(qtbot, window)
    assert show.page is show.board
    assert window.workspace.words.isVisible()
    assert len(panels_of(show)) == 3


def test_panels_are_chosen_by_the_mouse(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    QTest.keyClick(show, KEY.Key_C)
    for name in ("pairs", "curves", "vocabulary"):
        button = child(show, QPushButton, f"stagePanel_{name}")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.stage.choice["panels"] == ["text", "why", "curves"]
    QTest.mouseClick(child(show, QPushButton, "stageShow"), Qt.MouseButton.LeftButton)
    at_rest(qtbot, window)
    assert window.workspace.curves.isVisible()


def test_escape_shows_the_panels_first(window: MainWindow, show: Show) -> None:
    QTest.keyClick(show, KEY.Key_C)
    QTest.keyClick(show, KEY.Key_Escape)
    assert window.stage.on
    assert show.page is show.board
    QTest.keyClick(show, KEY.Key_Escape)
    assert not window.stage.on


def test_the_choice_is_kept_for_the_next_time(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_3)
    left(window, qtbot)
    entered(window, qtbot)
    assert len(panels_of(show)) == 3
    kept = window.stage.choice
    window.stage.choice = {"panels": ["text"], "layout": 1}
    assert len(panels_of(show)) == 1
    window.stage.choice = kept
    assert window.stage.choice == kept
    assert len(panels_of(show)) == 3


def test_what_keeps_a_panels_place_never_is_a_window(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    # The panels of the new layout are given back in the same turn in which they are lent.
    QTest.keyClick(show, KEY.Key_3)
    left(window, qtbot)
    assert [seen for seen in QApplication.topLevelWidgets() if seen.isVisible()] == [window]


def test_every_panel_can_be_on_stage(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    for name in window.stage._offers.titles:
        choose(window, name)
        at_rest(qtbot, window)
        frame = panels_of(show)[0]
        panel = frame.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1]
        assert panel.isVisible(), name
        assert panel.width() == frame.width(), name
        assert panel.rect().size().height() > show.height() * 3 // 4, name


def test_tools_of_the_desk_wait_there(window: MainWindow, qtbot: QtBot) -> None:
    window.workspaces.show_place(Place.COMPARE)
    tools = ["Copy", "Export…", "Copy ids"]
    before = shown_tools(window, tools)
    assert before[:2] == ["Copy", "Export…"]
    choose(window, "numbers", "text", "vocabulary", "words")
    show = entered(window, qtbot)
    assert shown_tools(show, tools) == []
    assert not child(show, QWidget, "vocabularySearch").isVisible()
    QTest.keyClick(show, KEY.Key_1)
    at_rest(qtbot, window)
    assert shown_tools(show, tools) == ["Copy"]
    left(window, qtbot)
    assert shown_tools(window, tools) == before
    window.workspaces.explore()
    assert shown_tools(window, tools) == ["Copy ids"]
    assert child(window, QWidget, "vocabularySearch").isVisible()


def shown_tools(around: QWidget, names: list[str]) -> list[str]:
    """Which of these buttons are in view, in the order of their names."""
    buttons = around.findChildren(QAbstractButton)
    return [name for name in names if any(b.text() == name and b.isVisible() for b in buttons)]


def test_the_first_row_is_seen_whole(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    choose(window, "pairs", "text", "why", "vocabulary")
    QTest.keyClick(show, KEY.Key_End)
    at_rest(qtbot, window)
    table = child(show, QTableView, "vocabularyTable")
    assert table.verticalScrollBar().value() == table.verticalScrollBar().maximum() > 0
    assert table.rowViewportPosition(table.rowAt(0)) == 0


# -- calm -----------------------------------------------------------------------------------------


def test_no_hint_and_no_menu_comes_up(window: MainWindow, show: Show) -> None:
    chart = window.pair_chart
    place = QPoint(40, 20)
    for event in (
        QHelpEvent(QHelpEvent.Type.ToolTip, place, chart.mapToGlobal(place)),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, chart.mapToGlobal(place)),
    ):
        QApplication.sendEvent(chart, event)
        assert not QToolTip.isVisible()
        assert QApplication.activePopupWidget() is None


def test_messages_wait_in_the_window(window: MainWindow, show: Show) -> None:
    window.message_bar.show_message("The corpus could not be read.")
    assert window.message_bar.window() is window
    assert QApplication.activePopupWidget() is None
    assert QApplication.activeModalWidget() is None
    QTest.keyClick(show, KEY.Key_F11)
    assert window.message_bar.isVisible()
    assert "could not be read" in window.message_bar.text


ON_STAGE = {
    "train", "pause", "play", "step", "step_back", "home", "end", "live", "faster", "slower",
    "bookmark", "next_bookmark", "previous_bookmark", "animate", "forbid", "force",
    "next_branch", "guess", "next_difference", "previous_difference", "next_palette", "tour",
    "next_page", "previous_page", "leave_tour",
}  # fmt: skip
OF_THE_STAGE = {"present", "cancel"}
"""Actions whose keys mean something else there: they leave the stage."""


@pytest.mark.parametrize("place", list(Place))
def test_every_key_of_the_window_shows_the_run_or_does_nothing(
    window: MainWindow, qtbot: QtBot, place: Place
) -> None:
    window.workspaces.show_place(place)
    choose(window, "text", "why", "wall", "numbers")
    show = entered(window, qtbot)
    before = docks_of(window)
    for field in fields(Actions):
        action: QAction = getattr(window.actions_, field.name)
        if field.name in OF_THE_STAGE:
            continue
        done = QSignalSpy(action.triggered)
        enabled = action.isEnabled()
        for key in action.shortcuts():
            show.setFocus()
            pressed = key[0]
            QTest.keyClick(show, pressed.key(), pressed.keyboardModifiers())
        assert bool(done.count()) is (field.name in ON_STAGE and enabled), field.name
        if field.name == "guess":
            action.setChecked(False)
        elif field.name == "tour":
            window.actions_.leave_tour.trigger()
        assert window.stage.on, field.name
        assert window.workspaces.shown is place, field.name
        assert QApplication.activePopupWidget() is None, field.name
        assert QApplication.activeModalWidget() is None, field.name
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=30_000)
    assert docks_of(window) == before
    left(window, qtbot)
    assert docks_of(window) == before


def docks_of(window: MainWindow) -> dict[str, tuple[bool, bool]]:
    """Which docks of the window are closed, and which stand before others."""
    docks = window.findChildren(QDockWidget)
    return {
        dock.objectName(): (dock.isHidden(), dock.visibleRegion().isEmpty()) for dock in docks
    }


@pytest.mark.parametrize("panel", ["numbers", "words", "vocabulary", "lanes", "branches"])
def test_what_asks_in_a_window_is_not_to_be_had(
    window: MainWindow, qtbot: QtBot, panel: str
) -> None:
    choose(window, panel)
    show = entered(window, qtbot)
    widget = window.stage._offers.widget(panel)
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


def test_the_pointer_hides_when_still(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pointer, "STILL_MILLISECONDS", 30)
    QTest.keyClick(window, KEY.Key_F11)
    show = window.stage.show_window
    qtbot.waitUntil(lambda: show.pointer.hidden)
    shape = QGuiApplication.overrideCursor()
    assert shape is not None
    assert shape.shape() is Qt.CursorShape.BlankCursor
    QTest.mouseMove(show, show.rect().center() + QPoint(5, 5))
    qtbot.waitUntil(lambda: not show.pointer.hidden)
    qtbot.waitUntil(lambda: show.pointer.hidden)
    QTest.keyClick(show, KEY.Key_F11)
    assert QGuiApplication.overrideCursor() is None


# -- the same every time --------------------------------------------------------------------------


def stepped(window: MainWindow, show: Show, qtbot: QtBot) -> list[dict[str, Any]]:
    """What is seen at each position, gone through from the start by the keys of a clicker."""
    QTest.keyClick(show, KEY.Key_Home)
    found = []
    while True:
        at_rest(qtbot, window)
        qtbot.waitUntil(lambda: window.workspace.why._explanation is not None)
        found.append(seen(window))
        if window.player.position == window.player.end:
            return found
        QTest.keyClick(show, KEY.Key_PageDown)


def played(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speed: float
) -> list[tuple[int, list[int], list[int]]]:
    """Position, tokens and colours of what is drawn, played from the start to the end."""
    frames: list[tuple[int, list[int], list[int]]] = []

    view = window.text_panel._view
    set_cut = view.set_cut

    def note(cut: Cut, history: History, position: int) -> None:
        frames.append((position, cut.ids.tolist(), cut.colours.tolist()))
        set_cut(cut, history, position)

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
    for speed in (20.0, EACH_FRAME, 20.0):
        frames = played(window, show, qtbot, monkeypatch, speed)
        positions = [position for position, *_ in frames]
        assert positions == sorted(positions)
        assert positions[-1] == 15
        for position, tokens, colours in frames:
            assert tokens == first[position]["tokens"]
            assert colours == first[position]["colours"]
        qtbot.waitUntil(lambda: window.workspace.why._explanation is not None)
        assert seen(window) == first[-1]

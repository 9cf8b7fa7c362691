"""The cursor through the window: play, step, scrub, bookmarks, keys, live."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QVariantAnimation
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import (
    QComboBox,
    QInputDialog,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.ui.panels.curves.plot import HistoryPlot
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.run.player import ACCELERATING, EACH_FRAME
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.timeline.timeline import Timeline
from tests.ui.pace import Rations
from tests.ui.panels.painted import painted_texts

KEY = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a run of 60 merges, and the timeline in focus as at the start."""
    path = tmp_path / "story.txt"
    path.write_text("the cat sat on the mat and the hat that the rat had\n" * 50)
    _, window = app.create(["open", str(path), "--vocab-size", "290", "--start"])
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.activateWindow()
    # A panel behind the tab of another is not drawn.
    window.explore.docks["curvesDock"].raise_()
    at_rest(qtbot, window)
    yield window
    window.close()
    window.deleteLater()


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing is to be drawn any more."""
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, name)
    assert found is not None, name
    return found


def child(window: MainWindow, kind: type, name: str) -> QWidget:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def history_of(window: MainWindow) -> History:
    assert window.player.history is not None
    return window.player.history


def check(window: MainWindow, qtbot: QtBot) -> None:
    """What the panels show equals what the history says at the cursor, once merges are seen."""
    qtbot.waitUntil(lambda: window.explore.at_rest)
    history, position = history_of(window), window.player.position
    table = window.findChild(QTableView, "vocabularyTable")
    assert table is not None
    assert table.model().rowCount() == history.vocabulary_size(position)
    qtbot.waitUntil(lambda: shows_counts(window.explore.pair_chart, history, position))
    ids = child(window, QPlainTextEdit, "tokenIds")
    assert isinstance(ids, QPlainTextEdit)
    tokens = Tokenizer(history, position).encode(window.sample_text.text)
    assert ids.toPlainText() == " ".join(map(str, tokens.ids.tolist()))
    plots = (plot for plot in window.findChildren(HistoryPlot) if plot.isVisible())
    assert all(plot.position == position for plot in plots)
    assert window.player_bar.timeline.value() == position


def shows_counts(chart: PairChart, history: History, position: int) -> bool:
    """Whether the chart has the counts of a position, each after its rank but for the winner's."""
    counts = [f"{count:,}" for count in history.top(position).count.tolist()]
    in_sight = chart.height() // chart.area_of_rows(0, 0).height() - 1  # above the foot
    marks = {"new", "↑"}
    written = [text for text in painted_texts(chart) if text not in marks]
    said = " ".join(written)  # two tokens, of one or two texts, are between rank and count
    return (
        chart.position == position
        and set(counts[:1]) <= set(written)
        and all(re.search(rf"\b{rank} (\S+ ){{2,4}}{count}\b", said)
                for rank, count in enumerate(counts[:in_sight], 1) if rank > 1)
    )  # fmt: skip


def check_names_and_keys(window: MainWindow) -> None:
    for name, key in (
        ("playAction", "Space"),
        ("stepBackAction", "Left"),
        ("stepAction", "Right"),
        ("stepAction", "F7"),
        ("homeAction", "Home"),
        ("endAction", "End"),
        ("bookmarkAction", "Ctrl+B"),
        ("liveAction", "Ctrl+L"),
    ):
        assert key in [shortcut.toString() for shortcut in action(window, name).shortcuts()]
    assert isinstance(child(window, QWidget, "timeline"), Timeline)
    assert child(window, QComboBox, "speedBox").accessibleName() == "Speed"
    for button in window.player_bar.findChildren(QToolButton):
        assert QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name)
        assert button.toolTip()


def check_scrubbing_shows_the_history_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    chance = random.Random(3)
    end = window.player.end
    for position in [0, end, *(chance.randint(0, end) for _ in range(5))]:
        window.player.scrub(position)
        at_rest(qtbot, window)
        check(window, qtbot)


def check_after_a_fast_scrub_all_is_exact(qtbot: QtBot, window: MainWindow) -> None:
    timeline = window.player_bar.timeline
    end = window.player.end
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=timeline.place_of(end))
    for position in range(end - 1, 4, -1):
        qtbot.mouseMove(timeline, timeline.place_of(position))
        qtbot.wait(2)
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=timeline.place_of(5))
    assert window.player.position == 5
    at_rest(qtbot, window)
    check(window, qtbot)


def check_play_and_pause_with_the_space_bar(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(3)
    window.player.set_speed(EACH_FRAME)
    qtbot.keyClick(window, KEY.Key_Space)
    assert window.player.playing
    assert action(window, "playAction").text() == "&Hold"
    qtbot.waitUntil(lambda: window.player.position >= 8)
    qtbot.keyClick(window, KEY.Key_Space)
    assert not window.player.playing
    assert action(window, "playAction").text() == "&Play"
    assert window.player.position < window.player.end
    at_rest(qtbot, window)
    check(window, qtbot)


def check_playing_stops_at_the_end_live(qtbot: QtBot, window: MainWindow) -> None:
    window.player.set_speed(EACH_FRAME)
    window.player.scrub(window.player.end - 5)
    assert not action(window, "liveAction").isChecked()
    action(window, "playAction").trigger()
    qtbot.waitUntil(lambda: not window.player.playing)
    assert action(window, "liveAction").isChecked()
    at_rest(qtbot, window)
    check(window, qtbot)


def check_steps_home_and_end_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    end = window.player.end
    for key, position in (
        (KEY.Key_Left, end - 1),
        (KEY.Key_Left, end - 2),
        (KEY.Key_Right, end - 1),
        (KEY.Key_F7, end),
        (KEY.Key_Home, 0),
        (KEY.Key_Left, 0),
        (KEY.Key_Right, 1),
        (KEY.Key_End, end),
    ):
        qtbot.keyClick(window, key)
        assert window.player.position == position
        at_rest(qtbot, window)
        check(window, qtbot)
    assert not action(window, "stepAction").isEnabled(), "the run has stopped"


def test_a_step_at_the_end_of_a_run_trains_one_merge(qtbot: QtBot, window: MainWindow) -> None:
    box = window.controls.corpus_box
    box.setCurrentIndex(box.findText("Four words"))
    window.controls.choose_preset("whitespace")
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED and window.player.end == 0)
    assert not action(window, "playAction").isEnabled(), "there is nothing to play yet"
    for merges in (1, 2, 3):
        qtbot.keyClick(window, KEY.Key_Right)
        qtbot.waitUntil(lambda merges=merges: window.player.position == merges)  # type: ignore[misc]
    qtbot.keyClick(window, KEY.Key_Left)
    qtbot.keyClick(window, KEY.Key_Right)
    at_rest(qtbot, window)
    assert (window.player.position, window.player.end) == (3, 3), "that merge was there already"
    check(window, qtbot)


def check_keys_are_text_in_the_editor(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(7)
    editor = child(window, QPlainTextEdit, "sampleText")
    assert isinstance(editor, QPlainTextEdit)
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, "the hat")
    for key in (KEY.Key_Home, KEY.Key_Space, KEY.Key_Left, KEY.Key_Right, KEY.Key_End):
        qtbot.keyClick(editor, key)
    assert editor.toPlainText() == " the hat"
    assert editor.textCursor().position() == len(" the hat")
    assert not window.player.playing
    assert window.player.position == 7


def check_keys_move_in_the_table_that_was_reached_by_tab(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(7)
    table = child(window, QTableView, "vocabularyTable")
    search = child(window, QLineEdit, "vocabularySearch")
    search.setFocus()
    while not table.hasFocus():
        qtbot.keyClick(window.focusWidget(), KEY.Key_Tab)
    table.setCurrentIndex(table.model().index(5, 1))
    qtbot.keyClick(table, KEY.Key_Right)
    assert table.currentIndex().column() == 2
    qtbot.keyClick(table, KEY.Key_Left)
    assert table.currentIndex().column() == 1
    qtbot.keyClick(table, KEY.Key_Space)
    qtbot.keyClick(table, KEY.Key_Home)
    assert not window.player.playing
    assert window.player.position == 7
    at_rest(qtbot, window)
    place = table.visualRect(table.model().index(1, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(table, KEY.Key_Right)
    assert window.player.position == 7, "the focus was there already, by keyboard"
    search.setFocus()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    row = table.currentIndex().row()
    qtbot.keyClick(table, KEY.Key_Down)
    assert table.currentIndex().row() == row + 1


def check_keys_in_other_inputs(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(7)
    search = child(window, QLineEdit, "vocabularySearch")
    assert isinstance(search, QLineEdit)
    search.setFocus()
    qtbot.keyClicks(search, "t ")
    qtbot.keyClick(search, KEY.Key_Left)
    assert search.text() == "t "
    assert search.cursorPosition() == 1
    size = child(window, QSpinBox, "vocabSizeBox")
    size.setFocus()
    qtbot.keyClick(size, KEY.Key_Left)
    qtbot.keyClick(size, KEY.Key_Home)
    follow = child(window, QToolButton, "followNewest")
    assert isinstance(follow, QToolButton)
    follow.setFocus()
    checked = follow.isChecked()
    qtbot.keyClick(follow, KEY.Key_Space)
    assert follow.isChecked() != checked, "Space presses the button that has the focus"
    assert not window.player.playing
    assert window.player.position == 7
    qtbot.keyClick(follow, KEY.Key_Left)
    assert window.player.position == 6, "a button has no use for Left"


def check_keys_play_where_nothing_else_wants_them(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(7)
    card = child(window, QTextBrowser, "whyText")
    ids = child(window, QPlainTextEdit, "tokenIds")
    for panel in (window.explore.pair_chart, window.player_bar.timeline, card, ids):
        panel.setFocus()
        qtbot.keyClick(panel, KEY.Key_Left)
        qtbot.keyClick(panel, KEY.Key_Space)
        assert window.player.playing
        qtbot.keyClick(panel, KEY.Key_Space)
        assert not window.player.playing


def test_keys_belong_to_what_has_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    check_keys_are_text_in_the_editor(qtbot, window)
    check_keys_move_in_the_table_that_was_reached_by_tab(qtbot, window)
    check_keys_play_where_nothing_else_wants_them(qtbot, window)
    check_keys_in_other_inputs(qtbot, window)


def check_bookmarks_by_keys_and_on_the_timeline(qtbot: QtBot, window: MainWindow) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    for position in (4, 20):
        window.player.scrub(position)
        qtbot.keyClick(window, KEY.Key_B, control)
    timeline = window.player_bar.timeline
    assert [flag.bookmark.position for flag in timeline.flags] == [4, 20]
    assert timeline.flags[0].bookmark.name == history_of(window).id_to_token(
        int(history_of(window).new_id[3])
    ).replace("Ġ", "␣")
    qtbot.keyClick(window, KEY.Key_Home)
    qtbot.keyClick(window, KEY.Key_Right, control)
    assert window.player.position == 4
    qtbot.keyClick(window, KEY.Key_Right, control)
    assert window.player.position == 20
    qtbot.keyClick(window, KEY.Key_Left, control)
    assert window.player.position == 4
    place = QPoint(timeline.flags[1].x + 3, 6)
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=place)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QInputDialog, "getText", lambda *_, **__: ("the first hat", True))
        qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=place)
    assert timeline.flags[1].bookmark.name == "the first hat"
    assert window.player.position == 20
    qtbot.keyClick(window, KEY.Key_B, control)
    assert [flag.bookmark.position for flag in timeline.flags] == [4]


def check_speed_by_box_and_keys(qtbot: QtBot, window: MainWindow) -> None:
    box = child(window, QComboBox, "speedBox")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(0)
    assert window.player.speed == ACCELERATING
    assert box.currentText() == "Ever faster"
    box.setCurrentIndex(1)
    assert window.player.speed == 0.5
    assert box.currentText() == "1 in 2 seconds"
    window.player_bar.timeline.setFocus()
    qtbot.keyClick(window, KEY.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert window.player.speed == 1.0
    assert box.currentText() == "1 a second"
    qtbot.keyClick(window, KEY.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert window.player.speed == 0.5


def check_live_is_left_by_scrubbing_and_taken_up_again(qtbot: QtBot, window: MainWindow) -> None:
    live = action(window, "liveAction")
    assert live.isChecked()
    window.player_bar.timeline.seekRequested.emit(3)
    assert not live.isChecked()
    live.trigger()
    assert live.isChecked()
    assert window.player.position == window.player.end
    live.trigger()
    assert live.isChecked(), "one leaves it by going elsewhere"


def test_looking_back_while_training_goes_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, rations: Rations
) -> None:
    path = tmp_path / "large.txt"
    path.write_text(" ".join(f"{index * 7919 % 100_003:x}" for index in range(30_000)))
    window.controls.size_box.setValue(100_000)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: window.player.growing and window.player.position == 400)
    window.player.scrub(100)
    rations.more()
    qtbot.waitUntil(lambda: window.player.end == 800)
    assert window.player.growing
    assert window.player.position == 100
    action(window, "pauseAction").trigger()
    qtbot.waitUntil(lambda: "Paused" in window.status.text)
    at_rest(qtbot, window)
    check(window, qtbot)
    action(window, "trainAction").trigger()
    qtbot.waitUntil(lambda: window.player.end == 1200)
    window.player.set_speed(5000.0)
    action(window, "playAction").trigger()
    qtbot.waitUntil(lambda: window.player.position > 500)
    action(window, "liveAction").trigger()
    assert window.player.live
    action(window, "playAction").trigger()
    assert not window.player.live, "held, while the training goes on"
    action(window, "cancelAction").trigger()
    window.player.scrub(200)
    at_rest(qtbot, window)
    check(window, qtbot)


def check_animation_can_be_switched_off(qtbot: QtBot, window: MainWindow) -> None:
    animate = action(window, "animateAction")
    assert animate.isChecked()
    animate.trigger()
    window.player.scrub(2)
    at_rest(qtbot, window)
    chart = window.explore.pair_chart
    qtbot.waitUntil(lambda: chart.position == 2)
    with qtbot.assertNotEmitted(chart.findChild(QVariantAnimation, "pairSlide").valueChanged):
        window.player.scrub(7)
        qtbot.waitUntil(lambda: chart.position == 7)
    at_rest(qtbot, window)
    check(window, qtbot)


def check_closing_while_it_plays(window: MainWindow) -> None:
    window.player.scrub(0)
    window.player.play()
    window.close()
    assert not window.player.playing


def test_the_cursor_goes_anywhere_and_all_panels_follow(window: MainWindow, qtbot: QtBot) -> None:
    check_names_and_keys(window)
    check_live_is_left_by_scrubbing_and_taken_up_again(qtbot, window)
    check_steps_home_and_end_by_keys(qtbot, window)
    check_scrubbing_shows_the_history_everywhere(qtbot, window)
    check_after_a_fast_scrub_all_is_exact(qtbot, window)
    check_play_and_pause_with_the_space_bar(qtbot, window)
    check_playing_stops_at_the_end_live(qtbot, window)
    check_bookmarks_by_keys_and_on_the_timeline(qtbot, window)
    check_speed_by_box_and_keys(qtbot, window)
    check_animation_can_be_switched_off(qtbot, window)
    check_closing_while_it_plays(window)

"""The keys of the stage: layouts, steps, texts, an empty stage, and other colours."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.player import EACH_FRAME
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.show import Show
from tests.ui.driving import child
from tests.ui.stage.entered_stage import choose, entered, left, panels_of
from tests.ui.stage.stages import CORPUS, at_rest

KEY = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier


def check_numbers_choose_the_layout(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    # It begins with two.
    for count in (1, 2, 3, 4):
        QTest.keyClick(show, Qt.Key(KEY.Key_0 + count))
        at_rest(qtbot, window)
        frames = panels_of(show)
        assert len(frames) == count
        assert window.stage.choice["layout"] == count
        areas = [frame.geometry() for frame in frames]
        for one, other in itertools.pairwise(areas):
            assert not one.intersects(other), count
        assert all(area.bottom() < show.board.line.y() for area in areas), count


def check_no_more_panels_are_seen_than_are_chosen(window: MainWindow, show: Show) -> None:
    choose(window, "why", "words")
    QTest.keyClick(show, KEY.Key_4)
    assert len(panels_of(show)) == 2


def check_the_keys_of_a_clicker_step(window: MainWindow, show: Show) -> None:
    for key, position in (
        (KEY.Key_PageDown, 3),
        (KEY.Key_PageDown, 4),
        (KEY.Key_PageUp, 3),
    ):
        QTest.keyClick(show, key)
        assert window.player.position == position
    window.player.scrub(2)


@pytest.mark.parametrize("key", [KEY.Key_PageDown, KEY.Key_Right])
def test_no_forward_key_trains(
    qtbot: QtBot, opened: Callable[..., MainWindow], key: Qt.Key
) -> None:
    window = opened("words.csv", CORPUS, "--preset", "whitespace")
    qtbot.waitUntil(lambda: window.player.history is not None)
    at_rest(qtbot, window)
    show = entered(window, qtbot)
    title = child(show, QLabel, "stageEndTitle")
    for _ in range(3):
        QTest.keyClick(show, key)
    assert show.page is show.end_page
    assert title.text() == "No merges yet"
    assert window.player.end == 0
    QTest.keyClick(show, KEY.Key_F5)
    assert show.page is show.board
    assert window.player.end == 0, "a clicker has F5"
    QTest.keyClick(show, key)
    for again in (KEY.Key_B, KEY.Key_Period, KEY.Key_PageDown):
        QTest.keyClick(show, KEY.Key_B)
        assert show.page is show.blank
        QTest.keyClick(show, again)
        assert show.page is show.end_page, "the end comes back after an empty stage"
    QTest.keyClick(show, KEY.Key_T)
    qtbot.waitUntil(lambda: window.player.end == 15)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    QTest.keyClick(show, KEY.Key_End)
    QTest.keyClick(show, KEY.Key_PageDown)
    assert title.text() == "The end"
    QTest.keyClick(show, KEY.Key_PageUp)
    assert show.page is show.board
    assert window.player.position == 15
    QTest.keyClick(show, KEY.Key_PageDown)
    QTest.keyClick(show, KEY.Key_Escape)
    assert not window.stage.on


def check_the_pointer_is_a_large_dot_until_the_stage_is_left(
    window: MainWindow, show: Show
) -> None:
    QTest.keyClick(show, KEY.Key_P)
    dot = QGuiApplication.overrideCursor()
    assert dot is not None
    assert dot.pixmap().height() >= show.height() // 30
    QTest.keyClick(show, KEY.Key_P)
    assert QGuiApplication.overrideCursor() is None
    QTest.keyClick(show, KEY.Key_P)
    QTest.keyClick(show, KEY.Key_F11)
    assert QGuiApplication.overrideCursor() is None


def check_they_step_where_they_would_scroll(window: MainWindow, show: Show) -> None:
    choose(window, "vocabulary", "text")
    table = window.explore.vocabulary.findChild(QWidget, "vocabularyTable")
    for widget in (table, child(window.explore.text_panel, QPlainTextEdit, "sampleText")):
        assert widget is not None
        widget.setFocus()
        before = window.player.position
        QTest.keyClick(widget, KEY.Key_PageDown)
        assert window.player.position == before + 1


def test_page_keys_scroll_elsewhere(window: MainWindow) -> None:
    QTest.keyClick(window, KEY.Key_PageDown)
    assert window.player.position == 2


def check_the_keys_of_the_window_play_on_stage(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_Right)
    assert window.player.position == 3
    QTest.keyClick(show, KEY.Key_Home)
    assert window.player.position == 0
    window.player.set_speed(EACH_FRAME)
    QTest.keyClick(show, KEY.Key_Space)
    qtbot.waitUntil(lambda: window.player.position == 15)
    window.player.scrub(2)


def check_letters_are_typed_into_a_text(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    editor = child(window.explore.text_panel, QPlainTextEdit, "sampleText")
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "bcd 1.")
    assert window.sample_text.text == "bcd 1."
    assert len(panels_of(show)) == 2
    QTest.keyClick(editor, KEY.Key_1, ALT)
    at_rest(qtbot, window)
    assert len(panels_of(show)) == 1


def check_what_is_typed_is_cut_in_all_panels(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    choose(window, "text", "lanes", "pipeline")
    editor = child(window.explore.text_panel, QPlainTextEdit, "sampleText")
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "lowest")
    comparison = window.compare.comparison
    qtbot.waitUntil(lambda: comparison.up_to_date and comparison.text == "lowest")
    assert window.laboratory.view.text_edit.text() == "lowest"


def check_a_part_follows_the_cursor(
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
    window.player.scrub(2)


def check_parts_of_another_workspace_follow_the_cursor(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    for panel in ["lanes", "numbers"]:
        check_a_part_follows_the_cursor(window, show, qtbot, panel)


def check_views_of_the_laboratory_follow_the_cursor(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    window.sample_text.set("newest lowest")  # each merge changes it
    choose(window, "pipeline")
    at_rest(qtbot, window)
    QTest.keyClick(show, KEY.Key_PageDown)
    at_rest(qtbot, window)
    pipeline = window.laboratory.view.pipeline
    qtbot.waitUntil(lambda: pipeline.shown is not None and pipeline.shown.position == 3)


def test_parts_of_other_workspaces_follow_on_the_stage(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    check_parts_of_another_workspace_follow_the_cursor(window, show, qtbot)
    check_views_of_the_laboratory_follow_the_cursor(window, show, qtbot)
    check_what_is_typed_is_cut_in_all_panels(window, show, qtbot)


def check_the_stage_goes_empty_by(
    window: MainWindow, show: Show, qtbot: QtBot, key: Qt.Key
) -> None:
    QTest.keyClick(show, key)
    assert show.page is show.blank
    assert not window.explore.pair_chart.isVisible()
    QTest.keyClick(show, KEY.Key_PageDown)
    assert show.page is show.board
    assert window.player.position == 2, "nothing happens unseen"
    QTest.keyClick(show, key)
    QTest.keyClick(show, key)
    assert window.explore.pair_chart.isVisible()
    QTest.keyClick(show, key)
    QTest.keyClick(show, KEY.Key_Escape)
    assert window.stage.on
    assert window.explore.pair_chart.isVisible()


def check_the_stage_goes_empty_and_back(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    for key in [KEY.Key_B, KEY.Key_Period]:
        check_the_stage_goes_empty_by(window, show, qtbot, key)


def check_what_plays_waits_while_the_stage_is_empty(
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
    window.player.pause()


def check_what_waits_on_an_empty_stage_goes_on_where_that_is_left(
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


def check_dark_and_light(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    before = window.theme_choice.theme.name
    QTest.keyClick(show, KEY.Key_D)
    assert window.theme_choice.theme.name != before
    assert window.stage.choice["scheme"] == window.theme_choice.theme.name
    left(window, qtbot)
    assert window.theme_choice.theme.name == before
    entered(window, qtbot)
    assert window.theme_choice.theme.name != before


def test_keys_on_the_stage(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    check_the_stage_goes_empty_and_back(window, show, qtbot)
    check_numbers_choose_the_layout(window, show, qtbot)
    check_no_more_panels_are_seen_than_are_chosen(window, show)
    check_the_keys_of_a_clicker_step(window, show)
    check_the_keys_of_the_window_play_on_stage(window, show, qtbot)
    check_they_step_where_they_would_scroll(window, show)
    check_letters_are_typed_into_a_text(window, show, qtbot)
    check_what_plays_waits_while_the_stage_is_empty(window, show, qtbot)
    check_what_waits_on_an_empty_stage_goes_on_where_that_is_left(window, show, qtbot)
    check_dark_and_light(window, show, qtbot)
    check_the_pointer_is_a_large_dot_until_the_stage_is_left(window, show)

"""The coloured text as a widget: pointed at, clicked, and used without a mouse."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.theme.theme import DARK
from tests.ui.driving import picture
from tests.ui.histories import byte_level, four_words
from tests.ui.panels.token_views import (
    CONTROL,
    LEFT,
    NONE,
    SHIFT,
    click,
    copied,
    has_colour,
    press,
    show,
    view,
)

__all__ = ["view"]

OFFSCREEN = pytest.mark.qt_log_ignore("does not support raise")
"""What Qt says when a tooltip is shown where there are no windows."""


# -- hover --------------------------------------------------------------------------------


def hover(view: TokenView, place: QPoint) -> str:
    QToolTip.hideText()
    event = QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    return QToolTip.text()


@OFFSCREEN
def test_hovering_tells_what_a_token_is(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 2)
    said = hover(view, view.token_center(3))
    assert str(int(history.new_id[1])) in said
    assert "“est”" in said
    assert "3 bytes<" in said
    assert "merge 2: es + t, seen 9 times" in said
    assert "there from the start" in hover(view, view.token_center(0))


@OFFSCREEN
def test_hovering_beside_the_text_tells_nothing(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low", four_words(), 0)
    assert hover(view, view.token_center(0))
    hover(view, QPoint(300, 200))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


@OFFSCREEN
def test_hovering_names_the_end_of_a_word_apart_from_its_bytes(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 3)
    assert "3 bytes, end of word" in hover(view, view.token_center(3))
    assert "1 byte<" in hover(view, view.token_center(0))
    show(view, "low", history, 0)
    assert "0 bytes, end of word" in hover(view, view.token_center(3))


@OFFSCREEN
def test_hovering_tells_about_parts_and_strangers(view: TokenView) -> None:
    show(view, "é", byte_level("low"), 0)
    assert "byte 1 of the 2 of é (U+00E9 LATIN SMALL LETTER E WITH ACUTE)" in hover(
        view, view.token_center(0)
    )
    assert "byte 2 of the 2" in hover(view, view.token_center(1))
    show(view, "x<", four_words(), 0)
    assert "“x” is not in the alphabet" in hover(view, view.token_center(0))
    assert "It has no id, so a model cannot read it" in hover(view, view.token_center(0))
    assert "“&lt;” is not" in hover(view, view.token_center(1))


# -- click and drag -----------------------------------------------------------------------


def test_a_click_selects(view: TokenView, qtbot: QtBot) -> None:
    history = four_words()
    show(view, "low low", history, 0)
    plain = picture(view)
    with qtbot.waitSignal(view.tokenSelected) as caught:
        click(view, 1)
    assert history.id_to_token(caught.args[0]) == "o"
    assert has_colour(view, DARK.text), "each o has a ring"
    assert not has_colour(view, DARK.selection), "one is not told from the other"
    assert picture(view) != plain
    assert copied(view) == "o"


def test_a_selected_token_has_a_ring_where_the_next_merge_is_marked(view: TokenView) -> None:
    show(view, "es", four_words(), 0)
    assert has_colour(view, DARK.accent)
    click(view, 0)
    marked = picture(view)
    click(view, 1)
    assert picture(view) != marked
    assert has_colour(view, DARK.accent), "the other token of the merge is still marked"


def test_where_the_keyboard_is_is_drawn_as_long_as_it_is_there(
    view: TokenView, qtbot: QtBot
) -> None:
    show(view, "wow", four_words(), 0)
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    press(view, Qt.Key.Key_Down)
    assert has_colour(view, DARK.selection)
    view.clearFocus()
    assert not has_colour(view, DARK.selection), "another panel has it"
    press(view, Qt.Key.Key_Down, SHIFT)
    press(view, Qt.Key.Key_Right, SHIFT)
    assert has_colour(view, DARK.selection), "several may be copied"


def test_a_click_beside_the_text_selects_nothing(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low", four_words(), 0)
    click(view, 1)
    with qtbot.assertNotEmitted(view.tokenSelected):
        QTest.mouseClick(view.viewport(), LEFT, NONE, QPoint(300, 200))
    assert view.selected_text() == ""
    assert not has_colour(view, DARK.selection)


def test_a_click_on_an_unknown_token_invents_no_id(view: TokenView, qtbot: QtBot) -> None:
    show(view, "x", four_words(), 0)
    with qtbot.assertNotEmitted(view.tokenSelected):
        click(view, 0)
    assert view.selected_ids().tolist() == [NO_TOKEN]


def test_dragging_selects_several(view: TokenView, qtbot: QtBot) -> None:
    show(view, "lower newest", byte_level("lower"), 0)
    with qtbot.assertNotEmitted(view.tokenSelected):
        QTest.mousePress(view.viewport(), LEFT, NONE, view.token_center(1))
        QTest.mouseMove(view.viewport(), view.token_center(4))
        QTest.mouseMove(view.viewport(), view.token_center(8))
        QTest.mouseRelease(view.viewport(), LEFT, NONE, view.token_center(8))
    assert view.selected_text() == "ower new"
    assert copied(view) == "ower new"
    click(view, 3)
    click(view, 0, SHIFT)
    assert view.selected_text() == "lowe"


def test_dragging_below_the_view_scrolls_on(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low lower " * 200, byte_level("lower"), 0)
    bar = view.verticalScrollBar()
    QTest.mousePress(view.viewport(), LEFT, NONE, view.token_center(1))
    QTest.mouseMove(view.viewport(), QPoint(50, view.height() + 20))
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    qtbot.waitUntil(lambda: len(view.selected_text()) > 1900)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, QPoint(50, view.height() + 20))
    bar.setValue(0)
    with qtbot.assertNotEmitted(bar.valueChanged, wait=200):
        QTest.mouseMove(view.viewport(), QPoint(50, view.height() + 30))


def test_the_context_menu_copies(view: TokenView) -> None:
    history = four_words()
    show(view, "low", history, 0)
    assert not view.context_menu().actions()[0].isEnabled()
    press(view, Qt.Key.Key_A, CONTROL)
    actions = {action.text(): action for action in view.context_menu().actions()}
    actions["Copy ids"].trigger()
    ids = [int(number) for number in QGuiApplication.clipboard().text().split()]
    assert [history.id_to_token(number) for number in ids] == ["l", "o", "w", "</w>"]
    actions["Copy text\tCtrl+C"].trigger()
    assert QGuiApplication.clipboard().text() == "low"


# -- keyboard -----------------------------------------------------------------------------


def test_the_arrows_go_from_token_to_token(view: TokenView, qtbot: QtBot) -> None:
    history = byte_level("low")
    show(view, "abcdef", history, 0)
    press(view, Qt.Key.Key_Right)
    assert view.selected_text() == "a"
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Right, SHIFT)
    assert view.selected_text() == "bc"
    press(view, Qt.Key.Key_Left)
    press(view, Qt.Key.Key_Left)
    press(view, Qt.Key.Key_Left)
    assert view.selected_text() == "a"
    press(view, Qt.Key.Key_End)
    press(view, Qt.Key.Key_Right)
    assert view.selected_text() == "f"
    press(view, Qt.Key.Key_Home, SHIFT)
    assert view.selected_text() == "abcdef"
    press(view, Qt.Key.Key_Home)
    with qtbot.waitSignal(view.tokenSelected) as caught:
        press(view, Qt.Key.Key_Return)
    assert history.id_to_token(caught.args[0]) == "a"


def current(view: TokenView) -> int:
    """The token that the keyboard is at, as a screen reader is told."""
    told = re.match(r"Token ([\d,]+) of", view.accessibleDescription())
    assert told is not None
    return int(told[1].replace(",", "")) - 1


def test_up_and_down_keep_the_column(view: TokenView) -> None:
    show(view, "iiii\niiii\n\niiii", byte_level("low"), 0)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Down)
    assert current(view) == 6
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Down)
    assert current(view) in (11, 12), "the line between has nothing but its end"
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_PageUp)
    assert current(view) in (0, 1)


def test_moving_scrolls_along(view: TokenView) -> None:
    show(view, "low lower " * 200, byte_level("lower"), 0)
    bar = view.verticalScrollBar()
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_End, CONTROL)
    shown = view.shown_cut()
    assert shown is not None
    assert current(view) == len(shown[0]) - 1
    assert bar.value() == bar.maximum()
    press(view, Qt.Key.Key_Home, CONTROL)
    assert bar.value() == 0


def test_keys_that_move_here_do_not_step_elsewhere(view: TokenView, qtbot: QtBot) -> None:
    stepped: list[str] = []
    for key in ("Right", "Down", "Shift+Right", "Ctrl+A", "Space"):
        action = QAction(key, view)
        action.setShortcut(key)
        action.triggered.connect(lambda _checked=False, key=key: stepped.append(key))
        view.addAction(action)
    show(view, "low", byte_level("low"), 0)
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Right, SHIFT)
    press(view, Qt.Key.Key_A, CONTROL)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Space)
    assert stepped == ["Right", "Space"], "these move the cursor of the run"
    assert view.selected_text() == "low"


# -- size --------------------------------------------------------------------------------


def test_rows_are_as_high_as_their_font(view: TokenView) -> None:
    show(view, "low lower " * 200, byte_level("lower"), 0)
    height = row_height(view)
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    view.setFont(font)
    assert row_height(view) > 1.5 * height


def row_height(view: TokenView) -> int:
    heights = sorted({view.token_center(token).y() for token in range(200)})
    return heights[1] - heights[0]

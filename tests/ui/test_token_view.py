"""The coloured text as a widget: looked at, pointed at, clicked, and used without a mouse."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import PRESETS, preset
from bpe_gui.bpe.tokenizer import Trace
from bpe_gui.ui.panels.token_view import TokenView
from bpe_gui.ui.theme import DARK, LIGHT, Theme
from tests.ui.histories import byte_level, four_words, trained

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton

OFFSCREEN = pytest.mark.qt_log_ignore("does not support raise")
"""What Qt says when a tooltip is shown where there are no windows."""


@pytest.fixture
def view(qtbot: QtBot) -> TokenView:
    made = TokenView()
    qtbot.addWidget(made)
    made.resize(420, 260)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(view: TokenView, text: str, history: History, position: int) -> None:
    tokens = Trace(history, text, compiled=False).tokens(position)
    view.set_tokens(text, tokens, history, position)


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def box_colour(view: TokenView, token: int) -> str:
    """The colour of a token's box, below its letters."""
    center = view.token_center(token)
    below = center.y() + view._layout.fonts.box_height // 2 - 3
    return picture(view).pixelColor(center.x(), below).name()


def click(view: TokenView, token: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(view.viewport(), LEFT, modifiers, view.token_center(token))


def press(view: TokenView, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(view, key, modifiers)


def copied(view: TokenView) -> str:
    QGuiApplication.clipboard().clear()
    press(view, Qt.Key.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


# -- looks --------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_tokens_have_the_colours_of_the_theme(view: TokenView, theme: Theme) -> None:
    view.set_theme(theme)
    show(view, "mowerower", byte_level("mower"), 0)
    colours = [box_colour(view, token) for token in range(9)]
    assert set(colours) <= set(theme.tokens)
    assert all(left != right for left, right in pairwise(colours))
    assert picture(view).pixelColor(400, 250).name() == theme.panel


def test_a_gap_shows_where_a_token_ends(view: TokenView) -> None:
    show(view, "low", byte_level("low low"), 0)
    left, right = view.token_center(0), view.token_center(1)
    image = picture(view)
    between = {image.pixelColor(x, left.y() + 6).name() for x in range(left.x(), right.x())}
    assert DARK.panel in between
    show(view, " low", byte_level("low low"), 3)
    assert len(view._layout.cut) == 1
    image = picture(view)
    first, last = view._layout.places_of(0)[0].left, view._layout.places_of(0)[0].right
    inside = range(round(first) + 14, round(last) + 6)
    assert DARK.panel not in {image.pixelColor(x, left.y() + 8).name() for x in inside}


def test_a_merge_leaves_the_other_colours_alone(view: TokenView) -> None:
    history = byte_level("low low lower newest newest")
    text = "low lower newest"
    show(view, text, history, 0)
    for position in range(1, len(history) + 1):
        before = {
            int(start): int(colour)
            for start, colour in zip(view._layout.cut.starts, view._layout.colours, strict=True)
        }
        show(view, text, history, position)
        kept = [
            before[int(start)] == colour
            for start, colour in zip(view._layout.cut.starts, view._layout.colours, strict=True)
        ]
        # Only the token after the merged one may have to give way.
        assert kept.count(False) <= 2


def test_the_newest_token_glows(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 0)
    assert not has_colour(view, DARK.accent)
    show(view, "newest", history, 1)
    assert has_colour(view, DARK.accent)


def has_colour(view: TokenView, name: str) -> bool:
    image = picture(view)
    wanted = QColor(name).rgb()
    return any(
        image.pixel(x, y) == wanted for y in range(image.height()) for x in range(image.width())
    )


def test_unknown_tokens_are_underlined(view: TokenView) -> None:
    show(view, "low", four_words(), 0)
    assert not has_colour(view, DARK.error)
    show(view, "lox", four_words(), 0)
    assert has_colour(view, DARK.error)


def test_without_text_or_tokens(view: TokenView) -> None:
    empty = picture(view)
    assert has_colour(view, DARK.muted), "a sentence must be there"
    view.set_uncut("low lower")
    assert picture(view) != empty
    assert len(view._layout.cut) == 0
    show(view, "", four_words(), 0)
    assert picture(view) == empty


@pytest.mark.qt_log_ignore("OpenType support missing")
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("size", [(40, 30), (300, 200), (1200, 300)])
def test_all_scripts_can_be_shown(view: TokenView, name: str, size: tuple[int, int]) -> None:
    text = (
        "Añb\tc\r\n\n  नमस्ते สวัสดี مرحبا، 12 שלום (a) 日本語 한국어 "
        "👨\u200d👩\u200d👧 👍🏽 🇩🇪🇫🇷 ❤\ufe0f e\u0301\u0301 \u0301 \u200f\ufeff\x00\U0010ffff\ue000"
    )
    view.resize(*size)
    history = trained([(word, 2) for word in text.split()], preset(name))
    for position in (0, len(history) // 2, len(history)):
        show(view, text, history, position)
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        picture(view)
        assert len(view._layout) > 0


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
    assert "65 73 74" in said
    assert "merge 2: “es” + “t”, seen 9 times" in said
    assert "there from the start" in hover(view, view.token_center(0))


@OFFSCREEN
def test_hovering_beside_the_text_tells_nothing(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low", four_words(), 0)
    assert hover(view, view.token_center(0))
    hover(view, QPoint(300, 200))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


@OFFSCREEN
def test_hovering_tells_about_parts_and_strangers(view: TokenView) -> None:
    show(view, "é", byte_level("low"), 0)
    assert "byte 1 of the 2 of é (U+00E9 LATIN SMALL LETTER E WITH ACUTE)" in hover(
        view, view.token_center(0)
    )
    assert "byte 2 of the 2" in hover(view, view.token_center(1))
    show(view, "x<", four_words(), 0)
    assert "“x” is not in the alphabet" in hover(view, view.token_center(0))
    assert "“&lt;” is not" in hover(view, view.token_center(1))


# -- click and drag -----------------------------------------------------------------------


def test_a_click_selects(view: TokenView, qtbot: QtBot) -> None:
    history = four_words()
    show(view, "low low", history, 0)
    plain = picture(view)
    with qtbot.waitSignal(view.tokenSelected) as caught:
        click(view, 1)
    assert history.text(caught.args[0]) == "o"
    assert has_colour(view, DARK.selection)
    assert has_colour(view, DARK.text), "the other o must be marked"
    assert picture(view) != plain
    assert copied(view) == "o"


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
    assert not view._scrolling.isActive()


def test_the_context_menu_copies(view: TokenView) -> None:
    history = four_words()
    show(view, "low", history, 0)
    assert not view.context_menu().actions()[0].isEnabled()
    press(view, Qt.Key.Key_A, CONTROL)
    actions = {action.text(): action for action in view.context_menu().actions()}
    actions["Copy ids"].trigger()
    ids = [int(number) for number in QGuiApplication.clipboard().text().split()]
    assert [history.text(number) for number in ids] == ["l", "o", "w", "</w>"]
    actions["Copy text"].trigger()
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
    assert history.text(caught.args[0]) == "a"


def test_up_and_down_keep_the_column(view: TokenView) -> None:
    show(view, "iiii\niiii\n\niiii", byte_level("low"), 0)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Down)
    assert view._selection.current == 6
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Down)
    assert view._selection.current in (11, 12), "the line between has nothing but its end"
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_PageUp)
    assert view._selection.current in (0, 1)


def test_moving_scrolls_along(view: TokenView) -> None:
    show(view, "low lower " * 200, byte_level("lower"), 0)
    bar = view.verticalScrollBar()
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_End, CONTROL)
    assert view._selection.current == len(view._layout.cut) - 1
    assert bar.value() == bar.maximum()
    press(view, Qt.Key.Key_Home, CONTROL)
    assert bar.value() == 0


def test_keys_that_move_here_do_not_step_elsewhere(view: TokenView, qtbot: QtBot) -> None:
    stepped: list[str] = []
    for key in ("Right", "Home", "Ctrl+A", "Space"):
        action = QAction(key, view)
        action.setShortcut(key)
        action.triggered.connect(lambda _checked=False, key=key: stepped.append(key))
        view.addAction(action)
    show(view, "low", byte_level("low"), 0)
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Home)
    press(view, Qt.Key.Key_A, CONTROL)
    press(view, Qt.Key.Key_Space)
    assert stepped == ["Space"]
    assert view.selected_text() == "low"


def test_the_focus_shows_only_for_the_keyboard(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low", byte_level("low"), 0)
    view.activateWindow()
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert picture(view).pixelColor(0, 0).name() == DARK.panel
    view.clearFocus()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert picture(view).pixelColor(0, 0).name() == DARK.accent


# -- while tokens grow --------------------------------------------------------------------


def test_the_selection_follows_the_merges(view: TokenView) -> None:
    history = byte_level("low low lower")
    text = " low lower"
    show(view, text, history, 0)
    click(view, 2)
    assert view.selected_text() == "o"
    show(view, text, history, len(history))
    assert view.selected_text() == " low"
    show(view, "low", history, 0)
    assert view.selected_text() == ""


def test_an_end_of_word_stays_selected_within_its_token(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 0)
    click(view, 6)
    assert [history.text(token) for token in view.selected_ids().tolist()] == ["</w>"]
    show(view, "newest", history, 3)
    assert [history.text(token) for token in view.selected_ids().tolist()] == ["est</w>"]


def test_the_text_in_view_stays_in_view(view: TokenView) -> None:
    history = byte_level("日本語 日本語")
    text = "low 日本語 lower\n" * 100
    show(view, text, history, 0)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    first = view._layout.first_character(view._visible_rows().start + 1)
    show(view, text, history, len(history))
    rows = view._visible_rows()
    assert view._layout.row_of(first) in (rows.start, rows.start + 1)
    view.resize(300, 260)
    rows = view._visible_rows()
    assert abs(view._layout.row_of(first) - rows.start) <= 1


def test_a_merge_elsewhere_costs_no_drawing(view: TokenView, qtbot: QtBot) -> None:
    history = four_words()
    text = "wid"
    show(view, text, history, 0)
    picture(view)
    cut = view._layout.cut
    show(view, text, history, 1)
    assert view._layout.cut is cut


def test_select_token_brings_it_into_view(view: TokenView, qtbot: QtBot) -> None:
    history = byte_level("low")
    show(view, "low lower " * 150 + "x" + " low" * 150, history, 0)
    with qtbot.assertNotEmitted(view.tokenSelected):
        view.select_token(ord("x") - ord("!"))
    assert has_colour(view, DARK.text)
    assert view.verticalScrollBar().value() > 0
    before = view.verticalScrollBar().value()
    view.select_token(ord("l") - ord("!"))
    assert view.verticalScrollBar().value() == before, "there is one in view already"
    view.select_token(NO_TOKEN)
    assert not has_colour(view, DARK.text)


# -- the rest -----------------------------------------------------------------------------


def test_screen_readers_are_told(view: TokenView) -> None:
    assert view.accessibleName() == "Tokens"
    history = four_words()
    show(view, "newest", history, 1)
    press(view, Qt.Key.Key_Right)
    said = view.accessibleDescription()
    assert said.startswith("Token 1 of 6: ")
    assert "“n”" in said


def test_the_wheel_with_control_asks_for_another_size(view: TokenView, qtbot: QtBot) -> None:
    show(view, "low lower " * 200, byte_level("lower"), 0)
    with qtbot.waitSignal(view.zoomed) as caught:
        turn(view, CONTROL)
    assert caught.args == [1]
    height = view._layout.fonts.row_height
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    view.setFont(font)
    assert view._layout.fonts.row_height > 1.5 * height


def turn(view: TokenView, modifiers: Qt.KeyboardModifier) -> None:
    place = QPointF(20, 20)
    event = QWheelEvent(
        place, view.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)

"""Keys and the wheel move the cursor of the run, and never throw the run away."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import answered, description, finished, show_tab, tab_to, write
from tests.ui.driving import act, active, child
from tests.ui.in_turn import InTurn

# Lists that open over the window: the offscreen platform has no window manager.
pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)")

KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, start: Callable[..., QMainWindow], words: Path) -> QMainWindow:
    """A window with a run that is complete, after its recipe was chosen with the mouse."""
    window = start("open", str(words), "--preset", "raw", "--vocab-size", "30")
    choose(qtbot, child(window, QComboBox, "presetBox"), "lines")
    act(window, "trainAction")
    finished(qtbot, window)
    assert timeline(window).maximum() > 8
    act(window, "stepBackAction")
    qtbot.waitUntil(lambda: timeline(window).value() == timeline(window).maximum() - 1)
    return window


def timeline(window: QMainWindow) -> QAbstractSlider:
    return child(window, QAbstractSlider, "timeline")


def choose(qtbot: QtBot, box: QComboBox, text: str) -> None:
    """Choose an entry as one does with the mouse."""
    qtbot.mouseClick(box, LEFT)
    rows = box.view()
    qtbot.waitUntil(rows.isVisible)
    place = rows.visualRect(box.model().index(box.findText(text), 0)).center()
    # Qt takes a click soon after the list opened for the end of the click that opened it.
    rows.setCurrentIndex(rows.indexAt(place))
    qtbot.keyClick(rows, KEY.Key_Return)
    qtbot.waitUntil(lambda: not rows.isVisible())
    # Without a window manager nobody gives the keyboard back to the window.
    active(qtbot, box.window())
    assert box.currentText() == text


def check_after_a_choice_the_keys_are_the_cursors(qtbot: QtBot, window: QMainWindow) -> None:
    line, end = timeline(window), timeline(window).maximum()
    assert line.hasFocus()
    for key, place in ((KEY.Key_Home, 0), (KEY.Key_Right, 1), (KEY.Key_End, end)):
        qtbot.keyClick(window.focusWidget(), key)
        qtbot.waitUntil(lambda place=place: line.value() == place)  # type: ignore[misc]
    qtbot.keyClick(window.focusWidget(), KEY.Key_Space)
    qtbot.waitUntil(lambda: line.value() < end)
    assert child(window, QComboBox, "presetBox").currentText() == "lines"
    qtbot.waitUntil(lambda: line.value() == end)


def space_pauses_what_was_played_by_a_click_while_a_field_had_the_keyboard(
    name: str, qtbot: QtBot, window: QMainWindow
) -> None:
    line, search = timeline(window), child(window, QLineEdit, "vocabularySearch")
    act(window, "homeAction")
    qtbot.mouseClick(search, LEFT)
    qtbot.keyClicks(search, "a")
    qtbot.mouseClick(child(window, QToolButton, name), LEFT)
    qtbot.waitUntil(lambda: line.value() > 0)
    play = child(window, QAction, "playAction")
    assert play.text() == "&Hold"
    qtbot.keyClick(window.focusWidget(), KEY.Key_Space)
    qtbot.waitUntil(lambda: play.text() == "&Play")
    assert search.text() == "a"
    qtbot.keyClick(window.focusWidget(), KEY.Key_Home)
    qtbot.waitUntil(lambda: line.value() == 0)


def the_arrows_step_from_the_merge_whose_number_was_written(
    qtbot: QtBot, window: QMainWindow
) -> None:
    def write_five(dialog: QDialog) -> None:
        field = dialog.findChildren(QSpinBox)[0]
        field.setValue(5)
        dialog.accept()

    qtbot.mouseClick(child(window, QLineEdit, "vocabularySearch"), LEFT)
    answered(qtbot, lambda: act(window, "goToAction"), [write_five])
    active(qtbot, window)
    qtbot.waitUntil(lambda: timeline(window).value() == 5)
    qtbot.keyClick(window.focusWidget(), KEY.Key_Left)
    qtbot.waitUntil(lambda: timeline(window).value() == 4)


def a_number_beyond_the_end_goes_to_the_end(qtbot: QtBot, window: QMainWindow) -> None:
    """The field refused the digit that was too much, and the cursor went to another merge."""

    def write(dialog: QDialog) -> None:
        field = dialog.findChildren(QSpinBox)[0]
        field.selectAll()
        qtbot.keyClicks(field, "5000")
        dialog.accept()

    line = timeline(window)
    act(window, "homeAction")
    answered(qtbot, lambda: act(window, "goToAction"), [write])
    qtbot.waitUntil(lambda: line.value() == line.maximum() > 0)


def a_clicked_button_takes_the_keyboard_from_a_field_and_leaves_space_to_the_cursor(
    name: str, qtbot: QtBot, window: QMainWindow
) -> None:
    line, search = timeline(window), child(window, QLineEdit, "vocabularySearch")
    act(window, "homeAction")
    qtbot.mouseClick(search, LEFT)
    qtbot.keyClicks(search, "a")
    button = child(window, QAbstractButton, name)
    qtbot.mouseClick(button, LEFT)
    on = button.isChecked()
    qtbot.keyClick(window.focusWidget(), KEY.Key_Space)
    qtbot.waitUntil(lambda: line.value() > 0)
    assert search.text() == "a"
    assert button.isChecked() == on


def a_filter_that_was_chosen_leaves_space_to_the_cursor(
    qtbot: QtBot, window: QMainWindow
) -> None:
    line, search = timeline(window), child(window, QLineEdit, "vocabularySearch")
    act(window, "homeAction")
    qtbot.mouseClick(search, LEFT)
    qtbot.keyClicks(search, "a")

    def choose_an_entry() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        qtbot.keyClick(menu, KEY.Key_Down)
        qtbot.keyClick(menu, KEY.Key_Return)

    QTimer.singleShot(0, window, choose_an_entry)
    button = child(window, QToolButton, "vocabularyFilter")
    qtbot.mouseClick(button, LEFT)
    active(qtbot, window)
    qtbot.keyClick(window.focusWidget(), KEY.Key_Space)
    qtbot.waitUntil(lambda: line.value() > 0)
    assert search.text() == "a"
    assert QApplication.activePopupWidget() is None


def tabs_leave_the_keys_of_the_cursor_alone(
    name: str, qtbot: QtBot, window: QMainWindow
) -> None:
    line, end, tabs = timeline(window), timeline(window).maximum(), child(window, QTabBar, name)
    window.resize(1024, 700)
    act(window, "showTreeDockAction")
    qtbot.waitUntil(tabs.isVisible)
    chosen = tabs.currentIndex()
    tabs.setFocus(Qt.FocusReason.TabFocusReason)
    moves = (KEY.Key_Home, 0), (KEY.Key_Right, 1), (KEY.Key_Left, 0), (KEY.Key_End, end)
    for key, place in moves:
        qtbot.keyClick(tabs, key)
        qtbot.waitUntil(lambda place=place: line.value() == place)  # type: ignore[misc]
    assert tabs.currentIndex() == chosen
    for key, place in ((KEY.Key_Down, chosen + 1), (KEY.Key_Up, chosen)):
        qtbot.keyClick(tabs, key)
        qtbot.waitUntil(lambda place=place: tabs.currentIndex() == place)  # type: ignore[misc]


def test_the_cursor_has_the_keys_after_what_was_done_while_a_field_had_them(
    qtbot: QtBot, window: QMainWindow, in_turn: InTurn
) -> None:
    line, search = timeline(window), child(window, QLineEdit, "vocabularySearch")
    size = window.size()

    def again() -> None:
        if child(window, QAction, "playAction").text() == "&Hold":
            act(window, "playAction")
        search.clear()
        window.resize(size)
        line.setFocus()
        act(window, "endAction")
        act(window, "stepBackAction")
        qtbot.waitUntil(lambda: line.value() == line.maximum() - 1)

    for name in ("playButton", "watchButton"):
        again()
        space_pauses_what_was_played_by_a_click_while_a_field_had_the_keyboard(
            name, qtbot, window
        )
    for name in ("tellLastButton", "idsButton", "copyIdsButton", "followNewest"):
        again()
        a_clicked_button_takes_the_keyboard_from_a_field_and_leaves_space_to_the_cursor(
            name, qtbot, window
        )
    for name in ("tokenTabs", "workspaceTabs"):
        again()
        tabs_leave_the_keys_of_the_cursor_alone(name, qtbot, window)
    in_turn(
        again,
        the_arrows_step_from_the_merge_whose_number_was_written,
        a_number_beyond_the_end_goes_to_the_end,
        a_filter_that_was_chosen_leaves_space_to_the_cursor,
    )


def test_a_closed_box_opens_and_changes_nothing(
    qtbot: QtBot, start: Callable[..., QMainWindow]
) -> None:
    window = start()
    act(window, "laboratoryAction")
    names = ("corpusBox", "presetBox", "speedBox", "recipeBaseBox")
    keys = (KEY.Key_Down, KEY.Key_Up, KEY.Key_Space, KEY.Key_Return)
    for name, key in product(names, keys):
        box = child(window, QComboBox, name)
        chosen = box.currentIndex()
        qtbot.keyClick(box, key)
        assert box.view().isVisible(), key
        qtbot.keyClick(box.view(), KEY.Key_Escape)
        active(qtbot, box.window())
        for changing in (KEY.Key_Home, KEY.Key_End, KEY.Key_PageDown, KEY.Key_G):
            qtbot.keyClick(box, changing)
        assert not box.view().isVisible(), key
        assert box.currentIndex() == chosen, key


def check_no_box_of_the_window_is_changed_while_it_is_closed(
    qtbot: QtBot, window: QMainWindow
) -> None:
    for workspace in ("compareAction", "laboratoryAction", "exploreAction"):
        act(window, workspace)
    leave_alone(qtbot, window, {"vocabSizeBox", "speedBox", "parityReference", "recipeBaseBox",
                                "firstRecipe", "lockstepSizeBox", "vocabularySizeBox"})  # fmt: skip


def check_boxes_of_a_dialog(
    qtbot: QtBot, window: QMainWindow, action: str, boxes: set[str]
) -> None:
    def look(dialog: QDialog) -> None:
        leave_alone(qtbot, dialog, boxes)
        dialog.reject()

    answered(qtbot, lambda: act(window, action), [look])


def check_no_box_of_a_dialog_is_changed_while_it_is_closed(
    qtbot: QtBot, window: QMainWindow
) -> None:
    for action, boxes in [
        ("exportAction", {"exportSubject", "exportKind", "exportColours", "exportWidth"}),
        ("exportAnimationAction", {"animationFormat", "animationMerges", "animationSpeed"}),
    ]:
        check_boxes_of_a_dialog(qtbot, window, action, boxes)


def leave_alone(qtbot: QtBot, window: QWidget, expected: set[str]) -> None:
    """Turn the wheel over each box and press keys that choose; the expected are among them."""
    boxes = [*window.findChildren(QComboBox), *window.findChildren(QAbstractSpinBox)]
    assert expected <= {box.objectName() for box in boxes}
    before = [(box.property("currentIndex"), box.property("value")) for box in boxes]
    for box in boxes:
        turn(box)
        turn(box, 120)
        if isinstance(box, QComboBox):
            for key in (KEY.Key_Home, KEY.Key_End, KEY.Key_PageDown):
                qtbot.keyClick(box, key)
        box.setFocus()
        turn(box)
    assert [(box.property("currentIndex"), box.property("value")) for box in boxes] == before


def check_a_choice_in_the_laboratory_gives_the_keys_back(qtbot: QtBot, window: QMainWindow) -> None:
    act(window, "laboratoryAction")
    base = child(window, QComboBox, "recipeBaseBox")
    choose(qtbot, base, "gpt4")
    assert timeline(window).hasFocus()
    qtbot.keyClick(window.focusWidget(), KEY.Key_Down)
    assert base.currentText() == "gpt4"


def check_a_box_that_tab_went_to_keeps_the_keyboard(qtbot: QtBot, window: QMainWindow) -> None:
    box = child(window, QComboBox, "presetBox")
    while not box.hasFocus():
        qtbot.keyClick(window.focusWidget(), KEY.Key_Tab)
    qtbot.keyClick(box, KEY.Key_Down)
    qtbot.waitUntil(box.view().isVisible)
    qtbot.keyClick(box.view(), KEY.Key_Return)
    active(qtbot, window)
    assert box.hasFocus()


def turn(box: QWidget, by: int = -120) -> None:
    """Turn the wheel by a notch over a widget, down or up."""
    place = QPointF(box.rect().center())
    event = QWheelEvent(
        place, box.mapToGlobal(place), QPoint(0, by // 12), QPoint(0, by),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    QApplication.sendEvent(box, event)


def check_what_is_clicked_leaves_the_keys_to_the_cursor(qtbot: QtBot, window: QMainWindow) -> None:
    for clicked in ("vocabularyTable", "wordsTable", "tokenView", "pairChart"):
        click(qtbot, child(window, QWidget, clicked))
        keys_move_the_cursor(qtbot, window)


def check_what_is_clicked_in_compare_leaves_the_keys_to_the_cursor(
    qtbot: QtBot, window: QMainWindow
) -> None:
    act(window, "compareAction")
    write(qtbot, window, "compareText", "low lower")
    lanes = child(window, QWidget, "laneView")
    qtbot.waitUntil(lambda: bool(description(lanes)))
    click(qtbot, lanes)
    keys_move_the_cursor(qtbot, window)
    tab_to(qtbot, window, "laneView")
    keys_are_its_own(qtbot, window, lanes)


def check_what_is_clicked_in_the_laboratory_leaves_the_keys_to_the_cursor(
    qtbot: QtBot, window: QMainWindow
) -> None:
    act(window, "laboratoryAction")
    pipeline = child(window, QWidget, "pipelineView")
    qtbot.waitUntil(lambda: bool(description(pipeline)))
    click(qtbot, pipeline)
    keys_move_the_cursor(qtbot, window)
    tab_to(qtbot, window, "pipelineView")
    keys_are_its_own(qtbot, window, pipeline)
    preview = child(window, QWidget, "splitPreview")
    qtbot.waitUntil(preview.isVisible)
    click(qtbot, preview)
    assert preview.hasFocus()
    keys_move_the_cursor(qtbot, window)
    show_tab(qtbot, window, "laboratoryTabs", "lockstepPanel")
    child(window, QComboBox, "firstRecipe").setCurrentText("gpt2")
    child(window, QComboBox, "secondRecipe").setCurrentText("gpt4")
    child(window, QSpinBox, "lockstepSizeBox").setValue(266)
    chart, both = child(window, QWidget, "slopeChart"), child(window, QWidget, "trainBothButton")
    qtbot.waitUntil(both.isEnabled)
    qtbot.mouseClick(both, LEFT)
    qtbot.waitUntil(lambda: bool(description(chart)))
    click(qtbot, chart)
    keys_move_the_cursor(qtbot, window)
    tab_to(qtbot, window, "slopeChart")
    keys_are_its_own(qtbot, window, chart)


def click(qtbot: QtBot, widget: QWidget) -> None:
    """Click into a widget, where it has something to show."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    qtbot.mouseClick(target, LEFT, pos=QPoint(20, 12))


def keys_move_the_cursor(qtbot: QtBot, window: QMainWindow) -> None:
    line = timeline(window)
    for key, place in ((KEY.Key_Home, 0), (KEY.Key_Right, 1), (KEY.Key_Right, 2)):
        qtbot.keyClick(window.focusWidget(), key)
        qtbot.waitUntil(lambda place=place: line.value() == place)  # type: ignore[misc]
    qtbot.keyClick(window.focusWidget(), KEY.Key_Left)
    qtbot.waitUntil(lambda: line.value() == 1)
    qtbot.keyClick(window.focusWidget(), KEY.Key_End)
    qtbot.waitUntil(lambda: line.value() == line.maximum())


def keys_are_its_own(qtbot: QtBot, window: QMainWindow, widget: QWidget) -> None:
    before = timeline(window).value()
    for key in (KEY.Key_Home, KEY.Key_Right, KEY.Key_Left):
        qtbot.keyClick(widget, key)
    assert timeline(window).value() == before


def check_a_table_that_tab_went_to_has_its_keys(qtbot: QtBot, window: QMainWindow) -> None:
    table, line = child(window, QTableView, "vocabularyTable"), timeline(window)
    while not table.hasFocus():
        qtbot.keyClick(window.focusWidget(), KEY.Key_Tab)
    table.setCurrentIndex(table.model().index(2, 1))
    before = line.value()
    qtbot.keyClick(table, KEY.Key_Right)
    assert table.currentIndex().column() == 3, "the column of bytes is hidden"
    assert line.value() == before


def check_where_text_is_typed_the_keys_are_text(qtbot: QtBot, window: QMainWindow) -> None:
    editor, line = child(window, QPlainTextEdit, "sampleText"), timeline(window)
    before = line.value()
    qtbot.mouseClick(editor.viewport(), LEFT)
    editor.selectAll()
    for key in (KEY.Key_A, KEY.Key_Space, KEY.Key_Home, KEY.Key_Space, KEY.Key_End):
        qtbot.keyClick(editor, key)
    assert editor.toPlainText() == " a "
    assert line.value() == before


def check_a_size_that_was_typed_gives_the_keys_back(qtbot: QtBot, window: QMainWindow) -> None:
    size = child(window, QSpinBox, "vocabSizeBox")
    size.setFocus()
    size.selectAll()
    qtbot.keyClicks(size, "25")
    qtbot.keyClick(size, KEY.Key_Return)
    assert size.value() == 25
    assert timeline(window).hasFocus()


def check_what_goes_with_the_keyboard_leaves_it_to_the_cursor(
    qtbot: QtBot, window: QMainWindow
) -> None:
    search = child(window, QLineEdit, "vocabularySearch")
    click(qtbot, search)
    assert search.hasFocus()
    act(window, "vocabularyDockAction")  # its panel is hidden
    keys_move_the_cursor(qtbot, window)
    act(window, "vocabularyDockAction")
    act(window, "shortTourAction")
    tour = child(window, QWidget, "tourPanel")
    qtbot.waitUntil(tour.isVisible)
    click(qtbot, tour)
    act(window, "leaveTourAction")
    qtbot.waitUntil(lambda: not tour.isVisible())
    keys_move_the_cursor(qtbot, window)


def test_keys_and_the_wheel_change_nothing_unasked(qtbot: QtBot, window: QMainWindow) -> None:
    check_after_a_choice_the_keys_are_the_cursors(qtbot, window)
    check_a_box_that_tab_went_to_keeps_the_keyboard(qtbot, window)
    check_a_table_that_tab_went_to_has_its_keys(qtbot, window)
    check_no_box_of_a_dialog_is_changed_while_it_is_closed(qtbot, window)
    check_no_box_of_the_window_is_changed_while_it_is_closed(qtbot, window)
    check_what_is_clicked_leaves_the_keys_to_the_cursor(qtbot, window)
    check_what_goes_with_the_keyboard_leaves_it_to_the_cursor(qtbot, window)
    check_where_text_is_typed_the_keys_are_text(qtbot, window)
    check_what_is_clicked_in_compare_leaves_the_keys_to_the_cursor(qtbot, window)
    check_what_is_clicked_in_the_laboratory_leaves_the_keys_to_the_cursor(qtbot, window)
    check_a_choice_in_the_laboratory_gives_the_keys_back(qtbot, window)
    check_a_size_that_was_typed_gives_the_keys_back(qtbot, window)


def test_space_says_what_to_do_where_there_is_nothing_to_play(
    qtbot: QtBot, start: Callable[..., QMainWindow], words: Path
) -> None:
    window = start("open", str(words), "--preset", "raw", "--vocab-size", "30")
    status = child(window, QLabel, "statusText")
    qtbot.waitUntil(lambda: status.text().startswith("The corpus starts as"))
    timeline(window).setFocus()
    qtbot.keyClick(timeline(window), KEY.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert status.text().startswith("The corpus starts as")
    qtbot.keyClick(timeline(window), KEY.Key_Space)
    assert status.text() == "Nothing to play yet: press Train (F5)."
    act(window, "trainAction")
    finished(qtbot, window)
    qtbot.waitUntil(lambda: status.text().startswith("Done"))
    qtbot.keyClick(timeline(window), KEY.Key_Space)
    qtbot.waitUntil(lambda: timeline(window).value() == 1)
    assert not status.text().startswith("Nothing")

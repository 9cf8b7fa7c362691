"""Text of another size, in the whole program or in one window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.sample_text import DEFAULT_TEXT
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.choices import STEPS
from bpe_gui.ui.theme.text_size import LARGEST, SMALLEST, Zoom, scaled, set_text_scale, text_scale
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child

SMALL = QSize(1024, 700)


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    """The application, which writes plainly in the end."""
    yield qapp
    set_text_scale(qapp, 1)


@pytest.fixture
def window(application: QApplication, opened: Callable[..., MainWindow]) -> MainWindow:
    return opened("text.txt", "low lower")


def test_a_tour_in_the_largest_text_has_three_lines_and_points_to_what_is_seen(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("text.txt", "low lower newest widest")
    window.resize(1280, 800)
    window.show()
    window.text_sizing.set_scale(2)
    window.touring.begin()
    qtbot.waitUntil(lambda: bool(window.touring.spotlight.holes))
    words = child(window, QLabel, "tourWords")
    qtbot.waitUntil(
        lambda: words.visibleRegion().boundingRect().height()
        >= 3 * words.fontMetrics().lineSpacing()
    )
    for hole in window.touring.spotlight.holes:
        assert not hole.intersects(window.statusBar().geometry().adjusted(0, 4, 0, 0))


@pytest.fixture
def label(qtbot: QtBot) -> Iterator[QLabel]:
    """A label in a panel."""
    panel = QWidget()
    qtbot.addWidget(panel)
    label = QLabel("text")
    QVBoxLayout(panel).addWidget(label)
    panel.show()
    yield label
    panel.hide()


def test_all_of_a_window_is_written_larger(
    application: QApplication, opened: Callable[..., MainWindow]
) -> None:
    window = opened("text.txt", "low lower")
    editor = window.explore.text_panel.findChild(QWidget, "sampleText")
    assert isinstance(editor, QWidget)
    parts = (window.controls, window.explore.curves, editor)
    before = {part: text_scale(part.font()) for part in parts}
    for factor in (2.0, 0.7, 1.0):
        set_text_scale(application, factor)
        for part, scale in before.items():
            assert text_scale(part.font()) == pytest.approx(scale * factor, rel=0.01)


def test_windows_that_come_later_are_written_as_large(
    application: QApplication, qtbot: QtBot
) -> None:
    set_text_scale(application, 1.5)
    menu = QMenu()
    qtbot.addWidget(menu)
    assert text_scale(menu.font()) == pytest.approx(1.5)


def test_one_window_may_write_larger_than_another(
    application: QApplication, label: QLabel, qtbot: QtBot
) -> None:
    other = QLabel("other")
    qtbot.addWidget(other)
    set_text_scale(label.window(), 3)
    assert text_scale(label.font()) == pytest.approx(3)
    assert text_scale(other.font()) == pytest.approx(1)
    assert scaled(10, label.font()) == 30
    set_text_scale(application, 2)
    assert text_scale(label.font()) == pytest.approx(3)
    assert text_scale(other.font()) == pytest.approx(2)


def test_factors_do_not_add_up_and_have_bounds(
    application: QApplication, label: QLabel
) -> None:
    for asked, factor in ((2, 2), (2, 2), (0.01, SMALLEST), (1e9, LARGEST), (1, 1)):
        set_text_scale(application, asked)
        assert text_scale(label.font()) == pytest.approx(factor)


def test_a_zoomed_view_keeps_its_proportion(application: QApplication, label: QLabel) -> None:
    zoom = Zoom("zoom", label.window(), label)
    zoom.zoom(2)
    zoomed = text_scale(label.font())
    assert zoomed == pytest.approx(1.1**3, rel=0.01)
    set_text_scale(application, 2)
    assert text_scale(label.font()) == pytest.approx(2 * zoomed, rel=0.01)
    zoom.zoom(-1000)
    assert label.font().pointSizeF() == pytest.approx(6)
    zoom.zoom(1000)
    assert label.font().pointSizeF() == pytest.approx(180)


def arrow_width(box: QComboBox) -> int:
    """The width of the part of a box with its arrow, as the style sheet has it."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxArrow
    return box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, part, box
    ).width()


def check_keys_change_the_size_of_all_text(
    window: MainWindow, application: QApplication, qtbot: QtBot
) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.waitUntil(window.isActiveWindow)

    def scale_after(key: Qt.Key, modifiers: Qt.KeyboardModifier = control) -> float:
        qtbot.keyClick(window, key, modifiers)
        return round(text_scale(window.explore.vocabulary.font()), 2)

    assert scale_after(Qt.Key.Key_Plus) == 1.1
    assert scale_after(Qt.Key.Key_Equal) == 1.25
    assert scale_after(Qt.Key.Key_Minus) == 1.1
    assert scale_after(Qt.Key.Key_0) == 1.0
    for _ in STEPS:
        qtbot.keyClick(window, Qt.Key.Key_Minus, control)
    assert not window.actions_.smaller_text.isEnabled()
    assert window.text_sizing.scale == STEPS[0]
    box = window.controls.corpus_box
    assert abs(arrow_width(box) - 24 * STEPS[0]) <= 1, "lengths of the style sheet follow"
    assert scale_after(Qt.Key.Key_0) == 1.0
    assert arrow_width(box) == 24


def check_rows_have_room_at(window: MainWindow, qtbot: QtBot, scale: float) -> None:
    window.workspaces.compare()
    window.workspaces.laboratory()
    window.workspaces.explore()
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.text_sizing.set_scale(scale)
    tables = [table for table in window.findChildren(QTableView) if not table.isHidden()]
    assert len(tables) > 4
    for table in tables:
        rows = table.verticalHeader().defaultSectionSize()
        assert rows >= table.fontMetrics().height(), table.objectName()
    fields = [*window.findChildren(QLineEdit), *window.findChildren(QComboBox)]
    for field in fields:
        if field.isVisible():
            assert field.height() >= field.fontMetrics().height(), field.objectName()


def check_rows_have_room_for_their_text(window: MainWindow, qtbot: QtBot) -> None:
    for scale in [0.7, 1.5, 2.0]:
        check_rows_have_room_at(window, qtbot, scale)


def check_the_window_fits_at(window: MainWindow, qtbot: QtBot, scale: float) -> None:
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.text_sizing.set_scale(scale)
    for place in (WorkspaceId.COMPARE, WorkspaceId.LABORATORY, WorkspaceId.EXPLORE):
        window.workspaces.show_place(place)
        window.resize(1024, 700)
        qtbot.waitUntil(lambda: window.size() == SMALL)
        assert window.minimumSizeHint().boundedTo(SMALL) == window.minimumSizeHint()
        assert not overflowing(window)


def check_the_window_fits_on_a_small_screen(window: MainWindow, qtbot: QtBot) -> None:
    for scale in [0.7, 1.0]:
        check_the_window_fits_at(window, qtbot, scale)


def overflowing(window: MainWindow) -> list[str]:
    """The bars of which a part is behind Qt's button."""
    buttons = window.findChildren(QToolButton, "qt_toolbar_ext_button")
    return [bar.objectName() for button in buttons if button.isVisible()
            and isinstance(bar := button.parent(), QToolBar)]  # fmt: skip


def check_all_tools_are_seen_in_text_twice_as_large(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    window.text_sizing.set_scale(2.0)
    qtbot.waitUntil(lambda: window.size() == QSize(1280, 800))
    qtbot.waitUntil(lambda: not overflowing(window))
    for name in ("runsButton", "trainButton", "pauseButton"):
        assert child(window, QToolButton, name).isVisible()
    child(window, QAction, "trainAction").trigger()
    qtbot.waitUntil(child(window, QToolButton, "watchButton").isVisible)
    assert not overflowing(window)
    window.text_sizing.set_scale(1.0)


def test_corpus_and_recipe_can_be_read_in_text_twice_as_large(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("words.txt", "low lower", "--preset", "whitespace")
    window.resize(1280, 800)
    window.text_sizing.set_scale(2.0)
    qtbot.waitUntil(lambda: window.size() == QSize(1280, 800))

    def shown(name: str) -> str:
        option = QStyleOptionComboBox()
        child(window, QComboBox, name).initStyleOption(option)
        return str(option.currentText)  # type: ignore[attr-defined]

    qtbot.waitUntil(lambda: shown("presetBox") == "whitespace")
    qtbot.waitUntil(lambda: shown("corpusBox") == "words.txt")
    QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(child(window, QComboBox, "corpusBox").hasFocus)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_form_of_a_recipe_has_half_of_the_height(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot, scale: float
) -> None:
    window = opened("text.txt", "low lower", "--preset", "whitespace")
    window.resize(1280, 800)
    window.text_sizing.set_scale(scale)
    child(window, QAction, "laboratoryAction").trigger()
    editor = child(window, QWidget, "recipeEditor")
    form = child(editor, QScrollArea, "recipeScroll")
    qtbot.waitUntil(lambda: form.height() >= editor.height() // 2)
    button = child(editor, QPushButton, "trainRecipeButton")
    button.setFocus()
    whole = QRect(button.rect())
    qtbot.waitUntil(lambda: button.visibleRegion().boundingRect() == whole)


def check_tools_without_room_are_behind_a_button(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    window.text_sizing.set_scale(3.0)
    qtbot.waitUntil(lambda: "trainingBar" in overflowing(window))
    assert window.size() == QSize(1280, 800)
    window.text_sizing.set_scale(1.0)
    qtbot.waitUntil(lambda: not overflowing(window))


def check_a_message_has_room_at(
    window: MainWindow, qtbot: QtBot, scale: float
) -> None:
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.text_sizing.set_scale(scale)
    window.resize(SMALL)
    said = "This file cannot be read: it is gone. Choose another one, or look where it is now."
    window.message_bar.tell_problem("test", said)
    qtbot.waitUntil(window.message_bar.isVisible)
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
    assert window.minimumSizeHint().height() <= SMALL.height()
    assert window.size() == SMALL


def check_a_message_makes_the_window_no_larger_at_any_size_of_text(
    window: MainWindow, qtbot: QtBot
) -> None:
    for scale in [1.0, 2.0]:
        check_a_message_has_room_at(window, qtbot, scale)
    window.message_bar.withdraw_all()


def check_every_menu_opens_at(
    window: MainWindow, qtbot: QtBot, scale: float
) -> None:
    window.text_sizing.set_scale(scale)
    window.resize(SMALL)
    qtbot.waitUntil(window.isActiveWindow)
    bar = window.menuBar()
    extension = child(bar, QToolButton, "qt_menubar_ext_button")
    assert extension.isVisible() == (scale > 1)
    for action in bar.actions():
        letter = action.text()[action.text().index("&") + 1].upper()
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{letter}"), Qt.KeyboardModifier.AltModifier)
        menu = action.menu()
        assert isinstance(menu, QMenu)
        qtbot.waitUntil(menu.isVisible)
        menu.close()


def check_every_menu_opens_by_its_key_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    for scale in [1.0, 2.0, 3.0]:
        check_every_menu_opens_at(window, qtbot, scale)


def check_a_panel_that_has_too_little_room_scrolls_to_what_has_the_keyboard(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.text_sizing.set_scale(3.0)
    window.resize(SMALL)
    qtbot.waitUntil(window.isActiveWindow)
    child(window, QPushButton, "idsButton").click()
    ids = child(window, QPlainTextEdit, "tokenIds")
    room = window.explore.docks["textDock"].widget()
    assert isinstance(room, ShrinkableScrollArea)
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() > 0)
    qtbot.waitUntil(lambda: window.player.history is not None)
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
    qtbot.waitUntil(lambda: ids.visibleRegion().isEmpty())

    def is_seen_with_the_keyboard() -> bool:
        window.activateWindow()  # the last menu that was closed may still take the keyboard away
        ids.setFocus()
        return not ids.visibleRegion().isEmpty()

    qtbot.waitUntil(is_seen_with_the_keyboard)


def check_a_workspace_that_was_out_of_view_is_written_as_large(window: MainWindow) -> None:
    places = window.workspaces
    for visit, name in ((places.compare, "compareView"), (places.laboratory, "recipeEditor")):
        for scale in (2.0, 1.0):
            visit()
            part = child(window, QWidget, name)
            places.explore()
            window.text_sizing.set_scale(scale)
            visit()
            assert text_scale(part.font()) == pytest.approx(scale, rel=0.01)
            window.text_sizing.set_scale(1.5)
            assert text_scale(part.font()) == pytest.approx(1.5, rel=0.01), "in view"
    places.explore()


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_the_window_in_every_size_of_text(
    window: MainWindow, application: QApplication, qtbot: QtBot
) -> None:
    check_keys_change_the_size_of_all_text(window, application, qtbot)
    check_all_tools_are_seen_in_text_twice_as_large(window, qtbot)
    check_tools_without_room_are_behind_a_button(window, qtbot)
    check_the_window_fits_on_a_small_screen(window, qtbot)
    check_a_message_makes_the_window_no_larger_at_any_size_of_text(window, qtbot)
    check_every_menu_opens_by_its_key_in_a_small_window(window, qtbot)
    check_a_panel_that_has_too_little_room_scrolls_to_what_has_the_keyboard(window, qtbot)
    check_rows_have_room_for_their_text(window, qtbot)
    check_a_workspace_that_was_out_of_view_is_written_as_large(window)


def test_the_window_fits_with_a_message_and_a_branch_too(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("text.txt", "low lower " * 40, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.resize(1024, 700)
    window.sample_text.set(DEFAULT_TEXT)
    window.explore.docks["branchesDock"].raise_()
    window.message_bar.tell_success("test", "This is done.")
    window.message_bar.tell_problem("other", "This cannot be done, whatever one may try.")
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())
    qtbot.waitUntil(window.message_bar.isVisible)
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.size() == window.size().boundedTo(QSize(1024, 700)))
    # In other fonts what is counted in the text takes a line or two more.
    assert window.minimumSizeHint().height() <= 700 - 2 * window.fontMetrics().lineSpacing()

"""What is on the stage is chosen by keys and mouse, and has the room it needs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPushButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.chooser import Chooser
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.theme.theme import LIGHT, apply
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.stage.entered_stage import choose, entered, left, panels_of
from tests.ui.stage.stages import at_rest

KEY = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("size", [(1024, 700), (1280, 720), (1920, 1080)])
def test_the_page_for_choosing_takes_the_room_there_is(
    qtbot: QtBot, size: tuple[int, int]
) -> None:
    names = ("Pair frequencies", "Text", "Words", "Recipes in lockstep") * 4 + ("What if",)
    chooser = Chooser({f"panel{number}": name for number, name in enumerate(names)})
    qtbot.addWidget(chooser)
    apply(chooser, LIGHT)
    chooser.resize(*size)
    chooser.show()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    inside = chooser.childrenRect()
    assert chooser.rect().contains(inside)
    assert abs(inside.center().x() - chooser.rect().center().x()) <= 2
    assert abs(inside.center().y() - chooser.rect().center().y()) <= 2
    for button in chooser.findChildren(QPushButton):
        assert button.isHidden() or button.height() >= button.sizeHint().height(), button.text()
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
    assert window.explore.words.isVisible()
    assert len(panels_of(show)) == 3


def check_panels_are_chosen_by_the_mouse(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    QTest.keyClick(show, KEY.Key_C)
    for name in ("pairs", "curves", "vocabulary"):
        button = child(show, QPushButton, f"stagePanel_{name}")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.stage.choice["panels"] == ["text", "why", "curves"]
    QTest.mouseClick(child(show, QPushButton, "stageShow"), Qt.MouseButton.LeftButton)
    at_rest(qtbot, window)
    assert window.explore.curves.isVisible()


def check_escape_shows_the_panels_first(window: MainWindow, show: Show) -> None:
    QTest.keyClick(show, KEY.Key_C)
    QTest.keyClick(show, KEY.Key_Escape)
    assert window.stage.on
    assert show.page is show.board
    QTest.keyClick(show, KEY.Key_Escape)
    assert not window.stage.on


def check_the_choice_is_kept_for_the_next_time(
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


def check_every_panel_can_be_on_stage(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    for name in window.stage.names:
        choose(window, name)
        at_rest(qtbot, window)
        frame = panels_of(show)[0]
        panel = frame.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1]
        assert panel.isVisible(), name
        assert panel.width() == frame.width(), name
        assert panel.rect().size().height() > show.height() * 3 // 4, name


def check_tools_of_the_desk_wait_there(window: MainWindow, qtbot: QtBot) -> None:
    window.workspaces.show_place(WorkspaceId.COMPARE)
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


def check_the_first_row_is_seen_whole(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    choose(window, "pairs", "text", "why", "vocabulary")
    QTest.keyClick(show, KEY.Key_End)
    at_rest(qtbot, window)
    table = child(show, QTableView, "vocabularyTable")
    assert table.verticalScrollBar().value() == table.verticalScrollBar().maximum() > 0
    assert table.rowViewportPosition(table.rowAt(0)) == 0
    # Nobody scrolls or types in front of an audience.
    assert not table.verticalScrollBar().isVisible()
    assert not child(show, QWidget, "vocabularySearch").isVisible()
    rows = table.model().rowCount()
    seen = rows - table.rowAt(0)
    assert child(show, QLabel, "vocabularyCount").text() == f"Showing {seen} of {rows} entries"


def test_panels_of_the_stage_are_chosen_and_shown(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    check_the_choice_is_kept_for_the_next_time(window, show, qtbot)
    check_panels_are_chosen_by_the_mouse(window, show, qtbot)
    check_every_panel_can_be_on_stage(window, show, qtbot)
    check_the_first_row_is_seen_whole(window, show, qtbot)
    check_escape_shows_the_panels_first(window, show)
    check_tools_of_the_desk_wait_there(window, qtbot)

"""Actions found and done through the window, by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QListView, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.help.helping import navigation_targets
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.help.searched_actions import found
from tests.ui.in_turn import InTurn, explore_again


def check_an_action_is_found_and_done_by_keyboard(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    before = window.palette_choice.palette
    qtbot.keyClicks(search.field, "next pal")
    assert found(search)[0] == "Next palette of tokens"
    assert "Ctrl+T" in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.palette_choice.palette is not before)
    assert not search.isVisible()
    assert search.used[0] == "nextPaletteAction"


def check_what_was_used_last_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    search = window.helping.search
    search.set_used(["quitAction", "gone", "trainAction"])
    window.actions_.search_actions.trigger()
    assert found(search)[:2] == ["Quit", "Train"]
    search.field.setText("step back")
    search.reject()
    window.actions_.search_actions.trigger()
    assert search.field.text() == ""
    assert search.used == ["quitAction", "gone", "trainAction"]
    for nonsense in (None, "quitAction", [1]):
        with pytest.raises(ValueError, match="no list"):
            search.set_used(nonsense)
    assert search.used == ["quitAction", "gone", "trainAction"]


def test_arrows_move_in_the_list_and_escape_closes_it(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    lister = child(search, QListView, "actionSearchList")
    qtbot.keyClick(search.field, Qt.Key.Key_Down)
    qtbot.keyClick(search.field, Qt.Key.Key_Down)
    assert lister.currentIndex().row() == 2
    assert found(search)[2] in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Up)
    assert lister.currentIndex().row() == 1
    qtbot.keyClick(search.field, Qt.Key.Key_Escape)
    assert not search.isVisible()
    assert search.used == []


def check_what_is_not_possible_is_not_done_and_says_why(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    qtbot.keyClicks(search.field, "next branch")
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert search.isVisible()
    assert "only one branch" in search.field.accessibleDescription()
    search.field.setText("qwertz at all")
    assert found(search) == []
    assert "No matches." in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert search.isVisible()


def check_a_recipe_is_chosen_from_the_list(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    qtbot.keyClicks(search.field, "recipe gpt4")
    assert found(search)[0] == "Recipe: gpt4"
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.controls.preset_box.currentText() == "gpt4")


def check_the_list_goes_when_the_window_is_used_again(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    window.activateWindow()
    qtbot.waitUntil(lambda: not search.isVisible())


def check_each_part_of_the_window_is_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    for spot, action in zip(navigation_targets(), window.helping.navigator.actions, strict=True):
        window.actions_.numbers_alone.setChecked(spot.workspace is WorkspaceId.COMPARE)
        action.trigger()
        widget = child(window, QWidget, spot.widget)
        qtbot.waitUntil(widget.isVisible)
        focus = QApplication.focusWidget()
        assert focus is widget or widget.isAncestorOf(focus) or isinstance(focus, QTabBar)
        assert spot.workspace in (None, window.workspaces.shown)


def check_the_list_is_a_dialog_with_names(search: ActionSearch) -> None:
    assert isinstance(search, QDialog)
    for name in (search.windowTitle(), search.field.accessibleName(), search.list.accessibleName()):
        assert name
    index = search.list.model().index(0, 0)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == index.data(Qt.ItemDataRole.UserRole).spoken


def check_of_a_long_text_that_is_pasted_the_start_is_searched_for(search: ActionSearch) -> None:
    QGuiApplication.clipboard().setText(1000 * "train the recipe ")
    search.field.paste()
    assert len(search.field.text()) == 100


def test_the_list_is_read_and_searched(
    search: ActionSearch, window: MainWindow, qtbot: QtBot
) -> None:
    check_the_list_is_a_dialog_with_names(search)
    check_what_is_not_possible_is_not_done_and_says_why(window, search, qtbot)
    check_of_a_long_text_that_is_pasted_the_start_is_searched_for(search)
    check_the_list_goes_when_the_window_is_used_again(window, search, qtbot)


def test_the_search(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_an_action_is_found_and_done_by_keyboard,
        check_what_was_used_last_comes_first,
        check_a_recipe_is_chosen_from_the_list,
        check_each_part_of_the_window_is_gone_to,
    )

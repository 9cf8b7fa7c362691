"""What takes the keyboard for a while gives it back, also where nobody is left to have it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import active, child
from tests.ui.pace import Rations


@pytest.fixture
def window(with_words: MainWindow) -> MainWindow:
    return with_words


@pytest.fixture
def dismiss(window: MainWindow) -> QToolButton:
    """The button of a message, which has the keyboard."""
    window.message_bar.offer("test", "There is an offer.", "Accept")
    button = next(
        button for button in window.message_bar.findChildren(QToolButton)
        if button.text() == "Dismiss" and button.isVisible()
    )  # fmt: skip
    button.setFocus()
    assert QApplication.focusWidget() is button
    return button


def withdraw(window: MainWindow, button: QWidget, qtbot: QtBot) -> None:
    window.message_bar.withdraw_all()
    qtbot.waitUntil(lambda: not isValid(button))


def test_the_stage_is_left_though_what_had_the_keyboard_has_gone(
    window: MainWindow, dismiss: QToolButton, qtbot: QtBot
) -> None:
    heard: list[bool] = []
    window.stage.toggled.connect(heard.append)
    window.actions_.present.trigger()
    withdraw(window, dismiss, qtbot)
    window.stage.toggle()
    assert heard == [True, False]
    active(qtbot, window)
    window.player_bar.timeline.setFocus()
    window.stage.toggle()
    window.stage.toggle()
    assert heard == [True, False, True, False]
    assert QApplication.focusWidget() is window.player_bar.timeline


def test_the_help_closes_though_what_had_the_keyboard_has_gone(
    window: MainWindow, dismiss: QToolButton, qtbot: QtBot
) -> None:
    dock = child(window, QDockWidget, "helpDock")
    window.actions_.help.trigger()
    withdraw(window, dismiss, qtbot)
    for _ in range(2):
        qtbot.keyClick(child(window, QWidget, "helpText"), Qt.Key.Key_Escape)
        assert not dock.isVisible()
        window.player_bar.timeline.setFocus()
        window.actions_.help.trigger()
    qtbot.keyClick(child(window, QWidget, "helpText"), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.player_bar.timeline


def test_an_action_is_done_though_what_had_the_keyboard_has_gone(
    window: MainWindow, dismiss: QToolButton, qtbot: QtBot
) -> None:
    window.actions_.search_actions.trigger()
    withdraw(window, dismiss, qtbot)
    field = child(window, QLineEdit, "actionSearchField")
    field.setText("larger text")
    scale = window.text_sizing.scale
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.text_sizing.scale > scale)


def test_the_help_closes_before_a_training_under_way_ends(
    qtbot: QtBot, opened: Callable[..., MainWindow], rations: Rations
) -> None:
    rations.merges = 3
    window = active(qtbot, opened("words.txt", "low lower lowest newest " * 9, "--start"))
    qtbot.waitUntil(lambda: window.player.end == 3)
    window.actions_.help.trigger()
    qtbot.keyClick(child(window, QWidget, "helpText"), Qt.Key.Key_Escape)
    assert not child(window, QDockWidget, "helpDock").isVisible()
    assert window.training.busy


def test_a_workspace_does_not_hand_the_keyboard_to_a_button(
    window: MainWindow, qtbot: QtBot
) -> None:
    active(qtbot, window)
    child(window, QWidget, "vocabularyTable").setFocus()
    window.actions_.laboratory.trigger()
    assert QApplication.focusWidget() is None
    window.actions_.explore.trigger()
    window.player_bar.timeline.setFocus()
    window.actions_.laboratory.trigger()
    assert QApplication.focusWidget() is window.player_bar.timeline

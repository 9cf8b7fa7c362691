"""What cannot be trained says so, for as long as that holds."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.ui.actions.action_words import disabled_reason
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.laboratory.recipe_editing import editor, settled, window, write

__all__ = ["editor", "window"]

_NONE = "not a regular expression"


def test_what_is_no_recipe_cannot_be_trained_and_the_button_says_why(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    button = child(editor, QPushButton, "trainRecipeButton")
    action = child(window, QAction, "trainAction")
    tip = button.toolTip()
    write(qtbot, editor, "(a")
    assert not button.isEnabled()
    assert not action.isEnabled()
    assert _NONE in button.toolTip()
    assert button.toolTip() == button.accessibleDescription() == disabled_reason(action)
    before = button.toolTip()
    write(qtbot, editor, "[a-")
    assert button.toolTip() != before
    assert button.toolTip() == button.accessibleDescription() == disabled_reason(action)
    write(qtbot, editor, r"\S+|\s")
    assert button.isEnabled()
    assert action.isEnabled()
    assert (button.toolTip(), button.accessibleDescription()) == (tip, "")


def test_a_message_about_a_recipe_goes_when_the_recipe_has_changed(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    pattern = child(editor, PatternEdit, "splitPatternEdit")
    pattern.setPlainText("(a")
    child(window, QAction, "trainAction").trigger()  # before it is looked over
    qtbot.waitUntil(lambda: _NONE in window.message_bar.text)
    settled(qtbot, editor)
    assert _NONE in window.message_bar.text
    window.message_bar.show_lasting("Something else is wrong.")
    pattern.setPlainText("(a)")
    assert window.message_bar.text == "Something else is wrong."

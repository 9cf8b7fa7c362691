"""The recipe editor in tests: found in its window, waited for, and used as a person would."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.tokens.token_chips import TokenChips
from tests.ui.driving import child

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(opened: Opened) -> MainWindow:
    """A window with a short corpus."""
    return opened("story.txt", "the cat sat on the mat\n" * 30)


@pytest.fixture
def editor(qtbot: QtBot, window: MainWindow) -> RecipeEditor:
    """The editor, starting from gpt2."""
    editor = editor_of(qtbot, window)
    start_from(qtbot, editor, "gpt2")
    return editor


def editor_of(qtbot: QtBot, window: MainWindow) -> RecipeEditor:
    """The editor, once it is in view and all of it is of the draft."""
    child(window, QAction, "laboratoryAction").trigger()
    editor = child(window, RecipeEditor, "recipeEditor")
    settled(qtbot, editor)
    return editor


def settled(qtbot: QtBot, editor: RecipeEditor) -> None:
    """Wait until all that is shown is of the draft as it is now."""
    qtbot.waitUntil(lambda: editor.up_to_date)


def start_from(qtbot: QtBot, editor: RecipeEditor, name: str) -> None:
    """Choose another recipe to start from."""
    choose(child(editor, QComboBox, "recipeBaseBox"), name)
    settled(qtbot, editor)


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry by its text, as a person does."""
    index = box.findText(text)
    assert index >= 0, [box.itemText(n) for n in range(box.count())]
    box.setCurrentIndex(index)
    box.activated.emit(index)


def entries(box: QComboBox) -> list[str]:
    """All entries of a box."""
    return [box.itemText(index) for index in range(box.count())]


def add_step(qtbot: QtBot, editor: RecipeEditor, title: str) -> None:
    """Add a normalizer from the menu."""
    menu = child(editor, QMenu, "addNormalizerMenu")
    next(action for action in menu.actions() if action.text() == title).trigger()
    settled(qtbot, editor)


def said(editor: RecipeEditor, name: str) -> str:
    """What a label says; empty if it is not shown."""
    label = child(editor, QLabel, name)
    return label.text() if label.isVisibleTo(editor) else ""


def recipe_of(editor: RecipeEditor) -> Recipe:
    """The recipe, which must be one."""
    recipe = editor.draft.recipe()
    assert editor.edited.problem == ""
    return recipe

def open_section(editor: RecipeEditor, name: str) -> None:
    """Unfold a section."""
    child(editor, QToolButton, f"{name}Section").setChecked(True)


def words(editor: RecipeEditor) -> list[str]:
    """The words of the sample text, as the split leaves them."""
    return [chip.label for chip in child(editor, TokenChips, "splitPreview").chips]


def write(qtbot: QtBot, editor: RecipeEditor, pattern: str) -> None:
    """Write the pattern of the split."""
    child(editor, PatternEdit, "splitPatternEdit").setPlainText(pattern)
    settled(qtbot, editor)


def set_text(qtbot: QtBot, editor: RecipeEditor, text: str) -> None:
    """Write the sample text."""
    child(editor.window(), TextEditor, "laboratoryText").setPlainText(text)
    settled(qtbot, editor)

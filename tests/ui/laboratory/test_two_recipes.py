"""The recipe of the toolbar and that of the editor: one is in sight, and alike while they can."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QPushButton, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import act, child
from tests.ui.laboratory.recipe_editing import (
    choose,
    editor_of,
    recipe_of,
    settled,
    start_from,
)

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", "the cat sat on the mat\n" * 30, "--preset", "gpt2")
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    return window


def test_an_editor_without_changes_follows_the_toolbar(qtbot: QtBot, window: MainWindow) -> None:
    editor = editor_of(qtbot, window)
    box = child(window, QComboBox, "presetBox")
    for name in ("gpt4", "raw"):
        box.setCurrentText(name)
        settled(qtbot, editor)
        assert recipe_of(editor) == PRESETS[name].with_changes(vocabulary_size=280)
    child(window, QAction, "exploreAction").trigger()
    box.setCurrentText("lines")
    child(window, QSpinBox, "vocabSizeBox").setValue(300)
    chosen = PRESETS["lines"].with_changes(vocabulary_size=300)
    assert recipe_of(editor_of(qtbot, window)) == chosen


def test_what_was_changed_or_begun_with_another_recipe_stays(
    qtbot: QtBot, window: MainWindow
) -> None:
    editor = editor_of(qtbot, window)
    box = child(window, QComboBox, "presetBox")
    editor.drafts.change({"split": "digits"})
    box.setCurrentText("gpt4")
    settled(qtbot, editor)
    assert recipe_of(editor).name == "my gpt2"
    start_from(qtbot, editor, "raw")
    box.setCurrentText("lines")
    settled(qtbot, editor)
    assert recipe_of(editor) is PRESETS["raw"]


def test_one_train_is_in_sight_and_trains_the_recipe_that_is(
    qtbot: QtBot, window: MainWindow
) -> None:
    editor = editor_of(qtbot, window)
    toolbar = child(window, QToolButton, "trainButton")
    own = child(editor, QPushButton, "trainRecipeButton")
    of_recipe = child(window, QComboBox, "presetBox"), child(window, QSpinBox, "vocabSizeBox")
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    settled(qtbot, editor)
    assert own.isVisible()
    assert not any(part.isVisible() for part in (toolbar, *of_recipe))
    act(window, "exploreAction")
    assert not own.isVisible()
    assert all(part.isVisible() for part in (toolbar, *of_recipe))
    for place, recipe in (
        ("exploreAction", window.controls.recipe()), ("laboratoryAction", recipe_of(editor))
    ):  # fmt: skip
        act(window, place)
        act(window, "trainAction")
        qtbot.waitUntil(
            lambda recipe=recipe: window.training.phase is Phase.FINISHED
            and window.training.history.recipe == recipe
        )


def test_what_is_complete_in_the_toolbar_can_be_trained_otherwise_in_the_editor(
    qtbot: QtBot, window: MainWindow
) -> None:
    train = child(window, QAction, "trainAction")
    train.trigger()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    assert not train.isEnabled()
    editor = editor_of(qtbot, window)
    editor.drafts.change({"split": "digits"})
    settled(qtbot, editor)
    assert train.isEnabled()
    editor.drafts.change({"split": "regex:("})
    settled(qtbot, editor)
    assert not train.isEnabled()
    act(window, "exploreAction")
    assert not train.isEnabled()


def test_a_kept_recipe_that_is_saved_anew_is_what_the_toolbar_trains(
    qtbot: QtBot, window: MainWindow
) -> None:
    editor = editor_of(qtbot, window)
    shelf = window.laboratory.files.shelf
    words = PRESETS["gpt2"].with_changes(name="words", split="digits")
    shelf.folder.mkdir(parents=True)
    recipe_io.save(words, shelf.path_for("words"))
    window.controls.choose_recipe(words)
    editor.drafts.begin(words)
    editor.drafts.change({"split": "scripts"})
    settled(qtbot, editor)
    assert window.controls.chosen_recipe() == words
    recipe_io.save(recipe_of(editor), shelf.path_for("words"))
    window.laboratory.files.keptChanged.emit()
    assert window.controls.chosen_recipe() == recipe_of(editor)

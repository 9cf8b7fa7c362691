"""The recipe of the toolbar and that of the editor: alike while they can, told apart else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Symbols, Ties
from bpe_gui.ui.laboratory.estimate import other_in_toolbar
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.laboratory.recipe_editing import (
    choose,
    editor_of,
    recipe_of,
    said,
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
        assert recipe_of(editor) is PRESETS[name]
    child(window, QAction, "exploreAction").trigger()
    box.setCurrentText("lines")
    assert recipe_of(editor_of(qtbot, window)) is PRESETS["lines"]


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


def test_the_editor_says_what_the_toolbar_would_train(qtbot: QtBot, window: MainWindow) -> None:
    editor = editor_of(qtbot, window)
    assert said(editor, "toolbarNote") == (
        "Train (F5) in the toolbar trains it up to 280 entries."
    )
    child(window, QSpinBox, "vocabSizeBox").setValue(30_000)
    assert said(editor, "toolbarNote") == "", "it is the same"
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    settled(qtbot, editor)
    assert said(editor, "toolbarNote").startswith(
        "Train (F5) in the toolbar trains “gpt2”, not this recipe."
    )
    child(window, QAction, "trainRecipeAction").trigger()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    assert said(editor, "toolbarNote") == "", "it was chosen there with the training"
    editor.drafts.change({"split": "scripts"})
    settled(qtbot, editor)
    assert "trains “my gpt2” as it was chosen there" in said(editor, "toolbarNote")


def test_one_goes_on_with_the_recipe_of_the_toolbar(qtbot: QtBot, window: MainWindow) -> None:
    editor = editor_of(qtbot, window)
    editor.drafts.change({"split": "digits"})
    settled(qtbot, editor)
    child(editor, QLabel, "toolbarNote").linkActivated.emit("edit")
    settled(qtbot, editor)
    assert recipe_of(editor) is PRESETS["gpt2"]
    assert [draft.value("split") for draft in editor.drafts.aside] == ["digits"]


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
    assert "trains “words” as it was chosen there" in said(editor, "toolbarNote")
    recipe_io.save(recipe_of(editor), shelf.path_for("words"))
    window.laboratory.files.keptChanged.emit()
    assert said(editor, "toolbarNote") == ""


def test_sizes_and_ties_are_told(qtbot: QtBot) -> None:
    written = PRESETS["gpt2"]
    assert other_in_toolbar(written, written) == ""
    other = written.with_changes(vocabulary_size=None, ties=Ties.LOWEST_ID)
    assert other_in_toolbar(other, written) == (
        "Train (F5) in the toolbar trains it without a bound, with ties: lowest id."
    )
    tiny = written.with_changes(symbols=Symbols.CHARACTERS, alphabet=Alphabet.OBSERVED)
    assert "not this recipe" in other_in_toolbar(written, tiny.with_changes(vocabulary_size=5))
    odd = written.with_changes(name="<b>")
    assert "“&lt;b&gt;”" in other_in_toolbar(odd, written)

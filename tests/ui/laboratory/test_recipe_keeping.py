"""Recipes through the window: saved, loaded, dropped, trained with, and never lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Recipe, Symbols, Ties
from bpe_gui.folders import user_folders
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import act, child
from tests.ui.dropped_files import drop
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.laboratory.recipe_editing import (
    choose,
    editor_of,
    entries,
    recipe_of,
    settled,
    start_from,
)

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat, 1234 times\n" * 30


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    return window


def answer_dialogs(monkeypatch: pytest.MonkeyPatch, path: Path | None) -> list[str]:
    """Have file dialogs return a path, or what they offer; what they offered."""
    offered: list[str] = []

    def answer(parent: object, title: str, folder: str, *rest: object) -> tuple[str, str]:
        offered.append(folder)
        return str(path) if path is not None else folder, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    return offered


def write_own(qtbot: QtBot, window: MainWindow, pattern: str = r"\p{L}+|[^\p{L}]") -> None:
    """Start from gpt2 and split by a pattern."""
    editor = editor_of(qtbot, window)
    start_from(qtbot, editor, "gpt2")
    child(editor, PatternEdit, "splitPatternEdit").setPlainText(pattern)
    settled(qtbot, editor)


def check_a_recipe_is_kept_under_its_name(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow
) -> None:
    write_own(qtbot, window)
    editor = editor_of(qtbot, window)
    name = child(editor, QLineEdit, "recipeNameEdit")
    name.setText("words")
    name.textEdited.emit("words")
    offered = answer_dialogs(monkeypatch, None)
    act(window, "saveRecipeAction")
    qtbot.waitUntil(lambda: "is saved" in window.message_bar.text)
    path = user_folders().data / "recipes" / "words.json"
    assert offered == [str(path)]
    assert recipe_io.load(path) == recipe_of(editor)
    assert json.loads(path.read_text())["split"] == {"regex": r"\p{L}+|[^\p{L}]"}
    assert not editor.draft.changes
    assert "words" in entries(child(window, QComboBox, "presetBox"))
    assert child(editor, QComboBox, "recipeBaseBox").currentText() == "words"
    assert "is saved, and among your recipes" in window.message_bar.text


def check_a_recipe_without_a_name_of_its_own_is_called_like_its_file(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    write_own(qtbot, window)
    answer_dialogs(monkeypatch, tmp_path / "letters")
    act(window, "saveRecipeAction")
    qtbot.waitUntil(lambda: "is saved" in window.message_bar.text)
    assert recipe_io.load(tmp_path / "letters.json").name == "letters"
    assert "letters" not in entries(child(window, QComboBox, "presetBox"))


def check_what_cannot_be_written_is_said(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    write_own(qtbot, window)
    answer_dialogs(monkeypatch, tmp_path / "no" / "folder.json")
    act(window, "saveRecipeAction")
    qtbot.waitUntil(lambda: "cannot be written" in window.message_bar.text)
    assert editor_of(qtbot, window).draft.changes


def check_what_is_no_recipe_is_not_saved(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow
) -> None:
    write_own(qtbot, window, "(")
    offered = answer_dialogs(monkeypatch, None)
    act(window, "saveRecipeAction")
    qtbot.waitUntil(lambda: "not a regular expression" in window.message_bar.text)
    assert not offered


def check_what_comes_of_saving_is_said(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    check_what_is_no_recipe_is_not_saved(qtbot, monkeypatch, window)
    check_what_cannot_be_written_is_said(qtbot, monkeypatch, window, tmp_path)
    check_a_recipe_without_a_name_of_its_own_is_called_like_its_file(
        qtbot, monkeypatch, window, tmp_path
    )


def check_a_recipe_is_trained_and_offered_by_name(qtbot: QtBot, window: MainWindow) -> None:
    write_own(qtbot, window)
    editor = editor_of(qtbot, window)
    editor.drafts.change({"vocabulary_size": 300, "ties": Ties.LOWEST_ID})
    act(window, "trainAction")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    history = window.player.history
    assert history is not None
    assert history.recipe == recipe_of(editor)
    box = child(window, QComboBox, "presetBox")
    assert box.currentText() == "my gpt2"
    assert entries(box)[-2:] == ["Unsaved", "my gpt2"], "as the editor has it"
    assert window.controls.size_box.value() == 300
    assert "my gpt2" in window.windowTitle()
    assert window.workspaces.shown is WorkspaceId.LABORATORY


def test_a_recipe_without_bound_is_trained_without(qtbot: QtBot, window: MainWindow) -> None:
    write_own(qtbot, window)
    editor = editor_of(qtbot, window)
    editor.drafts.change({"vocabulary_size": None})
    act(window, "trainAction")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    history = window.player.history
    assert history is not None
    assert history.recipe.vocabulary_size is None
    assert window.controls.size_box.text() == "no bound"
    # A preset has the size and the ties of before again.
    window.controls.choose_preset("gpt4")
    assert window.controls.recipe() == PRESETS["gpt4"].with_changes(vocabulary_size=280)
    choose(child(window, QComboBox, "presetBox"), "my gpt2")
    assert window.controls.recipe() == recipe_of(editor)


def check_a_preset_that_is_trained_is_that_preset(qtbot: QtBot, window: MainWindow) -> None:
    editor = editor_of(qtbot, window)
    start_from(qtbot, editor, "categories")
    act(window, "trainAction")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    history = window.player.history
    assert history is not None
    assert history.recipe == PRESETS["categories"]
    assert child(window, QComboBox, "presetBox").currentData() == "categories"


def test_a_recipe_is_trained_as_soon_as_it_is_checked(qtbot: QtBot, window: MainWindow) -> None:
    editor = editor_of(qtbot, window)
    child(editor, PatternEdit, "splitPatternEdit").setPlainText(r"\S+|\s")
    assert not editor.up_to_date
    act(window, "trainAction")
    qtbot.waitUntil(
        lambda: window.training.recipe is not None
        and window.training.recipe.split == r"regex:\S+|\s"
    )


def check_a_file_is_loaded(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    shared = Recipe("shared", split="digits-3", symbols=Symbols.CHARACTERS)
    recipe_io.save(shared, tmp_path / "shared.json")
    answer_dialogs(monkeypatch, tmp_path / "shared.json")
    act(window, "loadRecipeAction")
    editor = editor_of(qtbot, window)
    qtbot.waitUntil(lambda: editor.draft.base == shared)
    settled(qtbot, editor)
    assert recipe_of(editor) == shared
    (tmp_path / "shared.json").write_text('{"recipe": 1, "splitt": "none"}')
    act(window, "loadRecipeAction")
    qtbot.waitUntil(lambda: "splitt" in window.message_bar.text)
    assert editor.draft.base == shared


def check_a_dropped_file_is_known_by_what_it_holds(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dropped = Recipe("dropped", alphabet=Alphabet.BYTES)
    recipe_io.save(dropped, tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("some text of its own " * 20)
    drop(window, tmp_path / "a.txt", tmp_path / "b.txt")
    assert window.workspaces.shown is WorkspaceId.LABORATORY
    editor = editor_of(qtbot, window)
    qtbot.waitUntil(lambda: editor.draft.base == dropped)
    assert child(window, QComboBox, "corpusBox").currentText() == "b.txt"


def test_unsaved_changes_outlive_the_window(qtbot: QtBot, opened: Opened) -> None:
    window = opened("story.txt", TEXT)
    write_own(qtbot, window)
    editor_of(qtbot, window).drafts.change({"split": "regex:half a (pattern"})
    left = editor_of(qtbot, window).draft
    window.close()
    assert editor_of(qtbot, opened("story.txt", TEXT)).draft == left


def test_what_the_command_line_asks_for_comes_before_what_was_left_unsaved(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    window = opened("story.txt", TEXT)
    write_own(qtbot, window)
    left = editor_of(qtbot, window).draft
    window.close()
    wanted = Recipe("wanted", split="digits-3")
    recipe_io.save(wanted, tmp_path / "wanted.json")
    window = opened("story.txt", TEXT, "--recipe", str(tmp_path / "wanted.json"))
    editor = editor_of(qtbot, window)
    assert recipe_of(editor) == wanted.with_changes(vocabulary_size=280)
    window.close()
    again = editor_of(qtbot, opened("story.txt", TEXT, "--preset", "gpt4"))
    assert recipe_of(again) == PRESETS["gpt4"].with_changes(vocabulary_size=280)
    again.window().close()
    assert editor_of(qtbot, opened("story.txt", TEXT)).draft == left


def answer_questions(monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: answer)


def test_a_kept_recipe_is_deleted_with_its_file(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    folder = user_folders().data / "recipes"
    folder.mkdir(parents=True)
    recipe_io.save(Recipe("mine", split="scripts"), folder / "mine.json")
    window = opened("story.txt", TEXT)
    editor = editor_of(qtbot, window)
    base = child(editor, QComboBox, "recipeBaseBox")
    delete = child(editor, QMenu, "recipeDeleteMenu").actions()[0]
    answer_questions(monkeypatch, QMessageBox.StandardButton.No)
    delete.trigger()
    assert "mine" in entries(base)
    answer_questions(monkeypatch, QMessageBox.StandardButton.Yes)
    delete.trigger()
    assert not (folder / "mine.json").exists()
    assert "mine" not in entries(base)
    assert "mine" not in entries(child(window, QComboBox, "presetBox"))


def test_damaged_drafts_are_told_of(qtbot: QtBot, opened: Opened) -> None:
    folder = user_folders().data
    folder.mkdir(parents=True)
    (folder / "drafts.json").write_text("{")
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    editor_of(qtbot, window)
    assert "drafts.damaged.json" in window.message_bar.text
    assert (folder / "drafts.damaged.json").read_text() == "{"


def test_kept_recipes_are_offered_and_a_damaged_one_stops_nothing(
    qtbot: QtBot, opened: Opened
) -> None:
    folder = user_folders().data / "recipes"
    folder.mkdir(parents=True)
    mine = Recipe("mine", split="scripts", vocabulary_size=400, ties=Ties.LOWEST_ID)
    recipe_io.save(mine, folder / "mine.json")
    (folder / "broken.json").write_text("{")
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    assert "broken.json" in window.message_bar.text
    box = child(window, QComboBox, "presetBox")
    assert entries(box)[-2:] == ["My recipes", "mine"]
    choose(box, "mine")
    assert window.controls.recipe() == mine
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    assert recipe_of(editor_of(qtbot, window)) == mine
    assert "mine" in entries(child(window, QComboBox, "recipeBaseBox"))


def test_without_changes_no_drafts_are_written(qtbot: QtBot, opened: Opened) -> None:
    window = opened("story.txt", TEXT, "--preset", "gpt4")
    choose(child(window, QComboBox, "presetBox"), "raw")
    chosen = PRESETS["raw"].with_changes(vocabulary_size=280)
    assert recipe_of(editor_of(qtbot, window)) == chosen
    window.close()
    assert not (user_folders().data / "drafts.json").exists()


def test_recipes_are_kept(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_a_recipe_is_kept_under_its_name,
        check_what_comes_of_saving_is_said,
        check_a_recipe_is_trained_and_offered_by_name,
        check_a_preset_that_is_trained_is_that_preset,
        check_a_file_is_loaded,
        check_a_dropped_file_is_known_by_what_it_holds,
    )

"""What is to be expected of a recipe, as the window tells it before a training is begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Replace, Symbols
from bpe_gui.ui.laboratory import estimate
from bpe_gui.ui.laboratory.estimate import EstimateView
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.run import background
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT
from tests.ui.driving import child, colours, picture
from tests.ui.laboratory.recipe_editing import editor_of, said, settled
from tests.ui.pace import Shut

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat, e\u0301te\u0301 <s>\n" * 30


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.training.phase is Phase.PREPARED)
    return window


@pytest.fixture
def editor(qtbot: QtBot, window: MainWindow) -> RecipeEditor:
    return editor_of(qtbot, window)


def measured(qtbot: QtBot, editor: RecipeEditor) -> None:
    settled(qtbot, editor)
    # The kernels may have to be compiled first.
    qtbot.waitUntil(lambda: not editor.measuring.busy)


def check_an_estimate_says_that_it_is_one_and_how_it_was_found(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    measured(qtbot, editor)
    assert said(editor, "recipeEstimate").startswith("Estimate for story.txt: less than a second")
    assert "counted and trained here" not in said(editor, "recipeEstimate")
    child(editor, EstimateView, "recipeOutlook").estimate.linkActivated.emit("how")
    assert "All 1.1 kB were counted and trained here." in said(editor, "recipeEstimate")
    assert said(editor, "recipeWarnings") == ""


def test_warnings_are_told_and_lead_to_their_part(qtbot: QtBot, editor: RecipeEditor) -> None:
    editor.drafts.change(
        {
            "symbols": Symbols.CHARACTERS,
            "alphabet": Alphabet.OBSERVED,
            "normalizers": ("strip-accents",),
            "special_tokens": ("<s>",),
            "vocabulary_size": 5,
        }
    )
    measured(qtbot, editor)
    told = said(editor, "recipeWarnings")
    assert "Small vocabulary" in told
    assert "contains special tokens: &#x27;&lt;s&gt;&#x27; 30 times" in told
    assert "drops 60 characters" in told
    assert said(editor, "recipeEstimate") == "", "it cannot be trained"
    button = child(editor, QToolButton, "specialTokensSection")
    assert not button.isChecked()
    child(editor, EstimateView, "recipeOutlook").warnings.linkActivated.emit("special_tokens")
    assert button.isChecked()


def test_letters_that_cannot_come_back_and_a_split_without_merges_are_told_of(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    editor.drafts.change({"normalizers": (Replace("[a-z]", "?"),), "split": "regex:ZZZQ"})
    measured(qtbot, editor)
    told = said(editor, "recipeWarnings")
    assert "decoding cannot restore: 9 different characters of the corpus, 630 times: t" in told
    assert "nothing can be merged" in told


def test_what_cannot_be_saved_is_told_before_it_is_trained(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    editor.drafts.change({"symbols": Symbols.CHARACTERS, "alphabet": Alphabet.OBSERVED,
                          "end_of_word": EndOfWord.JOINED})
    measured(qtbot, editor)
    told = said(editor, "recipeWarnings")
    assert "cannot be saved in that format: tokenizer.json cannot join an end-of-word" in told
    assert said(editor, "recipeEstimate").startswith("Estimate"), "it can be trained"
    editor.drafts.change({"end_of_word": EndOfWord.NONE})
    measured(qtbot, editor)
    assert said(editor, "recipeWarnings") == ""


def check_what_is_no_recipe_is_not_measured(qtbot: QtBot, editor: RecipeEditor) -> None:
    measured(qtbot, editor)
    editor.drafts.change({"split": "regex:["})
    measured(qtbot, editor)
    assert "Not a recipe yet" in said(editor, "recipeWarnings")
    assert said(editor, "recipeEstimate") == ""
    editor.drafts.change({"split": "digits"})
    measured(qtbot, editor)
    assert said(editor, "recipeWarnings") == ""
    assert said(editor, "recipeEstimate").startswith("Estimate")


def check_a_recipe_that_is_put_right_again_is_measured_again(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    measured(qtbot, editor)
    editor.drafts.change({"split": "regex:["})
    measured(qtbot, editor)
    assert "Not a recipe yet" in said(editor, "recipeWarnings")
    editor.drafts.undo_stack.undo()
    measured(qtbot, editor)
    assert said(editor, "recipeWarnings") == ""
    assert said(editor, "recipeEstimate").startswith("Estimate")


def check_another_corpus_is_measured(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor, tmp_path: Path
) -> None:
    measured(qtbot, editor)
    (tmp_path / "other.txt").write_text("x" * 20_000)
    window.open_sources([tmp_path / "other.txt"])
    measured(qtbot, editor)
    assert "Giant word" in said(editor, "recipeWarnings")
    assert said(editor, "recipeEstimate").startswith("Estimate for other.txt")


def check_a_corpus_that_cannot_be_read_is_told_of(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor, tmp_path: Path
) -> None:
    measured(qtbot, editor)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    editor.measuring.set_corpus(None)
    window.open_sources([tmp_path / "latin.txt"])
    measured(qtbot, editor)
    assert "Not measured" in said(editor, "recipeWarnings")
    assert "latin.txt" in said(editor, "recipeWarnings")


def test_a_first_corpus_without_text_is_told_of_though_no_kernel_is_loaded_for_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    monkeypatch.setattr(estimate, "compiled_by_default", lambda: False)
    monkeypatch.setattr(background, "wait_until_loaded", lambda seconds: False)
    window = opened("empty.txt", "")
    editor = editor_of(qtbot, window)
    qtbot.waitUntil(lambda: "Not measured" in said(editor, "recipeWarnings"))
    assert "empty.txt" in said(editor, "recipeWarnings")
    assert said(editor, "recipeEstimate") == ""


def test_only_the_last_of_many_changes_is_measured(
    qtbot: QtBot, editor: RecipeEditor, shut: Shut
) -> None:
    measured(qtbot, editor)
    gate = shut(estimate, "measure")
    for size in (300, 400, 500):
        editor.drafts.change({"vocabulary_size": size})
        settled(qtbot, editor)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    assert said(editor, "recipeEstimate").startswith("Measuring")
    # One that is measured when another comes is given up, and the other is shown.
    editor.drafts.change({"vocabulary_size": 600})
    settled(qtbot, editor)
    gate.open()
    measured(qtbot, editor)
    assert gate.arrived == 2
    assert said(editor, "recipeEstimate").startswith("Estimate")


def check_the_link_of_the_estimate_takes_the_colour_of_the_theme(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    measured(qtbot, editor)
    for theme, other in ((LIGHT, DARK), (DARK, LIGHT)):
        window.workspaces.explore()
        window.theme_choice.choose(theme.name)
        window.workspaces.laboratory()
        measured(qtbot, editor)
        seen = colours(picture(child(editor, QLabel, "recipeEstimate")))
        assert theme.accent in seen
        assert other.accent not in seen


def check_nothing_is_measured_out_of_sight(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    measured(qtbot, editor)
    editor.drafts.change({"vocabulary_size": 290})
    settled(qtbot, editor)
    assert editor.measuring.busy
    window.workspaces.explore()
    assert not editor.measuring.busy
    window.workspaces.laboratory()
    measured(qtbot, editor)
    assert said(editor, "recipeEstimate").startswith("Estimate")


def test_estimates_of_recipes_and_corpora(
    qtbot: QtBot, editor: RecipeEditor, window: MainWindow, tmp_path: Path
) -> None:
    check_an_estimate_says_that_it_is_one_and_how_it_was_found(qtbot, editor)
    check_the_link_of_the_estimate_takes_the_colour_of_the_theme(qtbot, window, editor)
    check_nothing_is_measured_out_of_sight(qtbot, window, editor)
    check_a_recipe_that_is_put_right_again_is_measured_again(qtbot, editor)
    check_what_is_no_recipe_is_not_measured(qtbot, editor)
    check_another_corpus_is_measured(qtbot, window, editor, tmp_path)
    check_a_corpus_that_cannot_be_read_is_told_of(qtbot, window, editor, tmp_path)

"""The split in the recipe editor: the words that come of it, and patterns that are none."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QRadioButton
from pytestqt.qtbot import QtBot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.pre_tokenize import PATTERNS
from bpe_gui.bpe.recipe import PRESETS, EndOfWord, Recipe, sequence_of
from bpe_gui.bpe.regexes import SECONDS_A_MATCH, slowness
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.tokens.token_chips import TokenChips
from tests.ui.driving import child
from tests.ui.laboratory.recipe_editing import (
    Opened,
    choose,
    editor,
    editor_of,
    open_section,
    recipe_of,
    said,
    set_text,
    settled,
    window,
    words,
    write,
)

__all__ = ["editor", "window"]


def test_the_words_of_the_sample_text_follow_the_split(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    set_text(qtbot, editor, "a1 2b")
    assert words(editor) == ["a", "1", "␣2", "b"]
    write(qtbot, editor, r"\p{L}+")
    assert words(editor) == ["a", "(1␣2)", "b"]
    assert "bracketed text is skipped" in said(editor, "splitPreviewCount")
    assert recipe_of(editor).split == r"regex:\p{L}+"
    set_text(qtbot, editor, "xy")
    assert words(editor) == ["xy"]
    assert said(editor, "splitPreviewCount") == "1 word in the sample text"


def check_the_regex_of_a_split_can_be_started_from(qtbot: QtBot, editor: RecipeEditor) -> None:
    edit = child(editor, PatternEdit, "splitPatternEdit")
    assert edit.text() == PATTERNS["gpt2"]
    choose(child(editor, QComboBox, "splitBox"), "A custom regular expression")
    settled(qtbot, editor)
    assert editor.draft.value("split") == f"regex:{PATTERNS['gpt2']}"
    choose(child(editor, QComboBox, "splitBox"), "Nothing")
    settled(qtbot, editor)
    assert not edit.isVisible(), "there is no pattern to see"
    choose(child(editor, QComboBox, "splitBox"), "A custom regular expression")
    settled(qtbot, editor)
    assert edit.text() == "(?s:.+)", "it splits nothing, as before"
    assert edit.isVisible()
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, ".")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settled(qtbot, editor)
    assert editor.draft.value("split") == "regex:."
    assert child(editor, QComboBox, "splitBox").currentText() == "A custom regular expression"


@pytest.mark.parametrize(
    ("before", "start"), [("White space", r"\S+"), ("Punctuation", PATTERNS["gpt2"])]
)
def test_a_regex_starts_from_a_known_one(
    qtbot: QtBot, editor: RecipeEditor, before: str, start: str
) -> None:
    choose(child(editor, QComboBox, "splitBox"), before)
    settled(qtbot, editor)
    choose(child(editor, QComboBox, "splitBox"), "A custom regular expression")
    settled(qtbot, editor)
    assert child(editor, PatternEdit, "splitPatternEdit").text() == start


def test_bytes_may_end_words_between_which_text_is_dropped(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    set_text(qtbot, editor, "a1  2b")
    before = editor.draft
    write(qtbot, editor, r"\p{L}+|\p{N}")
    box = child(editor, QComboBox, "splitBox")
    choose(box, "Matches of a regular expression only")
    settled(qtbot, editor)
    assert words(editor) == ["a", "1", "(␣␣)", "2", "b"]
    assert "bracketed text is dropped" in said(editor, "splitPreviewCount")
    assert recipe_of(editor).split == r"matches:\p{L}+|\p{N}"
    write(qtbot, editor, r"\p{L}")
    assert recipe_of(editor).split == r"matches:\p{L}", "it is edited as what it is"
    open_section(editor, "symbols")
    child(editor, QRadioButton, "end_of_word_joined").click()
    settled(qtbot, editor)
    recipe = recipe_of(editor)
    assert recipe.byte_level
    assert recipe.end_of_word is EndOfWord.JOINED
    choose(box, "A custom regular expression")
    settled(qtbot, editor)
    assert "single symbols, which are no words" in said(editor, "end_of_wordProblem")
    while editor.draft != before:
        QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(qtbot, editor)


def check_an_error_stands_under_the_character_that_caused_it(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    edit = child(editor, PatternEdit, "splitPatternEdit")
    write(qtbot, editor, "𝄞*+*b")
    [mark] = edit.extraSelections()
    assert (mark.cursor.selectionStart(), mark.cursor.selectedText()) == (4, "*")
    assert "multiple repeat" in said(editor, "splitProblem")
    assert not child(editor, TokenChips, "splitPreview").isVisibleTo(editor)
    assert edit.grab().toImage() != plain(qtbot, edit)
    write(qtbot, editor, "b")
    assert not edit.extraSelections()
    assert said(editor, "splitProblem") == ""


def plain(qtbot: QtBot, edit: PatternEdit) -> object:
    """What the field looks like without the mark of an error."""
    marks = edit.extraSelections()
    edit.setExtraSelections([])
    image = edit.grab().toImage()
    edit.setExtraSelections(marks)
    return image


def test_a_split_in_several_steps_names_them(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    steps = Recipe("steps", split=sequence_of(["digits", "gpt2"]))
    recipe_io.save(steps, tmp_path / "steps.json")
    window = opened("story.txt", "it's 1999", "--recipe", str(tmp_path / "steps.json"))
    editor = editor_of(qtbot, window)
    box = child(editor, QComboBox, "splitBox")
    assert box.currentIndex() == -1
    assert box.placeholderText() == "Several steps"
    assert "Digits, then GPT-2’s words" in said(editor, "splitDescription")
    set_text(qtbot, editor, "in 1999")
    assert words(editor) == ["in", "␣", "1", "9", "9", "9"]
    assert recipe_of(editor) == steps.with_changes(vocabulary_size=280)
    choose(box, "Digits")
    settled(qtbot, editor)
    assert recipe_of(editor).split == "digits"


def test_a_pattern_that_explodes_is_told_of_and_the_window_goes_on(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    set_text(qtbot, editor, "a" * 5000 + "b")
    edit = child(editor, PatternEdit, "splitPatternEdit")
    worked = time.thread_time()
    edit.setPlainText("(a+)+$")
    assert not editor.up_to_date
    settled(qtbot, editor)
    worked = time.thread_time() - worked
    assert worked < SECONDS_A_MATCH * slowness(), "another thread than the window's matches it"
    sentence = said(editor, "splitProblem")
    assert "(a+)+$" in sentence
    assert "aaaa" in sentence
    write(qtbot, editor, "a+")
    assert said(editor, "splitProblem") == ""
    assert len(words(editor)) == 2


def check_a_pattern_that_would_take_all_memory_is_refused(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    write(qtbot, editor, "(?:ab{99999}){99999}")
    assert "repeats so often" in said(editor, "splitProblem")


def check_a_pattern_that_is_again_that_of_the_preset_is_no_change(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    field = child(editor, PatternEdit, "splitPatternEdit")
    for back in (
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
    ):
        field.setFocus()
        field.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(field, "x")
        settled(qtbot, editor)
        assert said(editor, "recipeStatus").startswith("No longer gpt2")
        QTest.keyClick(field, *back)
        settled(qtbot, editor)
        assert not said(editor, "recipeStatus").startswith("No longer")
        assert recipe_of(editor) is PRESETS["gpt2"]


def test_patterns_are_typed_and_refused(qtbot: QtBot, editor: RecipeEditor) -> None:
    check_a_pattern_that_is_again_that_of_the_preset_is_no_change(qtbot, editor)
    check_the_regex_of_a_split_can_be_started_from(qtbot, editor)
    check_an_error_stands_under_the_character_that_caused_it(qtbot, editor)
    check_a_pattern_that_would_take_all_memory_is_refused(qtbot, editor)

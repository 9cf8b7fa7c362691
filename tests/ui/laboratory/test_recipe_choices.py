"""Symbols, special tokens and stops in the recipe editor, and choices that exclude each other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Prepend, Symbols, Ties
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import act, child
from tests.ui.laboratory.recipe_editing import (
    add_step,
    choose,
    editor,
    editor_of,
    open_section,
    recipe_of,
    said,
    set_text,
    settled,
    start_from,
    window,
    words,
)

__all__ = ["editor", "window"]


def check_choices_that_exclude_each_other_say_so_and_offer_a_way_out(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    child(editor, QRadioButton, "end_of_word_own").click()
    settled(qtbot, editor)
    assert editor.draft.value("end_of_word") is EndOfWord.OWN
    assert "no separate end-of-word marker" in said(editor, "end_of_wordProblem")
    characters = child(editor, QRadioButton, "symbols_characters")
    assert characters.isEnabled(), "nothing is forbidden"
    characters.click()
    settled(qtbot, editor)
    assert said(editor, "end_of_wordProblem") == ""
    child(editor, QRadioButton, "alphabet_bytes").click()
    settled(qtbot, editor)
    assert "256 bytes" in said(editor, "alphabetProblem")
    start_from(qtbot, editor, "gpt2")


def check_the_alphabet_and_the_end_of_words_go_along_with_the_symbols(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    summary = child(editor, QLabel, "symbolsSummary")
    child(editor, QRadioButton, "symbols_characters").click()
    settled(qtbot, editor)
    assert recipe_of(editor).alphabet is Alphabet.OBSERVED
    assert "the alphabet “as observed” was chosen too" in said(editor, "symbolsNote")
    assert summary.text() == "characters, as observed"
    choose(child(editor, QComboBox, "splitBox"), "White space")
    child(editor, QRadioButton, "end_of_word_own").click()
    settled(qtbot, editor)
    assert recipe_of(editor).end_of_word is EndOfWord.OWN
    child(editor, QRadioButton, "symbols_bytes").click()
    settled(qtbot, editor)
    assert recipe_of(editor).end_of_word is EndOfWord.NONE
    assert recipe_of(editor).alphabet is Alphabet.BYTES
    assert "“no marker” was chosen too" in said(editor, "symbolsNote")
    start_from(qtbot, editor, "char-bpe")
    assert said(editor, "symbolsNote") == ""
    start_from(qtbot, editor, "gpt2")


def check_characters_may_fall_back_to_bytes(qtbot: QtBot, editor: RecipeEditor) -> None:
    for section in ("symbols", "specialTokens", "stops"):
        open_section(editor, section)
    check = child(editor, QCheckBox, "byteFallbackCheck")
    assert not check.isEnabled()
    assert "bytes spell every text" in check.toolTip()
    child(editor, QRadioButton, "symbols_characters").click()
    check.click()
    settled(qtbot, editor)
    assert recipe_of(editor).byte_fallback
    assert "byte fallback" in said(editor, "symbolsSummary")
    editor.drafts.undo_stack.undo()
    assert not check.isChecked()
    assert check.isEnabled()
    editor.drafts.undo_stack.redo()
    assert check.isChecked()
    choose(child(editor, QComboBox, "splitBox"), "White space")
    child(editor, QRadioButton, "end_of_word_own").click()
    settled(qtbot, editor)
    assert "has no end of a word" in said(editor, "end_of_wordProblem")
    child(editor, QRadioButton, "end_of_word_none").click()
    editor.drafts.change({"special_tokens": ("<0x0A>",)})
    settled(qtbot, editor)
    assert "is how byte fallback writes a byte" in said(editor, "specialTokensProblem")
    editor.drafts.change({"special_tokens": (), "vocabulary_size": 255})
    settled(qtbot, editor)
    assert "use at least 256" in said(editor, "vocabulary_sizeProblem")
    editor.drafts.change({"vocabulary_size": 1000})
    child(editor, QRadioButton, "symbols_bytes").click()
    settled(qtbot, editor)
    assert not recipe_of(editor).byte_fallback
    assert "no byte fallback" in said(editor, "symbolsNote")
    editor.drafts.change({"byte_fallback": True})
    settled(qtbot, editor)
    assert "use characters as symbols" in said(editor, "byteFallbackProblem")
    check.click()
    settled(qtbot, editor)
    assert said(editor, "byteFallbackProblem") == ""
    assert not check.isEnabled()
    start_from(qtbot, editor, "gpt2")


def check_a_radio_button_is_moved_by_arrows_and_the_cursor_stays(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    button = child(editor, QRadioButton, "symbols_bytes")
    QTest.keyClick(button, Qt.Key.Key_Tab)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Right)
    assert editor.draft.value("symbols") is Symbols.CHARACTERS
    assert window.player.position == 0
    start_from(qtbot, editor, "gpt2")


def check_special_tokens_are_a_table(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "specialTokens")
    table = child(editor, QTableWidget, "specialTokensTable")
    for text in ("<unk>", "<s>"):
        child(editor, QPushButton, "addSpecialTokenButton").click()
        item = table.item(table.rowCount() - 1, 0)
        assert item is not None
        item.setText(text)
    assert editor.draft.value("special_tokens") == ("<unk>", "<s>")
    choose(child(editor, QComboBox, "unknownTokenBox"), "<unk>")
    item = table.item(0, 0)
    assert item is not None
    item.setText("[UNK]")
    settled(qtbot, editor)
    assert recipe_of(editor).unknown_token == "[UNK]", "it is still the same token"
    item.setText("<s>")
    settled(qtbot, editor)
    assert "given twice" in said(editor, "specialTokensProblem")
    table.setCurrentCell(0, 0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    settled(qtbot, editor)
    assert recipe_of(editor).special_tokens == ("<s>",)
    set_text(qtbot, editor, "a<s>b")
    assert words(editor) == ["a", "<s>", "b"]
    found = table.item(0, 1)
    assert found is not None
    table.setCurrentCell(0, 1)
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert found.checkState() is Qt.CheckState.Unchecked
    settled(qtbot, editor)
    assert recipe_of(editor).reserved_tokens == ("<s>",)
    assert words(editor) == ["a", "<", "s", ">", "b"]
    item = table.item(0, 0)
    assert item is not None
    item.setText("<t>")
    settled(qtbot, editor)
    assert recipe_of(editor).reserved_tokens == ("<t>",), "it is still the same token"
    start_from(qtbot, editor, "gpt2")


def check_a_token_that_takes_space_says_so_and_keeps_it(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "specialTokens")
    table = child(editor, QTableWidget, "specialTokensTable")
    editor.drafts.change({"special_tokens": ("<s>",)})
    assert table.isColumnHidden(2)
    editor.drafts.change(
        {"special_tokens": ("<s>", "<mask>"), "lstrip_tokens": ("<mask>",)}
    )
    assert not table.isColumnHidden(2)
    how = [item.text() for row in range(2) if (item := table.item(row, 2))]
    assert how == ["", "space before"]
    set_text(qtbot, editor, "a <mask> b")
    assert words(editor) == ["a", "␣<mask>", "␣b"]
    item = table.item(1, 0)
    assert item is not None
    item.setText("<m>")
    settled(qtbot, editor)
    assert recipe_of(editor).lstrip_tokens == ("<m>",), "it is still the same token"
    table.setCurrentCell(1, 0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    settled(qtbot, editor)
    assert recipe_of(editor).lstrip_tokens == ()
    start_from(qtbot, editor, "gpt2")


def check_spaces_and_newlines_can_be_written_and_seen(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    add_step(qtbot, editor, "Prepend")
    field = editor.normalizers.rows[0].text
    assert field.text() == "␣"
    QTest.keyClicks(field, "\\n a")
    assert field.text() == "\\n␣a"
    settled(qtbot, editor)
    assert recipe_of(editor).normalizers == (Prepend("\n a"),)
    assert child(editor, QLabel, "normalizeSummary").text() == "prepend \\n␣a"
    assert "newline" in said(editor, "escapesExplained")
    open_section(editor, "specialTokens")
    child(editor, QPushButton, "addSpecialTokenButton").click()
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, "\\n \\n")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settled(qtbot, editor)
    assert recipe_of(editor).special_tokens == ("\n \n",)
    table = child(editor, QTableWidget, "specialTokensTable")
    item = table.item(0, 0)
    assert item is not None
    assert item.text() == "\\n␣\\n"
    assert child(editor, QComboBox, "unknownTokenBox").itemText(1) == "\\n␣\\n"
    assert child(editor, QLabel, "specialTokensSummary").text() == "\\n␣\\n"
    start_from(qtbot, editor, "gpt2")


def check_each_stop_may_be_no_bound(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "stops")
    child(editor, QCheckBox, "vocabularySizeCheck").click()
    child(editor, QCheckBox, "mergesCheck").click()
    child(editor, QSpinBox, "mergesBox").setValue(77)
    child(editor, QCheckBox, "minFrequencyCheck").click()
    child(editor, QRadioButton, "ties_lowest-id").click()
    settled(qtbot, editor)
    recipe = recipe_of(editor)
    assert (recipe.vocabulary_size, recipe.merges, recipe.min_frequency) == (None, 77, 2)
    assert recipe.ties is Ties.LOWEST_ID
    child(editor, QCheckBox, "minFrequencyCheck").click()
    child(editor, QCheckBox, "vocabularySizeCheck").click()
    child(editor, QSpinBox, "vocabularySizeBox").setValue(9)
    settled(qtbot, editor)
    assert editor.draft.value("min_frequency") == 1
    assert "cannot hold the 256" in said(editor, "vocabulary_sizeProblem")


def test_everything_of_a_recipe_is_chosen(
    qtbot: QtBot, editor: RecipeEditor, window: MainWindow
) -> None:
    check_choices_that_exclude_each_other_say_so_and_offer_a_way_out(qtbot, editor)
    check_the_alphabet_and_the_end_of_words_go_along_with_the_symbols(qtbot, editor)
    check_a_radio_button_is_moved_by_arrows_and_the_cursor_stays(qtbot, window, editor)
    check_characters_may_fall_back_to_bytes(qtbot, editor)
    check_special_tokens_are_a_table(qtbot, editor)
    check_a_token_that_takes_space_says_so_and_keeps_it(qtbot, editor)
    check_spaces_and_newlines_can_be_written_and_seen(qtbot, editor)
    check_each_stop_may_be_no_bound(qtbot, editor)


def test_in_text_of_twice_the_size_nothing_of_the_form_is_cut_off(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1280, 800)
    for _ in range(5):
        act(window, "largerTextAction")
    editor = editor_of(qtbot, window)
    form = child(editor, QWidget, "recipeSections")
    scroll = child(editor, QScrollArea, "recipeScroll")
    for name in ("normalize", "split", "symbols", "specialTokens", "stops"):
        open_section(editor, name)
    qtbot.waitUntil(lambda: form.width() == scroll.viewport().width())
    window.text_sizing.set_scale(1.0)

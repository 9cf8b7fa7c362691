"""The recipe editor as a person uses it: start, change, see what is wrong, take back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTableWidget,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import PRESETS, Alphabet, EndOfWord, Prepend, Replace, Symbols, Ties
from bpe_gui.bpe.split import PATTERNS
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.normalizer_row import NormalizerRow
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.laboratory.section import ElidedLabel
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.theme import DARK, LIGHT
from bpe_gui.ui.token_chips import TokenChips
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.recipe_editing import (
    add_step,
    choose,
    editor_of,
    recipe_of,
    said,
    settled,
    start_from,
)
from tests.ui.widgets import child

Opened = Callable[..., MainWindow]


@pytest.fixture
def window(opened: Opened) -> MainWindow:
    return opened("story.txt", "the cat sat on the mat\n" * 30)


@pytest.fixture
def editor(qtbot: QtBot, window: MainWindow) -> RecipeEditor:
    """The editor, starting from gpt2."""
    editor = editor_of(qtbot, window)
    start_from(qtbot, editor, "gpt2")
    return editor


def open_section(editor: RecipeEditor, name: str) -> None:
    child(editor, QToolButton, f"{name}Section").setChecked(True)


def words(editor: RecipeEditor) -> list[str]:
    return [chip.label for chip in child(editor, TokenChips, "splitPreview").chips]


def write(qtbot: QtBot, editor: RecipeEditor, pattern: str) -> None:
    child(editor, PatternEdit, "splitPatternEdit").setPlainText(pattern)
    settled(qtbot, editor)


def set_text(qtbot: QtBot, editor: RecipeEditor, text: str) -> None:
    child(editor.window(), TextEditor, "laboratoryText").setPlainText(text)
    settled(qtbot, editor)


# -- what it began as ----------------------------------------------------------------------------


def test_it_begins_with_the_recipe_that_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    window.controls.choose_preset("char-bpe")
    assert recipe_of(editor_of(qtbot, window)) == PRESETS["char-bpe"]


def test_every_preset_can_be_started_from(qtbot: QtBot, editor: RecipeEditor) -> None:
    for name, recipe in PRESETS.items():
        start_from(qtbot, editor, name)
        assert recipe_of(editor) is recipe
        assert said(editor, "recipeStatus") == recipe.description.replace("<", "&lt;").replace(
            ">", "&gt;"
        ).replace("'", "&#x27;")


def test_what_is_changed_is_said_and_can_be_taken_back(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    open_section(editor, "specialTokens")
    child(editor, QPushButton, "addSpecialTokenButton").click()
    settled(qtbot, editor)
    assert said(editor, "recipeStatus").startswith("No longer gpt2: split (")
    assert child(editor, QLineEdit, "recipeNameEdit").text() == "my gpt2"
    editor.header.status.linkActivated.emit("split")
    settled(qtbot, editor)
    assert editor.draft.value("split") == "gpt2"
    assert "special tokens" in said(editor, "recipeStatus")
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    editor.header.status.linkActivated.emit("all")
    settled(qtbot, editor)
    assert recipe_of(editor) is PRESETS["gpt2"]
    assert child(editor, QLineEdit, "recipeNameEdit").text() == "gpt2"


def test_a_name_of_a_preset_is_refused_for_another_recipe(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    name = child(editor, QLineEdit, "recipeNameEdit")
    name.setFocus()
    name.selectAll()
    QTest.keyClicks(name, "raw")
    settled(qtbot, editor)
    assert "'raw' is a preset" in said(editor, "recipeNameProblem").replace("&#x27;", "'")
    name.selectAll()
    QTest.keyClicks(name, "words")
    settled(qtbot, editor)
    assert recipe_of(editor).name == "words"
    assert said(editor, "recipeNameProblem") == ""


# -- the split -----------------------------------------------------------------------------------


def test_the_words_of_the_sample_text_follow_the_split(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    set_text(qtbot, editor, "a1 2b")
    assert words(editor) == ["a", "1", "␣2", "b"]
    write(qtbot, editor, r"\p{L}+")
    assert words(editor) == ["a", "(1␣2)", "b"]
    assert "brackets is skipped" in said(editor, "splitPreviewCount")
    assert recipe_of(editor).split == r"regex:\p{L}+"
    set_text(qtbot, editor, "xy")
    assert words(editor) == ["xy"]
    assert said(editor, "splitPreviewCount") == "1 word in the sample text"


def test_the_regex_of_a_split_can_be_started_from(qtbot: QtBot, editor: RecipeEditor) -> None:
    edit = child(editor, PatternEdit, "splitPatternEdit")
    assert edit.text() == PATTERNS["gpt2"]
    choose(child(editor, QComboBox, "splitBox"), "A regex of your own")
    settled(qtbot, editor)
    assert editor.draft.value("split") == f"regex:{PATTERNS['gpt2']}"
    choose(child(editor, QComboBox, "splitBox"), "Nothing")
    settled(qtbot, editor)
    assert not edit.isVisible(), "there is no pattern to see"
    choose(child(editor, QComboBox, "splitBox"), "A regex of your own")
    settled(qtbot, editor)
    assert edit.text() == ""
    assert edit.isVisible()
    edit.setFocus()
    QTest.keyClicks(edit, ".")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settled(qtbot, editor)
    assert editor.draft.value("split") == "regex:."
    assert child(editor, QComboBox, "splitBox").currentText() == "A regex of your own"


def test_an_error_stands_under_the_character_that_caused_it(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    edit = child(editor, PatternEdit, "splitPatternEdit")
    write(qtbot, editor, "𝄞*+*b")
    assert edit.error_position == 3
    assert "multiple repeat" in said(editor, "splitProblem")
    assert not child(editor, TokenChips, "splitPreview").isVisibleTo(editor)
    assert edit.grab().toImage() != plain(qtbot, edit)
    write(qtbot, editor, "b")
    assert edit.error_position is None
    assert said(editor, "splitProblem") == ""


def plain(qtbot: QtBot, edit: PatternEdit) -> object:
    """What the field looks like without the mark of an error."""
    position = edit.error_position
    edit.show_error(None)
    image = edit.grab().toImage()
    edit.show_error(position)
    return image


class Ticks(QObject):
    """Counts how often the window's thread comes round."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.tick)
        self.timer.start(10)

    @Slot()
    def tick(self) -> None:
        self.count += 1


def test_a_pattern_that_explodes_is_told_of_and_the_window_goes_on(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    set_text(qtbot, editor, "a" * 5000 + "b")
    ticks = Ticks()
    edit = child(editor, PatternEdit, "splitPatternEdit")
    edit.setPlainText("(a+)+$")
    assert not editor.up_to_date
    settled(qtbot, editor)
    ticks.timer.stop()
    assert ticks.count > 10, "the window comes round all the time while it is matched"
    sentence = said(editor, "splitProblem")
    assert "(a+)+$" in sentence
    assert "aaaa" in sentence
    write(qtbot, editor, "a+")
    assert said(editor, "splitProblem") == ""
    assert len(words(editor)) == 2


def test_a_pattern_that_would_take_all_memory_is_refused(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    write(qtbot, editor, "(?:ab{99999}){99999}")
    assert "repeats so often" in said(editor, "splitProblem")


# -- normalizers ---------------------------------------------------------------------------------


def test_normalizers_are_added_moved_and_removed_by_key(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    for title in ("NFC", "Lowercase", "Replace a regex", "Prepend"):
        add_step(qtbot, editor, title)
    assert editor.draft.value("normalizers") == (
        "nfc",
        "lowercase",
        Replace(r"\s+", " "),
        Prepend(" "),
    )
    rows = editor.normalizers.rows
    rows[0].setFocus()
    QTest.keyClick(rows[0], Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert editor.draft.value("normalizers")[:2] == ("lowercase", "nfc")
    assert QApplication.focusWidget() is editor.normalizers.rows[1]
    QTest.keyClick(
        editor.normalizers.rows[1], Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier
    )
    assert editor.draft.value("normalizers")[:2] == ("nfc", "lowercase")
    QTest.keyClick(editor.normalizers.rows[0], Qt.Key.Key_Delete)
    assert editor.draft.value("normalizers") == ("lowercase", Replace(r"\s+", " "), Prepend(" "))
    settled(qtbot, editor)
    summary = child(editor, ElidedLabel, "normalizeSummary").whole()
    assert summary == r"Lowercase, replace \s+, prepend ␣"


def test_removed_steps_are_put_back_one_after_another(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    for title in ("NFC", "Replace a regex", "Lowercase"):
        add_step(qtbot, editor, title)
    steps = editor.draft.value("normalizers")
    for place in (1, 0):
        editor.normalizers.rows[place].setFocus()
        QTest.keyClick(editor.normalizers.rows[place], Qt.Key.Key_Delete)
    assert said(editor, "removedNormalizer").startswith("NFC is removed. ")
    QTest.keyClick(editor.normalizers.rows[0], Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.draft.value("normalizers") == ("nfc", "lowercase")
    assert said(editor, "removedNormalizer").startswith(r"replace \s+ is removed. ")
    editor.normalizers.removed.linkActivated.emit("back")
    assert editor.draft.value("normalizers") == steps
    assert said(editor, "removedNormalizer") == ""
    QTest.keyClick(editor.normalizers.rows[0], Qt.Key.Key_Delete)
    add_step(qtbot, editor, "Strip")
    assert said(editor, "removedNormalizer") == "", "what came then would be lost"


def test_a_removed_token_is_put_back_with_what_it_was(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "specialTokens")
    fields = {
        "special_tokens": ("<s>", "<unk>"),
        "reserved_tokens": ("<unk>",),
        "unknown_token": "<unk>",
    }
    editor.drafts.change(fields)
    table = child(editor, QTableWidget, "specialTokensTable")
    table.setCurrentCell(1, 0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert editor.draft.value("unknown_token") is None
    assert said(editor, "removedSpecialToken").startswith("&lt;unk&gt; is removed. ")
    QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert {name: editor.draft.value(name) for name in fields} == fields


def test_the_fields_of_a_step(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "normalize")
    add_step(qtbot, editor, "Replace a regex")
    row = editor.normalizers.rows[0]
    assert QApplication.focusWidget() is row.pattern
    QTest.keyClicks(row.pattern, "[x")
    settled(qtbot, editor)
    assert row.pattern.error_position is not None
    assert "not a regular expression" in row.note.text()
    QTest.keyClicks(row.pattern, "y]")
    QTest.keyClick(row.pattern, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is row.text
    row.text.selectAll()
    QTest.keyClicks(row.text, "z")
    settled(qtbot, editor)
    assert recipe_of(editor).normalizers == (Replace("[xy]", "z"),)
    set_text(qtbot, editor, "yes")
    assert words(editor) == ["zes"]
    # Keys that edit a text do not remove the step.
    QTest.keyClick(row.text, Qt.Key.Key_Delete)
    QTest.keyClick(row.pattern, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert len(editor.normalizers.rows) == 1


def test_the_keyboard_goes_through_the_steps_in_their_order(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    for title in ("NFC", "Replace a regex", "Prepend"):
        add_step(qtbot, editor, title)
    button = child(editor, QToolButton, "normalizeSection")
    button.setFocus()
    passed: list[QWidget | None] = []
    while QApplication.focusWidget() is not editor.normalizers.add_button:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        passed.append(QApplication.focusWidget())
        assert len(passed) < 30
    rows = editor.normalizers.rows
    wanted = [rows[0], rows[1], rows[1].pattern, rows[1].text, rows[2], rows[2].text]
    assert [one for one in passed if one in wanted] == wanted


def test_the_keyboard_goes_through_the_laboratory_as_it_is_read(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    editor.drafts.change({"normalizers": ("nfc",)})
    open_section(editor, "normalize")
    editor.drafts.change({"normalizers": ("nfc", "nfd", Prepend("x"))})
    child(window, QTabWidget, "laboratoryTabs").setCurrentIndex(2)
    settled(qtbot, editor)
    editor.header.base_box.setFocus()
    passed = [editor.header.base_box.objectName()]
    while passed[-1] != "slopeChart":
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        name = focus.objectName() or focus.accessibleName()
        # A label is come to once for each of its links.
        if name != passed[-1] and name not in ("Earlier", "Later", "Remove"):
            passed.append(name)
        assert len(passed) < 40
    buttons = ["trainRecipeButton", "saveRecipeButton", "loadRecipeButton"]
    steps = ["normalizerRow", "normalizerRow", "normalizerRow", "normalizerTextEdit"]
    begin = ["recipeBaseBox", "recipeNameEdit", "recipeStatus", "normalizeSection"]
    split = ["splitSection", "splitBox", "splitPatternEdit", "splitPreview"]
    folded = ["symbolsSection", "specialTokensSection", "stopsSection"]
    panel = ["firstRecipe", "secondRecipe", "thirdRecipe", "lockstepSizeBox"]
    panel += ["trainBothButton", "presetPairButton"]
    assert [name for name in passed if name != "recipeEstimate"] == [
        *begin, *one_each(steps), "addNormalizerButton", *split, *folded, "toolbarNote",
        *buttons, "laboratoryText", "qt_tabwidget_tabbar", *panel, "slopeChart",
    ]  # fmt: skip


def one_each(names: list[str]) -> list[str]:
    """Names without those that are as the one before."""
    return [name for place, name in enumerate(names) if name not in names[place - 1 : place]]


def test_steps_are_moved_by_buttons_too(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "normalize")
    add_step(qtbot, editor, "NFD")
    add_step(qtbot, editor, "Prepend")
    first = editor.normalizers.rows[0]
    buttons = {b.accessibleName(): b for b in first.findChildren(QToolButton)}
    assert not buttons["Earlier"].isEnabled()
    buttons["Later"].click()
    assert editor.draft.value("normalizers") == (Prepend(" "), "nfd")
    assert [isinstance(row.step, Prepend) for row in editor.normalizers.rows] == [True, False]
    last = editor.normalizers.rows[1]
    {b.accessibleName(): b for b in last.findChildren(QToolButton)}["Remove"].click()
    assert editor.draft.value("normalizers") == (Prepend(" "),)
    assert len([r for r in editor.findChildren(NormalizerRow) if r.isVisibleTo(editor)]) == 1


# -- symbols, special tokens, stops --------------------------------------------------------------


def test_choices_that_exclude_each_other_say_so_and_offer_a_way_out(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    child(editor, QRadioButton, "end_of_word_own").click()
    settled(qtbot, editor)
    assert editor.draft.value("end_of_word") is EndOfWord.OWN
    assert "no end-of-word marker" in said(editor, "end_of_wordProblem")
    assert editor.recipe() is PRESETS["gpt2"], "the last one that could be used"
    characters = child(editor, QRadioButton, "symbols_characters")
    assert characters.isEnabled(), "nothing is forbidden"
    characters.click()
    settled(qtbot, editor)
    assert said(editor, "end_of_wordProblem") == ""
    child(editor, QRadioButton, "alphabet_bytes").click()
    settled(qtbot, editor)
    assert "256 bytes" in said(editor, "alphabetProblem")


def test_the_alphabet_and_the_end_of_words_go_along_with_the_symbols(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    summary = child(editor, ElidedLabel, "symbolsSummary")
    child(editor, QRadioButton, "symbols_characters").click()
    settled(qtbot, editor)
    assert recipe_of(editor).alphabet is Alphabet.OBSERVED
    assert "the alphabet “as observed” was chosen too" in said(editor, "symbolsNote")
    assert summary.whole() == "characters, as observed"
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


def test_no_more_steps_are_offered_than_a_recipe_may_have(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    editor.drafts.change({"normalizers": ("nfc",) * 19})
    add_step(qtbot, editor, "NFD")
    assert len(recipe_of(editor).normalizers) == 20
    assert not editor.normalizers.add_button.isEnabled()
    assert "20 steps" in editor.normalizers.add_button.text()
    editor.drafts.change({"normalizers": ()})
    assert editor.normalizers.add_button.text() == "Add a step"
    assert editor.normalizers.add_button.isEnabled()


def test_what_is_of_an_earlier_recipe_says_so(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    stale = child(window, QLabel, "laboratoryStale")
    assert not stale.isVisible()
    write(qtbot, editor, "(")
    assert stale.isVisible()
    assert "last recipe that could be used. This is not a regular expression" in stale.text()
    write(qtbot, editor, "(a)")
    assert not stale.isVisible()


def test_two_whole_lines_of_the_sample_text_are_in_sight(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    window.resize(1024, 700)
    set_text(qtbot, editor, "one\ntwo\nthree")
    text = child(window, TextEditor, "laboratoryText")
    second = text.document().findBlockByNumber(1)
    cursor = text.textCursor()
    cursor.setPosition(second.position())
    assert text.cursorRect(cursor).bottom() <= text.viewport().height()


def test_a_way_out_is_one_click(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "symbols")
    child(editor, QRadioButton, "end_of_word_joined").click()
    settled(qtbot, editor)
    child(editor, QLabel, "end_of_wordProblem").linkActivated.emit("0")
    settled(qtbot, editor)
    assert recipe_of(editor) is PRESETS["gpt2"]


def test_a_radio_button_is_moved_by_arrows_and_the_cursor_stays(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    open_section(editor, "symbols")
    button = child(editor, QRadioButton, "symbols_bytes")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Right)
    assert editor.draft.value("symbols") is Symbols.CHARACTERS
    assert window.player.position == 0


def test_special_tokens_are_a_table(qtbot: QtBot, editor: RecipeEditor) -> None:
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


def test_spaces_and_newlines_can_be_written_and_seen(
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
    assert child(editor, ElidedLabel, "normalizeSummary").whole() == "prepend \\n␣a"
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
    assert child(editor, ElidedLabel, "specialTokensSummary").whole() == "\\n␣\\n"


def test_each_stop_may_be_no_bound(qtbot: QtBot, editor: RecipeEditor) -> None:
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


def test_nothing_is_checked_while_the_laboratory_is_out_of_sight(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    window.workspaces.explore()
    editor.drafts.change({"split": "digits"})
    assert not editor.checker.busy
    window.workspaces.laboratory()
    settled(qtbot, editor)
    assert recipe_of(editor).split == "digits"
    assert child(window, Laboratory, "laboratoryView").isVisible()


def test_every_control_has_a_name_for_screen_readers(editor: RecipeEditor) -> None:
    for name in ("normalize", "split", "symbols", "specialTokens", "stops"):
        open_section(editor, name)
    for kind in (QComboBox, QSpinBox, QCheckBox, QLineEdit, PatternEdit, QToolButton):
        for control in editor.findChildren(kind):
            if control.objectName() not in ("qt_spinbox_lineedit", ""):
                assert control.accessibleName(), control.objectName()


def test_links_take_the_colour_of_the_theme(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    settled(qtbot, editor)
    for theme, other in ((LIGHT, DARK), (DARK, LIGHT)):
        window.set_theme(theme)
        image = editor.header.status.grab().toImage()
        seen = {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
        }
        assert theme.accent in seen
        assert other.accent not in seen


def test_the_wheel_scrolls_and_changes_nothing_that_it_passes(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    box = child(editor, QComboBox, "splitBox")
    child(editor, QLineEdit, "recipeNameEdit").setFocus()

    def turn() -> None:
        none = Qt.KeyboardModifier.NoModifier
        place = QPointF(box.rect().center())
        event = QWheelEvent(
            place, QPointF(box.mapToGlobal(box.rect().center())), QPoint(0, -10), QPoint(0, -120),
            Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(box, event)

    turn()
    assert box.currentText() == "GPT-2’s words"
    box.setFocus()
    turn()
    settled(qtbot, editor)
    assert recipe_of(editor).split == "cl100k"

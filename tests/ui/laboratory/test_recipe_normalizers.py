"""Normalizers in the recipe editor: added, filled in, moved, removed and put back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import Prepend, PrependOnce, Replace
from bpe_gui.ui.laboratory.normalizers_section import NormalizerRow
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from tests.ui.driving import child
from tests.ui.laboratory.recipe_editing import (
    add_step,
    editor,
    open_section,
    recipe_of,
    set_text,
    settled,
    start_from,
    window,
    words,
)

__all__ = ["editor", "window"]


# -- normalizers ---------------------------------------------------------------------------------


def check_normalizers_are_added_moved_and_removed_by_key(
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
    summary = child(editor, QLabel, "normalizeSummary").text()
    assert summary == r"Lowercase, replace \s+, prepend ␣"
    start_from(qtbot, editor, "gpt2")


def check_removed_steps_are_put_back_one_after_another(
    qtbot: QtBot, editor: RecipeEditor
) -> None:
    open_section(editor, "normalize")
    for title in ("NFC", "Replace a regex", "Lowercase"):
        add_step(qtbot, editor, title)
    steps = editor.draft.value("normalizers")
    for place in (1, 0):
        editor.normalizers.rows[place].setFocus()
        QTest.keyClick(editor.normalizers.rows[place], Qt.Key.Key_Delete)
    undo = (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(editor.normalizers.rows[0], *undo)
    assert editor.draft.value("normalizers") == ("nfc", "lowercase")
    QTest.keyClick(editor.normalizers.rows[0], *undo)
    assert editor.draft.value("normalizers") == steps
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(editor.normalizers.rows[0], Qt.Key.Key_Z, redo)
    assert editor.draft.value("normalizers") == ("nfc", "lowercase")
    start_from(qtbot, editor, "gpt2")


def check_what_is_typed_in_one_go_is_undone_at_once(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "normalize")
    add_step(qtbot, editor, "Replace a regex")
    before = editor.draft
    row = editor.normalizers.rows[0]
    QTest.keyClicks(row.pattern, "[xyz]")
    name = child(editor, QLineEdit, "recipeNameEdit")
    name.setFocus()
    name.selectAll()
    QTest.keyClicks(name, "mine")
    for undone in ("my gpt2", "my gpt2"):
        QTest.keyClick(name, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert name.text() == undone
    assert editor.draft == before
    assert row.pattern.text() == r"\s+"
    start_from(qtbot, editor, "gpt2")


def check_another_recipe_is_undone_too(qtbot: QtBot, editor: RecipeEditor) -> None:
    editor.drafts.change({"split": "digits"})
    left = editor.draft
    start_from(qtbot, editor, "raw")
    child(editor, QWidget, "recipeBaseBox").setFocus()
    base = child(editor, QWidget, "recipeBaseBox")
    QTest.keyClick(base, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.draft == left
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(base, Qt.Key.Key_Z, redo)
    assert editor.draft.name == "raw"
    start_from(qtbot, editor, "gpt2")


def check_a_removed_token_is_put_back_with_what_it_was(
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
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert {name: editor.draft.value(name) for name in fields} == fields
    start_from(qtbot, editor, "gpt2")


def check_the_fields_of_a_step(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "normalize")
    add_step(qtbot, editor, "Replace a regex")
    row = editor.normalizers.rows[0]
    assert QApplication.focusWidget() is row.pattern
    QTest.keyClicks(row.pattern, "[x")
    settled(qtbot, editor)
    assert row.pattern.extraSelections()
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
    start_from(qtbot, editor, "gpt2")


def check_the_keyboard_goes_through_the_steps_in_their_order(
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
    start_from(qtbot, editor, "gpt2")


def check_a_step_that_prepends_once_stays_one(qtbot: QtBot, editor: RecipeEditor) -> None:
    open_section(editor, "normalize")
    set_text(qtbot, editor, "low<s>low")
    editor.drafts.change({"special_tokens": ("<s>",)})
    add_step(qtbot, editor, "Prepend once")
    row = editor.normalizers.rows[0]
    row.text.selectAll()
    QTest.keyClicks(row.text, "x")
    settled(qtbot, editor)
    assert editor.draft.value("normalizers") == (PrependOnce("x"),)
    assert child(editor, QLabel, "normalizeSummary").text() == "prepend x once"
    assert words(editor) == ["xlow", "<s>", "low"]
    editor.drafts.change({"normalizers": (Replace(" ", "x"), PrependOnce("x"))})
    assert child(editor, QLabel, "normalizeSummary").text() == "replace ␣, prepend x once"
    start_from(qtbot, editor, "gpt2")


def check_steps_are_moved_by_buttons_too(qtbot: QtBot, editor: RecipeEditor) -> None:
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
    start_from(qtbot, editor, "gpt2")


# -- symbols, special tokens, stops --------------------------------------------------------------


def check_no_more_steps_are_offered_than_a_recipe_may_have(
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


def test_steps_are_added_moved_edited_and_undone(qtbot: QtBot, editor: RecipeEditor) -> None:
    check_another_recipe_is_undone_too(qtbot, editor)
    check_normalizers_are_added_moved_and_removed_by_key(qtbot, editor)
    check_removed_steps_are_put_back_one_after_another(qtbot, editor)
    check_what_is_typed_in_one_go_is_undone_at_once(qtbot, editor)
    check_a_removed_token_is_put_back_with_what_it_was(qtbot, editor)
    check_the_fields_of_a_step(qtbot, editor)
    check_the_keyboard_goes_through_the_steps_in_their_order(qtbot, editor)
    check_steps_are_moved_by_buttons_too(qtbot, editor)
    check_a_step_that_prepends_once_stays_one(qtbot, editor)
    check_no_more_steps_are_offered_than_a_recipe_may_have(qtbot, editor)

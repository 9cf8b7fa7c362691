"""The recipe editor: what it begins as, how it is gone through, and what it does out of sight."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import PRESETS, Prepend
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.driving import child, colours, picture
from tests.ui.laboratory.recipe_editing import (
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
    write,
)

__all__ = ["editor", "window"]


# -- what it began as ----------------------------------------------------------------------------


def test_it_begins_with_the_recipe_that_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    window.controls.choose_preset("char-bpe")
    chosen = PRESETS["char-bpe"].with_changes(vocabulary_size=280)
    assert recipe_of(editor_of(qtbot, window)) == chosen


def check_every_preset_can_be_started_from(qtbot: QtBot, editor: RecipeEditor) -> None:
    for name, recipe in PRESETS.items():
        start_from(qtbot, editor, name)
        assert recipe_of(editor) is recipe
        assert said(editor, "recipeStatus") == recipe.description.replace("<", "&lt;").replace(
            ">", "&gt;"
        ).replace("'", "&#x27;")


def check_what_is_changed_is_said_and_can_be_taken_back(
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


def check_a_name_of_a_preset_is_refused_for_another_recipe(
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


# -- normalizers ---------------------------------------------------------------------------------


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
    panel += ["trainBothButton"]
    assert [name for name in passed if name != "recipeEstimate"] == [
        *begin, *one_each(steps), "addNormalizerButton", *split, *folded,
        *buttons, "laboratoryText", "qt_tabwidget_tabbar", *panel, "slopeChart",
    ]  # fmt: skip


def one_each(names: list[str]) -> list[str]:
    """Names without those that are as the one before."""
    return [name for place, name in enumerate(names) if name not in names[place - 1 : place]]


# -- symbols, special tokens, stops --------------------------------------------------------------


def check_what_is_of_an_earlier_recipe_says_so(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    stale = child(window, QLabel, "laboratoryStale")
    assert not stale.isVisible()
    write(qtbot, editor, "(")
    assert stale.isVisible()
    assert "last recipe that could be used" in stale.text()
    write(qtbot, editor, "(a)")
    assert not stale.isVisible()


def check_two_whole_lines_of_the_sample_text_are_in_sight(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    window.resize(1024, 700)
    set_text(qtbot, editor, "one\ntwo\nthree")
    text = child(window, TextEditor, "laboratoryText")
    second = text.document().findBlockByNumber(1)
    cursor = text.textCursor()
    cursor.setPosition(second.position())
    assert text.cursorRect(cursor).bottom() <= text.viewport().height()


def check_nothing_is_checked_while_the_laboratory_is_out_of_sight(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    window.workspaces.explore()
    editor.drafts.change({"split": "digits"})
    assert not editor.up_to_date
    window.workspaces.laboratory()
    settled(qtbot, editor)
    assert recipe_of(editor).split == "digits"
    assert child(window, Laboratory, "laboratoryView").isVisible()


def check_every_control_has_a_name_for_screen_readers(editor: RecipeEditor) -> None:
    for name in ("normalize", "split", "symbols", "specialTokens", "stops"):
        open_section(editor, name)
    for kind in (QComboBox, QSpinBox, QCheckBox, QLineEdit, PatternEdit, QToolButton):
        for control in editor.findChildren(kind):
            if control.objectName() not in ("qt_spinbox_lineedit", ""):
                assert control.accessibleName(), control.objectName()


def check_links_take_the_colour_of_the_theme(
    qtbot: QtBot, window: MainWindow, editor: RecipeEditor
) -> None:
    choose(child(editor, QComboBox, "splitBox"), "Digits")
    settled(qtbot, editor)
    for theme, other in ((LIGHT, DARK), (DARK, LIGHT)):
        window.theme_choice.choose(theme.name)
        seen = colours(picture(editor.header.status))
        assert theme.accent in seen
        assert other.accent not in seen


def check_the_wheel_scrolls_and_changes_nothing_that_it_passes(
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
    assert box.currentText() == "GPT-2’s words", "also where it has the keyboard"


def test_a_recipe_is_edited(qtbot: QtBot, editor: RecipeEditor, window: MainWindow) -> None:
    check_the_wheel_scrolls_and_changes_nothing_that_it_passes(qtbot, editor)
    check_what_is_changed_is_said_and_can_be_taken_back(qtbot, editor)
    check_links_take_the_colour_of_the_theme(qtbot, window, editor)
    check_a_name_of_a_preset_is_refused_for_another_recipe(qtbot, editor)
    check_what_is_of_an_earlier_recipe_says_so(qtbot, window, editor)
    check_two_whole_lines_of_the_sample_text_are_in_sight(qtbot, window, editor)
    check_nothing_is_checked_while_the_laboratory_is_out_of_sight(qtbot, window, editor)
    check_every_preset_can_be_started_from(qtbot, editor)
    check_every_control_has_a_name_for_screen_readers(editor)

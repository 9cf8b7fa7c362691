"""Very long lines in the editor: folded to look at, and whole in all that is done with them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.ui.tokens import folds
from bpe_gui.ui.tokens.folds import FOLD, LONGEST_LINE, lines_beyond
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.driving import shown

LONG = "".join(f"{number} " for number in range(40_000))
CONTROL = Qt.KeyboardModifier.ControlModifier

texts = st.text(st.sampled_from(f"ab🙂é {FOLD}\n"), max_size=40)


@pytest.fixture
def editor(qtbot: QtBot) -> TextEditor:
    return shown(qtbot, TextEditor(), 500, 100)


def paste(editor: TextEditor, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(editor, Qt.Key.Key_V, CONTROL)


def characters_laid_out(editor: TextEditor) -> int:
    return max(map(len, editor.document().toRawText().split("\u2029")))


@given(texts, st.integers(1, 12))
def test_which_lines_are_long(text: str, length: int) -> None:
    ends = [-1, *(n for n, character in enumerate(text) if character == "\n"), len(text)]
    lines = [(before + 1, end) for before, end in pairwise(ends)]
    assert list(lines_beyond(text, length)) == [
        (start, end) for start, end in lines if end - start > length
    ]


def test_a_very_long_line_comes_out_as_it_went_in(editor: TextEditor) -> None:
    text = f"before\n{LONG}\nafter"
    paste(editor, text)
    assert editor.text() == text
    assert characters_laid_out(editor) <= LONGEST_LINE
    assert editor.caret() == len(text)
    editor.setPlainText(LONG)
    assert editor.text() == LONG
    assert editor.caret() == 0
    assert not editor.document().isUndoAvailable()


def test_lines_of_any_other_length_are_not_folded(editor: TextEditor) -> None:
    text = f"{'a' * LONGEST_LINE}\n{FOLD}\n" * 2
    paste(editor, text)
    assert editor.document().toRawText().replace("\u2029", "\n") == text == editor.text()


def test_a_fold_is_undone_copied_and_deleted_like_any_character(editor: TextEditor) -> None:
    paste(editor, LONG)
    editor.undo()
    assert editor.text() == ""
    editor.redo()
    assert editor.text() == LONG
    QTest.keyClicks(editor, "x")
    assert editor.text() == LONG + "x"
    editor.selectAll()
    QGuiApplication.clipboard().clear()
    QTest.keyClick(editor, Qt.Key.Key_X, CONTROL)
    assert editor.text() == ""
    assert QGuiApplication.clipboard().text() == LONG + "x"
    paste(editor, LONG)
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().toRawText().index(FOLD) + 1)
    editor.setTextCursor(cursor)
    for character in f"y{FOLD}":
        key = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, character)
        QApplication.sendEvent(editor, key)
    kept = editor.document().toRawText().index("y") - 1
    assert editor.text() == f"{LONG[:-kept]}y{FOLD}{LONG[-kept:]}"
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.text() == LONG[:kept] + LONG[-kept:]
    editor.undo()
    assert editor.text().startswith(LONG[: 2 * kept])


@pytest.mark.qt_log_ignore("does not support raise")
def test_hovering_tells_how_much_is_folded(editor: TextEditor) -> None:
    editor.setPlainText(LONG)
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().toRawText().index(FOLD))
    editor.setTextCursor(cursor)
    editor.ensureCursorVisible()
    place = editor.cursorRect().center() + QPoint(1, 0)
    event = QHelpEvent(QEvent.Type.ToolTip, place, editor.viewport().mapToGlobal(place))
    QApplication.sendEvent(editor.viewport(), event)
    assert QToolTip.text() == f"{len(LONG) - 20_000:,} more characters of this line"
    QToolTip.hideText()


class _Model:
    """What is in the editor: characters, and folds with what they stand for."""

    def __init__(self) -> None:
        self.units: list[str] = []

    def insert(self, place: int, text: str) -> None:
        units: list[str] = []
        for line in text.splitlines(keepends=True):
            bare = line.removesuffix("\n")
            if len(bare) > folds.LONGEST_LINE:
                bare_units = [*bare[:2], bare[2:-2], *bare[-2:]]
            else:
                bare_units = list(bare)
            units += [*bare_units, *line[len(bare) :]]
        self.units[place:place] = units

    def position(self, place: int) -> int:
        """As Qt counts, in UTF-16."""
        return sum(1 if len(u) > 1 else len(u.encode("utf-16-le")) // 2 for u in self.units[:place])

    @property
    def text(self) -> str:
        return "".join(self.units)


@given(st.data())
def test_any_edits_around_folds(qapp: object, data: st.DataObject) -> None:
    editor, model = TextEditor(), _Model()
    history = [""]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folds, "LONGEST_LINE", 6)
        patch.setattr(folds, "_KEPT", 2)
        for _ in range(data.draw(st.integers(1, 6))):
            first = data.draw(st.integers(0, len(model.units)))
            last = data.draw(st.integers(first, len(model.units)))
            cursor = editor.textCursor()
            cursor.setPosition(model.position(first))
            cursor.setPosition(model.position(last), QTextCursor.MoveMode.KeepAnchor)
            editor.setTextCursor(cursor)
            assert editor.createMimeDataFromSelection().text() == "".join(model.units[first:last])
            text = data.draw(texts)
            editor.insertPlainText(text)
            del model.units[first:last]
            model.insert(first, text)
            assert editor.text() == model.text
            assert editor.caret() == len("".join(model.units[:first])) + len(text)
            if history[-1] != model.text:
                history.append(model.text)
        editor.undo()
        editor.redo()
        assert editor.text() == model.text

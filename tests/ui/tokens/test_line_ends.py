"""A text comes out of the editor as it went in, with its line ends until it is edited."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.driving import shown

ODD = ["\r\n", "\r", "\n", "\u2029", "\ufdd0", "\ufdd1", "\u2028", "\x85", "\0", "\ufeff", "\ufffe"]
texts = st.lists(st.sampled_from([*ODD, "a", "b", "é", "🙂"]), max_size=8).map("".join)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(qtbot: QtBot) -> TextEditor:
    return shown(qtbot, TextEditor(), 300, 200)


def paste(editor: TextEditor, text: str) -> None:
    data = QMimeData()
    data.setData("text/plain", text.encode())
    editor.insertFromMimeData(data)


def select(editor: TextEditor, start: int, end: int) -> None:
    """Select between two places, counted as Qt does."""
    cursor = editor.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def plain(text: str) -> str:
    """A text with LF for each of its line ends."""
    return re.sub("\r\n|[\r\u2029\ufdd0\ufdd1]", "\n", text)


def test_whatever_is_set_or_pasted_comes_out_again(editor: TextEditor) -> None:
    for odd in ODD:
        for text in (odd, f"{odd}a", f"a{odd}", f"a{odd}b{odd}", odd * 2, f"{odd}\n{odd}"):
            editor.setPlainText(text)
            assert editor.text() == text
            editor.selectAll()
            paste(editor, text)
            assert editor.text() == text
            editor.setPlainText("xöy")
            select(editor, 1, 2)
            paste(editor, text)
            assert editor.text() == f"x{plain(text)}y"
            editor.undo()
            assert editor.text() == "xöy"
            editor.redo()
            assert editor.text() == f"x{plain(text)}y"


edits = st.tuples(
    st.sampled_from(["paste", "type", "enter", "delete", "backspace"]),
    st.integers(0, 30),
    st.integers(1, 3),
    texts,
)


@given(texts, st.lists(edits, max_size=6))
def test_every_edit_leaves_all_other_characters_as_they_are(
    qapp: object, text: str, changes: list[tuple[str, int, int, str]]
) -> None:
    editor = TextEditor()
    try:
        edit_and_check(editor, text, changes)
    finally:
        editor.deleteLater()


def edit_and_check(editor: TextEditor, text: str, changes: list[tuple[str, int, int, str]]) -> None:
    """Do what is said to an editor and to a list of characters, which must agree."""
    editor.setPlainText(text)
    assert editor.text() == text
    characters = list(plain(text))
    passed = [plain(text)]
    for what, place, length, pasted in changes:
        start = min(place, len(characters))
        end = min(start + length, len(characters))
        units = [2 if one > "\uffff" else 1 for one in characters]
        select(editor, sum(units[:start]), sum(units[:end]))
        if what == "paste":
            paste(editor, pasted)
            characters[start:end] = plain(pasted)
        elif what == "enter":
            QTest.keyClick(editor, Qt.Key.Key_Return)
            characters[start:end] = "\n"
        elif what == "type":
            QTest.keyClicks(editor, "q")
            characters[start:end] = "q"
        elif start < end:
            key = Qt.Key.Key_Delete if what == "delete" else Qt.Key.Key_Backspace
            QTest.keyClick(editor, key)
            del characters[start:end]
        assert plain(editor.text()) == "".join(characters)
        passed.append("".join(characters))
    while editor.document().isUndoAvailable():
        editor.undo()
        assert editor.text() in passed
    assert plain(editor.text()) == plain(text)
    while editor.document().isRedoAvailable():
        editor.redo()
        assert editor.text() in passed
    assert plain(editor.text()) == passed[-1]


def test_the_caret_and_what_is_copied(editor: TextEditor) -> None:
    editor.setPlainText("🙂\r\nb\rc\n")
    assert editor.caret() == 0
    select(editor, 2, 3)
    assert editor.caret() == len("🙂\r\n")
    select(editor, 3, 6)
    assert editor.caret() == len("🙂\r\nb\rc")
    QTest.keyClick(editor, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "b\nc"
    editor.setPlainText("\ufeffa")
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_C, CONTROL)
    editor.setPlainText("")
    QTest.keyClick(editor, Qt.Key.Key_V, CONTROL)
    assert editor.text() == "\ufeffa"


@pytest.mark.parametrize("odd", ["\ufeff", "\ufffe", "\ufdd0"])
def test_long_lines_keep_every_character(editor: TextEditor, odd: str) -> None:
    line = "a" * 10_000 + odd + "b" * 60_000 + odd
    text = f"one\r{line}\r\nthree\r\n"
    for way in (editor.setPlainText, editor.insertPlainText):
        editor.setPlainText("")
        way(text)
        assert editor.text() == text
    editor.selectAll()
    copied = editor.createMimeDataFromSelection().data("text/plain").data()
    assert copied == plain(text).encode()
    editor.insertPlainText("x")
    editor.undo()
    assert editor.text() == plain(text)

"""Editing in the text panel: pasting, dropping, long lines, and the word at the caret."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.text.panel import TextPanel
from tests.ui.histories import byte_level, four_words
from tests.ui.panels.parts import parts
from tests.ui.panels.text_panels import (
    counts,
    editor,
    panel,
    shown_text,
    start,
    token_view,
    tokens,
)

__all__ = ["panel"]

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_pasting(panel: TextPanel, qtbot: QtBot) -> None:
    history = byte_level("low")
    start(panel, history, 0, "")
    QGuiApplication.clipboard().setText("lö\r\nw\u00a0x")
    QTest.keyClick(editor(panel), Qt.Key.Key_V, CONTROL)
    qtbot.waitUntil(lambda: counts(panel).startswith("7 characters"))
    assert panel.sample.text == "lö\r\nw\u00a0x", "all characters stay what they are"
    assert tokens(panel, history) == ["l", "Ã", "¶", "č", "Ċ", "w", "Â", "ł", "x"]
    assert "9 bytes" in counts(panel)


def test_half_a_character_does_no_harm(panel: TextPanel, qtbot: QtBot) -> None:
    start(panel, byte_level("low"), 0, "")
    panel.sample.set("a🙂z")
    cursor = editor(panel).textCursor()
    cursor.setPosition(2)
    cursor.setPosition(3, cursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    # PySide leaves the half out; were it there, it could not be encoded.
    assert panel.sample.text in ("az", "a\ufffdz")
    qtbot.waitUntil(lambda: shown_text(panel) == panel.sample.text)


def test_enter_makes_a_line_whatever_is_held(panel: TextPanel) -> None:
    panel.sample.set("")
    QTest.keyClicks(editor(panel), "a")
    QTest.keyClick(editor(panel), Qt.Key.Key_Return, SHIFT)
    QTest.keyClicks(editor(panel), "b")
    QTest.keyClick(editor(panel), Qt.Key.Key_Return)
    assert panel.sample.text == "a\nb\n"


@pytest.mark.parametrize("line", ["abcdefghij" * 600, "to be or not " * 500])
def test_long_lines_are_broken_anywhere_and_only_those(panel: TextPanel, line: str) -> None:
    between_words = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
    area = editor(panel)
    panel.sample.set("low lower\n" * 1000)
    assert area.wordWrapMode() == between_words
    panel.sample.set(f"low\n{line}\nlower")
    assert area.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    area.clear()
    assert area.wordWrapMode() == between_words
    QGuiApplication.clipboard().setText(line)
    area.paste()
    assert area.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    area.undo()
    assert area.wordWrapMode() == between_words
    area.redo()
    assert area.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    assert panel.sample.text == line


def test_a_long_line_is_never_laid_out_between_words(
    panel: TextPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take a second for 100 kB, and a minute for 1 MB."""
    modes: list[QTextOption.WrapMode] = []

    def remember(document: QTextDocument) -> None:
        modes.append(document.defaultTextOption().wrapMode())

    area = editor(panel)
    panel.sample.set("")
    layout = area.document().documentLayout()
    layout.documentSizeChanged.connect(lambda: remember(area.document()))
    panel.sample.set("x" * 6000)
    assert modes
    assert set(modes) == {QTextOption.WrapMode.WrapAnywhere}


class _Window(QMainWindow):
    """Takes what is dropped on it, as the main window does."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.dropped: list[str] = []

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.dropped = [url.fileName() for url in event.mimeData().urls()]
        event.acceptProposedAction()


def drop(target: QObject, data: QMimeData) -> None:
    copy, left, none = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, none)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(target, QDropEvent(QPointF(9, 9), copy, data, left, none))
    QApplication.sendEvent(target, QEvent(QEvent.Type.DragLeave))


def test_dropped_files_are_for_the_window_and_text_for_the_editor(qtbot: QtBot) -> None:
    window, panel = _Window(), TextPanel(parts())
    qtbot.addWidget(window)
    window.setCentralWidget(panel)
    window.show()
    panel.sample.set("")
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("corpus.txt")])
    files.setText("corpus.txt")
    drop(editor(panel).viewport(), files)
    assert window.dropped == ["corpus.txt"]
    assert panel.sample.text == ""
    text = QMimeData()
    text.setText("low")
    drop(editor(panel).viewport(), text)
    assert panel.sample.text == "low"


# -- the word at the caret -----------------------------------------------------------------


def move_caret(panel: TextPanel, place: int) -> None:
    cursor = editor(panel).textCursor()
    cursor.setPosition(place)
    editor(panel).setTextCursor(cursor)


def history_of(recipe: str) -> History:
    return byte_level("low lower") if recipe == "gpt2" else four_words()


@pytest.mark.parametrize(
    ("recipe", "place", "word"),
    [
        ("gpt2", 3, "low"),
        ("gpt2", 4, " lower"),
        ("gpt2", 0, "low"),
        ("gpt2", 9, " lower"),
        ("gpt2", 15, "🙂"),
        ("gpt2", 16, "new"),
        ("whitespace", 4, "lower"),
        ("whitespace", 3, "low"),
        ("whitespace", 13, "🙂new"),
    ],
)
def test_the_word_at_the_caret(panel: TextPanel, recipe: str, place: int, word: str) -> None:
    words: list[str] = []
    panel.wordSelected.connect(words.append)
    panel.sample.set("low lower\n  \n🙂new")
    panel.set_history(history_of(recipe))
    move_caret(panel, 12)
    move_caret(panel, place)
    assert words[-1] == word


def test_the_word_is_of_the_text_that_was_set(panel: TextPanel) -> None:
    words: list[str] = []
    panel.wordSelected.connect(words.append)
    panel.set_history(byte_level("newest newest"))
    for text, word in (("newest", "newest"), ("wet newest", "wet"), ("", "")):
        panel.sample.set(text)
        assert words[-1] == word


def test_the_word_follows_typing_and_clicks(panel: TextPanel, qtbot: QtBot) -> None:
    words: list[str] = []
    panel.wordSelected.connect(words.append)
    panel.sample.set("low lower")
    assert words == []
    history = byte_level("low lower")
    panel.set_history(history)
    panel.show_position(len(history), False)
    assert words == ["low"]
    editor(panel).moveCursor(QTextCursor.MoveOperation.End)
    for typed, word in (("s", " lowers"), (" ", " "), ("x", " x")):
        QTest.keyClicks(editor(panel), typed)
        qtbot.waitUntil(lambda word=word: words[-1] == word)  # type: ignore[misc]
    assert words[1:] == [" lower", " lowers", " ", " x"]
    editor(panel).moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClick(editor(panel), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: words[-1] == "ow")
    view = token_view(panel)
    cut = view.shown_cut()
    assert cut is not None
    assert cut[0].characters.text == "ow lowers x"
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_End)  # the first token is current now
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert words[-1] == " x"


def test_what_is_typed_stays_in_view(panel: TextPanel, qtbot: QtBot) -> None:
    panel.resize(500, 400)
    panel.set_history(byte_level("low lower newest"))
    panel.sample.set("\n".join(f"line {number} of a text" for number in range(60)))
    bar = token_view(panel).verticalScrollBar()
    assert bar.value() == 0
    assert bar.maximum() > 0
    cursor = editor(panel).textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    editor(panel).setTextCursor(cursor)
    assert bar.value() == bar.maximum()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    editor(panel).setTextCursor(cursor)
    assert bar.value() == 0
    cursor.movePosition(QTextCursor.MoveOperation.End)
    editor(panel).setTextCursor(cursor)
    bar.setValue(0)
    qtbot.keyClicks(editor(panel), " low")
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())

"""The editor of the text that is cut into tokens."""

from __future__ import annotations

import codecs

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QKeyEvent, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from bpe_gui.ui.tokens.line_ends import BREAK, LineEnds

_MARKS = ("\ufeff", "\ufffe")
"""Characters that PySide drops at the start of a text, or swaps all bytes for."""
_LONG_LINE = 5000
"""In characters. Breaking a longer line between words takes longer than a keystroke may."""


class TextEditor(QPlainTextEdit):
    """A plain text whose characters come out as they went in."""

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line_ends = LineEnds()
        # This signal comes before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._on_change)

    def text(self) -> str:
        """The text, with the line ends that it came with.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        text = self._line_ends.exact(self.document().toRawText())
        if text.isascii():
            return text
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def caret(self) -> int:
        """How many characters of the text come before the caret."""
        before = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        before = before[: 2 * self.textCursor().position()]
        return len(self._line_ends.exact(before.decode("utf-16-le", "replace")))

    def setPlainText(self, text: str) -> None:
        """Replace the text; nothing can be undone after that."""
        self._line_ends.expect_all(text)
        if not text.startswith(_MARKS):
            super().setPlainText(text)
        else:
            blocked = self.blockSignals(True)
            super().setPlainText("")
            self.blockSignals(blocked)
            self.setUndoRedoEnabled(False)
            self._insert(self.textCursor(), text)
            self.setUndoRedoEnabled(True)
            self.moveCursor(QTextCursor.MoveOperation.Start)
        self._line_ends.has_come()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take what is pasted or dropped, character for character."""
        text = source.text()
        marked = bytes(source.data("text/plain").first(3).data()) == codecs.BOM_UTF8
        if marked and text[:1] != _MARKS[0]:
            text = _MARKS[0] + text  # Qt took it for the mark of the encoding
        self._announce(text)
        self._insert(self.textCursor(), text)
        self._line_ends.has_come()
        self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied or dragged is the text itself, too."""
        cursor, raw = self.textCursor(), self.document().toRawText()
        units = raw.encode("utf-16-le", "surrogatepass")
        start, end = (
            len(self._line_ends.exact(units[: 2 * place].decode("utf-16-le", "replace")))
            for place in (cursor.selectionStart(), cursor.selectionEnd())
        )
        data = QMimeData()
        data.setData("text/plain", self.text()[start:end].encode("utf-8"))
        return data

    def _announce(self, text: str) -> None:
        """The selection is about to make way for a text."""
        cursor = self.textCursor()
        document, span = self.document(), (cursor.selectionStart(), cursor.selectionEnd())
        raw, steps = document.toRawText(), document.availableUndoSteps()
        self._line_ends.expect(raw, steps, *span, text)

    @staticmethod
    def _insert(cursor: QTextCursor, text: str) -> None:
        """Insert a text, also one that PySide would take for one with a byte-order mark."""
        if not text.startswith(_MARKS):
            cursor.insertText(text)
            return
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        start = cursor.position()
        cursor.insertText(f" {text}")
        end = cursor.position()
        cursor.setPosition(start)
        cursor.deleteChar()
        cursor.setPosition(end - 1)
        cursor.endEditBlock()

    @Slot(int, int, int)
    def _on_change(self, position: int, removed: int, added: int) -> None:
        document = self.document()
        raw = document.toRawText()
        self._line_ends.note(raw, document.availableUndoSteps(), position, removed)
        self._wrap_to_fit(raw)

    def _wrap_to_fit(self, raw: str) -> None:
        """Break lines between words, but anywhere if one is long.

        Looking for the ends of words takes a time that grows with the square of their length.
        """
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if _has_long_line(raw):
            mode = QTextOption.WrapMode.WrapAnywhere
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take text, but leave files to the window."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            # Files are for the window, which opens them; their names are no text.
            event.ignore()
            return
        super().dragEnterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Begin another line on Enter, whatever is held."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Shift+Enter would put in a line separator, a character that no corpus has.
            self._announce("\n")
            self.textCursor().insertBlock()
            self._line_ends.has_come()
            self.ensureCursorVisible()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ask for another size while Ctrl is held, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)


def _has_long_line(raw: str) -> bool:
    return len(raw) > _LONG_LINE and max(map(len, raw.split(BREAK))) > _LONG_LINE

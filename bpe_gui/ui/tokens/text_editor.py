"""The editor of the text that is tokenized."""

from __future__ import annotations

import codecs
import re
from math import ceil

from PySide6.QtCore import QMimeData, QSize, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.widgets.text_lines import PlainText

_LONG_LINE = 5000
"""In characters. Breaking a longer line between words takes longer than a keystroke may."""
_OTHER_END = re.compile("\r\n?|[\u2029\ufdd0\ufdd1]")
"""What Qt turns into the end of a line, besides LF."""
_MARKS = ("\ufeff", "\ufffe")
"""Byte-order marks to PySide at the start of a text: it drops the first, and swaps all bytes for
the second."""


class TextEditor(PlainText):
    """An editor of plain text that keeps all characters.

    It keeps line ends until the text is edited; then each of them is LF.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._units: bytes | None = None
        self._text: str | None = None
        self._coming: str | None = None
        # This signal is emitted before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._on_change)

    def sizeHint(self) -> QSize:
        lines = 2 * self.fontMetrics().lineSpacing()
        margins = 2 * ceil(self.document().documentMargin() + self.frameWidth())
        return QSize(super().sizeHint().width(), lines + margins)

    def text(self) -> str:
        """Return the text.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        if self._text is None:
            self._text = self._between(0, self.document().characterCount() - 1)
        return self._text

    def caret(self) -> int:
        """Return the number of characters before the caret."""
        place = len(self._between(0, self.textCursor().position()))
        for pair in re.finditer("\r\n", self.text()):
            # The editor has one break for the two.
            if pair.start() >= place:
                break
            place += 1
        return place

    def _between(self, first: int, last: int) -> str:
        if self._units is None:
            # Qt copies all of the text, so the copy is cached.
            raw = self.document().toRawText().replace("\u2029", "\n")
            self._units = raw.encode("utf-16-le", "surrogatepass")
        return self._units[2 * first : 2 * last].decode("utf-16-le", "replace")

    def setPlainText(self, text: str) -> None:
        self._coming, plain = text, _OTHER_END.sub("\n", text)
        protected = plain.startswith(_MARKS)
        super().setPlainText(f" {plain}" if protected else plain)
        if protected:
            self.document().setUndoRedoEnabled(False)
            self.textCursor().deleteChar()
            self.document().setUndoRedoEnabled(True)
        self._coming = None

    def insertPlainText(self, text: str) -> None:
        cursor, plain = self.textCursor(), _OTHER_END.sub("\n", text)
        selected = cursor.selectionEnd() - cursor.selectionStart()
        if selected == self.document().characterCount() - 1:
            self._coming = text
        cursor.beginEditBlock()
        if plain.startswith(_MARKS):
            cursor.removeSelectedText()
            start = cursor.position()
            cursor.insertText(f" {plain}")
            end = cursor.position()
            cursor.setPosition(start)
            cursor.deleteChar()
            cursor.setPosition(end - 1)
        else:
            cursor.insertText(plain)
        cursor.endEditBlock()
        self._coming = None

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop a text. Qt's own way goes through a second document."""
        if source.hasText() and not self.isReadOnly():
            text = source.text()
            # Qt drops one as a mark of the encoding.
            marks = len(text) - len(text.lstrip(_MARKS[0])) + 1
            is_left_out = source.data("text/plain").startsWith(codecs.BOM_UTF8 * marks)
            self.insertPlainText(_MARKS[0] + text if is_left_out else text)
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        selected = self._between(cursor.selectionStart(), cursor.selectionEnd())
        data = QMimeData()
        data.setData("text/plain", selected.encode("utf-8"))
        return data

    @Slot()
    def _on_change(self) -> None:
        self._units, self._text = None, self._coming
        # Looking for the ends of words takes a time that grows with the square of their length.
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if _has_long_line(self.text()):
            mode = QTextOption.WrapMode.WrapAnywhere
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            # Files are for the window, which opens them; their names are no text.
            event.ignore()
            return
        super().dragEnterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Shift+Enter would put in a line separator, a character that no corpus has.
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
            return
        super().keyPressEvent(event)


def _has_long_line(text: str) -> bool:
    """Return whether a line is too long to be broken between words; reads few of the others."""
    start = 0
    while len(text) - start > _LONG_LINE:
        end = text.rfind("\n", start, start + _LONG_LINE + 1)
        if end < 0:
            return True
        start = end + 1
    return False

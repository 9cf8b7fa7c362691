"""The editor of the text that is tokenized."""

from __future__ import annotations

import codecs
import re

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import (
    QDragEnterEvent,
    QHelpEvent,
    QKeyEvent,
    QTextCharFormat,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from bpe_gui.ui.tokens.folds import (
    LONGEST_LINE,
    MARKS,
    belongs_to_fold,
    fold_at,
    insert,
    lines_beyond,
    unfolded,
)

_LONG_LINE = 5000
"""In characters. Breaking a longer line between words takes longer than a keystroke may."""
_BREAK = "\u2029"
"""The end of a line in the raw text of a document."""
_OTHER_END = re.compile("\r\n?|[\u2029\ufdd0\ufdd1]")
"""What Qt turns into that, besides LF."""


class TextEditor(QPlainTextEdit):
    """An editor of plain text that keeps all characters.

    It keeps line ends until the text is edited; then each of them is LF. Pasted texts may have any
    length; the middle of very long lines is folded.
    """

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._raw: str | None = None
        self._text: str | None = None
        self._coming: str | None = None
        # This signal comes before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._on_change)
        self.cursorPositionChanged.connect(self._write_plainly)

    def text(self) -> str:
        """Return the text.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        if self._text is None:
            size = self.document().characterCount() - 1
            self._text = self._between(0, size)
        return self._text

    def caret(self) -> int:
        """Return how many characters of the text come before the caret."""
        place = len(self._between(0, self.textCursor().position()))
        for pair in re.finditer("\r\n", self.text()):
            # The editor has one break for the two.
            if pair.start() >= place:
                break
            place += 1
        return place

    def _between(self, first: int, last: int) -> str:
        """Return the text between two positions in UTF-16 units."""
        return unfolded(self.document(), self._raw_text(), first, last).replace(_BREAK, "\n")

    def _raw_text(self) -> str:
        """Return the text of the document; Qt copies all of it, so the copy is cached."""
        if self._raw is None:
            self._raw = self.document().toRawText()
        return self._raw

    def setPlainText(self, text: str) -> None:
        self._coming, plain = text, _OTHER_END.sub("\n", text)
        if not plain.startswith(MARKS) and not any(lines_beyond(plain, LONGEST_LINE)):
            super().setPlainText(plain)
        else:
            blocked = self.blockSignals(True)
            super().setPlainText("")
            self.blockSignals(blocked)
            self.document().setUndoRedoEnabled(False)
            insert(self.textCursor(), plain)
            self.document().setUndoRedoEnabled(True)
            self.moveCursor(self.textCursor().MoveOperation.Start)
        self._coming = None

    def insertPlainText(self, text: str) -> None:
        cursor = self.textCursor()
        selected = cursor.selectionEnd() - cursor.selectionStart()
        if selected == self.document().characterCount() - 1:
            self._coming = text
        insert(cursor, _OTHER_END.sub("\n", text))
        self._coming = None

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop a text. Qt's own way goes through a second document."""
        if source.hasText() and not self.isReadOnly():
            text = source.text()
            # Qt drops one as a mark of the encoding.
            marks = len(text) - len(text.lstrip(MARKS[0])) + 1
            is_left_out = source.data("text/plain").startsWith(codecs.BOM_UTF8 * marks)
            self.insertPlainText(MARKS[0] + text if is_left_out else text)
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        selected = self._between(cursor.selectionStart(), cursor.selectionEnd())
        data = QMimeData()
        data.setData("text/plain", selected.encode("utf-8"))
        return data

    @Slot()
    def _on_change(self) -> None:
        self._raw, self._text = None, self._coming
        self._wrap_to_fit()

    def _wrap_to_fit(self) -> None:
        """Break lines between words, but anywhere if one is long.

        Looking for the ends of words takes a time that grows with the square of their length.
        """
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if any(lines_beyond(self._raw_text(), _LONG_LINE, _BREAK)):
            mode = QTextOption.WrapMode.WrapAnywhere
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)

    @Slot()
    def _write_plainly(self) -> None:
        """Type in plain format beside a fold, not in that of the fold."""
        selects = self.textCursor().hasSelection()
        if not selects and belongs_to_fold(self.currentCharFormat()):
            self.setCurrentCharFormat(QTextCharFormat())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.cursorForPosition(event.pos()).position()
            folded = fold_at(self.document(), place) or fold_at(self.document(), place - 1)
            if folded:
                said = f"{len(folded):,} more characters of this line"
                QToolTip.showText(event.globalPos(), said, self.viewport())
                return True
        return super().viewportEvent(event)

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

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

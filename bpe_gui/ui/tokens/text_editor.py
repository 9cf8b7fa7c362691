"""The editor of the text that is cut into tokens."""

from __future__ import annotations

import codecs

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
from bpe_gui.ui.tokens.line_ends import BREAK, LineEnds, with_plain_ends

_LONG_LINE = 5000
"""In characters. Breaking a longer line between words takes longer than a keystroke may."""


class TextEditor(QPlainTextEdit):
    """A plain text whose characters come out as they went in.

    What is pasted may be as long as it likes; of very long lines the middle is folded.
    """

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._raw: str | None = None
        self._text: str | None = None
        self._line_ends = LineEnds()
        # This signal comes before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._on_change)
        self.cursorPositionChanged.connect(self._write_plainly)

    def text(self) -> str:
        """The text, with the line ends that it came with.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        if self._text is None:
            size = self.document().characterCount() - 1
            self._text = self._line_ends.exact(self._between(0, size))
        return self._text

    def caret(self) -> int:
        """How many characters of the text come before the caret."""
        return len(self._line_ends.exact(self._between(0, self.textCursor().position())))

    def _between(self, first: int, last: int) -> str:
        """What stands between two positions, in UTF-16 as Qt counts; lines end with U+2029."""
        return unfolded(self.document(), self._raw_text(), first, last)

    def _raw_text(self) -> str:
        """The text as Qt keeps it. Asked for, all of it is copied; so the copy is kept."""
        if self._raw is None:
            self._raw = self.document().toRawText()
        return self._raw

    def setPlainText(self, text: str) -> None:
        """Show another text, which cannot be undone."""
        self._line_ends.expect_all(text)
        plain = with_plain_ends(text)
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
        self._line_ends.has_come()

    def insertPlainText(self, text: str) -> None:
        """Put a text in the place of what is selected, character for character."""
        self._announce(text)
        insert(self.textCursor(), with_plain_ends(text))
        self._line_ends.has_come()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop a text. Qt's own way goes through a second document."""
        if source.hasText() and not self.isReadOnly():
            text = source.text()
            # Qt takes one for a mark of the encoding, and leaves it out.
            marks = len(text) - len(text.lstrip(MARKS[0])) + 1
            is_left_out = source.data("text/plain").startsWith(codecs.BOM_UTF8 * marks)
            self.insertPlainText(MARKS[0] + text if is_left_out else text)
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: the text, also what is folded."""
        cursor = self.textCursor()
        selected = self._between(cursor.selectionStart(), cursor.selectionEnd())
        before = self._between(0, cursor.selectionStart()).count(BREAK)
        data = QMimeData()
        data.setData("text/plain", self._line_ends.exact(selected, before).encode("utf-8"))
        return data

    def _announce(self, text: str) -> None:
        """The selection is about to make way for a text."""
        cursor, steps = self.textCursor(), self.document().availableUndoSteps()
        span = cursor.selectionStart(), cursor.selectionEnd()
        self._line_ends.expect(self._raw_text(), steps, *span, text)

    @Slot(int, int, int)
    def _on_change(self, position: int, removed: int, added: int) -> None:
        self._raw = self._text = None
        steps = self.document().availableUndoSteps()
        self._line_ends.note(self._raw_text(), steps, position, removed)
        self._wrap_to_fit()

    def _wrap_to_fit(self) -> None:
        """Break lines between words, but anywhere if one is long.

        Looking for the ends of words takes a time that grows with the square of their length.
        """
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if any(lines_beyond(self._raw_text(), _LONG_LINE, BREAK)):
            mode = QTextOption.WrapMode.WrapAnywhere
        if mode != self.wordWrapMode():
            self.setWordWrapMode(mode)

    @Slot()
    def _write_plainly(self) -> None:
        """What is typed beside a fold is no part of it."""
        selects = self.textCursor().hasSelection()
        if not selects and belongs_to_fold(self.currentCharFormat()):
            self.setCurrentCharFormat(QTextCharFormat())

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer to hovering over a fold with how much there is in it."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.cursorForPosition(event.pos()).position()
            folded = fold_at(self.document(), place) or fold_at(self.document(), place - 1)
            if folded:
                said = f"{len(folded):,} more characters of this line"
                QToolTip.showText(event.globalPos(), said, self.viewport())
                return True
        return super().viewportEvent(event)

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

"""The editor of the text that is cut into tokens."""

from __future__ import annotations

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
    belongs_to_fold,
    fold_at,
    insert,
    lines_beyond,
    unfolded,
)

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
        self._known: tuple[int, str] | None = None
        # This signal comes before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._wrap_to_fit)
        self.cursorPositionChanged.connect(self._write_plainly)

    def text(self) -> str:
        """The text, with `\\n` between lines.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        revision = self.document().revision()
        if self._known is None or self._known[0] != revision:
            self._known = revision, unfolded(self.document())
        return self._known[1]

    def caret(self) -> int:
        """How many characters of the text come before the caret."""
        return len(unfolded(self.document(), 0, self.textCursor().position()))

    def setPlainText(self, text: str) -> None:
        """Show another text, which cannot be undone."""
        if not any(lines_beyond(text, LONGEST_LINE)):
            super().setPlainText(text)
            return
        blocked = self.blockSignals(True)
        super().setPlainText("")
        self.blockSignals(blocked)
        self.document().setUndoRedoEnabled(False)
        self.insertPlainText(text)
        self.document().setUndoRedoEnabled(True)
        self.moveCursor(self.textCursor().MoveOperation.Start)

    def insertPlainText(self, text: str) -> None:
        """Put a text in the place of what is selected."""
        insert(self.textCursor(), text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop a text. Qt's own way goes through a second document."""
        if source.hasText() and not self.isReadOnly():
            self.insertPlainText(source.text())
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: the text, also what is folded."""
        cursor = self.textCursor()
        data = QMimeData()
        data.setText(unfolded(self.document(), cursor.selectionStart(), cursor.selectionEnd()))
        return data

    @Slot()
    def _wrap_to_fit(self) -> None:
        """Break lines between words, but anywhere if one is long.

        Looking for the ends of words takes a time that grows with the square of their length.
        """
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if any(lines_beyond(self.document().toRawText(), _LONG_LINE, "\u2029")):
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
            self.textCursor().insertBlock()
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

"""The editor of the text that is cut into tokens."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QKeyEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

_LONG_LINE = 5000
"""In characters. Breaking a longer line between words takes longer than a keystroke may."""


class TextEditor(QPlainTextEdit):
    """A plain text whose characters come out as they went in."""

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # This signal comes before a change is laid out, `textChanged` after that.
        self.document().contentsChange.connect(self._wrap_to_fit)

    def text(self) -> str:
        """The text, with `\\n` between lines.

        `toPlainText` would turn no-break spaces into spaces. Halves of characters that
        cannot be encoded become U+FFFD.
        """
        text = self.document().toRawText().replace("\u2029", "\n")
        if text.isascii():
            return text
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def caret(self) -> int:
        """How many characters of the text come before the caret."""
        before = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        before = before[: 2 * self.textCursor().position()]
        return len(before.decode("utf-16-le", "replace"))

    @Slot()
    def _wrap_to_fit(self) -> None:
        """Break lines between words, but anywhere if one is long.

        Looking for the ends of words takes a time that grows with the square of their length.
        """
        mode = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if _has_long_line(self.document().toRawText()):
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


def _has_long_line(raw: str) -> bool:
    return len(raw) > _LONG_LINE and max(map(len, raw.split("\u2029"))) > _LONG_LINE

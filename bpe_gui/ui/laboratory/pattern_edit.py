"""A field for a regular expression, which marks the character that is wrong."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.text_editor import TextEditor

_ROOM = 10
"""What the style sheet puts around the text, above and below."""
_CARET = 4
"""Height of the mark below a character, and half its width."""


def fixed_font() -> QFont:
    """The fixed font of the desktop, in the size of whatever it is set for."""
    font = QFont()
    font.setFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


class PatternEdit(TextEditor):
    """One pattern in a fixed font, over as many lines as it takes, up to `most_lines`.

    Enter goes on to the next field, for a line break would be part of the pattern; Shift+Enter
    writes one. Tab goes on too.
    """

    def __init__(self, parent: QWidget | None = None, *, most_lines: int = 5) -> None:
        super().__init__(parent)
        self._most_lines = most_lines
        self._position: int | None = None
        ThemeFollower(self, self._take_colours)
        self.setFont(fixed_font())
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The mark of an error below the last line has room.
        self.document().setDocumentMargin(_CARET + 1)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)

    def _take_colours(self, theme: Theme) -> None:
        self._mark = QBrush(QColor(theme.error))

    def set_text(self, text: str) -> None:
        """Show another pattern, the caret behind it; nothing is emitted."""
        if text != self.text():
            blocked = self.blockSignals(True)
            self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)
            self.blockSignals(blocked)
            self.show_error(None)

    def show_error(self, position: int | None) -> None:
        """Mark the character at a position as wrong, or none."""
        if position != self._position:
            self._position = position
            self.viewport().update()

    @property
    def error_position(self) -> int | None:
        """The character that is marked."""
        return self._position

    def sizeHint(self) -> QSize:
        height = self._height_of(min(self._lines(), self._most_lines))
        if self._lines() <= self._most_lines:
            # Another font, for signs that this one lacks, may have higher lines.
            height = max(height, self._height())
        return QSize(120, round(height) + _ROOM)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_size()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on to the next field on Enter."""
        plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.focusNextChild()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._position is None:
            return
        place, width = self._place_of(self._position)
        painter = QPainter(self.viewport())
        painter.fillRect(place.x(), place.y(), width, 2, self._mark)
        middle, top = place.x() + width // 2, place.y() + 2
        for row in range(_CARET):
            painter.fillRect(middle - row, top + row, 2 * row + 1, 1, self._mark)
        painter.end()

    def _place_of(self, position: int) -> tuple[QPoint, int]:
        """Below a character: its left end, and its width; of a space after the last."""
        text = self.text()
        begin, end = (len(text[:at].encode("utf-16-le")) // 2 for at in (position, position + 1))
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        left = self.cursorRect(cursor)
        cursor.setPosition(end)
        right = self.cursorRect(cursor)
        width = right.left() - left.left()
        if width <= 0:
            width = self.fontMetrics().horizontalAdvance("n")
        return QPoint(left.left(), left.bottom() - 1), width

    def _height(self) -> float:
        block, height = self.document().begin(), 0.0
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return height

    def _height_of(self, lines: int) -> float:
        return lines * self.fontMetrics().lineSpacing() + 2 * self.document().documentMargin()

    def _lines(self) -> int:
        # The layout of a plain text measures its height in lines.
        return max(1, round(self.document().size().height()))

    @Slot()
    def _on_size(self) -> None:
        policy = Qt.ScrollBarPolicy
        few = self._lines() <= self._most_lines
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if few else policy.ScrollBarAsNeeded
        )
        if self.sizeHint().height() != self.height():
            self.updateGeometry()

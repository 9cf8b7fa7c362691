"""The field for a regular expression, which marks the wrong character."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QSizePolicy, QTextEdit

from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.text_editor import TextEditor

_ROOM = 10
"""Pixels of the style sheet above and below the text, together."""


def fixed_font() -> QFont:
    """Return the fixed font of the desktop, which takes its size from the widget."""
    font = QFont()
    font.setFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


class PatternEdit(TextEditor):
    """Edits one pattern in a fixed font, over the lines that it needs, up to `most_lines`.

    Enter goes on to the next field, since a line break would be part of the pattern; Shift+Enter
    writes one. Tab goes on too.
    """

    def __init__(self, *, most_lines: int = 5) -> None:
        super().__init__()
        self._most_lines = most_lines
        self._position: int | None = None
        self._wrong = QTextCharFormat()
        ThemeFollower(self, self._take_colours)
        self.setFont(fixed_font())
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)

    def _take_colours(self, theme: Theme) -> None:
        self._wrong.setForeground(QColor(theme.panel))
        self._wrong.setBackground(QColor(theme.error))
        self.show_error(self._position)

    def set_text(self, text: str) -> None:
        """Show a pattern, with the caret behind it, without emitting a signal."""
        if text != self.text():
            with QSignalBlocker(self):
                self.setPlainText(text)
                self.moveCursor(QTextCursor.MoveOperation.End)
            self.show_error(None)

    def show_error(self, position: int | None) -> None:
        """Mark the character at a position as wrong, at the end the last one; None for none."""
        self._position = position
        marks = []
        if position is not None:
            text = self.text()
            begin = max(0, min(position, len(text) - 1))
            cursor = QTextCursor(self.document())
            cursor.setPosition(_utf16(text[:begin]))
            cursor.setPosition(_utf16(text[: begin + 1]), QTextCursor.MoveMode.KeepAnchor)
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, self._wrong  # type: ignore[attr-defined]
            marks.append(mark)
        self.setExtraSelections(marks)

    def sizeHint(self) -> QSize:
        lines = min(self._lines(), self._most_lines)
        height = lines * self.fontMetrics().lineSpacing() + 2 * self.document().documentMargin()
        if self._lines() <= self._most_lines:
            # Fallback fonts may have higher lines.
            height = max(height, self._height())
        return QSize(120, round(height) + _ROOM)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_size()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.focusNextChild()
            return
        super().keyPressEvent(event)

    def _height(self) -> float:
        block, height = self.document().begin(), 0.0
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return height

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


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2

"""A line in which spaces and newlines can be written, and seen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from bpe_gui.ui.pipeline.escapes import EXPLAINED, escaped, unescaped

_SPACE = "␣"


class EscapedEdit(QLineEdit):
    """Shows a text as `escaped` writes it; a space that is typed becomes its mark at once."""

    edited = Signal()
    """The user has written another text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(EXPLAINED)
        self.textEdited.connect(self._on_edited)

    def value(self) -> str:
        """The text that is meant."""
        return unescaped(self.text())

    def set_value(self, text: str) -> None:
        """Show another text; one that is written already stays as it was written."""
        if self.value() != text:
            self.setText(escaped(text))

    @Slot()
    def _on_edited(self) -> None:
        if " " in self.text():
            caret = self.cursorPosition()
            self.setText(self.text().replace(" ", _SPACE))
            self.setCursorPosition(caret)
        self.edited.emit()


class EscapedDelegate(QStyledItemDelegate):
    """Has the cells of a table edited in such a line."""

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        """The line; it shows what the cell shows."""
        return EscapedEdit(parent)

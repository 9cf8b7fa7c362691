"""The field above a table in which its rows are searched."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class SearchField(QLineEdit):
    """A line of text: Escape and a button clear it, Down leaves it for the rows below."""

    downPressed = Signal()
    """The user pressed Down."""

    def __init__(self, placeholder: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        clear = self.findChild(QAction, "_q_qlineeditclearaction")
        if isinstance(clear, QAction):
            clear.setText("Clear")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go down, clear, or edit. Escape in an empty field is left to others."""
        if event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

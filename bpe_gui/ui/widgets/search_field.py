"""The field above a table in which its rows are searched."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

_SIDES = 4
"""What Qt leaves free at the two sides of a text in a field, in pixels."""


class SearchField(QLineEdit):
    """A line of text: Escape and a button clear it, Down leaves it for the rows below."""

    downPressed = Signal()
    """The user pressed Down."""

    def __init__(
        self, placeholder: str, tip: str, parent: QWidget | None = None, short: str = ""
    ) -> None:
        """`short` stands there instead where the placeholder has no room."""
        super().__init__(parent)
        self._placeholder, self._short = placeholder, short or placeholder
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        clear = self.findChild(QAction, "_q_qlineeditclearaction")
        if isinstance(clear, QAction):
            clear.setText("Clear")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say in another room what can be written here."""
        super().resizeEvent(event)
        self._choose_placeholder()

    def changeEvent(self, event: QEvent) -> None:
        """Say it in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._choose_placeholder()

    def _choose_placeholder(self) -> None:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        element = QStyle.SubElement.SE_LineEditContents
        room = self.style().subElementRect(element, option, self).width() - _SIDES
        fits = self.fontMetrics().horizontalAdvance(self._placeholder) <= room
        self.setPlaceholderText(self._placeholder if fits else self._short)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go down, clear, or edit. Escape in an empty field is left to others."""
        if event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

"""The field above a table in which its rows are searched."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from bpe_gui.ui.theme.text_size import RoomFollower

_LOW_ON_STAGE = 10
"""A panel on the stage of fewer lines has no tools."""


class SearchField(QLineEdit):
    """A line of text: Escape and a button clear it, Down leaves it for the rows below."""

    presents = False
    """Whether an audience looks on."""
    downPressed = Signal()
    """The user pressed Down."""

    def __init__(self, name: str, spoken: str, placeholder: str, tip: str, parent: QWidget) -> None:
        """`name` is the object name, `spoken` what screen readers call it."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        clear = self.findChild(QAction, "_q_qlineeditclearaction")
        if isinstance(clear, QAction):
            clear.setText("Clear")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class SearchRow(QHBoxLayout):
    """A search above the table of a panel, and a tool beside it.

    On the stage, a low panel hides both, unless it shows the result of a search; a panel that is
    too narrow for both hides the tool.
    """

    def __init__(self, search: SearchField, beside: QWidget, panel: QWidget) -> None:
        super().__init__()
        self._search, self._beside, self._panel = search, beside, panel
        self.setContentsMargins(8, 8, 8, 6)
        self.setSpacing(6)
        self.addWidget(search, 1)
        self.addWidget(beside)
        RoomFollower(panel, self._leave_out)

    def _leave_out(self) -> None:
        low = self._panel.height() < _LOW_ON_STAGE * self._panel.fontMetrics().lineSpacing()
        seen = not (low and self._search.presents) or bool(self._search.text())
        needed = sum(tool.sizeHint().width() for tool in (self._search, self._beside))
        narrow = self._search.presents and needed > self._panel.width()
        self._search.setVisible(seen)
        self._beside.setVisible(seen and not narrow)

"""A line at the top of the window for what went wrong and what to do about it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolBar, QToolButton, QWidget


class MessageBar(QToolBar):
    """Shows one sentence until it is closed or withdrawn; takes no room when there is none."""

    closed = Signal()
    """The user has closed the message."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Message", parent)
        self.setObjectName("messageBar")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self._text = QLabel(self)
        self._text.setObjectName("messageText")
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._close = QToolButton(self)
        self._close.setText("Dismiss")
        self._close.setAccessibleName("Dismiss the message")
        self._close.clicked.connect(self._on_close)
        content = QWidget(self)
        row = QHBoxLayout(content)
        row.setContentsMargins(12, 6, 8, 6)
        row.addWidget(self._text)
        row.addWidget(self._close)
        self.addWidget(content)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; empty if nothing is."""
        return self._text.text() if not self.isHidden() else ""

    def show_message(self, text: str) -> None:
        """Show a sentence in place of the one before."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.show()

    @Slot()
    def withdraw(self) -> None:
        """Show nothing: what the message was about is over."""
        self.hide()

    @Slot()
    def _on_close(self) -> None:
        self.hide()
        self.closed.emit()

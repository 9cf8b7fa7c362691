"""A line at the top of the window for what went wrong and what to do, or what went well."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

_PROBLEM, _SUCCESS = "!", "✓"
_SIDE, _ABOVE_AND_BELOW = 9, 8
"""What the style sheet puts around the frame of a message, its line included, in pixels."""


class MessageBar(QToolBar):
    """Shows one sentence until it is closed or withdrawn; takes no room when there is none."""

    closed = Signal()
    """The user has closed the message."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Message", parent)
        self.setObjectName("messageBar")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self._lasts = False
        self._text = QLabel(self)
        self._text.setObjectName("messageText")
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._sign = QLabel(_PROBLEM, self)
        self._sign.setObjectName("messageSign")
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._close = QToolButton(self)
        self._close.setText("Dismiss")
        self._close.setAccessibleName("Dismiss the message")
        self._close.clicked.connect(self._on_close)
        self._content = QFrame(self)
        self._content.setObjectName("message")
        self._row = row = QHBoxLayout(self._content)
        row.setContentsMargins(10, 4, 6, 4)
        row.setSpacing(10)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)
        self.addWidget(self._content)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; empty if nothing is."""
        return self._text.text() if not self.isHidden() else ""

    @Slot(str)
    def show_message(self, text: str) -> None:
        """Show what went wrong in place of the sentence before."""
        self._show(text, _PROBLEM)

    @Slot(str)
    def show_lasting(self, text: str) -> None:
        """Show what went wrong until it is closed, or something else is to be said."""
        self._show(text, _PROBLEM)
        self._lasts = True

    @Slot(str)
    def show_success(self, text: str) -> None:
        """Show what went well in place of the sentence before."""
        self._show(text, _SUCCESS)

    def _show(self, text: str, sign: str) -> None:
        self._lasts = False
        if sign != self._sign.text():
            self._sign.setText(sign)
            for part in (self._sign, self._content):
                part.setProperty("success", sign == _SUCCESS)
                self.style().unpolish(part)
                self.style().polish(part)
        self._text.setText(text)
        self.setAccessibleName(text)
        self._fit()
        self.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the sentence as many lines as it needs, and no more."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # A bar does not ask what it holds how high it is in its width; it is as wide as the
        # window, also before it has been laid out.
        height = self._row.heightForWidth(self.window().width() - 2 * _SIDE) + _ABOVE_AND_BELOW
        if height > 0 and height != self._content.height():
            self._content.setFixedHeight(height)

    @Slot()
    def withdraw(self) -> None:
        """Show nothing, for what the message was about is over; a lasting one stays."""
        if not self._lasts:
            self.hide()

    @Slot()
    def _on_close(self) -> None:
        self._lasts = False
        self.hide()
        self.closed.emit()

"""What the status bar says while a session is read, with a way to end it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QToolButton, QWidget

_SOON = 200
"""Milliseconds after which there is something to be said; most sessions are there before."""


class OpeningNote(QWidget):
    """Says which session is being read, where that takes a moment."""

    cancelled = Signal()
    """The user does not want it any more."""

    def __init__(self, bar: QStatusBar) -> None:
        super().__init__(bar)
        self.setObjectName("openingNote")
        self._label = QLabel()
        self._label.setObjectName("openingSession")
        cancel = QToolButton()
        cancel.setObjectName("cancelOpeningButton")
        cancel.setText("Cancel")
        cancel.setStyleSheet("padding: 1px 10px")
        cancel.setToolTip("Leave the session, and go on with what is here (Esc)")
        cancel.clicked.connect(self.cancelled)
        self._cancel = cancel
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 10, 2)
        row.addWidget(self._label)
        row.addWidget(cancel)
        bar.addPermanentWidget(self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON)
        self._soon.timeout.connect(self.show)
        self.hide()

    def begin(self, name: str) -> None:
        """A session of that name is being read."""
        self._label.setText(f"Reading {name} …")
        self._cancel.setAccessibleName(f"Cancel: reading {name}")
        self._soon.start()

    def end(self) -> None:
        """It is read, or given up."""
        self._soon.stop()
        self.hide()

"""The mouse pointer on the stage: out of sight while it stands still."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QCursor, QGuiApplication

STILL_MILLISECONDS = 1500
"""A pointer that has not moved for so long is not being used to point."""


class Pointer(QObject):
    """Hides the pointer when it has stood still for a while, and shows it when it moves."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._place = QPoint()
        self._hidden = False
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(STILL_MILLISECONDS)
        self._still.timeout.connect(self._hide)

    @property
    def hidden(self) -> bool:
        """Whether the pointer is out of sight."""
        return self._hidden

    def begin(self) -> None:
        """Watch the pointer from now on."""
        self._place = QCursor.pos()
        self._still.start()

    def end(self) -> None:
        """Show the pointer, and leave it alone."""
        self._still.stop()
        self._show()

    def moved(self, place: QPoint) -> None:
        """The pointer is at a place on the screen, which need not be another one."""
        if place != self._place:
            self._place = place
            self._show()
            self._still.start()

    @Slot()
    def _hide(self) -> None:
        if not self._hidden:
            self._hidden = True
            # Also over widgets that have a pointer of their own.
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def _show(self) -> None:
        if self._hidden:
            self._hidden = False
            QGuiApplication.restoreOverrideCursor()

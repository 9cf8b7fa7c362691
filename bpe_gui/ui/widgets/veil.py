"""Dim a widget whose contents are about to be replaced."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

_STRENGTH = 0.6
"""How much of the contents the veil hides: they can still be read."""


class Veil(QWidget):
    """Lies over its parent while it is shown, and lets the mouse through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("veil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        parent.installEventFilter(self)
        self.hide()

    def lay(self, over: bool) -> None:
        """Dim the parent, or show it as it is again."""
        parent = self.parentWidget()
        if over and parent is not None:
            self.setGeometry(parent.rect())
            self.raise_()
        self.setVisible(over)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.lay(True)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setOpacity(_STRENGTH)
            painter.fillRect(event.rect(), self.palette().brush(QPalette.ColorRole.Base))

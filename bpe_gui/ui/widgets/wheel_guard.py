"""Keeps the wheel from changing what it only passes: boxes are opened on purpose."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget


class WheelGuard(QObject):
    """Passes the wheel over closed boxes on to what they are in; open lists scroll."""

    def __init__(self, parent: QWidget) -> None:
        """Guard all boxes that are in a widget now."""
        super().__init__(parent)
        for kind in (QComboBox, QAbstractSpinBox):
            for box in parent.findChildren(kind):
                # By itself the wheel takes the keyboard along.
                box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                box.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel on."""
        if event.type() != QEvent.Type.Wheel:
            return False
        event.ignore()
        return True

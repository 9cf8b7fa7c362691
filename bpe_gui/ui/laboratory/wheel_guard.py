"""Keeps the wheel from changing what it only passes while a form scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget


class WheelGuard(QObject):
    """Lets boxes of a form have the wheel only once the keyboard is in them."""

    def __init__(self, form: QWidget) -> None:
        super().__init__(form)
        for kind in (QComboBox, QAbstractSpinBox):
            for box in form.findChildren(kind):
                # By itself the wheel takes the keyboard along.
                box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                box.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel on to the form below."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus():
            return False
        event.ignore()
        return True

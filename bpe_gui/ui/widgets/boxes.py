"""Boxes that neither the wheel nor a stray key changes.

They pass the wheel on to what they are in, which scrolls. A list is chosen from while it is open.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDialog, QDoubleSpinBox, QSpinBox, QWidget

from bpe_gui.ui.widgets.focus_ring import goes_by_keyboard

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_OPENING = _ENTER | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_F4}
_CHOOSING = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class ComboBox(QComboBox):
    """A list to choose from; after a choice the keyboard goes to the focus proxy of the window.

    Where Tab led to the box it keeps the keyboard.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # By itself the wheel takes the keyboard along.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._return_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the list; no key chooses another entry while it is closed."""
        if event.key() in _ENTER and isinstance(self.window(), QDialog):
            # It presses the button of the dialog.
            event.ignore()
        elif event.key() in _OPENING:
            self.showPopup()
        elif event.key() in _CHOOSING or (event.text().isprintable() and event.text()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @Slot()
    def _return_focus(self) -> None:
        proxy = self.window().focusProxy()
        if proxy is not None and proxy.isVisible() and not goes_by_keyboard():
            proxy.setFocus()


class SpinBox(QSpinBox):
    """A whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DoubleSpinBox(QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

"""What had the keyboard before something took it for a while."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


class KeptFocus:
    """Remembers a widget, and gives it the keyboard back if it is still there to be seen."""

    def __init__(self) -> None:
        self._widget: QWidget | None = None

    def keep(self, widget: QWidget | None) -> None:
        """Remember a widget, or that none had the keyboard."""
        self._widget = widget

    def give_back(self) -> None:
        """Give the keyboard back, once: what was remembered is forgotten."""
        widget, self._widget = self._widget, None
        if widget is not None and isValid(widget) and widget.isVisible():
            widget.window().activateWindow()
            widget.setFocus()

"""The button of an action whose text, icon and state may change at any time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from bpe_gui.ui.theme.text_size import scaled

_ICON = 16
"""The size of icons beside plain text, in pixels."""


class SteadyButton(QToolButton):
    """Keeps the size that it needs for its first text.

    Otherwise each change of an action has the whole window laid out anew, which takes a
    third of a frame.
    """

    def __init__(self, action: QAction, style: Qt.ToolButtonStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._widths: dict[Qt.ToolButtonStyle, int] = {}
        self.setDefaultAction(action)
        self.setToolButtonStyle(style)
        self._fit()

    def set_style(self, style: Qt.ToolButtonStyle) -> None:
        """Show text, icon or both; as large from now on as that needs."""
        if style is not self.toolButtonStyle():
            self.setToolButtonStyle(style)
            self._fit()

    def width_with(self, style: Qt.ToolButtonStyle) -> int:
        """How wide it is in a style."""
        if style not in self._widths:
            now = self.toolButtonStyle()
            self.setToolButtonStyle(style)
            self._widths[style] = self.sizeHint().width()
            self.setToolButtonStyle(now)
        return self._widths[style]

    def changeEvent(self, event: QEvent) -> None:
        """Follow another font or style."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        self._widths.clear()
        icon = scaled(_ICON, self.font())
        self.setIconSize(QSize(icon, icon))
        self.setFixedSize(self.sizeHint())

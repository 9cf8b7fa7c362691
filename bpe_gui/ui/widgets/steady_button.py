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
        self.setDefaultAction(action)
        self.setToolButtonStyle(style)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        icon = scaled(_ICON, self.font())
        self.setIconSize(QSize(icon, icon))
        self.setFixedSize(self.sizeHint())

"""A button for an action, which says of itself what the action does."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton

from bpe_gui.ui.actions.action_words import disabled_reason


class ActionButton(QPushButton):
    """Does what the action does, and while that is not possible says why in its tooltip.

    Screen readers are told the same, as its description.
    """

    def __init__(self, action: QAction) -> None:
        super().__init__(action.text().replace("&", ""))
        self._action = action
        self.setObjectName(action.objectName().replace("Action", "Button"))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        action.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow another reason, of which `changed` does not tell."""
        if event.type() == QEvent.Type.DynamicPropertyChange:
            self._follow()
        return False

    @Slot()
    def _follow(self) -> None:
        possible = self._action.isEnabled()
        told = self._action.toolTip() if possible else disabled_reason(self._action)
        self.setEnabled(possible)
        self.setToolTip(told)
        self.setAccessibleDescription("" if possible else told)

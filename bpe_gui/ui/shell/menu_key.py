"""The menu of what has the keyboard, for keyboards without a menu key."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication


class MenuKey(QObject):
    """Opens by an action what the right button opens with the mouse."""

    def __init__(self, action: QAction, parent: QObject) -> None:
        super().__init__(parent)
        action.triggered.connect(self.open_menu)

    @Slot()
    def open_menu(self) -> None:
        """Ask what has the keyboard for its menu, as Qt does for the menu key."""
        widget = QApplication.focusWidget()
        if widget is None:
            return
        caret = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        within = isinstance(caret, QRect) and widget.rect().contains(caret.center())
        place: QPoint = caret.center() if within else widget.rect().center()
        reason = QContextMenuEvent.Reason.Keyboard
        event = QContextMenuEvent(reason, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)

"""For what arranges itself by its room: how large it is, and how large its text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class RoomFollower(QObject):
    """Does something for a widget whenever its size or its font has changed.

    The layout of the widget has given its parts their places by then. What the widget notes for
    that has to be there before, for it may be resized as soon as it is made.
    """

    def __init__(self, widget: QWidget, follow: Callable[[], None]) -> None:
        super().__init__(widget)
        self._follow = follow
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow another room."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._follow()
        return False

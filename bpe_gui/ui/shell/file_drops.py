"""Files dropped on the window, or on a dock that floats beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDropEvent


class FileDrops(QObject):
    """Watches windows and docks; what is dropped on something in them comes to them last."""

    dropped = Signal(list)
    """The paths of files and folders that the user has dropped."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files that are dragged in or dropped; leave all else alone."""
        dragged = event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop)
        if not dragged or not isinstance(event, QDropEvent):
            return False
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if not paths:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(paths)
        return True

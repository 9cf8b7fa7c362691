"""Files dropped on a window in tests, as a file manager does it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget


def drop(widget: QWidget, *paths: Path) -> None:
    """Drop files on the window, or on a part of it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left, none = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )  # fmt: skip
    place = QPoint(10, 10)
    QApplication.sendEvent(widget, QDragEnterEvent(place, copy, data, left, none))
    QApplication.sendEvent(widget, QDropEvent(QPointF(place), copy, data, left, none))

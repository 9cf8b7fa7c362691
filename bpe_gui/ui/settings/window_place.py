"""Where a window stands on the screen, as JSON, and how it is put there again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.settings.choices import whole

_FURTHEST = 100_000


def place_of(window: QWidget) -> dict[str, Any]:
    """The size of a window, and its place if it has been on the screen."""
    usual = window.normalGeometry() if window.isMaximized() else window.geometry()
    place: dict[str, Any] = {
        "width": usual.width(),
        "height": usual.height(),
        "maximized": window.isMaximized(),
    }
    if window.windowHandle() is not None:
        corner = usual.topLeft() if window.isMaximized() else window.pos()
        place |= {"x": corner.x(), "y": corner.y()}
    return place


def put(window: QWidget, place: Mapping[str, Any]) -> None:
    """Give a window the size and the place that it had, as far as a screen has room there.

    Raises ValueError, KeyError or TypeError for a place that is none.
    """
    size = QSize(*(whole(place[side], 1, _FURTHEST) for side in ("width", "height")))
    corner = None
    if "x" in place:
        corner = QPoint(*(whole(place[axis], -_FURTHEST, _FURTHEST) for axis in ("x", "y")))
    room = room_at(QRect(corner, size).center()) if corner is not None else None
    known = room or QGuiApplication.primaryScreen().availableGeometry()
    window.resize(size.boundedTo(known.size()))
    if corner is not None and room is not None:
        last = room.bottomRight() - QPoint(window.width() - 1, window.height() - 1)
        x = max(room.left(), min(corner.x(), last.x()))
        window.move(x, max(room.top(), min(corner.y(), last.y())))
    state = window.windowState() & ~Qt.WindowState.WindowMaximized
    maximized = place.get("maximized") is True
    window.setWindowState(state | Qt.WindowState.WindowMaximized if maximized else state)


def room_at(point: QPoint) -> QRect | None:
    """What the screen with that point on it has room for; None if there is none there."""
    screen = QGuiApplication.screenAt(point)
    return screen.availableGeometry() if screen is not None else None

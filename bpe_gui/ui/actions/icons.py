"""The icons of buttons, fainter where nothing can be done."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap

from bpe_gui.folders import resource

_DISABLED_OPACITY = 0.4


def icon(name: str) -> QIcon:
    """Load a file of resources/icons. Raises FileNotFoundError if there is none."""
    return QIcon(_FaintWhenDisabled(QIcon(str(resource("icons", f"{name}.svg")))))


class _FaintWhenDisabled(QIconEngine):
    """Draws an icon, and lets most of the ground through while it is disabled.

    The style makes a disabled icon grey and as bright as before: in the dark scheme that looks
    enabled.
    """

    def __init__(self, drawn: QIcon) -> None:
        super().__init__()
        self._drawn = drawn

    def clone(self) -> QIconEngine:
        return _FaintWhenDisabled(self._drawn)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        if mode is QIcon.Mode.Disabled:
            painter.setOpacity(painter.opacity() * _DISABLED_OPACITY)
        self._drawn.paint(painter, rect)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        with QPainter(made) as painter:
            self.paint(painter, made.rect(), mode, state)
        return made

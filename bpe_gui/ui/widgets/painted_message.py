"""The sentence that a view shows as long as it has nothing else to show."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPen

_ALIGN = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def draw_message(painter: QPainter, area: QRect, message: str, pen: QPen) -> None:
    """Write a sentence in the middle of a view, in the painter's font."""
    painter.setPen(pen)
    painter.drawText(area.adjusted(16, 8, -16, -8), _ALIGN, message)

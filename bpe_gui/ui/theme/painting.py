"""Colours and shapes that several painted views share."""

from __future__ import annotations

from functools import cache
from math import ceil, cos, pi, sin
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QPaintEngine, QPainter, QPen, QPixmap, QPolygonF


@cache
def pen(colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return the pen of a colour of a theme; made once, so that painting builds none."""
    made = QPen(QColor(colour), width)
    made.setStyle(style)
    return made


@cache
def brush(colour: str) -> QBrush:
    """Return the brush of a colour of a theme; made once, so that painting builds none."""
    return QBrush(QColor(colour))


NO_PEN = QPen(Qt.PenStyle.NoPen)
AT_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
CENTERED = int(Qt.AlignmentFlag.AlignCenter)
"""Where a line of text is drawn in its place; `QPainter.drawText` takes numbers."""


def mixed(colour: QColor, other: QColor, share: float) -> QColor:
    """Mix two colours: all of the first for share 1, all of the other for share 0."""
    return QColor.fromRgbF(
        colour.redF() * share + other.redF() * (1 - share),
        colour.greenF() * share + other.greenF() * (1 - share),
        colour.blueF() * share + other.blueF() * (1 - share),
    )


def star(radius: float) -> QPolygonF:
    """Make a five-pointed star around the origin, one point up."""
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.45
        angle = pi * corner / 5
        points.append(QPointF(reach * sin(angle), -reach * cos(angle)))
    return QPolygonF(points)


def blank_picture(width: float, height: float, scale: float) -> QPixmap:
    """Make a transparent picture of a size in logical pixels."""
    made = QPixmap(ceil(width * scale), ceil(height * scale))
    made.setDevicePixelRatio(scale)
    made.fill(Qt.GlobalColor.transparent)
    return made


_ALIGN = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def draw_message(painter: QPainter, area: QRect, message: str, pen: QPen) -> None:
    """Write a sentence in the middle of a view, in the painter's font."""
    painter.setPen(pen)
    painter.drawText(area.adjusted(16, 8, -16, -8), _ALIGN, message)


class Target(NamedTuple):
    """Device pixels per logical pixel, and whether shapes and texts are written as such.

    If they are (in an SVG file), a cached picture would lose them: draw them again.
    """

    scale: float
    keeps_text: bool


def target_of(painter: QPainter) -> Target:
    """Return what an active painter paints on."""
    kinds = QPaintEngine.Type
    keeps_text = painter.paintEngine().type() in (kinds.SVG, kinds.Pdf)
    return Target(painter.deviceTransform().m11(), keeps_text)

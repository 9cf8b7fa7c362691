"""Colours and shapes that several painted views share."""

from __future__ import annotations

from math import cos, pi, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPolygonF


def mixed(colour: QColor, other: QColor, share: float) -> QColor:
    """A colour between two: all of the first for share 1, all of the other for share 0."""
    return QColor.fromRgbF(
        colour.redF() * share + other.redF() * (1 - share),
        colour.greenF() * share + other.greenF() * (1 - share),
        colour.blueF() * share + other.blueF() * (1 - share),
    )


def star(radius: float) -> QPolygonF:
    """A five-pointed star around the origin, one point up."""
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.45
        angle = pi * corner / 5
        points.append(QPointF(reach * sin(angle), -reach * cos(angle)))
    return QPolygonF(points)

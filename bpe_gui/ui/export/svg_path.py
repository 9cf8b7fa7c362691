"""Shapes of Qt as path data of SVG."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from bpe_gui.exporting.svg import number

_CORNERS = 4


def data_of(path: QPainterPath) -> str:
    """The outline of a shape; subpaths that end where they began are closed."""
    kinds = QPainterPath.ElementType
    parts: list[str] = []
    begin = last = (0.0, 0.0)
    for index in range(path.elementCount()):
        at = path.elementAt(index)
        place, kind = (at.x, at.y), at.type
        if kind is kinds.MoveToElement:
            if parts and last == begin and not parts[-1].startswith("M"):
                parts.append("Z")
            begin = place
            parts.append("M")
        elif kind is kinds.LineToElement:
            parts.append("L")
        elif kind is kinds.CurveToElement:
            parts.append("C")
        else:
            parts.append(" ")
        parts[-1] += f"{number(at.x)} {number(at.y)}"
        last = place
    if parts and last == begin and not parts[-1].startswith("M"):
        parts.append("Z")
    return "".join(parts)


def rectangle_of(path: QPainterPath) -> QRectF | None:
    """The rectangle that a shape is, if it is one with upright sides."""
    if path.elementCount() != _CORNERS + 1:
        return None
    corners = [path.elementAt(index) for index in range(_CORNERS + 1)]
    if any(corner.type is QPainterPath.ElementType.CurveToElement for corner in corners):
        return None
    places = [(corner.x, corner.y) for corner in corners]
    if places[0] != places[-1]:
        return None
    sides = list(pairwise(places))
    level = [first[1] == second[1] for first, second in sides]
    upright = [first[0] == second[0] for first, second in sides]
    if level == [True, False, True, False] and upright == [False, True, False, True]:
        return path.boundingRect()
    if level == [False, True, False, True] and upright == [True, False, True, False]:
        return path.boundingRect()
    return None

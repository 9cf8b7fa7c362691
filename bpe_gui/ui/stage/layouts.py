"""How one to four panels share the stage."""

from __future__ import annotations

from PySide6.QtCore import QRect

MOST = 4
"""Panels that are seen at once."""


def places(count: int, area: QRect, gap: int) -> list[QRect]:
    """The rectangles of so many panels, in the order in which they are read.

    One has all of the area; two stand side by side; of three the first has the left half and
    the others share the right one; four stand two by two. Raises ValueError for none, and for
    more than `MOST`.

    >>> [place.getRect() for place in places(3, QRect(0, 0, 210, 110), 10)]
    [(0, 0, 100, 110), (110, 0, 100, 50), (110, 60, 100, 50)]
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"{count} panels: from 1 to {MOST} can be on the stage.")
    if count == 1:
        return [QRect(area)]
    left, right = _halves(area.left(), area.width(), gap)
    columns = [QRect(x, area.top(), width, area.height()) for x, width in (left, right)]
    whole = 4 - count
    """Columns that are not shared."""
    rectangles = columns[:whole]
    for column in columns[whole:]:
        for y, height in _halves(column.top(), column.height(), gap):
            rectangles.append(QRect(column.left(), y, column.width(), height))
    if count == MOST:
        # Read in lines: the first two are above.
        rectangles = [rectangles[place] for place in (0, 2, 1, 3)]
    return rectangles


def _halves(begin: int, length: int, gap: int) -> tuple[tuple[int, int], tuple[int, int]]:
    first = (length - gap) // 2
    return (begin, first), (begin + first + gap, length - gap - first)

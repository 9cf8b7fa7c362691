"""Where things stand in a slope chart: rows are merges, columns runs, lines equal tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LEAST_LINES = 60
_LINE_DISTANCE = 4
"""Pixels of height for each line that is drawn between two columns; of more lines than have
room, each so-manyth is drawn."""

_GUTTER = 12
_LEAST_GAP = 36
_WIDEST_COLUMN = 160


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines between two neighbouring columns: the merges that they join.

    every: one of so many lines is drawn.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    every: int


@dataclass(frozen=True, slots=True)
class SlopeLayout:
    """A chart of some columns in a view of some size, scrolled and zoomed.

    top: how many pixels of the chart are above the view; row_height: pixels of a row, less
    than one where the chart is zoomed out far. `numbers` is the width of the column of the
    merges' numbers.
    """

    columns: int
    width: int
    height: int
    numbers: int
    top: float
    row_height: float

    @property
    def column_width(self) -> int:
        """Pixels of a column of tokens."""
        room = self.width - self.numbers - _GUTTER
        share = (room - _LEAST_GAP * (self.columns - 1)) // self.columns
        return max(40, min(_WIDEST_COLUMN, share, room * 2 // (3 * self.columns)))

    def left(self, column: int) -> int:
        """The left edge of a column."""
        room = self.width - self.numbers - _GUTTER - self.columns * self.column_width
        gap = max(0, room) // max(1, self.columns - 1)
        return self.numbers + column * (self.column_width + gap)

    def gap(self, column: int) -> tuple[int, int]:
        """Between which pixels lines run from a column to the next."""
        return self.left(column) + self.column_width, self.left(column + 1)

    def y(self, row: float) -> float:
        """The middle of a row, in the view."""
        return (row + 0.5) * self.row_height - self.top

    def row_at(self, y: float) -> int:
        """The row at a height of the view; it may not exist."""
        return int((y + self.top) // self.row_height)

    def column_at(self, x: float) -> int | None:
        """The column at a place, None between them."""
        for column in range(self.columns):
            if self.left(column) <= x < self.left(column) + self.column_width:
                return column
        return None

    def rows(self, length: int) -> range:
        """The rows of a column of that length that are in view, at least partly."""
        first = max(0, self.row_at(0))
        return range(min(first, length), min(length, self.row_at(self.height - 1) + 1))

    def lines(self, right_of: NDArray[np.int32], left_of: NDArray[np.int32]) -> Lines:
        """The lines from a column to the next of which at least one end is in view.

        `right_of` and `left_of` are the partners of the rows of either column in the other,
        negative where there is none; see `Lockstep.partners`.
        """
        seen = self.rows(len(right_of))
        begin = np.arange(seen.start, seen.stop)
        begin = begin[right_of[seen.start : seen.stop] >= 0]
        other = self.rows(len(left_of))
        end = np.arange(other.start, other.stop)
        end = end[left_of[other.start : other.stop] >= 0]
        # Those that begin in view are there already.
        source = left_of[end].astype(np.int64)
        outside = (source < seen.start) | (source >= seen.stop)
        left = np.concatenate((begin, source[outside]))
        right = np.concatenate((right_of[begin].astype(np.int64), end[outside]))
        most = max(_LEAST_LINES, self.height // _LINE_DISTANCE)
        every = -(-len(left) // most) or 1
        # By the merge's number, so that the same lines stay while one scrolls.
        kept = left % every == 0
        return Lines(left[kept], right[kept], every)

    def near(self, lines: Lines, column: int, x: float, y: float, within: float = 4.0) -> int:
        """The line from a column to the next that is nearest to a place; -1 if none is near."""
        begin, end = self.gap(column)
        if not len(lines.left) or not begin <= x <= end or end == begin:
            return -1
        share = (x - begin) / (end - begin)
        heights = (lines.left * (1 - share) + lines.right * share + 0.5) * self.row_height
        distances = np.abs(heights - self.top - y)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= within else -1

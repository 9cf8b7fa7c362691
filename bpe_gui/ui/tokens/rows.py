"""Where the rows of the coloured text begin.

Letters stay in place while tokens grow: a row is broken before a space wherever a token
boundary is there, for that boundary is there at every step of most recipes. So the text
does not move when tokens merge, only the boxes behind it do.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.tokens.cut import Cut

_BLOCK = 2048
_SHORTEST = 0.5
"""A row is not left emptier than this for the sake of a nicer break."""


class Rows:
    """Breaks a text into rows that fit a width. `starts` has one entry more than rows."""

    def __init__(self) -> None:
        self.starts: NDArray[np.int64] = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row_of(self, character: int) -> int:
        """The row that shows a character."""
        return max(0, min(int(np.searchsorted(self.starts, character, "right")), len(self)) - 1)

    def shift(self, before: int, after: int, size: int) -> None:
        """Move the rows along with an edit: characters unchanged at the start and end."""
        old_size = int(self.starts[-1])
        head = self.starts[self.starts <= before]
        tail = self.starts[self.starts > old_size - after] + (size - old_size)
        kept = np.concatenate((head, tail[tail > before], [size]))
        self.starts = np.unique(kept[(kept >= 0) & (kept <= size)])

    def layout(self, cut: Cut, right: NDArray[np.float64], available: float) -> None:
        """Break the text anew; cheap where the old breaks still hold.

        `right` has the running sum of the widths of the characters, marks included, from
        0 on. A newline should have no width, for its mark may stand in the margin.
        """
        size = len(right) - 1
        if size == 0:
            self.starts = np.zeros(1, np.int64)
            return
        breaks = _Breaks(cut, right, available)
        old = self.starts[:-1][self.starts[:-1] < size]
        if not len(old) or old[0] != 0:
            old = np.zeros(1, np.int64)
        ends = breaks.after(old)
        wrong = np.flatnonzero(ends != np.append(old[1:], size))
        if len(wrong):
            self.starts = _mend(breaks, old, ends, wrong, size)
        else:
            self.starts = np.append(old, size)


def _mend(
    breaks: _Breaks,
    old: NDArray[np.int64],
    ends: NDArray[np.int64],
    wrong: NDArray[np.int64],
    size: int,
) -> NDArray[np.int64]:
    """Walk from row to row, over stretches of old rows that still hold in one step."""
    pieces: list[NDArray[np.int64]] = []
    known = old.tolist()
    row = 0
    while row < len(known):
        next_wrong = int(np.searchsorted(wrong, row))
        if next_wrong == len(wrong):
            pieces.append(old[row:])
            break
        last = int(wrong[next_wrong])
        pieces.append(old[row : last + 1])
        start = int(ends[last])
        fresh = []
        while start < size:
            row = bisect_left(known, start, row)
            if row < len(known) and known[row] == start:
                break
            fresh.append(start)
            start = breaks.end_of(start)
        else:
            row = len(known)
        pieces.append(np.array(fresh, np.int64))
    pieces.append(np.array([size], np.int64))
    return np.concatenate(pieces)


class _Breaks:
    """Where a row ends that begins at some character."""

    def __init__(self, cut: Cut, right: NDArray[np.float64], available: float) -> None:
        characters = cut.characters
        self._size = len(right) - 1
        self._available = available
        self._right = right
        boundary = cut.boundary & characters.cluster_starts
        self._preferences = [
            np.flatnonzero(good)
            for good in (
                boundary & characters.before_spaces,
                boundary & characters.after_spaces,
                boundary,
                characters.cluster_starts,
            )
        ]
        self._newlines = np.append(characters.newlines + 1, self._size)
        self._blocks: dict[int, list[int]] = {}

    def after(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The end of each of the rows that begin at these characters, in ascending order."""
        limits = self._right[starts] + self._available
        fits = np.searchsorted(self._right, limits, "right") - 1
        ends = self._newlines[np.searchsorted(self._newlines, starts, "right")]
        open_rows = np.flatnonzero((ends > fits) & (fits < self._size))
        ends[(ends > fits) & (fits == self._size)] = self._size
        if len(open_rows):
            ends[open_rows] = self._broken(starts[open_rows], fits[open_rows])
        return ends

    def _broken(self, starts: NDArray[np.int64], fits: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ends of rows that are too long to reach their newline."""
        half = self._right[starts] + self._available * _SHORTEST
        half = np.maximum(np.searchsorted(self._right, half), starts + 1)
        best = np.maximum(fits, starts + 1)
        ends = best.copy()
        undecided = np.arange(len(starts))
        for good, least in zip(self._preferences, (half, half, half, starts + 1), strict=True):
            if not len(good):
                continue
            place = np.searchsorted(good, best[undecided], "right") - 1
            candidate = good[place]
            found = (place >= 0) & (candidate >= least[undecided])
            ends[undecided[found]] = candidate[found]
            undecided = undecided[~found]
            if not len(undecided):
                break
        return ends

    def end_of(self, start: int) -> int:
        """As `after`, for one row: many starts at once cost little more than one."""
        block, place = divmod(start, _BLOCK)
        ends = self._blocks.get(block)
        if ends is None:
            first = block * _BLOCK
            ends = self.after(np.arange(first, min(first + _BLOCK, self._size))).tolist()
            self._blocks[block] = ends
        return ends[place]

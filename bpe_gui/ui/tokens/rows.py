"""Where the rows of the coloured text begin.

Letters stay in place while tokens grow: a row is broken before a space wherever a token
boundary is there, for that boundary is there at every step of most recipes. So the text
does not move when tokens merge, only the boxes behind it do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.tokens.cut import Cut

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

    def layout(self, cut: Cut, widths: NDArray[np.float64], available: float) -> None:
        """Break the text anew; cheap where the old breaks still hold.

        `widths` has the width of each character, marks included; that of a newline should
        be 0, for its mark may stand in the margin.
        """
        size = len(widths)
        if size == 0:
            self.starts = np.zeros(1, np.int64)
            return
        breaks = _Breaks(cut, widths, available)
        old = np.unique(np.concatenate(([0], self.starts[self.starts < size])))
        ends = breaks.after(old)
        following = np.append(old[1:], size)
        wrong = np.flatnonzero(ends != following)
        if not len(wrong):
            self.starts = np.append(old, size)
            return
        self.starts = _mend(breaks, old, ends, wrong, size)


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
    while True:
        next_wrong = int(np.searchsorted(wrong, row))
        if next_wrong == len(wrong):
            pieces.append(old[row:])
            break
        last = int(wrong[next_wrong])
        pieces.append(old[row : last + 1])
        start = int(ends[last])
        row = int(np.searchsorted(old, start))
        fresh, row = _fresh(breaks, known, start, row, size)
        pieces.append(np.array(fresh, np.int64))
        if row == len(old):
            break
    pieces.append(np.array([size], np.int64))
    return np.concatenate(pieces)


def _fresh(
    breaks: _Breaks, known: list[int], start: int, row: int, size: int
) -> tuple[list[int], int]:
    """Rows from `start` on until they meet an old one again, and the number of that one."""
    fresh: list[int] = []
    ends: list[int] = []
    window, first = 128, start
    while start < size:
        while row < len(known) and known[row] < start:
            row += 1
        if row < len(known) and known[row] == start:
            return fresh, row
        if start - first >= len(ends):
            # Many starts at once cost little more than one.
            window = min(window * 2, 16384)
            first = start
            ends = breaks.after(np.arange(start, min(start + window, size))).tolist()
        fresh.append(start)
        start = ends[start - first]
    return fresh, len(known)


class _Breaks:
    """Where a row ends that begins at some character."""

    def __init__(self, cut: Cut, widths: NDArray[np.float64], available: float) -> None:
        size = len(widths)
        self._size = size
        self._available = available
        self._right = np.zeros(size + 1)
        np.cumsum(widths, out=self._right[1:])
        spaces = np.zeros(size + 1, bool)
        spaces[:size] = cut.characters.spaces
        after_space = np.zeros(size + 1, bool)
        after_space[1:] = spaces[:size]
        whole = cut.characters.cluster_starts
        boundary = cut.boundary & whole
        place = np.arange(size + 1)
        self._preferences = [
            np.maximum.accumulate(np.where(good, place, 0))
            for good in (boundary & spaces & ~after_space, boundary & after_space, boundary, whole)
        ]
        newlines = cut.characters.newlines + 1
        self._newlines = np.append(newlines, size)

    def after(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The end of each of the rows that begin at these characters."""
        limits = self._right[starts] + self._available
        fits = np.searchsorted(self._right, limits, "right") - 1
        newline = self._newlines[np.searchsorted(self._newlines, starts, "right")]
        half = np.searchsorted(self._right, self._right[starts] + self._available * _SHORTEST)
        half = np.maximum(half, starts + 1)
        best = np.maximum(fits, starts + 1)
        chosen = np.zeros(len(starts), bool)
        ends = best.copy()
        for preference, least in zip(
            self._preferences, (half, half, half, starts + 1), strict=True
        ):
            candidate = preference[best]
            good = ~chosen & (candidate >= least)
            ends[good] = candidate[good]
            chosen |= good
        ends[fits == self._size] = self._size
        return np.where(newline <= fits, newline, ends)

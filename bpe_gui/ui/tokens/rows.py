"""Where the rows of the coloured text begin.

Letters stay in place while tokens grow: a row is broken before a space wherever a token
boundary is there, for that boundary is there at every step of most recipes. So the text
does not move when tokens merge, only the boxes behind it do.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.tokens.cut import Cut

_STEPS = 24
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
        self.starts = np.append(_row_starts(_Breaks(cut, right, available), self.starts), size)


def _row_starts(breaks: _Breaks, old: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first characters of all rows, found from old ones that may still hold.

    Rows of different paragraphs do not depend on each other, so one step is taken in all
    of them at once: from the old rows and the paragraphs first, then from where a row ends
    at a place that was not known yet, until no such place is left.
    """
    size = breaks.size
    known = np.zeros(size + 1, bool)
    known[old[old < size]] = True
    known[breaks.paragraphs] = True
    known[size] = False
    known[0] = True
    fresh = np.flatnonzero(known)
    first = fresh
    known[size] = True
    ends = np.empty(size + 1, np.int64)
    steps = 0
    while len(fresh) and (steps < _STEPS or len(fresh) > _STEPS):
        steps += 1
        found = breaks.after(fresh)
        ends[fresh] = found
        fresh = np.unique(found[~known[found]])
        known[fresh] = True
    # What is left are a few long paragraphs, in which one row follows from another.
    for start in fresh.tolist():
        end = breaks.after_one(start)
        ends[start] = end
        while not known[end]:
            known[end] = True
            start, end = end, breaks.after_one(end)
            ends[start] = end
    if np.array_equal(ends[first], np.append(first[1:], size)):
        return first
    starts = []
    start = 0
    while start < size:
        starts.append(start)
        start = int(ends[start])
    return np.array(starts, np.int64)


class _Breaks:
    """Where a row ends that begins at some character. `paragraphs` are where lines end."""

    def __init__(self, cut: Cut, right: NDArray[np.float64], available: float) -> None:
        characters = cut.characters
        self.size = len(right) - 1
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
        self.paragraphs = np.append(characters.newlines + 1, self.size)

    def after(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The end of each of the rows that begin at these characters, in ascending order."""
        limits = self._right[starts] + self._available
        fits = np.searchsorted(self._right, limits, "right") - 1
        ends = self.paragraphs[np.searchsorted(self.paragraphs, starts, "right")]
        open_rows = np.flatnonzero((ends > fits) & (fits < self.size))
        ends[(ends > fits) & (fits == self.size)] = self.size
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

    def after_one(self, start: int) -> int:
        """As `after`, for one row; quicker if there are hundreds, one after the other."""
        right, paragraphs, preferences = self._lists
        begin = right[start]
        fits = bisect_right(right, begin + self._available) - 1
        newline = paragraphs[bisect_right(paragraphs, start)]
        if newline <= fits:
            return newline
        if fits == self.size:
            return fits
        half = max(bisect_left(right, begin + self._available * _SHORTEST), start + 1)
        best = max(fits, start + 1)
        for good, least in zip(preferences, (half, half, half, start + 1), strict=True):
            place = bisect_right(good, best) - 1
            if place >= 0 and good[place] >= least:
                return good[place]
        return best

    @cached_property
    def _lists(self) -> tuple[list[float], list[int], list[list[int]]]:
        preferences = [good.tolist() for good in self._preferences]
        return self._right.tolist(), self.paragraphs.tolist(), preferences

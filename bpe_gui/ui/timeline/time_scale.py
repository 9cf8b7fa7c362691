"""Where on the timeline a position is: evenly or logarithmically, all of the run or a part."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

LINEAR, LOGARITHMIC, AUTOMATIC = "linear", "logarithmic", "automatic"
"""What can be chosen."""
MANY = 200
"""A run of more merges is logarithmic if nothing was chosen: its first merges tell most."""
_FEWEST = 12
"""Merges that are shown at least, however far one zooms in."""


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Places the positions 0 to `merges` on a line.

    begin, end: the part of the whole line that is in view, from 0 to 1. Places are shares of what
    is in view: 0 is its beginning and 1 its end, and what is not in view is beyond.
    """

    merges: float
    logarithmic: bool = False
    begin: float = 0.0
    end: float = 1.0

    @property
    def is_zoomed(self) -> bool:
        """Whether only a part is in view."""
        return self.end - self.begin < 1.0

    def place(self, position: float) -> float:
        """Return the place of a position.

        >>> TimeScale(1000, logarithmic=True).place(999)
        0.9998...
        >>> TimeScale(1000, begin=0.5).place(750)
        0.5
        """
        return (self._on_whole(position) - self.begin) / (self.end - self.begin)

    def position(self, place: float) -> float:
        """Return the position at a place, not rounded."""
        whole = self.begin + place * (self.end - self.begin)
        if not self.logarithmic:
            return whole * self.merges
        return float(np.expm1(min(whole, 2.0) * np.log1p(self.merges)))

    def edges(self, columns: int) -> NDArray[np.int64]:
        """Return the position at which each column of pixels begins.

        >>> TimeScale(1000, logarithmic=True).edges(4).tolist()
        [0, 4, 30, 176]
        """
        whole = self.begin + np.arange(columns) / columns * (self.end - self.begin)
        if self.logarithmic:
            return np.expm1(whole * np.log1p(self.merges)).astype(np.int64)
        return (whole * self.merges + 1e-9).astype(np.int64)

    def zoomed(self, factor: float, place: float) -> TimeScale:
        """Return the scale that shows so many times fewer merges, with the same one at a place."""
        size = self.end - self.begin
        least = min(1.0, _FEWEST / self.merges)
        new = min(1.0, max(size / factor, least))
        middle = self.begin + place * size
        begin = min(max(0.0, middle - place * new), 1.0 - new)
        return replace(self, begin=begin, end=begin + new)

    def showing(self, position: float) -> TimeScale:
        """Return the scale with the same zoom that has a position in view."""
        place = self.place(position)
        if 0.0 <= place <= 1.0:
            return self
        size = self.end - self.begin
        # Where it goes on to the right, most of what comes is in view.
        lead = 0.1 if place > 1 else 0.9
        begin = min(max(0.0, self._on_whole(position) - lead * size), 1.0 - size)
        return replace(self, begin=begin, end=begin + size)

    def ticks(self) -> list[int]:
        """Return round positions in view: powers of ten, or some evenly spaced ones.

        >>> TimeScale(5000, logarithmic=True).ticks()
        [1, 10, 100, 1000]
        """
        first, last = max(0.0, self.position(0.0)), min(self.merges, self.position(1.0))
        if self.logarithmic and last > 10 * max(first, 1.0):
            found, step = [], 1
            while step <= last:
                found += [step] if step >= first else []
                step *= 10
            return found
        step = 10 ** max(0, int(np.floor(np.log10(max(1.0, (last - first) / 2)))))
        return list(range(int(np.ceil(first / step)) * step, int(last) + 1, step))

    def _on_whole(self, position: float) -> float:
        if self.logarithmic:
            return float(np.log1p(max(position, 0.0)) / np.log1p(self.merges))
        return position / self.merges

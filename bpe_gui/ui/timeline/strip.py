"""The picture of a whole run on the timeline: its winning counts, on a logarithmic scale.

It is made pixel by pixel from an array, for a strip of a thousand columns in a third of a
millisecond, and again only when the run has grown by a column.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPixmap

from bpe_gui.bpe.history import History
from bpe_gui.ui.theme.theme import Theme

LINEAR, LOGARITHMIC, AUTOMATIC = "linear", "logarithmic", "automatic"
"""What can be chosen."""
MANY = 200
"""A run of more merges is logarithmic if nothing was chosen: its first merges tell most."""
_FEWEST = 12
"""Merges that are shown at least, however far one zooms in."""


class TimeScale(Struct, frozen=True):
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
        """Zoom in by a factor, so that the merge at a place stays there."""
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


_LEAST_HEIGHT = 1.5
"""Pixels of a column whose pair occurred once, so that it is visible."""
_DONE_OPACITY, _AHEAD_OPACITY = 0.62, 0.34


class Strip:
    """Two pictures of the same columns: for the part before the cursor, and after it."""

    def __init__(self) -> None:
        self.done = QPixmap()
        self.ahead = QPixmap()
        self._key: tuple[object, ...] = ()
        self._columns: tuple[TimeScale, int] | None = None
        self._edges = np.empty(0, np.int64)

    def take_colours(self, theme: Theme) -> None:
        self._done_colour = _channels(theme.accent, _DONE_OPACITY)
        self._ahead_colour = _channels(theme.muted, _AHEAD_OPACITY)
        self._key = ()

    def draw(
        self, history: History, scale: TimeScale, width: int, height: int, ratio: float
    ) -> None:
        """Make the pictures, if anything has changed.

        The strip is `width` by `height` pixels of the screen, `ratio` of which make a pixel of the
        widget.
        """
        if (scale, width) != self._columns:
            self._columns, self._edges = (scale, width), scale.edges(width)
        edges = self._edges
        columns = int(np.searchsorted(edges, len(history)))
        key = (id(history), scale, columns, width, height, ratio)
        if key == self._key:
            return
        self._key = key
        covered = coverage(history.count, edges[:columns], width, height)
        self.done = _picture(covered, self._done_colour, ratio)
        self.ahead = _picture(covered, self._ahead_colour, ratio)


def coverage(
    counts: NDArray[np.int64], edges: NDArray[np.int64], width: int, height: int
) -> NDArray[np.float32]:
    """Return the share of each pixel under the curve, 0 to 1, in rows from the top.

    `edges` are the merges with which the first columns begin; the others are empty. Winning counts
    only fall, so the first merge of a column is its greatest.

    >>> coverage(np.array([4, 1]), np.array([0, 1]), 4, 2).tolist()
    [[1.0, 0.5, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]
    """
    edge = np.full(width, float(height), np.float32)
    if len(edges):
        shares = np.log1p(counts[edges]) / max(np.log1p(counts[0]), 1e-9)
        share_of_one = np.log1p(1.0) / max(np.log1p(counts[0]), 1e-9)
        least = min(_LEAST_HEIGHT, height)
        above = (shares - share_of_one) / max(1.0 - share_of_one, 1e-9)
        edge[: len(edges)] = height - (least + np.clip(above, 0, 1) * (height - least))
    rows = np.arange(1, height + 1, dtype=np.float32)[:, np.newaxis]
    return np.clip(rows - edge[np.newaxis, :], 0, 1)


def _channels(colour: str, opacity: float) -> tuple[float, float, float, float]:
    made = QColor(colour)
    return made.blue() * opacity, made.green() * opacity, made.red() * opacity, 255 * opacity


def _picture(
    covered: NDArray[np.float32], colour: tuple[float, float, float, float], ratio: float
) -> QPixmap:
    height, width = covered.shape
    # Blue, green, red, alpha is how an ARGB pixel lies in the memory of a little-endian machine.
    pixels = np.empty((height, width, 4), np.uint8)
    for channel, value in enumerate(colour):
        pixels[:, :, channel] = covered * value
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    made = QPixmap.fromImage(image)
    made.setDevicePixelRatio(ratio)
    return made

"""The curves of a run: what is drawn over its merges."""

from __future__ import annotations

from collections.abc import Callable
from math import log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves import wording
from bpe_gui.ui.widgets.scales import axis_end, evenly, geometrically, merges_to_show

Positions = NDArray[np.int64]
Coordinates = NDArray[np.float64]

_ENDS_PER_TOKEN = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0)
"""Where the axis of bytes per token ends, unless there are more."""
_MANY = 100
"""Merges from which the counts of a run are on logarithmic axes."""


class Bounds(NamedTuple):
    """Where the two axes end; they begin at 0, which is 1 on a logarithmic axis.

    bottom: where the axis of values begins, if not there.
    """

    x: float
    y: float
    bottom: float = 0.0


class Series:
    """One curve over a history, with a point at each position from `begins` on.

    Here the merges are on a linear axis. `x` and `y` give coordinates on the plot: on a
    logarithmic plot the logarithms to the base of ten. `text` says a point in words.
    """

    name: str
    title: str
    x_label = "merges"
    y_label: str
    logarithmic = False
    begins = 0
    text: Callable[[History, int], str]

    def of(self, history: History) -> Series:
        """Return the same values on the axes that are fit for a run."""
        return self

    def points(self, end: int) -> Positions:
        """List the positions up to `end` that are worth drawing."""
        return evenly(end + 1)

    def x(self, positions: Positions) -> Coordinates:
        return positions.astype(np.float64)

    def y(self, history: History, positions: Positions) -> Coordinates:
        raise NotImplementedError

    def nearest(self, x: float, end: int) -> int:
        """Find the position up to `end` that is closest to a place on the x axis."""
        return int(np.clip(round(x), 0, end))

    def bounds(self, history: History) -> Bounds:
        """Return the ends of the axes for the history as it is now."""
        raise NotImplementedError


class FewWinningCounts(Series):
    """How frequent each merged pair was, on linear axes: those of a short run are read there."""

    name = "Counts"
    title = wording.COUNTS
    x_label = "merge"
    y_label = wording.COUNTED
    begins = 1
    text = staticmethod(wording.winning_count)

    def points(self, end: int) -> Positions:
        return evenly(end) + 1

    def y(self, history: History, positions: Positions) -> Coordinates:
        return history.count[positions - 1].astype(np.float64)

    def nearest(self, x: float, end: int) -> int:
        return int(np.clip(round(x), 1, end))

    def bounds(self, history: History) -> Bounds:
        """Fit the axis of counts to the first pair, which has the greatest count."""
        return Bounds(merges_to_show(history), max(1.0, _greatest(history) * 1.04))


class WinningCounts(Series):
    """How frequent each merged pair was, on two logarithmic axes: Zipf's law is a line."""

    name = FewWinningCounts.name
    title = wording.COUNTS
    x_label = "merge (log)"
    y_label = f"{wording.COUNTED} (log)"
    logarithmic = True
    begins = 1
    text = staticmethod(wording.winning_count)

    def of(self, history: History) -> Series:
        return FewWinningCounts() if len(history) < _MANY else self

    def points(self, end: int) -> Positions:
        """List positions that are denser at the left, as the axis is."""
        return geometrically(end) + 1

    def x(self, positions: Positions) -> Coordinates:
        return np.log10(positions)

    def y(self, history: History, positions: Positions) -> Coordinates:
        """Return the logarithms of counts; NaN for 0, which has no place on the axis."""
        counts = history.count[positions - 1].astype(np.float64)
        return np.log10(np.where(counts > 0, counts, np.nan))

    def nearest(self, x: float, end: int) -> int:
        return int(np.clip(round(10**x), 1, end))

    def bounds(self, history: History) -> Bounds:
        """Fit the axis of counts to the first pair, which has the greatest count."""
        merges = len(history)
        if history.stopped is None:
            merges = 10 ** int(np.ceil(log10(max(merges, 10))))
        greatest = log10(max(_greatest(history), 1))
        return Bounds(max(log10(max(merges, 1)), 0.3), max(greatest * 1.04, 0.3))


def _greatest(history: History) -> int:
    first = history.top(0).count
    return int(first[0]) if len(first) else 1


class BytesPerToken(Series):
    """How many bytes of the corpus a token covers on average."""

    name = "Bytes/token"
    title = "Bytes per token"
    y_label = "bytes per token"
    text = staticmethod(wording.bytes_per_token)

    def y(self, history: History, positions: Positions) -> Coordinates:
        return history.corpus_bytes / np.maximum(history.tokens[positions], 1)

    def bounds(self, history: History) -> Bounds:
        """Tokens only get fewer, so the last value is the greatest."""
        greatest = history.corpus_bytes / max(int(history.tokens[-1]), 1)
        end = next((end for end in _ENDS_PER_TOKEN if greatest <= end * 0.97), axis_end(greatest))
        return Bounds(merges_to_show(history), end)


class TokensLeft(Series):
    """How many tokens the corpus has."""

    name = "Tokens"
    title = wording.LEFT
    y_label = "tokens"
    text = staticmethod(wording.tokens_left)

    def y(self, history: History, positions: Positions) -> Coordinates:
        return history.tokens[positions].astype(np.float64)

    def bounds(self, history: History) -> Bounds:
        """Fit the axis to the tokens at the start."""
        return Bounds(merges_to_show(history), max(1.0, float(history.tokens[0]) * 1.04))

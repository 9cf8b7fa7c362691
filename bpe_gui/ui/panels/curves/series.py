"""The curves of a run: what is drawn over its merges, and what is said about each point."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.ui.widgets.scales import axis_end, evenly, geometrically, merges_to_show

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where the two axes end; they begin at 0, which is 1 on a logarithmic axis.

    bottom: where the axis of values begins, if not there.
    """

    x: float
    y: float
    bottom: float = 0.0


class Series(Protocol):
    """One curve over the merges of a history.

    A point of a curve has the index of its position, or of its merge. `x` and `y` are
    coordinates on the plot: on a logarithmic plot the logarithms to the base of ten.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    logarithmic: bool

    def length(self, history: History, position: int) -> int:
        """Number of points up to a position."""
        ...

    def indexes(self, length: int) -> NDArray[np.int64]:
        """Those among the first `length` points that are worth drawing."""
        ...

    def x(self, indexes: NDArray[np.int64]) -> Points:
        """Where points lie from left to right."""
        ...

    def y(self, history: History, indexes: NDArray[np.int64]) -> Points:
        """How high points lie."""
        ...

    def nearest(self, x: float, length: int) -> int:
        """The point closest to a place on the x axis."""
        ...

    def bounds(self, history: History) -> Bounds:
        """Where the axes end while the history is as it is now."""
        ...

    def text(self, history: History, index: int) -> str:
        """A point in words."""
        ...


class WinningCounts:
    """How frequent each merged pair was, on two logarithmic axes: Zipf's law is a line."""

    name = "Zipf"
    title = "Count of the winning pair"
    x_label = "merge (log)"
    y_label = "count (log)"
    logarithmic = True

    def length(self, history: History, position: int) -> int:
        """One point for each merge."""
        return position

    def indexes(self, length: int) -> NDArray[np.int64]:
        """Denser at the left, as the axis is."""
        return geometrically(length)

    def x(self, indexes: NDArray[np.int64]) -> Points:
        """The logarithm of the number of the merge, counted from 1."""
        return np.log10(indexes + 1.0)

    def y(self, history: History, indexes: NDArray[np.int64]) -> Points:
        """The logarithm of the count."""
        return np.log10(np.maximum(history.count[indexes], 1))

    def nearest(self, x: float, length: int) -> int:
        """The merge closest to a place on the axis."""
        return int(np.clip(round(10**x) - 1, 0, length - 1))

    def bounds(self, history: History) -> Bounds:
        """The greatest count is that of the first pair; there is room up to it from the start."""
        first = history.top(0).count
        greatest = int(first[0]) if len(first) else 1
        merges = len(history)
        if history.stopped is None:
            merges = 10 ** int(np.ceil(log10(max(merges, 10))))
        return Bounds(max(log10(max(merges, 1)), 0.3), max(log10(max(greatest, 1)) * 1.04, 0.3))

    def text(self, history: History, index: int) -> str:
        """The merge, its pair and its count."""
        left, right = int(history.left[index]), int(history.right[index])
        pair = visible_pair(history.token_bytes(left)[:60], history.token_bytes(right)[:60])
        return f"merge {index + 1:,}: {pair}  {int(history.count[index]):,}"


class BytesPerToken:
    """How many bytes of the corpus a token stands for, on average."""

    name = "Bytes/token"
    title = "Bytes per token"
    x_label = "merges"
    y_label = "bytes per token"
    logarithmic = False

    def length(self, history: History, position: int) -> int:
        """One point for each position."""
        return position + 1

    def indexes(self, length: int) -> NDArray[np.int64]:
        """Evenly spaced."""
        return evenly(length)

    def x(self, indexes: NDArray[np.int64]) -> Points:
        """The number of merges."""
        return indexes.astype(np.float64)

    def y(self, history: History, indexes: NDArray[np.int64]) -> Points:
        """Bytes of the corpus by tokens of the corpus."""
        return history.corpus_bytes / np.maximum(history.tokens[indexes], 1)

    def nearest(self, x: float, length: int) -> int:
        """The position closest to a place on the axis."""
        return int(np.clip(round(x), 0, length - 1))

    def bounds(self, history: History) -> Bounds:
        """Tokens only get fewer, so the last value is the greatest."""
        greatest = history.corpus_bytes / max(int(history.tokens[-1]), 1)
        steps = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0]
        end = next((step for step in steps if greatest <= step * 0.97), axis_end(greatest))
        return Bounds(merges_to_show(history), end)

    def text(self, history: History, index: int) -> str:
        """The value after so many merges."""
        value = history.corpus_bytes / max(int(history.tokens[index]), 1)
        return f"after {_merges(index)}: {value:.3f} bytes per token"


class TokensLeft(BytesPerToken):
    """How many tokens the corpus is cut into."""

    name = "Tokens"
    title = "Tokens left in the corpus"
    y_label = "tokens"

    def y(self, history: History, indexes: NDArray[np.int64]) -> Points:
        """Tokens of the corpus."""
        return history.tokens[indexes].astype(np.float64)

    def bounds(self, history: History) -> Bounds:
        """Room for the tokens at the start."""
        return Bounds(merges_to_show(history), max(1.0, float(history.tokens[0]) * 1.04))

    def text(self, history: History, index: int) -> str:
        """The tokens after so many merges, and how many the last one took away."""
        tokens = history.tokens
        words = f"after {_merges(index)}: {int(tokens[index]):,} tokens"
        if index == 0:
            return words
        return f"{words} (−{int(tokens[index - 1]) - int(tokens[index]):,})"


def _merges(number: int) -> str:
    return "1 merge" if number == 1 else f"{number:,} merges"

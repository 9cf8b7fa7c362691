"""Which columns of one sheet each part of a text stands in, so that one can look down.

A stage makes few characters out of many, many out of few, or none. What belongs together
is a block: the fewest characters of the raw text and the fewest of what was made of them
between two places where neither side is torn. Each block has as many columns as the longer
of its two sides, and both sides share them out evenly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """The columns from and to, of each raw character and of each part made; and how many."""

    raw_firsts: NDArray[np.int64]
    raw_lasts: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    total: int


def columns_of(raw: int, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Columns:
    """Share out columns between raw characters and the parts that were made of them.

    `raw` is the number of raw characters. Part i came from those between `starts[i]` and
    `stops[i]`, or from none. Parts mostly ascend.

    >>> ligature = columns_of(2, np.array([0, 0, 1]), np.array([1, 1, 2]))  # "ﬁn" to "fin"
    >>> ligature.raw_firsts.tolist(), ligature.raw_lasts.tolist(), ligature.firsts.tolist()
    ([0, 2], [2, 3], [0, 1, 2])
    """
    if not len(starts):
        places = np.arange(raw)
        return Columns(places, places + 1, starts, stops, raw)
    reached = np.maximum.accumulate(stops)
    still_to_come = np.minimum.accumulate(starts[::-1])[::-1]
    ends = np.flatnonzero(np.append(reached[:-1] <= still_to_come[1:], True)) + 1
    raw_ends = reached[ends - 1]
    raw_ends[-1] = raw
    parts = np.diff(ends, prepend=0)
    characters = np.diff(raw_ends, prepend=0)
    widths = np.maximum(parts, characters)
    begins = np.cumsum(widths) - widths
    firsts, lasts = _shared_out(parts, widths, begins)
    raw_firsts, raw_lasts = _shared_out(characters, widths, begins)
    return Columns(raw_firsts, raw_lasts, firsts, lasts, int(widths.sum()))


def _shared_out(
    sizes: NDArray[np.int64], widths: NDArray[np.int64], begins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The columns of all members of blocks: as many as `sizes` says share `widths` columns."""
    block = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(block)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    width, size, begin = widths[block], sizes[block], begins[block]
    return begin + place * width // size, begin + (place + 1) * width // size

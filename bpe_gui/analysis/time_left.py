"""How long a training still takes, from how the counts of its pairs fall.

A merge takes time for each place at which it merges, and some for itself. Counts fall like a
power of the number of merges (Zipf's law), so the first merges are the slowest by far: to go on
with their speed would foretell hours for what takes a minute.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_OWN = 40
"""What a merge takes for itself, as the number of places that take as long."""

_LEAST = 20
"""Merges from which it can be seen how counts fall."""


def time_left(counts: NDArray[np.int64], total: int, begin: int, seconds: float) -> float | None:
    """Estimate the seconds until `total` merges are done.

    `counts` are those of the merges done so far, and `seconds` is what the merges from `begin` on
    have taken. None where too few are done to tell.

    >>> counts = 1_000_000 // np.arange(1, 101)
    >>> round(time_left(counts, 10_000, 0, 10.0), 1)
    9.6
    """
    done = len(counts)
    if done < _LEAST or begin >= done or total <= done:
        return None
    measured = float((counts[begin:] + _OWN).sum())
    later = np.arange(done, total, dtype=np.float64)
    falls = _exponent(counts)
    places = counts[-1] * (done / (later + 1)) ** falls
    return seconds * float((places + _OWN).sum()) / measured


def _exponent(counts: NDArray[np.int64]) -> float:
    """Return how fast counts fall: a count is proportional to 1 / merge number ** exponent."""
    half = len(counts) // 2
    ratio = float(counts[half - 1]) / float(max(counts[-1], 1))
    return float(np.clip(np.log2(max(ratio, 1.0)), 0.5, 2.0))

"""Where the curve of one run crosses that of another: from which merge on it is ahead.

Curves are known at some positions, which may be far apart. That two of them cross between
two neighbours of those is seen from their values there; at which merge, is then looked for
in ever finer steps, so that it is exact and yet few positions are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Values = NDArray[np.int64] | NDArray[np.float64]

_AT_ONCE = 64
"""Positions between two others that are measured together."""


class Crossover(Struct, frozen=True):
    """A run that is ahead of another at `high`, and was not at `low` but behind before.

    winner, loser: the numbers of the runs.
    """

    low: int
    high: int
    winner: int
    loser: int


def crossovers(
    positions: NDArray[np.int64], curves: Sequence[Values], *, more_is_ahead: bool
) -> list[Crossover]:
    """Find all that can be seen in curves at ascending positions, in the order of the positions.

    A curve may be shorter than the others; nan, which is no value, is skipped, and so are
    places where two are equal: to overtake is to be ahead after having been behind.

    >>> crossovers(np.array([0, 10, 20]), [np.array([3, 2, 2]), np.array([2, 2, 4])],
    ...     more_is_ahead=False)
    [Crossover(low=10, high=20, winner=0, loser=1)]
    """
    found = []
    for first in range(len(curves)):
        for second in range(first + 1, len(curves)):
            length = min(len(curves[first]), len(curves[second]))
            difference = curves[first][:length] - curves[second][:length]
            lead = np.sign(np.nan_to_num(difference)) * (1 if more_is_ahead else -1)
            parted = np.flatnonzero(lead)
            for before, after in pairwise(parted):
                if lead[before] != lead[after]:
                    pair = (first, second) if lead[after] > 0 else (second, first)
                    low, high = int(positions[after - 1]), int(positions[after])
                    found.append(Crossover(low, high, *pair))
    return sorted(found, key=lambda crossover: crossover.high)


def first_ahead(
    crossover: Crossover, is_ahead: Callable[[NDArray[np.int64]], NDArray[np.bool_]]
) -> int:
    """Find a position where the winner of a crossover is ahead, and one merge before is not.

    `is_ahead` tells it at ascending positions between `low` and `high`. If the curves cross
    several times in between, it is one of those places.

    >>> crossover = Crossover(low=100, high=5000, winner=1, loser=0)
    >>> first_ahead(crossover, lambda positions: positions >= 1234)
    1234
    """
    low, high = crossover.low, crossover.high
    while high - low > 1:
        between = np.unique(np.linspace(low, high, _AT_ONCE + 2).astype(np.int64))[1:-1]
        ahead = np.flatnonzero(is_ahead(between))
        if len(ahead):
            place = int(ahead[0])
            high = int(between[place])
            low = int(between[place - 1]) if place else low
        else:
            low = int(between[-1])
    return high

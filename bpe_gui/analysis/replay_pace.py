"""How fast a replay goes that begins slowly and gets ever faster."""

from __future__ import annotations

from functools import lru_cache
from math import fsum

PACE = 0.3, 60, 1, 4
"""The numbers a, b, c and d of the speed, which is a + done² / b and at most c + done / d."""


def merges_a_second(done: int) -> float:
    """Return the speed of a replay in which that many merges are done.

    The reasons for the first can be read, one merge after the other.

    >>> merges_a_second(0), merges_a_second(400)
    (0.3, 101.0)
    """
    first, growth, most, slope = PACE
    return min(first + done**2 / growth, most + done / slope)


@lru_cache(maxsize=8)
def replay_seconds(merges: int) -> float:
    """Return how long a replay of that many merges takes.

    >>> [round(replay_seconds(merges)) for merges in (1, 15, 2_000, 50_000)]
    [3, 20, 39, 52]
    """
    return fsum(1 / merges_a_second(done) for done in range(merges))

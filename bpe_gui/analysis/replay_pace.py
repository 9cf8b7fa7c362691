"""How fast a replay goes that begins slowly and gets ever faster."""

from __future__ import annotations


def merges_a_second(done: int) -> float:
    """Return the speed of a replay in which that many merges are done.

    The first can be read one by one: 15 take 18 seconds, 2,000 take 38, 50,000 take 51.

    >>> merges_a_second(0), merges_a_second(400)
    (0.5, 101.0)
    """
    return min(0.5 + done**2 / 120, 1 + done / 4)

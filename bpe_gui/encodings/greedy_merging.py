"""Greedy merging of neighbours, the best pair first.

It recovers merges from tables of tokens that do not list them (tiktoken, SentencePiece).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable


def merge_greedily(size: int, rank_of: Callable[[int, int], float | None]) -> list[int]:
    """Merge `size` symbols as far as possible; returns where the merged parts begin, ascending.

    rank_of: gives the rank of merging two neighbours, by the offset at which the first begins and
        the one at which the second ends; None if they are not merged. It is called at most three
        times per symbol.

    Every step merges the two neighbours with the lowest rank, of equal ones the leftmost.

    >>> ranks = {"ab": 0, "bc": 1, "abb": 2}
    >>> merge_greedily(5, lambda first, stop: ranks.get("bcabb"[first:stop]))  # bc abb
    [0, 2]
    """
    stop_of = list(range(1, size + 1))  # where the part ends that begins there, -1 if none
    first_of = list(range(-1, size))  # where the part begins that ends there
    heap: list[tuple[float, int, int, int]] = []

    def offer(first: int, middle: int, stop: int) -> None:
        rank = rank_of(first, stop)
        if rank is not None:
            heapq.heappush(heap, (rank, first, middle, stop))

    for place in range(size - 1):
        offer(place, place + 1, place + 2)
    while heap:
        _, first, middle, stop = heapq.heappop(heap)
        if stop_of[first] != middle or stop_of[middle] != stop:
            continue
        stop_of[first], stop_of[middle], first_of[stop] = stop, -1, first
        if first > 0:
            offer(first_of[first], first, stop)
        if stop < size:
            offer(first, stop, stop_of[stop])
    return [place for place in range(size) if stop_of[place] > 0]

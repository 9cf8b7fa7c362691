"""Merging neighbours within a short text, the best first: what the tables of tokens that come
without their merges are read by."""

from __future__ import annotations

import heapq
from collections.abc import Callable


def merge_greedily(size: int, rank_of: Callable[[int, int], float | None]) -> list[int]:
    """Where parts begin when so many symbols are merged as far as that goes, ascending.

    `rank_of` is asked for two neighbours by where the first begins and the second ends; None
    says that they are not merged. Each step merges the two with the lowest rank, of equals the
    leftmost. It asks at most 3 times a symbol.

    >>> ranks = {"ab": 0, "bc": 1, "abb": 2}
    >>> merge_greedily(5, lambda first, stop: ranks.get("bcabb"[first:stop]))
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

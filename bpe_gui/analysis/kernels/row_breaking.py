"""Where the rows of a text begin: one walk along the places at which it may be broken."""

from __future__ import annotations

from bpe_gui.bpe.kernels.jit import Bytes, Floats, Integer, Kernel, Longs, within_kernels

NOWHERE, IN_NEED, BETWEEN, AFTER_SPACE, BEFORE_SPACE, ALWAYS = range(6)
"""How well a row may begin at a place, from not at all to in any case."""

_SHORTEST = 0.5
"""A row is not left emptier than this for the sake of a nicer break."""


@within_kernels
def _broken(
    right: Floats, places: Bytes, start: Integer, last: Integer, half: float
) -> Integer:
    """Tell where a row ends that begins at `start` and has room until `last`."""
    best: Integer = NOWHERE
    end = last
    i = last
    while i > start and right[i] >= half and best < BEFORE_SPACE:
        if places[i] > best and places[i] > IN_NEED:
            best = places[i]
            end = i
        i -= 1
    if best > NOWHERE:
        return end
    i = last
    while i > start:
        if places[i] > NOWHERE:
            return i
        i -= 1
    return last


def _break_rows_kernel(right: Floats, places: Bytes, available: float, starts: Longs) -> Integer:
    """Write where rows begin to `starts`, which has room for each character; returns how many.

    `right` has where each character would begin if all stood in one row, and where that
    ends; `places` tells for each character, and the end, how well a row may begin there.
    """
    size = len(right) - 1
    count = 0
    start = 0
    while start < size:
        starts[count] = start
        count += 1
        limit = right[start] + available
        end = start
        while end < size and right[end + 1] <= limit:
            end += 1
            if places[end] == ALWAYS:
                break
        if end < size and (end == start or places[end] != ALWAYS):
            half = right[start] + available * _SHORTEST
            end = _broken(right, places, start, max(end, start + 1), half)
        start = end
    return count


break_rows = Kernel(_break_rows_kernel)

"""Which pairs are the most frequent: a lazy heap, and a sorted front of the best of them.

Both hold entries (remembered count, tie key, pair). A pair's priority only falls, so an
entry that is out of date stands too high, and is brought up to date when it is met. Each
pair is in the heap or in the front, never in both.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.kernel import Integer, Longs, within_kernels
from bpe_gui.bpe.kernels.pair_state import FRONT, FRONT_SIZE, HEAP, PAIRS, TOP, State


@within_kernels
def _tie_key(state: State, pair: Integer, first_seen: bool) -> Integer:
    """The smaller wins: the first position, or (left id, right id) as one number."""
    if not first_seen:
        left = np.int64(state.pair_symbols[pair, 0])
        return left << 32 | np.int64(state.pair_symbols[pair, 1])
    begin = state.pair_lists[pair, 0]
    end = state.pair_lists[pair, 1]
    while begin < end and state.pair_at[state.occurrences[begin]] != pair:
        begin += 1
    state.pair_lists[pair, 0] = begin
    if begin == end:
        return np.int64(0)
    return np.int64(state.occurrences[begin])


@within_kernels
def _outranks(count: Integer, tie: Integer, rows: Longs, i: Integer) -> bool:
    """Whether a pair goes before the entry in row i: more frequent, or by the tie-break."""
    if count != rows[i, 0]:
        return bool(count > rows[i, 0])
    return bool(tie < rows[i, 1])


@within_kernels
def _put(rows: Longs, i: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Write an entry to row i."""
    rows[i, 0] = count
    rows[i, 1] = tie
    rows[i, 2] = pair


@within_kernels
def _copy(rows: Longs, source: Integer, target: Integer) -> None:
    """Write the entry of one row to another as well."""
    rows[target, 0] = rows[source, 0]
    rows[target, 1] = rows[source, 1]
    rows[target, 2] = rows[source, 2]


@within_kernels
def _push(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Add an entry to the heap of that size, which has room."""
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if not _outranks(count, tie, heap, parent):
            break
        _copy(heap, parent, i)
        i = parent
    _put(heap, i, count, tie, pair)


@within_kernels
def _settle(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Put an entry in the place of the root and let it sink."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _outranks(heap[child + 1, 0], heap[child + 1, 1], heap, child):
            child += 1
        if _outranks(count, tie, heap, child):
            break
        _copy(heap, child, i)
        i = child
    _put(heap, i, count, tie, pair)


@within_kernels
def _drop_root(heap: Longs, size: Integer) -> Integer:
    """Remove the root of a heap of that size; returns the new size."""
    size -= 1
    _settle(heap, size, heap[size, 0], heap[size, 1], heap[size, 2])
    return size


@within_kernels
def _into_front(front: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Insert an entry where it belongs among the first `size`, which are sorted."""
    i = size
    while i > 0 and _outranks(count, tie, front, i - 1):
        _copy(front, i - 1, i)
        i -= 1
    _put(front, i, count, tie, pair)


@within_kernels
def refresh_front(state: State, first_seen: bool) -> None:
    """Bring the front's priorities up to date, drop pairs that are gone, sort again."""
    front = state.front
    kept = 0
    for i in range(state.numbers[FRONT_SIZE]):
        pair = front[i, 2]
        count = state.pair_counts[pair]
        if count > 0:
            _into_front(front, kept, count, _tie_key(state, pair, first_seen), pair)
            kept += 1
    state.numbers[FRONT_SIZE] = kept


@within_kernels
def fill_front(state: State, first_seen: bool) -> None:
    """Make the first TOP of the front the most frequent pairs of all, in order.

    The heap's root is the best of what is not in the front, or better than it: entries
    are refreshed until the root cannot outrank the last of the first TOP.
    """
    heap, front, numbers = state.heap, state.front, state.numbers
    size = numbers[HEAP]
    kept = numbers[FRONT_SIZE]
    while size > 0 and (kept < TOP or _outranks(heap[0, 0], heap[0, 1], front, TOP - 1)):
        pair = heap[0, 2]
        count = state.pair_counts[pair]
        if count == 0:
            size = _drop_root(heap, size)
            continue
        tie = _tie_key(state, pair, first_seen)
        if count != heap[0, 0] or tie != heap[0, 1]:
            _settle(heap, size, count, tie, pair)
            continue
        size = _drop_root(heap, size)
        _into_front(front, kept, count, tie, pair)
        kept += 1
        if kept > FRONT:
            kept -= 1
            _push(heap, size, front[kept, 0], front[kept, 1], front[kept, 2])
            size += 1
    numbers[HEAP] = size
    numbers[FRONT_SIZE] = kept


@within_kernels
def push_new_pairs(state: State, first_pair: Integer, first_seen: bool) -> None:
    """Let the pairs made in this step compete."""
    size = state.numbers[HEAP]
    for pair in range(first_pair, state.numbers[PAIRS]):
        count = state.pair_counts[pair]
        if count > 0:
            _push(state.heap, size, count, _tie_key(state, pair, first_seen), pair)
            size += 1
    state.numbers[HEAP] = size

"""The compiled heart of training: pair counts, occurrence lists, and one merge after another.

The corpus is one flat array of cells, a cell for each symbol of each unique word, linked
to its neighbours within the word. A pair knows its count and the list of cells where it
occurs (the cell of its left symbol). All occurrences of a pair come into being in one
step, the merge that made the newer of its two symbols (or before the first merge);
afterwards they only vanish. Three things follow, and the whole design rests on them:

- the occurrence list of a pair is written once, in corpus order, and an entry is valid as
  long as the cell still begins this pair (`pair_at`);
- new pairs need no hash table: within one step a pair with the new symbol is known by its
  other symbol alone;
- a pair's priority only falls, so a heap of remembered priorities with refresh on sight is
  exact, for the count falls and, under `first-seen`, the first position only moves on.

That the claim holds is because a merged token always covers its characters in the same
way: no two merges make the same sequence of symbols.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.kernel import Integer, Ints, Kernel, Longs, within_kernels

TOP = 20
"""How many of the most frequent pairs are kept for each position."""

FRONT = 48
"""Size of the sorted front of candidates; more than `TOP`, so that few fall back."""

SYMBOL, NEXT, PREVIOUS, WORD = range(4)
"""Columns of a cell; links are cell indexes or -1 at the ends of a word."""

(
    PAIRS,
    OCCURRENCES,
    HEAP,
    FRONT_SIZE,
    DISTINCT,
    TOKENS,
    VOCABULARY,
    STAMP,
    OUTCOME,
) = range(9)
"""Places in `State.numbers`: sizes in use, running totals, and why `advance` returned."""

DONE, EXHAUSTED, INFREQUENT, FULL_VOCABULARY, NEEDS_ROOM = range(5)
"""Outcomes of `advance`."""


class State(NamedTuple):
    """Everything the kernels work on; arrays are replaced by longer ones between calls."""

    cells: NDArray[np.int32]
    """Shape (cells, 4): symbol, next, previous, word."""
    pair_at: NDArray[np.int32]
    """For each cell the pair that it begins, or -1."""
    word_counts: NDArray[np.int64]
    pair_symbols: NDArray[np.int32]
    """Shape (pairs, 2)."""
    pair_counts: NDArray[np.int64]
    pair_lists: NDArray[np.int64]
    """Shape (pairs, 2): begin and end of each pair's part of `occurrences`."""
    occurrences: NDArray[np.int32]
    added_pairs: NDArray[np.int32]
    """Scratch, as long as `occurrences` has grown in the step: which pair was added."""
    added_cells: NDArray[np.int32]
    """Scratch: where it was added."""
    heap: NDArray[np.int64]
    """Shape (entries, 3): remembered count, tie key and pair."""
    front: NDArray[np.int64]
    """Shape (FRONT + 1, 3): the best candidates, sorted, in the heap's format."""
    partners: NDArray[np.int32]
    """Shape (symbols, 4): stamp and pair for (symbol, new), stamp and pair for (new, symbol)."""
    lengths: NDArray[np.int32]
    """How many symbols of the alphabet each token holds."""
    alphabet_cells: NDArray[np.int32]
    """The cells' symbols before the first merge; empty if no special token needs it."""
    reserved: NDArray[np.int32]
    """Special tokens that a merge could make: (id, begin, end) in `reserved_symbols`."""
    reserved_symbols: NDArray[np.int32]
    numbers: NDArray[np.int64]


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
def _before(a: Longs, i: Integer, b: Longs, j: Integer) -> bool:
    """Whether row i of a outranks row j of b."""
    if a[i, 0] != b[j, 0]:
        return bool(a[i, 0] > b[j, 0])
    return bool(a[i, 1] < b[j, 1])


@within_kernels
def _push(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Add an entry to the heap of that size, which has room."""
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if heap[parent, 0] > count or (heap[parent, 0] == count and heap[parent, 1] <= tie):
            break
        heap[i, 0] = heap[parent, 0]
        heap[i, 1] = heap[parent, 1]
        heap[i, 2] = heap[parent, 2]
        i = parent
    heap[i, 0] = count
    heap[i, 1] = tie
    heap[i, 2] = pair


@within_kernels
def _settle(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Put an entry in the place of the root and let it sink."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _before(heap, child + 1, heap, child):
            child += 1
        if count > heap[child, 0] or (count == heap[child, 0] and tie <= heap[child, 1]):
            break
        heap[i, 0] = heap[child, 0]
        heap[i, 1] = heap[child, 1]
        heap[i, 2] = heap[child, 2]
        i = child
    heap[i, 0] = count
    heap[i, 1] = tie
    heap[i, 2] = pair


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
    while i > 0 and (
        front[i - 1, 0] < count or (front[i - 1, 0] == count and front[i - 1, 1] > tie)
    ):
        front[i, 0] = front[i - 1, 0]
        front[i, 1] = front[i - 1, 1]
        front[i, 2] = front[i - 1, 2]
        i -= 1
    front[i, 0] = count
    front[i, 1] = tie
    front[i, 2] = pair


@within_kernels
def _refresh_front(state: State, first_seen: bool) -> None:
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
def _fill_front(state: State, first_seen: bool) -> None:
    """Make the first TOP of the front the most frequent pairs of all, in order.

    The heap's root is the best of what is not in the front, or better than it: entries
    are refreshed until the root cannot outrank the last of the first TOP.
    """
    heap, front, numbers = state.heap, state.front, state.numbers
    size = numbers[HEAP]
    kept = numbers[FRONT_SIZE]
    while size > 0 and (kept < TOP or _before(heap, 0, front, TOP - 1)):
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
def _record_position(
    state: State,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Write what a position looks like."""
    tokens[row] = state.numbers[TOKENS]
    distinct[row] = state.numbers[DISTINCT]
    shown = min(TOP, state.numbers[FRONT_SIZE])
    for i in range(shown):
        pair = state.front[i, 2]
        top_left[row, i] = state.pair_symbols[pair, 0]
        top_right[row, i] = state.pair_symbols[pair, 1]
        top_count[row, i] = state.front[i, 0]
    for i in range(shown, TOP):
        top_left[row, i] = -1
        top_right[row, i] = -1
        top_count[row, i] = 0


@within_kernels
def _lose(state: State, pair: Integer, weight: Integer) -> None:
    """An occurrence of a pair vanishes."""
    left = state.pair_counts[pair] - weight
    state.pair_counts[pair] = left
    if left == 0:
        state.numbers[DISTINCT] -= 1


@within_kernels
def _gain(
    state: State,
    side: Integer,
    symbol: Integer,
    left: Integer,
    right: Integer,
    weight: Integer,
    cell: Integer,
    added: Integer,
) -> None:
    """An occurrence of a pair with the new symbol appears at a cell.

    `side` 0 stands for (symbol, new), 2 for (new, symbol).
    """
    numbers, partners = state.numbers, state.partners
    stamp = numbers[STAMP]
    if partners[symbol, side] == stamp:
        pair = np.int64(partners[symbol, side + 1])
    else:
        pair = numbers[PAIRS]
        numbers[PAIRS] = pair + 1
        partners[symbol, side] = stamp
        partners[symbol, side + 1] = pair
        state.pair_symbols[pair, 0] = left
        state.pair_symbols[pair, 1] = right
        state.pair_counts[pair] = 0
        state.pair_lists[pair, 0] = 0
        state.pair_lists[pair, 1] = 0
    if state.pair_counts[pair] == 0:
        numbers[DISTINCT] += 1
    state.pair_counts[pair] += weight
    state.pair_lists[pair, 1] += 1
    state.pair_at[cell] = pair
    state.added_pairs[added] = pair
    state.added_cells[added] = cell


@within_kernels
def _merge_pair(state: State, pair: Integer, new_id: Integer) -> Integer:
    """Merge all occurrences of a pair, left to right; returns how many pairs were added."""
    cells, pair_at, numbers = state.cells, state.pair_at, state.numbers
    added = 0
    for k in range(state.pair_lists[pair, 0], state.pair_lists[pair, 1]):
        cell = state.occurrences[k]
        if pair_at[cell] != pair:
            continue
        right = cells[cell, NEXT]
        weight = state.word_counts[cells[cell, WORD]]
        before = cells[cell, PREVIOUS]
        after = cells[right, NEXT]
        pair_at[cell] = -1
        _lose(state, pair, weight)
        cells[cell, SYMBOL] = new_id
        cells[cell, NEXT] = after
        if after >= 0:
            cells[after, PREVIOUS] = cell
            _lose(state, pair_at[right], weight)
            symbol = cells[after, SYMBOL]
            _gain(state, 2, symbol, new_id, symbol, weight, cell, added)
            added += 1
        pair_at[right] = -1
        if before >= 0:
            _lose(state, pair_at[before], weight)
            symbol = cells[before, SYMBOL]
            _gain(state, 0, symbol, symbol, new_id, weight, before, added)
            added += 1
        numbers[TOKENS] -= weight
    return added


@within_kernels
def _list_added(state: State, first_pair: Integer, added: Integer) -> None:
    """Lay out the occurrence lists of the pairs made in this step, in corpus order.

    Until now `pair_lists[:, 1]` held how many there are.
    """
    begin = state.numbers[OCCURRENCES]
    for pair in range(first_pair, state.numbers[PAIRS]):
        length = state.pair_lists[pair, 1]
        state.pair_lists[pair, 0] = begin
        state.pair_lists[pair, 1] = begin
        begin += length
    for i in range(added):
        pair = state.added_pairs[i]
        end = state.pair_lists[pair, 1]
        state.occurrences[end] = state.added_cells[i]
        state.pair_lists[pair, 1] = end + 1
    state.numbers[OCCURRENCES] = begin


@within_kernels
def _push_new_pairs(state: State, first_pair: Integer, first_seen: bool) -> None:
    """Let the pairs made in this step compete."""
    size = state.numbers[HEAP]
    for pair in range(first_pair, state.numbers[PAIRS]):
        count = state.pair_counts[pair]
        if count > 0:
            _push(state.heap, size, count, _tie_key(state, pair, first_seen), pair)
            size += 1
    state.numbers[HEAP] = size


@within_kernels
def _token_id(state: State, pair: Integer, length: Integer) -> Integer:
    """The id for the token that a pair makes: a special token's if it spells one."""
    for r in range(len(state.reserved)):
        begin, end = state.reserved[r, 1], state.reserved[r, 2]
        if end - begin != length:
            continue
        k = state.pair_lists[pair, 0]
        while state.pair_at[state.occurrences[k]] != pair:
            k += 1
        cell = state.occurrences[k]
        i = 0
        while i < length and state.alphabet_cells[cell + i] == state.reserved_symbols[begin + i]:
            i += 1
        if i == length:
            return np.int64(state.reserved[r, 0])
    return state.numbers[VOCABULARY]


@within_kernels
def _has_room(state: State, pair: Integer) -> bool:
    """Whether the next merge is sure to fit into the arrays."""
    numbers = state.numbers
    occurrences = state.pair_lists[pair, 1] - state.pair_lists[pair, 0]
    fresh = min(2 * occurrences, 2 * (numbers[VOCABULARY] + 1))
    return bool(
        numbers[PAIRS] + fresh <= len(state.pair_counts)
        and numbers[OCCURRENCES] + 2 * occurrences <= len(state.occurrences)
        and 2 * occurrences <= len(state.added_pairs)
        and numbers[HEAP] + fresh + 1 <= len(state.heap)
        and numbers[VOCABULARY] < len(state.partners)
    )


def _advance_kernel(
    state: State,
    merges: Integer,
    min_frequency: Integer,
    vocabulary_size: Integer,
    first_seen: bool,
    row: Integer,
    left: Ints,
    right: Ints,
    new_id: Ints,
    count: Longs,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> Integer:
    """Do up to that many merges, writing history rows from `row` on; returns how many.

    The front is up to date on entry and on return. `numbers[OUTCOME]` tells why the
    kernel returned.
    """
    numbers = state.numbers
    done = 0
    numbers[OUTCOME] = DONE
    while done < merges:
        if numbers[FRONT_SIZE] == 0:
            numbers[OUTCOME] = EXHAUSTED
            break
        if state.front[0, 0] < min_frequency:
            numbers[OUTCOME] = INFREQUENT
            break
        if numbers[VOCABULARY] >= vocabulary_size:
            numbers[OUTCOME] = FULL_VOCABULARY
            break
        pair = state.front[0, 2]
        if not _has_room(state, pair):
            numbers[OUTCOME] = NEEDS_ROOM
            break
        left[row] = state.pair_symbols[pair, 0]
        right[row] = state.pair_symbols[pair, 1]
        count[row] = state.front[0, 0]
        length = state.lengths[left[row]] + state.lengths[right[row]]
        token = _token_id(state, pair, length)
        new_id[row] = token
        state.lengths[token] = length
        if token == numbers[VOCABULARY]:
            numbers[VOCABULARY] += 1
        numbers[STAMP] += 1
        first_pair = numbers[PAIRS]
        added = _merge_pair(state, pair, token)
        _list_added(state, first_pair, added)
        _push_new_pairs(state, first_pair, first_seen)
        _refresh_front(state, first_seen)
        _fill_front(state, first_seen)
        done += 1
        row += 1
        _record_position(state, row, tokens, distinct, top_left, top_right, top_count)
    return done


def _refill_kernel(
    state: State,
    first_seen: bool,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Fill the front up after a pair was taken out of it, and write the row anew."""
    _fill_front(state, first_seen)
    _record_position(state, row, tokens, distinct, top_left, top_right, top_count)


def _first_position_kernel(
    state: State,
    first_seen: bool,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Let all pairs compete, before the first merge, and write the history's first row."""
    _push_new_pairs(state, 0, first_seen)
    _fill_front(state, first_seen)
    _record_position(state, row, tokens, distinct, top_left, top_right, top_count)


def _count_pairs_kernel(
    cells: Ints,
    word_counts: Longs,
    pair_at: Ints,
    slots: Ints,
    pair_symbols: Ints,
    pair_counts: Longs,
    sizes: Longs,
) -> Integer:
    """Count the pairs of neighbouring cells.

    `slots` is an open-addressing table of pair indexes or -1, a power of two long.
    Writes symbols, count and number of occurrences of each pair, in the order of their
    first occurrence; returns how many there are, or -1 if more than half the slots
    would be taken.
    """
    mask = len(slots) - 1
    found = 0
    for cell in range(len(cells)):
        after = cells[cell, NEXT]
        if after < 0:
            pair_at[cell] = -1
            continue
        left = np.int64(cells[cell, SYMBOL])
        right = np.int64(cells[after, SYMBOL])
        slot = (left * 0x9E3779B1 ^ right * 0x85EBCA77) >> 7 & mask
        while True:
            pair = slots[slot]
            if pair < 0:
                if 2 * (found + 1) > len(slots):
                    return -1
                pair = found
                found += 1
                slots[slot] = pair
                pair_symbols[pair, 0] = left
                pair_symbols[pair, 1] = right
                pair_counts[pair] = 0
                sizes[pair] = 0
                break
            if pair_symbols[pair, 0] == left and pair_symbols[pair, 1] == right:
                break
            slot = (slot + 1) & mask
        pair_counts[pair] += word_counts[cells[cell, WORD]]
        sizes[pair] += 1
        pair_at[cell] = pair
    return found


def _list_pairs_kernel(pair_at: Ints, pair_lists: Longs, occurrences: Ints) -> None:
    """Write the occurrence lists; `pair_lists[:, 1]` is the begin of each on entry."""
    for cell in range(len(pair_at)):
        pair = pair_at[cell]
        if pair >= 0:
            end = pair_lists[pair, 1]
            occurrences[end] = cell
            pair_lists[pair, 1] = end + 1


def _compact_kernel(state: State, target: Ints) -> Integer:
    """Copy the occurrences that are still valid to a fresh array; returns how many."""
    kept = 0
    for pair in range(state.numbers[PAIRS]):
        begin, end = state.pair_lists[pair, 0], state.pair_lists[pair, 1]
        state.pair_lists[pair, 0] = kept
        if state.pair_counts[pair] > 0:
            for k in range(begin, end):
                cell = state.occurrences[k]
                if state.pair_at[cell] == pair:
                    target[kept] = cell
                    kept += 1
        state.pair_lists[pair, 1] = kept
    return kept


def _link_kernel(symbols: Ints, word_starts: Longs, cells: Ints) -> None:
    """Lay the words' symbols out as linked cells."""
    for word in range(len(word_starts) - 1):
        begin, end = word_starts[word], word_starts[word + 1]
        for i in range(begin, end):
            cells[i, SYMBOL] = symbols[i]
            cells[i, NEXT] = i + 1 if i + 1 < end else -1
            cells[i, PREVIOUS] = i - 1 if i > begin else -1
            cells[i, WORD] = word


advance = Kernel(_advance_kernel)
refill = Kernel(_refill_kernel)
first_position = Kernel(_first_position_kernel)
count_pairs = Kernel(_count_pairs_kernel)
list_pairs = Kernel(_list_pairs_kernel)
compact = Kernel(_compact_kernel)
link = Kernel(_link_kernel)

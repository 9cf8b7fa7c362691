"""The compiled heart of training: one merge after another.

See `pair_state` for what is merged in, `pairing` for how it is made, and `candidates`
for how the next pair is found.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.candidates import fill_front, push_new_pairs, refresh_front
from bpe_gui.bpe.kernels.kernel import Integer, Ints, Kernel, Longs, within_kernels
from bpe_gui.bpe.kernels.pair_state import (
    DISTINCT,
    FRONT_SIZE,
    HEAP,
    NEXT,
    OCCURRENCES,
    OUTCOME,
    PAIRS,
    PREVIOUS,
    STAMP,
    SYMBOL,
    TOKENS,
    TOP,
    VOCABULARY,
    WORD,
    State,
)

DONE, EXHAUSTED, INFREQUENT, FULL_VOCABULARY, NEEDS_ROOM = range(5)
"""Outcomes of `advance`."""


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


@within_kernels
def _obstacle(state: State, min_frequency: Integer, vocabulary_size: Integer) -> Integer:
    """What keeps the leading pair from being merged; DONE if nothing does."""
    numbers = state.numbers
    if numbers[FRONT_SIZE] == 0:
        return EXHAUSTED
    if state.front[0, 0] < min_frequency:
        return INFREQUENT
    if numbers[VOCABULARY] >= vocabulary_size:
        return FULL_VOCABULARY
    return DONE if _has_room(state, state.front[0, 2]) else NEEDS_ROOM


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
        numbers[OUTCOME] = _obstacle(state, min_frequency, vocabulary_size)
        if numbers[OUTCOME] != DONE:
            break
        pair = state.front[0, 2]
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
        push_new_pairs(state, first_pair, first_seen)
        refresh_front(state, first_seen)
        fill_front(state, first_seen)
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
    fill_front(state, first_seen)
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
    push_new_pairs(state, 0, first_seen)
    fill_front(state, first_seen)
    _record_position(state, row, tokens, distinct, top_left, top_right, top_count)


advance = Kernel(_advance_kernel)
refill = Kernel(_refill_kernel)
first_position = Kernel(_first_position_kernel)

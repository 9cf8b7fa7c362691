"""Encoding: within each word the pair that was merged first is merged first.

A text is an array of symbols, linked within words. Merging removes the border before the
right symbol; the step of that merge is kept in `merge_step`. A merge's rank is higher than
those of the merges that made its parts, so borders vanish in the order of the steps, and
`merge_step` tells how the text is segmented at every position of the history at once.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Integer, Ints, Kernel, Longs, within_kernels

_SHORT = 16
"""Borders between the symbols of a word of which the first to vanish is found by looking at all of
them: up to so many that is faster than a heap."""

NEVER = 2**31 - 1
"""The step at which a border vanishes that does not: later than any merge."""


@within_kernels
def _slot(keys: Longs, left: Integer, right: Integer) -> Integer:
    """Find where a pair is in the table of merges, or the free place where it would be.

    The table is not a `hash_table.Table`: most pairs looked up are in none, and with the keys in
    the slots themselves encoding is some 4 % faster.
    """
    mask = len(keys) - 1
    key = left << 32 | right
    slot = ((left * 0x9E3779B1 ^ right * 0x85EBCA77) >> 11) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@within_kernels
def _rank(keys: Longs, steps: Ints, left: Integer, right: Integer) -> Integer:
    """Find the step that merged this pair, or NEVER."""
    left = np.int64(left)
    right = np.int64(right)
    if left < 0 or right < 0:
        return np.int64(NEVER)
    slot = _slot(keys, left, right)
    if keys[slot] < 0:
        return np.int64(NEVER)
    return np.int64(steps[slot])


@within_kernels
def _push(heap: Longs, size: Integer, key: Integer) -> None:
    """Add a key to a smallest-first heap of that size."""
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if heap[parent] <= key:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = key


@within_kernels
def _drop_root(heap: Longs, size: Integer) -> None:
    """Remove the smallest key of a heap that holds `size` keys."""
    last = size - 1
    key = heap[last]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= last:
            break
        if child + 1 < last and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = key


@within_kernels
def _merge_at(
    i: Integer,
    rank: Integer,
    ids: Ints,
    following: Ints,
    previous: Ints,
    merge_step: Ints,
    ranks: Ints,
    keys: Longs,
    steps: Ints,
    new_ids: Ints,
) -> Integer:
    """Merge a symbol with the next one; returns the symbol before them, or -1."""
    right = np.int64(following[i])
    after = np.int64(following[right])
    before = np.int64(previous[i])
    ids[i] = new_ids[rank]
    following[i] = after
    merge_step[right] = rank
    ranks[right] = NEVER
    ranks[i] = NEVER
    if after >= 0:
        previous[after] = i
        ranks[i] = _rank(keys, steps, ids[i], ids[after])
    if before >= 0:
        ranks[before] = _rank(keys, steps, ids[before], ids[i])
    return before


@within_kernels
def _segment_short_word(
    begin: Integer,
    ids: Ints,
    following: Ints,
    previous: Ints,
    merge_step: Ints,
    ranks: Ints,
    keys: Longs,
    steps: Ints,
    new_ids: Ints,
) -> Integer:
    """Apply all merges to the word that begins at a symbol, if it has few; else returns 0.

    Returns how many symbols it has.
    """
    symbols = 1
    i = begin
    while following[i] >= 0 and symbols <= _SHORT:
        ranks[i] = _rank(keys, steps, ids[i], ids[following[i]])
        symbols += 1
        i = following[i]
    if following[i] >= 0:
        return 0
    ranks[i] = NEVER
    while True:
        best = np.int64(NEVER)
        at = np.int64(begin)
        i = begin
        while i >= 0:
            if ranks[i] < best:
                best = np.int64(ranks[i])
                at = np.int64(i)
            i = following[i]
        if best == NEVER:
            return symbols
        _merge_at(at, best, ids, following, previous, merge_step, ranks, keys, steps, new_ids)


def _segment_kernel(
    word_starts: Longs,
    ids: Ints,
    following: Ints,
    previous: Ints,
    merge_step: Ints,
    ranks: Ints,
    keys: Longs,
    steps: Ints,
    new_ids: Ints,
    heap: Longs,
    progress: Longs,
    limit: Integer,
) -> None:
    """Apply all merges to words, each from the state that it is in, for about `limit` symbols.

    `heap` is scratch of twice the longest word's symbols at least. `progress` tells where to go
    on, zeros at first: how many words are done and, of the next if it is begun, the symbol after
    the one whose pair is in the heap by now, 0 if all of them are, and the size of the heap.
    """
    word, symbol, size = progress[0], progress[1], progress[2]
    left = limit
    while word < len(word_starts) and left > 0:
        if symbol == 0 and size == 0:
            symbols = _segment_short_word(
                word_starts[word],
                ids,
                following,
                previous,
                merge_step,
                ranks,
                keys,
                steps,
                new_ids,
            )
            if symbols > 0:
                left -= symbols
                word += 1
                continue
            symbol = word_starts[word] + 1
        while symbol > 0 and left > 0:
            i = symbol - 1
            after = np.int64(following[i])
            ranks[i] = NEVER
            if after >= 0:
                ranks[i] = _rank(keys, steps, ids[i], ids[after])
            if ranks[i] != NEVER:
                _push(heap, size, np.int64(ranks[i]) << 32 | i)
                size += 1
            symbol = after + 1
            left -= 1
        while symbol == 0 and size > 0 and left > 0:
            rank = heap[0] >> 32
            i = heap[0] & 0xFFFFFFFF
            _drop_root(heap, size)
            size -= 1
            left -= 1
            if ranks[i] != rank:
                continue
            before = _merge_at(
                i, rank, ids, following, previous, merge_step, ranks, keys, steps, new_ids
            )
            if ranks[i] != NEVER:
                _push(heap, size, np.int64(ranks[i]) << 32 | i)
                size += 1
            if before >= 0 and ranks[before] != NEVER:
                _push(heap, size, np.int64(ranks[before]) << 32 | before)
                size += 1
        if symbol == 0 and size == 0:
            word += 1
    progress[0] = word
    progress[1] = symbol
    progress[2] = size


def _learn_kernel(left: Ints, right: Ints, begin: Integer, keys: Longs, steps: Ints) -> None:
    """Enter the merges from `begin` on into the table, which has room for them."""
    for step in range(begin, len(left)):
        first, second = np.int64(left[step]), np.int64(right[step])
        slot = _slot(keys, first, second)
        keys[slot] = first << 32 | second
        steps[slot] = step


def _lay_out_kernel(
    words: Ints,
    places: Longs,
    first_tokens: Longs,
    word_ids: Ints,
    word_starts: Longs,
    word_ends: Longs,
    ids: Ints,
    starts: Longs,
    ends: Longs,
) -> None:
    """Write the tokens of words one after another, each word beginning at its place.

    The tokens of word w are those from `first_tokens[w]` to `first_tokens[w + 1]`, with
    starts and ends counted from the beginning of the word.
    """
    written = 0
    for i in range(len(words)):
        word, place = words[i], places[i]
        for token in range(first_tokens[word], first_tokens[word + 1]):
            ids[written] = word_ids[token]
            starts[written] = place + word_starts[token]
            ends[written] = place + word_ends[token]
            written += 1


def _lay_out_ids_kernel(words: Ints, first_tokens: Longs, word_ids: Ints, ids: Ints) -> Integer:
    """Write the tokens of words as `lay_out` does, but for where they are; returns how many."""
    written = 0
    for i in range(len(words)):
        begin, end = first_tokens[words[i]], first_tokens[words[i] + 1]
        for token in range(begin, end):
            ids[written] = word_ids[token]
            written += 1
    return written


segment = Kernel(_segment_kernel)
learn = Kernel(_learn_kernel)
lay_out = Kernel(_lay_out_kernel)
lay_out_ids = Kernel(_lay_out_ids_kernel)

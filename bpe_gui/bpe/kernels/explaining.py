"""What one merge does to the counts of pairs, read off the borders between symbols.

As in `segmenting`, `removed` is for each symbol the step at which the border before it
vanished: a border stands at a step if it vanishes there or later, and the first symbol of a
word has one that never does. So what a merge changes is found by looking around the borders
that vanish at its step, however long the words are that it is done in.

Changes are kept in an open-addressing table: `slots` holds indexes into `keys` and
`amounts`, or -1, and these the pairs (left << 32 | right) in the order of their first
occurrence. Both have half as many places as there are slots.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.kernel import Integer, Ints, Kernel, Longs, within_kernels

NO_ROOM = -1
"""What is returned if there are more pairs than the table has room for."""

_MOST_ADDED = 5
"""Pairs that one vanishing border may add to the table."""


@within_kernels
def slot_of(slots: Ints, keys: Longs, pair: Integer) -> Integer:
    """Where a pair is in the table, or the free place where it would be."""
    mask = len(slots) - 1
    slot = (((pair >> 32) * 0x9E3779B1 ^ (pair & 0xFFFFFFFF) * 0x85EBCA77) >> 11) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != pair:
        slot = (slot + 1) & mask
    return slot


@within_kernels
def change(
    slots: Ints, keys: Longs, amounts: Longs, size: Integer, pair: Integer, amount: Integer
) -> Integer:
    """Add to the amount of a pair, found or new; returns how many pairs there are then."""
    slot = slot_of(slots, keys, pair)
    if slots[slot] >= 0:
        amounts[slots[slot]] += amount
        return size
    slots[slot] = size
    keys[size] = pair
    amounts[size] = amount
    return size + 1


@within_kernels
def token_end(begin: Integer, removed: Ints, step: Integer) -> Integer:
    """Where the token ends that begins at a symbol."""
    end = begin + 1
    while end < len(removed) and removed[end] < step:
        end += 1
    return end


@within_kernels
def token_begin(end: Integer, removed: Ints, step: Integer) -> Integer:
    """Where the token begins that ends before a symbol."""
    begin = end - 1
    while removed[begin] < step:
        begin -= 1
    return begin


@within_kernels
def token_at(
    begin: Integer, end: Integer, symbols: Ints, removed: Ints, new_ids: Ints
) -> Integer:
    """The id of the token between two borders: what the last merge within it has made."""
    last = np.int64(-1)
    for i in range(begin + 1, end):
        last = max(last, np.int64(removed[i]))
    if last < 0:
        return np.int64(symbols[begin])
    return np.int64(new_ids[last])


def _changes_kernel(
    step: Integer,
    left: Integer,
    right: Integer,
    new: Integer,
    places: Longs,
    words: Longs,
    word_starts: Longs,
    counts: Longs,
    symbols: Ints,
    removed: Ints,
    new_ids: Ints,
    slots: Ints,
    keys: Longs,
    amounts: Longs,
    occurrences: Longs,
) -> Integer:
    """How a merge changes the counts of pairs; returns how many pairs change, or NO_ROOM.

    places: the borders that vanish at the step, ascending; words: the word of each.
    word_starts: one entry more than there are words; counts: how often each word occurs.
    occurrences: receives, for each place, how many occurrences of the pair are first met
        there, overlapping ones too.
    """
    pair = left << 32 | right
    size = np.int64(0)
    seen = np.int64(-1)  # the last border that has been counted
    for i in range(len(places)):
        if size + _MOST_ADDED > len(keys):
            return NO_ROOM
        place = places[i]
        weight = counts[words[i]]
        begin = token_begin(place, removed, step)
        end = token_end(place, removed, step)
        found = np.int64(1)
        size = change(slots, keys, amounts, size, pair, -weight)
        if begin != seen and begin != word_starts[words[i]]:
            before = token_begin(begin, removed, step)
            token = token_at(before, begin, symbols, removed, new_ids)
            size = change(slots, keys, amounts, size, token << 32 | left, -weight)
            size = change(slots, keys, amounts, size, token << 32 | new, weight)
            if token == left and left == right:
                found += 1
        if end != word_starts[words[i] + 1]:
            after = token_end(end, removed, step)
            token = token_at(end, after, symbols, removed, new_ids)
            size = change(slots, keys, amounts, size, right << 32 | token, -weight)
            if left == right and token == right:
                found += 1
            if after < len(removed) and removed[after] == step:
                token = new
            size = change(slots, keys, amounts, size, new << 32 | token, weight)
            seen = end
        occurrences[i] = found
    return size


def _count_pairs_kernel(
    position: Integer,
    word_starts: Longs,
    counts: Longs,
    symbols: Ints,
    removed: Ints,
    new_ids: Ints,
    slots: Ints,
    keys: Longs,
    amounts: Longs,
) -> Integer:
    """Count all pairs at a position; returns how many there are, or NO_ROOM.

    `word_starts` has one entry more than there are words.
    """
    size = np.int64(0)
    for word in range(len(word_starts) - 1):
        begin, stop = word_starts[word], word_starts[word + 1]
        before = np.int64(-1)
        while begin < stop:
            end = token_end(begin, removed, position)
            token = token_at(begin, end, symbols, removed, new_ids)
            if before >= 0:
                if size == len(keys):
                    return NO_ROOM
                pair = before << 32 | token
                size = change(slots, keys, amounts, size, pair, counts[word])
            before = token
            begin = end
    return size


changes_of = Kernel(_changes_kernel)
count_pairs = Kernel(_count_pairs_kernel)

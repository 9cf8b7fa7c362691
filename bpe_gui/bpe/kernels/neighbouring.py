"""Which words stand side by side, and which tokens then meet across the border between them.

The tables are those of `explaining`. In that of neighbours a key is left word << 32 | right
word << 1, plus 1 where something that the split drops stands between the two.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.explaining import (
    NO_ROOM,
    change,
    slot_of,
    token_at,
    token_begin,
    token_end,
)
from bpe_gui.bpe.kernels.kernel import Bytes, Integer, Ints, Kernel, Longs

SIZE, LAST, LAST_END, DOCUMENT = range(4)
"""Places in `state`: how many neighbours there are; the word before (-1 for none) and where it
ends; the document that it is in, an index into `document_ends`."""


def _note_kernel(
    words: Ints,
    places: Longs,
    begin: Integer,
    weight: Integer,
    word_starts: Longs,
    document_ends: Longs,
    occurrences: Longs,
    slots: Ints,
    keys: Longs,
    counts: Longs,
    state: Longs,
) -> Integer:
    """Count words, and neighbours, from the word number `begin` on; returns where room ran out.

    words: indexes in the order of the text; places: the byte at which each begins.
    occurrences: for each word how often it occurs, added to.
    """
    size, last, last_end, document = state[0], state[1], state[2], state[3]
    i = np.int64(begin)
    while i < len(words) and size < len(keys):
        word = np.int64(words[i])
        place = places[i]
        while document_ends[document] <= place:
            document += 1
            last = np.int64(-1)
        if last >= 0:
            key = last << 32 | word << 1 | (place != last_end)
            size = change(slots, keys, counts, size, key, weight)
        occurrences[word] += weight
        last = word
        last_end = place + word_starts[word + 1] - word_starts[word]
        i += 1
    state[0], state[1], state[2], state[3] = size, last, last_end, document
    return i


def _enter_kernel(slots: Ints, keys: Longs, size: Integer) -> None:
    """Enter the first keys into empty slots."""
    for index in range(size):
        slots[slot_of(slots, keys, keys[index])] = index


def _ends_kernel(
    position: Integer,
    word_starts: Longs,
    symbols: Ints,
    removed: Ints,
    new_ids: Ints,
    first: Ints,
    last: Ints,
) -> None:
    """Write the first and the last token of the first words at a position.

    `word_starts` has one entry more than there are words; those asked for are as many as
    `first` has places.
    """
    for word in range(len(first)):
        begin, stop = word_starts[word], word_starts[word + 1]
        end = token_end(begin, removed, position)
        first[word] = token_at(begin, end, symbols, removed, new_ids)
        begin = token_begin(stop, removed, position)
        last[word] = token_at(begin, stop, symbols, removed, new_ids)


def _across_kernel(
    left: Ints,
    right: Ints,
    counts: Longs,
    apart: Bytes,
    first: Ints,
    last: Ints,
    only_apart: Integer,
    slots: Ints,
    keys: Longs,
    amounts: Longs,
) -> Integer:
    """Count the pairs of tokens that meet between words; returns how many, or NO_ROOM.

    left, right, counts, apart: neighbouring words, how often they are, and 1 where something
    between them is dropped; `only_apart` counts no others.
    """
    size = np.int64(0)
    for i in range(len(left)):
        if only_apart and not apart[i]:
            continue
        if size == len(keys):
            return NO_ROOM
        pair = np.int64(last[left[i]]) << 32 | np.int64(first[right[i]])
        size = change(slots, keys, amounts, size, pair, counts[i])
    return size


note_neighbours = Kernel(_note_kernel)
enter_neighbours = Kernel(_enter_kernel)
word_ends = Kernel(_ends_kernel)
pairs_across = Kernel(_across_kernel)

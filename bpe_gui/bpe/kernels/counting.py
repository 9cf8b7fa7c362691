"""Counting words: an open-addressing hash table of what the scanner found.

The table is five arrays. `slots` has a row of four numbers for each place: the key of a word, which
is two of them (its bytes themselves up to 16, two hashes of longer ones); its number + 1 << 32 |
its length, or 0 for a free place; and its count. All of it comes with one access to memory.
`store` has the bytes of the words one after another, `starts` where each begins (one entry more
than words), `firsts` where in the corpus each was met first. `size` is the number of words, then
the length of the last one for which there was no room. It is not a `hash_table.Table`, for its
keys are texts of any length.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import (
    Bytes,
    Integer,
    Ints,
    Kernel,
    Longs,
    UnsignedLongs,
    within_kernels,
)
from bpe_gui.bpe.kernels.registers import mixed, mixed_in, up_to_eight, up_to_sixteen
from bpe_gui.bpe.kernels.scanning import DROPPED

LOW, HIGH, WORD_AND_LENGTH, COUNT = range(4)
"""What the numbers of a row of `slots` are."""

NO_WORD = -1
"""Stands among the words of documents for what the split drops, and for the end of each."""

MAX_LENGTH = 0xFFFFFFFF
"""Stands for this length and all that are longer."""


@within_kernels
def _key(text: Bytes, begin: Integer, length: Integer) -> tuple[Integer, Integer]:
    """Compute the key of a word: with its length it tells words of up to 16 bytes apart."""
    if length <= 16:
        return up_to_sixteen(text, begin, length)
    last = begin + length - 8
    low = high = up_to_eight(text, last, 8)
    while begin < last:
        eight = up_to_eight(text, begin, 8)
        low = mixed_in(low, eight)
        high = mixed_in(~high, eight)
        begin += 8
    return low, high


@within_kernels
def _is_at(store: Bytes, start: Integer, text: Bytes, begin: Integer, length: Integer) -> bool:
    """Tell whether the same bytes, more than eight, are in the store and in a text."""
    i = 0
    while i + 8 <= length:
        if up_to_eight(store, start + i, 8) != up_to_eight(text, begin + i, 8):
            return False
        i += 8
    i = length - 8
    return bool(up_to_eight(store, start + i, 8) == up_to_eight(text, begin + i, 8))


@within_kernels
def _add(
    slots: UnsignedLongs,
    store: Bytes,
    starts: Longs,
    firsts: Longs,
    size: Longs,
    text: Bytes,
    begin: Integer,
    end: Integer,
    count: Integer,
    first: Integer,
) -> Integer:
    """Count a word, found or new; returns its index, or -1 if there is no room for a new one.

    Then its length is noted in `size` for `WordTable._grow`.
    """
    length = end - begin
    low, high = _key(text, begin, length)
    noted = min(length, MAX_LENGTH)
    mask = len(slots) - 1
    slot = mixed(low, high, noted) & mask
    while True:
        entry = np.int64(slots[slot, WORD_AND_LENGTH])
        if entry == 0:
            break
        if (
            entry & MAX_LENGTH == noted
            and slots[slot, LOW] == low
            and slots[slot, HIGH] == high
        ):
            index = (entry >> 32) - 1
            start = starts[index]
            if length <= 16 or (
                starts[index + 1] - start == length and _is_at(store, start, text, begin, length)
            ):
                slots[slot, COUNT] += np.uint64(count)
                return index
        slot = (slot + 1) & mask
    index = np.int64(size[0])
    start = starts[index]
    if index == len(firsts) or start + length > len(store):
        size[1] = length
        return np.int64(-1)
    slots[slot, LOW] = low
    slots[slot, HIGH] = high
    slots[slot, WORD_AND_LENGTH] = np.uint64((index + 1) << 32 | noted)
    slots[slot, COUNT] = np.uint64(count)
    for i in range(length):
        store[start + i] = text[begin + i]
    starts[index + 1] = start + length
    firsts[index] = first
    size[0] = index + 1
    return index


def _count_kernel(
    text: Bytes,
    begin: Integer,
    spans: Longs,
    done: Integer,
    count: Integer,
    place: Integer,
    slots: UnsignedLongs,
    store: Bytes,
    starts: Longs,
    firsts: Longs,
    size: Longs,
) -> tuple[Integer, Integer]:
    """Count words: the spans but for the first `done`, of which the next begins at byte `begin`.

    `place` is where in the corpus the text begins. Returns how many spans are done, and where the
    last of them ends; those are not all where the table has no more room.
    """
    i = begin
    for k in range(done, len(spans)):
        stop = spans[k] >> 2
        if (
            spans[k] & 3 != DROPPED
            and _add(slots, store, starts, firsts, size, text, i, stop, count, place + i) < 0
        ):
            return k, i
        i = stop
    return len(spans), i


def _find_kernel(
    text: Bytes,
    begin: Integer,
    spans: Longs,
    done: Integer,
    slots: UnsignedLongs,
    store: Bytes,
    starts: Longs,
    firsts: Longs,
    size: Longs,
    words: Ints,
    places: Longs,
) -> tuple[Integer, Integer, Integer]:
    """Write down the words of spans in the order of the text; these are as for counting.

    `words` receives their indexes in the table, `places`, if it is not empty, where in the text
    each begins. Returns how many spans are done, where the last of them ends, and how many words
    were written; the spans are not all where these arrays or the table have no more room.
    """
    written = 0
    i = begin
    for k in range(done, len(spans)):
        stop = spans[k] >> 2
        if spans[k] & 3 != DROPPED:
            if written == len(words):
                return k, i, written
            # Texts come one after another: what is entered later was met later.
            word = _add(slots, store, starts, firsts, size, text, i, stop, 1, size[0])
            if word < 0:
                return k, i, written
            words[written] = word
            if len(places):
                places[written] = i
            written += 1
        i = stop
    return len(spans), i, written


def _number_kernel(
    text: Bytes,
    begin: Integer,
    spans: Longs,
    done: Integer,
    document_ends: Longs,
    document: Integer,
    slots: UnsignedLongs,
    store: Bytes,
    starts: Longs,
    firsts: Longs,
    size: Longs,
    words: Ints,
    written: Integer,
) -> tuple[Integer, Integer, Integer, Integer]:
    """Write down the words of spans as for finding, but not where they begin, and NO_WORD between.

    `document` is the number of the document that ends next, `words` has room for all, of which
    `written` are there. Returns how many spans are done, where the last of them ends, the document
    and what is written by then; the spans are not all where the table has no more room.
    """
    i = begin
    for k in range(done, len(spans)):
        stop = spans[k] >> 2
        word = NO_WORD
        if spans[k] & 3 != DROPPED:
            word = _add(slots, store, starts, firsts, size, text, i, stop, 1, size[0])
            if word < 0:
                return k, i, document, written
        words[written] = word
        written += 1
        i = stop
        while document < len(document_ends) and document_ends[document] <= i:
            words[written] = NO_WORD
            written += 1
            document += 1
    return len(spans), i, document, written


def _merge_kernel(
    other_text: Bytes,
    other_starts: Longs,
    other_counts: Longs,
    other_firsts: Longs,
    begin: Integer,
    slots: UnsignedLongs,
    store: Bytes,
    starts: Longs,
    firsts: Longs,
    size: Longs,
) -> Integer:
    """Add another table's words from `begin` on, in order; returns where room ran out."""
    for index in range(begin, len(other_counts)):
        start, stop = other_starts[index], other_starts[index + 1]
        first = other_firsts[index]
        count = other_counts[index]
        here = _add(slots, store, starts, firsts, size, other_text, start, stop, count, first)
        if here < 0:
            return index
        firsts[here] = min(firsts[here], first)
    return len(other_counts)


def _rehash_kernel(old: UnsignedLongs, new: UnsignedLongs) -> None:
    """Move the rows of one slot array to a larger one, which is empty."""
    mask = len(new) - 1
    for i in range(len(old)):
        entry = np.int64(old[i, WORD_AND_LENGTH])
        if entry:
            slot = mixed(old[i, LOW], old[i, HIGH], entry & MAX_LENGTH) & mask
            while new[slot, WORD_AND_LENGTH]:
                slot = (slot + 1) & mask
            for k in range(4):
                new[slot, k] = old[i, k]


def _arrange_kernel(
    store: Bytes, starts: Longs, order: Longs, arranged: Bytes, arranged_starts: Longs
) -> None:
    """Write down words in another order, and where each begins."""
    to = 0
    for i in range(len(order)):
        begin, end = starts[order[i]], starts[order[i] + 1]
        for k in range(end - begin):
            arranged[to + k] = store[begin + k]
        to += end - begin
        arranged_starts[i + 1] = to


count_words = Kernel(_count_kernel)
find_words = Kernel(_find_kernel)
number_words = Kernel(_number_kernel)
merge_words = Kernel(_merge_kernel)
rehash = Kernel(_rehash_kernel)
arrange = Kernel(_arrange_kernel)

"""Counting words: an open-addressing hash table fed by the scanner.

The table is five arrays: `slots` holds hash << 32 | index of a word, or -1; `store` the
bytes of the words one after another; `starts` where each begins (one entry more than
words); `counts`; and `size` the number of words, then the words and bytes that the last
refused insertion needed. It is not a `hash_table.Table`, for its keys are texts of any length.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Integer, Ints, Kernel, Longs, Shorts, within_kernels
from bpe_gui.bpe.kernels.scanning import UNMATCHED, WORD, span_end

_HASH_MASK = (1 << 31) - 1


@within_kernels
def _hash(text: Bytes, begin: Integer, end: Integer) -> Integer:
    """Compute a 31-bit hash of the bytes, within 63 bits all the way (after FNV-1a)."""
    value = np.int64(0x4F1BBCDC)
    for i in range(begin, end):
        value = ((value ^ np.int64(text[i])) * 0x01000193) & 0x3FFFFFFFFF
    return (value ^ value >> 19) & _HASH_MASK


@within_kernels
def _add(
    slots: Longs,
    store: Bytes,
    starts: Longs,
    counts: Longs,
    size: Longs,
    text: Bytes,
    begin: Integer,
    end: Integer,
    count: Integer,
) -> Integer:
    """Count a word, found or new; returns its index. The table has room for it."""
    length = end - begin
    found = _hash(text, begin, end)
    mask = len(slots) - 1
    slot = found & mask
    while slots[slot] >= 0:
        entry = slots[slot]
        if entry >> 32 == found:
            index = entry & 0xFFFFFFFF
            start = starts[index]
            if starts[index + 1] - start == length:
                i = 0
                while i < length and store[start + i] == text[begin + i]:
                    i += 1
                if i == length:
                    counts[index] += count
                    return index
        slot = (slot + 1) & mask
    index = size[0]
    slots[slot] = found << 32 | index
    start = starts[index]
    for i in range(length):
        store[start + i] = text[begin + i]
    starts[index + 1] = start + length
    counts[index] = count
    size[0] = index + 1
    return index


@within_kernels
def _has_room(
    slots: Longs, store: Bytes, starts: Longs, size: Longs, words: Integer, length: Integer
) -> bool:
    """Tell whether that many more words, of that many bytes in all, are sure to fit.

    If not, the need is noted in `size` for `WordTable._grow`.
    """
    if (size[0] + words) * 2 <= len(slots) and starts[size[0]] + length <= len(store):
        return True
    size[1] = words
    size[2] = length
    return False


def _count_kernel(
    split: Integer,
    text: Bytes,
    document_ends: Longs,
    begin: Integer,
    classes: Shorts,
    count: Integer,
    slots: Longs,
    store: Bytes,
    starts: Longs,
    counts: Longs,
    size: Longs,
) -> Integer:
    """Count the words of documents from byte `begin` on; returns where room ran out."""
    i = begin
    for end in document_ends:
        while i < end:
            stop, kind = span_end(split, text, i, end, classes)
            if kind == WORD:
                if not _has_room(slots, store, starts, size, 1, stop - i):
                    return i
                _add(slots, store, starts, counts, size, text, i, stop, count)
            elif kind == UNMATCHED:
                if not _has_room(slots, store, starts, size, stop - i, stop - i):
                    return i
                for k in range(i, stop):
                    _add(slots, store, starts, counts, size, text, k, k + 1, count)
            i = stop
    return i


def _find_kernel(
    split: Integer,
    text: Bytes,
    document_ends: Longs,
    begin: Integer,
    classes: Shorts,
    slots: Longs,
    store: Bytes,
    starts: Longs,
    counts: Longs,
    size: Longs,
    words: Ints,
    places: Longs,
) -> tuple[Integer, Integer]:
    """Write down the words of documents from byte `begin` on, in the order of the text.

    `words` receives their indexes in the table, `places` where in the text each begins.
    Returns where room ran out, in these or in the table, and how many words were written.
    """
    found = 0
    i = begin
    for end in document_ends:
        while i < end:
            stop, kind = span_end(split, text, i, end, classes)
            if kind == WORD:
                if found == len(words) or not _has_room(slots, store, starts, size, 1, stop - i):
                    return i, found
                words[found] = _add(slots, store, starts, counts, size, text, i, stop, 1)
                places[found] = i
                found += 1
            elif kind == UNMATCHED:
                length = stop - i
                if found + length > len(words) or not _has_room(
                    slots, store, starts, size, length, length
                ):
                    return i, found
                for k in range(i, stop):
                    words[found] = _add(slots, store, starts, counts, size, text, k, k + 1, 1)
                    places[found] = k
                    found += 1
            i = stop
    return i, found


def _merge_kernel(
    other_text: Bytes,
    other_starts: Longs,
    other_counts: Longs,
    begin: Integer,
    slots: Longs,
    store: Bytes,
    starts: Longs,
    counts: Longs,
    size: Longs,
) -> Integer:
    """Add another table's words from `begin` on, in order; returns where room ran out."""
    for index in range(begin, len(other_counts)):
        start, stop = other_starts[index], other_starts[index + 1]
        if not _has_room(slots, store, starts, size, 1, stop - start):
            return index
        _add(slots, store, starts, counts, size, other_text, start, stop, other_counts[index])
    return len(other_counts)


def _rehash_kernel(old: Longs, new: Longs) -> None:
    """Move the entries of one slot array to a larger one."""
    mask = len(new) - 1
    for entry in old:
        if entry >= 0:
            slot = (entry >> 32) & mask
            while new[slot] >= 0:
                slot = (slot + 1) & mask
            new[slot] = entry


count_words = Kernel(_count_kernel)
find_words = Kernel(_find_kernel)
merge_words = Kernel(_merge_kernel)
rehash = Kernel(_rehash_kernel)

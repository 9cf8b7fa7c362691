"""Making the state before the first merge, and making room in it: cells, pairs, lists."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.kernel import Integer, Ints, Kernel, Longs
from bpe_gui.bpe.kernels.pair_state import NEXT, PAIRS, PREVIOUS, SYMBOL, WORD, State


def _link_kernel(symbols: Ints, word_starts: Longs, cells: Ints) -> None:
    """Lay the words' symbols out as linked cells."""
    for word in range(len(word_starts) - 1):
        begin, end = word_starts[word], word_starts[word + 1]
        for i in range(begin, end):
            cells[i, SYMBOL] = symbols[i]
            cells[i, NEXT] = i + 1 if i + 1 < end else -1
            cells[i, PREVIOUS] = i - 1 if i > begin else -1
            cells[i, WORD] = word


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


link = Kernel(_link_kernel)
count_pairs = Kernel(_count_pairs_kernel)
list_pairs = Kernel(_list_pairs_kernel)
compact = Kernel(_compact_kernel)

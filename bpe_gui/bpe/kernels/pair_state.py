"""What the kernels of training work on: cells, pairs, occurrence lists and candidates.

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

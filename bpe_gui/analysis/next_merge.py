"""Which pair is merged next at a position of a run, and why there may be none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History

NOTHING_LOADED = "Open a corpus to see its most frequent pairs."
EMPTY_CORPUS = "The corpus is empty: there are no pairs to count."
NO_PAIR = "No pair is left: every word of the corpus is a single token."


def emptiness(history: History | None, position: int) -> str:
    """Tell why there is no pair to show at a position, as one sentence."""
    if history is None:
        return NOTHING_LOADED
    return NO_PAIR if history.tokens[position] > 0 else EMPTY_CORPUS


def will_be_merged(history: History, position: int) -> bool:
    """Tell whether the leading pair at a position is, or is going to be, merged next."""
    return position < len(history) or history.stopped is None


def next_pair(history: History, position: int) -> tuple[int, int] | None:
    """Return the pair that is merged next at a position, None if the run has ended there."""
    if position < len(history):
        return int(history.left[position]), int(history.right[position])
    top = history.top(position)
    if not len(top) or not will_be_merged(history, position):
        return None
    return int(top.left[0]), int(top.right[0])


def merging_tokens(
    ids: NDArray[np.int32], begins_word: NDArray[np.bool_], pair: tuple[int, int]
) -> NDArray[np.bool_]:
    """Tell which tokens of a text are put together when a pair is merged, from left to right.

    `begins_word` tells which tokens begin a word: no pair reaches from one word into the next.

    >>> ids, begins_word = np.array([7, 7, 7, 7, 7]), np.array([True, False, False, True, False])
    >>> merging_tokens(ids, begins_word, (7, 7)).tolist()
    [True, True, False, True, True]
    """
    left, right = pair
    found = np.append((ids[:-1] == left) & (ids[1:] == right) & ~begins_word[1:], False)[: len(ids)]
    if left == right:
        # Of pairs that overlap, every second is left over.
        places = np.arange(len(ids))
        before = np.maximum.accumulate(np.where(found, -1, places))
        found &= (places - before) % 2 == 1
    merging: NDArray[np.bool_] = found.copy()
    merging[1:] |= found[:-1]
    return merging

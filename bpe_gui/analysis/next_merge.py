"""Which pair is merged next at a position of a run, and why there may be none."""

from __future__ import annotations

from bpe_gui.bpe.history import History

NOTHING_LOADED = "Open a corpus to see its most frequent pairs."
EMPTY_CORPUS = "The corpus is empty: there are no pairs to count."
NO_PAIR = "No pair is left: every word is a single token."


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

"""Where the merges of an encoding differ from what a corpus would have chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Describe where a corpus would have merged another pair than the encoding did.

    given: how many merges were taken over. absent: those of a pair that does not occur.
    differing: those before which another pair was the most frequent.
    first: the first step, from 0, before which each of these pairs was that, the pair and its
        count.
    """

    given: int
    absent: int
    differing: int
    first: tuple[tuple[int, int, int, int], ...]


def steps_otherwise(history: History) -> NDArray[np.int64]:
    """List the steps, from 0, before which a corpus had a pair more frequent than the given one."""
    given = given_merges(history)
    columns = history.columns(given)
    left, right = columns.top_left[:, 0], columns.top_right[:, 0]
    other = (left != columns.left) | (right != columns.right)
    # A pair that is as frequent as the first one is merged later only because of the rule for ties.
    return np.flatnonzero(other & (left != NO_TOKEN) & (columns.top_count[:, 0] > columns.count))


def given_merges(history: History) -> int:
    """Count the merges that a run took over."""
    inherited = history.recipe.inherited
    return 0 if inherited is None else min(len(inherited), len(history))


def chosen_otherwise(history: History, most: int) -> Otherwise:
    """Compare the merges that a run took over with the most frequent pair before each of them.

    most: how many of the differences are listed.
    """
    given = given_merges(history)
    columns = history.columns(given)
    left, right = columns.top_left[:, 0], columns.top_right[:, 0]
    steps = steps_otherwise(history)
    differing = len(steps)
    _, first = np.unique(left[steps].astype(np.int64) << 32 | right[steps], return_index=True)
    steps = steps[np.sort(first)]
    rows = (
        (step, int(left[step]), int(right[step]), int(columns.top_count[step, 0]))
        for step in steps[:most].tolist()
    )
    absent = int(np.count_nonzero(columns.count == 0))
    return Otherwise(given, absent, differing, tuple(rows))

"""Where the merges of an encoding differ from what a corpus would choose, and what is added."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.progress import counted


class Otherwise(Struct, frozen=True):
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


def tokens_before(history: History) -> int:
    """Count the tokens of the corpus in the encoding that a run goes on from."""
    return int(history.tokens[given_merges(history)]) + history.saved_by_new_symbols


def added_and_saved(history: History) -> tuple[str, str]:
    """Say which tokens a run has added to those it took over, and how many it saves in its corpus.

    ("2 tokens, ids 300 to 301", "60 before, 54 after: 10.0% fewer")
    """
    inherited = history.recipe.inherited
    assert inherited is not None
    size = history.vocabulary_size(len(history))
    added = counted(size - inherited.vocabulary_size, "token")
    if history.new_symbols:
        added += f", of which {counted(history.new_symbols, 'new single symbol')}"
    ids = history.own_ids(np.arange(size, dtype=np.int32))
    new = ids[ids >= inherited.first_new_id]
    if len(new):
        added += f", ids {new.min():,} to {new.max():,}"
    before, after = tokens_before(history), int(history.tokens[-1])
    saved = f"{(before - after) / before:.1%} fewer" if before else "none"
    return added, f"{before:,} before, {after:,} after: {saved}"


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

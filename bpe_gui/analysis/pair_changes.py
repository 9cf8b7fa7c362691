"""What the last merge has changed among the most frequent pairs."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from bpe_gui.bpe.history import History


class Kind(Enum):
    """How a merge has changed a pair."""

    NEW = "new"
    """It holds the token that the merge made, and was not there before."""
    FELL = "fell"
    """It occurs less often, for it has lost occurrences to the merge."""
    ROSE = "rose"
    """It is as frequent as before and has overtaken pairs that fell."""


class PairChange(Struct, frozen=True):
    """A change of a pair.

    amount: for a new pair how often it occurs, for one that fell by how much, for one that rose
        how many pairs it has overtaken.
    overtaken: those pairs, in their order now.
    """

    kind: Kind
    amount: int
    overtaken: tuple[tuple[int, int], ...] = ()


def pair_changes(history: History, position: int) -> dict[tuple[int, int], PairChange]:
    """Tell what the merge before a position has changed among the most frequent pairs there.

    Of pairs that come up from below those that the history ranks nothing is known; they are left
    out, as are pairs that are as they were. Empty before the first merge. Raises IndexError outside
    0..len(history).

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("low", 5), ("lo", 2), ("how", 1)], preset("raw"))
    >>> trainer = Trainer(words, preset("raw"))
    >>> trainer.advance(1)
    1
    >>> h, l, o, w, lo = range(5)
    >>> [(pair, c.kind.value, c.amount) for pair, c in pair_changes(trainer.history, 1).items()]
    [((4, 3), 'new', 5), ((0, 2), 'rose', 1), ((2, 3), 'fell', 5)]
    """
    if position == 0:
        history.top(0)
        return {}
    now, before = _counts(history, position), _counts(history, position - 1)
    token = int(history.new_id[position - 1])
    rank_before = {pair: rank for rank, pair in enumerate(before)}
    stayed = [pair for pair in now if pair in before]
    rank = 0
    changes: dict[tuple[int, int], PairChange] = {}
    for pair, count in now.items():
        if pair not in before:
            if token in pair:
                changes[pair] = PairChange(Kind.NEW, count)
            continue
        rank += 1
        behind = stayed[rank:]
        overtaken = tuple(one for one in behind if rank_before[one] < rank_before[pair])
        if before[pair] > count:
            changes[pair] = PairChange(Kind.FELL, before[pair] - count)
        elif overtaken:
            changes[pair] = PairChange(Kind.ROSE, len(overtaken), overtaken)
    return changes


def _counts(history: History, position: int) -> dict[tuple[int, int], int]:
    """Return the counts of the most frequent pairs in their order."""
    top = history.top(position)
    pairs = zip(top.left.tolist(), top.right.tolist(), strict=True)
    return dict(zip(pairs, top.count.tolist(), strict=True))

"""Which pairs of tokens a split keeps from being merged.

Two symbols meet across a boundary if one ends a word and the other begins the word that comes next
in the same document. Without that boundary they would be a pair like any other. Where the split
drops what is between two words (white space, as `whitespace` and `bert` do), the words
that are left follow one another: that is what training is given of the text. How many of a
pair's occurrences have such a gap in them is told apart.

Symbols are those of a position: the words are cut as the merges before it leave them. The end
of a word is one too where the recipe marks it: what meets the next word is then `</w>`.

The text is read once more for this: the counts of words do not tell which word comes next.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.explain import forbidden_pairs
from bpe_gui.analysis.segmented_corpus import PairCounts, SegmentedCorpus
from bpe_gui.analysis.word_bigrams import WordBigrams
from bpe_gui.bpe.history import History

MAX_PAIRS = 200
"""Blocked pairs that are listed at most; all of them are counted."""


class BoundaryError(ValueError):
    """The blocked pairs cannot be told; one sentence for the user."""


class BlockedPair(Struct, frozen=True):
    """A pair that is across boundaries at a position.

    across: how often it does; apart: in how many of these the split drops text between.
    within: how often it is within words, where nothing blocks it.
    rank: 1 if it would be the most frequent pair without the boundaries between the two, by one
        more for each other pair within words that is more frequent.
    tied: how many other pairs within words are just as frequent.
    ahead_of: the first merge before the position whose pair was less frequent when it was
        merged than this one is at the position, counted from 0; None if there is none, or if
        only a part of the corpus was looked at. There it would have come first.
    """

    left: int
    right: int
    across: int
    apart: int
    within: int
    rank: int
    tied: int
    ahead_of: int | None

    @property
    def count(self) -> int:
        """Tell how often the pair could be merged if there were no boundaries."""
        return self.across + self.within


class BlockedPairs(Struct, frozen=True):
    """The pairs that boundaries block at a position.

    pairs: the pairs that they keep apart, the most frequent first, at most MAX_PAIRS; among
        equals the one that comes first in the corpus.
    distinct: how many there are in all; across: how often they occur, together.
    winner: the pair that is merged at the position, or would be: left, right and how often it
        is within words; None if none is left.
    bytes_read: how much of the corpus was looked at; whole: whether that is all of it.
    """

    position: int
    pairs: tuple[BlockedPair, ...]
    distinct: int
    across: int
    winner: tuple[int, int, int] | None
    bytes_read: int
    whole: bool


class Boundaries:
    """The boundaries between the words of a corpus; exact for every position.

    Raises BoundaryError if the corpus was another when its word bigrams were counted. It may be
    more than was counted, see `count_words_and_bigrams`: then all numbers speak of what was.
    """

    def __init__(self, corpus: SegmentedCorpus, bigrams: WordBigrams) -> None:
        counts = corpus.words.counts
        seen = bigrams.occurrences
        if len(seen) > len(counts) or (seen > counts[: len(seen)]).any():
            fits = False
        else:
            fits = not bigrams.whole or np.array_equal(seen, counts)
        if not fits:
            raise BoundaryError(
                "The corpus has changed since this run read it; train again."
            )
        self._corpus = corpus
        self._bigrams = bigrams

    @property
    def length(self) -> int:
        """Tell how many merges have been taken in."""
        return self._corpus.length

    @property
    def history(self) -> History:
        """Return the merges that the words are cut with."""
        return self._corpus.history

    def extend(self) -> None:
        """Take in the merges that came since; raises Cancelled as the corpus does."""
        self._corpus.extend()

    def blocked_pairs(self, position: int) -> BlockedPairs:
        """Find the pairs that boundaries block at a position.

        Raises IndexError beyond `length`.
        Takes some 50 ms for 30 MB of text.
        """
        corpus, bigrams = self._corpus, self._bigrams
        across = corpus.pairs_across(position, bigrams)
        order = np.argsort(-across.count, kind="stable")[:MAX_PAIRS]
        keys = _keys(across)[order]
        apart = np.zeros(len(keys), np.int64)
        if bigrams.apart.any():
            apart = _amounts(corpus.pairs_across(position, bigrams, apart=True), keys)
        within = self._within(position)
        counts = across.count[order]
        inside = _amounts(within, keys)
        ahead, tied = _rivals(counts + inside, inside, within.count)
        columns = across.left[order], across.right[order], counts, apart, inside, ahead + 1, tied
        earlier = self._ahead_of(position, counts + inside)
        rows = zip(*(column.tolist() for column in columns), earlier, strict=True)
        return BlockedPairs(
            position=position,
            pairs=tuple(BlockedPair(*row) for row in rows),
            distinct=len(across),
            across=int(bigrams.count.sum()),
            winner=self._winner(position, within),
            bytes_read=bigrams.bytes_read,
            whole=bigrams.whole,
        )

    def _ahead_of(self, position: int, counts: NDArray[np.int64]) -> list[int | None]:
        """Return for each count the first merge before a position whose count is smaller."""
        if not self._bigrams.whole:
            return [None] * len(counts)
        # A merge that somebody forced may be rarer than those after it.
        least = np.minimum.accumulate(self._corpus.history.count[:position])
        found = np.searchsorted(-least, -counts, side="right").tolist()
        return [step if step < position else None for step in found]

    def _within(self, position: int) -> PairCounts:
        """Return the pairs that may be merged, without those that somebody has forbidden."""
        pairs = self._corpus.pairs(position, self._bigrams.occurrences)
        out = forbidden_pairs(self._corpus.history, position)
        if not out:
            return pairs
        kept = ~np.isin(_keys(pairs), [left << 32 | right for left, right in out])
        return PairCounts(pairs.left[kept], pairs.right[kept], pairs.count[kept])

    def _winner(self, position: int, within: PairCounts) -> tuple[int, int, int] | None:
        pair = self._corpus.history.next_pair(position)
        if pair is None:
            return None
        key = np.array([pair[0] << 32 | pair[1]])
        return *pair, int(_amounts(within, key)[0])


def _keys(pairs: PairCounts) -> NDArray[np.int64]:
    return pairs.left.astype(np.int64) << 32 | pairs.right


def _amounts(pairs: PairCounts, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the counts of the pairs with these keys, 0 for those that are missing."""
    found = np.zeros(len(keys), np.int64)
    order = np.argsort(keys)
    own = _keys(pairs)
    places = np.searchsorted(keys[order], own)
    places[places == len(keys)] = 0
    known = np.flatnonzero(keys[order][places] == own) if len(keys) else places[:0]
    found[order[places[known]]] = pairs.count[known]
    return found


def _rivals(
    counts: NDArray[np.int64], own: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count for each how many of the others are greater, and how many are equal to it.

    `own` is what of each is among the others: 0 if it is not. It is no rival of itself.
    """
    ascending = np.sort(others)
    below, upto = (np.searchsorted(ascending, counts, side=side) for side in ("left", "right"))
    # A pair within words has `own` there, which is less than its count with those across.
    equal = upto - below - (own == counts)
    return len(ascending) - upto, equal

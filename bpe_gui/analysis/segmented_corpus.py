"""The words of a corpus, cut into tokens at every position of a history."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.segmented_corpus import (
    FULL,
    changes_of,
    count_pairs,
    pairs_across,
    word_ends,
)
from bpe_gui.analysis.word_bigrams import WordBigrams
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.hash_table import Table
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.words import WordCounts, to_initial_ids


class PairCounts(Struct, frozen=True):
    """Pairs that could merge with their counts, or with what these change by.

    They are in the order of their first occurrence in the corpus, or near what changes.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    count: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.left)


class Merged(Struct, frozen=True):
    """What a merge does in a corpus.

    words: the words that it is done in, ascending indexes.
    occurrences: how often each of them holds the pair just before, overlaps counted.
    changes: the pairs that become rarer or more frequent, and by how much; 0 where what
        comes makes up for what goes.
    """

    words: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    changes: PairCounts


class SegmentedWords(Struct, frozen=True):
    """Some words of a corpus at one position.

    `words` are indexes into the corpus's words, ascending. The tokens of all of them stand
    one after another in `ids`; `word_of` gives the place in `words` that each belongs to.
    """

    words: NDArray[np.int64]
    ids: NDArray[np.int32]
    word_of: NDArray[np.int64]

    def tokens(self, place: int) -> NDArray[np.int32]:
        """Return the tokens of the word at a place in `words`."""
        begin, end = np.searchsorted(self.word_of, [place, place + 1])
        return self.ids[begin:end]


class SegmentedCorpus:
    """Counted words with their cuts at every position; exact for any of them.

    Making it encodes every unique word once (a fraction of a second for 20 MB of text);
    `extend` takes in merges that the history has had since. Both raise Cancelled
    once `cancelled` is true.
    """

    def __init__(
        self,
        words: WordCounts,
        history: History,
        *,
        compiled: bool | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.words = words
        self.history = history
        spelled = to_initial_ids(words, history.recipe)
        self._starts = spelled.starts
        kept = history.recipe.keeps_fallback
        self._alone = [*spelled.base.fallback_bytes(history.recipe)] if kept else []
        self._compiled = compiled
        self._segmentation = Segmentation(
            history,
            spelled.symbols,
            spelled.starts[:-1],
            compiled=compiled,
            cancelled=cancelled,
        )

    @property
    def length(self) -> int:
        """Tell how many merges have been taken in."""
        return self._segmentation.length

    def extend(self) -> None:
        """Take in the merges that came since."""
        self._segmentation.extend()

    def segmented(self, position: int, words: NDArray[np.int64] | None = None) -> SegmentedWords:
        """Return words as they are cut at a position; all of them by default.

        `words` are indexes, ascending. Raises IndexError for a position beyond `length`.
        """
        if words is None:
            words = np.arange(len(self.words))
            first, ids = self._segmentation.tokens(position)
            return SegmentedWords(words, ids, self._words_of(first))
        lengths = self._starts[words + 1] - self._starts[words]
        offsets = np.cumsum(lengths) - lengths
        places = np.repeat(self._starts[words] - offsets, lengths) + np.arange(lengths.sum())
        first, ids = self._segmentation.tokens_among(position, places)
        return SegmentedWords(words, ids, np.searchsorted(offsets, first, side="right") - 1)

    def pairs(self, position: int, counts: NDArray[np.int64] | None = None) -> PairCounts:
        """Count how often each pair occurs at a position. Raises IndexError beyond `length`.

        `counts` tells how often each of the first words occurs, if not as in the corpus; the
        other words are then left out.
        """
        self._check(position)
        if counts is None:
            counts = self.words.counts
        count = count_pairs.form(self._compiled)
        corpus = self._starts[: len(counts) + 1], counts, *self._borders
        return self._merging(_tabled(lambda *table: count(position, *corpus, *table)))

    def pairs_across(
        self, position: int, bigrams: WordBigrams, *, apart: bool = False
    ) -> PairCounts:
        """Count how often the last token of a word is followed by the first one of the next.

        With `apart` only where the split drops text between the two. Raises IndexError beyond
        `length`.
        """
        self._check(position)
        size = len(bigrams.occurrences)
        first, last = np.empty(size, np.int32), np.empty(size, np.int32)
        word_ends.form(self._compiled)(position, self._starts, *self._borders, first, last)
        found = bigrams.left, bigrams.right, bigrams.count, bigrams.apart
        count = pairs_across.form(self._compiled)
        return self._merging(_tabled(lambda *table: count(*found, first, last, apart, *table)))

    def _merging(self, pairs: PairCounts) -> PairCounts:
        """Leave out pairs with a byte to which a character falls back, which never merges."""
        if not self._alone:
            return pairs
        kept = ~(np.isin(pairs.left, self._alone) | np.isin(pairs.right, self._alone))
        return PairCounts(pairs.left[kept], pairs.right[kept], pairs.count[kept])

    def _check(self, position: int) -> None:
        if not 0 <= position <= self.length:
            raise IndexError(f"position {position} is outside 0..{self.length}")

    def merged_at(self, step: int) -> Merged:
        """Tell where a merge is done and what it changes. Raises IndexError for one to come."""
        if not 0 <= step < self.length:
            raise IndexError(f"merge {step} is outside 0..{self.length - 1}")
        history = self.history
        pair = int(history.left[step]), int(history.right[step])
        places = np.flatnonzero(self._segmentation.merge_step == step)
        words = self._words_of(places)
        met = np.zeros(len(places), np.int64)
        merge = (step, *pair, int(history.new_id[step]), places, words)
        corpus = self._starts, self.words.counts, *self._borders
        look = changes_of.form(self._compiled)
        changes = self._merging(_tabled(lambda *table: look(*merge, *corpus, *table, met)))
        first = np.flatnonzero(np.diff(words, prepend=-1))
        occurrences = np.add.reduceat(met, first) if len(first) else met
        return Merged(words[first], occurrences, changes)

    @property
    def _borders(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        segmentation = self._segmentation
        return segmentation.symbols, segmentation.merge_step, self.history.new_id

    def touched_by(self, step: int) -> NDArray[np.int64]:
        """Return the words in which a merge is done, ascending indexes."""
        return np.unique(self._words_of(np.flatnonzero(self._segmentation.merge_step == step)))

    def containing(self, cut: SegmentedWords, left: int, right: int) -> NDArray[np.int64]:
        """Count how often a pair occurs in each of the words of a cut, overlaps counted."""
        within = cut.word_of[1:] == cut.word_of[:-1]
        found = within & (cut.ids[:-1] == left) & (cut.ids[1:] == right)
        return np.bincount(cut.word_of[1:][found], minlength=len(cut.words))

    def token_counts(self, position: int) -> NDArray[np.int64]:
        """Count how often each token of the vocabulary occurs in the corpus, indexed by id."""
        cut = self.segmented(position)
        counts = np.zeros(self.history.vocabulary_size(position), np.int64)
        np.add.at(counts, cut.ids, self.words.counts[cut.word_of])
        return counts

    def _words_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.searchsorted(self._starts, places, side="right") - 1


_FIRST_CAPACITY = 1 << 11


def _tabled(fill: Callable[[Table, NDArray[np.int64]], int]) -> PairCounts:
    """Return the pairs that a kernel enters into a table, which grows until they fit."""
    capacity = _FIRST_CAPACITY
    while True:
        table, amounts = Table.of(capacity), np.empty(capacity, np.int64)
        size = fill(table, amounts)
        if size != FULL:
            keys, amounts = table.keys[:size], amounts[:size]
            left, right = keys >> 32, keys & 0xFFFFFFFF
            return PairCounts(left.astype(np.int32), right.astype(np.int32), amounts.copy())
        capacity *= 8

"""Which words of a corpus are side by side, and how often.

Training looks at words one by one, so it forgets what came after what. To say which pairs of
symbols a split keeps apart, the text streams by once more and each pair of words that follow
one another in a document is counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels import segmented_corpus
from bpe_gui.analysis.kernels.segmented_corpus import count_word_bigrams
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels.hash_table import Table
from bpe_gui.bpe.pre_tokenize import for_scanner
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.words import BLOCK, Documents, Gatherer, WordCounts, WordTable, check_of, read_into

MAX_BIGRAMS = 1 << 22
"""When there are so many different pairs of words, the rest of the corpus is left out. They take
some 100 MB."""

_WORDS_AT_ONCE = 1 << 16


class WordBigrams(Struct, frozen=True):
    """Pairs of words that follow one another, in the order of their first appearance.

    Words are numbered in the order of their first appearance, as in the WordCounts of the
    same corpus and recipe. The columns `left`, `right` (words), `apart` (1 where the split
    drops text between the two, else 0) and `count` are of equal length.

    occurrences: how often each word occurs in what was read.
    bytes_read: how much text that is, before it is normalized.
    whole: whether that is the whole corpus; if not, it is its beginning.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    apart: NDArray[np.uint8]
    count: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    bytes_read: int
    whole: bool

    def __len__(self) -> int:
        return len(self.left)


class _FullError(Exception):
    """There are as many different bigrams as are kept."""


class WordBigramCounter:
    """Counts the word bigrams of documents that come in pieces, as WordCounter does."""

    def __init__(
        self,
        recipe: Recipe,
        *,
        max_bigrams: int = MAX_BIGRAMS,
        block: int = BLOCK,
        compiled: bool | None = None,
    ) -> None:
        capacity = 1 << 11
        self._recipe = recipe
        self._max_bigrams = max_bigrams
        self._compiled = compiled
        self._gatherer = Gatherer(recipe, block=block, compiled=compiled)
        self._table = WordTable(compiled)
        self._words = np.empty(_WORDS_AT_ONCE, np.int32)
        self._places = np.empty(_WORDS_AT_ONCE, np.int64)
        self._occurrences = np.zeros(1 << 10, np.int64)
        self._bigrams = Table.of(capacity)
        self._counts = np.empty(capacity, np.int64)
        self._state = np.array([0, -1, 0, 0], np.int64)
        self._bytes_read = 0

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece of the corpus; what it asks for and raises is as for WordCounter.

        When there are too many bigrams, an error of its own is raised for
        `count_words_and_bigrams`.
        """
        gathered = self._gatherer.take(text, document_ends)
        if gathered is not None:
            self._note(gathered, 1)

    def add_text(self, text: str, count: int) -> None:
        """Count a short document as if it occurred that many times."""
        encoded = text.encode("utf-8")
        self._note(Documents(encoded, np.array([len(encoded)], np.int64)), count)

    def end(self) -> None:
        """End the last document."""
        self._note(self._gatherer.finish(), 1)

    def found(self, *, whole: bool) -> WordBigrams:
        """Return what was counted so far."""
        keys = self._bigrams.keys[: self._state[segmented_corpus.BIGRAMS]]
        return WordBigrams(
            left=(keys >> 32).astype(np.int32),
            right=((keys & 0xFFFFFFFF) >> 1).astype(np.int32),
            apart=(keys & 1).astype(np.uint8),
            count=self._counts[: len(keys)].copy(),
            occurrences=self._occurrences[: len(self._table)].copy(),
            bytes_read=self._bytes_read,
            whole=whole,
        )

    def words(self) -> WordCounts:
        """Return the words that were met so far: all of them, once all of the corpus was fed."""
        words = self._table.finish()
        return WordCounts(words.text, words.starts, self._occurrences[: len(words)].copy())

    def _note(self, documents: Documents, weight: int) -> None:
        if documents.text and self._state[segmented_corpus.BIGRAMS] >= self._max_bigrams:
            raise _FullError
        self._bytes_read += len(documents.text)
        documents = documents.normalized(self._recipe.normalizers)
        data = np.frombuffer(documents.text, np.uint8)
        if len(data):
            self._note_words(data, documents, weight)
        state = self._state
        if not documents.goes_on or state[segmented_corpus.DOCUMENT] != len(documents.ends) - 1:
            state[segmented_corpus.LAST_WORD] = -1
        state[segmented_corpus.LAST_END] -= len(data)
        state[segmented_corpus.DOCUMENT] = 0

    def _note_words(self, data: NDArray[np.uint8], documents: Documents, weight: int) -> None:
        split, begins_anew = for_scanner(data, documents.ends, self._recipe)
        done = 0
        while done < len(data):
            done, found = self._table.find(
                split, data, begins_anew, done, self._words, self._places
            )
            if len(self._table) > len(self._occurrences):
                occurrences = np.zeros(2 * len(self._table), np.int64)
                occurrences[: len(self._occurrences)] = self._occurrences
                self._occurrences = occurrences
            self._note_found(self._words[:found], self._places[:found], documents.ends, weight)

    def _note_found(
        self,
        words: NDArray[np.int32],
        places: NDArray[np.int64],
        document_ends: NDArray[np.int64],
        weight: int,
    ) -> None:
        kernel = count_word_bigrams.form(self._compiled)
        text = words, places
        starts, table = self._table.starts, self._occurrences
        noted = 0
        while noted < len(words):
            pairs = self._bigrams, self._counts, self._state
            noted = int(kernel(*text, noted, weight, starts, document_ends, table, *pairs))
            if noted < len(words):
                self._bigrams = self._bigrams.doubled(self._compiled)
                self._counts = np.append(self._counts, np.empty_like(self._counts))


def count_words_and_bigrams(
    corpus: Corpus,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
    max_bigrams: int = MAX_BIGRAMS,
) -> tuple[WordCounts, WordBigrams]:
    """Read a corpus from its sources and count its words, and which are side by side.

    `progress` and `cancelled` are as for `count_corpus`. Takes about a second for 20 MB. When
    there are `max_bigrams` different pairs of words, the rest of the corpus is left out of both,
    and the bigrams say so. Raises CorpusError for what cannot be read (standard input can be read
    only once), Cancelled if it was given up.
    """
    counter = WordBigramCounter(recipe, max_bigrams=max_bigrams, compiled=compiled)
    check = check_of(cancelled)
    try:
        with timeout(check=check):
            read_into(counter, corpus, progress=progress, check=check)
            counter.end()
    except _FullError:
        return counter.words(), counter.found(whole=False)
    return counter.words(), counter.found(whole=True)

"""From documents to word counts: what training looks at instead of the text.

The unique words are kept in the order of their first appearance in the corpus, for the
`first-seen` rule for ties speaks of it. The text itself streams by and is not kept.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.character_classes import character_classes
from bpe_gui.bpe.kernels.counting import count_words, find_words, merge_words, rehash
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.patterns import watched
from bpe_gui.bpe.pieces import BLOCK as BLOCK
from bpe_gui.bpe.pieces import CountingCancelled as CountingCancelled
from bpe_gui.bpe.pieces import Documents, Gatherer, check_of, read_into
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.sources.stamps import FileStamp, FileStamps
from bpe_gui.bpe.split import for_scanner

if TYPE_CHECKING:
    from bpe_gui.bpe.corpus import Corpus

_CHECK_EVERY = 0.05
"""Seconds between two looks at whether a block that is waited for is still wanted."""


class WordCounts:
    """Unique words with their counts, in the order of first appearance.

    `text` holds the words one after another as UTF-8 (or, for pieces that are kept
    although the split skips them, single bytes), `starts` has one more entry than there
    are words, `counts` are 64-bit. `files` are those that they were counted from, as they
    were then, as far as there are any; None where that is not known.
    """

    def __init__(
        self,
        text: NDArray[np.uint8],
        starts: NDArray[np.int64],
        counts: NDArray[np.int64],
        files: FileStamps | None = None,
    ) -> None:
        self.text = text
        self.starts = starts
        self.counts = counts
        self.files = files

    def __len__(self) -> int:
        return len(self.counts)

    def word(self, index: int) -> bytes:
        """The bytes of a word."""
        return self.text[self.starts[index] : self.starts[index + 1]].tobytes()

    def count(self, index: int) -> int:
        """How often a word occurs in the corpus."""
        return int(self.counts[index])

    def items(self) -> Iterator[tuple[bytes, int]]:
        """All words with their counts, in order."""
        for index in range(len(self)):
            yield self.word(index), self.count(index)

    @property
    def total_bytes(self) -> int:
        """Bytes of all words in the corpus: each as often as it occurs."""
        return int(np.dot(np.diff(self.starts), self.counts))

    @classmethod
    def from_pairs(
        cls, pairs: Iterable[tuple[str, int]], recipe: Recipe, *, compiled: bool | None = None
    ) -> WordCounts:
        """Words that were counted elsewhere; each is normalized and split by the recipe.

        A word that is given twice is added up. The counts are positive.
        """
        counter = WordCounter(recipe, compiled=compiled)
        for word, count in pairs:
            counter.add_text(word, count)
        return counter.finish()


class WordTable:
    """A growing hash table from words to counts that remembers their order.

    Slots hold the hash (31 bits) and the index of a word (32 bits), or -1; at most half
    of them are taken. The word texts stand one after another in one store.
    """

    def __init__(self, compiled: bool | None) -> None:
        slots = 1 << 10
        self._compiled = compiled
        self._slots = np.full(slots, -1, np.int64)
        self._store = np.empty(slots * 4, np.uint8)
        self._starts = np.zeros(slots // 2 + 2, np.int64)
        self._counts = np.zeros(slots // 2 + 1, np.int64)
        self._size = np.zeros(3, np.int64)

    def count(
        self,
        split: int,
        text: NDArray[np.uint8],
        document_ends: NDArray[np.int64],
        count: int = 1,
    ) -> None:
        """Split documents that stand one after another, and count their words."""
        kernel = count_words.form(self._compiled)
        classes = character_classes()
        done = 0
        while True:
            done = kernel(split, text, document_ends, done, classes, count, *self._arrays)
            if done == len(text):
                return
            self._grow()

    def __len__(self) -> int:
        """How many different words there are."""
        return int(self._size[0])

    @property
    def text_size(self) -> int:
        """Bytes of all different words together."""
        return int(self._starts[self._size[0]])

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each different word begins in their bytes, and where the last of them ends."""
        return self._starts[: int(self._size[0]) + 1]

    def find(
        self,
        split: int,
        text: NDArray[np.uint8],
        document_ends: NDArray[np.int64],
        begin: int,
        words: NDArray[np.int32],
        places: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Split documents from byte `begin` on, and write down their words one by one.

        `words` receives each word's index in the order of first appearance, `places` the
        byte at which it begins. Ends with the text or when these are full: returns the
        byte to go on from, and how many words were written.
        """
        kernel = find_words.form(self._compiled)
        classes = character_classes()
        found = 0
        while True:
            self._size[1:] = 0
            begin, more = kernel(
                *(split, text, document_ends, begin, classes, *self._arrays),
                *(words[found:], places[found:]),
            )
            found += more
            if not self._size[1]:  # nothing was short in the table
                return begin, found
            self._grow()

    def words_from(self, index: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The bytes of the words from an index on, one after another, and where each ends."""
        starts = self._starts[index : int(self._size[0]) + 1]
        return self._store[starts[0] : starts[-1]].copy(), starts[1:] - starts[0]

    def merge(self, other: WordTable) -> None:
        """Add the words of another table, as if its text came after this one's."""
        kernel = merge_words.form(self._compiled)
        size = int(other._size[0])
        done = 0
        while True:
            done = kernel(other._store, other._starts, other._counts[:size], done, *self._arrays)
            if done == size:
                return
            self._grow()

    def finish(self) -> WordCounts:
        """What was counted."""
        size = int(self._size[0])
        starts = self._starts[: size + 1].copy()
        return WordCounts(self._store[: starts[-1]].copy(), starts, self._counts[:size].copy())

    @property
    def _arrays(self) -> tuple[NDArray[np.generic], ...]:
        return self._slots, self._store, self._starts, self._counts, self._size

    def _grow(self) -> None:
        """Make the room that a kernel asked for; what is short is doubled at least."""
        size, words, length = (int(number) for number in self._size)
        used = int(self._starts[size])
        if used + length > len(self._store):
            store = np.empty(max(2 * len(self._store), used + length), np.uint8)
            store[:used] = self._store[:used]
            self._store = store
        if (size + words) * 2 > len(self._slots):
            slots = np.full(2 * len(self._slots), -1, np.int64)
            rehash.form(self._compiled)(self._slots, slots)
            self._slots = slots
            self._starts = np.resize(self._starts, len(slots) // 2 + 2)
            self._counts = np.resize(self._counts, len(slots) // 2 + 1)


class WordCounter:
    """Counts the words of documents that come in pieces.

    Pieces are gathered to blocks that end where every split begins a new word, and
    counted on several threads, each block into a table of its own; the tables are
    added up in order, so that the order of first appearance is that of the text.

    `check` is called while a block is waited for and while a regex is matched, and may raise
    to give all up.
    """

    def __init__(
        self,
        recipe: Recipe,
        *,
        compiled: bool | None = None,
        block: int = BLOCK,
        threads: int | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        self._recipe = recipe
        self._compiled = compiled
        self._check = check
        self._given_up = Event()
        self._block = block
        self._table = WordTable(compiled)
        self._gatherer = Gatherer(recipe, block=block, compiled=compiled)
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(self._threads, "count-words")
        self._pending: deque[Future[WordTable]] = deque()

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece of the corpus, valid UTF-8.

        `document_ends` are the ascending byte offsets in the piece at which documents
        end; what comes after the last of them goes on in the next piece. Raises RecipeError
        for a document that is too long for a recipe that needs to see the whole of it, and
        PatternError if a regex takes too long.
        """
        gathered = self._gatherer.take(text, document_ends)
        if gathered is not None:
            self._submit(gathered)

    def add_text(self, text: str, count: int) -> None:
        """Count a short document as if it occurred that many times."""
        encoded = normalize(text, self._recipe.normalizers).encode("utf-8")
        if encoded:
            data, ends = np.frombuffer(encoded, np.uint8), np.array([len(encoded)], np.int64)
            split, ends = for_scanner(data, ends, self._recipe)
            self._table.count(split, data, ends, count)

    def finish(self) -> WordCounts:
        """End the last document and give out what was counted. Call it once."""
        self._submit(self._gatherer.finish())
        while self._pending:
            self._collect()
        self.close()
        return self._table.finish()

    def close(self) -> None:
        """Give up the threads; what is under way ends first, what waits does not begin."""
        self._given_up.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, documents: Documents) -> None:
        if not documents.text:
            return
        if len(documents.text) < self._block // 16 and not self._pending:
            with watched(check=self._check):
                self._count(documents, self._table)
            return
        while len(self._pending) > self._threads:
            self._collect()
        table = WordTable(self._compiled)
        self._pending.append(self._pool.submit(self._count_watched, documents, table))

    def _collect(self) -> None:
        counted = self._pending.popleft()
        while self._check is not None and not wait([counted], _CHECK_EVERY).done:
            self._check()
        self._table.merge(counted.result())

    def _count_watched(self, documents: Documents, table: WordTable) -> WordTable:
        """On a thread of the pool, where nobody else would hear that it is given up."""

        def check() -> None:
            if self._given_up.is_set():
                raise CountingCancelled

        with watched(check=check):
            return self._count(documents, table)

    def _count(self, documents: Documents, table: WordTable) -> WordTable:
        documents = documents.normalized(self._recipe.normalizers)
        data = np.frombuffer(documents.text, np.uint8)
        split, ends = for_scanner(data, documents.ends, self._recipe)
        table.count(split, data, ends)
        return table


def count_corpus(
    corpus: Corpus,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
    threads: int | None = None,
) -> WordCounts:
    """Read a corpus from its sources and count its words.

    `progress` and `cancelled` are as for `read_into`; the latter is asked also while a regex
    is matched. `threads` count
    beside the one that reads; by default one for each processor, four at most. Raises
    CorpusError for what cannot be read, CountingCancelled if it was given up.
    """
    check = check_of(cancelled)
    counter = WordCounter(recipe, compiled=compiled, threads=threads, check=check)
    files: list[FileStamp] = []
    try:
        read_into(counter, corpus, progress=progress, check=check, note=files.append)
        words = counter.finish()
        # A sample is what this program, or this Python, has by that name.
        words.files = FileStamps.of(files) if corpus.sample is None else None
        return words
    finally:
        counter.close()

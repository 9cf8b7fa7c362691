"""From documents to word counts: what training looks at instead of the text.

The unique words are kept in the order of their first appearance in the corpus, for the
`first-seen` rule for ties speaks of it. The text itself streams by and is not kept.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.character_classes import character_classes
from bpe_gui.bpe.kernels import Kernel, within_kernels
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.split import (
    DROPPED,
    GAP,
    WORD,
    safe_cut_kernel,
    scanner,
    span_end,
    split_words,
)

if TYPE_CHECKING:
    from bpe_gui.bpe.corpus import Corpus

_HASH_MASK = (1 << 31) - 1
_BLOCK = 1 << 20
"""Bytes that are scanned at once: large enough to spread the cost of a call, small
enough that a pause or a stop is answered within some ten milliseconds."""


class Cancelled(Exception):
    """Counting was given up because the caller's `cancelled` said so."""


class WordCounts:
    """Unique words with their counts, in the order of first appearance.

    `text` holds the words one after another as UTF-8 (or, for pieces that are kept
    although the split skips them, single bytes), `starts` has one more entry than there
    are words, `counts` are 64-bit.
    """

    def __init__(
        self, text: NDArray[np.uint8], starts: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> None:
        self.text = text
        self.starts = starts
        self.counts = counts

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
        cls, pairs: Iterable[tuple[str, int]], recipe: Recipe, *, compiled: bool = False
    ) -> WordCounts:
        """Words that were counted elsewhere; each is normalized and split by the recipe.

        A word that is given twice is added up. The counts are positive.
        """
        counter = WordCounter(recipe, compiled=compiled)
        for word, count in pairs:
            counter.add_text(word, count)
        return counter.finish()


@within_kernels
def _hash(text, begin, end):  # type: ignore[no-untyped-def]
    """A 31-bit hash of the bytes, within 63 bits all the way (after FNV-1a)."""
    value = np.int64(0x4F1BBCDC)
    for i in range(begin, end):
        value = ((value ^ np.int64(text[i])) * 0x01000193) & 0x3FFFFFFFFF
    return (value ^ value >> 19) & _HASH_MASK


@within_kernels
def _add(table, text, begin, end, count):  # type: ignore[no-untyped-def]
    """Count a word, found or new. The table has room for it."""
    slots, store, starts, counts, size = table
    length = end - begin
    found = _hash(text, begin, end)
    mask = len(slots) - 1
    slot = found & mask
    while slots[slot] >= 0:
        entry = slots[slot]
        if entry >> 32 == found:
            index = entry & 0xFFFFFFFF
            start = starts[index]
            if starts[index + 1] - start == length:
                i = 0
                while i < length and store[start + i] == text[begin + i]:
                    i += 1
                if i == length:
                    counts[index] += count
                    return
        slot = (slot + 1) & mask
    index = size[0]
    slots[slot] = found << 32 | index
    start = starts[index]
    for i in range(length):
        store[start + i] = text[begin + i]
    starts[index + 1] = start + length
    counts[index] = count
    size[0] = index + 1


@within_kernels
def _has_room(table, words, length):  # type: ignore[no-untyped-def]
    """Whether that many more words, of that many bytes in all, are sure to fit.

    If not, the need is noted in `size` for `WordTable._grow`.
    """
    slots, store, starts, _, size = table
    if (size[0] + words) * 2 <= len(slots) and starts[size[0]] + length <= len(store):
        return True
    size[1] = words
    size[2] = length
    return False


def _count_kernel(split, text, document_ends, begin, classes, count, table):  # type: ignore[no-untyped-def]
    """Count the words of documents from byte `begin` on; returns where room ran out."""
    i = begin
    for end in document_ends:
        while i < end:
            stop, kind = span_end(split, text, i, end, classes)
            if kind == WORD:
                if not _has_room(table, 1, stop - i):
                    return i
                _add(table, text, i, stop, count)
            elif kind == GAP:
                if not _has_room(table, stop - i, stop - i):
                    return i
                for k in range(i, stop):
                    _add(table, text, k, k + 1, count)
            i = stop
    return i


def _merge_kernel(other_text, other_starts, other_counts, begin, table):  # type: ignore[no-untyped-def]
    """Add another table's words from `begin` on, in order; returns where room ran out."""
    for index in range(begin, len(other_counts)):
        start, stop = other_starts[index], other_starts[index + 1]
        if not _has_room(table, 1, stop - start):
            return index
        _add(table, other_text, start, stop, other_counts[index])
    return len(other_counts)


def _rehash_kernel(old, new):  # type: ignore[no-untyped-def]
    """Move the entries of one slot array to a larger one."""
    mask = len(new) - 1
    for entry in old:
        if entry >= 0:
            slot = (entry >> 32) & mask
            while new[slot] >= 0:
                slot = (slot + 1) & mask
            new[slot] = entry


_count = Kernel(_count_kernel)
_merge = Kernel(_merge_kernel)
_rehash = Kernel(_rehash_kernel)


class WordTable:
    """A growing hash table from words to counts that remembers their order.

    Slots hold the hash (31 bits) and the index of a word (32 bits), or -1; at most half
    of them are taken. The word texts stand one after another in one store.
    """

    def __init__(self, compiled: bool) -> None:
        slots = 1 << 14 if compiled else 1 << 8
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
        kernel = _count.form(self._compiled)
        classes = character_classes()
        done = 0
        while True:
            done = kernel(split, text, document_ends, done, classes, count, self._arrays)
            if done == len(text):
                return
            self._grow()

    def merge(self, other: WordTable) -> None:
        """Add the words of another table, as if its text came after this one's."""
        kernel = _merge.form(self._compiled)
        size = int(other._size[0])
        done = 0
        while True:
            done = kernel(other._store, other._starts, other._counts[:size], done, self._arrays)
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
            _rehash.form(self._compiled)(self._slots, slots)
            self._slots = slots
            self._starts = np.resize(self._starts, len(slots) // 2 + 2)
            self._counts = np.resize(self._counts, len(slots) // 2 + 1)


class WordCounter:
    """Counts the words of documents that come in pieces.

    Pieces are gathered to blocks that end where every split begins a new word, and
    counted on several threads, each block into a table of its own; the tables are
    added up in order, so that the order of first appearance is that of the text.
    """

    def __init__(self, recipe: Recipe, *, compiled: bool = True) -> None:
        self._recipe = recipe
        self._compiled = compiled
        self._split = scanner(recipe.split)
        self._table = WordTable(compiled)
        self._rest: list[bytes] = []
        self._rest_size = 0
        self._threads = min(4, os.cpu_count() or 1) if compiled else 1
        self._pool = ThreadPoolExecutor(self._threads, "count-words")
        self._pending: deque[Future[WordTable]] = deque()

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece of the corpus, valid UTF-8.

        `document_ends` are the ascending byte offsets in the piece at which documents
        end; what comes after the last of them goes on in the next piece.
        """
        last = int(document_ends[-1]) if len(document_ends) else 0
        cut = self._cut(text, last) if len(text) - last + self._rest_size >= _BLOCK else 0
        if cut > last:
            document_ends = np.append(document_ends, cut)
        elif len(document_ends):
            cut = last
        else:
            self._rest.append(text)
            self._rest_size += len(text)
            return
        offset = self._rest_size
        self._rest.append(text[:cut] if cut < len(text) else text)
        self._submit(b"".join(self._rest), document_ends + offset)
        self._rest = [text[cut:]]
        self._rest_size = len(text) - cut

    def add_text(self, text: str, count: int) -> None:
        """Count a short document as if it occurred that many times."""
        encoded = normalize(text, self._recipe.normalizers).encode("utf-8")
        if encoded:
            ends = np.array([len(encoded)], np.int64)
            self._table.count(self._split, np.frombuffer(encoded, np.uint8), ends, count)

    def finish(self) -> WordCounts:
        """End the last document and give out what was counted. Call it once."""
        self.feed(b"", np.array([0], np.int64))
        while self._pending:
            self._collect()
        self.close()
        return self._table.finish()

    def close(self) -> None:
        """Give up the threads; what is under way is finished first, what waits is not."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _cut(self, text: bytes, begin: int) -> int:
        """The last place in the piece where every split begins a new word, or 0.

        Earlier pieces that were kept had no such place.
        """
        view = np.frombuffer(text, np.uint8)[begin:]
        found = safe_cut_kernel.form(self._compiled)(self._split, view, character_classes())
        return begin + int(found) if found else 0

    def _submit(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        if not text:
            return
        if len(text) < _BLOCK // 16 and not self._pending:
            self._count(text, document_ends, self._table)
            return
        while len(self._pending) > self._threads:
            self._collect()
        table = WordTable(self._compiled)
        self._pending.append(self._pool.submit(self._count, text, document_ends, table))

    def _collect(self) -> None:
        self._table.merge(self._pending.popleft().result())

    def _count(
        self, text: bytes, document_ends: NDArray[np.int64], table: WordTable
    ) -> WordTable:
        if self._recipe.normalizers:
            text, document_ends = _normalized(text, document_ends, self._recipe.normalizers)
        table.count(self._split, np.frombuffer(text, np.uint8), document_ends)
        return table


def _normalized(
    text: bytes, document_ends: NDArray[np.int64], names: tuple[str, ...]
) -> tuple[bytes, NDArray[np.int64]]:
    """Normalize documents one by one, so that none touches its neighbour."""
    documents = []
    begin = 0
    for end in document_ends.tolist():
        documents.append(normalize(text[begin:end].decode("utf-8"), names).encode("utf-8"))
        begin = end
    return b"".join(documents), np.cumsum([len(document) for document in documents])


def count_corpus(
    corpus: Corpus,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool = True,
) -> WordCounts:
    """Read a corpus from its sources and count its words.

    `progress` is called with the bytes read so far, about once a megabyte; `cancelled`
    is asked as often, and when it says yes Cancelled is raised. Raises CorpusError for
    what cannot be read.
    """
    counter = WordCounter(recipe, compiled=compiled)
    try:
        if corpus.word_counts:
            for index, (word, count) in enumerate(corpus.counted_words()):
                if index % 4096 == 0 and cancelled is not None and cancelled():
                    raise Cancelled
                counter.add_text(word, count)
        else:
            for block in corpus.blocks():
                if cancelled is not None and cancelled():
                    raise Cancelled
                counter.feed(block.text, block.document_ends)
                if progress is not None:
                    progress(block.bytes_read)
        return counter.finish()
    finally:
        counter.close()


def cut_text(
    text: str, recipe: Recipe, *, compiled: bool = True
) -> list[tuple[int, int, int]]:
    """The spans of a short text that is normalized already: (begin, end, kind) in bytes."""
    ends, kinds = split_words(
        np.frombuffer(text.encode("utf-8"), np.uint8), recipe.split, compiled=compiled
    )
    begins = [0, *ends[:-1].tolist()]
    return [
        (begin, end, kind)
        for begin, end, kind in zip(begins, ends.tolist(), kinds.tolist(), strict=True)
        if kind != DROPPED
    ]

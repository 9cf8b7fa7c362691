"""The beginning of a corpus, to find out from it what the whole of it will be like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.text_files import BLOCK_SIZE
from bpe_gui.bpe.words import WordCounter, WordCounts

SLICE = 2 << 20
"""Bytes of text that are looked at, unless somebody asks for another number."""

_ROWS = 50_000
"""Rows that are read of a table of word counts."""


@dataclass(frozen=True)
class CorpusSlice:
    """The first documents of a corpus, the last of them perhaps in part.

    text: UTF-8, documents one after another; `document_ends` are the byte offsets at which
        they end, the last of them the end of the text.
    rows: words with their counts, for a corpus that is a table of these; then there is no text.
    stored: bytes that were read of the sources, as they are stored (compressed, say).
    size: bytes that all sources have, as they are stored.
    whole: whether this is all of the corpus.
    reading: seconds that reading it took.
    """

    text: bytes
    document_ends: NDArray[np.int64]
    stored: int
    size: int
    whole: bool
    rows: tuple[tuple[str, int], ...] = ()
    reading: float = 0.0

    @property
    def times(self) -> float:
        """How many times as large as this the whole corpus is."""
        return 1.0 if self.whole else max(1.0, self.size / max(1, self.stored))

    @property
    def whole_text(self) -> int:
        """Bytes of text that the whole corpus has, about."""
        return round(len(self.text) * self.times)

    def documents(self) -> Iterator[str]:
        """The documents, in order; for a table the words in it."""
        yield from (word for word, _ in self.rows)
        begin = 0
        for end in self.document_ends.tolist():
            yield self.text[begin:end].decode("utf-8")
            begin = end

    def first(self, size: int) -> CorpusSlice:
        """The first part of it, of at most so many bytes of text, or rows in proportion."""
        if self.rows:
            rows = self.rows[: max(1, len(self.rows) * size // SLICE)]
            stored = max(1, self.stored * len(rows) // len(self.rows))
            whole = self.whole and len(rows) == len(self.rows)
            return replace(self, stored=stored, whole=whole, rows=rows)
        if size >= len(self.text):
            return self
        size = _character_begin(self.text, size)
        ends = self.document_ends[self.document_ends < size]
        stored = max(1, self.stored * size // len(self.text))
        return replace(
            self,
            text=self.text[:size],
            document_ends=np.append(ends, size),
            stored=stored,
            whole=False,
            reading=self.reading * size / len(self.text),
        )

    def count(
        self,
        recipe: Recipe,
        *,
        check: Callable[[], None],
        threads: int | None = None,
        compiled: bool | None = None,
    ) -> WordCounts:
        """Count its words, as the words of a corpus are counted.

        `check` is asked again and again and may raise to give it up. Raises as counting does.
        """
        counter = WordCounter(recipe, threads=threads, compiled=compiled, check=check)
        try:
            for number, (word, count) in enumerate(self.rows):
                if number % 1024 == 0:
                    check()
                counter.add_text(word, count)
            begin = 0
            while begin < len(self.text):
                check()
                end = _character_begin(self.text, begin + BLOCK_SIZE)
                ends = self.document_ends
                counter.feed(self.text[begin:end], ends[(ends > begin) & (ends <= end)] - begin)
                begin = end
            return counter.finish()
        finally:
            counter.close()


def read_slice(
    corpus: Corpus, cancelled: Callable[[], bool], size: int = SLICE
) -> CorpusSlice | None:
    """Read the beginning of a corpus; None for one that can be read only once (pipes).

    Raises CorpusError as reading the corpus does, and Cancelled.
    """
    size_of_all = corpus.find_size(lambda: _check(cancelled))
    if size_of_all is None:
        return None
    if corpus.word_counts:
        return _read_rows(corpus, size_of_all, cancelled)
    parts: list[bytes] = []
    ends: list[NDArray[np.int64]] = []
    length, stored, whole = 0, 0, True
    begin = perf_counter()
    blocks = corpus.blocks()
    try:
        for block in blocks:
            _check(cancelled)
            if length >= size:
                whole = False
                break
            parts.append(block.text)
            ends.append(block.document_ends + length)
            length += len(block.text)
            stored = block.bytes_read
    finally:
        blocks.close()
    reading = perf_counter() - begin
    all_ends = np.unique(np.concatenate([*ends, np.array([length], np.int64)]))
    return CorpusSlice(b"".join(parts), all_ends, stored, size_of_all, whole, reading=reading)


def _read_rows(
    corpus: Corpus, size: int, cancelled: Callable[[], bool]
) -> CorpusSlice:
    rows: list[tuple[str, int]] = []
    stored = 0

    def progress(bytes_read: int) -> None:
        nonlocal stored
        stored = bytes_read

    found = corpus.counted_words(progress)
    whole = True
    try:
        for row in found:
            if len(rows) % 1024 == 0:
                _check(cancelled)
            if len(rows) == _ROWS:
                whole = False
                break
            rows.append(row)
    finally:
        found.close()
    none = np.empty(0, np.int64)
    return CorpusSlice(b"", none, stored or size, size, whole, tuple(rows))


def _character_begin(text: bytes, place: int) -> int:
    """The place, or the last before it, at which a character begins; or the end of the text."""
    if place >= len(text):
        return len(text)
    while place and text[place] & 0xC0 == 0x80:
        place -= 1
    return place


def _check(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled

"""The beginning of a corpus, which tells what the whole of it is like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice, pairwise
from time import perf_counter

import numpy as np
from msgspec import Struct

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.words import WordCounts, count_corpus

SIZE = 2 << 20
"""Bytes of text that are read, unless another number is asked for."""

MAX_ROWS = 50_000
"""Rows that are read of a table of word counts."""


class Beginning(Struct, frozen=True):
    """The first documents of a corpus, the last of them perhaps cut.

    texts: documents, each with the count 1, or the words of a table with their counts.
    stored: bytes of the sources that were read for them, as they are stored (compressed, say).
    corpus_size: bytes of all sources, as they are stored.
    is_whole: whether this is all of the corpus; is_table: whether that is a table of word counts.
    seconds: how long reading took.
    """

    texts: tuple[tuple[str, int], ...]
    stored: int
    corpus_size: int
    is_whole: bool
    is_table: bool = False
    seconds: float = 0.0

    @property
    def text_size(self) -> int:
        """Count the bytes of UTF-8 that the texts have together."""
        return sum(len(text.encode("utf-8")) for text, _ in self.texts)

    @property
    def scale(self) -> float:
        """Tell how many times as large as this the whole corpus is."""
        return 1.0 if self.is_whole else max(1.0, self.corpus_size / max(1, self.stored))

    def count(
        self,
        recipe: Recipe,
        *,
        cancelled: Callable[[], bool],
        threads: int | None = None,
        compiled: bool | None = None,
    ) -> WordCounts:
        """Count the words, as `count_corpus` counts those of the whole corpus."""
        if self.is_table:
            rows = _until(cancelled, self.texts)
            return WordCounts.from_pairs(rows, recipe, compiled=compiled)
        return count_corpus(
            Texts(text for text, _ in self.texts),
            recipe,
            cancelled=cancelled,
            compiled=compiled,
            threads=threads,
        )


def read_corpus_beginning(
    corpus: Corpus, cancelled: Callable[[], bool], size: int = SIZE
) -> Beginning | None:
    """Read up to `size` bytes of text; None for a corpus that can be read only once (pipes).

    Raises CorpusError as reading the corpus does, and Cancelled.
    """

    def check() -> None:
        if cancelled():
            raise Cancelled

    corpus_size = corpus.find_size(check)
    if corpus_size is None:
        return None
    check()
    if corpus.word_counts:
        return _read_rows(corpus, corpus_size, cancelled)
    texts: list[bytes] = []
    ends = [np.zeros(1, np.int64)]
    length = stored = 0
    is_whole = True
    began = perf_counter()
    with closing(corpus.blocks(check)) as blocks:
        for block in blocks:
            check()
            text = block.text[: size - length]
            is_whole = len(text) == len(block.text)
            texts.append(text)
            ends.append(np.minimum(block.document_ends, len(text)) + length)
            length += len(text)
            stored += (block.bytes_read - stored) * len(text) // max(1, len(block.text))
            if not is_whole:
                break
    seconds = perf_counter() - began
    joined = b"".join(texts)
    borders = np.unique(np.append(np.concatenate(ends), length)).tolist()
    # Of a character that the size cuts in two nothing is taken.
    documents = (joined[begin:end].decode("utf-8", "ignore") for begin, end in pairwise(borders))
    counted = tuple((document, 1) for document in documents)
    return Beginning(counted, stored, corpus_size, is_whole, seconds=seconds)


def _read_rows(corpus: Corpus, corpus_size: int, cancelled: Callable[[], bool]) -> Beginning:
    """Read the first rows of a table of word counts."""
    stored = 0

    def progress(bytes_read: int) -> None:
        nonlocal stored
        stored = bytes_read

    with closing(corpus.counted_words(progress)) as found:
        rows = tuple(islice(_until(cancelled, found), MAX_ROWS))
        is_whole = next(found, None) is None
    return Beginning(rows, stored or corpus_size, corpus_size, is_whole, is_table=True)


def _until(
    cancelled: Callable[[], bool], rows: Iterator[tuple[str, int]] | tuple[tuple[str, int], ...]
) -> Iterator[tuple[str, int]]:
    """Yield rows, and raise Cancelled between two of them when `cancelled` says yes."""
    for number, row in enumerate(rows):
        if number % 1024 == 0 and cancelled():
            raise Cancelled
        yield row

"""The different pre-tokens of a corpus, counted once for all encodings that split alike.

An encoding cuts a pre-token in the same way wherever it is. So what it does to a corpus follows
from what it does to each different pre-token, of which there are some 70,000 in 20 MB, as long as
no pre-token reaches from one word between white space into the next. `metrics` says what is counted
of words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.tallying import TALLIES, describe_pre_tokens, tally_pre_tokens
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.pre_tokenize import character_classes, for_scanner
from bpe_gui.bpe.recipe import MATCHES, EndOfWord, Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.utf8 import is_first_byte
from bpe_gui.bpe.words import Documents, Gatherer, WordTable, grown

_MOST_KINDS = 1 << 21
_MOST_BYTES = 1 << 25
"""Different pre-tokens, and their bytes, that are held: some 300 MB of memory."""


class NotSeparateError(Exception):
    """Says that the pre-tokens of a corpus do not tell all, or are too many."""


class PreTokenCounts(Struct, frozen=True):
    """The different pre-tokens of some documents, in the order of their first appearance.

    text, starts: their UTF-8, one after another, and where each begins, with one entry more.
    counts: how often each occurs. spaced: how many of them are of a word between spaces. whole: how
        many hold all of such a word that counts.
    tally: the numbers of words, at the places that `kernels.tallying` gives them.
    documents, characters, bytes: how many there are.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    spaced: NDArray[np.int64]
    whole: NDArray[np.int64]
    tally: NDArray[np.int64]
    documents: int
    characters: int
    bytes: int

    def __len__(self) -> int:
        """Count the different pre-tokens."""
        return len(self.counts)


def are_countable(recipe: Recipe) -> bool:
    """Tell whether an encoding cuts the pre-tokens that a recipe splits texts into one by one, in
    the bytes of the text itself, and whether they have all of it but white space.
    """
    return (
        recipe.byte_level
        and not recipe.normalizers
        and recipe.end_of_word is EndOfWord.NONE
        and recipe.split != "none"
        and not recipe.split.startswith(MATCHES)
    )


def count_pre_tokens(
    corpus: Corpus | Texts,
    recipe: Recipe,
    *,
    look: Callable[[Documents], None],
    check: Callable[[], None],
    progress: Callable[[int], object],
) -> PreTokenCounts:
    """Read a corpus and count its pre-tokens.

    `look` is shown the documents as they come, and may raise; `check` is called about once a
    megabyte, and `progress` with the bytes read so far. Raises NotSeparateError as soon as it is
    known or if there are too many, CorpusError, PatternError and RecipeError.
    """
    # The words of a block are counted while the next block is split.
    with ThreadPoolExecutor(1, "count-pre-tokens") as pool:
        counter = _Counter(recipe)
        counting: Future[object] = Future()
        counting.set_result(None)
        for documents in counter.read(corpus, check, progress):
            look(documents)
            block = counter.split(documents, check)
            counting.result()
            counting = pool.submit(counter.count, *block)
        counting.result()
        return counter.result()


class _Counter:
    """Counts pre-tokens and what they are to words; two threads may do one each of both."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._table = WordTable(None)
        self._known = 0
        self._facts = np.zeros(0, np.uint8)
        self._counts, self._spaced, self._whole = (np.zeros(0, np.int64) for _ in range(3))
        self._tally = np.zeros(TALLIES, np.int64)
        self._documents = self._characters = self._bytes = 0

    def read(
        self, corpus: Corpus | Texts, check: Callable[[], None], progress: Callable[[int], object]
    ) -> Iterator[Documents]:
        """Yield the documents of a corpus in blocks that can be split one by one."""
        gatherer = Gatherer(self._recipe)
        with closing(corpus.blocks(check)) as blocks:
            for block in blocks:
                check()
                self._documents += len(block.document_ends)
                gathered = gatherer.take(block.text, block.document_ends)
                if gathered is not None:
                    yield gathered
                progress(block.bytes_read)
        yield gatherer.finish()

    def split(
        self, documents: Documents, check: Callable[[], None]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]:
        """Find the pre-tokens of documents: what `count` takes. Raises NotSeparateError."""
        if len(self._table) > _MOST_KINDS or self._table.text_size > _MOST_BYTES:
            raise NotSeparateError
        data = np.frombuffer(documents.text, np.uint8)
        with timeout(check=check):
            split, ends = for_scanner(data, documents.ends, self._recipe)
        known = len(self._table)
        kinds = self._table.number(split, data, ends, documents.ends)
        return data, kinds, *self._table.words_from(known)

    def count(
        self,
        data: NDArray[np.uint8],
        kinds: NDArray[np.int32],
        new_kinds: NDArray[np.uint8],
        new_ends: NDArray[np.int64],
    ) -> None:
        """Count the pre-tokens of a text by their kinds, as `WordTable.number` gives them.

        `new_kinds` are the bytes of those that came for the first time, which end at `new_ends`.
        Raises NotSeparateError.
        """
        known = self._known
        self._known = size = known + len(new_ends)
        if not is_first_byte(new_kinds[np.append(0, new_ends[:-1])[: len(new_ends)]]).all():
            raise NotSeparateError  # characters are cut
        self._facts = grown(self._facts, size)
        self._counts, self._spaced = grown(self._counts, size), grown(self._spaced, size)
        self._whole = grown(self._whole, size)
        describe_pre_tokens.form(None)(
            new_kinds, new_ends, character_classes(), self._facts[known:size]
        )
        self._bytes += len(data)
        self._characters += int(np.count_nonzero(is_first_byte(data)))
        if not tally_pre_tokens.form(None)(
            kinds, self._facts, self._counts, self._spaced, self._whole, self._tally
        ):
            raise NotSeparateError

    def result(self) -> PreTokenCounts:
        """Return what was counted."""
        text, ends = self._table.words_from(0)
        starts = np.append(0, ends)
        size = len(ends)
        return PreTokenCounts(
            *(text, starts, self._counts[:size], self._spaced[:size], self._whole[:size]),
            *(self._tally, self._documents, self._characters, self._bytes),
        )

"""The tokens that training without the wall would have learnt first.

The same recipe is trained without a split, on the corpus or its beginning, and its tokens are
held against the walls of the split: those that mostly lie across one are what the split keeps
from being learnt.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.crossing import find_crossings
from bpe_gui.bpe.kernels.scanning import WORD
from bpe_gui.bpe.patterns import watched
from bpe_gui.bpe.pieces import Check, check_of, read_into
from bpe_gui.bpe.recipe import EndOfWord, Recipe
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.split import split_words
from bpe_gui.bpe.symbols import symbolize
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounter, WordCounts

if TYPE_CHECKING:
    from bpe_gui.bpe.corpus import Corpus

MOST_BYTES = 2_000_000
"""So much of a corpus is trained on, from its beginning."""
MOST_MERGES = 2_000
"""So many merges are done to find tokens."""
WANTED = 40
"""So many tokens are looked for."""

_CONTEXT = 24
"""Bytes of text that are shown before and after a token."""
_PORTION = 50


@dataclass(frozen=True, slots=True)
class Crossing:
    """A token that at least half of the time lies across a wall.

    step: the merge that made it, counted from 0; pair_count: how frequent its pair was.
    occurrences: how many of it were made; across: how many of them lie across a wall.
    parts: its bytes in the first of those, cut at the walls; what the split drops, or keeps
        without merging it, is cut into single symbols.
    before, after: the text around that one, some whole characters.
    """

    step: int
    pair_count: int
    occurrences: int
    across: int
    parts: tuple[bytes, ...]
    before: bytes
    after: bytes

    @property
    def content(self) -> bytes:
        """The bytes of the token."""
        return b"".join(self.parts)


@dataclass(frozen=True, slots=True)
class Unwalled:
    """What training without the wall has learnt first.

    crossings: the tokens across walls, in the order of their merges; merges: how many merges
        were done to find them.
    bytes_read: how much of the corpus was trained on; whole: whether that is all of it.
    """

    crossings: tuple[Crossing, ...]
    merges: int
    bytes_read: int
    whole: bool


def without_walls(recipe: Recipe) -> Recipe:
    """The recipe without a split. Documents are then words, of which no end is marked."""
    return recipe.with_changes(
        split="none", end_of_word=EndOfWord.NONE, vocabulary_size=None, merges=MOST_MERGES
    )


def learn_unwalled(
    corpus: Corpus,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
    wanted: int = WANTED,
    most_bytes: int = MOST_BYTES,
) -> Unwalled:
    """Train without a split until so many tokens across walls are found, or nothing is left.

    `progress` is called with the merges done so far; `cancelled` is asked as often, also while
    the corpus is read or a regex is matched, and when it says yes CountingCancelled is raised.
    Takes about a second for two megabytes. Raises
    CorpusError for what cannot be read, RecipeError and PatternError as counting words does.
    """
    check = check_of(cancelled)
    beginning = _Beginning(without_walls(recipe), most_bytes, compiled, check)
    words = beginning.read(corpus)
    trainer = Trainer(words, beginning.recipe, compiled=compiled)
    with watched(check=check):
        documents = _Documents(words, trainer.history, recipe, compiled)
    found: list[Crossing] = []
    while not trainer.finished and len(found) < wanted:
        if check is not None:
            check()
        if progress is not None:
            progress(len(trainer.history))
        trainer.advance(_PORTION)
        found += documents.crossings()
    merges = len(trainer.history)
    return Unwalled(tuple(found[:wanted]), merges, beginning.bytes_read, beginning.whole)


class _FullError(Exception):
    """There is as much text as is wanted."""


class _Beginning:
    """Reads the beginning of a corpus as whole documents but for the last."""

    def __init__(
        self, recipe: Recipe, most: int, compiled: bool | None, check: Check | None
    ) -> None:
        self.recipe = recipe
        self.bytes_read = 0
        self.whole = True
        self._most = most
        self._check = check
        self._counter = WordCounter(recipe, compiled=compiled, threads=1, check=check)

    def read(self, corpus: Corpus) -> WordCounts:
        """The documents, each different one once."""
        try:
            read_into(self, corpus, check=self._check)
        except _FullError:
            self.whole = False
        except BaseException:
            self._counter.close()
            raise
        return self._counter.finish()

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece, or as much of it as is wanted yet."""
        cut = min(len(text), self._most - self.bytes_read)
        while 0 < cut < len(text) and text[cut] & 0xC0 == 0x80:
            cut -= 1
        self._counter.feed(text[:cut], document_ends[document_ends <= cut])
        self._take(cut, len(text))

    def add_text(self, text: str, count: int) -> None:
        """Take a row of a table of word counts."""
        self._counter.add_text(text, count)
        self._take(len(text.encode("utf-8")), 0)

    def _take(self, size: int, offered: int) -> None:
        self.bytes_read += size
        if size < offered or self.bytes_read >= self._most:
            raise _FullError


class _Documents:
    """Documents as they are cut by a run without walls, and where the walls would be."""

    def __init__(
        self, words: WordCounts, history: History, walled: Recipe, compiled: bool | None
    ) -> None:
        spelled = symbolize(words, history.recipe, compiled=compiled)
        self._words = words
        self._history = history
        self._compiled = compiled
        self._starts = spelled.starts
        if history.recipe.byte_level:
            self._bytes = np.arange(len(words.text) + 1)
        else:
            begins = np.flatnonzero(words.text & 0xC0 != 0x80)
            self._bytes = np.append(begins, len(words.text))
        self._walls = _walls(words, walled, compiled)[self._bytes[:-1]]
        self._counted = np.cumsum(self._walls, dtype=np.int32)
        self._segmentation = Segmentation(
            history, spelled.symbols, spelled.starts[:-1], compiled=compiled
        )

    def crossings(self) -> list[Crossing]:
        """The tokens across walls of the merges that came since the last call."""
        begin = self._segmentation.length
        self._segmentation.extend()
        size = self._segmentation.length - begin
        occurrences, across = np.zeros(size, np.int64), np.zeros(size, np.int64)
        places = np.full(size, -1, np.int64)
        find_crossings.form(self._compiled)(
            *(self._segmentation.removed, self._counted, self._starts, self._words.counts),
            *(begin, occurrences, across, places),
        )
        rows = np.flatnonzero((across > 0) & (2 * across >= occurrences)).tolist()
        return [
            Crossing(
                begin + row,
                int(self._history.count[begin + row]),
                int(occurrences[row]),
                int(across[row]),
                *self._example(begin + row, int(places[row])),
            )
            for row in rows
        ]

    def _example(self, step: int, place: int) -> tuple[tuple[bytes, ...], bytes, bytes]:
        """The token that a merge made at a border: its parts, and the text around it."""
        stands = self._segmentation.removed > step
        document = int(np.searchsorted(self._starts, place, side="right")) - 1
        begin = int(np.flatnonzero(stands[:place])[-1])
        later = np.flatnonzero(stands[place:])
        end = place + int(later[0]) if len(later) else len(stands)
        cuts = [begin, *(begin + 1 + np.flatnonzero(self._walls[begin + 1 : end])).tolist(), end]
        parts = [self._text(one, other) for one, other in itertools.pairwise(cuts)]
        first, last = int(self._starts[document]), int(self._starts[document + 1])
        before = _whole_end(self._text(max(first, begin - _CONTEXT), begin))
        after = _whole_beginning(self._text(end, min(last, end + _CONTEXT)))
        return tuple(parts), before, after

    def _text(self, begin: int, end: int) -> bytes:
        return self._words.text[self._bytes[begin] : self._bytes[end]].tobytes()


def _walls(words: WordCounts, recipe: Recipe, compiled: bool | None) -> NDArray[np.bool_]:
    """Before which bytes of the documents there is a wall."""
    walls = np.zeros(len(words.text) + 1, np.bool_)
    for document in range(len(words)):
        begin, end = words.starts[document], words.starts[document + 1]
        ends, kinds = split_words(words.text[begin:end], recipe.split, compiled=compiled)
        walls[begin + ends] = True
        # What is in no word is in no token of several symbols either.
        walls[begin:end] |= np.repeat(kinds != WORD, np.diff(ends, prepend=0))
    return walls


def _whole_end(text: bytes) -> bytes:
    """Without the last part of a character at its beginning."""
    while text and text[0] & 0xC0 == 0x80:
        text = text[1:]
    return text


def _whole_beginning(text: bytes) -> bytes:
    """Without the first part of a character at its end."""
    begin = len(text) - 1
    while begin > 0 and text[begin] & 0xC0 == 0x80:
        begin -= 1
    if begin >= 0 and text[begin] >= 0xC0:
        try:
            text[begin:].decode("utf-8")
        except UnicodeDecodeError:
            return text[:begin]
    return text

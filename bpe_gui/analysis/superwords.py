"""The tokens that training without the boundary would have learned first.

The same recipe is trained without a split, on the corpus or its beginning, and its tokens are
held against the boundaries of the split: those that mostly lie across one are what the split keeps
from being learned.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.corpus_beginning import SIZE, read_corpus_beginning
from bpe_gui.analysis.kernels.segmented_corpus import find_superwords
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.scanning import WORD
from bpe_gui.bpe.pre_tokenize import split_words
from bpe_gui.bpe.recipe import EndOfWord, Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.utf8 import bytes_of_characters
from bpe_gui.bpe.words import WordCounts, to_initial_ids

MAX_MERGES = 2_000
"""So many merges are done to find tokens."""
WANTED = 40
"""So many tokens are looked for."""

_CONTEXT = 24
"""Bytes of text that are shown before and after a token."""
_PORTION = 50


class SuperwordToken(Struct, frozen=True):
    """A token that at least half of the time lies across a boundary.

    step: the merge that made it, counted from 0; pair_count: how frequent its pair was.
    occurrences: how many of it were made; across: how many of them lie across a boundary.
    parts: its bytes in the first of those, cut at the boundaries; what the split drops, or keeps
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
        """Return the bytes of the token."""
        return b"".join(self.parts)


class Superwords(Struct, frozen=True):
    """What training without the boundary has learned first.

    tokens: the tokens across boundaries, in the order of their merges; merges: how many merges
        were done to find them.
    bytes_read: how much of the corpus was trained on; whole: whether that is all of it.
    """

    tokens: tuple[SuperwordToken, ...]
    merges: int
    bytes_read: int
    whole: bool


def without_boundaries(recipe: Recipe) -> Recipe:
    """Return the recipe without a split. Documents are then words, of which no end is marked."""
    return recipe.with_changes(
        split="none", end_of_word=EndOfWord.NONE, vocabulary_size=None, merges=MAX_MERGES
    )


def learn_superwords(
    corpus: Corpus,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
    wanted: int = WANTED,
    max_bytes: int = SIZE,
) -> Superwords:
    """Train without a split until `wanted` tokens across boundaries are found, or nothing is left.

    progress: called with the number of merges done so far.
    cancelled: asked as often, and while the corpus is read or a regex is matched.

    Takes about a second for two megabytes. Raises Cancelled, CorpusError for what cannot be read,
    and RecipeError and PatternError as counting words does.
    """

    def check() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled

    beginning = read_corpus_beginning(corpus, cancelled or _never, max_bytes)
    if beginning is None:
        raise CorpusError("a pipe can be read only once; write it to a file, and open that")
    unsplit = without_boundaries(recipe)
    words = beginning.count(
        unsplit, cancelled=cancelled or _never, threads=1, compiled=compiled
    )
    trainer = Trainer(words, unsplit, compiled=compiled)
    with timeout(check=check):
        documents = _Documents(words, trainer.history, recipe, compiled)
    found: list[SuperwordToken] = []
    while not trainer.finished and len(found) < wanted:
        check()
        if progress is not None:
            progress(len(trainer.history))
        trainer.advance(_PORTION)
        found += documents.tokens()
    merges = len(trainer.history)
    return Superwords(tuple(found[:wanted]), merges, beginning.text_size, beginning.is_whole)


def _never() -> bool:
    return False


class _Documents:
    """Documents as they are cut by a run without boundaries, and where the boundaries would be."""

    def __init__(
        self, words: WordCounts, history: History, split: Recipe, compiled: bool | None
    ) -> None:
        spelled = to_initial_ids(words, history.recipe)
        self._words = words
        self._history = history
        self._compiled = compiled
        self._starts = spelled.starts
        if history.recipe.byte_level:
            self._bytes = np.arange(len(words.text) + 1)
        elif history.recipe.keeps_fallback:
            fallback = history.base.fallback_bytes(history.recipe)
            sizes = np.array(
                [
                    1 if token in fallback else len(text.encode())
                    for token, text in enumerate(history.base.texts)
                ]
            )
            self._bytes = np.append(0, np.cumsum(sizes[spelled.symbols]))
        else:
            self._bytes = bytes_of_characters(words.text)
        self._boundaries = _boundaries(words, split, compiled)[self._bytes[:-1]]
        self._counted = np.cumsum(self._boundaries, dtype=np.int32)
        self._segmentation = Segmentation(
            history, spelled.symbols, spelled.starts[:-1], compiled=compiled
        )

    def tokens(self) -> list[SuperwordToken]:
        """Return the tokens across boundaries of the merges that came since the last call."""
        begin = self._segmentation.length
        self._segmentation.extend()
        size = self._segmentation.length - begin
        occurrences, across = np.zeros(size, np.int64), np.zeros(size, np.int64)
        places = np.full(size, -1, np.int64)
        find_superwords.form(self._compiled)(
            *(self._segmentation.merge_step, self._counted, self._starts, self._words.counts),
            *(begin, occurrences, across, places),
        )
        rows = np.flatnonzero((across > 0) & (2 * across >= occurrences)).tolist()
        return [
            SuperwordToken(
                begin + row,
                int(self._history.count[begin + row]),
                int(occurrences[row]),
                int(across[row]),
                *self._example(begin + row, int(places[row])),
            )
            for row in rows
        ]

    def _example(self, step: int, place: int) -> tuple[tuple[bytes, ...], bytes, bytes]:
        """Return the token that a merge made at a border: its parts, and the text around it."""
        stands = self._segmentation.merge_step > step
        document = int(np.searchsorted(self._starts, place, side="right")) - 1
        begin = int(np.flatnonzero(stands[:place])[-1])
        later = np.flatnonzero(stands[place:])
        end = place + int(later[0]) if len(later) else len(stands)
        cuts = [
            begin,
            *(begin + 1 + np.flatnonzero(self._boundaries[begin + 1 : end])).tolist(),
            end,
        ]
        parts = [self._text(one, other) for one, other in itertools.pairwise(cuts)]
        first, last = int(self._starts[document]), int(self._starts[document + 1])
        before = _whole_end(self._text(max(first, begin - _CONTEXT), begin))
        after = _whole_beginning(self._text(end, min(last, end + _CONTEXT)))
        return tuple(parts), before, after

    def _text(self, begin: int, end: int) -> bytes:
        return self._words.text[self._bytes[begin] : self._bytes[end]].tobytes()


def _boundaries(words: WordCounts, recipe: Recipe, compiled: bool | None) -> NDArray[np.bool_]:
    """Find before which bytes of the documents there is a boundary."""
    boundaries = np.zeros(len(words.text) + 1, np.bool_)
    for document in range(len(words)):
        begin, end = words.starts[document], words.starts[document + 1]
        ends, kinds = split_words(words.text[begin:end], recipe.split, compiled=compiled)
        boundaries[begin + ends] = True
        # What is in no word is in no token of several symbols either.
        boundaries[begin:end] |= np.repeat(kinds != WORD, np.diff(ends, prepend=0))
    return boundaries


def _whole_end(text: bytes) -> bytes:
    """Drop the last part of a character at the beginning."""
    while text and text[0] & 0xC0 == 0x80:
        text = text[1:]
    return text


def _whole_beginning(text: bytes) -> bytes:
    """Drop the first part of a character at the end."""
    begin = len(text) - 1
    while begin > 0 and text[begin] & 0xC0 == 0x80:
        begin -= 1
    if begin >= 0 and text[begin] >= 0xC0:
        try:
            text[begin:].decode("utf-8")
        except UnicodeDecodeError:
            return text[:begin]
    return text

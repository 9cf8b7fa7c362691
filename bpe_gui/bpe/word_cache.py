"""Encoding with a memory: what a word is cut into is found out once.

Most of a text is words that came before. Each word is looked up by its bytes; those that
are new are spelled and segmented together, and all are then laid out in the order of the
text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.scanning import WORD
from bpe_gui.bpe.kernels.segmenting import lay_out
from bpe_gui.bpe.segmentation import MergeTable, Segmentation
from bpe_gui.bpe.spelling import Speller
from bpe_gui.bpe.split import for_scanner
from bpe_gui.bpe.words import WordTable

_WORDS_AT_ONCE = 1 << 18
_MOST_WORDS = 1 << 19
_MOST_BYTES = 1 << 25
"""Beyond these the words met are forgotten, so that memory is bounded."""


@dataclass(frozen=True, slots=True)
class CutBytes:
    """UTF-8 cut into tokens: columns of equal length, in text order.

    `ids` are NO_TOKEN for symbols outside the alphabet, `starts` and `ends` bytes.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def joined(cls, parts: list[CutBytes]) -> CutBytes:
        """Parts one after another; their offsets are taken as they are."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))
        return cls(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
        )


class WordCache:
    """Cuts normalized text without special tokens with the merges before a position."""

    def __init__(
        self, history: History, position: int, *, compiled: bool | None = None
    ) -> None:
        self._history = history
        self._position = position
        self._compiled = compiled
        self._speller = Speller(history.recipe, history.base)
        self._merges = MergeTable(compiled)
        self._forget()

    def cut(self, data: NDArray[np.uint8], document_ends: NDArray[np.int64]) -> CutBytes:
        """Cut documents that stand one after another, the last of them ending with `data`.

        Raises PatternError if the recipe's regex takes too long.
        """
        split, document_ends = for_scanner(data, document_ends, self._history.recipe)
        parts = []
        words = np.empty(min(len(data), _WORDS_AT_ONCE), np.int32)
        places = np.empty(len(words), np.int64)
        done = 0
        while done < len(data):
            if len(self._table) > _MOST_WORDS or self._table.text_size > _MOST_BYTES:
                self._forget()
            done, found = self._table.find(split, data, document_ends, done, words, places)
            self._learn()
            if found:
                parts.append(self._laid_out(words[:found], places[:found]))
        return CutBytes.joined(parts)

    def _forget(self) -> None:
        self._table = WordTable(self._compiled)
        self._first_tokens = np.zeros(1, np.int64)
        self._tokens = CutBytes.joined([])

    def _learn(self) -> None:
        """Cut the words that were met for the first time."""
        known = len(self._first_tokens) - 1
        if known == len(self._table):
            return
        data, ends = self._table.words_from(known)
        begins = np.append(0, ends[:-1])
        # What is skipped is spelled as words are: a recipe that marks their ends skips nothing.
        spelled = self._speller.spell_spans(data, ends, np.full(len(ends), WORD, np.uint8))
        segmentation = Segmentation(
            self._history,
            spelled.ids,
            spelled.word_starts,
            table=self._merges,
            compiled=self._compiled,
        )
        first, ids = segmentation.tokens(self._position)
        last = np.append(first[1:], len(spelled.ids)) - 1
        counts = np.diff(np.append(np.searchsorted(first, spelled.word_starts), len(first)))
        offsets = np.repeat(begins, counts)
        learned = CutBytes(ids, spelled.starts[first] - offsets, spelled.ends[last] - offsets)
        self._first_tokens = np.append(
            self._first_tokens, self._first_tokens[-1] + np.cumsum(counts)
        )
        self._tokens = CutBytes.joined([self._tokens, learned])

    def _laid_out(self, words: NDArray[np.int32], places: NDArray[np.int64]) -> CutBytes:
        """The tokens of words that begin at places."""
        size = int(np.diff(self._first_tokens)[words].sum())
        cut = CutBytes(np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int64))
        tokens = self._tokens
        lay_out.form(self._compiled)(
            words,
            places,
            self._first_tokens,
            tokens.ids,
            tokens.starts,
            tokens.ends,
            cut.ids,
            cut.starts,
            cut.ends,
        )
        return cut

"""Segment symbols into tokens at every position of a history.

The symbols are encoded once, with all merges; what is kept is the step at which each
border between two symbols vanished. Any position is then a matter of a few array
operations: a border is at position p if it vanishes at step p or later.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.segmenting import NEVER, learn, segment

_SLICE = 1 << 19
"""Symbols that are cut without a look at whether the cutting is cancelled: some 0.1 seconds."""


class MergeTable:
    """Looks up which step merged a pair; grows with its history."""

    def __init__(self, compiled: bool | None) -> None:
        self._compiled = compiled
        self._size = 0
        self.keys = np.full(1 << 10, -1, np.int64)
        self.steps = np.zeros(1 << 10, np.int32)

    def learn(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> None:
        """Take in the merges that came since the last call."""
        if len(left) <= self._size:
            return
        if 2 * len(left) > len(self.keys):
            slots = 1 << (2 * len(left)).bit_length()
            self.keys = np.full(slots, -1, np.int64)
            self.steps = np.zeros(slots, np.int32)
            self._size = 0
        learn.form(self._compiled)(left, right, self._size, self.keys, self.steps)
        self._size = len(left)


class Segmentation:
    """Words of symbols, cut at every position of a history.

    symbols: ids from the base vocabulary, words one after another.
    word_starts: the index of each word's first symbol, ascending, the first of them 0.
    merge_step: for each symbol the step that removed the border before it, NEVER if none did
        yet. What it says of the first symbol of a word is always NEVER.

    `table` is one that other segmentations of the same history have learned from. Soon after
    `cancelled` has come true, Cancelled is raised, here or in `extend`, and what was begun is of
    no use any more.
    """

    def __init__(
        self,
        history: History,
        symbols: NDArray[np.int32],
        word_starts: NDArray[np.int64],
        *,
        table: MergeTable | None = None,
        compiled: bool | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        size = len(symbols)
        self.history = history
        self.symbols = symbols
        self.word_starts = word_starts
        self.merge_step = np.full(size, NEVER, np.int32)
        self._compiled = compiled
        self._cancelled = cancelled
        self._ids = symbols.copy()
        self._following = np.arange(1, size + 1, dtype=np.int32)
        self._previous = np.arange(-1, size - 1, dtype=np.int32)
        if size:
            self._following[np.append(word_starts[1:], size) - 1] = -1
            self._previous[word_starts] = -1
        self._ranks = np.empty(size, np.int32)
        longest = int(np.diff(np.append(word_starts, size)).max()) if size else 0
        self._heap = np.empty(2 * longest + 2, np.int64)
        self._table = table or MergeTable(compiled)
        self.length = 0
        self.extend()

    def extend(self) -> None:
        """Take in the merges that the history has had since; `length` tells how many there are."""
        left, right = self.history.left, self.history.right
        length = min(len(left), len(right))
        if length == self.length:
            return
        self._table.learn(left[:length], right[:length])
        kernel, progress = segment.form(self._compiled), np.zeros(3, np.int64)
        while progress[0] < len(self.word_starts):
            if self._cancelled is not None and self._cancelled():
                raise Cancelled
            kernel(
                self.word_starts,
                self._ids,
                self._following,
                self._previous,
                self.merge_step,
                self._ranks,
                self._table.keys,
                self._table.steps,
                self.history.new_id,
                self._heap,
                progress,
                _SLICE,
            )
        self.length = length

    def tokens(self, position: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the index of each token's first symbol, and the tokens' ids, at a position.

        Raises IndexError if the position is beyond the merges taken in.

        >>> from bpe_gui.bpe.history import BaseVocabulary
        >>> from bpe_gui.bpe.recipe import preset
        >>> base = BaseVocabulary.of(preset("raw"), "low")
        >>> history = History.from_merges(preset("raw"), base, [(0, 1, 3)])
        >>> words = Segmentation(history, np.array([0, 1, 2], np.int32), np.array([0]))
        >>> words.tokens(1)  # "lo" and "w"
        (array([0, 2]), array([3, 2], dtype=int32))
        """
        return self._tokens(position, self.symbols, self.merge_step)

    def tokens_among(
        self, position: int, places: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Do as `tokens`, of some words only.

        `places` are the indexes of all their symbols; what is returned indexes `places`.
        """
        return self._tokens(position, self.symbols[places], self.merge_step[places])

    def _tokens(
        self, position: int, symbols: NDArray[np.int32], merge_step: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        if not 0 <= position <= self.length:
            raise IndexError(f"position {position} is outside 0..{self.length}")
        borders = merge_step >= position
        first = np.flatnonzero(borders)
        if not len(first):
            return first, np.empty(0, np.int32)
        # The last merge within a token is the one that made it.
        last_merge = np.maximum.reduceat(np.where(borders, -1, merge_step), first)
        ids = symbols[first]
        merged = last_merge >= 0
        ids[merged] = self.history.new_id[last_merge[merged]]
        return first, ids

"""What is known about every token of a history, as columns that grow with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.token_lengths import NOT_KNOWN, add_lengths

FROM_THE_START = -1
"""Stands for the merge of a token that no merge made."""

BEGINNING = 64
"""How many of its first bytes are known of every token, which may be as long as the corpus."""

_LONGEST = np.iinfo(np.int32).max


class TokenColumns:
    """One row per vocabulary entry, indexed by token id.

    A row never changes: a token belongs to the first merge that made it, and one that was
    there from the start belongs to none. `grow` takes in the merges that came since, in
    time that depends on their number alone.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._merges = 0
        self._base = len(history.base)
        self._size = self._base
        self._steps = np.full(self._base, FROM_THE_START, np.int64)
        sizes = [len(history.bytes_in_text(token)) for token in range(self._base)]
        self._lengths = np.array(sizes, np.int32)
        self._beginnings: list[bytes] = []

    def __len__(self) -> int:
        """Count the tokens known so far."""
        return self._size

    @property
    def history(self) -> History:
        """Return the history that the columns are taken from."""
        return self._history

    @property
    def steps(self) -> NDArray[np.int64]:
        """Return the merge that made each token, `FROM_THE_START` for none."""
        return self._steps[: self._size]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Count the bytes of the text in each token, none for the end-of-word marker.

        Found out when asked for: few views want it.
        """
        known = len(self._lengths)
        if known < self._size:
            steps = self._steps[known : self._size]
            self._lengths = np.resize(self._lengths, self._size)
            self._lengths[known:] = NOT_KNOWN
            left, right = self._history.left[steps], self._history.right[steps]
            made = np.arange(known, self._size, dtype=np.int32)
            add_lengths.form(None)(left, right, made, self._lengths, 0, len(made), _LONGEST)
        return self._lengths

    @property
    def beginnings(self) -> list[bytes]:
        """Return the first bytes of each token, `BEGINNING` at most.

        Found out when asked for, as the lengths are, and for all tokens in one pass: to ask the
        history for one after the other takes six times as long.
        """
        known, history = self._beginnings, self._history
        if not known:
            known += (history.beginning(token, BEGINNING) for token in range(self._base))
        steps = self._steps[len(known) : self._size]
        pairs = zip(history.left[steps].tolist(), history.right[steps].tolist(), strict=True)
        for left, right in pairs:
            known.append((known[left] + known[right])[:BEGINNING])
        return known

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return how often each token's pair occurred when merged, 0 for one from the start."""
        counts = np.zeros(self._size, np.int64)
        counts[self._base :] = self._history.count[self.steps[self._base :]]
        return counts

    def size_at(self, position: int) -> int:
        """Count the tokens that exist at a position. The columns must have grown up to it."""
        return self._base + int(np.searchsorted(self.steps[self._base :], position))

    def grow(self) -> None:
        """Take in the merges that came since the last call."""
        merges = len(self._history)
        if merges == self._merges:
            return
        made = self._history.new_id[self._merges : merges]
        # A merge may make a token that exists already; only a new highest id is a new token.
        highest = np.maximum.accumulate(np.concatenate([[self._size - 1], made]))
        steps = np.flatnonzero(np.diff(highest)) + self._merges
        self._merges = merges
        self._append(steps)

    def _append(self, steps: NDArray[np.int64]) -> None:
        start, stop = self._size, self._size + len(steps)
        if stop > len(self._steps):
            room = max(stop, len(self._steps) * 3 // 2)
            self._steps = np.resize(self._steps, room)
        self._steps[start:stop] = steps
        self._size = stop

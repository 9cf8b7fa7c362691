"""Which tokens of a history end a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import EndOfWord


class WordEnds:
    """Tells for many tokens at once whether they end with the end-of-word marker."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: NDArray[np.bool_] = np.empty(0, bool)

    def of(self, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether each of these tokens ends a word; unknown tokens (NO_TOKEN) do not."""
        history = self._history
        if history.recipe.end_of_word is EndOfWord.NONE or not len(ids):
            return np.zeros(len(ids), bool)
        known, size = len(self._known), int(ids.max()) + 1
        if size > known:
            new = np.fromiter((history.ends_word(token) for token in range(known, size)), bool)
            self._known = np.concatenate((self._known, new))
        found = np.zeros(len(ids), bool)
        inside = ids != NO_TOKEN
        found[inside] = self._known[ids[inside]]
        return found

"""Which way text runs, paragraph by paragraph."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.tokens.code_points import CodePointTable

_OTHER, _TO_THE_RIGHT, _TO_THE_LEFT, _TURNS = range(4)


def _direction(code: int) -> int:
    bidirectional = unicodedata.bidirectional(chr(code))
    if bidirectional == "L":
        return _TO_THE_RIGHT
    if bidirectional in ("R", "AL"):
        return _TO_THE_LEFT
    # Arabic digits turn what is between them, and these controls what comes after.
    return _TURNS if bidirectional in ("AN", "RLE", "RLO", "RLI") else _OTHER


_directions = CodePointTable(_direction)


class Directions:
    """The directions of a text; `newlines` are the places where its paragraphs end."""

    def __init__(self, codes: NDArray[np.uint32], newlines: NDArray[np.int64]) -> None:
        self._found = _directions(codes)
        self._leftward = np.flatnonzero(self._found >= _TO_THE_LEFT)
        self._newlines: list[int] = []
        self._letters: NDArray[np.int64] = np.empty(0, np.int64)
        if len(self._leftward):
            self._newlines = newlines.tolist()
            letters = (self._found == _TO_THE_RIGHT) | (self._found == _TO_THE_LEFT)
            self._letters = np.flatnonzero(letters)

    def turns(self, first: int, last: int) -> bool:
        """Whether any of these characters could run, or make others run, to the left."""
        place = int(np.searchsorted(self._leftward, first))
        return place < len(self._leftward) and bool(self._leftward[place] < last)

    def is_backwards(self, character: int) -> bool:
        """Whether the paragraph of a character runs to the left: its first letter decides."""
        if not len(self._leftward):
            return False
        paragraph = bisect_left(self._newlines, character)
        begin = self._newlines[paragraph - 1] + 1 if paragraph else 0
        end = self._newlines[paragraph] if paragraph < len(self._newlines) else len(self._found)
        place = int(np.searchsorted(self._letters, begin))
        if place == len(self._letters) or self._letters[place] >= end:
            return False
        return bool(self._found[self._letters[place]] == _TO_THE_LEFT)

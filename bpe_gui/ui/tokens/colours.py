"""Which of the theme's colours each token gets.

The colour belongs to the place where a token starts. While tokens grow, boundaries only
vanish, so every token keeps its colour and a merge recolours nothing but its own right
half. Where two tokens of one colour become neighbours, the right one takes another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.theme import DARK

_NONE = -1
_COUNT = len(DARK.tokens)
"""Colours that every theme has."""


class TokenColours:
    """Remembers the colour of every place of a text, as an index below `count`.

    Neighbours never get the same index. After an edit what stands before and after it
    keeps its colours.
    """

    def __init__(self, count: int = _COUNT) -> None:
        self._count = count
        self._data = b""
        self._at: NDArray[np.int8] = np.full(1, _NONE, np.int8)

    def edit(self, data: bytes) -> None:
        """Take in a text, as UTF-8; nothing happens if it is the same."""
        if data is self._data:
            return
        before, after = unchanged(self._data, data)
        moved = np.full(len(data) + 1, _NONE, np.int8)
        moved[:before] = self._at[:before]
        if after:
            moved[len(data) - after : -1] = self._at[len(self._data) - after : -1]
        self._data, self._at = data, moved

    def assign(self, starts: NDArray[np.int64]) -> NDArray[np.int8]:
        """The colours of tokens that start at these bytes, in ascending order."""
        if not len(starts):
            return np.empty(0, np.int8)
        colours = self._at[starts]
        again = np.zeros(len(starts), bool)
        again[1:] = starts[1:] == starts[:-1]
        fresh = np.flatnonzero((colours == _NONE) | again)
        colours[fresh] = fresh % self._count
        separate(colours, self._count)
        self._at[starts[~again]] = colours[~again]
        return colours


def separate(colours: NDArray[np.int8], count: int = _COUNT) -> None:
    """Recolour, from left to right, each token that looks like the one before it."""
    for place in (np.flatnonzero(colours[1:] == colours[:-1]) + 1).tolist():
        left = int(colours[place - 1])
        if colours[place] != left:
            continue
        right = int(colours[place + 1]) if place + 1 < len(colours) else left
        colour = (left + 1 + place % (count - 1)) % count
        while colour in (left, right):
            colour = (colour + 1) % count
        colours[place] = colour


def unchanged(old: bytes, new: bytes) -> tuple[int, int]:
    """How many bytes two texts have in common at the start and, beyond that, at the end.

    >>> unchanged(b"low", b"lower")
    (3, 0)
    >>> unchanged(b"lower", b"slower")
    (0, 5)
    """
    shorter = min(len(old), len(new))
    left = np.frombuffer(old, np.uint8)
    right = np.frombuffer(new, np.uint8)
    different = np.flatnonzero(left[:shorter] != right[:shorter])
    before = int(different[0]) if len(different) else shorter
    rest = shorter - before
    different = np.flatnonzero(left[len(old) - rest :][::-1] != right[len(new) - rest :][::-1])
    after = int(different[0]) if len(different) else rest
    return before, after

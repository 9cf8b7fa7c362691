"""Which of the theme's colours each token gets.

The colour belongs to the place where a token starts. While tokens grow, boundaries only
vanish, so every token keeps its colour and a merge recolours nothing but its own right
half, and where two tokens of one colour become neighbours, one of them.

Colours are a function of the text and its tokens: they do not depend on the way of the cursor,
so a replayed run looks as it did before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS


class TokenColours:
    """Knows the colour of every place of a text, as an index of a palette.

    Neighbours never get the same index. After an edit, the text before and after it keeps its
    colours.
    """

    def __init__(self) -> None:
        self._data = b""
        self._at = _colours_of(b"")

    def edit(self, data: bytes) -> None:
        """Take in a text, as UTF-8; nothing happens if it is the same."""
        if data is self._data:
            return
        before, after = unchanged(self._data, data)
        moved = _colours_of(data)
        moved[:before] = self._at[:before]
        if after:
            moved[len(data) - after : -1] = self._at[len(self._data) - after : -1]
        self._data, self._at = data, moved

    def assign(self, starts: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the colours of tokens that start at these bytes, in ascending order."""
        return separated(self._at[starts], starts)


def colours_of(text: str, starts: NDArray[np.int64]) -> NDArray[np.int8]:
    """Return the colours of the tokens of an unedited text; they start at these bytes.

    Raises UnicodeEncodeError for unpaired surrogates.

    >>> colours_of("lower", np.array([0, 3])).tolist()
    [0, 3]
    """
    colours = TokenColours()
    colours.edit(text.encode("utf-8"))
    return colours.assign(starts)


def separated(colours: NDArray[np.int8], starts: NDArray[np.int64]) -> NDArray[np.int8]:
    """Colours of tokens, but others for those that look like the one before them.

    `starts` are where the tokens start. Of a row of one colour every second token gets
    another, which the first one after the row does not have either. So a new colour depends on
    its row alone.

    >>> separated(np.array([2, 5, 5, 5, 5, 1], np.int8), np.arange(6)).tolist()
    [2, 5, 2, 5, 2, 1]
    """
    if not len(colours):
        return colours
    new_row = np.concatenate([[True], colours[1:] != colours[:-1]])
    firsts = np.flatnonzero(new_row)
    if len(firsts) == len(colours):
        return colours
    row = np.cumsum(new_row) - 1
    own = colours[firsts].astype(np.int64)
    behind = np.concatenate([own[1:], own[-1:]])
    other = (own + 1 + starts[firsts] % (TOKEN_COLOURS - 1)) % TOKEN_COLOURS
    for _ in range(2):
        taken = (other == own) | (other == behind)
        other[taken] = (other[taken] + 1) % TOKEN_COLOURS
    second = (np.arange(len(colours)) - firsts[row]) % 2 == 1
    return np.where(second, other[row], colours).astype(np.int8)


def _colours_of(data: bytes) -> NDArray[np.int8]:
    """Return a colour for each byte of a text, and for its end: the next one for each character."""
    values = np.frombuffer(data, np.uint8)
    places = np.arange(len(data) + 1)
    begins = np.append((values & 0xC0) != 0x80, True)
    character = np.cumsum(begins) - 1
    within = places - np.maximum.accumulate(np.where(begins, places, 0))
    # Further bytes of a character look neither like each other nor like the next one.
    return ((character + 2 * within) % TOKEN_COLOURS).astype(np.int8)


def unchanged(old: bytes, new: bytes) -> tuple[int, int]:
    """Count the bytes that two texts have in common at the start and, beyond that, at the end.

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

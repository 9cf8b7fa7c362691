"""The fills of tokens: by the place where each begins, or by what the viewer wants to see."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.token_colours import token_colours
from bpe_gui.analysis.token_life import is_counted
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.run.corpus_queries import TokenFrequencies, frequency_scale
from bpe_gui.ui.theme.token_palettes import (
    FIRST_OF_SCALE,
    FIRST_OF_TOKENS,
    TOKEN_COLOURS,
    ColourBy,
)


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


_UNKNOWN = -1
_LENGTHS = (2, 3, 4, 6, 9)
"""The least bytes of the second and the later steps of the scale of lengths."""
LEGENDS = {
    ColourBy.AGE: ("from the start", "merge 1–10", "–100", "–1,000", "–10,000", "later"),
    ColourBy.LENGTH: ("1 byte", "2", "3", "4–5", "6–8", "9 or more"),
}
"""The meaning of the steps of the scales that are the same for all runs, the least first."""


def legend(by: ColourBy, history: History | None) -> tuple[str, ...]:
    """Return the meaning of the steps of a scale for a run, the least first; empty for none."""
    if by is not ColourBy.FREQUENCY or history is None or not is_counted(history):
        return LEGENDS.get(by, ())
    least = frequency_scale(history)
    ranges = pairwise((0, *least))
    steps = (f"{a:,}–{b - 1:,}" if a < b - 1 else f"{a:,}" for a, b in ranges)
    return (*steps, f"{least[-1]:,} times or more")


class TokenColouring:
    """Finds the fills of the tokens of a run, which are the same in every panel.

    Only those by frequency depend on the position; playing recolours nothing else.
    """

    def __init__(self, history: History, frequencies: TokenFrequencies | None = None) -> None:
        """Without `frequencies`, tokens coloured by frequency only alternate."""
        self._history = history
        self._frequencies = frequencies
        self._found: dict[ColourBy, NDArray[np.int8]] = {}

    def fills(self, ids: NDArray[np.int32], by: ColourBy) -> NDArray[np.int64] | None:
        """Return the fill of each of some tokens; None if it depends on where they are.

        Unknown tokens (NO_TOKEN) have the first.
        """
        if by is ColourBy.PLACE:
            return None
        if by is ColourBy.TOKEN:
            return FIRST_OF_TOKENS + token_colours(self._history, np.maximum(ids, 0))
        if by is ColourBy.FREQUENCY:
            return self._frequent(ids)
        find = _age if by is ColourBy.AGE else _length
        return FIRST_OF_SCALE + self._steps(ids, by, find)

    def fill(self, token: int, by: ColourBy) -> int | None:
        """Return the fill of one token, as `fills`."""
        found = self.fills(np.array([token], np.int32), by)
        return None if found is None else int(found[0])

    def _frequent(self, ids: NDArray[np.int32]) -> NDArray[np.int64] | None:
        """Return fills by frequency; tokens that are yet to be made have the first."""
        known = self._frequencies.steps(self._history) if self._frequencies is not None else None
        if known is None:
            return None
        made = (ids >= 0) & (ids < len(known))
        return FIRST_OF_SCALE + np.where(made, known[np.where(made, ids, 0)], 0).astype(np.int64)

    def _steps(
        self, ids: NDArray[np.int32], by: ColourBy, find: Callable[[History, int], int]
    ) -> NDArray[np.int64]:
        known = self._found.get(by, np.empty(0, np.int8))
        size = int(ids.max(initial=0)) + 1
        if size > len(known):
            more = np.full(max(size, 2 * len(known)) - len(known), _UNKNOWN, np.int8)
            known = self._found[by] = np.concatenate((known, more))
        ids = np.maximum(ids, 0)
        for token in np.unique(ids[known[ids] == _UNKNOWN]).tolist():
            known[token] = find(self._history, token)
        return known[ids].astype(np.int64)


def _age(history: History, token: int) -> int:
    """Return 0 for a token from the start, then one more for every further digit of its merge."""
    step = history.step(token)
    return 0 if step < 0 else min(len(str(step)), len(LEGENDS[ColourBy.AGE]) - 1)


def _length(history: History, token: int) -> int:
    return int(np.searchsorted(_LENGTHS, len(history.bytes_in_text(token)), "right"))


def fill_of(colouring: TokenColouring | None, token: int, by: ColourBy, place: int) -> int:
    """Return the fill of a token; `place` is that of a token that is told apart by its place."""
    if colouring is None or token == NO_TOKEN:
        return place
    found = colouring.fill(token, by)
    return place if found is None else found

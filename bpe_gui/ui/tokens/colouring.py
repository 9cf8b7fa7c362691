"""The fills of tokens, by what the viewer has chosen to see in them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.token_life import is_counted
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.run.token_frequencies import TokenFrequencies, frequency_scale
from bpe_gui.ui.theme.token_palettes import FIRST_OF_SCALE, FIRST_OF_TOKENS, OF_TOKENS, ColourBy

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
        """Without `frequencies`, tokens that are coloured by them are told apart by their places.
        """
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
            return FIRST_OF_TOKENS + np.maximum(ids, 0).astype(np.int64) % OF_TOKENS
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

"""One text at every position of a run: its symbols, and the merge that removed each boundary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.segmenting import NEVER

_LONGEST_CHARACTER = 4
"""Bytes of a character in UTF-8."""


class TextSymbols(Struct, frozen=True, eq=False):
    """The symbols of a text, as columns of equal length in the order of the text.

    ids: their token ids, NO_TOKEN for what is not in the alphabet.
    starts, ends: the bytes of the text that each comes from; what lies between two is dropped.
    begins_word: whether a word begins with it: no merge removes the boundary before it.
    merge_step: the merge that removed the boundary before it, NEVER if none has so far.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    begins_word: NDArray[np.bool_]
    merge_step: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def token_starts(self, position: int) -> NDArray[np.int64]:
        """Return the first symbol of every token at a position."""
        return np.flatnonzero(self.merge_step >= position)

    def in_time(self) -> NDArray[np.int64]:
        """Return the boundaries that merges have removed, in the order in which they did.

        A boundary is known by the symbol after it. Those of one merge come in text order.
        """
        removed = np.flatnonzero(self.merge_step != NEVER)
        return removed[np.argsort(self.merge_step[removed], kind="stable")]


class Glyph(NamedTuple):
    """What is written above some symbols: one, or the bytes that a character consists of."""

    first: int
    last: int
    """The symbols from `first` up to, without, `last`."""
    text: str


def glyphs(symbols: TextSymbols, history: History, data: bytes) -> list[Glyph]:
    """Write the symbols of a text so that nothing is hidden, each character once.

    `data` is the text in UTF-8. Bytes that make up a character share its glyph; others are in hex.
    """
    contents = [
        data[start:end] if token == NO_TOKEN else history.token_bytes(token)
        for token, start, end in zip(
            symbols.ids.tolist(), symbols.starts.tolist(), symbols.ends.tolist(), strict=True
        )
    ]
    found = []
    first = 0
    while first < len(contents):
        last = first + _symbols_in_character(contents, first)
        found.append(Glyph(first, last, visible(b"".join(contents[first:last]))))
        first = last
    return found


def _symbols_in_character(contents: list[bytes], first: int) -> int:
    """Tell how many single bytes from a symbol on make up a character; else 1."""
    lead = contents[first]
    if len(lead) != 1 or lead < b"\xc0":
        return 1
    for size in range(2, _LONGEST_CHARACTER + 1):
        part = contents[first : first + size]
        if any(len(content) != 1 for content in part):
            return 1
        try:
            b"".join(part).decode("utf-8")
        except UnicodeDecodeError:
            continue
        return size
    return 1


def log_spaced(end: int, count: int) -> list[int]:
    """Return at most `count` positions from 0 to `end`, evenly spaced on a logarithmic axis.

    >>> log_spaced(8000, 8)
    [0, 1, 4, 20, 89, 400, 1789, 8000]
    >>> log_spaced(3, 8)
    [0, 1, 2, 3]
    """
    if end < count:
        return list(range(end + 1))
    spaced = np.rint(np.geomspace(1, end, count - 1)).astype(np.int64)
    return [0, *sorted(set(spaced.tolist()))]

"""What is drawn of a text and a run, and what of it is pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.space_time import Glyph, TextSymbols
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

NO_STRIP = -1


class Place(NamedTuple):
    """A boundary, by the symbol after it, or a token by its first symbol.

    strip: the row that the token is in, an index of positions; NO_STRIP for a boundary.
    """

    symbol: int
    strip: int

    @property
    def is_token(self) -> bool:
        """Whether it is a token."""
        return self.strip != NO_STRIP


@dataclass(frozen=True, eq=False)
class Picture:
    """A text, its symbols, and its tokens at some positions of a run, the last of them its end.

    data: the text in UTF-8.
    """

    history: History
    data: bytes
    symbols: TextSymbols
    glyphs: list[Glyph]
    positions: Sequence[int]
    cuts: Sequence[TokenizedText]

    def step(self, symbol: int) -> int | None:
        """Return the merge that removed the boundary before a symbol; None if none did."""
        step = int(self.symbols.merge_step[symbol])
        return None if step == NEVER else step

    def firsts(self, strip: int) -> NDArray[np.int64]:
        """Return the first symbol of every token of a row."""
        return self.symbols.token_starts(self.positions[strip])

    def token_at(self, symbol: int, strip: int) -> int:
        """Return the token of a row that a symbol is in, counted from the first of the text."""
        return int(np.searchsorted(self.firsts(strip), symbol, side="right")) - 1

    def beside(self, symbol: int) -> tuple[Glyph, Glyph]:
        """Return what is left and right of the boundary before a symbol."""
        left, right = (
            next(glyph for glyph in self.glyphs if glyph.first <= at < glyph.last)
            for at in (symbol - 1, symbol)
        )
        return left, right

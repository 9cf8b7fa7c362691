"""What is drawn of a text and a run, and what of it is pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.space_time import Glyph, TextSymbols
from bpe_gui.bpe.history import NO_TOKEN, History
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

    def history_of(self, strip: int) -> History:
        """Return the run that the tokens of a row are of."""
        return self.history

    @property
    def names(self) -> list[str]:
        """What is written left of the rows."""
        return [f"{self.history.vocabulary_size(at):,}" for at in self.positions]

    @property
    def goes_by_size(self) -> bool:
        """Whether the rows are positions of one run, to which one can go."""
        return True

    def beside(self, symbol: int) -> tuple[Glyph, Glyph]:
        """Return what is left and right of the boundary before a symbol."""
        left, right = (
            next(glyph for glyph in self.glyphs if glyph.first <= at < glyph.last)
            for at in (symbol - 1, symbol)
        )
        return left, right


@dataclass(frozen=True, eq=False)
class RecipesPicture(Picture):
    """A text with the tokens of several runs, each at its end; the symbols are its bytes."""

    histories: Mapping[str, History]

    def firsts(self, strip: int) -> NDArray[np.int64]:
        """Return the first byte of every token of a row."""
        return self.cuts[strip].starts

    def history_of(self, strip: int) -> History:
        """Return the run that the tokens of a row are of."""
        return list(self.histories.values())[strip]

    @property
    def names(self) -> list[str]:
        """The names of the runs."""
        return list(self.histories)

    @property
    def goes_by_size(self) -> bool:
        """They are no positions of one run."""
        return False


def bytes_of(data: bytes) -> TextSymbols:
    """Return the bytes of a text as symbols that are never merged; words begin at spaces.

    >>> bytes_of(b"a b").begins_word.tolist()
    [True, True, False]
    """
    places = np.arange(len(data), dtype=np.int64)
    begins = np.frombuffer(data, np.uint8) <= ord(" ")
    begins[:1] = True
    unknown = np.full(len(data), NO_TOKEN, np.int32)
    return TextSymbols(unknown, places, places + 1, begins, np.full(len(data), NEVER, np.int32))

"""Rows of the coloured text, ready to be painted: what is drawn where, and who is hit.

A row is a sequence of units: a character, a part of a split character, an end-of-word
mark. Each has a left and a right edge. Rows are kept as long as what they show stays the
same, which most rows do from one merge to the next.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextLayout

from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, TokenFonts
from bpe_gui.ui.tokens.pieces import (
    LabelPiece,
    Piece,
    TextPiece,
    cut_at,
    first_of,
    pieces_of,
    plain_pieces,
)
from bpe_gui.ui.tokens.runs import Run, runs_in
from bpe_gui.ui.tokens.stretches import Stretch, Stretches
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

_KEPT_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Label:
    """A short text in the small font, at a place in its row."""

    text: str
    left: float
    quiet: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What one row shows, in pixels from its left edge.

    `left`, `right`: the edges of each unit, in text order. `character`: the character each
    belongs to, counted from the row's first. `token`: its token, counted likewise (-1: in
    none), or None where unit i is character i and nothing stands apart. `visual`: the
    units from left to right, None if that is text order. `is_text`: which units are characters
    of `texts`, and not labels. `dots`: where marks for spaces
    go. `bars`: the edges of split characters.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    character: NDArray[np.int64]
    token: NDArray[np.int64] | None
    visual: NDArray[np.int64] | None
    texts: list[tuple[QTextLayout, QPointF]]
    is_text: NDArray[np.bool_]
    labels: list[Label]
    dots: NDArray[np.float64]
    bars: list[tuple[float, float]]

    def unit_at(self, x: float) -> int:
        """The unit at that place; the nearest one if there is none, -1 in an empty row."""
        if not len(self.left):
            return -1
        distance = np.maximum(np.maximum(self.left - x, x - self.right), 0.0)
        return int(np.argmin(distance))


class Shaper:
    """Makes rows in one size. Keeps the ones shown lately, also when the text is edited."""

    def __init__(self, fonts: TokenFonts, characters: Characters) -> None:
        self._fonts = fonts
        self._stretches = Stretches(fonts)
        self._runs = runs_in(fonts.body)
        self._kept: OrderedDict[object, Row] = OrderedDict()
        self.use(characters)

    def use(self, characters: Characters) -> None:
        """Make rows of another text."""
        self._characters = characters
        self._advances = self._fonts.advances(characters)
        self._running: NDArray[np.float64] | None = None

    def running_width(self, cut: TokenizedText) -> NDArray[np.float64]:
        """Where each character would begin if all stood in one row, and where that ends."""
        widths = self._fonts.widths(cut, self._advances)
        if widths is self._advances and self._running is not None:
            return self._running
        running = np.zeros(len(widths) + 1)
        np.cumsum(widths, out=running[1:])
        if widths is self._advances:
            self._running = running
        return running

    def row(self, cut: TokenizedText, first: int, last: int) -> Row:
        """The row that shows these characters. A newline may only come last."""
        special = cut.is_special(first, last)
        text = self._characters.text[first:last]
        backwards = self._characters.directions.is_backwards(first)
        key = (_key(cut, first, last, text) if special else text, backwards)
        row = self._kept.get(key)
        if row is not None:
            self._kept.move_to_end(key)
            return row
        pieces = pieces_of(cut, first, last) if special else plain_pieces(cut, first, last)
        row = self._build(pieces, first, self._runs_of(first, last, backwards), special)
        self._kept[key] = row
        if len(self._kept) > _KEPT_ROWS:
            self._kept.popitem(last=False)
        return row

    def _runs_of(self, first: int, last: int, backwards: bool) -> list[Run]:
        """The runs of a row of a paragraph that runs that way, from left to right."""
        if not backwards and not self._characters.directions.turns(first, last):
            return [Run(first, last, False)]
        return [
            Run(first + run.first, first + run.last, run.backwards)
            for run in self._runs(self._characters.text[first:last], backwards)
        ]

    def _build(self, pieces: list[Piece], first: int, runs: list[Run], special: bool) -> Row:
        """Place the pieces one after the other, run by run from left to right."""
        pieces = cut_at(pieces, sorted(run.first for run in runs))
        firsts = [first_of(piece) for piece in pieces]
        placed: list[tuple[float, float, Stretch | None]] = [(0.0, 0.0, None)] * len(pieces)
        x = 0.0
        for run in runs:
            own = range(bisect_left(firsts, run.first), bisect_left(firsts, run.last))
            for place in reversed(own) if run.backwards else own:
                stretch, width = self._measured(pieces[place], run.backwards)
                placed[place] = (x, width, stretch)
                x += width
        builder = _RowBuilder(self._fonts.baseline)
        for piece, where in zip(pieces, placed, strict=True):
            builder.add(piece, *where)
        turned = len(runs) > 1 or runs[0].backwards
        return builder.row(self._characters, first, special, turned)

    def _measured(self, piece: Piece, backwards: bool) -> tuple[Stretch | None, float]:
        """A piece in a run of that direction: its stretch, if it is text, and its width."""
        if isinstance(piece, LabelPiece):
            return None, self._fonts.label(piece.text)
        stretch = self._stretches.of(self._characters, piece.first, piece.last, backwards)
        return stretch, stretch.width


class _RowBuilder:
    """Collects the units of a row, in text order."""

    def __init__(self, baseline: float) -> None:
        self._baseline = baseline
        self._left: list[float] = []
        self._right: list[float] = []
        self._character: list[int] = []
        self._token: list[int] = []
        self._dots: list[bool] = []
        self._texts: list[tuple[QTextLayout, QPointF]] = []
        self._labels: list[Label] = []
        self._parts: dict[int, tuple[float, float]] = {}

    def add(self, piece: Piece, x: float, width: float, stretch: Stretch | None) -> None:
        """Add a piece that begins at x; a text comes with its stretch."""
        if isinstance(piece, TextPiece) and stretch is not None:
            # Fonts that stand in for missing letters may be higher: the base line is one.
            origin = QPointF(x, self._baseline - stretch.ascent)
            self._texts.append((stretch.layout, origin))
            self._left += [x + edge for edge in stretch.left]
            self._right += [x + edge for edge in stretch.right]
            self._character += range(piece.first, piece.last)
            self._token += piece.tokens
            self._dots += [True] * len(stretch.left)
        elif isinstance(piece, LabelPiece):
            self._labels.append(Label(piece.text, x + LABEL_MARGIN, piece.quiet))
            self._left.append(x)
            self._right.append(x + width)
            self._character.append(piece.character)
            self._token.append(piece.token)
            self._dots.append(False)
            if piece.part:
                left, right = self._parts.get(piece.character, (x, x + width))
                self._parts[piece.character] = (min(left, x), max(right, x + width))

    def row(self, characters: Characters, first: int, special: bool, visual: bool) -> Row:
        """The finished row; `visual` if units may stand in another order than they come."""
        left, right = np.array(self._left), np.array(self._right)
        character = np.array(self._character, np.int64)
        is_text = np.array(self._dots, bool)
        spaces = np.flatnonzero(is_text & (characters.kinds[character] == Kind.SPACE))
        return Row(
            left=left,
            right=right,
            character=character - first,
            token=np.array(self._token, np.int64) if special else None,
            visual=np.lexsort((right, left)) if visual else None,
            texts=self._texts,
            is_text=is_text,
            labels=self._labels,
            dots=(left[spaces] + right[spaces]) / 2,
            bars=list(self._parts.values()),
        )


def _key(cut: TokenizedText, first: int, last: int, text: str) -> object:
    """Equal for rows that look the same, whatever their tokens are called."""
    begin, end = cut.tokens_within(first, last)
    base = cut.characters.byte_starts[first]
    return (
        text,
        (cut.starts[begin:end] - base).tobytes(),
        (cut.ends[begin:end] - base).tobytes(),
        cut.closes[begin:end].tobytes(),
        cut.apart[first:last].tobytes(),
        cut.ids[begin:end].tobytes() if cut.multiplied else b"",
    )

"""Rows of the coloured text, ready to be painted: what is drawn where, and who is hit.

A row is a sequence of units: a character, a part of a split character, an end-of-word
mark. Each has a left and a right edge. Rows are kept as long as what they show stays the
same, which most rows do from one merge to the next.
"""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextCharFormat, QTextLayout, QTextLine, QTextOption

from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.cut import Cut
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, NEWLINE_MARK, TokenFonts
from bpe_gui.ui.tokens.pieces import NO_TOKEN, LabelPiece, Piece, TextPiece, pieces_of

_KEPT_ROWS = 1000
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
)


@dataclass(slots=True)
class Label:
    """A short text in the small font, at a place in its row."""

    text: str
    left: float
    quiet: bool


@dataclass(slots=True)
class Row:
    """What one row shows, in pixels from its left edge.

    `left`, `right`: the edges of each unit, in text order. `character`: the character each
    belongs to, counted from the row's first. `token`: its token, counted likewise (-1: in
    none), or None where unit i is character i and nothing stands apart. `visual`: the
    units from left to right, None if that is text order. `dots`: where marks for spaces
    go. `bars`: the edges of split characters.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    character: NDArray[np.int64]
    token: NDArray[np.int64] | None
    visual: NDArray[np.int64] | None
    texts: list[QTextLayout]
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
    """Makes rows of one text in one size. Keeps the ones shown lately."""

    def __init__(self, fonts: TokenFonts, characters: Characters) -> None:
        self.fonts = fonts
        self._characters = characters
        self._advances = fonts.advances(characters)
        self._running: NDArray[np.float64] | None = None
        self._kept: OrderedDict[object, Row] = OrderedDict()
        self._joined_format = QTextCharFormat()
        self._joined_format.setFont(fonts.joined)
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)

    def running_width(self, cut: Cut) -> NDArray[np.float64]:
        """Where each character would begin if all stood in one row, and where that ends."""
        widths = self.fonts.widths(cut, self._advances)
        if widths is self._advances and self._running is not None:
            return self._running
        running = np.zeros(len(widths) + 1)
        np.cumsum(widths, out=running[1:])
        if widths is self._advances:
            self._running = running
        return running

    def row(self, cut: Cut, first: int, last: int) -> Row:
        """The row that shows these characters. A newline may only come last."""
        special = cut.is_special(first, last)
        text = self._characters.text[first:last]
        key: object = _key(cut, first, last, text) if special else text
        row = self._kept.get(key)
        if row is not None:
            self._kept.move_to_end(key)
            return row
        pieces = pieces_of(cut, first, last) if special else self._plain_pieces(first, last)
        row = self._build(pieces, first, special)
        self._kept[key] = row
        if len(self._kept) > _KEPT_ROWS:
            self._kept.popitem(last=False)
        return row

    def _plain_pieces(self, first: int, last: int) -> list[Piece]:
        newline = last > first and self._characters.kinds[last - 1] == Kind.NEWLINE
        shown = last - 1 if newline else last
        pieces: list[Piece] = [TextPiece(first, shown)] if shown > first else []
        if newline:
            pieces.append(LabelPiece(NEWLINE_MARK, shown, NO_TOKEN))
        return pieces

    def _build(self, pieces: list[Piece], first: int, special: bool) -> Row:
        """Place the pieces one after the other, in the direction of the script."""
        builder = _RowBuilder(self.fonts.baseline)
        backwards = self._is_right_to_left(pieces)
        x = 0.0
        placed: list[tuple[float, float, QTextLayout | None, list[NDArray[np.float64]]]] = []
        for piece in reversed(pieces) if backwards else pieces:
            if isinstance(piece, LabelPiece):
                width, layout, edges = self.fonts.label(piece.text), None, []
            else:
                layout, left, right = self._shape(piece.first, piece.last, backwards)
                width, edges = float(right.max()), [left, right]
            placed.append((x, width, layout, edges))
            x += width
        if backwards:
            placed.reverse()
        for piece, place in zip(pieces, placed, strict=True):
            builder.add(piece, *place)
        shaped = any(
            self._characters.is_shaped(piece.first, piece.last)
            for piece in pieces
            if isinstance(piece, TextPiece)
        )
        return builder.row(self._characters, first, special, backwards or shaped)

    def _is_right_to_left(self, pieces: list[Piece]) -> bool:
        """Whether the first letter of the row belongs to a script that runs to the left."""
        for piece in pieces:
            if isinstance(piece, LabelPiece):
                continue
            if not self._characters.is_shaped(piece.first, piece.last):
                text = self._characters.text[piece.first : piece.last]
                if any(character.isalpha() for character in text):
                    return False
                continue
            for character in self._characters.text[piece.first : piece.last]:
                direction = unicodedata.bidirectional(character)
                if direction in ("L", "R", "AL"):
                    return direction != "L"
        return False

    def _shape(
        self, first: int, last: int, backwards: bool
    ) -> tuple[QTextLayout, NDArray[np.float64], NDArray[np.float64]]:
        """Lay out a stretch of text: the layout, left and right edge of each character."""
        layout = QTextLayout(self._characters.text[first:last], self.fonts.body)
        shaped = self._characters.is_shaped(first, last)
        self._option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight
        )
        layout.setTextOption(self._option)
        layout.setCacheEnabled(True)
        if shaped:
            layout.setFormats(self._joined_ranges(first, last))
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        right = np.cumsum(self._advances[first:last])
        if not shaped and abs(right[-1] - line.horizontalAdvance()) < 0.5:
            return layout, np.concatenate(([0.0], right[:-1])), right
        return layout, *_edges(self._characters, first, last, line)

    def _joined_ranges(self, first: int, last: int) -> list[QTextLayout.FormatRange]:
        """The stretches, in UTF-16 units, whose letters join and so take no extra space."""
        kinds = self._characters.kinds[first:last]
        inherits = (kinds == Kind.EXTENDS) | (kinds == Kind.JOINS)
        source = np.maximum.accumulate(np.where(inherits, 0, np.arange(len(kinds))))
        joined = np.zeros(len(kinds) + 2, np.int8)
        joined[1:-1] = kinds[source] == Kind.CURSIVE
        units = _utf16_starts(self._characters.codes[first:last])
        ranges = []
        edges = np.flatnonzero(np.diff(joined))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            made = QTextLayout.FormatRange()
            made.start = int(units[start])
            made.length = int(units[end] - units[start])
            made.format = self._joined_format
            ranges.append(made)
        return ranges


class _RowBuilder:
    """Collects the units of a row, in text order."""

    def __init__(self, baseline: float) -> None:
        self._baseline = baseline
        self._left: list[NDArray[np.float64]] = []
        self._right: list[NDArray[np.float64]] = []
        self._character: list[NDArray[np.int64]] = []
        self._token: list[int] = []
        self._drawn_as_text: list[bool] = []
        self._texts: list[QTextLayout] = []
        self._labels: list[Label] = []
        self._parts: dict[int, tuple[float, float]] = {}

    def add(
        self,
        piece: Piece,
        x: float,
        width: float,
        layout: QTextLayout | None,
        edges: list[NDArray[np.float64]],
    ) -> None:
        """Add a piece that begins at x; `edges` are those of the characters of a text."""
        if isinstance(piece, TextPiece):
            assert layout is not None
            # Fonts that stand in for missing letters may be higher: the base line is one.
            line = layout.lineAt(0)
            line.setPosition(QPointF(x, self._baseline - line.ascent()))
            self._texts.append(layout)
            self._left.append(edges[0] + x)
            self._right.append(edges[1] + x)
            self._character.append(np.arange(piece.first, piece.last))
            self._token += piece.tokens
            self._drawn_as_text += [True] * len(edges[0])
            return
        self._labels.append(Label(piece.text, x + LABEL_MARGIN, piece.quiet))
        self._left.append(np.array([x]))
        self._right.append(np.array([x + width]))
        self._character.append(np.array([piece.character]))
        self._token.append(piece.token)
        self._drawn_as_text.append(False)
        if piece.part:
            left, right = self._parts.get(piece.character, (x, x + width))
            self._parts[piece.character] = (min(left, x), max(right, x + width))

    def _is_text(self) -> NDArray[np.bool_]:
        """Which units are characters of a text, not labels."""
        return np.array(self._drawn_as_text, bool)

    def row(self, characters: Characters, first: int, special: bool, visual: bool) -> Row:
        """The finished row; `visual` if units may stand in another order than they come."""
        left = np.concatenate(self._left) if self._left else np.empty(0)
        right = np.concatenate(self._right) if self._right else np.empty(0)
        character = np.concatenate(self._character) if self._character else np.empty(0, np.int64)
        spaces = np.flatnonzero(self._is_text() & (characters.kinds[character] == Kind.SPACE))
        return Row(
            left=left,
            right=right,
            character=character - first,
            token=np.array(self._token, np.int64) if special else None,
            visual=np.argsort(left, kind="stable") if visual else None,
            texts=self._texts,
            labels=self._labels,
            dots=(left[spaces] + right[spaces]) / 2,
            bars=list(self._parts.values()),
        )


def _key(cut: Cut, first: int, last: int, text: str) -> object:
    """Equal for rows that look the same, whatever their tokens are called."""
    begin, end = cut.tokens_within(first, last)
    base = cut.characters.byte_starts[first]
    return (
        text,
        (cut.starts[begin:end] - base).tobytes(),
        (cut.ends[begin:end] - base).tobytes(),
        cut.closes[begin:end].tobytes(),
        cut.ids[begin:end].tobytes() if cut.multiplied else b"",
    )


def _utf16_starts(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Where each character starts in the UTF-16 text that Qt works with."""
    starts = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(1 + (codes >= 0x10000), out=starts[1:])
    return starts


def _edges(
    characters: Characters, first: int, last: int, line: QTextLine
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Left and right edge of each character of a line in any scripts and directions.

    Qt tells where the glyphs of each cluster are; clusters tile the line, so each ends
    where the next to its right begins. The characters of a cluster share it evenly.
    """
    size = last - first
    units = _utf16_starts(characters.codes[first:last])
    lefts: dict[int, float] = {}
    backward: set[int] = set()
    for run in line.glyphRuns(-1, -1, _GLYPHS):
        places = np.searchsorted(units, np.array(run.stringIndexes()), "right") - 1
        for place, point in zip(places.tolist(), run.positions(), strict=True):
            while place > 0 and not characters.cluster_starts[first + place]:
                place -= 1
            lefts[place] = min(lefts.get(place, np.inf), point.x())
            if run.isRightToLeft():
                backward.add(place)
    left, right = np.zeros(size), np.zeros(size)
    if not lefts:
        return left, right
    starts = sorted(lefts)
    ends = dict(zip(starts, [*starts[1:], size], strict=True))
    order = sorted(lefts, key=lambda place: lefts[place])
    rights = [*(lefts[place] for place in order[1:]), line.horizontalAdvance()]
    for place, edge in zip(order, rights, strict=True):
        count = ends[place] - place
        if count == 1:
            left[place], right[place] = lefts[place], edge
            continue
        steps = np.linspace(lefts[place], edge, count + 1)
        if place in backward:
            steps = steps[::-1]
        pairs = np.sort(np.stack((steps[:-1], steps[1:])), axis=0)
        left[place : place + count], right[place : place + count] = pairs
    return left, right

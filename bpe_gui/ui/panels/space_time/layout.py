"""Where the symbols of a text and the positions of a run are in a picture of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from math import ceil, log
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.space_time import Glyph, TextSymbols
from bpe_gui.analysis.visible import visible_text
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
        return self.strip != NO_STRIP


class Picture(Struct, frozen=True, eq=False):
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


class RecipesPicture(Picture, frozen=True, eq=False):
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


MOST_GAP = 12
"""Characters of dropped text that are written between two symbols."""
_AROUND, _NARROWEST, _NARROWEST_BYTE, _LONE_BYTE, _GAP = 0.15, 0.58, 0.5, 0.95, 0.2
"""Widths of the space around a glyph, of a column, of one of several bytes of a character, of one
where some of them stay apart and are written in hex, and of the space around dropped text, for a
font of size 1 where room is scarce."""
_USUAL, _WIDEST = 1.4, 2.4
"""Times as wide as at least that columns usually are, and are at most."""
_LARGE = 0.7
"""Of the largest font that fits: one that is as large is chosen if it makes fewer lines."""
_HEAD, _NO_HEAD, _FOOT, _BETWEEN = 1.7, 0.2, 1.75, 0.9
"""Heights of the glyphs above or of none, of the tokens below and of the space between lines."""
_STRIP, _MOST_STRIP = 1.62, 2.6
"""The height of a strip with the gap below it, at least and at most."""
_LOWEST_PLOT, _LEAST_PLOT, _MOST_PLOT = 2.5, 5.5, 34.0
"""The height of the boundaries at least where not even one line of text fits, at least elsewhere,
and at most, for a font of size 1."""


class View(IntEnum):
    BOUNDARIES = 0
    STRIPS = 1


class Line(NamedTuple):
    """Some symbols beside each other, and where their glyphs begin, in pixels from the top."""

    first: int
    last: int
    top: int


class Columns(Struct, frozen=True):
    """How wide the symbols of a text are, for a font of size 1.

    widths, gaps: the width of each symbol, and of the dropped text before it.
    dropped: what is dropped before a symbol, by its index.
    """

    widths: NDArray[np.float64]
    gaps: NDArray[np.float64]
    dropped: dict[int, str]
    glyphs: list[Glyph]


def columns_of(
    symbols: TextSymbols, glyphs: list[Glyph], data: bytes, advance: Callable[[str], float]
) -> Columns:
    """Measure the symbols of a text; `advance` gives the width of a text in a font of size 1."""
    widths = np.zeros(len(symbols))
    for glyph in glyphs:
        count = glyph.last - glyph.first
        least = _NARROWEST
        if count > 1:
            inner = symbols.merge_step[glyph.first + 1 : glyph.last]
            least = count * (_LONE_BYTE if NEVER in inner else _NARROWEST_BYTE)
        widths[glyph.first : glyph.last] = max(advance(glyph.text) + _AROUND, least) / count
    gaps = np.zeros(len(symbols))
    dropped = {}
    before = np.concatenate(([0], np.maximum.accumulate(symbols.ends)))[:-1]
    for index in np.flatnonzero(symbols.starts > before).tolist():
        content = data[int(before[index]) : int(symbols.starts[index])]
        text = visible_text(content[: 4 * MOST_GAP].decode("utf-8", "ignore"))
        dropped[index] = text if len(text) <= MOST_GAP else text[: MOST_GAP - 1] + "…"
        gaps[index] = advance(dropped[index]) + 2 * _GAP
    return Columns(widths, gaps, dropped, glyphs)


class Layout:
    """Places the symbols of a text in a viewport, in whole pixels.

    left, right, edges: of every symbol, and of the boundary before it.
    lines, line_height, height: the lines of the text, the height of one, and of all.
    between: the space between two lines, which is part of `line_height`.
    head, body, foot: heights of the glyphs, of what is below them, and of the tokens at its foot.
    size: of the font; strip: the height of a strip; margins: left and right of the lines.
    """

    def __init__(
        self,
        columns: Columns,
        symbols: TextSymbols,
        view: View,
        strips: int,
        sizes: range,
        area: tuple[int, int],
        margins: Callable[[int], tuple[int, int]],
    ) -> None:
        """Choose the largest of some font sizes in which all lines fit, else the smallest.

        `area` is the width and the height of the viewport, `margins` give those for a font size.
        """
        self.columns = columns
        self.view = view
        self.strips = strips
        self.size, breaks = self._fitted(symbols, sizes, area, margins)
        self.margins = margins(self.size)
        self.head, self.foot = round(self._head * self.size), round(_FOOT * self.size)
        self.strip = round(_STRIP * self.size)
        self._place(breaks, *area)

    def _fitted(
        self,
        symbols: TextSymbols,
        sizes: range,
        area: tuple[int, int],
        margins: Callable[[int], tuple[int, int]],
    ) -> tuple[int, list[tuple[int, int]]]:
        """Return the size of the font, and the first and last symbol of every line.

        Few lines are better than a large font: each shows the whole run in more height.
        """
        width, height = area
        found: list[tuple[int, list[tuple[int, int]]]] = []
        for size in reversed(sizes):
            room = (width - sum(margins(size))) / size / _USUAL
            if self._height(size, ceil(self._total() / max(room, 1.0))) > height:
                continue
            breaks = _broken(self.columns, symbols, room)
            if self._height(size, len(breaks)) <= height:
                found.append((size, breaks))
        if found:
            large = [one for one in found if one[0] >= _LARGE * found[0][0]]
            return min(large, key=lambda one: (len(one[1]), -one[0]))
        room = (width - sum(margins(size := sizes[0]))) / size
        tight = _broken(self.columns, symbols, room)
        if self._height(size, len(tight)) <= height:
            return size, tight
        return size, _broken(self.columns, symbols, room / _USUAL)

    def _total(self) -> float:
        return float(self.columns.widths.sum() + self.columns.gaps.sum())

    @property
    def has_glyphs(self) -> bool:
        """Whether the glyphs are above: the first strip has them, unless it lacks some."""
        columns = self.columns
        lacks = len(columns.glyphs) < len(columns.widths) or bool(columns.dropped)
        return self.view is View.BOUNDARIES or lacks

    @property
    def _head(self) -> float:
        return _HEAD if self.has_glyphs else _NO_HEAD

    def _least(self, size: int) -> float:
        if self.view is View.STRIPS:
            return size * (self._head + _BETWEEN) + round(_STRIP * size) * self.strips
        return size * (_HEAD + _LEAST_PLOT + _FOOT + _BETWEEN)

    def _height(self, size: int, lines: int) -> float:
        return self._least(size) * lines - _BETWEEN * size

    def _place(self, breaks: list[tuple[int, int]], width: int, height: int) -> None:
        columns, size = self.columns, self.size
        between = self.between = round(_BETWEEN * size)
        # As many lines as fit at once share the height, whether more follow or not.
        fit = int((height + between) / self._least(size))
        lines = max(1, min(fit, len(breaks)))
        share = (height + between) // lines - between - self.head
        if self.view is View.BOUNDARIES:
            room = max(_LOWEST_PLOT * size, height - self.head - self.foot)
            least = round(min(_LEAST_PLOT * size, room))
            self.body = max(least, min(share - self.foot, round(_MOST_PLOT * size)))
            line_height = self.head + self.body + self.foot + between
        else:
            strip = min(share // max(self.strips, 1), round(_MOST_STRIP * size))
            self.strip = max(self.strip, strip)
            self.body = self.strip * self.strips
            line_height = self.head + self.body + between
        room = width - sum(self.margins)
        widths = columns.widths + columns.gaps
        longest = max((widths[first:last].sum() for first, last in breaks), default=1.0)
        scale = size * max(1.0, min(_WIDEST, room / (size * longest)))
        self.left = np.zeros(len(columns.widths), np.int64)
        self.right = self.left.copy()
        self.edges = self.left.copy()
        self.lines = []
        for number, (first, last) in enumerate(breaks):
            gaps = columns.gaps[first:last].copy()
            gaps[:1] = gaps[:1] if number == 0 else 0.0
            right = np.cumsum(columns.widths[first:last] + gaps)
            self.right[first:last] = self.margins[0] + np.rint(right * scale)
            left = np.rint((right - columns.widths[first:last]) * scale)
            self.left[first:last] = self.margins[0] + left
            self.lines.append(Line(first, last, number * line_height))
            before = np.concatenate((self.left[first : first + 1], self.right[first : last - 1]))
            self.edges[first:last] = (before + self.left[first:last]) // 2
        self.line_height = line_height
        self.height = line_height * len(breaks) - between

    def whole(self, height: int) -> int:
        """Return the height of the lines or strips that are seen whole; 0 if all are, or none."""
        if self.height <= height:
            return 0
        lines = (height + self.between) // self.line_height
        if lines or self.view is View.BOUNDARIES:
            return max(0, lines * self.line_height - self.between)
        # The outline of the strip below lies half a pixel above it.
        return self.head + (height - self.head) // self.strip * self.strip - 2

    def line_of(self, symbol: int) -> Line:
        return next(line for line in self.lines if symbol < line.last)


def _broken(columns: Columns, symbols: TextSymbols, room: float) -> list[tuple[int, int]]:
    """Break a text into lines of a width: before a word, else between tokens, else anywhere."""
    size, room = len(symbols), max(room, 1.0)
    ends = np.cumsum(columns.widths + columns.gaps)
    found = []
    first = 0
    while first < size:
        # The text dropped before a line is not written.
        begin = ends[first] - columns.widths[first] - (columns.gaps[0] if first == 0 else 0.0)
        last = max(int(np.searchsorted(ends, begin + room, side="right")), first + 1)
        if last < size:
            last = _break_before(symbols, first, last)
        found.append((first, last))
        first = last
    return found


def _break_before(symbols: TextSymbols, first: int, last: int) -> int:
    """Return where to break a line that has no room for more than the symbols up to `last`."""
    candidates = slice(first + 1, last + 1)
    words = np.flatnonzero(symbols.begins_word[candidates])
    if len(words):
        return first + 1 + int(words[-1])
    removed = symbols.merge_step[candidates]
    # The boundary that stood longest: none removes one between tokens of the whole run.
    return first + 1 + int(len(removed) - 1 - np.argmax(removed[::-1]))


class TimeAxis:
    """Places merges on a logarithmic axis of some height; merge 1 lies a little below its top."""

    def __init__(self, merges: float, height: int, size: int) -> None:
        """`size` is that of the font; `height` in pixels."""
        self.merges = max(1.0, merges)
        self._first = min(size // 2, height // 4)
        self._height = height - self._first - 2
        self._log = log(max(self.merges, 2.0))

    def y(self, merge: float) -> int:
        """Return the place of a merge, counted from 1; of position 0 for 0."""
        if merge < 1:
            return 0
        return self._first + round(self._height * min(log(merge) / self._log, 1.0))

    def ys(self, merges: NDArray[np.int64]) -> NDArray[np.int64]:
        share = np.minimum(np.log(np.maximum(merges, 1)) / self._log, 1.0)
        return self._first + np.rint(self._height * share).astype(np.int64)

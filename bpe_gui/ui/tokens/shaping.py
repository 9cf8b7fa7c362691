"""Rows of the coloured text, ready to be painted: what is drawn where, and what is hit.

A row is a sequence of units: a character, a part of a split character, an end-of-word
mark. Each has a left and a right edge. Rows are kept as long as what they show stays the
same, which most rows do from one merge to the next.

Qt applies the bidirectional algorithm of Unicode only to a text that it draws alone, but a row
also has names, bytes and marks in it. So Qt is asked in which order it would draw the row's text,
and the parts of the row are placed in that order.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import OrderedDict
from operator import itemgetter
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QTextLayout, QTextLine, QTextOption

from bpe_gui.analysis.visible import visible_bytes
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.tokens.characters import Characters, Kind, codes_of, kinds_of
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, TokenFonts, name_of
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

BY_CHARACTER = -1
"""Instead of a token: the one that covers the character, if any."""
_KEPT_ROWS = _KEPT_ORDERS = 1000
_KEPT_TEXTS = 4000
"""Where directions are mixed, or words end with a mark, rows consist of the same few words."""
_LEFT_TO_RIGHT_OVERRIDE = "\u202d"
_RIGHT_TO_LEFT_OVERRIDE = "\u202e"
_SAME = 1 / 128
"""Half of the smallest length in pixels of Qt's text layout."""


class Label(Struct, frozen=True):
    """A short text in the small font, at a place in its row."""

    text: str
    left: float
    quiet: bool


class Row(Struct, frozen=True):
    """What one row shows, in pixels from its left edge.

    `left`, `right`: the edges of each unit, in text order. `character`: the character each
    belongs to, counted from the row's first. `token`: its token, counted likewise, or
    BY_CHARACTER; None where all are. `visual`: the units from left to right, None if that is
    text order. `is_text`: which units are characters of `texts`, and not labels. `dots`: where
    marks for spaces go. `bars`: the edges of split characters.
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


class Shaper:
    """Makes rows in one size. Keeps the ones shown lately, also when the text is edited."""

    def __init__(self, fonts: TokenFonts, characters: Characters) -> None:
        self._fonts = fonts
        self._kept: OrderedDict[object, Row] = OrderedDict()
        self._laid: dict[tuple[str, bool], _Laid] = {}
        self.use(characters)

    def use(self, characters: Characters) -> None:
        self._characters = characters
        self._advances = self._fonts.advances(characters)
        self._running: NDArray[np.float64] | None = None

    def running_width(self, cut: TokenizedText) -> NDArray[np.float64]:
        """Return the left edge of each character if all were in one row, and the end of the row."""
        widths = self._fonts.widths(cut, self._advances)
        if widths is self._advances and self._running is not None:
            return self._running
        running = np.zeros(len(widths) + 1)
        np.cumsum(widths, out=running[1:])
        if widths is self._advances:
            self._running = running
        return running

    def row(self, cut: TokenizedText, first: int, last: int) -> Row:
        """Return the row that shows these characters.

        After a newline that is not the last there is a gap; then none may run to the left.
        """
        special = cut.is_special(first, last)
        text = self._characters.text[first:last]
        looks = _key(cut, first, last, text) if special else text
        key = looks, self._characters.is_backwards(first)
        row = self._kept.get(key)
        if row is None:
            row = self._kept[key] = self._build(cut, first, last, special)
            if len(self._kept) > _KEPT_ROWS:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return row

    def _build(self, cut: TokenizedText, first: int, last: int, special: bool) -> Row:
        labels = _labels_in(cut, first, last)
        runs = bidi_runs_in(self._characters, first, last, self._fonts)
        is_turned = len(runs) > 1 or runs[0].backwards
        return self._row(self._place(runs, labels, last), first, special, is_turned)

    def _place(self, runs: list[BidiRun], labels: list[_Label], last: int) -> list[_Placed]:
        """Place texts and labels from left to right; returns them in the order of the text."""
        if len(self._laid) > _KEPT_TEXTS:
            self._laid.clear()
        placed: list[tuple[tuple[int, int], _Placed]] = []
        x, kinds = 0.0, self._characters.kinds
        for run in runs:
            parts = list(enumerate(_parts_of(run, labels)))
            for number, part in reversed(parts) if run.backwards else parts:
                if isinstance(part, _Label):
                    laid, width = None, self._fonts.label(part.text)
                else:
                    key = self._characters.text[part.first : part.last], run.backwards
                    laid = self._laid.get(key)
                    if laid is None:
                        laid = self._laid[key] = self._lay_out(*part, run.backwards)
                    width = laid.width
                placed.append(((run.first, number), _Placed(x, width, part, laid)))
                x += width
                if part.last < last and kinds[part.last - 1] == Kind.NEWLINE:
                    x += self._fonts.line_gap
        return [each for _, each in sorted(placed, key=itemgetter(0))]

    def _row(self, placed: list[_Placed], first: int, special: bool, is_turned: bool) -> Row:
        """Gather the boxes of characters and labels, and all that is drawn in them."""
        left: list[float] = []
        right: list[float] = []
        character: list[int] = []
        token: list[int] = []
        texts, written = [], []
        bars: dict[int, tuple[float, float]] = {}
        for x, width, part, laid in placed:
            if laid is not None:
                # Fallback fonts may be higher: all have the same base line.
                texts.append((laid.layout, QPointF(x, self._fonts.baseline - laid.ascent)))
                left += [x + edge for edge in laid.left]
                right += [x + edge for edge in laid.right]
                character += range(part.first, part.last)
                token += [_TEXT] * len(laid.left)
            elif isinstance(part, _Label):
                written.append(Label(part.text, x + LABEL_MARGIN, not part.is_part))
                left.append(x)
                right.append(x + width)
                character.append(part.character)
                token.append(part.token)
                if part.is_part:
                    begin, end = bars.get(part.character, (x, x + width))
                    bars[part.character] = (min(begin, x), max(end, x + width))
        lefts, rights, places = np.array(left), np.array(right), np.array(character, np.int64)
        tokens = np.array(token, np.int64)
        is_text = tokens == _TEXT
        spaces = np.flatnonzero(is_text & (self._characters.kinds[places] == Kind.SPACE))
        return Row(
            left=lefts,
            right=rights,
            character=places - first,
            token=np.maximum(tokens, BY_CHARACTER) if special else None,
            visual=np.lexsort((rights, lefts)) if is_turned else None,
            texts=texts,
            is_text=is_text,
            labels=written,
            dots=(lefts[spaces] + rights[spaces]) / 2,
            bars=list(bars.values()),
        )

    def _lay_out(self, first: int, last: int, backwards: bool) -> _Laid:
        """Lay out at least one character, all in the same direction."""
        characters = self._characters
        shaped = characters.is_shaped(first, last)
        # Makes all of it run in that direction, without the text around it.
        override = _RIGHT_TO_LEFT_OVERRIDE if backwards else ""
        if not backwards and characters.turns(first, last):
            override = _LEFT_TO_RIGHT_OVERRIDE
        text = override + characters.text[first:last]
        layout, line = _line_of(text, self._fonts.body, backwards)
        layout.setCacheEnabled(True)
        width, ascent = line.horizontalAdvance(), line.ascent()
        if not shaped and not backwards:
            ends = np.cumsum(self._fonts.advances_of(characters, first, last))
            # Fallback fonts may set letters closer than one by one.
            if abs(ends[-1] - width) < _SAME:
                rights = ends.tolist()
                return _Laid(layout, [0.0, *rights[:-1]], rights, width, ascent)
        units = utf16_starts(characters.codes[first:last]) + len(override)
        begins = np.append(True, characters.cluster_starts[first + 1 : last])
        places = _places(layout, line, units, begins.tolist(), backwards)
        places[last - first] = 0.0 if backwards else width
        edges = np.interp(np.arange(last - first + 1), [*places], [*places.values()]).tolist()
        left, right = (edges[1:], edges[:-1]) if backwards else (edges[:-1], edges[1:])
        return _Laid(layout, left, right, width, ascent)


def _key(cut: TokenizedText, first: int, last: int, text: str) -> object:
    """Return a key that is equal for rows that look the same."""
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


# -- what a row consists of ----------------------------------------------------------------------

_TEXT = -2
"""Instead of the token of a unit, while a row is built: a character of a text."""


class _Text(NamedTuple):
    """Characters that are drawn together."""

    first: int
    last: int


class _Label(NamedTuple):
    """A name, a mark or some bytes in hex; `is_part` if it shows part of a character.

    It replaces the characters from `first` to `last`, or is (a mark) between two.
    """

    character: int
    token: int
    first: int
    last: int
    text: str
    is_part: bool


def _labels_in(cut: TokenizedText, first: int, last: int) -> list[_Label]:
    """Return the labels of a row in text order, with tokens counted from the first in the row."""
    begin, end = cut.tokens_within(first, last)
    newline = cut.characters.kinds[first:last] == Kind.NEWLINE
    found = []
    for place in (first + np.flatnonzero(cut.apart[first:last] | newline)).tolist():
        if cut.is_split[place]:
            holding = range(
                int(np.searchsorted(cut.lasts, place, "right")),
                int(np.searchsorted(cut.firsts, place, "right")),
            )
            for token in holding:
                text = _part_label(cut, token, place)
                found.append(_Label(place, token - begin, place, place + 1, text, True))
        else:
            name = name_of(cut.characters.text[place])
            found.append(_Label(place, BY_CHARACTER, place, place + 1, name, False))
    for token in np.flatnonzero(cut.closes[begin:end]).tolist():
        stop = int(cut.lasts[begin + token])
        if stop <= last:
            found.append(_Label(stop - 1, token, stop, stop, END_OF_WORD, False))
    # A mark comes after all that its token shows.
    found.sort(key=lambda label: (label.character, label.token, label.last - label.first == 0))
    return [label._replace(character=max(label.character, 0)) for label in found]


def _parts_of(run: BidiRun, labels: list[_Label]) -> list[_Text | _Label]:
    """Return the labels of a run and the texts between them, in text order."""
    first = bisect_left(labels, run.first, key=itemgetter(0))
    last = bisect_left(labels, run.last, key=itemgetter(0))
    parts: list[_Text | _Label] = []
    place = run.first
    for label in labels[first:last]:
        if place < label.first:
            parts.append(_Text(place, label.first))
        parts.append(label)
        place = max(place, label.last)
    if place < run.last:
        parts.append(_Text(place, run.last))
    return parts


def _part_label(cut: TokenizedText, token: int, character: int) -> str:
    """Return the bytes of a character that a token holds, in hex.

    Where normalization has made several tokens of one character, each seems to hold all
    of it; then the label says what the token has instead.
    """
    edges = cut.characters.byte_starts
    start = max(int(cut.starts[token]), int(edges[character]))
    end = min(int(cut.ends[token]), int(edges[character + 1]))
    if start > edges[character] or end < edges[character + 1]:
        return visible_bytes(cut.characters.data[start:end])
    alone = cut.lasts[token] - cut.firsts[token] == 1
    return cut.name(token) if alone else "…"


# -- a text in one line, laid out by Qt ----------------------------------------------------------


class _Laid(NamedTuple):
    """A laid-out text: the edges of each character, the width and the height above the line."""

    layout: QTextLayout
    left: list[float]
    right: list[float]
    width: float
    ascent: float


class _Placed(NamedTuple):
    """A text or a label, and how far from the left edge of its row it begins."""

    left: float
    width: float
    part: _Text | _Label
    laid: _Laid | None
    """The text as it was laid out; None for a label."""


def _line_of(text: str, font: QFont, backwards: bool) -> tuple[QTextLayout, QTextLine]:
    """Return a text in one line of a paragraph that runs that way; the layout owns the line.

    The text may hold no character that ends a line.
    """
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight
    )
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return layout, line


def utf16_starts(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return the start of each character in UTF-16 units, as Qt counts, and the end."""
    starts = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(1 + (codes >= 0x10000), out=starts[1:])
    return starts


def _places(
    layout: QTextLayout,
    line: QTextLine,
    units: NDArray[np.int64],
    begins: list[bool],
    backwards: bool,
) -> dict[int, float]:
    """Return the left edges of characters in a line of one direction, as far as Qt shows them.

    `units` are their places in the UTF-16 text; `begins` is True for those that may begin a
    cluster. Others share its width: the accents of a letter, say.
    """
    places: dict[int, float] = {}
    for character, unit in enumerate(units[:-1].tolist()):
        if character == 0 or layout.isValidCursorPosition(unit):
            x, _ = cast(tuple[float, int], line.cursorToX(unit))
            places[character] = x
        elif begins[character] and not backwards:
            # The cursor skips the later letters of an Indic syllable, which have glyphs.
            runs = line.glyphRuns(unit, 1, QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions)
            x = runs[0].positions()[0].x() if runs else 0.0
            if x > max(places.values()):
                places[character] = x
    return places


# -- the order in which a row shows its characters, where some scripts run to the left ----------

_STAND_INS = {
    **{"L": "x", "R": "א", "AL": "ء", "AN": "٠", "CS": ",", "ET": "%", "WS": " ", "ON": "!"},
    **{"B": "\t", "S": "\t"},
}
"""For each class of the algorithm a character with a width."""
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
)


class BidiRun(NamedTuple):
    """Characters from `first` to `last` that are side by side, all in one direction."""

    first: int
    last: int
    backwards: bool


def bidi_runs_in(
    characters: Characters, first: int, last: int, fonts: TokenFonts
) -> list[BidiRun]:
    """Return the runs of a row, at least one, from left to right."""
    backwards = characters.is_backwards(first)
    if not backwards and not characters.turns(first, last):
        return [BidiRun(first, last, False)]
    shown = _order(characters.text[first:last], backwards, fonts)
    # A character without width belongs to the one before it.
    begins = [0, *(one.character for one in shown[1:])]
    ends = [*begins[1:], last - first]
    runs: list[BidiRun] = []
    for number in sorted(range(len(shown)), key=lambda number: shown[number].key()):
        run = BidiRun(first + begins[number], first + ends[number], shown[number].leftward)
        before = runs[-1] if runs else None
        if before and run.backwards and before.backwards and run.last == before.first:
            runs[-1] = BidiRun(run.first, before.last, True)
        elif before and not run.backwards and not before.backwards and before.last == run.first:
            runs[-1] = BidiRun(before.first, run.last, False)
        else:
            runs.append(run)
    return runs or [BidiRun(first, last, backwards)]


class _InRoom(NamedTuple):
    """A character with a width. Tabs divide a row into columns, in any direction."""

    column: int
    x: float
    character: int
    leftward: bool

    def key(self) -> tuple[int, float, int]:
        """Return a key that sorts from left to right."""
        return self.column, self.x, -self.character if self.leftward else self.character


_orders: WeakKeyDictionary[TokenFonts, dict[tuple[str, bool], list[_InRoom]]] = WeakKeyDictionary()
"""The orders of rows that were written lately, as long as there are the fonts of their size."""


def _order(text: str, backwards: bool, fonts: TokenFonts) -> list[_InRoom]:
    """As `_in_room`, in the font of the text, or from what was found lately."""
    known = _orders.setdefault(fonts, {})
    if len(known) > _KEPT_ORDERS:
        known.clear()
    if (text, backwards) not in known:
        known[text, backwards] = _in_room(text, backwards, fonts.body)
    return known[text, backwards]


def _in_room(text: str, backwards: bool, font: QFont) -> list[_InRoom]:
    """Return the characters of a row that have a width, in text order."""
    single = QFont(font)
    # Where a second font helps out, Qt is wrong about which glyphs belong to a character.
    single.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)
    kinds = kinds_of(codes_of(text)).tolist()
    drawn = "".join(map(_stand_in, text, kinds))
    # The layout has to outlive its line.
    _layout, line = _line_of(drawn, single, backwards)
    units = utf16_starts(codes_of(drawn))
    # Accents have the place of their letter. A tab has no glyph, nor have the later letters of
    # a ligature.
    glyphs: dict[int, tuple[float, bool]] = {}
    for run in line.glyphRuns(-1, -1, _GLYPHS):
        owners = np.searchsorted(units, np.array(run.stringIndexes()), "right") - 1
        for character, point in zip(owners.tolist(), run.positions(), strict=True):
            glyphs.setdefault(character, (point.x(), run.isRightToLeft()))
    shown = []
    column, step = 0, -1 if backwards else 1
    for character, kind in enumerate(kinds):
        hidden = kind in (Kind.NAMED, Kind.EXTENDS, Kind.JOINS)
        if drawn[character] == "\t":
            shown.append(_InRoom(column + step, 0.0, character, backwards))
            column += 2 * step
        elif character in glyphs and (drawn[character] != text[character] or not hidden):
            x, leftward = glyphs[character]
            shown.append(_InRoom(column, x, character, leftward))
    return shown


def _stand_in(character: str, kind: int) -> str:
    """Return the character to lay out for one that is invisible or ends the line."""
    if kind not in (Kind.NAMED, Kind.NEWLINE):
        return character
    return _STAND_INS.get(unicodedata.bidirectional(character), character)

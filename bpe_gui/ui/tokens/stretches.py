"""Stretches of text laid out by Qt, and where in them each character is."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QTextLayout, QTextLine

from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.lines import line_of, utf16_starts

_KEPT = 4000
_LEFT_TO_RIGHT_OVERRIDE = "\u202d"
_RIGHT_TO_LEFT_OVERRIDE = "\u202e"
_SAME = 1 / 128
"""Half of the smallest length, in pixels, that Qt knows when it lays out text."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A laid-out text: the edges of each character, the width and the height above the line."""

    layout: QTextLayout
    left: list[float]
    right: list[float]
    width: float
    ascent: float


class Stretches:
    """Makes stretches in one size, and keeps the latest: words come again and again."""

    def __init__(self, fonts: TokenFonts) -> None:
        self._fonts = fonts
        self._kept: OrderedDict[tuple[str, bool], Stretch] = OrderedDict()

    def of(self, characters: Characters, first: int, last: int, backwards: bool) -> Stretch:
        """The stretch of these characters, at least one, all of which run that way."""
        key = (characters.text[first:last], backwards)
        stretch = self._kept.get(key)
        if stretch is not None:
            self._kept.move_to_end(key)
            return stretch
        stretch = self._make(characters, first, last, backwards)
        self._kept[key] = stretch
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return stretch

    def _make(self, characters: Characters, first: int, last: int, backwards: bool) -> Stretch:
        shaped = characters.is_shaped(first, last)
        override = self._override(characters, first, last, backwards)
        text = override + characters.text[first:last]
        layout, line = line_of(text, self._fonts.body, backwards)
        layout.setCacheEnabled(True)
        width, ascent = line.horizontalAdvance(), line.ascent()
        if not shaped and not backwards:
            ends = np.cumsum(self._fonts.advances_of(characters, first, last))
            # Fonts that stand in for missing letters may set them closer than one by one.
            if abs(ends[-1] - width) < _SAME:
                rights = ends.tolist()
                return Stretch(layout, [0.0, *rights[:-1]], rights, width, ascent)
        units = utf16_starts(characters.codes[first:last]) + len(override)
        begins = np.append(True, characters.cluster_starts[first + 1 : last])
        places = _places(layout, line, units, begins.tolist(), backwards)
        places[last - first] = 0.0 if backwards else width
        edges = np.interp(np.arange(last - first + 1), [*places], [*places.values()]).tolist()
        left, right = (edges[1:], edges[:-1]) if backwards else (edges[:-1], edges[1:])
        return Stretch(layout, left, right, width, ascent)

    def _override(self, characters: Characters, first: int, last: int, backwards: bool) -> str:
        """What makes all of a stretch run one way, whatever it was in the text that did."""
        if backwards:
            return _RIGHT_TO_LEFT_OVERRIDE
        return _LEFT_TO_RIGHT_OVERRIDE if characters.directions.turns(first, last) else ""


def _places(
    layout: QTextLayout,
    line: QTextLine,
    units: NDArray[np.int64],
    begins: list[bool],
    backwards: bool,
) -> dict[int, float]:
    """Where characters begin in a line that all runs one way, as far as it can be told.

    `units` are their places in the UTF-16 text; `begins` tells which ones may begin what is
    drawn as one. Others share its room: a letter with its accents, say.
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

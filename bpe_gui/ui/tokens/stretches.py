"""Stretches of text laid out by Qt, and where in them each character is."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextLayout, QTextLine, QTextOption

from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.fonts import TokenFonts

_KEPT = 4000
_SAME = 1 / 128
"""Half of the smallest length, in pixels, that Qt knows when it lays out text."""
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
)


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
        self._joined_format = QTextCharFormat()
        self._joined_format.setFont(fonts.joined)
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)

    def of(self, characters: Characters, first: int, last: int, backwards: bool) -> Stretch:
        """The stretch of these characters, at least one, in a row that runs that way."""
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
        layout = QTextLayout(characters.text[first:last], self._fonts.body)
        shaped = characters.is_shaped(first, last)
        self._option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight
        )
        layout.setTextOption(self._option)
        layout.setCacheEnabled(True)
        if shaped:
            layout.setFormats(self._joined_ranges(characters, first, last))
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        width, ascent = line.horizontalAdvance(), line.ascent()
        if not shaped:
            right = np.cumsum(self._fonts.advances_of(characters, first, last))
            # Fonts that stand in for missing letters may set them closer than one by one.
            if abs(right[-1] - width) < _SAME:
                rights = right.tolist()
                return Stretch(layout, [0.0, *rights[:-1]], rights, width, ascent)
        left, right = _edges(characters, first, last, line)
        return Stretch(layout, left.tolist(), right.tolist(), width, ascent)

    def _joined_ranges(
        self, characters: Characters, first: int, last: int
    ) -> list[QTextLayout.FormatRange]:
        """The stretches, in UTF-16 units, whose letters join and so take no extra space."""
        kinds = characters.kinds[first:last]
        inherits = (kinds == Kind.EXTENDS) | (kinds == Kind.JOINS)
        source = np.maximum.accumulate(np.where(inherits, 0, np.arange(len(kinds))))
        joined = np.zeros(len(kinds) + 2, np.int8)
        joined[1:-1] = kinds[source] == Kind.CURSIVE
        units = _utf16_starts(characters.codes[first:last])
        ranges = []
        edges = np.flatnonzero(np.diff(joined))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            made = QTextLayout.FormatRange()
            made.start = int(units[start])
            made.length = int(units[end] - units[start])
            made.format = self._joined_format
            ranges.append(made)
        return ranges


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
    lefts, backward = _cluster_places(characters, first, last, line)
    left, right = np.zeros(size), np.zeros(size)
    if not lefts:
        return left, right
    starts = sorted(lefts)
    ends = dict(zip(starts, [*starts[1:], size], strict=True))
    order = sorted(lefts, key=lefts.__getitem__)
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


def _cluster_places(
    characters: Characters, first: int, last: int, line: QTextLine
) -> tuple[dict[int, float], set[int]]:
    """The left edge of each cluster by its first character, and which run to the left."""
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
    return lefts, backward

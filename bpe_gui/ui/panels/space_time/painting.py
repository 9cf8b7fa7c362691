"""Paint a text and a run: the picture, which is made once, and the cursor over it."""

from __future__ import annotations

from collections.abc import Iterable
from math import log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.ui.panels.space_time.layout import Layout, Line, Picture, TimeAxis, View
from bpe_gui.ui.panels.space_time.wording import AXIS
from bpe_gui.ui.theme.painting import AT_RIGHT, CENTERED, NO_PEN, brush, pen
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.box_pictures import TokenFiller
from bpe_gui.ui.tokens.fonts import LabelFont
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from bpe_gui.ui.widgets.scales import merges_to_show, power_text, powers

BESIDE = 8
"""Pixels between numbers and the picture."""
SMALLEST_TEXT, LARGEST_TEXT = 12, 26
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""
_NOTE = 0.82
"""The size of numbers as a share of that of a large text."""
_WIDTH_OF_DIGITS = 1.3
"""The width of two hexadecimal digits, for a font of size 1."""
_SMALLEST_BYTE = 9
"""Pixels of a font in which a byte can be read."""
_RADIUS = 4
_BAND = 0.4
"""The height of the cursor's band of tokens, for a font of size 1."""


class BandToken(NamedTuple):
    """A token at the cursor: its symbols, and its fill or -1."""

    first: int
    last: int
    fill: int


def band_of(picture: Picture, position: int, cut: TokenizedText, by: ColourBy) -> list[BandToken]:
    firsts = picture.symbols.token_starts(position)
    lasts = np.append(firsts[1:], len(picture.symbols))
    fills = np.where(cut.ids == NO_TOKEN, -1, cut.fills(np.arange(len(cut)), by))
    return list(map(BandToken, firsts.tolist(), lasts.tolist(), fills.tolist()))


def note_font(family: QFont, size: int) -> QFont:
    """Return the font of numbers beside a text of a size in pixels."""
    font = QFont(family)
    font.setPixelSize(max(scaled(SMALLEST_TEXT, family), round(size * _NOTE)))
    return font


def numbers_beside(picture: Picture, view: View) -> tuple[list[str], list[str]]:
    """Return what is written left and right of a picture, a text a strip if it has strips."""
    if view is View.STRIPS:
        return picture.names, [f"{len(cut):,}" for cut in picture.cuts]
    return [f"{round(merges_to_show(picture.history)):,}", power_text(3)], []


class SpaceTimePainter:
    """Paints one picture in a layout; what is seen of it is given as lines with their tops."""

    def __init__(self, theme: Theme, picture: Picture, layout: Layout, family: QFont) -> None:
        self._theme = theme
        self._picture = picture
        self._layout = layout
        self._font = QFont(family)
        self._font.setPixelSize(layout.size)
        self._note = note_font(family, layout.size)
        self._axis = note_font(family, 0)
        self._labels = LabelFont(self._font, family)
        self._note_height = QFontMetrics(self._note).height()
        self._fills = TokenFiller(theme)
        self._brushes = [*map(brush, theme.token_fills.all_colours), brush(theme.border)]
        self._left, self._right = numbers_beside(picture, layout.view)
        self._box_height = layout.strip - max(2, layout.size // 6)
        self.axis = TimeAxis(merges_to_show(picture.history), layout.body, layout.size)
        """Where the merges are, from the top of the boundaries."""
        self._ticks = self._marked_merges()
        self.dot = max(2, layout.size // 5)
        """The radius of the end of a boundary."""

    # -- the picture -------------------------------------------------------------------------

    def paint_line(self, painter: QPainter, line: Line, top: int, width: int, token: int) -> None:
        """Paint all of a line that does not depend on the cursor.

        `width` is that of the viewport, `token` is framed.
        """
        layout = self._layout
        if layout.has_glyphs:
            self._paint_glyphs(painter, line, top)
        top += layout.head
        if layout.view is View.STRIPS:
            self._paint_strips(painter, line, top, width, token)
            return
        self._paint_axis(painter, line, top)
        box = top + layout.body + 1, layout.foot - 2
        self._paint_tokens(painter, line, len(self._picture.positions) - 1, box, token)
        self._paint_boundaries(painter, line, top)

    def _paint_glyphs(self, painter: QPainter, line: Line, top: int) -> None:
        layout = self._layout
        painter.setFont(self._font)
        painter.setPen(pen(self._theme.text))
        for glyph in layout.columns.glyphs:
            if glyph.last > line.first and glyph.first < line.last:
                left = int(layout.left[max(glyph.first, line.first)])
                right = int(layout.right[min(glyph.last, line.last) - 1])
                self._write(painter, left, top, right - left, layout.head, glyph.text)
        painter.setPen(pen(self._theme.muted))
        for symbol, text in layout.columns.dropped.items():
            if line.first <= symbol < line.last and (symbol > line.first or symbol == 0):
                left = int(layout.right[symbol - 1]) if symbol > line.first else layout.margins[0]
                width = int(layout.left[symbol]) - left
                painter.drawText(left, top, width, layout.head, CENTERED, text)

    def _write(
        self, painter: QPainter, left: int, top: int, width: int, height: int, text: str
    ) -> None:
        """Write a label in the middle of a rectangle."""
        labels, metrics = self._labels, self._labels.metrics
        baseline = top + (height + metrics.ascent() - metrics.descent()) // 2
        labels.draw(painter, left + (width - labels.width(text)) // 2, baseline, text)

    def _marked_merges(self) -> list[tuple[int, str]]:
        axis, height = self.axis, self._note_height
        exponents = powers(log10(axis.merges), self._layout.body // (2 * height))
        found = [(axis.y(axis.merges), f"{round(axis.merges):,}")]
        for exponent in reversed(exponents):
            y = axis.y(10**exponent)
            if found[-1][0] - y >= height:
                found.append((y, power_text(exponent)))
        return found

    def _paint_axis(self, painter: QPainter, line: Line, top: int) -> None:
        left, end = self._layout.margins[0], int(self._layout.right[line.last - 1])
        for y, _ in self._ticks:
            painter.fillRect(left, top + y, end - left, 1, brush(self._theme.grid))
        self._name_axis(painter, top)

    def _name_axis(self, painter: QPainter, top: int) -> None:
        """Write above the numbers what they are, if there is room beside the picture."""
        room, metrics = self._layout.margins[0] - BESIDE, QFontMetrics(self._axis)
        if metrics.horizontalAdvance(AXIS) > room:
            return
        painter.setFont(self._axis)
        painter.setPen(pen(self._theme.muted))
        # Above the number of a cursor at the start, which is beside the top of the boundaries.
        bottom, height = top - self._note_height // 2, metrics.height()
        painter.drawText(0, bottom - height, room, height, AT_RIGHT, AXIS)

    def _paint_boundaries(self, painter: QPainter, line: Line, top: int) -> None:
        theme, layout, symbols = self._theme, self._layout, self._picture.symbols
        part = slice(line.first, line.last)
        removed, ends = self._ends(line, top)
        edges = layout.edges[part]
        quiet, standing, word = brush(theme.muted), brush(theme.accent), brush(theme.text)
        for x, begins in zip(
            edges[~removed].tolist(), symbols.begins_word[part][~removed].tolist(), strict=True
        ):
            painter.fillRect(x - 1, top, 2, layout.body, word if begins else standing)
        last = line.last == len(symbols) or symbols.begins_word[line.last]
        end = int(layout.right[line.last - 1])
        painter.fillRect(end - 1, top, 2, layout.body, word if last else standing)
        places = list(zip(edges[removed].tolist(), ends[removed].tolist(), strict=True))
        for x, y in places:
            painter.fillRect(x, top, 1, y - top, quiet)
        self._paint_dots(painter, places)

    def _ends(self, line: Line, top: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which boundaries of a line merges remove, and how far down each goes then."""
        steps = self._picture.symbols.merge_step[line.first : line.last]
        removed = steps != NEVER
        removed[:1] = False
        return removed, top + self.axis.ys(steps.astype(np.int64) + 1)

    def _paint_dots(self, painter: QPainter, places: Iterable[tuple[int, int]]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(NO_PEN)
        painter.setBrush(brush(self._theme.lines[1]))
        size = 2 * self.dot + 1
        for x, y in places:
            painter.drawEllipse(x - self.dot, y - self.dot, size, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_strips(
        self, painter: QPainter, line: Line, top: int, width: int, token: int
    ) -> None:
        layout, height = self._layout, self._box_height
        left, right = layout.margins
        for strip, size in enumerate(self._left):
            y = top + strip * layout.strip
            self._paint_tokens(painter, line, strip, (y, height), token)
            painter.setFont(self._note)
            painter.setPen(pen(self._theme.muted))
            painter.drawText(0, y, left - BESIDE, height, AT_RIGHT, size)
            if line.first == 0:
                count = self._right[strip]
                painter.drawText(width - right, y, right - BESIDE, height, AT_RIGHT, count)

    def _paint_tokens(
        self, painter: QPainter, line: Line, strip: int, box: tuple[int, int], chosen: int
    ) -> None:
        """Paint the tokens of a position as boxes of a top and a height; `chosen` is framed."""
        (top, height), picture, layout = box, self._picture, self._layout
        cut, theme = picture.cuts[strip], self._theme
        firsts = picture.firsts(strip)
        lasts = np.append(firsts[1:], len(picture.symbols))
        begin, end = np.searchsorted(lasts, line.first, "right"), np.searchsorted(firsts, line.last)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for token in range(int(begin), int(end)):
            first, last = max(int(firsts[token]), line.first), min(int(lasts[token]), line.last)
            if last <= first:
                continue  # a marker without text
            left = int(layout.left[first]) + 1
            width = int(layout.right[last - 1]) - 1 - left
            number = int(cut.ids[token])
            if number == NO_TOKEN:
                painter.setPen(pen(theme.border))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(left, top, width - 1, height - 1, _RADIUS, _RADIUS)
                painter.setPen(pen(theme.text))
                content = picture.data[int(cut.starts[token]) : int(cut.ends[token])]
            else:
                ring = pen(theme.accent, 2) if number == chosen else None
                fill = int(cut.fills(np.array([token]), theme.colour_by)[0])
                self._fills.paint(painter, fill, left, top, width, height, _RADIUS, ring)
                painter.setPen(pen(theme.token_text))
                content = picture.history_of(strip).token_bytes(number)
            whole = label(content)
            text = self._labels.elided(whole, Qt.TextElideMode.ElideMiddle, width)
            if text != whole and len(content) == 1 and whole.startswith("0x"):
                self._write_byte(painter, left, top, width, height, whole)
            else:
                self._write(painter, left, top, width, height, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _write_byte(
        self, painter: QPainter, left: int, top: int, width: int, height: int, text: str
    ) -> None:
        """Write a byte on two lines, `0x` and its digits, as large as a narrow box allows."""
        size = min(int(width / _WIDTH_OF_DIGITS), int(height / 2))
        if size < _SMALLEST_BYTE:
            return
        font = QFont(self._font)
        font.setPixelSize(size)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        above = top + height // 2 - 1
        below = above + metrics.capHeight() + 2
        for part, baseline in ((text[:2], above), (text[2:], below)):
            x = left + (width - metrics.horizontalAdvance(part)) // 2
            painter.drawText(x, baseline, part)
        painter.setFont(self._font)

    # -- the cursor --------------------------------------------------------------------------

    def paint_cursor(
        self, painter: QPainter, line: Line, top: int, position: int, band: Iterable[BandToken]
    ) -> None:
        """Paint a position as a line with its number, and the tokens there as a band along it."""
        layout, theme, height = self._layout, self._theme, self._note_height
        y = top + layout.head + self.axis.y(position)
        thick = max(4, round(layout.size * _BAND))
        for first, last, fill in band:
            if last > line.first and first < line.last:
                start = int(layout.left[max(first, line.first)]) + 1
                width = int(layout.right[min(last, line.last) - 1]) - 1 - start
                painter.fillRect(start, y - thick // 2, width, thick, self._brushes[fill])
        left, end = layout.margins[0], int(layout.right[line.last - 1])
        painter.fillRect(left - BESIDE // 2, y, end - left + BESIDE, 1, brush(theme.accent))
        removed, ends = self._ends(line, top + layout.head)
        near = removed & (np.abs(ends - y) <= thick + self.dot)
        edges = layout.edges[line.first : line.last]
        self._paint_dots(painter, zip(edges[near].tolist(), ends[near].tolist(), strict=True))
        painter.setFont(self._note)
        painter.setPen(pen(theme.muted))
        for place, text in self._ticks:
            number = top + layout.head + place
            if abs(number - y) >= height:
                painter.drawText(0, number - height // 2, left - BESIDE, height, AT_RIGHT, text)
        painter.setPen(pen(theme.accent))
        painter.drawText(0, y - height // 2, left - BESIDE, height, AT_RIGHT, f"{position:,}")

    def paint_marked(self, painter: QPainter, line: Line, top: int, marked: Iterable[int]) -> None:
        """Emphasize boundaries, each known by the symbol after it."""
        layout, theme, radius = self._layout, self._theme, self.dot + 2
        top += layout.head
        painter.setPen(pen(theme.text, 2))
        painter.setBrush(brush(theme.lines[1]))
        for symbol in marked:
            if line.first < symbol < line.last:
                step, x = self._picture.step(symbol), int(layout.edges[symbol])
                end = layout.body if step is None else self.axis.y(step + 1)
                painter.fillRect(x - 1, top, 3, end, brush(theme.lines[1]))
                if step is not None:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    y, size = top + end, 2 * radius + 1
                    painter.drawEllipse(x - radius, y - radius, size, size)
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def paint_reached(self, painter: QPainter, top: int, strip: int) -> None:
        y = top + self._layout.head + strip * self._layout.strip
        painter.fillRect(0, y, 3, self._box_height, brush(self._theme.accent))

    def paint_focus(self, painter: QPainter, top: int, strip: int, width: int) -> None:
        painter.setPen(pen(self._theme.accent))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        y = top + self._layout.head + strip * self._layout.strip
        painter.drawRect(1, y - 1, width - 3, self._box_height + 1)

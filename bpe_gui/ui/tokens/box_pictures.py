"""Paint single tokens as boxes, and pairs of tokens around a plus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
)

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.theme.painting import NO_PEN, Target, blank_picture, brush, mixed, pen, star
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import TILE_WIDTH, TokenFills, dot_size, tile
from bpe_gui.ui.tokens.fonts import LabelFont
from bpe_gui.ui.widgets.tables import plainly


class TokenFiller:
    """Paints the boxes of tokens in the fills of a theme."""

    def __init__(self, theme: Theme) -> None:
        fills = theme.token_fills
        self._brushes = [brush(colour) for colour in fills.all_colours]
        self._patterns = PatternPainter(fills)

    def paint(
        self,
        painter: QPainter,
        fill: int,
        left: int,
        top: int,
        width: int,
        height: int,
        radius: float,
        ring: QPen | None = None,
    ) -> None:
        """Fill a rounded box. `ring` is drawn around it, in place of its pattern if it has one.

        Leaves another pen and brush in the painter.
        """
        edged = int(ring is not None)
        painter.setPen(ring or NO_PEN)
        painter.setBrush(self._brushes[fill])
        painter.drawRoundedRect(
            left + edged, top + edged, width - 2 * edged, height - 2 * edged, radius, radius
        )
        if self._patterns and ring is None:
            inset = round(corner_inset(radius, width))
            self._patterns.paint(
                painter, fill, left + inset, left + width - inset, top, dot_size(height)
            )


class PatternPainter:
    """Draws the patterns of a theme as shapes, so that they can be made larger without loss."""

    def __init__(self, fills: TokenFills) -> None:
        self._ink = brush(fills.ink)
        self._runs = [list(_runs(pattern)) for pattern in fills.all_patterns]

    def __bool__(self) -> bool:
        """Return whether the theme has patterns."""
        return bool(self._runs)

    def paint(
        self, painter: QPainter, fill: int, left: float, right: float, top: float, dot: int
    ) -> None:
        """Draw the pattern of a fill along the head of a box, in dots of that size."""
        start = left
        while start < right:
            for row, first, last in self._runs[fill]:
                x = start + first * dot
                width = min(start + last * dot, right) - x
                if width > 0:
                    painter.fillRect(QRectF(x, top + row * dot, width, dot), self._ink)
            start += TILE_WIDTH * dot


def corner_inset(radius: float, width: float) -> float:
    """Return the distance of a pattern from the side of its rounded box, to stay within it."""
    return min(radius, width / 2) / 2


def _runs(pattern: str) -> Iterator[tuple[int, int, int]]:
    """Return the runs of ink in a tile: row, first dot, and the dot after the last."""
    for row, dots in enumerate(tile(pattern)):
        edges = np.flatnonzero(np.diff(dots.astype(np.int8), prepend=0, append=0)).tolist()
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            yield row, first, last


_KEPT = 4000


class Look(NamedTuple):
    """All that a box looks like.

    `colour` is the number of one of the theme's fills, or -1 for a token of a later merge, which
    is only outlined. `note` follows the label, smaller. `new` is for the token of the newest
    merge, `unknown` for what is not in the alphabet: it looks as in the text.
    """

    label: str
    note: str
    colour: int
    new: bool = False
    underlined: bool = False
    unknown: bool = False


class BoxPictures:
    """Draws boxes of one height, for a font and a theme."""

    def __init__(self, radius: int) -> None:
        self._radius = radius
        self._pictures: dict[Look, QPixmap] = {}
        self._advances: dict[str, int] = {}
        self._scale = 1.0

    def take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._fills = TokenFiller(theme)
        self._pictures.clear()

    def set_fonts(
        self, font: QFont, small: QFont, around: QFont, height: int, inset: int, gap: int
    ) -> None:
        """Use a font for labels and a smaller one for notes, in boxes of a height in pixels.

        `around` is the font of the panel.

        `inset` is left free at both sides, `gap` before a note.
        """
        self.font, self.small = font, small
        self.labels = LabelFont(font, around)
        self.metrics, self.small_metrics = self.labels.metrics, QFontMetrics(small)
        self.height, self._inset, self._gap = height, inset, gap
        self._advances.clear()
        self._pictures.clear()

    def advance(self, text: str) -> int:
        advance = self._advances.get(text)
        if advance is None:
            if len(self._advances) >= _KEPT:
                self._advances.clear()
            advance = self._advances[text] = self.labels.width(text)
        return advance

    def width(self, label: str, note: str) -> int:
        """Return the width of the box of a label and a note."""
        return max(self._text_width(label, note) + 2 * self._inset, self.height // 2)

    def _text_width(self, label: str, note: str) -> int:
        if not note:
            return self.advance(label)
        return self.advance(label) + self._gap + self.small_metrics.horizontalAdvance(note)

    def paint(self, painter: QPainter, target: Target, left: int, top: int, look: Look) -> None:
        """Paint a box at a place."""
        if target.keeps_text:
            painter.save()
            painter.translate(left, top)
            self._draw(painter, look)
            painter.restore()
            return
        if target.scale != self._scale:
            self._scale = target.scale
            self._pictures.clear()
        painter.drawPixmap(left, top, self._picture(look))

    def _picture(self, look: Look) -> QPixmap:
        picture = self._pictures.get(look)
        if picture is None:
            if len(self._pictures) >= _KEPT:
                self._pictures.clear()
            width = self.width(look.label, look.note)
            picture = blank_picture(width, self.height, self._scale)
            with QPainter(picture) as painter:
                self._draw(painter, look)
            self._pictures[look] = picture
        return picture

    def _draw(self, painter: QPainter, look: Look) -> None:
        width, height, radius = self.width(look.label, look.note), self.height, self._radius
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        later = look.colour < 0
        ring = pen(self._theme.accent, 2) if look.new else None
        if later:
            painter.setPen(ring or pen(self._theme.border, 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(1, 1, width - 2, height - 2, radius, radius)
        elif look.unknown:
            painter.setPen(NO_PEN)
            painter.setBrush(brush(self._theme.raised))
            painter.drawRoundedRect(0, 0, width, height, radius, radius)
            painter.fillRect(2, height - 2, width - 4, 2, brush(self._theme.error))
        else:
            self._fills.paint(painter, look.colour, 0, 0, width, height, radius, ring)
        baseline = (height + self.metrics.ascent() - self.metrics.descent()) // 2
        left = (width - self._text_width(look.label, look.note)) // 2
        end = left + self.advance(look.label)
        quiet = pen(self._theme.muted if later else self._theme.token_muted)
        painter.setPen(pen(self._theme.muted if later else self._theme.token_text))
        self.labels.draw(painter, left, baseline, look.label, quiet)
        if look.underlined:
            painter.drawLine(left, baseline + 3, end, baseline + 3)
        if look.note:
            painter.setPen(pen(self._theme.token_muted))
            painter.setFont(self.small)
            # Halfway up the letters, as the mark of the end of a word is in a text.
            raised = (self.metrics.xHeight() - self.small_metrics.xHeight()) // 2
            painter.drawText(end + self._gap, baseline - raised, look.note)


def id_text(token: int) -> str:
    """Return an id as text, or a question mark for what is not in the alphabet."""
    return "?" if token == NO_TOKEN else str(token)


_LONGEST_LABEL = 100
"""Bytes that are laid out at all: a token of a whole paragraph would cost a frame."""


class PairPainter:
    """Paints pairs in one size, between two edges with the plus halfway; holds fonts and pens."""

    def __init__(self) -> None:
        self._star_place = QPointF()

    def take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self.bar = QBrush(mixed(QColor(theme.muted), QColor(theme.panel), 0.42))

    def set_size(self, family: QFont, size: int) -> None:
        """Use a font of that many pixels."""
        self.size = size
        self.font = plainly(family)
        self.font.setPixelSize(size)
        self.bold = QFont(self.font)
        self.bold.setBold(True)
        self._label_font, self._bold_labels = (
            LabelFont(self.font, family), LabelFont(self.bold, family)
        )
        self.digit = QFontMetricsF(self.bold).horizontalAdvance("0")
        self._star = star(size * 0.46)
        self._gap = round(self.digit * 0.9)
        self._arm = max(2, round(self.digit * 0.3))

    def set_edges(self, left: int, right: int) -> None:
        """Place both tokens between two edges, in pixels."""
        self.left, self.right = left, right
        self.plus = (left + right) // 2

    def width_of(self, history: History, pair: tuple[int, int]) -> int:
        """Return the width between the edges in which a pair is not cut, also if it is bold."""
        texts = (history.token_bytes(token)[:_LONGEST_LABEL] for token in pair)
        longest = max(self._bold_labels.width(visible(text)) for text in texts)
        return 2 * (longest + self._gap + 1)

    def token_at(self, pair: tuple[int, int], x: float) -> int:
        """Return the token of a pair at a place of its row; NO_TOKEN beside both."""
        if self.left <= x < self.plus:
            return pair[0]
        return pair[1] if self.plus <= x < self.right else NO_TOKEN

    def draw_pair(
        self,
        painter: QPainter,
        history: History,
        pair: tuple[int, int],
        top: float,
        height: float,
        *,
        token: int = NO_TOKEN,
        bold: bool = False,
    ) -> None:
        """Draw a pair in a row, and a line under `token`, in the painter's font.

        `bold`: whether that is the bold font. Leaves another pen in the painter.
        """
        labels = self._bold_labels if bold else self._label_font
        self._draw_plus(painter, round(top + height / 2))
        y, room = round(top), round(height)
        left, right = self._labels(history, pair, labels)
        left_end, right_edge = self.plus - self._gap, self.plus + self._gap
        painter.setPen(pen(self._theme.text))
        baseline = y + (room + labels.metrics.ascent() - labels.metrics.descent()) // 2
        labels.draw(painter, left_end - labels.width(left), baseline, left)
        labels.draw(painter, right_edge, baseline, right)
        if token in pair:
            painter.setPen(pen(self._theme.accent))
            line = baseline + 3
            if token == pair[0]:
                painter.drawLine(left_end - labels.width(left), line, left_end, line)
            if token == pair[1]:
                painter.drawLine(right_edge, line, right_edge + labels.width(right), line)

    def draw_star(self, painter: QPainter, x: float, y: float, *, filled: bool = True) -> None:
        """Draw the sign of the winner around a point."""
        self._star_place.setX(x)
        self._star_place.setY(y)
        painter.translate(self._star_place)
        painter.setPen(pen(self._theme.accent))
        painter.setBrush(brush(self._theme.accent) if filled else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(self._star)
        painter.translate(-x, -y)

    def _draw_plus(self, painter: QPainter, y: int) -> None:
        """Draw the plus between two tokens; a dot would look like the space of the text view."""
        fill = brush(self._theme.muted)
        arm, thickness = self._arm, max(1, self._arm // 3)
        side = 2 * arm + thickness
        painter.fillRect(self.plus - arm, y, side, thickness, fill)
        painter.fillRect(self.plus, y - arm, thickness, side, fill)

    def _labels(
        self, history: History, pair: tuple[int, int], labels: LabelFont
    ) -> tuple[str, str]:
        """Cut both tokens to their widths, at their outer ends, so that the seam is visible."""
        left = visible(history.token_bytes(pair[0])[-_LONGEST_LABEL:])
        right = visible(history.token_bytes(pair[1])[:_LONGEST_LABEL])
        return (
            labels.elided(left, Qt.TextElideMode.ElideLeft, self.plus - self.left - self._gap),
            labels.elided(right, Qt.TextElideMode.ElideRight, self.right - self.plus - self._gap),
        )

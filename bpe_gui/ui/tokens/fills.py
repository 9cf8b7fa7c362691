"""Single tokens as boxes, painted by Qt: their fills, and the patterns along their heads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from bpe_gui.ui.theme.painting import NO_PEN, brush
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import TILE_WIDTH, TokenFills, dot_size, tile


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

"""Single tokens as boxes, painted by Qt: their fills, and the patterns at their feet."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPixmap

from bpe_gui.ui.paint_target import target_of
from bpe_gui.ui.theme import Theme
from bpe_gui.ui.token_palettes import TILE_HEIGHT, TILE_WIDTH, dot_size, tile

_ABOVE_THE_EDGE = 2
"""Pixels between a pattern and the foot of its box."""


class TokenFiller:
    """Paints the boxes of tokens in the fills of a theme."""

    def __init__(self, theme: Theme) -> None:
        fills = theme.token_fills
        self._brushes = [QBrush(QColor(colour)) for colour in fills.colours]
        self._patterns = fills.patterns
        self._ink = QBrush(QColor(fills.ink or theme.panel))
        self._strips = [_strip(pattern, fills.ink) for pattern in fills.patterns]
        self._edge = QPen(QColor(fills.ink), 1) if fills.patterns else QPen(Qt.PenStyle.NoPen)

    def __len__(self) -> int:
        """How many fills there are."""
        return len(self._brushes)

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
        """Fill a rounded box. `ring` is drawn around it, in place of its own edge if it has one.

        Leaves another pen and brush in the painter.
        """
        pen = ring or self._edge
        edged = int(pen.style() != Qt.PenStyle.NoPen)
        painter.setPen(pen)
        painter.setBrush(self._brushes[fill])
        painter.drawRoundedRect(
            left + edged, top + edged, width - 2 * edged, height - 2 * edged, radius, radius
        )
        self.paint_pattern(painter, fill, left, top, width, height - edged, radius)

    def paint_pattern(
        self,
        painter: QPainter,
        fill: int,
        left: float,
        top: float,
        width: float,
        height: float,
        radius: float,
    ) -> None:
        """Paint the pattern of a fill at the foot of a box, if it has one."""
        if not self._strips:
            return
        dot = dot_size(height)
        inset = max(2, round(radius / 2)) * dot
        dots = max(0, int(width - 2 * inset) // dot)
        painter.save()
        painter.translate(left + inset, top + height - (_ABOVE_THE_EDGE + TILE_HEIGHT) * dot)
        painter.scale(dot, dot)
        if target_of(painter).keeps_text:
            self._draw_pattern(painter, fill, dots)
        else:
            painter.drawTiledPixmap(0, 0, dots, TILE_HEIGHT, self._strips[fill])
        painter.restore()

    def _draw_pattern(self, painter: QPainter, fill: int, dots: int) -> None:
        """The same shape by shape."""
        inked = np.resize(tile(self._patterns[fill]).T, (dots, TILE_HEIGHT)).T
        for row, line in enumerate(inked):
            edges = np.flatnonzero(np.diff(line.astype(np.int8), prepend=0, append=0))
            for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                painter.fillRect(first, row, last - first, 1, self._ink)


def _strip(pattern: str, ink: str) -> QPixmap:
    """One tile of a pattern, clear where there is no ink."""
    pixels = np.where(tile(pattern), np.uint32(QColor(ink).rgba()), np.uint32(0))
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QPixmap.fromImage(QImage(pixels.data, TILE_WIDTH, TILE_HEIGHT, TILE_WIDTH * 4, form))

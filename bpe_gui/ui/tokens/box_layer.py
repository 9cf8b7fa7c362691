"""Paint the boxes behind tokens: as pixels on a screen, as shapes in a drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath

from bpe_gui.ui.theme.painting import NO_PEN, brush, pen, target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import ALL_FILLS, dot_size
from bpe_gui.ui.tokens.boxes import (
    GAP,
    RADIUS,
    RING,
    UNKNOWN,
    Boxes,
    BoxPainter,
    Dots,
    Grid,
    Ring,
    fills_of,
)
from bpe_gui.ui.tokens.fills import PatternPainter, corner_inset
from bpe_gui.ui.tokens.fonts import TokenFonts

_NO_DOTS: Dots = np.empty(0, np.int64), np.empty(0)


class BoxLayer:
    """Paints everything behind the texts of a viewport, in the colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pixels = BoxPainter(theme, 1.0)
        self._shapes = _BoxShapes(theme)

    def paint(
        self,
        painter: QPainter,
        size: tuple[int, int],
        margin: float,
        tops: Sequence[float],
        fonts: TokenFonts,
        boxes: Boxes,
        dots: Dots = _NO_DOTS,
        bars: Sequence[tuple[int, float, float]] = (),
    ) -> None:
        """Paint a viewport of that width and height, background included.

        Rows begin at `tops`, and in them the boxes right of `margin`. `bars` are the rows and
        the edges of split characters.
        """
        target = target_of(painter)
        grid = Grid(*size, margin, tops, fonts.box_top, fonts.box_height)
        if target.keeps_text:
            self._shapes.paint(painter, grid, boxes, dots, bars)
            return
        if target.scale != self._pixels.scale:
            self._pixels = BoxPainter(self._theme, target.scale)
        painter.drawImage(0, 0, self._pixels.paint(grid, boxes, dots, bars))


class _BoxShapes:
    """Draws boxes, marks for spaces and bars under split characters, shape by shape.

    They look like those of `BoxPainter`. Speed does not matter: a drawing is made once, and shows
    no more boxes than a view.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._fills = [brush(colour) for colour in fills_of(theme)]
        self._patterns = PatternPainter(theme.token_fills)
        rings = NO_PEN, pen(theme.accent, RING), pen(theme.text, RING)
        self._rings = dict(zip(Ring, rings, strict=True))
        self._mark = brush(theme.token_muted)

    def paint(
        self,
        painter: QPainter,
        grid: Grid,
        boxes: Boxes,
        dots: Dots,
        bars: Sequence[tuple[int, float, float]],
    ) -> None:
        """As `BoxPainter.paint`, with the same columns, straight into a drawing."""
        painter.save()
        painter.fillRect(QRectF(0, 0, grid.width, grid.height), brush(self._theme.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tops = [top + grid.box_top for top in grid.tops]
        for box in range(len(boxes.row)):
            self._draw_box(painter, grid, tops, boxes, box)
        middle = round(grid.box_height * 0.54)
        for row, x in zip(dots[0].tolist(), dots[1].tolist(), strict=True):
            painter.fillRect(QRectF(grid.margin + x - 1, tops[row] + middle, 2, 2), self._mark)
        for row, left, right in bars:
            first, width = grid.margin + left + 4, right - left - 8
            y = tops[row] + grid.box_height - 3
            painter.fillRect(QRectF(first, y, width, 1), self._mark)
        painter.restore()

    def _draw_box(
        self, painter: QPainter, grid: Grid, tops: list[float], boxes: Boxes, box: int
    ) -> None:
        ring, fill = Ring(int(boxes.ring[box])), int(boxes.fill[box])
        ends = not boxes.open_left[box], not boxes.open_right[box]
        # A ring lies within the box, which takes the gap for it.
        inset = GAP / 2 if ring == Ring.NONE else RING / 2 - GAP / 2
        left = grid.margin + float(boxes.left[box]) + inset * ends[0]
        right = grid.margin + float(boxes.right[box]) - inset * ends[1]
        top = tops[int(boxes.row[box])]
        within = 0.0 if ring == Ring.NONE else RING / 2
        frame = QRectF(left, top + within, right - left, grid.box_height - 2 * within)
        painter.setPen(self._rings[ring])
        painter.setBrush(self._fills[fill])
        if not any(ends):
            painter.fillRect(frame, self._fills[fill])
        painter.drawPath(_outline(frame, RADIUS - within, *ends))
        if self._patterns and fill < ALL_FILLS and ring == Ring.NONE:
            corner = corner_inset(RADIUS, right - left)
            near, far = left + corner * ends[0], right - corner * ends[1]
            self._patterns.paint(painter, fill, near, far, top, dot_size(grid.box_height))
        if fill == UNKNOWN:
            foot = QRectF(left + 2, top + grid.box_height - 2, right - left - 4, 2)
            painter.fillRect(foot, brush(self._theme.error))


def _outline(frame: QRectF, radius: float, ends_left: bool, ends_right: bool) -> QPainterPath:
    """Return a rectangle with round corners at the ends of the token; open where it continues."""
    path = QPainterPath()
    radius = min(radius, frame.width() / 2)
    size = 2 * radius
    if ends_left and ends_right:
        path.addRoundedRect(frame, radius, radius)
    elif ends_left:
        path.moveTo(frame.right(), frame.bottom())
        path.lineTo(frame.left() + radius, frame.bottom())
        path.arcTo(frame.left(), frame.bottom() - size, size, size, 270, -90)
        path.arcTo(frame.left(), frame.top(), size, size, 180, -90)
        path.lineTo(frame.right(), frame.top())
    elif ends_right:
        path.moveTo(frame.left(), frame.top())
        path.lineTo(frame.right() - radius, frame.top())
        path.arcTo(frame.right() - size, frame.top(), size, size, 90, -90)
        path.arcTo(frame.right() - size, frame.bottom() - size, size, size, 0, -90)
        path.lineTo(frame.left(), frame.bottom())
    else:
        for y in (frame.top(), frame.bottom()):
            path.moveTo(frame.left(), y)
            path.lineTo(frame.right(), y)
    return path

"""The boxes behind tokens as shapes, for drawings that can be made larger without loss.

They look as those that `BoxPainter` makes of pixels. There are as many of them as fit into a
view, and a drawing is made once: here it may take its time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import dot_size
from bpe_gui.ui.tokens.boxes import GAP, RADIUS, RING, Boxes, Grid, Ring
from bpe_gui.ui.tokens.fills import PatternPainter, corner_inset


class BoxShapes:
    """Draws boxes, marks for spaces and bars under split characters, shape by shape."""

    def __init__(self, theme: Theme) -> None:
        fills = [*theme.tokens, theme.selection, theme.raised, theme.raised]
        self._fills = [QBrush(QColor(colour)) for colour in fills]
        self._tokens = len(theme.tokens)
        self._unknown = self._tokens + 1
        self._patterns = PatternPainter(theme.token_fills)
        self._rings = {
            int(Ring.NONE): QPen(Qt.PenStyle.NoPen),
            int(Ring.NEWEST): QPen(QColor(theme.accent), RING),
            int(Ring.OCCURRENCE): QPen(QColor(theme.text), RING),
        }
        self._background = QBrush(QColor(theme.panel))
        self._error = QBrush(QColor(theme.error))
        self._mark = QBrush(QColor(theme.token_muted))

    def paint(
        self,
        painter: QPainter,
        grid: Grid,
        boxes: Boxes,
        dots: tuple[NDArray[np.int64], NDArray[np.float64]],
        bars: Sequence[tuple[int, float, float]],
    ) -> None:
        """As `BoxPainter.paint`, with the same columns, straight into a drawing."""
        painter.save()
        painter.fillRect(QRectF(0, 0, grid.width, grid.height), self._background)
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
        ring, fill = int(boxes.ring[box]), int(boxes.fill[box])
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
        if self._patterns and fill < self._tokens and ring == Ring.NONE:
            corner = corner_inset(RADIUS, right - left)
            near, far = left + corner * ends[0], right - corner * ends[1]
            self._patterns.paint(painter, fill, near, far, top, dot_size(grid.box_height))
        if fill == self._unknown:
            foot = QRectF(left + 2, top + grid.box_height - 2, right - left - 4, 2)
            painter.fillRect(foot, self._error)


def _outline(frame: QRectF, radius: float, ends_left: bool, ends_right: bool) -> QPainterPath:
    """A rectangle whose corners are round where the token ends; open where it goes on."""
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

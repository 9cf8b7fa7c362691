"""The boxes behind tokens, painted with numpy.

Thousands of rounded rectangles take QPainter tens of milliseconds. All boxes have the same
height, so each pixel depends on three small numbers alone: how far it is from the upper or
lower edge, how far from the nearer side, and which look the box has. They index one table
of finished pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath

from bpe_gui.ui.theme.painting import NO_PEN, brush, pen, target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import (
    ALL_FILLS,
    TILE_HEIGHT,
    TILE_WIDTH,
    dot_size,
    tile,
)
from bpe_gui.ui.tokens.box_pictures import PatternPainter, corner_inset
from bpe_gui.ui.tokens.fonts import TokenFonts

SELECTION, UNKNOWN, QUIET = range(ALL_FILLS, ALL_FILLS + 3)
"""Fills besides those of a palette."""
_LEAST_GAP, _GAP = 1.6, 0.06
_LEAST_RADIUS, _RADIUS = 4.0, 0.09
"""In logical pixels, and for a box of height 1."""
_RING = 0.65
"""How thick a ring is, for a gap of width 1."""
_FAR = 1 << 20
_Colour = NDArray[np.float64]

Dots = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The rows of marks for spaces, and their places."""


def gap_of(box_height: float) -> float:
    """Return how much is between two boxes: more where boxes are higher.

    In logical pixels, so that boundaries are seen from as far away as the text can be read.
    """
    return max(_LEAST_GAP, _GAP * box_height)


def _ring_of(box_height: float) -> float:
    return max(_LEAST_GAP, _RING * gap_of(box_height))


def _radius_of(box_height: float) -> float:
    return max(_LEAST_RADIUS, _RADIUS * box_height)


class Ring(IntEnum):
    NONE = 0
    NEWEST = 1
    OCCURRENCE = 2


class Boxes(Struct):
    """Boxes to paint, as columns, sorted by row and then from left to right.

    `fill` is the number of one of the theme's fills, or SELECTION, UNKNOWN or QUIET. `open_left`
    and `open_right` are True where a token continues in another row.
    """

    row: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    fill: NDArray[np.int64]
    ring: NDArray[np.int64]
    open_left: NDArray[np.bool_]
    open_right: NDArray[np.bool_]


class Grid(Struct, frozen=True):
    """Where rows are in the image, in logical pixels.

    `tops` has the top of each row, `margin` is what is left free before the rows begin.
    """

    width: float
    height: float
    margin: float
    tops: Sequence[float]
    box_top: float
    box_height: float


class BoxPainter:
    """Paints boxes of one height, marks for spaces and bars under split characters into an image.

    The height is in logical pixels, as in the grids it is given.
    """

    def __init__(self, theme: Theme, scale: float, box_height: float) -> None:
        self.scale, self.box_height = scale, box_height
        self._gap = gap_of(box_height)
        self._radius = max(1, round(_radius_of(box_height) * scale))
        self._steps = self._radius + 2
        self._table = self._looks(theme)
        self._background = _pixel(_rgb(theme.panel))
        self._error = _pixel(_rgb(theme.error))
        self._ink = _pixel(_rgb(theme.token_fills.ink or theme.panel))
        self._tiles = np.array([tile(name) for name in theme.token_fills.all_patterns], np.bool_)
        self._mark = _pixel(_rgb(theme.token_muted))
        self._buffer: NDArray[np.uint32] = np.empty((0, 0), np.uint32)

    def paint(
        self,
        grid: Grid,
        boxes: Boxes,
        dots: Dots,
        bars: Sequence[tuple[int, float, float]],
    ) -> QImage:
        """Return an image of the whole viewport, background included.

        The image shares memory with the painter until the next call. `dots` are rows and
        places, `bars` are rows, left and right edges.
        """
        width, height = max(1, round(grid.width * self.scale)), round(grid.height * self.scale)
        if self._buffer.shape != (height, width):
            self._buffer = np.empty((height, width), np.uint32)
        self._buffer.fill(self._background)
        pixels, along = self._flat(grid, width, boxes)
        tops = [round((top + grid.box_top) * self.scale) for top in grid.tops]
        self._fill(pixels, tops, round(grid.box_height * self.scale))
        self._draw_patterns(pixels, along, tops, grid.box_height)
        self._marks(grid, tops, dots, bars)
        self._underline(grid, tops, boxes)
        image = QImage(self._buffer.data, width, height, width * 4, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self.scale)
        return image

    def _flat(
        self, grid: Grid, width: int, boxes: Boxes
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each row and column the place in the table, but for the vertical distance.

        And how far it is from the left side of its box.
        """
        rows = len(grid.tops)
        # A ring takes the gap, so that it does not touch the letters.
        gap = np.where(boxes.ring == Ring.NONE, self._gap / 2, -self._gap / 2 + 0.1)
        left = np.round((grid.margin + boxes.left + np.where(boxes.open_left, 0, gap)) * self.scale)
        right = np.round(
            (grid.margin + boxes.right - np.where(boxes.open_right, 0, gap)) * self.scale
        )
        start = np.clip(left.astype(np.int64), 0, width) + boxes.row * width
        end = np.clip(right.astype(np.int64), 0, width) + boxes.row * width
        edges = np.empty(2 * len(start) + 2, np.int64)
        edges[0], edges[-1] = 0, rows * width
        edges[1:-1:2], edges[2:-1:2] = start, end
        # A box begins where those before it end, be they wider than their own place.
        np.maximum.accumulate(edges, out=edges)
        start, end = edges[1:-1:2], edges[2:-1:2]
        lengths = np.diff(edges)
        look = np.zeros(len(lengths), np.int64)
        look[1::2] = 1 + boxes.fill * len(Ring) + boxes.ring
        near = np.zeros(len(lengths), np.int64)
        near[1::2] = start - np.where(boxes.open_left, _FAR, 0)
        far = np.zeros(len(lengths), np.int64)
        far[1::2] = end - 1 + np.where(boxes.open_right, _FAR, 0)
        column = np.arange(rows * width)
        along = column - np.repeat(near, lengths)
        distance = np.minimum(along, np.repeat(far, lengths) - column)
        distance = np.clip(distance, 0, self._steps - 1)
        flat: NDArray[np.int64] = np.repeat(look, lengths) * self._steps + distance
        return flat.reshape(rows, width), along.reshape(rows, width)

    def _fill(self, pixels: NDArray[np.int64], tops: list[int], height: int) -> None:
        """Write the rows of boxes, line by line where they are round, else all at once."""
        lines = [self._table[step][pixels] for step in range(self._steps)]
        limit = len(self._buffer)
        rounded = min(self._steps - 1, height // 2)
        for row, top in enumerate(tops):
            first, last = max(top, 0), min(top + height, limit)
            if first >= last:
                continue
            self._buffer[first:last] = lines[-1][row]
            for step in range(rounded):
                for y in (top + step, top + height - 1 - step):
                    if 0 <= y < limit:
                        self._buffer[y] = lines[step][row]

    def _draw_patterns(
        self,
        pixels: NDArray[np.int64],
        along: NDArray[np.int64],
        tops: list[int],
        box_height: float,
    ) -> None:
        """Ink the patterns along the heads of boxes that have no ring, within their corners."""
        if not len(self._tiles):
            return
        limit = len(self._buffer)
        dot = dot_size(box_height) * max(1, round(self.scale))
        fill, ring = np.divmod(pixels // self._steps - 1, len(Ring))
        patterned = (fill >= 0) & (fill < SELECTION) & (ring == Ring.NONE)
        fill = np.where(patterned, fill, 0)
        columns = along // dot % TILE_WIDTH
        for down in range(TILE_HEIGHT):
            inked = patterned & self._tiles[fill, down, columns]
            head = down * dot
            for row, top in enumerate(tops):
                for y in range(max(0, top + head), min(top + head + dot, limit)):
                    line = self._buffer[y]
                    line[inked[row] & (line != self._background)] = self._ink

    def _marks(
        self,
        grid: Grid,
        tops: list[int],
        dots: Dots,
        bars: Sequence[tuple[int, float, float]],
    ) -> None:
        limit, width = self._buffer.shape
        size = max(2, round(_dot_of(self._gap) * self.scale))
        middle = round(grid.box_height * self.scale * 0.54)
        if len(dots[0]):
            x = np.round((grid.margin + dots[1]) * self.scale - size / 2).astype(np.int64)
            y = np.array(tops, np.int64)[dots[0]] + middle
            inside = (x >= 0) & (x + size <= width) & (y >= 0) & (y + size <= limit)
            x, y = x[inside], y[inside]
            for down in range(size):
                for along in range(size):
                    self._buffer[y + down, x + along] = self._mark
        thickness = max(1, round(self.scale))
        below = round((grid.box_height - 3) * self.scale)
        for row, left, right in bars:
            top = tops[row] + below
            first = round((grid.margin + left + 4) * self.scale)
            last = round((grid.margin + right - 4) * self.scale)
            if top >= 0:
                self._buffer[top : top + thickness, max(0, first) : max(0, last)] = self._mark

    def _underline(self, grid: Grid, tops: list[int], boxes: Boxes) -> None:
        thickness = max(2, round(2 * self.scale))
        foot = round(grid.box_height * self.scale) - thickness
        for box in np.flatnonzero(boxes.fill == UNKNOWN).tolist():
            top = tops[boxes.row[box]] + foot
            first = round((grid.margin + float(boxes.left[box]) + 2) * self.scale)
            last = round((grid.margin + float(boxes.right[box]) - 2) * self.scale)
            if top >= 0:
                self._buffer[top : top + thickness, max(0, first) : max(0, last)] = self._error

    def _looks(self, theme: Theme) -> NDArray[np.uint32]:
        """Return the table of pixels: [vertical step][look and horizontal step]."""
        fills = np.array([_rgb(colour) for colour in fills_of(theme)])[:, None, None]
        thick = max(1, round(_ring_of(self.box_height) * self.scale))
        rings = {Ring.NEWEST: (theme.accent, thick), Ring.OCCURRENCE: (theme.text, thick)}
        outer = self._coverage(0)[..., None]
        around = _rgb(theme.panel) * (1 - outer)
        table = np.full(
            (self._steps, 1 + len(fills) * len(Ring), self._steps), _pixel(_rgb(theme.panel))
        )
        for ring in Ring:
            border, inset = rings.get(ring, ("", 0))
            edges, inner = _rgb(border) if border else fills, self._coverage(inset)[..., None]
            looks = _pixel(around + fills * inner + edges * (outer - inner))
            table[:, 1 + ring :: len(Ring)] = looks.swapaxes(0, 1)
        return table.reshape(self._steps, -1)

    def _coverage(self, inset: int) -> NDArray[np.float64]:
        """Return the share of each pixel in a rounded corner, by its distance from two edges."""
        place = np.arange(self._steps) + 0.5 - inset
        radius = max(self._radius - inset, 0)
        away = np.maximum(radius - place, 0)
        distance = np.hypot(away[:, None], away[None, :])
        covered = np.clip(radius - distance + 0.5, 0.0, 1.0)
        if radius == 0:
            covered = np.ones_like(covered)
        covered[away == 0, :] = 1.0
        covered[:, away == 0] = 1.0
        covered[place < 0, :] = 0.0
        covered[:, place < 0] = 0.0
        return covered


def _dot_of(gap: float) -> float:
    return max(2.0, gap)


def fills_of(theme: Theme) -> list[str]:
    return [*theme.token_fills.all_colours, theme.selection, theme.raised, theme.raised]


def _rgb(colour: str) -> _Colour:
    return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)], float)


def _pixel(colour: _Colour) -> NDArray[np.uint32]:
    """Colours as QImage wants them, opaque; their last axis is red, green, blue."""
    parts = np.round(colour).astype(np.uint32)
    red, green, blue = parts[..., 0], parts[..., 1], parts[..., 2]
    return np.asarray(0xFF000000 | (red << 16) | (green << 8) | blue, np.uint32)


_NO_DOTS: Dots = np.empty(0, np.int64), np.empty(0)


class BoxLayer:
    """Paints everything behind the texts of a viewport, in the colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pixels: BoxPainter | None = None
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
        pixels = self._pixels
        if pixels is None or (pixels.scale, pixels.box_height) != (target.scale, grid.box_height):
            pixels = self._pixels = BoxPainter(self._theme, target.scale, grid.box_height)
        painter.drawImage(0, 0, pixels.paint(grid, boxes, dots, bars))


class _BoxShapes:
    """Draws boxes, marks for spaces and bars under split characters, shape by shape.

    They look like those of `BoxPainter`. Speed does not matter: a drawing is made once, and shows
    no more boxes than a view.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._fills = [brush(colour) for colour in fills_of(theme)]
        self._patterns = PatternPainter(theme.token_fills)
        self._rings = {Ring.NEWEST: theme.accent, Ring.OCCURRENCE: theme.text}
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
        middle, gap = round(grid.box_height * 0.54), gap_of(grid.box_height)
        for row, x in zip(dots[0].tolist(), dots[1].tolist(), strict=True):
            left, size = grid.margin + x - _dot_of(gap) / 2, _dot_of(gap)
            painter.fillRect(QRectF(left, tops[row] + middle, size, size), self._mark)
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
        gap, radius = gap_of(grid.box_height), _radius_of(grid.box_height)
        thick = _ring_of(grid.box_height)
        # A ring lies within the box, which takes the gap for it.
        inset = gap / 2 if ring == Ring.NONE else thick / 2 - gap / 2
        left = grid.margin + float(boxes.left[box]) + inset * ends[0]
        right = grid.margin + float(boxes.right[box]) - inset * ends[1]
        top = tops[int(boxes.row[box])]
        within = 0.0 if ring == Ring.NONE else thick / 2
        frame = QRectF(left, top + within, right - left, grid.box_height - 2 * within)
        painter.setPen(NO_PEN if ring == Ring.NONE else pen(self._rings[ring], thick))
        painter.setBrush(self._fills[fill])
        if not any(ends):
            painter.fillRect(frame, self._fills[fill])
        painter.drawPath(_outline(frame, radius - within, *ends))
        if self._patterns and fill < ALL_FILLS and ring == Ring.NONE:
            corner = corner_inset(radius, right - left)
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

"""The boxes behind tokens, on whatever is painted on: as pixels, or as shapes in a drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from bpe_gui.ui.theme.painting import Target
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.box_shapes import BoxShapes
from bpe_gui.ui.tokens.boxes import Boxes, BoxPainter, Grid
from bpe_gui.ui.tokens.fonts import TokenFonts

Dots = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The rows in which marks for spaces stand, and their places."""


class BoxLayer:
    """Paints all that lies behind the texts of a viewport, in the colours of a theme.

    `selection`, `unknown` and `quiet` are fills besides the theme's token colours.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pixels = BoxPainter(theme, 1.0)
        self._shapes = BoxShapes(theme)
        self.selection = self._pixels.selection
        self.unknown = self._pixels.unknown
        self.quiet = self._pixels.quiet

    def paint(
        self,
        painter: QPainter,
        target: Target,
        size: tuple[int, int],
        margin: float,
        tops: Sequence[float],
        fonts: TokenFonts,
        boxes: Boxes,
        *,
        dots: Dots | None = None,
        bars: Sequence[tuple[int, float, float]] = (),
    ) -> None:
        """Paint a viewport of that width and height, background included.

        Rows begin at `tops`, and in them the boxes right of `margin`. `bars` are the rows and
        the edges of split characters.
        """
        if dots is None:
            dots = np.empty(0, np.int64), np.empty(0, np.float64)
        grid = Grid(*size, margin, tops, fonts.box_top, fonts.box_height, target.scale)
        if target.keeps_text:
            self._shapes.paint(painter, grid, boxes, dots, bars)
            return
        if target.scale != self._pixels.scale:
            self._pixels = BoxPainter(self._theme, target.scale)
        painter.drawImage(0, 0, self._pixels.paint(grid, boxes, dots, bars))

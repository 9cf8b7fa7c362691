"""Texts of a row token by token, for drawings that are read by programs of all kinds.

On the screen a row is painted in stretches that go over many tokens. Where a drawing is read
another font may be at hand: each token is to begin in its box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.picture import ShownRow


def paint_by_token(
    painter: QPainter,
    fonts: TokenFonts,
    text: str,
    shown: ShownRow,
    tokens: NDArray[np.int64],
) -> None:
    """Paint a row in which letters do not join and nothing runs backwards.

    `tokens` tells the token of each unit; the painter is where the row begins.
    """
    row = shown.row
    painter.setFont(fonts.body)
    begins = ~row.is_text
    begins[:1] = True
    begins[1:] |= (np.diff(tokens) != 0) | (np.diff(row.character) != 1) | ~row.is_text[:-1]
    places = np.flatnonzero(begins)
    for place, end in zip(places.tolist(), [*places[1:].tolist(), len(tokens)], strict=True):
        if row.is_text[place]:
            first, last = shown.first + row.character[[place, end - 1]]
            where = QPointF(float(row.left[place]), fonts.baseline)
            painter.drawText(where, text[first : last + 1])

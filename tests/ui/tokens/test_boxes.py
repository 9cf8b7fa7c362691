"""The boundary of two tokens is the wider the higher their boxes are."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.tokens.boxes import Boxes, BoxPainter, Grid, Ring, gap_of
from bpe_gui.ui.tokens.fonts import TokenFonts


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("height", [20, 60, 120])
def test_neighbours_of_one_colour_are_parted_in_proportion(
    qtbot: QtBot, height: int, scale: float
) -> None:
    no, none = np.array([False, False]), (np.empty(0, np.int64), np.empty(0))
    boxes = Boxes(
        np.zeros(2, np.int64), np.array([0.0, 100.0]), np.array([100.0, 200.0]), np.array([1, 1]),
        np.full(2, int(Ring.NONE)), no, no,
    )  # fmt: skip
    grid = Grid(200, height, 0, [0.0], 0, height)
    image = BoxPainter(DARK, scale, height).paint(grid, boxes, none, [])
    middle = image.height() // 2
    fills = [image.pixelColor(x, middle).name() for x in range(image.width())]
    inside = [fill != DARK.tokens[1] for fill in fills[int(50 * scale) : int(150 * scale)]]
    assert sum(inside) / scale == pytest.approx(gap_of(height), abs=1)
    assert gap_of(120) > 2 * gap_of(60) - 1 > gap_of(20)


def test_the_mark_of_the_end_of_a_word_is_smaller_than_the_word(qtbot: QtBot) -> None:
    for size in (12, 24, 60):
        font = QFont()
        font.setPixelSize(size)
        whole = QFontMetricsF(font).horizontalAdvance(END_OF_WORD)
        assert TokenFonts(font).label(END_OF_WORD) < (0.7 if size > 20 else 0.95) * whole

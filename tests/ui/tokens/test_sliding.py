"""Two tokens become one: the new colour spreads from where they met."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.boxes import Boxes, BoxPainter, Grid, Ring
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import Emphasis, boxes_of, seams_between, slide
from tests.ui.histories import byte_level


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_what_is_left_of_the_two_shrinks_from_the_seam(qtbot: QtBot, share: float) -> None:
    edited = EditedText(byte_level("low"))
    edited.edit("a low tower low")
    before, after = edited.cut(0), edited.cut(1)
    seams = seams_between(before, after)
    # Where “l” and “o”, or “o” and “w”, became one.
    assert len(seams.characters) == len(before) - len(after) > 1
    layout = TokenLayout(QFont())
    layout.show(after)
    rows = [layout.shown(row) for row in range(len(layout))]
    emphasis = Emphasis(0, 0, -2, -2, *np.zeros((2, len(after)), bool))
    whole = boxes_of(after, rows, emphasis, ColourBy.AGE)
    slid = slide(whole, rows, seams, share, ColourBy.AGE)
    assert len(slid.row) == len(whole.row) + 2 * len(seams.characters)
    assert (slid.left <= slid.right).all()
    # Together they cover what the boxes cover that the text ends with.
    assert (slid.right - slid.left).sum() == pytest.approx((whole.right - whole.left).sum())
    new = int(edited.history.new_id[0])
    fill = after.fills(np.flatnonzero(after.ids == new)[:1], ColourBy.AGE)[0]
    covered = (slid.right - slid.left)[slid.fill == fill].sum()
    ends = (whole.right - whole.left)[whole.fill == fill].sum()
    assert covered == pytest.approx(share * ends)


def test_a_text_without_the_pair_has_no_seam(qtbot: QtBot) -> None:
    edited = EditedText(byte_level("low"))
    edited.edit("bad")
    assert len(seams_between(edited.cut(0), edited.cut(1)).characters) == 0


def test_what_slides_within_a_narrow_token_takes_no_more_than_its_place(qtbot: QtBot) -> None:
    """A combining mark is narrower than the gap around its box."""
    places = np.array([0.0, 0.5, 0.5]), np.array([0.5, 0.5, 20.0])
    boxes = Boxes(
        np.zeros(3, np.int64), *places, np.array([1, 2, 3]), np.full(3, int(Ring.NONE)),
        np.array([False, True, True]), np.array([True, True, False]),
    )  # fmt: skip
    grid = Grid(30, 18, 0, [0.0], 0, 18)
    image = BoxPainter(DARK, 1.0, 18).paint(grid, boxes, (np.empty(0, np.int64), np.empty(0)), [])
    assert image.pixelColor(10, 9).name() == DARK.tokens[3]
    assert image.pixelColor(25, 9).name() == DARK.panel

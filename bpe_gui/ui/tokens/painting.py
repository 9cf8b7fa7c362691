"""Paints rows of tokens: boxes first, then the texts, then names and marks."""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPixmap

from bpe_gui.ui.theme.painting import Target, blank_picture, pen, target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.boxes import BoxLayer
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, TokenFonts
from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import Emphasis, Seams, ShownRow, boxes_of, slide, tokens_of_units

MARGIN = 10
"""Around the text, in logical pixels."""

_KEPT_LABELS = 2000


class LabelPictures:
    """Names, marks and bytes in hex, each drawn once: every row has the same few."""

    def __init__(self, theme: Theme) -> None:
        self._text, self._quiet = pen(theme.token_text), pen(theme.token_muted)
        self._kept: dict[tuple[str, bool], QPixmap] = {}
        self._kept_for: tuple[TokenFonts, float] | None = None

    def paint(
        self,
        painter: QPainter,
        target: Target,
        fonts: TokenFonts,
        place: tuple[int, int],
        text: str,
        *,
        quiet: bool,
    ) -> None:
        """Paint a label: `place` is where its text begins, and the top of the box."""
        x, y = place
        if target.keeps_text:
            painter.save()
            font, baseline = fonts.label_font(text)
            painter.setFont(font)
            painter.setPen(self._quiet if quiet else self._text)
            painter.drawText(x, y + baseline, text)
            painter.restore()
            return
        painter.drawPixmap(x - 1, y, self._picture(fonts, target.scale, text, quiet=quiet))

    def _picture(self, fonts: TokenFonts, scale: float, text: str, *, quiet: bool) -> QPixmap:
        """Return a label, a pixel wider than its text on both sides and as high as a box."""
        if self._kept_for != (fonts, scale) or len(self._kept) >= _KEPT_LABELS:
            self._kept_for = (fonts, scale)
            self._kept.clear()
        pixmap = self._kept.get((text, quiet))
        if pixmap is None:
            pixmap = self._kept[text, quiet] = self._draw(fonts, scale, text, quiet)
        return pixmap

    def _draw(self, fonts: TokenFonts, scale: float, text: str, quiet: bool) -> QPixmap:
        width = ceil(fonts.label(text) - 2 * LABEL_MARGIN) + 2
        pixmap = blank_picture(width, fonts.box_height, scale)
        with QPainter(pixmap) as painter:
            font, baseline = fonts.label_font(text)
            painter.setFont(font)
            painter.setPen(self._quiet if quiet else self._text)
            painter.drawText(1, baseline, text)
        return pixmap


class TokenPainter:
    """Holds what painting in one theme needs, so that a frame builds no Qt objects."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._boxes = BoxLayer(theme)
        self._labels = LabelPictures(theme)

    def paint(
        self,
        painter: QPainter,
        layout: TokenLayout,
        width: int,
        height: int,
        top: int,
        emphasis: Emphasis,
        sliding: tuple[Seams, float] | None = None,
    ) -> None:
        """Paint the part of a layout that begins `top` pixels below its first row's top.

        `width` and `height` are those of the viewport. `sliding` is where tokens are becoming one,
        and how much of that is done.
        """
        fonts = layout.fonts
        row_height = fonts.row_height
        first = layout.row_at(top)
        last = layout.row_at(top + height)
        rows = [layout.shown(row) for row in range(first, last + 1)]
        offset = first * row_height - top
        self._paint_boxes(painter, layout, rows, (width, height), offset, emphasis, sliding)
        self._paint_texts(painter, layout, rows, offset)

    def _paint_boxes(
        self,
        painter: QPainter,
        layout: TokenLayout,
        rows: list[ShownRow],
        size: tuple[int, int],
        offset: int,
        emphasis: Emphasis,
        sliding: tuple[Seams, float] | None,
    ) -> None:
        fonts = layout.fonts
        tops = [offset + number * fonts.row_height for number in range(len(rows))]
        dots = (
            np.repeat(np.arange(len(rows)), [len(shown.row.dots) for shown in rows]),
            np.concatenate([shown.row.dots for shown in rows]),
        )
        bars = [(number, *bar) for number, shown in enumerate(rows) for bar in shown.row.bars]
        by = self._theme.colour_by
        boxes = boxes_of(layout.cut, rows, emphasis, by)
        if sliding is not None:
            boxes = slide(boxes, rows, *sliding, by)
        self._boxes.paint(painter, size, MARGIN, tops, fonts, boxes, dots, bars)

    def _paint_texts(
        self, painter: QPainter, layout: TokenLayout, rows: list[ShownRow], offset: int
    ) -> None:
        fonts, target = layout.fonts, target_of(painter)
        painter.setPen(pen(self._theme.token_text))
        for number, shown in enumerate(rows):
            top = offset + number * fonts.row_height
            tokens = tokens_of_units(layout.cut, shown) if target.keeps_text else None
            paint_text(painter, fonts, layout.characters, shown, tokens, (MARGIN, top))
            for label in shown.row.labels:
                place = MARGIN + round(label.left), top + fonts.box_top
                self._labels.paint(painter, target, fonts, place, label.text, quiet=label.quiet)


def paint_text(
    painter: QPainter,
    fonts: TokenFonts,
    characters: Characters,
    shown: ShownRow,
    tokens: NDArray[np.int64] | None,
    place: tuple[int, int],
) -> None:
    """Paint the text of a row that begins at a place, without its labels.

    Given the token of each unit, it is written token by token where letters do not join and
    nothing runs backwards: where a drawing is read another font may be at hand, and each token
    is to begin in its box.
    """
    row = shown.row
    painter.save()
    painter.translate(*place)
    shaped = characters.is_shaped(shown.first, shown.last)
    if tokens is None or shaped or row.visual is not None:
        for text, origin in row.texts:
            text.draw(painter, origin)
    else:
        painter.setFont(fonts.body)
        begins = ~row.is_text
        begins[:1] = True
        begins[1:] |= (np.diff(tokens) != 0) | (np.diff(row.character) != 1) | ~row.is_text[:-1]
        units = np.flatnonzero(begins)
        for unit, end in zip(units.tolist(), [*units[1:].tolist(), len(tokens)], strict=True):
            if row.is_text[unit]:
                first, last = shown.first + row.character[[unit, end - 1]]
                where = QPointF(float(row.left[unit]), fonts.baseline)
                painter.drawText(where, characters.text[first : last + 1])
    painter.restore()

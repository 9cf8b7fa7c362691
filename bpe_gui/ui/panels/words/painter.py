"""How a row of the words panel is drawn: the word, its count, and its tokens in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontInfo, QFontMetrics, QPainter, QPen, QPixmap

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.panels.words.rows import WordRow
from bpe_gui.ui.theme.painting import target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.fills import TokenFiller
from bpe_gui.ui.widgets.cell_text import plainly

SCALES = (1.7, 1.35, 1.0)
"""Sizes of the text, times that of the font: the largest in which all words fit is taken."""

_MARGIN = 12
_COLUMN_GAP = 18
_RADIUS = 4
_LEAST_BETWEEN = 8
"""Pixels; the last between the boxes of two rows that stand close."""
_ROW = 2.35
_BOX = 1.6
_PADDING = 0.36
_GAP = 0.3
_SMALL = 0.74
"""Heights and widths for a font of size 1."""
_WIDEST_WORD = 0.36
"""The part of the width that the words may take."""
_MOST_BYTES = 60
_KEPT_BOXES = 4000
_ON_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Label:
    """A token as it is written: its text, and the end-of-word mark in small letters."""

    text: str
    tail: str
    text_width: int
    tail_width: int
    width: int


class Box(NamedTuple):
    """A token in a row: its place in the word, and where it stands."""

    place: int
    token: int
    left: int
    fill: int
    label: Label

    @property
    def right(self) -> int:
        """Where the box ends."""
        return self.left + self.label.width


class Placed(NamedTuple):
    """The boxes of a row, and how many tokens had no room."""

    boxes: tuple[Box, ...]
    hidden: int


class WordDrawing:
    """Lays out and paints rows. All numbers are pixels of the viewport."""

    def __init__(self, font: QFont) -> None:
        self._history: History | None = None
        self._scale = 1.0
        self._labels: dict[int, Label] = {}
        self._pixmaps: dict[tuple[int, int], QPixmap] = {}
        self._device_scale = 1.0
        self._words_width = self._count_width = 0
        self.width = 1
        self.set_font(font)

    # -- what the drawing depends on ---------------------------------------------------

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._pixmaps.clear()
        self._fills = TokenFiller(theme)
        self._marked = QBrush(QColor(theme.raised))
        self._text = QPen(QColor(theme.text))
        self._muted = QPen(QColor(theme.muted))
        self._token_text = QPen(QColor(theme.token_text))
        self._token_muted = QPen(QColor(theme.token_muted))
        self._line = QPen(QColor(theme.border))
        self._outline = QPen(QColor(theme.text), 2)
        self._glow = QPen(QColor(theme.accent), 2)
        self._focus = QBrush(QColor(theme.accent))

    def set_history(self, history: History | None) -> None:
        """Draw the tokens of another run."""
        self._history = history
        self._labels.clear()
        self._pixmaps.clear()

    def set_font(self, font: QFont) -> None:
        """Write in another font."""
        self._font = font
        self.set_scale(self._scale)

    def set_scale(self, scale: float) -> None:
        """Write that many times as large as the font."""
        self._scale = scale
        self._labels.clear()
        self._pixmaps.clear()
        self.body = _scaled(self._font, scale)
        self._small = _scaled(self._font, scale * _SMALL)
        self._metrics = QFontMetrics(self.body)
        self._small_metrics = QFontMetrics(self._small)
        self._widest = self._metrics.horizontalAdvance("W")
        size = QFontInfo(self.body).pixelSize()
        self.row_height = max(round(size * _ROW), self._metrics.height() + 8)
        self._box_height = max(round(size * _BOX), self._metrics.height() + 2)
        self._padding = max(3, round(size * _PADDING))
        self._gap = max(5, round(size * _GAP))

    def make_room(self, words: Sequence[str], greatest_count: int) -> None:
        """Fit the columns to some of the words and to the greatest count."""
        widest = max((self._metrics.horizontalAdvance(word) for word in words), default=0)
        # Widths are rounded, but what is a fraction wider than its room is cut short.
        self._words_width = widest + 1 if words else 0
        self._count_width = self._metrics.horizontalAdvance(f"{greatest_count:,}")

    def fill_with_rows(self, height: int, count: int) -> None:
        """Where not all of `count` rows have room in a height, have whole ones fill it.

        Rows stand closer if one more is seen then.
        """
        if count * self.row_height <= height:
            return
        rows = min(count, ceil(height / self.row_height))
        if height // rows < self._box_height + _LEAST_BETWEEN:
            rows -= 1
        if rows:
            self.row_height = height // rows

    # -- geometry -------------------------------------------------------------------------

    @property
    def word_width(self) -> int:
        """The room for the words; longer ones are cut short."""
        return min(self._words_width, round(self.width * _WIDEST_WORD))

    @property
    def count_right(self) -> int:
        """Where the counts end."""
        return _MARGIN + self.word_width + _COLUMN_GAP + self._count_width

    @property
    def tokens_left(self) -> int:
        """Where the tokens begin."""
        return self.count_right + _COLUMN_GAP + self._gap

    def place(self, row: WordRow) -> Placed:
        """Where the tokens of a row stand. What has no room is only counted."""
        assert self._history is not None
        limit = self.width - _MARGIN
        left, offset, fill = self.tokens_left, row.word, -1
        boxes: list[Box] = []
        for place, token in enumerate(row.tokens):
            label = self._label(token)
            if left + label.width > limit and place:
                break
            # The colour goes with the place in the word, so that merges leave it.
            wanted = offset % len(self._fills)
            fill = wanted if wanted != fill else (wanted + 1) % len(self._fills)
            boxes.append(Box(place, token, left, fill, label))
            left += label.width + self._gap
            offset += len(self._history.token_bytes(token))
        hidden = len(row.tokens) - len(boxes)
        more = self._metrics.horizontalAdvance(f"+{hidden:,}") if hidden else 0
        while hidden and len(boxes) > 1 and boxes[-1].right + self._gap + more > limit:
            boxes.pop()
            hidden += 1
        return Placed(tuple(boxes), hidden)

    def needed_width(self, row: WordRow) -> int:
        """The width at which a row has room for all its tokens, beside its whole word."""
        tokens = sum(self._label(token).width + self._gap for token in row.tokens)
        columns = self._words_width + self._count_width + 2 * _COLUMN_GAP + 2 * _MARGIN
        return max(columns + tokens + self._gap, round(self._words_width / _WIDEST_WORD))

    def _label(self, token: int) -> Label:
        label = self._labels.get(token)
        if label is None:
            label = self._labels[token] = self._make_label(token)
        return label

    def _make_label(self, token: int) -> Label:
        assert self._history is not None
        content, tail = self._history.token_bytes(token), ""
        if self._history.ends_word(token):
            content = content.removesuffix(END_OF_WORD.encode())
            tail = END_OF_WORD
        text = visible(content[:_MOST_BYTES]) + ("…" if len(content) > _MOST_BYTES else "")
        text_width = self._metrics.horizontalAdvance(text)
        tail_width = self._small_metrics.horizontalAdvance(tail)
        width = max(text_width + tail_width + 2 * self._padding, self._box_height // 2)
        return Label(text, tail, text_width, tail_width, width)

    # -- painting -------------------------------------------------------------------------

    def draw_background(self, painter: QPainter, top: int, focused: bool) -> None:
        """Mark the current row."""
        painter.fillRect(0, top, self.width, self.row_height, self._marked)
        if focused:
            painter.fillRect(0, top, 3, self.row_height, self._focus)

    def draw_line(self, painter: QPainter, top: int) -> None:
        """Draw a line above a row."""
        painter.setPen(self._line)
        painter.drawLine(_MARGIN, top, self.width - _MARGIN, top)

    def draw_row(
        self,
        painter: QPainter,
        top: int,
        row: WordRow,
        *,
        token: int = NO_TOKEN,
        place: int = -1,
    ) -> None:
        """Draw a word. `token` is outlined wherever it is, `place` is the current one."""
        baseline = top + (self.row_height + self._metrics.ascent() - self._metrics.descent()) // 2
        painter.setFont(self.body)
        painter.setPen(self._text)
        word, room = row.text, self.word_width
        # The widest character is rare; most words are known to fit without measuring them.
        if len(word) * self._widest > room:
            word = self._metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
        painter.drawText(_MARGIN, baseline, word)
        painter.setPen(self._muted)
        count_left, count_right = _MARGIN + room, self.count_right
        painter.drawText(
            count_left,
            top,
            count_right - count_left,
            self.row_height,
            _ON_THE_RIGHT,
            f"{row.count:,}",
        )
        placed = self.place(row)
        box_top = top + (self.row_height - self._box_height) // 2
        self._draw_boxes(painter, placed, box_top)
        self._draw_outlines(painter, placed, box_top, row, token, place)
        if placed.hidden or not row.whole:
            left = placed.boxes[-1].right + self._gap if placed.boxes else self.tokens_left
            painter.setPen(self._muted)
            painter.setFont(self.body)
            painter.drawText(left, baseline, f"+{placed.hidden:,}" if row.whole else "…")

    def _draw_boxes(self, painter: QPainter, placed: Placed, top: int) -> None:
        target = target_of(painter)
        if target.keeps_text:
            painter.save()
            for box in placed.boxes:
                painter.translate(box.left, top)
                self._draw_box(painter, box)
                painter.translate(-box.left, -top)
            painter.restore()
            return
        if target.scale != self._device_scale or len(self._pixmaps) > _KEPT_BOXES:
            self._device_scale = target.scale
            self._pixmaps.clear()
        for box in placed.boxes:
            key = box.token, box.fill
            pixmap = self._pixmaps.get(key)
            if pixmap is None:
                pixmap = self._pixmaps[key] = self._picture(box)
            painter.drawPixmap(box.left, top, pixmap)

    def _picture(self, box: Box) -> QPixmap:
        """Draw a token once and keep it: the same few come in every row."""
        scale = self._device_scale
        pixmap = QPixmap(ceil(box.label.width * scale), ceil(self._box_height * scale))
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self._draw_box(painter, box)
        painter.end()
        return pixmap

    def _draw_box(self, painter: QPainter, box: Box) -> None:
        """Draw a token whose upper left corner is the origin."""
        label, height = box.label, self._box_height
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._fills.paint(painter, box.fill, 0, 0, label.width, height, _RADIUS)
        baseline = (height + self._metrics.ascent() - self._metrics.descent()) // 2
        left = (label.width - label.text_width - label.tail_width) // 2
        painter.setFont(self.body)
        painter.setPen(self._token_text)
        painter.drawText(left, baseline, label.text)
        painter.setFont(self._small)
        painter.setPen(self._token_muted)
        painter.drawText(left + label.text_width, baseline, label.tail)

    def _draw_outlines(
        self, painter: QPainter, placed: Placed, top: int, row: WordRow, token: int, place: int
    ) -> None:
        boxes, height = placed.boxes, self._box_height
        if place >= 0 or token in row.tokens:
            painter.setPen(self._outline)
            for box in boxes:
                if box.token == token:
                    width = box.label.width
                    painter.drawRoundedRect(box.left, top, width, height, _RADIUS, _RADIUS)
                if box.place == place:
                    painter.drawLine(box.left, top + height + 3, box.right, top + height + 3)
        if not row.merging:
            return
        painter.setPen(self._glow)
        for first in row.merging:
            if first + 1 < len(boxes):
                left, width = boxes[first].left - 2, boxes[first + 1].right - boxes[first].left + 4
                radius = _RADIUS + 2
                painter.drawRoundedRect(left, top - 2, width, height + 4, radius, radius)


def _scaled(font: QFont, scale: float) -> QFont:
    scaled = plainly(font)
    if font.pointSizeF() > 0:
        scaled.setPointSizeF(font.pointSizeF() * scale)
    else:
        scaled.setPixelSize(max(1, round(font.pixelSize() * scale)))
    return scaled

"""Single tokens as boxes, painted once and kept: the same few come in row after row."""

from __future__ import annotations

from enum import IntEnum
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.theme.painting import Target
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.fills import TokenFiller

GAP = 3
"""Pixels between two boxes."""

_KEPT = 2000
_RADIUS = 5
_NOTE = 0.74
_INSET = 0.4
"""Sizes of the id, and of the room around a label, for a font of size 1."""


class Ring(IntEnum):
    """What is drawn around a box."""

    NONE = 0
    NEW = 1
    """The token was made just now."""


class Look(NamedTuple):
    """All that a box looks like.

    `colour` is an index of the theme's token colours, or -1 for what comes later, which
    is only outlined. `note` stands after the label, smaller.
    """

    label: str
    note: str
    colour: int
    ring: Ring
    underlined: bool


class BoxPictures:
    """Draws boxes of one height, for a font and a theme."""

    def __init__(self, family: QFont, size: int) -> None:
        self._pictures: dict[Look, QPixmap] = {}
        self._scale = 1.0
        self.set_font(family, size)

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._fills = TokenFiller(theme)
        self._text = QPen(QColor(theme.token_text))
        self._note = QPen(QColor(theme.token_muted))
        self._later = QPen(QColor(theme.muted))
        self._edge = QPen(QColor(theme.border), 1, Qt.PenStyle.DashLine)
        self._ring = QPen(QColor(theme.accent), 2)
        self._pictures.clear()

    def set_font(self, family: QFont, size: int) -> None:
        """Take a font of that many pixels."""
        self.font = QFont(family)
        self.font.setPixelSize(size)
        self.small = QFont(self.font)
        self.small.setPixelSize(max(9, round(size * _NOTE)))
        self.metrics = QFontMetrics(self.font)
        self.small_metrics = QFontMetrics(self.small)
        self.height = self.metrics.height() + 4
        self._inset = max(4, round(size * _INSET))
        self._advances: dict[str, int] = {}
        self._pictures = {}

    def advance(self, text: str) -> int:
        """How wide a text is in the font."""
        advance = self._advances.get(text)
        if advance is None:
            if len(self._advances) >= _KEPT:
                self._advances.clear()
            advance = self._advances[text] = self.metrics.horizontalAdvance(text)
        return advance

    def width(self, label: str, note: str) -> int:
        """How wide the box of a label and a note is."""
        width = self.advance(label) + 2 * self._inset
        if note:
            width += self.small_metrics.horizontalAdvance(note) + self._inset
        return width

    def paint(self, painter: QPainter, target: Target, left: int, top: int, look: Look) -> None:
        """Paint a box at a place."""
        if target.keeps_text:
            painter.save()
            painter.translate(left, top)
            self._draw(painter, look)
            painter.restore()
            return
        if target.scale != self._scale:
            self._scale = target.scale
            self._pictures.clear()
        painter.drawPixmap(left, top, self._picture(look))

    def _picture(self, look: Look) -> QPixmap:
        picture = self._pictures.get(look)
        if picture is None:
            if len(self._pictures) >= _KEPT:
                self._pictures.clear()
            width = self.width(look.label, look.note)
            picture = QPixmap(ceil(width * self._scale), ceil(self.height * self._scale))
            picture.setDevicePixelRatio(self._scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            self._draw(painter, look)
            painter.end()
            self._pictures[look] = picture
        return picture

    def _draw(self, painter: QPainter, look: Look) -> None:
        """Draw a box whose upper left corner is the origin."""
        width = self.width(look.label, look.note)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        later = look.colour < 0
        ring = self._ring if look.ring is Ring.NEW else None
        if later:
            painter.setPen(ring or self._edge)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(1, 1, width - 2, self.height - 2, _RADIUS, _RADIUS)
        else:
            self._fills.paint(painter, look.colour, 0, 0, width, self.height, _RADIUS, ring)
        baseline = (self.height + self.metrics.ascent() - self.metrics.descent()) // 2
        end = self._inset + self.advance(look.label)
        painter.setFont(self.font)
        painter.setPen(self._later if later else self._text)
        painter.drawText(self._inset, baseline, look.label)
        if look.underlined:
            painter.drawLine(self._inset, baseline + 3, end, baseline + 3)
        if look.note:
            painter.setPen(self._note)
            painter.setFont(self.small)
            painter.drawText(end + self._inset, baseline, look.note)


def id_text(token: int) -> str:
    """An id, or a question mark for what is not in the alphabet."""
    return "?" if token == NO_TOKEN else str(token)

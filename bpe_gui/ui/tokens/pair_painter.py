"""Write pairs of tokens around a plus, in the rows of the pair chart and of the guessing game."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.theme.painting import brush, mixed, pen, star
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.tables import plainly

ON_THE_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
ON_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LONGEST_LABEL = 100
"""Bytes that are laid out at all: a token of a whole paragraph would cost a frame."""


class PairPainter:
    """Paints pairs in one size, between two edges with the plus halfway; holds fonts and pens."""

    def __init__(self) -> None:
        self._star_place = QPointF()

    def take_colours(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.bar = QBrush(mixed(QColor(theme.muted), QColor(theme.panel), 0.42))

    def set_size(self, family: QFont, size: int) -> None:
        """Use a font of that many pixels."""
        self.size = size
        self.font = plainly(family)
        self.font.setPixelSize(size)
        self.bold = QFont(self.font)
        self.bold.setBold(True)
        self._metrics, self._bold_metrics = QFontMetricsF(self.font), QFontMetricsF(self.bold)
        self.digit = self._bold_metrics.horizontalAdvance("0")
        self._star = star(size * 0.46)
        self._gap = round(self.digit * 0.9)
        self._arm = max(2, round(self.digit * 0.3))

    def set_edges(self, left: int, right: int) -> None:
        """Place both tokens between two edges, in pixels."""
        self.left, self.right = left, right
        self.plus = (left + right) // 2

    def token_at(self, pair: tuple[int, int], x: float) -> int:
        """Return the token of a pair at a place of its row, or the newer one beside both."""
        if self.left <= x < self.plus:
            return pair[0]
        return pair[1] if self.plus <= x < self.right else max(pair)

    def draw_pair(
        self,
        painter: QPainter,
        history: History,
        pair: tuple[int, int],
        top: float,
        height: float,
        *,
        token: int = NO_TOKEN,
        bold: bool = False,
    ) -> None:
        """Draw a pair in a row, and a line under `token`, in the painter's font.

        `bold`: whether that is the bold font. Leaves another pen in the painter.
        """
        metrics = self._bold_metrics if bold else self._metrics
        self._draw_plus(painter, round(top + height / 2))
        y, room = round(top), round(height)
        left, right = self._labels(history, pair, metrics)
        left_end, right_edge = self.plus - self._gap, self.plus + self._gap
        painter.setPen(pen(self._theme.text))
        painter.drawText(0, y, left_end, room, ON_THE_RIGHT, left)
        painter.drawText(right_edge, y, self.right, room, ON_THE_LEFT, right)
        if token in pair:
            painter.setPen(pen(self._theme.accent))
            line = round(y + (room + metrics.ascent() - metrics.descent()) / 2) + 3
            if token == pair[0]:
                width = round(metrics.horizontalAdvance(left))
                painter.drawLine(left_end - width, line, left_end, line)
            if token == pair[1]:
                width = round(metrics.horizontalAdvance(right))
                painter.drawLine(right_edge, line, right_edge + width, line)

    def draw_star(self, painter: QPainter, x: float, y: float, *, filled: bool = True) -> None:
        """Draw the sign of the winner around a point."""
        self._star_place.setX(x)
        self._star_place.setY(y)
        painter.translate(self._star_place)
        painter.setPen(pen(self._theme.accent))
        painter.setBrush(brush(self._theme.accent) if filled else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(self._star)
        painter.translate(-x, -y)

    def _draw_plus(self, painter: QPainter, y: int) -> None:
        """Draw the plus between two tokens; a dot would look like the space of the text view."""
        fill = brush(self._theme.muted)
        arm, thickness = self._arm, max(1, self._arm // 3)
        side = 2 * arm + thickness
        painter.fillRect(self.plus - arm, y, side, thickness, fill)
        painter.fillRect(self.plus, y - arm, thickness, side, fill)

    def _labels(
        self, history: History, pair: tuple[int, int], metrics: QFontMetricsF
    ) -> tuple[str, str]:
        """Cut both tokens to their widths, at their outer ends, so that the seam is visible."""
        left = visible(history.token_bytes(pair[0])[-_LONGEST_LABEL:])
        right = visible(history.token_bytes(pair[1])[:_LONGEST_LABEL])
        return (
            metrics.elidedText(left, Qt.TextElideMode.ElideLeft, self.plus - self.left - self._gap),
            metrics.elidedText(
                right, Qt.TextElideMode.ElideRight, self.right - self.plus - self._gap
            ),
        )

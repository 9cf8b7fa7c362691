"""How the bars of a number are drawn: geometry, colours, and texts cut to their room.

All of it is laid out when the rows, the size, the font or the theme change; drawing a frame
only paints what is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen

from bpe_gui.analysis.metric_columns import Column
from bpe_gui.ui.compare.lossy import marked
from bpe_gui.ui.compare.metrics_model import MetricsRow
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme

_MARGIN = 8
_GAP = 8
_ROW_PADDING = 6
_TALLEST_ROW = 2.2
"""Heights of a line of text that a row takes where there is more room than rows."""
_NAME_SHARE = 0.38
"""The part of the width that names may take."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

_ELIDE = Qt.TextElideMode.ElideMiddle


@dataclass(frozen=True, slots=True)
class Bar:
    """One lane: where its name, its bar and its number stand, and whether it is best."""

    row: MetricsRow
    area: QRect
    name: str
    name_place: QRect
    bar: QRect
    written: str
    written_place: QRect
    best: bool


class BarDrawing:
    """Draws one number of some lanes; `bars` are in the order in which they stand."""

    def __init__(self, theme: Theme, font: QFont) -> None:
        self.bars: tuple[Bar, ...] = ()
        self._rows: tuple[MetricsRow, ...] = ()
        self._column: Column | None = None
        self._width, self._height = 1, 1
        self.set_theme(theme)
        self.set_font(font)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        panel, muted, accent = (QColor(c) for c in (theme.panel, theme.muted, theme.accent))
        self.background = QBrush(panel)
        self._bar = QBrush(mixed(muted, panel, 0.42))
        self._best_bar = QBrush(accent)
        self._current = QBrush(QColor(theme.raised))
        self._text, self.muted = QPen(QColor(theme.text)), QPen(muted)
        self._accent = QPen(accent)

    def set_font(self, font: QFont) -> None:
        """Take another font."""
        self._font, self._bold = QFont(font), QFont(font)
        self._bold.setBold(True)
        self._metrics, self._bold_metrics = QFontMetrics(self._font), QFontMetrics(self._bold)
        self._lay_out()

    def set_rows(self, rows: Sequence[MetricsRow], column: Column) -> None:
        """Draw other lanes, or another number of them."""
        self._rows, self._column = tuple(rows), column
        self._lay_out()

    def resize(self, width: int, height: int) -> None:
        """Lay the rows out for another size."""
        self._width, self._height = width, height
        self._lay_out()

    @property
    def least_height(self) -> int:
        """The height that all rows need."""
        return len(self._rows) * self._least_row + 2 * _MARGIN

    @property
    def _least_row(self) -> int:
        return self._metrics.height() + _ROW_PADDING

    def _lay_out(self) -> None:
        column = self._column
        if column is None or not self._rows:
            self.bars = ()
            return
        share = (self._height - 2 * _MARGIN) // len(self._rows)
        height = min(max(self._least_row, share), round(self._metrics.height() * _TALLEST_ROW))
        best = column.best(row.metrics for row in self._rows)
        numbers = [column.of(row.metrics) for row in self._rows]
        texts = [_text(row, column) for row in self._rows]
        room = int(self._width * _NAME_SHARE)
        names = [self._metrics.elidedText(row.name, _ELIDE, room) for row in self._rows]
        left = _MARGIN + max(self._metrics.horizontalAdvance(name) for name in names) + _GAP
        counted = [text for text, number in zip(texts, numbers, strict=True) if number is not None]
        wide = max((self._bold_metrics.horizontalAdvance(text) for text in counted), default=0)
        longest = max(self._width - left - _GAP - wide - _MARGIN, 1)
        largest = max((number for number in numbers if number is not None), default=0)
        bars = []
        for place, (row, number) in enumerate(zip(self._rows, numbers, strict=True)):
            top = _MARGIN + place * height
            length = round(longest * number / largest) if number and largest else 0
            end = left + length + (_GAP if number is not None else 0)
            bars.append(
                Bar(
                    row,
                    QRect(0, top, self._width, height),
                    names[place],
                    QRect(_MARGIN, top, left - _MARGIN, height),
                    QRect(left, top + height // 5, length, height - 2 * (height // 5)),
                    self._metrics.elidedText(texts[place], _ELIDE, self._width - end - _MARGIN)
                    if number is None
                    else texts[place],
                    QRect(end, top, self._width - end, height),
                    number is not None and number == best,
                )
            )
        self.bars = tuple(bars)

    def draw(self, painter: QPainter, area: QRect, current: int | None) -> None:
        """Paint all rows that touch an area, one of them as the current one."""
        for place, bar in enumerate(self.bars):
            if not bar.area.intersects(area):
                continue
            if place == current:
                painter.fillRect(bar.area, self._current)
            painter.setFont(self._font)
            painter.setPen(self._text)
            painter.drawText(bar.name_place, _LEFT, bar.name)
            painter.fillRect(bar.bar, self._best_bar if bar.best else self._bar)
            if bar.row.metrics is None:
                painter.setPen(self.muted)
            elif bar.best:
                painter.setFont(self._bold)
                painter.setPen(self._accent)
            painter.drawText(bar.written_place, _LEFT, bar.written)

    def place_at(self, y: int) -> int | None:
        """The number of the row at a height, None beside them."""
        return next(
            (n for n, bar in enumerate(self.bars) if bar.area.top() <= y <= bar.area.bottom()), None
        )


def _text(row: MetricsRow, column: Column) -> str:
    """What is written behind the bar of a lane; why, if it has no bar."""
    if row.metrics is None:
        return row.status or "no numbers yet"
    return marked(column.written(column.of(row.metrics)), lossy=row.lossy)

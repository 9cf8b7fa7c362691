"""One number of all encodings as bars."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.metrics_table import MetricsRow
from bpe_gui.ui.compare.tables import MARK_WIDTH
from bpe_gui.ui.compare.wording import LOSSY, TOLD, marked
from bpe_gui.ui.theme.painting import AT_LEFT, brush, mixed, pen
from bpe_gui.ui.theme.text_size import FontFollower, resized
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.canvas import Canvas
from bpe_gui.ui.widgets.labels import Note
from bpe_gui.ui.widgets.layouts import FlowLayout, filled
from bpe_gui.ui.widgets.names import elided_apart
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.presenting import Presentable

_MARGIN = 8
_GAP = 8
_ROW_PADDING = 6
_TALLEST_ROW = 2.2
"""The greatest height of a row, in lines of text."""
_THICKEST_IN_FIGURE = 4.4
"""The greatest thickness of a bar where rows share all of the height."""
_NAME_SHARE = 0.38
"""The part of the width that names may take."""

_ELIDE = Qt.TextElideMode.ElideMiddle
_STEPS: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class Bar(Struct, frozen=True):
    """One lane: the places of its name, its bar and its number, and whether it is the best."""

    row: MetricsRow
    area: QRect
    name: str
    name_place: QRect
    bar: QRect
    written: str
    written_place: QRect
    best: bool


class BarCanvas(Canvas[int]):
    """The bars. Up and Down go from lane to lane; Enter or a click selects one.

    They are laid out when the rows, the size or the font change, not when they are painted.
    """

    laneSelected = Signal(int)
    """The key of the lane that the user has selected."""
    least_room = QSize(70, 70)

    def __init__(self) -> None:
        super().__init__("metricBarCanvas", "")
        self.bars: tuple[Bar, ...] = ()
        """The bars from the top, in pixels from the top of all."""
        self._rows: tuple[MetricsRow, ...] = ()
        self._column = COLUMNS[0]
        self._current = 0
        ThemeFollower(self, self._take_colours)
        FontFollower(self, self._fit_to_font)

    def set_rows(self, rows: Sequence[MetricsRow], column: Column) -> None:
        """Draw other lanes, or another number."""
        self._rows, self._column = tuple(rows), column
        self._current = min(self._current, max(len(rows) - 1, 0))
        self._lay_out()
        self._update_accessible()

    def _take_colours(self, theme: Theme) -> None:
        self._bar = QBrush(mixed(QColor(theme.muted), QColor(theme.panel), 0.42))

    def _fit_to_font(self) -> None:
        self._bold = resized(self.font(), bold=True)
        self._lay_out()

    def _update_accessible(self) -> None:
        """Tell screen readers all numbers, the current lane first."""
        title, better = self._column.title, wording.BETTER[self._column.better]
        self.setAccessibleName(f"{title} of each encoding")
        bars = self.bars[self._current :] + self.bars[: self._current]
        spoken = [f"{bar.row.name} {bar.written}{', the best' * bar.best}" for bar in bars]
        heading = ", ".join(filter(None, (title, better)))
        self.describe(f"{heading}: {'; '.join(spoken)}" if spoken else wording.NO_BARS)

    def _lay_out(self) -> None:
        metrics, bold = self.fontMetrics(), QFontMetrics(self._bold)
        column, rows, width = self._column, self._rows, self.viewport().width()
        least, view = metrics.height() + _ROW_PADDING, self.height()
        share = (view - 2 * _MARGIN) // max(len(rows), 1)
        tallest = share if self.presents else round(metrics.height() * _TALLEST_ROW)
        height = min(max(least, share), max(least, tallest))
        thickest = round(metrics.height() * _THICKEST_IN_FIGURE)
        thickness = min(height - 2 * (height // 5), thickest)
        if share < least:
            view = _MARGIN + (view - _MARGIN) // least * least
        self.fit_viewport(view)
        self.fit_scroll_bar(_MARGIN + len(rows) * least, least)
        numbers = [column.of(row.metrics) for row in rows]
        texts = [_text(row, column) for row in rows]
        room = int(width * _NAME_SHARE)
        names = elided_apart([row.name for row in rows], metrics, room)
        left = _MARGIN + max(map(metrics.horizontalAdvance, names), default=0) + _GAP
        counted = [text for text, number in zip(texts, numbers, strict=True) if number is not None]
        wide = max(map(bold.horizontalAdvance, counted), default=0)
        longest = max(width - left - _GAP - wide - _MARGIN, 1)
        largest = max((number for number in numbers if number is not None), default=0)
        best = column.best(row.metrics for row in rows)
        bars = []
        for place, (row, name, text, number) in enumerate(
            zip(rows, names, texts, numbers, strict=True)
        ):
            top, length = _MARGIN + place * height, 0
            end, written = left, metrics.elidedText(text, _ELIDE, width - left - _MARGIN)
            if number is not None:
                length = round(longest * number / largest) if largest else 0
                end, written = left + length + _GAP, text
            area = QRect(0, top, width, height)
            name_place = QRect(_MARGIN, top, left - _MARGIN, height)
            drawn = QRect(left, top + (height - thickness) // 2, length, thickness)
            written_place = QRect(end, top, width - end, height)
            is_best = number is not None and number == best
            bars.append(Bar(row, area, name, name_place, drawn, written, written_place, is_best))
        self.bars = tuple(bars)
        self.message = "" if bars else wording.NO_BARS

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, brush(self._theme.panel))
        top = self.verticalScrollBar().value()
        painter.translate(0, -top)
        current = self.bars[self._current] if self.hasFocus() else None
        for bar in self.bars:
            if not bar.area.intersects(area.translated(0, top)):
                continue
            if bar is current:
                painter.fillRect(bar.area, brush(self._theme.raised))
            painter.setFont(self.font())
            painter.setPen(pen(self._theme.text))
            painter.drawText(bar.name_place, AT_LEFT, bar.name)
            painter.fillRect(bar.bar, brush(self._theme.accent) if bar.best else self._bar)
            if 0 <= bar.row.colour < len(self._theme.lines):
                colour = brush(self._theme.lines[bar.row.colour])
                painter.fillRect(0, bar.bar.y(), MARK_WIDTH, bar.bar.height(), colour)
            if bar.row.metrics is None:
                painter.setPen(pen(self._theme.muted))
            elif bar.best:
                painter.setFont(self._bold)
                painter.setPen(pen(self._theme.accent))
            painter.drawText(bar.written_place, AT_LEFT, bar.written)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def tooltip_at(self, point: QPoint) -> str:
        place = self._row_at(point)
        if place is None:
            return ""
        row, written = self.bars[place].row, self.bars[place].written
        lines = [f"{row.name}: {written} {self._column.title}"]
        if row.lossy:
            lines.append(f"{LOSSY} {row.explanation or 'lossy'}")
        return "\n".join([*lines, self._column.meaning])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._row_at(event.position().toPoint())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go_to(place)
            self.laneSelected.emit(self.bars[place].row.key)

    def takes(self, event: QKeyEvent) -> bool:
        return super().takes(event) and event.key() in _STEPS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.bars:
            super().keyPressEvent(event)
        elif event.key() in _STEPS:
            self._go_to(min(max(self._current + _STEPS[event.key()], 0), len(self.bars) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.laneSelected.emit(self.bars[self._current].row.key)
        else:
            super().keyPressEvent(event)

    def _row_at(self, point: QPoint) -> int | None:
        below = point + QPoint(0, self.verticalScrollBar().value())
        return next((n for n, bar in enumerate(self.bars) if bar.area.contains(below)), None)

    def _go_to(self, place: int) -> None:
        self._current = place
        self._update_accessible()
        area, scroll = self.bars[place].area, self.verticalScrollBar()
        lowest = area.bottom() + 1 - self.viewport().height()
        scroll.setValue(min(max(scroll.value(), lowest), area.top() - _MARGIN))
        self.viewport().update()


def _text(row: MetricsRow, column: Column) -> str:
    if row.metrics is None:
        return row.status or "no numbers yet"
    return marked(column.cell(row.metrics), lossy=row.lossy)


_LEAST_LETTERS = 11


class NumberBox(ElidingComboBox):
    """The columns of the table of numbers, with their meanings as tooltips."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, "The number that is drawn", "The number that is drawn")
        for place, column in enumerate(COLUMNS):
            self.addItem(column.title)
            self.setItemData(place, column.meaning, Qt.ItemDataRole.ToolTipRole)
        # The longest names would leave no room for what is beside the box.
        self.set_letters(_LEAST_LETTERS)

    @property
    def column(self) -> Column:
        return COLUMNS[self.currentIndex()]


class MetricBars(Presentable, QWidget):
    """Bars of one chosen number, in the order of the lanes or the best first."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("metricBars")
        self._rows: tuple[MetricsRow, ...] = ()
        self.box = NumberBox("barsNumber")
        tip = "Sort the bars by their numbers instead of in the order of the lanes"
        self.by_value = named(QCheckBox("Best first"), "barsBestFirst", tip=tip)
        self._better = quiet(QLabel())
        self._lossy = Note("barsLossy")
        self.canvas = BarCanvas()
        controls = QWidget()
        top = FlowLayout(controls, spacing=10)
        top.setContentsMargins(6, 4, 6, 0)
        for widget in (self.box, self.by_value, self._better):
            top.addWidget(widget)
        filled(QVBoxLayout(self), controls, self.canvas, self._lossy, stretched=self.canvas)
        self.box.currentIndexChanged.connect(self._draw)
        self.by_value.toggled.connect(self._draw)
        FontFollower(self, self._draw)
        self._draw()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        self._rows = tuple(rows)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        column = self.box.column
        # An audience does not see the box that names the number.
        title = column.title if self.presents else ""
        self._better.setText(", ".join(filter(None, (title, wording.BETTER[column.better]))))
        rows = self._rows
        mark = TOLD if column.better is Better.NEITHER else wording.NOT_THE_BEST
        self._lossy.say(mark if any(row.metrics and row.lossy for row in rows) else "")
        if self.by_value.isChecked():
            # The largest first where no value is better; lanes without a number last.
            sign = column.better or Better.MORE
            numbers = {row.key: column.of(row.metrics) for row in rows}
            order = {
                key: (number is None, -sign * (number or 0)) for key, number in numbers.items()
            }
            rows = tuple(sorted(rows, key=lambda row: order[row.key]))
        self.canvas.set_rows(rows, column)

"""One number of all encodings as bars, so that one sees at a glance which is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QScrollArea,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.metrics_model import MetricsRow
from bpe_gui.ui.compare.wording import LOSSY, TOLD, marked
from bpe_gui.ui.theme.painting import draw_message, mixed
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.labels import Note

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


class BarCanvas(QWidget):
    """The bars themselves. Arrow keys go from lane to lane; Enter or a click selects one.

    They are laid out when the rows, the size or the font change; painting only paints.
    """

    laneSelected = Signal(int)
    """The key of a lane that the user has selected."""
    currentMoved = Signal(int)
    """The height at which the row is that the user has gone to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("metricBarCanvas")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.bars: tuple[Bar, ...] = ()
        """In the order in which they stand."""
        self._rows: tuple[MetricsRow, ...] = ()
        self._column = COLUMNS[0]
        self._current = 0
        ThemeFollower(self, self._take_colours)

    def set_rows(self, rows: Sequence[MetricsRow], column: Column) -> None:
        """Draw other lanes, or another number of them."""
        self._rows, self._column = tuple(rows), column
        self._current = min(self._current, max(len(rows) - 1, 0))
        self._lay_out()
        self._update_accessible()

    def _take_colours(self, theme: Theme) -> None:
        panel, muted, accent = (QColor(c) for c in (theme.panel, theme.muted, theme.accent))
        self._background, self._current_row = QBrush(panel), QBrush(QColor(theme.raised))
        self._bar, self._best_bar = QBrush(mixed(muted, panel, 0.42)), QBrush(accent)
        self._text, self._muted = QPen(QColor(theme.text)), QPen(muted)
        self._accent = QPen(accent)

    def sizeHint(self) -> QSize:
        return QSize(420, max(self.minimumHeight(), 120))

    def _update_accessible(self) -> None:
        """Tell screen readers all numbers, the current lane first."""
        better = wording.BETTER[self._column.better]
        self.setAccessibleName(f"{self._column.title} of each encoding")
        spoken = [
            f"{bar.row.name} {bar.written}{', the best' if bar.best else ''}" for bar in self.bars
        ]
        spoken = spoken[self._current :] + spoken[: self._current]
        heading = f"{self._column.title}{f', {better}' if better else ''}: "
        self.setAccessibleDescription(heading + "; ".join(spoken) if spoken else wording.NO_BARS)

    def _lay_out(self) -> None:
        metrics, column, width = self.fontMetrics(), self._column, self.width()
        least = metrics.height() + _ROW_PADDING
        self.setMinimumHeight(len(self._rows) * least + 2 * _MARGIN)
        self.update()
        if not self._rows:
            self.bars = ()
            return
        share = (self.height() - 2 * _MARGIN) // len(self._rows)
        height = min(max(least, share), round(metrics.height() * _TALLEST_ROW))
        best = column.best(row.metrics for row in self._rows)
        numbers = [column.of(row.metrics) for row in self._rows]
        texts = [_text(row, column) for row in self._rows]
        room = int(width * _NAME_SHARE)
        names = [metrics.elidedText(row.name, _ELIDE, room) for row in self._rows]
        left = _MARGIN + max(map(metrics.horizontalAdvance, names)) + _GAP
        counted = [text for text, number in zip(texts, numbers, strict=True) if number is not None]
        bold = QFontMetrics(_bold(self.font()))
        wide = max(map(bold.horizontalAdvance, counted), default=0)
        longest = max(width - left - _GAP - wide - _MARGIN, 1)
        largest = max((number for number in numbers if number is not None), default=0)
        bars = []
        for place, (row, number) in enumerate(zip(self._rows, numbers, strict=True)):
            top, written = _MARGIN + place * height, texts[place]
            length = round(longest * number / largest) if number and largest else 0
            end = left + length + (_GAP if number is not None else 0)
            if number is None:
                written = metrics.elidedText(written, _ELIDE, width - end - _MARGIN)
            bar = Bar(
                row,
                QRect(0, top, width, height),
                names[place],
                QRect(_MARGIN, top, left - _MARGIN, height),
                QRect(left, top + height // 5, length, height - 2 * (height // 5)),
                written,
                QRect(end, top, width - end, height),
                number is not None and number == best,
            )
            bars.append(bar)
        self.bars = tuple(bars)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, or say why there are none."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._background)
        current = self.bars[self._current] if self.bars and self.hasFocus() else None
        bold = _bold(self.font())
        for bar in self.bars:
            if not bar.area.intersects(event.rect()):
                continue
            if bar is current:
                painter.fillRect(bar.area, self._current_row)
            painter.setFont(self.font())
            painter.setPen(self._text)
            painter.drawText(bar.name_place, _LEFT, bar.name)
            painter.fillRect(bar.bar, self._best_bar if bar.best else self._bar)
            if bar.row.metrics is None:
                painter.setPen(self._muted)
            elif bar.best:
                painter.setFont(bold)
                painter.setPen(self._accent)
            painter.drawText(bar.written_place, _LEFT, bar.written)
        if not self.bars:
            draw_message(painter, self.rect(), wording.NO_BARS, self._muted)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def event(self, event: QEvent) -> bool:
        """Answer to hovering with the name in full, and what the number means."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos())
            if place is None:
                QToolTip.hideText()
            else:
                bar = self.bars[place]
                lines = [f"{bar.row.name}: {bar.written} {self._column.title}"]
                if bar.row.lossy:
                    lines.append(f"{LOSSY} {bar.row.explanation or 'lossy'}")
                lines.append(self._column.meaning)
                QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go_to(place)
            self.laneSelected.emit(self.bars[place].row.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last, key = len(self.bars) - 1, event.key()
        if last < 0:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Down:
            self._go_to(min(self._current + 1, last))
        elif key == Qt.Key.Key_Up:
            self._go_to(max(self._current - 1, 0))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.laneSelected.emit(self.bars[self._current].row.key)
        else:
            super().keyPressEvent(event)

    def _place_at(self, point: QPoint) -> int | None:
        """The number of the row at a height, None beside them."""
        rows = (
            n for n, bar in enumerate(self.bars) if bar.area.top() <= point.y() <= bar.area.bottom()
        )
        return next(rows, None)

    def _go_to(self, place: int) -> None:
        self._current = place
        self._update_accessible()
        self.update()
        self.currentMoved.emit(self.bars[place].area.center().y())


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _text(row: MetricsRow, column: Column) -> str:
    """What is written behind the bar of a lane; why, if it has no bar."""
    if row.metrics is None:
        return row.status or "no numbers yet"
    return marked(column.written(column.of(row.metrics)), lossy=row.lossy)


class NumberBox(ComboBox):
    """All columns of the table of numbers, each with its meaning as tooltip."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("The number that is drawn")
        self.setToolTip("The number that is drawn")
        for place, column in enumerate(COLUMNS):
            self.addItem(column.title)
            self.setItemData(place, column.meaning, Qt.ItemDataRole.ToolTipRole)

    @property
    def column(self) -> Column:
        """The number that is chosen."""
        return COLUMNS[self.currentIndex()]


class MetricBars(QWidget):
    """Bars of one chosen number, as the lanes stand or the best first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("metricBars")
        self._rows: tuple[MetricsRow, ...] = ()
        self.box = NumberBox("barsNumber")
        self.by_value = QCheckBox("Best first")
        self.by_value.setObjectName("barsBestFirst")
        self.by_value.setToolTip("Sort the bars by their numbers instead of as the lanes stand")
        self._better = QLabel()
        self._better.setProperty("quiet", True)
        self._lossy = Note("barsLossy")
        self.canvas = BarCanvas()
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.canvas)
        controls = QWidget()
        top = FlowingRow(controls, spacing=10)
        top.setContentsMargins(6, 4, 6, 0)
        for widget in (self.box, self.by_value, self._better):
            top.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(controls)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self._lossy)
        self.box.currentIndexChanged.connect(self._draw)
        self.by_value.toggled.connect(self._draw)
        self.canvas.currentMoved.connect(self._keep_in_sight)
        self._draw()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show lanes."""
        self._rows = tuple(rows)
        self._draw()

    @Slot(int)
    def _keep_in_sight(self, y: int) -> None:
        self._scroll.ensureVisible(0, y, 0, self.canvas.fontMetrics().height())

    @Slot()
    def _draw(self) -> None:
        column = self.box.column
        self._better.setText(wording.BETTER[column.better])
        rows = self._rows
        mark = TOLD if column.better is Better.NEITHER else wording.NOT_THE_BEST
        self._lossy.say(mark if any(row.metrics and row.lossy for row in rows) else "")
        if self.by_value.isChecked():
            # The largest first where no value is better; lanes without a number last.
            sign = column.better or Better.MORE
            numbers = {row.key: column.of(row.metrics) for row in rows}
            counted = [row for row in rows if numbers[row.key] is not None]
            counted.sort(key=lambda row: -sign * (numbers[row.key] or 0))
            rows = (*counted, *(row for row in rows if numbers[row.key] is None))
        self.canvas.set_rows(rows, column)

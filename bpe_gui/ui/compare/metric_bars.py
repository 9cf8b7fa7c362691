"""One number of all encodings as bars, so that one sees at a glance which is best."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
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
from bpe_gui.ui.compare.bar_drawing import BarDrawing
from bpe_gui.ui.compare.lossy import LOSSY, TOLD
from bpe_gui.ui.compare.metrics_model import MetricsRow
from bpe_gui.ui.compare.number_box import NumberBox
from bpe_gui.ui.theme.theme import DARK, Theme
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.painted_message import draw_message

_LOW = 9
"""Lines in the height, from which on there is room for words."""
_NOTHING = "Add an encoding, and its numbers stand here as bars."
_NOT_THE_BEST = f"{TOLD}. Where anything is unknown, no number is called the best"
_BETTER = {Better.LESS: "less is better", Better.MORE: "more is better", Better.NEITHER: ""}


class BarCanvas(QWidget):
    """The bars themselves. Arrow keys go from lane to lane; Enter or a click selects one."""

    laneSelected = Signal(int)
    """The key of a lane that the user has selected."""
    currentMoved = Signal(int)
    """The height at which the row is that the user has gone to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("metricBarCanvas")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.drawing = BarDrawing(DARK, self.font())
        self._column = COLUMNS[0]
        self._current = 0

    def set_rows(self, rows: Sequence[MetricsRow], column: Column) -> None:
        """Draw other lanes, or another number of them."""
        self._column = column
        self.drawing.set_rows(rows, column)
        self._current = min(self._current, max(len(rows) - 1, 0))
        self.setMinimumHeight(self.drawing.least_height)
        self._say()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.drawing.set_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for all bars."""
        return QSize(420, max(self.drawing.least_height, 120))

    def _say(self) -> None:
        """Tell screen readers all numbers, the current lane first."""
        bars = self.drawing.bars
        better = _BETTER[self._column.better]
        self.setAccessibleName(f"{self._column.title} of each encoding")
        spoken = [
            f"{bar.row.name} {bar.written}{', the best' if bar.best else ''}" for bar in bars
        ]
        spoken = spoken[self._current :] + spoken[: self._current]
        heading = f"{self._column.title}{f', {better}' if better else ''}: "
        self.setAccessibleDescription(heading + "; ".join(spoken) if bars else _NOTHING)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, or say why there are none."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.drawing.background)
        if self.drawing.bars:
            current = self._current if self.hasFocus() else None
            self.drawing.draw(painter, event.rect(), current)
        else:
            draw_message(painter, self.rect(), _NOTHING, self.drawing.muted)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the bars out for the new size."""
        super().resizeEvent(event)
        self.drawing.resize(self.width(), self.height())

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.drawing.set_font(self.font())
            self.setMinimumHeight(self.drawing.least_height)

    def event(self, event: QEvent) -> bool:
        """Answer to hovering with the name in full, and what the number means."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.drawing.place_at(event.pos().y())
            if place is None:
                QToolTip.hideText()
            else:
                bar = self.drawing.bars[place]
                lines = [f"{bar.row.name}: {bar.written} {self._column.title}"]
                if bar.row.lossy:
                    lines.append(f"{LOSSY} {bar.row.explanation or 'lossy'}")
                lines.append(self._column.meaning)
                QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the lane that is clicked."""
        place = self.drawing.place_at(event.position().toPoint().y())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go_to(place)
            self.laneSelected.emit(self.drawing.bars[place].row.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another lane, or select it."""
        last, key = len(self.drawing.bars) - 1, event.key()
        if last < 0:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Down:
            self._go_to(min(self._current + 1, last))
        elif key == Qt.Key.Key_Up:
            self._go_to(max(self._current - 1, 0))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.laneSelected.emit(self.drawing.bars[self._current].row.key)
        else:
            super().keyPressEvent(event)

    def _go_to(self, place: int) -> None:
        self._current = place
        self._say()
        self.update()
        self.currentMoved.emit(self.drawing.bars[place].area.center().y())


class MetricBars(QWidget):
    """Bars of one chosen number, as the lanes stand or the best first."""

    laneSelected = Signal(int)
    """The key of a lane that the user has selected."""

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
        self._lossy = QLabel()
        self._lossy.setObjectName("barsLossy")
        self._lossy.setProperty("quiet", True)
        self._lossy.setContentsMargins(10, 0, 6, 2)
        self._lossy.setWordWrap(True)
        self._lossy.hide()
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
        self.canvas.laneSelected.connect(self.laneSelected)
        self.canvas.currentMoved.connect(self._keep_in_sight)
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another room."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Where there is little height, the bars have that of the words around them."""
        low = self.height() < _LOW * self.fontMetrics().lineSpacing()
        self._better.setVisible(not low)
        lossy = any(row.metrics is not None and row.lossy for row in self._rows)
        self._lossy.setVisible(lossy and not low)

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show lanes."""
        self._rows = tuple(rows)
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.canvas.set_theme(theme)

    @Slot(int)
    def _keep_in_sight(self, y: int) -> None:
        self._scroll.ensureVisible(0, y, 0, self.canvas.fontMetrics().height())

    @Slot()
    def _draw(self) -> None:
        column = self.box.column
        self._better.setText(_BETTER[column.better])
        rows = self._rows
        self._lossy.setText(TOLD if column.better is Better.NEITHER else _NOT_THE_BEST)
        self._share()
        if self.by_value.isChecked():
            # The largest first where no value is better; lanes without a number last.
            sign = column.better or Better.MORE
            numbers = {row.key: column.of(row.metrics) for row in rows}
            counted = [row for row in rows if numbers[row.key] is not None]
            counted.sort(key=lambda row: -sign * (numbers[row.key] or 0))
            rows = (*counted, *(row for row in rows if numbers[row.key] is None))
        self.canvas.set_rows(rows, column)

"""A table in which walls stand between symbols."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from bpe_gui.ui.laboratory.wall_models import CrossingModel, ForbiddenModel
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.cell_text import CellText, plainly
from bpe_gui.ui.widgets.painted_table import PaintedTable

AnyIndex = QModelIndex | QPersistentModelIndex

PADDING = 8
"""At both sides of what stands in a cell, in pixels."""
WALL = 3
"""Width of a wall in pixels."""
BESIDE_WALL = 5
_ROW_PADDING = 8


class WalledTable(PaintedTable):
    """A table with one current row, in which walls can be drawn."""

    rowDescribed = Signal(str)
    """What there is to say of the row that has become the current one."""

    def __init__(
        self, model: ForbiddenModel | CrossingModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, parent)
        self._spoken = model.spoken
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        columns = self.horizontalHeader()
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(1)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._place = QRectF()

    def sizeHint(self) -> QSize:
        """Room for some rows."""
        return QSize(300, 160)

    def minimumSizeHint(self) -> QSize:
        """The least that shows two rows."""
        return QSize(120, 70)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().set_theme(theme)
        panel, muted, accent = (QColor(c) for c in (theme.panel, theme.muted, theme.accent))
        self._text = QPen(QColor(theme.text))
        self._accent = QPen(accent)
        self._accent_brush = QBrush(accent)
        self._marked = QBrush(QColor(theme.raised))
        self._wall_brush = QBrush(QColor(theme.text))
        self._bar = QBrush(mixed(muted, panel, 0.55))
        self._pale = QBrush(mixed(muted, panel, 0.22))

    def fit(self) -> None:
        """Fit rows and columns to the font and the room."""
        self._cell_font = plainly(self.font())
        self._metrics = QFontMetrics(self._cell_font)
        self._cell_text = CellText(self._metrics)
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + _ROW_PADDING)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Share the room among the columns."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another room."""
        super().resizeEvent(event)
        self.fit_columns()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Say what the current row is about."""
        super().currentChanged(current, previous)
        if current.isValid():
            self.rowDescribed.emit(self._spoken(current.row()))
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer to hovering with the whole row in words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.rowAt(event.pos().y())
            text = f"<p>{escape(self._spoken(row))}</p>" if row >= 0 else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the first or the last row."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.model().rowCount():
            last = self.model().rowCount() - 1
            self.selectRow(0 if event.key() == Qt.Key.Key_Home else last)
            return
        super().keyPressEvent(event)

    # -- drawing -----------------------------------------------------------------------------

    def width_of(self, text: str) -> int:
        """Pixels that a text takes."""
        return self._metrics.horizontalAdvance(text)

    def draw_current(self, painter: QPainter, top: int, height: int) -> None:
        """Lift the current row from the background, and frame it if it has the keyboard."""
        width = self.viewport().width()
        painter.fillRect(0, top, width, height, self._marked)
        if self.hasFocus():
            painter.setPen(self._accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(0, top, width - 1, height - 1)

    def draw_wall(
        self, painter: QPainter, middle: int, top: int, height: int, *, hollow: bool
    ) -> None:
        """A wall from top to bottom of a row; a hollow one has lost what stood in it."""
        wall, inset = self._wall_brush, 3
        if hollow:
            painter.fillRect(middle - 3, top + inset, 1, height - 2 * inset, wall)
            painter.fillRect(middle + 2, top + inset, 1, height - 2 * inset, wall)
        else:
            left = middle - WALL // 2
            painter.fillRect(left, top + inset, WALL, height - 2 * inset, wall)

    def draw_number(self, painter: QPainter, column: int, baseline: int, text: str) -> None:
        """A text at the right of its column."""
        right = self.columnViewportPosition(column) + self.columnWidth(column) - PADDING
        painter.drawText(right - self.width_of(text), baseline, text)

    def baseline(self, top: int, height: int) -> int:
        """Where the text of a row stands."""
        return top + (height + self._metrics.ascent() - self._metrics.descent()) // 2

"""The table of the vocabulary: a QTableView that draws its own cells.

Qt asks a Python model for seven things for each cell it draws, which takes 30 ms a frame
with a screen full of rows. Drawn here, row by row, it takes three. Selecting, scrolling,
resizing columns, the keyboard and screen readers are Qt's, and so is the model.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from bpe_gui.ui.cell_text import CellText, plainly
from bpe_gui.ui.models.token_order import Column
from bpe_gui.ui.models.vocabulary_model import VocabularyModel
from bpe_gui.ui.theme import DARK, Theme

_ROW_PADDING = 8
_CELL_PADDING = 8
_WIDEST_ID = "999999"
_LEAST_BYTES, _MOST_BYTES = 3, 12
_LEAST_COUNT = "999,999"
_LEAST_TEXT = "WWWWW"
"""What the columns have room for."""
_SHARE_OF_BYTES = 0.4
"""Of the room that ids and counts leave."""

# Plain numbers: members of an enumeration take long to look up.
_TOKEN = int(Column.TOKEN)
_BYTES = int(Column.BYTES)
_ON_THE_RIGHT = (int(Column.ID), int(Column.COUNT))
_ALIGN_MESSAGE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


class VocabularyTable(QTableView):
    """Rows of a `VocabularyModel`, or the reason why there are none."""

    def __init__(self, model: VocabularyModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._message = ""
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        # All of it is painted here: Qt need not paint what lies behind.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        columns = self.horizontalHeader()
        columns.setSectionsClickable(True)
        columns.setHighlightSections(False)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicator(Column.ID, Qt.SortOrder.AscendingOrder)
        columns.setMinimumSectionSize(24)
        self.set_theme(DARK)
        self.fit()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._background = QBrush(QColor(theme.panel))
        self._selection = QBrush(QColor(theme.selection))
        self._text = QPen(QColor(theme.text))
        self._muted = QPen(QColor(theme.muted))
        self._newest = QPen(QColor(theme.accent))
        self._selected_text = QPen(QColor(theme.token_text))
        self.viewport().update()

    def set_message(self, message: str) -> None:
        """The sentence that is shown while the table has no rows."""
        if message != self._message:
            self._message = message
            self.viewport().update()

    def fit(self, greatest_count: int = 0) -> None:
        """Fit the rows to the font, and the columns of numbers to what they have to hold."""
        self._cell_font = plainly(self.font())
        metrics = QFontMetrics(self._cell_font)
        self._metrics = metrics
        self._cell_text = CellText(metrics)
        self._byte = max(metrics.horizontalAdvance(f"{digit}{digit} ") for digit in "09abcdef")
        self._space = metrics.horizontalAdvance(" ")
        self._ellipsis = metrics.horizontalAdvance("…")
        self.verticalHeader().setDefaultSectionSize(metrics.height() + _ROW_PADDING)
        widest_count = max(_LEAST_COUNT, f"{greatest_count:,}", key=len)
        for column, text in ((Column.ID, _WIDEST_ID), (Column.COUNT, widest_count)):
            width = metrics.horizontalAdvance(text) + 2 * _CELL_PADDING
            self.horizontalHeader().resizeSection(column, width)
        self._share_the_rest()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the room that the numbers leave to tokens, bytes and parents."""
        super().resizeEvent(event)
        self._share_the_rest()

    def _share_the_rest(self) -> None:
        numbers = (Column.ID, Column.COUNT)
        rest = self.viewport().width() - sum(self.columnWidth(column) for column in numbers)
        least_bytes, most_bytes = (
            number * self._byte + 2 * _CELL_PADDING for number in (_LEAST_BYTES, _MOST_BYTES)
        )
        in_hex = min(max(least_bytes, int(rest * _SHARE_OF_BYTES)), most_bytes)
        rest -= in_hex
        least = self._metrics.horizontalAdvance(_LEAST_TEXT) + 2 * _CELL_PADDING
        token = max(least, rest * 9 // 20)
        columns = self.horizontalHeader()
        columns.resizeSection(Column.TOKEN, token)
        columns.resizeSection(Column.BYTES, in_hex)
        columns.resizeSection(Column.PARENTS, max(least, rest - token))

    def show_current(self, row: int | None) -> None:
        """Select a row, or none, without scrolling to it."""
        if row is None:
            self.selectionModel().clear()
            return
        scrolls = self.hasAutoScroll()
        self.setAutoScroll(False)
        flag = QItemSelectionModel.SelectionFlag
        index = self._rows.index(row, Column.TOKEN)
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        self.setAutoScroll(scrolls)

    # -- drawing -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows in view, or the message if there are none."""
        painter = QPainter(self.viewport())
        painter.setFont(self._cell_font)
        area = event.rect()
        painter.fillRect(area, self._background)
        rows = self._rows.rowCount()
        if rows == 0:
            painter.setPen(self._muted)
            inner = self.viewport().rect().adjusted(16, 8, -16, -8)
            painter.drawText(inner, _ALIGN_MESSAGE, self._message)
        else:
            self._draw_rows(painter, area, rows)
        painter.end()

    def _draw_rows(self, painter: QPainter, area: QRect, rows: int) -> None:
        height = self.verticalHeader().defaultSectionSize()
        first = max(0, self.rowAt(area.top()))
        top = self.rowViewportPosition(first)
        last = min(rows, first + (area.bottom() - top) // height + 1)
        current = self.currentIndex()
        selected = current.row() if current.isValid() else -1
        newest = self._rows.newest_row()
        if first <= selected < last:
            place = top + (selected - first) * height
            painter.fillRect(0, place, self.viewport().width(), height, self._selection)
        baseline = top + (height + self._metrics.ascent() - self._metrics.descent()) // 2
        plain, special = [], []
        for row in range(first, last):
            cells = (baseline + (row - first) * height, self._rows.cells(row))
            if row == selected:
                special.append((self._selected_text, cells))
            elif row == newest:
                special.append((self._newest, cells))
            else:
                plain.append(cells)
        # Column by column, for each change of the pen takes time.
        for column in range(len(Column)):
            painter.setPen(self._text if column == _TOKEN else self._muted)
            self._draw_column(painter, column, plain)
            for pen, cells in special:
                painter.setPen(pen)
                self._draw_column(painter, column, [cells])

    def _draw_column(
        self, painter: QPainter, column: int, rows: list[tuple[int, tuple[str, ...]]]
    ) -> None:
        """Draw one cell of each row; the rows are baselines and the texts of all columns."""
        left = self.columnViewportPosition(column) + _CELL_PADDING
        room = self.columnWidth(column) - 2 * _CELL_PADDING
        on_the_right = column in _ON_THE_RIGHT
        cell_text = self._cell_text
        for baseline, texts in rows:
            text = texts[column]
            if column == _BYTES:
                painter.drawText(left, baseline, self._fit_bytes(text, room))
                continue
            if not on_the_right:
                painter.drawText(left, baseline, cell_text.fit(text, room))
                continue
            number = text[0].isdigit()
            used = cell_text.number_width(text) if number else self._metrics.horizontalAdvance(text)
            painter.drawText(left + room - used, baseline, text)

    def _fit_bytes(self, text: str, room: int) -> str:
        """As many whole bytes as have room, in all rows as many, with an ellipsis after them."""
        # Three characters for each byte, of which the last has no space after it.
        if (len(text) + 1) // 3 * self._byte - self._space <= room:
            return text
        return f"{text[: max(0, room - self._ellipsis) // self._byte * 3]}…"

    # -- copying -----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selected row as its cells with tabs between them."""
        current: QModelIndex = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy) and current.isValid():
            QGuiApplication.clipboard().setText("\t".join(self._rows.cells(current.row())))
            return
        super().keyPressEvent(event)

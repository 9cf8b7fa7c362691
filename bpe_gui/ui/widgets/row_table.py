"""The base of tables."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget


class RowTable(QTableView):
    """Rows of equal height, of which one can be current. None is cut off at an edge."""

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # By items, Qt would let the last row be whole at the end, and not the first in view.
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def row_height(self) -> int:
        """The height of a row, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    @property
    def rows_in_view(self) -> range:
        """The rows that are drawn: at least one, and none that is cut off at the lower edge.

        The scroll bar shows that there are more.
        """
        first = max(0, self.rowAt(0))
        room = self.viewport().height() - self.rowViewportPosition(first)
        return range(first, first + max(1, room // self.row_height))

    def updateGeometries(self) -> None:
        """Extend the range of the scroll bar, so that at the end, too, the first row is whole."""
        bar, height = self.verticalScrollBar(), self.row_height
        before = bar.value()
        super().updateGeometries()
        end = bar.maximum()
        if beyond := end % height:
            bar.setMaximum(end + height - beyond)
            if before > end:
                bar.setValue(before)  # Qt has limited it to its own end

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll to a row, and let no other be cut off under the headings."""
        super().scrollTo(index, hint)
        bar, height = self.verticalScrollBar(), self.row_height
        if cut := bar.value() % height:
            bar.setValue(bar.value() + height - cut)

    def paintEvent(self, event: QPaintEvent) -> None:
        rows = self.rows_in_view
        height = self.rowViewportPosition(rows.start) + len(rows) * self.row_height
        drawn = event.region().intersected(QRect(0, 0, self.viewport().width(), height))
        super().paintEvent(QPaintEvent(QRegion(drawn)))

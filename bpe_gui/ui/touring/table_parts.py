"""Rows and columns of tables that a tour points to: they are scrolled into view and found there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QTimer, Signal, Slot
from PySide6.QtWidgets import QTableView

_LAID_OUT = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show})


class TableParts(QObject):
    """Keeps parts of tables in view as these are laid out anew, until the user scrolls."""

    moved = Signal()
    """What stands in the tables may stand elsewhere now."""

    def __init__(self, tables: Iterable[QTableView], parent: QObject) -> None:
        super().__init__(parent)
        self._wanted: list[tuple[QTableView, Callable[[], QModelIndex]]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._scroll)
        for table in tables:
            table.viewport().installEventFilter(self)
            for bar in (table.horizontalScrollBar(), table.verticalScrollBar()):
                bar.valueChanged.connect(self.moved)
                bar.actionTriggered.connect(self._on_user)

    def keep_in_view(self, table: QTableView, index: Callable[[], QModelIndex]) -> None:
        """Have a cell in view, too. Where not all have room, those named first have."""
        self._wanted.append((table, index))
        self._soon.start()

    def forget(self) -> None:
        """Keep nothing in view any more."""
        self._wanted.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow tables that are laid out anew; keep nothing from anybody."""
        if event.type() in _LAID_OUT:
            self._soon.start()
        return False

    @Slot()
    def _scroll(self) -> None:
        for table, index in reversed(self._wanted):
            if table.isVisible():
                table.scrollTo(index())
        self.moved.emit()

    @Slot()
    def _on_user(self) -> None:
        self.forget()


def row_area(table: QTableView, row: int) -> QRect:
    """Where a row stands in the table's pixels, as far as it is in view."""
    seen = table.viewport().geometry()
    top = seen.top() + table.rowViewportPosition(row)
    width = table.horizontalHeader().length()
    return QRect(seen.left(), top, width, table.rowHeight(row)).intersected(seen)


def column_area(table: QTableView, column: int) -> QRect:
    """Where a column stands with its heading in the table's pixels, as far as it is in view."""
    seen = table.viewport().geometry()
    seen.setTop(table.horizontalHeader().geometry().top())
    left = seen.left() + table.columnViewportPosition(column)
    rows = table.verticalHeader().length() + table.horizontalHeader().height()
    return QRect(left, seen.top(), table.columnWidth(column), rows).intersected(seen)

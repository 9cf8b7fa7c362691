"""Rows and columns of tables that a tour points to: they are brought into view and found there.

Where a table has not room for all, they move next to the one that tells what the others are:
rows below the language that is compared with, columns beside the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QTimer, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QTableView

_LAID_OUT = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show})


@dataclass(frozen=True)
class Part:
    """Where a part of a table stands now, as the table is sorted.

    index: its first cell. beside: the first cell of what tells what it is, in the same table.
    """

    table: QTableView
    index: Callable[[], QModelIndex]
    beside: Callable[[], QModelIndex]


class TableParts(QObject):
    """Keeps parts of tables in view as these are laid out anew, until the user scrolls."""

    moved = Signal()
    """What stands in the tables may stand elsewhere now."""

    def __init__(self, tables: Iterable[QTableView], parent: QObject) -> None:
        super().__init__(parent)
        self._tables = tuple(tables)
        self._wanted: list[Part] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._scroll)
        for table in self._tables:
            table.viewport().installEventFilter(self)
            table.model().layoutChanged.connect(self._on_sorted)
            for bar in (table.horizontalScrollBar(), table.verticalScrollBar()):
                bar.valueChanged.connect(self.moved)
                bar.actionTriggered.connect(self._on_user)

    def keep_in_view(self, part: Part) -> None:
        """Have a part in view, too. Where not all have room, those named first have."""
        self._wanted.append(part)
        self._soon.start()

    def forget(self) -> None:
        """Keep nothing in view any more, and have all in its usual order."""
        self._wanted.clear()
        for table in self._tables:
            _in_order(table.verticalHeader(), [])
            _in_order(table.horizontalHeader(), [])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow tables that are laid out anew; keep nothing from anybody."""
        if event.type() in _LAID_OUT:
            self._soon.start()
        return False

    @Slot()
    def _scroll(self) -> None:
        self._move_together()
        for part in reversed(self._wanted):
            if part.table.isVisible():
                part.table.scrollTo(part.index())
                part.table.scrollTo(part.beside())
        self.moved.emit()

    def _move_together(self) -> None:
        """Have what is wanted beside what tells what it is, where not all have room."""
        for table in self._tables:
            parts = [part for part in self._wanted if part.table is table]
            cells = [cell() for part in parts for cell in (part.beside, part.index)]
            view, rows, columns = table.viewport(), table.verticalHeader(), table.horizontalHeader()
            fits = rows.length() <= view.height()
            _in_order(rows, [] if fits else list(dict.fromkeys(cell.row() for cell in cells)))
            fits = columns.length() <= view.width()
            _in_order(columns, [] if fits else list(dict.fromkeys(cell.column() for cell in cells)))

    @Slot()
    def _on_sorted(self) -> None:
        if self._wanted:
            self._soon.start()

    @Slot()
    def _on_user(self) -> None:
        self._wanted.clear()


def _in_order(header: QHeaderView, first: Sequence[int]) -> None:
    """Let these sections stand first, and then all others in their usual order."""
    if not first and not header.sectionsMoved():
        return
    others = (section for section in range(header.count()) if section not in first)
    for place, section in enumerate([*first, *others]):
        if header.visualIndex(section) != place:
            header.moveSection(header.visualIndex(section), place)


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

"""Tables of numbers in the order of any column."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

SORT_ROLE = Qt.ItemDataRole.UserRole
"""What a cell is sorted by: a float, or None where there is no number."""


class SortedNumbers(QSortFilterProxyModel):
    """Sorts by `SORT_ROLE`; cells without a number stand last in either order.

    For tables of some dozen rows: each comparison is made in Python.
    """

    def lessThan(
        self, left: QModelIndex | QPersistentModelIndex, right: QModelIndex | QPersistentModelIndex
    ) -> bool:
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if first is None or second is None:
            descending = self.sortOrder() == Qt.SortOrder.DescendingOrder
            return second is not None and descending if first is None else not descending
        return bool(first < second)


def show_sorted(table: QTableView, numbers: SortedNumbers) -> None:
    """Show numbers in a table that sorts by its headings, in which one row can be current."""
    table.setModel(numbers)
    table.setSortingEnabled(True)
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)

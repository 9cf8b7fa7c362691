"""What the tables of numbers have in common: any column sorts them, and they can be written out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QTableView,
)

from bpe_gui.exporting.tables import comma_separated, tab_separated
from bpe_gui.files import write_atomically
from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.widgets.sort_keys import SortKeys

_ABOUT = "export"

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


class NumbersModel(QAbstractTableModel):
    """A model that can be written out."""

    def lines(self) -> list[Sequence[object]]:
        """Headings and rows, numbers unrounded, None where there is none."""
        raise NotImplementedError


class NumbersTable(QTableView):
    """Sorts by a click on a heading; one row can be current.

    It can be copied, and written to a file as CSV. The keys for that (Ctrl+C, Ctrl+Shift+X) hold
    where the focus is here: elsewhere they mean something else, or nothing.
    """

    problem = Signal(str, str)
    """What it is about (an export), and that the table cannot be written: one sentence for the
    user, or nothing if the last one is over."""

    def __init__(
        self,
        model: NumbersModel,
        what: str,
        file_name: str,
        header: QHeaderView,
    ) -> None:
        """`what` begins the actions' object names, as in "copyMetricsAction"."""
        super().__init__()
        self._model, self._file_name = model, file_name
        self.sorted = SortedNumbers(self)
        self.sorted.setSourceModel(model)
        self.sorted.setSortRole(SORT_ROLE)
        self.setHorizontalHeader(header)
        self.setModel(self.sorted)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        self.copy = self.add_action("Copy the table", f"copy{what}Action", copy)
        self.copy.triggered.connect(self.copy_table)
        export = QKeySequence("Ctrl+Shift+X")
        self.export = self.add_action("Export as CSV…", f"export{what}Action", export)
        self.export.triggered.connect(self.ask_where_to_export)
        SortKeys(self, what)

    def row_of(self, place: int) -> QModelIndex:
        """Where a row of the model stands now, as the table is sorted."""
        return self.sorted.mapFromSource(self._model.index(place, 0))

    def add_action(self, text: str, name: str, key: QKeySequence) -> QAction:
        """Add an action whose key holds with the focus here."""
        action = QAction(text, self)
        action.setObjectName(name)
        action.setShortcut(key)
        action.setToolTip(f"{text} ({keys_of(action)})")
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    @Slot()
    def copy_table(self) -> None:
        """Put the table on the clipboard."""
        QGuiApplication.clipboard().setText(tab_separated(self._model.lines()))

    @Slot()
    def ask_where_to_export(self) -> None:
        """Let the user name a file, and write the table into it."""
        name, _ = QFileDialog.getSaveFileName(
            self, "Export the numbers", self._file_name, "Comma-separated values (*.csv)"
        )
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Write the numbers as CSV, whole or not at all."""
        try:
            write_atomically(path, comma_separated(self._model.lines()))
        except OSError as error:
            self.problem.emit(_ABOUT, f"{path} cannot be written: {error.strerror or error}.")
        else:
            self.problem.emit(_ABOUT, "")

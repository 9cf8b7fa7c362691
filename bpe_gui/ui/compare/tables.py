"""The base of tables of numbers: sorted by any column, copied, and exported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.sort_keys import SortKeys

_ABOUT = "export"
_ROW_PADDING = 5

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole
"""The key by which a cell is sorted: a float, or None where there is no number."""

_ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole
_OF_CELLS = frozenset(
    {
        *(Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole),
        *(Qt.ItemDataRole.BackgroundRole, SORT_ROLE),
    }
)
"""The roles that `NumbersModel.cell` answers; Qt asks for more with each cell that it draws."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SortedNumbers(QSortFilterProxyModel):
    """Sorts by `SORT_ROLE`; cells without a number are last in either order.

    For tables of some dozen rows: each comparison runs in Python.
    """

    def lessThan(self, left: Index, right: Index) -> bool:
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if first is None or second is None:
            descending = self.sortOrder() == Qt.SortOrder.DescendingOrder
            return second is not None and descending if first is None else not descending
        return bool(first < second)


class NumbersModel(QAbstractTableModel):
    """Names in the first column and numbers beside them."""

    words: tuple[int, ...] = (0,)
    """The columns that are aligned to the left."""

    def titles(self) -> list[str]:
        """Return the headings of all columns."""
        raise NotImplementedError

    def lines(self) -> list[Sequence[object]]:
        """Return headings and rows for a file: numbers unrounded, None where there is none."""
        raise NotImplementedError

    def heading(self, column: int, role: int) -> Any:
        """Return the text or the tooltip of a heading."""
        raise NotImplementedError

    def cell(self, row: int, column: int, role: int) -> Any:
        """Return the text, tooltip, background or sort key of a cell."""
        raise NotImplementedError

    @contextmanager
    def changes(self, *, same: bool) -> Iterator[None]:
        """Announce a change of the contents; `same` if the rows and columns stay."""
        if not same:
            self.beginResetModel()
        yield
        if same:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        else:
            self.endResetModel()

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.titles())

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical or section >= self.columnCount():
            return None
        if role == _ALIGNMENT:
            return self._alignment(section)
        return self.heading(section, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in _OF_CELLS and index.isValid():
            return self.cell(index.row(), index.column(), role)
        return self._alignment(index.column()) if role == _ALIGNMENT else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        return _LEFT if column in self.words else _RIGHT


class NumbersTable(QTableView):
    """Sorts by a click on a heading; one row can be current.

    It can be copied, and exported as CSV. The keys for that (Ctrl+C, Ctrl+Shift+X) work while the
    table has the focus.
    """

    problem = Signal(str, str)
    """The topic, and why the table cannot be written; no sentence if the problem is over."""

    def __init__(
        self, model: NumbersModel, what: str, file_name: str, header: QHeaderView
    ) -> None:
        """Show a model. `what` is in the actions' object names, as in "copyMetricsAction"."""
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
        copy = QKeySequence.StandardKey.Copy
        self.copy = self.add_action("Copy the table", f"copy{what}Action", copy)
        self.copy.triggered.connect(self.copy_table)
        self.export = self.add_action("Export as CSV…", f"export{what}Action", "Ctrl+Shift+X")
        self.export.triggered.connect(self.ask_where_to_export)
        SortKeys(self, what)
        FontFollower(self, self._fit_rows)

    def _fit_rows(self) -> None:
        height = self.fontMetrics().height() + _ROW_PADDING
        self.verticalHeader().setDefaultSectionSize(height)

    def row_of(self, place: int) -> QModelIndex:
        """Return the index of a row of the model, as the table is sorted."""
        return self.sorted.mapFromSource(self._model.index(place, 0))

    def add_action(self, text: str, name: str, key: str | QKeySequence.StandardKey) -> QAction:
        """Add an action whose key works while the table has the focus."""
        action = QAction(text, self)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        action.setToolTip(f"{text} ({keys_of(action)})")
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    @Slot()
    def copy_table(self) -> None:
        """Copy the table to the clipboard."""
        QGuiApplication.clipboard().setText(tab_separated(self._model.lines()))

    @Slot()
    def ask_where_to_export(self) -> None:
        """Let the user choose a file, and write the table to it."""
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

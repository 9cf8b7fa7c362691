"""The numbers of all lanes, as a table that sorts and can be written out."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.bpe.metric_columns import COLUMNS, Number
from bpe_gui.bpe.metrics import Metrics

_Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
"""What a cell is sorted by: its number, or the number of its lane."""


@dataclass(frozen=True, slots=True)
class MetricsRow:
    """A lane as the table shows it.

    key: the lane's. metrics: None while there are none. checked: what decoding back gave, in
    a word or two, `lossy` whether it lost anything. status: why there are no numbers.
    """

    key: int
    name: str
    metrics: Metrics | None
    checked: str = ""
    explanation: str = ""
    lossy: bool = False
    status: str = ""


_NAME = 0
_CHECKED = len(COLUMNS) + 1


class MetricsModel(QAbstractTableModel):
    """One row a lane: its name, its numbers, and whether decoding gives the text back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[MetricsRow, ...] = ()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show other lanes, or other numbers of the same ones."""
        rows = tuple(rows)
        if rows == self.rows:
            return
        if [row.key for row in rows] == [row.key for row in self.rows]:
            self.rows = rows
            last = self.index(len(rows) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One row a lane."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """The name, the numbers, and whether decoding gives the text back."""
        return 0 if parent.isValid() else _CHECKED + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Headings, and in tooltips what they mean."""
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles()[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            meanings = ("", *(column.meaning for column in COLUMNS), "")
            return meanings[section] or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows, is sorted by, or is said of it."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(row)[column]
        if role == SORT_ROLE:
            return self._order(row, index.row(), column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == _CHECKED:
                return row.explanation or None
            return row.status or (row.name if column == _NAME else None)
        return None

    @staticmethod
    def titles() -> list[str]:
        """The headings of all columns."""
        return ["encoding", *(column.title for column in COLUMNS), "decodes back"]

    @staticmethod
    def cells(row: MetricsRow) -> list[str]:
        """What a row shows, column by column."""
        if row.metrics is None:
            return [row.name, row.status, *[""] * len(COLUMNS)]
        return [row.name, *(column.cell(row.metrics) for column in COLUMNS), row.checked]

    def to_csv(self) -> str:
        """All lanes with their numbers unrounded, a line each, headings first."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.titles())
        for row in self.rows:
            numbers: list[Number | str] = [""] * len(COLUMNS)
            if row.metrics is not None:
                values = [column.value(row.metrics) for column in COLUMNS]
                numbers = ["" if value is None else value for value in values]
            writer.writerow([row.name, *numbers, row.checked])
        return out.getvalue()

    def to_tabs(self) -> str:
        """As they are shown, with tabs between, fit for a spreadsheet."""
        lines = [self.titles(), *(self.cells(row) for row in self.rows)]
        return "\n".join("\t".join(line) for line in lines)

    @staticmethod
    def _order(row: MetricsRow, place: int, column: int) -> Any:
        if column == _NAME:
            return float(place)
        if column == _CHECKED:
            return float(row.lossy)
        number = None if row.metrics is None else COLUMNS[column - 1].value(row.metrics)
        return float("inf") if number is None else float(number)


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight
    if column in (_NAME, _CHECKED):
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter

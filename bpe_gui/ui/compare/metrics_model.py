"""The numbers of all lanes, as a table that sorts and can be written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.bpe.history import History
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.file_measuring import FileNumbers, MeasureLane
from bpe_gui.ui.compare.tables import SORT_ROLE, NumbersModel
from bpe_gui.ui.compare.wording import LOSSLESS, LOSSY_LANE, NOT_MEASURED, TO_BE_MEASURED, lost

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class MetricsRow:
    """A lane as the table shows it.

    key: the lane's. metrics: None while there are none. checked: what decoding back gave, in
    a word or two, `lossy` whether it lost anything. status: why there are no numbers.
    run: of ours that the lane shows, which can be saved.
    """

    key: int
    name: str
    metrics: Metrics | None
    checked: str = ""
    explanation: str = ""
    lossy: bool = False
    status: str = ""
    run: History | None = None


def rows_of(comparison: Comparison) -> list[MetricsRow]:
    """A row for each lane, in their order, those without numbers yet included."""
    result = comparison.result
    found = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = found.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(MetricsRow(lane.key, lane.name, None, status=status, run=run))
            continue
        checked = LOSSLESS if cut.check.is_lossless else LOSSY_LANE
        rows.append(
            MetricsRow(
                lane.key,
                lane.name,
                cut.metrics,
                checked=checked,
                explanation=cut.check.label,
                lossy=not cut.check.is_lossless,
                run=run,
            )
        )
    return rows


def said_of(comparison: Comparison) -> str:
    """What the numbers are of."""
    text = comparison.text
    size = len(text.encode("utf-8"))
    return f"{counted(len(text), 'character')}, {counted(size, 'byte')}"


def file_rows(numbers: FileNumbers, lanes: Sequence[MetricsRow]) -> tuple[MetricsRow, ...]:
    """The numbers of a file in the order of the lanes; some lanes may not have been measured."""
    measured_lanes = {lane.key: lane for lane in numbers.request.lanes}
    rows = []
    for row in lanes:
        lane, measured = measured_lanes.get(row.key), numbers.measured.get(row.key)
        if lane is None:
            status = row.status or NOT_MEASURED
            rows.append(MetricsRow(row.key, row.name, None, status=status, run=row.run))
        elif measured is None:
            waits = NOT_MEASURED if numbers.cancelled else TO_BE_MEASURED
            status = numbers.problems.get(row.key, waits)
            rows.append(MetricsRow(row.key, _former(lane, row), None, status=status, run=row.run))
        else:
            found = MetricsRow(
                row.key,
                _former(lane, row),
                measured.metrics,
                checked=measured.loss,
                explanation=lost(measured.metrics.unknowns),
                lossy=measured.metrics.unknowns > 0,
                run=row.run,
            )
            rows.append(found)
    return tuple(rows)


def _former(lane: MeasureLane, row: MetricsRow) -> str:
    """What was measured: a lane may show another run by now."""
    encoding = lane.encoding
    if isinstance(encoding, TrainedEncoding) and row.run not in (None, encoding.history):
        return f"{lane.name}, of the run before"
    return lane.name


def measured_name(lane: MeasureLane) -> str:
    """The name of a lane, and for one that moves with the cursor where it was measured."""
    encoding = lane.encoding
    if not isinstance(encoding, TrainedEncoding) or " merge" in lane.name:
        return lane.name
    return f"{lane.name} at {counted(encoding.position, 'merge')}"


_NAME = 0
_CHECKED = len(COLUMNS) + 1


class MetricsModel(NumbersModel):
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
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else _CHECKED + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Headings, and in tooltips what they mean."""
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            # On two lines, so that all columns have room side by side.
            return self.titles()[section].replace("/", "/\n").replace(" ", "\n")
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
            if column == _NAME:
                return f"{row.name}: {row.status}" if row.status else row.name
            return row.status or None
        return None

    @staticmethod
    def titles() -> list[str]:
        """The headings of all columns."""
        return ["encoding", *(column.title for column in COLUMNS), "lossless"]

    @staticmethod
    def cells(row: MetricsRow) -> list[str]:
        """What a row shows, column by column."""
        if row.metrics is None:
            name = f"{row.name}: {row.status}" if row.status else row.name
            return [name, *[""] * (len(COLUMNS) + 1)]
        written = [column.written(column.value(row.metrics)) for column in COLUMNS]
        return [row.name, *written, row.checked]

    def lines(self) -> list[Sequence[object]]:
        """All lanes with their numbers unrounded, headings first."""
        return [
            self.titles(),
            *map(self._unrounded, self.rows),
        ]

    @classmethod
    def _unrounded(cls, row: MetricsRow) -> Sequence[object]:
        if row.metrics is None:
            return cls.cells(row)
        numbers = [column.of(row.metrics) for column in COLUMNS]
        return [row.name, *numbers, row.explanation if row.lossy else row.checked]

    @staticmethod
    def _order(row: MetricsRow, place: int, column: int) -> Any:
        if column == _NAME:
            return float(place)
        if column == _CHECKED:
            return float(row.lossy)
        number = COLUMNS[column - 1].of(row.metrics)
        return None if number is None else float(number)


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight
    if column in (_NAME, _CHECKED):
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter

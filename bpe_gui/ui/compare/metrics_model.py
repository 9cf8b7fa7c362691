"""The numbers of all lanes, as a table that sorts and can be written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.bpe.history import History
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.file_measuring import FileNumbers, MeasureLane
from bpe_gui.ui.compare.tables import SORT_ROLE, Index, NumbersModel
from bpe_gui.ui.compare.wording import LOSSLESS, LOSSY_LANE, NOT_MEASURED, TO_BE_MEASURED, lost


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
    cuts = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = cuts.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(MetricsRow(lane.key, lane.name, None, status=status, run=run))
            continue
        found = MetricsRow(
            lane.key,
            lane.name,
            cut.metrics,
            checked=LOSSY_LANE if cut.is_lossy else LOSSLESS,
            explanation=cut.check.label,
            lossy=cut.is_lossy,
            run=run,
        )
        rows.append(found)
    return rows


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
_TITLES = ["encoding", *(column.title for column in COLUMNS), "lossless"]
_SHORT_TITLES = {"single-token words": "1-token words", "vocabulary used": "vocab. used"}
"""Titles in headings, where the whole ones would be too wide."""
_MEANINGS = [None, *(column.meaning for column in COLUMNS), None]


class MetricsModel(NumbersModel):
    """One row a lane: its name, its numbers, and whether decoding gives the text back."""

    words = (_NAME, _CHECKED)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[MetricsRow, ...] = ()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show other lanes, or other numbers of the same ones."""
        rows = tuple(rows)
        if rows != self.rows:
            with self.changes(same=[row.key for row in rows] == [row.key for row in self.rows]):
                self.rows = rows

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def titles(self) -> list[str]:
        return _TITLES

    def heading(self, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            # On two lines, so that all columns have room side by side.
            title = _TITLES[column]
            return _SHORT_TITLES.get(title, title).replace("/", "/\n").replace(" ", "\n")
        return _MEANINGS[column] if role == Qt.ItemDataRole.ToolTipRole else None

    def cell(self, row: int, column: int, role: int) -> Any:
        lane = self.rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(lane)[column]
        if role == SORT_ROLE:
            return self._order(lane, row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == _CHECKED:
                return lane.explanation or None
            return _named(lane) if column == _NAME else lane.status or None
        return None

    @staticmethod
    def cells(row: MetricsRow) -> list[str]:
        """What a row shows, column by column."""
        if row.metrics is None:
            return [_named(row), *[""] * (len(COLUMNS) + 1)]
        written = [column.written(column.value(row.metrics)) for column in COLUMNS]
        return [row.name, *written, row.checked]

    def lines(self) -> list[Sequence[object]]:
        """All lanes with their numbers unrounded, headings first."""
        return [_TITLES, *map(self._unrounded, self.rows)]

    def _unrounded(self, row: MetricsRow) -> Sequence[object]:
        if row.metrics is None:
            return self.cells(row)
        numbers = [column.of(row.metrics) for column in COLUMNS]
        return [row.name, *numbers, row.explanation if row.lossy else row.checked]

    @staticmethod
    def _order(row: MetricsRow, place: int, column: int) -> float | None:
        if column == _NAME:
            return float(place)
        if column == _CHECKED:
            return float(row.lossy)
        number = COLUMNS[column - 1].of(row.metrics)
        return None if number is None else float(number)


def _named(row: MetricsRow) -> str:
    """The name of a lane, and why it has no numbers."""
    return f"{row.name}: {row.status}" if row.status else row.name

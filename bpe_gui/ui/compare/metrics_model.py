"""The numbers of all lanes, as a table that sorts and can be written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.file_measuring import FileNumbers
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
    """Make a row for each lane, in their order; those without numbers yet are included."""
    result = comparison.result
    cuts = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = cuts.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        row = MetricsRow(lane.key, lane.name, None, run=run)
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(replace(row, status=status))
            continue
        row = replace(row, metrics=cut.metrics, explanation=cut.check.label, lossy=cut.is_lossy)
        rows.append(replace(row, checked=LOSSY_LANE if cut.is_lossy else LOSSLESS))
    return rows


def file_rows(numbers: FileNumbers, lanes: Sequence[MetricsRow]) -> tuple[MetricsRow, ...]:
    """Return the numbers of a file in the order of the lanes, which may not all be measured."""
    return tuple(_file_row(numbers, row) for row in lanes)


def _file_row(numbers: FileNumbers, lane: MetricsRow) -> MetricsRow:
    encoding, measured = numbers.request.encodings.get(lane.key), numbers.measured.get(lane.key)
    row = MetricsRow(lane.key, lane.name, None, run=lane.run)
    if encoding is None:
        return replace(row, status=lane.status or NOT_MEASURED)
    row = replace(row, name=_name_of(encoding, lane))
    if measured is None:
        waits = NOT_MEASURED if numbers.cancelled else TO_BE_MEASURED
        return replace(row, status=numbers.problems.get(lane.key, waits))
    unknowns = measured.metrics.unknowns
    row = replace(row, metrics=measured.metrics, checked=measured.loss)
    return replace(row, explanation=lost(unknowns), lossy=unknowns > 0)


def _name_of(encoding: Encoding, row: MetricsRow) -> str:
    """Return the name of a measured encoding; its lane may show another run by now."""
    if isinstance(encoding, TrainedEncoding) and row.run not in (None, encoding.history):
        return f"{encoding.name}, of the run before"
    return encoding.name


_NAME = 0
_CHECKED = len(COLUMNS) + 1
_TITLES = ["encoding", *(column.title for column in COLUMNS), "lossless"]
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
            return _TITLES[column].replace("/", "/\n").replace(" ", "\n")
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

"""The rows of the table of numbers: of the text, or of a measured file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from PySide6.QtCore import QObject

from bpe_gui.analysis.metric_columns import COLUMNS, TOO_SHORT, Column
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.file_measuring import FileNumbers
from bpe_gui.ui.compare.tables import Cell, NumbersModel
from bpe_gui.ui.compare.wording import LOSSLESS, NOT_MEASURED, TO_BE_MEASURED, lost
from bpe_gui.ui.widgets.sentences import as_sentence


@dataclass(frozen=True, slots=True)
class MetricsRow:
    """A lane as the table shows it.

    key: of the lane. metrics: None while there are none. status: why there are none.
    checked, explanation: whether the text round-trips, in a word and in a sentence; lossy: if not.
    run: the run of the lane, which can be saved. hidden: whether it is not among the lanes.
    colour: the number of the colour that marks the lane, -1 for none.
    """

    key: int
    name: str
    metrics: Metrics | None
    checked: str = ""
    explanation: str = ""
    lossy: bool = False
    status: str = ""
    run: History | None = None
    hidden: bool = False
    colour: int = -1


def rows_of(comparison: Comparison) -> list[MetricsRow]:
    """Make a row for each lane, in their order; those without numbers yet are included."""
    result = comparison.result
    cuts = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = cuts.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        row = MetricsRow(lane.key, lane.name, None, run=run, hidden=lane.hidden, colour=lane.colour)
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(replace(row, status=status))
            continue
        row = replace(row, metrics=cut.metrics, explanation=cut.check.label, lossy=cut.is_lossy)
        rows.append(replace(row, checked=cut.check.short or LOSSLESS))
    return rows


def file_rows(numbers: FileNumbers, lanes: Sequence[MetricsRow]) -> tuple[MetricsRow, ...]:
    """Return the numbers of a file in the order of the lanes, which may not all be measured."""
    return tuple(_file_row(numbers, row) for row in lanes)


def _file_row(numbers: FileNumbers, lane: MetricsRow) -> MetricsRow:
    encoding, measured = numbers.request.encodings.get(lane.key), numbers.measured.get(lane.key)
    row = MetricsRow(lane.key, lane.name, None, run=lane.run, colour=lane.colour)
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
_SHORT_TITLES = {"single-token words": "1-token words", "vocabulary used": "vocab. used"}
"""Titles in headings, where the whole ones would be too wide."""


class MetricsModel(NumbersModel):
    """One row for each lane: its name, its numbers, and whether it is lossless."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[MetricsRow, ...] = ()
        self.columns: tuple[Column, ...] = COLUMNS
        self.own = OwnNumbers()
        """What the columns behind the usual ones are computed by."""
        self._show(same=False)

    def set_own(self, own: OwnNumbers) -> None:
        """Show other columns behind the usual ones."""
        self.own, self.columns = own, (*COLUMNS, *own.columns)
        self._show(same=False)

    def _show(self, *, same: bool) -> None:
        self.words = (_NAME, len(self.columns) + 1)
        meanings = [None, *(column.meaning for column in self.columns), None]
        # On two lines, so that all columns fit side by side.
        headings = [
            Cell(
                _SHORT_TITLES.get(title, title).replace("/", "/\n").replace(" ", "\n"),
                tooltip=meaning,
            )
            for title, meaning in zip(self.titles(), meanings, strict=True)
        ]
        self.show(headings, list(map(self._cells, self.rows, count())), same=same)

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show other lanes, or other numbers of the same lanes."""
        before, self.rows = self.rows, tuple(rows)
        if self.rows != before:
            same = [row.key for row in self.rows] == [row.key for row in before]
            self._show(same=same)

    def titles(self) -> Sequence[str]:
        return ["encoding", *(column.title for column in self.columns), "lossless"]

    def _cells(self, row: MetricsRow, place: int) -> list[Cell]:
        texts = self.cells(row)
        orders = [column.of(row.metrics) for column in self.columns]
        return [
            Cell(texts[_NAME], float(place), _named(row), mark=row.colour),
            *(map(Cell, texts[1:-1], orders, self._tooltips(row))),
            Cell(texts[-1], float(row.lossy), row.explanation or None),
        ]

    def cells(self, row: MetricsRow) -> list[str]:
        """Return the texts of a row."""
        if row.metrics is None:
            return [_named(row), *[""] * (len(self.columns) + 1)]
        written = [column.cell(row.metrics) for column in self.columns]
        return [_named(row), *written, row.checked]

    def lines(self) -> list[Sequence[object]]:
        return [self.titles(), *map(self._unrounded, self.rows)]

    def _unrounded(self, row: MetricsRow) -> Sequence[object]:
        if row.metrics is None:
            return self.cells(row)
        numbers = [column.of(row.metrics) for column in self.columns]
        return [row.name, *numbers, row.explanation if row.lossy else row.checked]

    def _tooltips(self, row: MetricsRow) -> Iterator[str | None]:
        """Say for each number why there is none, or why it says little."""
        for column in self.columns:
            metrics = row.metrics
            little = metrics is not None and column.says_little(metrics)
            yield as_sentence(TOO_SHORT) if little else row.status or None


def _named(row: MetricsRow) -> str:
    """Return the name of a lane, and why it has no numbers, or that it is hidden."""
    return f"{row.name}: {row.status}" if row.status else row.name + " (hidden)" * row.hidden

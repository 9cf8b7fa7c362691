"""How a slope chart is laid out and drawn: rows are merges, columns runs, lines equal tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen, QPolygon

from bpe_gui.analysis.compare_runs import Lockstep
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.cell_text import plainly

_LEAST_LINES = 60
_LINE_DISTANCE = 4
"""Pixels of height for each line that is drawn between two columns; of more lines than have
room, each so-manyth is drawn."""

_GUTTER = 12
_LEAST_GAP = 36
_WIDEST_COLUMN = 160


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines between two neighbouring columns: the merges that they join.

    every: one of so many lines is drawn.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    every: int


@dataclass(frozen=True, slots=True)
class SlopeLayout:
    """A chart of some columns in a view of some size, scrolled and zoomed.

    top: how many pixels of the chart are above the view; row_height: pixels of a row, less
    than one where the chart is zoomed out far. `numbers` is the width of the column of the
    merges' numbers.
    """

    columns: int
    width: int
    height: int
    numbers: int
    top: float
    row_height: float

    @property
    def column_width(self) -> int:
        """Pixels of a column of tokens."""
        room = self.width - self.numbers - _GUTTER
        share = (room - _LEAST_GAP * (self.columns - 1)) // self.columns
        return max(40, min(_WIDEST_COLUMN, share, room * 2 // (3 * self.columns)))

    def left(self, column: int) -> int:
        """The left edge of a column."""
        room = self.width - self.numbers - _GUTTER - self.columns * self.column_width
        gap = max(0, room) // max(1, self.columns - 1)
        return self.numbers + column * (self.column_width + gap)

    def gap(self, column: int) -> tuple[int, int]:
        """Between which pixels lines run from a column to the next."""
        return self.left(column) + self.column_width, self.left(column + 1)

    def y(self, row: float) -> float:
        """The middle of a row, in the view."""
        return (row + 0.5) * self.row_height - self.top

    def row_at(self, y: float) -> int:
        """The row at a height of the view; it may not exist."""
        return int((y + self.top) // self.row_height)

    def column_at(self, x: float) -> int | None:
        """The column at a place, None between them."""
        for column in range(self.columns):
            if self.left(column) <= x < self.left(column) + self.column_width:
                return column
        return None

    def rows(self, length: int) -> range:
        """The rows of a column of that length that are in view, at least partly."""
        first = max(0, self.row_at(0))
        return range(min(first, length), min(length, self.row_at(self.height - 1) + 1))

    def lines(self, right_of: NDArray[np.int32], left_of: NDArray[np.int32]) -> Lines:
        """The lines from a column to the next of which at least one end is in view.

        `right_of` and `left_of` are the partners of the rows of either column in the other,
        negative where there is none; see `Lockstep.partners`.
        """
        seen = self.rows(len(right_of))
        begin = np.arange(seen.start, seen.stop)
        begin = begin[right_of[seen.start : seen.stop] >= 0]
        other = self.rows(len(left_of))
        end = np.arange(other.start, other.stop)
        end = end[left_of[other.start : other.stop] >= 0]
        # Those that begin in view are there already.
        source = left_of[end].astype(np.int64)
        outside = (source < seen.start) | (source >= seen.stop)
        left = np.concatenate((begin, source[outside]))
        right = np.concatenate((right_of[begin].astype(np.int64), end[outside]))
        most = max(_LEAST_LINES, self.height // _LINE_DISTANCE)
        every = -(-len(left) // most) or 1
        # By the merge's number, so that the same lines stay while one scrolls.
        kept = left % every == 0
        return Lines(left[kept], right[kept], every)

    def near(self, lines: Lines, column: int, x: float, y: float, within: float = 4.0) -> int:
        """The line from a column to the next that is nearest to a place; -1 if none is near."""
        begin, end = self.gap(column)
        if not len(lines.left) or not begin <= x <= end or end == begin:
            return -1
        share = (x - begin) / (end - begin)
        heights = (lines.left * (1 - share) + lines.right * share + 0.5) * self.row_height
        distances = np.abs(heights - self.top - y)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= within else -1


_MARK_ROOM = 14
_BESIDE = 5
_KEPT_LABELS = 4000
_PARTING = "they part"
_AGAIN = "="
"""Stands beside a token that the run has had before."""


class SlopeDrawing:
    """Paints the parts of a slope chart in the colours of a theme."""

    def __init__(self, font: QFont) -> None:
        self._lockstep: Lockstep | None = None
        self._alone: list[frozenset[int]] = []
        self._again: list[frozenset[int]] = []
        self._labels: dict[tuple[int, int, int], str] = {}
        self._mark = QPolygon([QPoint(0, -4), QPoint(4, 0), QPoint(0, 4), QPoint(-4, 0)])
        self.set_font(font)

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        panel, muted = QColor(theme.panel), QColor(theme.muted)
        self.background = QBrush(panel)
        self.muted = QPen(muted)
        self._text = QPen(QColor(theme.text))
        self._line = QPen(mixed(muted, panel, 0.6), 1)
        self._faint = QPen(mixed(muted, panel, 0.35), 1)
        self._accent = QPen(QColor(theme.accent), 2)
        self._frame = QPen(QColor(theme.accent), 1)
        self._parting = QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine)
        self._raised = QBrush(QColor(theme.raised))
        self._runs = [QPen(QColor(colour)) for colour in theme.lines]
        self._fills = [QBrush(QColor(colour)) for colour in theme.lines]

    def set_font(self, font: QFont) -> None:
        """Write in a font."""
        self.font = plainly(font)
        self.metrics = QFontMetrics(self.font)
        self._labels.clear()

    def set_lockstep(self, lockstep: Lockstep | None) -> None:
        """Draw other runs."""
        self._lockstep = lockstep
        self._labels.clear()
        self._alone, self._again = [], []
        if lockstep is not None:
            runs = range(len(lockstep.histories))
            self._alone = [frozenset(lockstep.only(run).tolist()) for run in runs]
            self._again = [
                frozenset(np.flatnonzero(lockstep.repeats(run)).tolist()) for run in runs
            ]

    @property
    def row_count(self) -> int:
        """How many merges the longest of the runs has."""
        return max(self._lockstep.lengths, default=0) if self._lockstep is not None else 0

    @property
    def natural_height(self) -> float:
        """Pixels of a row at which every token can be read."""
        return float(self.metrics.height() + 3)

    @property
    def title_height(self) -> int:
        """Pixels of the names above the columns."""
        return self.metrics.height() + 7

    @property
    def numbers_width(self) -> int:
        """How wide the column of the merges' numbers is."""
        return self.metrics.horizontalAdvance(f"{self.row_count:,}") + 2 * _BESIDE

    # -- drawing -----------------------------------------------------------------------------

    def draw_title(self, painter: QPainter, layout: SlopeLayout, column: int, name: str) -> None:
        """The name of a run above its column, in its colour."""
        painter.setFont(self.font)
        painter.setPen(self._runs[column])
        width = layout.column_width
        text = self.metrics.elidedText(name, Qt.TextElideMode.ElideRight, width)
        left = layout.left(column)
        if column == 0:
            left += width - self.metrics.horizontalAdvance(text)
        painter.drawText(left, self.metrics.ascent() + 3, text)

    def draw_numbers(self, painter: QPainter, layout: SlopeLayout, rows: range, every: int) -> None:
        """The numbers of the merges, at the left."""
        painter.setFont(self.font)
        painter.setPen(self.muted)
        for row in _labelled(rows, every):
            text = f"{row + 1:,}"
            right = layout.numbers - _BESIDE - self.metrics.horizontalAdvance(text)
            painter.drawText(right, self._baseline(layout, row), text)

    def draw_column(
        self,
        painter: QPainter,
        layout: SlopeLayout,
        column: int,
        rows: range,
        every: int,
        looked_at: int,
    ) -> None:
        """The tokens of a column, of which one row is written of so many.

        That of a row that is looked at is lifted from the background.
        """
        left, width = layout.left(column), layout.column_width
        if every > 1:
            self._draw_strip(painter, layout, column, rows)
        written = list(_labelled(rows, every))
        if looked_at in rows:
            written = [row for row in written if abs(row - looked_at) >= every]
            written.append(looked_at)
        painter.setFont(self.font)
        for row in written:
            if row == looked_at:
                height = self.metrics.height() + 2
                top = round(layout.y(row)) - height // 2
                painter.fillRect(left, top, width, height, self._raised)
            self._draw_token(painter, layout, column, row)

    def _draw_strip(self, painter: QPainter, layout: SlopeLayout, column: int, rows: range) -> None:
        """Where rows are narrower than text: a tick for each token that only this run has."""
        lockstep = self._lockstep
        assert lockstep is not None
        only = lockstep.only(column)
        seen = only[np.searchsorted(only, rows.start) : np.searchsorted(only, rows.stop)]
        heights = np.unique(((seen + 0.5) * layout.row_height - layout.top).astype(np.int64))
        place = self._mark_place(layout, column) - 3
        for y in heights.tolist():
            painter.fillRect(place, y, 6, 1, self._fills[column])

    def _draw_token(self, painter: QPainter, layout: SlopeLayout, column: int, row: int) -> None:
        alone = row in self._alone[column]
        again = row in self._again[column]
        room = layout.column_width - _MARK_ROOM - _BESIDE
        text = self._label(column, row, room)
        baseline = self._baseline(layout, row)
        painter.setPen(self._runs[column] if alone else self.muted if again else self._text)
        mark = self._mark_place(layout, column)
        if column == 0:
            painter.drawText(mark - 8 - self.metrics.horizontalAdvance(text), baseline, text)
        else:
            painter.drawText(mark + 8, baseline, text)
        if alone:
            painter.setBrush(self._fills[column])
            painter.translate(mark, round(layout.y(row)))
            painter.drawPolygon(self._mark)
            painter.translate(-mark, -round(layout.y(row)))
        elif again:
            painter.drawText(mark - 4, baseline, _AGAIN)

    @staticmethod
    def _mark_place(layout: SlopeLayout, column: int) -> int:
        """Where marks stand: beside the lines."""
        if column == 0:
            return layout.left(column) + layout.column_width - _MARK_ROOM // 2
        return layout.left(column) + _MARK_ROOM // 2

    def draw_lines(self, painter: QPainter, layout: SlopeLayout, column: int, lines: Lines) -> None:
        """The lines from a column to the next."""
        begin, end = layout.gap(column)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._line if lines.every == 1 else self._faint)
        left, right = (self._heights(layout, rows) for rows in (lines.left, lines.right))
        for y, other in zip(left, right, strict=True):
            painter.drawLine(begin, y, end, other)

    @staticmethod
    def _heights(layout: SlopeLayout, rows: NDArray[np.int64]) -> list[int]:
        heights = np.rint((rows + 0.5) * layout.row_height - layout.top)
        # Qt draws nothing where numbers are too large for it.
        within: list[int] = np.clip(heights, -1_000_000, 1_000_000).astype(np.int64).tolist()
        return within

    def draw_followed(self, painter: QPainter, layout: SlopeLayout, steps: Sequence[int]) -> None:
        """The line of one token through all columns; `steps` are its rows, or negative."""
        painter.setPen(self._accent)
        for column in range(layout.columns - 1):
            if steps[column] >= 0 and steps[column + 1] >= 0:
                begin, end = layout.gap(column)
                y, other = self._heights(layout, np.array(steps[column : column + 2]))
                painter.drawLine(begin, y, end, other)

    def draw_parting(self, painter: QPainter, layout: SlopeLayout, step: int, highest: int) -> None:
        """A line above the row in which the runs part, with a word on it.

        The word is written no higher than at a height of the view, and left out where it has no
        room.
        """
        y = round(layout.y(step) - layout.row_height / 2)
        painter.setPen(self._parting)
        painter.drawLine(layout.numbers, y, layout.width, y)
        begin, end = layout.gap(0)
        width, height = self.metrics.horizontalAdvance(_PARTING) + 8, self.metrics.height()
        if width > end - begin:
            return
        left = (begin + end - width) // 2
        top = max(y - height // 2, min(y, highest))
        painter.fillRect(left, top, width, height, self.background)
        painter.setPen(self._text)
        painter.setFont(self.font)
        painter.drawText(left + 4, top + self.metrics.ascent(), _PARTING)

    def draw_note(self, painter: QPainter, layout: SlopeLayout, text: str) -> None:
        """A sentence at the lower edge, between the first two columns."""
        begin, end = layout.gap(0)
        text = self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, end - begin - 8)
        width, height = self.metrics.horizontalAdvance(text) + 8, self.metrics.height()
        left, top = (begin + end - width) // 2, layout.height - height
        painter.fillRect(left, top, width, height, self.background)
        painter.setPen(self.muted)
        painter.drawText(left + 4, top + self.metrics.ascent(), text)

    def draw_frame(self, painter: QPainter, layout: SlopeLayout, column: int, row: int) -> None:
        """The place of the keyboard."""
        height = self.metrics.height() + 2
        painter.setPen(self._frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        top = round(layout.y(row)) - height // 2
        painter.drawRect(layout.left(column), top, layout.column_width - 1, height - 1)

    def _baseline(self, layout: SlopeLayout, row: int) -> int:
        return round(layout.y(row)) + (self.metrics.ascent() - self.metrics.descent()) // 2

    def _label(self, run: int, step: int, room: int) -> str:
        assert self._lockstep is not None
        key = run, step, room
        if key not in self._labels:
            if len(self._labels) >= _KEPT_LABELS:
                self._labels.clear()
            history = self._lockstep.histories[run]
            text = label(history.token_bytes(int(history.new_id[step])))
            if self.metrics.horizontalAdvance(text) > room:
                text = self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            self._labels[key] = text
        return self._labels[key]


def _labelled(rows: range, every: int) -> range:
    """The rows that are written, if each takes the room of so many."""
    return range(-(-rows.start // every) * every, rows.stop, every)

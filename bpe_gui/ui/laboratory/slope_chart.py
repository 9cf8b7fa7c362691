"""The slope chart: merges of several runs in the order of their ranks, equal tokens joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygon,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.compare_runs import MISSING, Lockstep
from bpe_gui.ui.laboratory.lockstep_wording import DIVERGENCE, described
from bpe_gui.ui.theme.painting import draw_message, mixed
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.canvas import Canvas
from bpe_gui.ui.widgets.cell_text import plainly

Place = tuple[int, int]
"""A run and one of its merges."""

# -- geometry --------------------------------------------------------------------------------------

_MIN_LINES = 60
_LINE_DISTANCE = 4
"""Pixels of height for each line that is drawn between two columns; of more lines than have
room, each n-th is drawn."""
_GUTTER = 12
_MIN_GAP = 36
_MAX_COLUMN = 160


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines between two neighbouring columns: the merges that they join.

    every: each n-th line is drawn.
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
        width = self.width - self.numbers - _GUTTER
        share = (width - _MIN_GAP * (self.columns - 1)) // self.columns
        return max(40, min(_MAX_COLUMN, share, width * 2 // (3 * self.columns)))

    def left(self, column: int) -> int:
        """The left edge of a column."""
        rest = self.width - self.numbers - _GUTTER - self.columns * self.column_width
        gap = max(0, rest) // max(1, self.columns - 1)
        return self.numbers + column * (self.column_width + gap)

    def gap(self, column: int) -> tuple[int, int]:
        """Between which pixels lines run from a column to the next."""
        return self.left(column) + self.column_width, self.left(column + 1)

    def y(self, row: float) -> float:
        """The middle of a row, in the view."""
        return (row + 0.5) * self.row_height - self.top

    def heights(self, rows: NDArray[np.int64]) -> list[int]:
        """The middles of rows, within what Qt can draw."""
        middles = np.rint((rows + 0.5) * self.row_height - self.top)
        drawable: list[int] = np.clip(middles, -1_000_000, 1_000_000).astype(np.int64).tolist()
        return drawable

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
        limit = max(_MIN_LINES, self.height // _LINE_DISTANCE)
        every = -(-len(left) // limit) or 1
        # By the merge's number, so that the same lines stay while one scrolls.
        drawn = left % every == 0
        return Lines(left[drawn], right[drawn], every)

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


# -- moving ----------------------------------------------------------------------------------------


def followed(lockstep: Lockstep, run: int, step: int) -> list[int]:
    """The rows of a merge's token in all columns, FROM_START or MISSING where it has none.

    A token that its run had before has a row there only.
    """
    steps: list[int] = lockstep.steps[:, lockstep.contents[run][step]].tolist()
    if steps[run] != step:
        steps = [MISSING] * len(steps)
        steps[run] = step
    return steps


def moved(lockstep: Lockstep, place: Place, key: int, text: str, page: int) -> Place | None:
    """Where a key leads, or the letter that it types; None if it does not move.

    `page` is how many rows are in view.
    """
    run, step = place
    last = lockstep.lengths[run] - 1
    rows = {
        Qt.Key.Key_Up: step - 1,
        Qt.Key.Key_Down: step + 1,
        Qt.Key.Key_PageUp: step - max(1, page),
        Qt.Key.Key_PageDown: step + max(1, page),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }
    if key in rows:
        return run, max(0, min(rows[Qt.Key(key)], last))
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        other = run + (1 if key == Qt.Key.Key_Right else -1)
        if not 0 <= other < len(lockstep.lengths) or not lockstep.lengths[other]:
            return place
        equal = followed(lockstep, run, step)[other]
        return other, equal if equal >= 0 else min(step, lockstep.lengths[other] - 1)
    if text == "p" and lockstep.parts_at is not None:
        return run, min(lockstep.parts_at, last)
    if text in ("n", "N"):
        only = lockstep.only(run)
        later = only[only > step] if text == "n" else only[only < step][::-1]
        return run, int(later[0]) if len(later) else step
    return None


# -- the chart -------------------------------------------------------------------------------------

_MARK_WIDTH = 14
_BESIDE = 5
_AGAIN = "="
"""Beside a token that the run has had before."""
_MIN_ROW, _MAX_ROW = 0.005, 40.0
"""Pixels of a row."""
_ZOOM_STEP = 1.25
_WHEEL_STEP = 120


class SlopeChart(Canvas[Place]):
    """Draws a `Lockstep`; one token is current, another may be under the mouse.

    The arrow keys move in a column and from one to the other, PageUp, PageDown, Home and End
    further; Enter or a click chooses a token. N and Shift+N go to the next and the last token
    that only this run has, P to the merge at which the runs diverge. The wheel with Ctrl makes
    rows higher or lower; Ctrl+C copies what is known of the current token.
    """

    tokenChosen = Signal(int, int)
    """A run and one of its merges, when the user clicks its token or presses Enter on it."""
    described = Signal(str)
    """What is known of the token that is looked at; empty if none is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("slopeChart", "Merges of the recipes side by side", parent)
        self.lockstep: Lockstep | None = None
        """What is shown."""
        self.names: tuple[str, ...] = ()
        """What the runs are called that are shown."""
        self.current: Place = (0, 0)
        """The token that the keyboard is at: a run and one of its merges."""
        self._message = ""
        self._partners: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._alone: list[frozenset[int]] = []
        self._again: list[frozenset[int]] = []
        self._stood = (0, self.current)
        self._lines: list[Lines] = []
        self._zoomed_height = 0.0
        self._mark = QPolygon([QPoint(0, -4), QPoint(4, 0), QPoint(0, 4), QPoint(-4, 0)])
        self._use_font()
        ThemeFollower(self, self._take_colours)

    def sizeHint(self) -> QSize:
        return QSize(460, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 90)

    # -- what is shown -------------------------------------------------------------------------

    def _take_colours(self, theme: Theme) -> None:
        panel, muted = QColor(theme.panel), QColor(theme.muted)
        self._background = QBrush(panel)
        self._muted = QPen(muted)
        self._text = QPen(QColor(theme.text))
        self._line = QPen(mixed(muted, panel, 0.6), 1)
        self._faint = QPen(mixed(muted, panel, 0.35), 1)
        self._accent = QPen(QColor(theme.accent), 2)
        self._frame = QPen(QColor(theme.accent), 1)
        self._dashed = QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine)
        self._raised = QBrush(QColor(theme.raised))
        self._runs = [QPen(QColor(colour)) for colour in theme.lines]
        self._fills = [QBrush(QColor(colour)) for colour in theme.lines]

    def set_message(self, message: str) -> None:
        """The sentence that is shown while there are no merges."""
        if message != self._message:
            self._message = message
            self._update_texts()

    def set_lockstep(self, lockstep: Lockstep | None, names: Sequence[str] = ()) -> None:
        """Show other runs, or the same ones when they have grown; or none."""
        before = self.lockstep.histories if self.lockstep is not None else ()
        self.lockstep = lockstep
        self.names = tuple(names)
        self.hovered = None
        self._partners, self._alone, self._again = [], [], []
        if lockstep is not None:
            runs = range(len(lockstep.histories))
            self._alone = [frozenset(lockstep.only(run).tolist()) for run in runs]
            self._again = [
                frozenset(np.flatnonzero(lockstep.repeats(run)).tolist()) for run in runs
            ]
            self._partners = [
                (lockstep.partners(run, run + 1), lockstep.partners(run + 1, run))
                for run in runs[:-1]
            ]
        if lockstep is None or lockstep.histories != before:
            self.current = (0, 0)
            self.verticalScrollBar().setValue(0)
            self._stood = (0, self.current)
        self._update_range()
        self._show_divergence()
        self._update_texts()

    def _show_divergence(self) -> None:
        """Begin where the runs diverge, a few rows before in view, unless the user has moved."""
        bar = self.verticalScrollBar()
        if self.lockstep is None or self.lockstep.parts_at is None:
            return
        if self._stood == (bar.value(), self.current):
            self.current = (0, self.lockstep.parts_at)
            first = int(self.lockstep.parts_at - self._height_of_rows / 3 / self.row_height)
            bar.setValue(round(first * self.row_height))
            self._stood = (bar.value(), self.current)

    # -- geometry --------------------------------------------------------------------------------

    @property
    def _row_count(self) -> int:
        """How many merges the longest of the runs has."""
        return max(self.lockstep.lengths, default=0) if self.lockstep is not None else 0

    @property
    def row_height(self) -> float:
        """Pixels of a row."""
        return self._zoomed_height or self._natural_height

    @property
    def zoomed(self) -> float:
        """How high rows are, in proportion to those that can be read."""
        return self.row_height / self._natural_height

    def zoom_to(self, proportion: float) -> None:
        """Make rows this high, in proportion to those that can be read."""
        height = self._natural_height * proportion
        self._zoomed_height = 0.0 if proportion == 1 else min(max(height, _MIN_ROW), _MAX_ROW)
        self._update_range()

    def _zoom(self, factor: float, y: float) -> None:
        """Make rows higher or lower; what is at a height of the viewport stays there."""
        row = (self.verticalScrollBar().value() + y - self._above) / self.row_height
        self._zoomed_height = min(max(self.row_height * factor, _MIN_ROW), _MAX_ROW)
        self._update_range()
        self.verticalScrollBar().setValue(round(row * self.row_height - y + self._above))

    @property
    def _above(self) -> int:
        """Pixels above the first row: the names, and half a line of text where rows are lower."""
        return self._title_height + max(0, round((self._natural_height - self.row_height) / 2))

    @property
    def _height_of_rows(self) -> int:
        """Pixels for rows."""
        return self.viewport().height() - 2 * self._above + self._title_height

    def _update_range(self) -> None:
        """Let the scroll bar reach all rows."""
        bar, height = self.verticalScrollBar(), self._height_of_rows
        bar.setPageStep(max(1, height))
        bar.setSingleStep(max(1, round(max(self.row_height, self._natural_height))))
        bar.setRange(0, max(0, round(self._row_count * self.row_height) - height))
        self.viewport().update()

    def layout_now(self) -> SlopeLayout:
        """Where everything is in the viewport."""
        assert self.lockstep is not None
        view, metrics = self.viewport(), self._metrics
        return SlopeLayout(
            columns=len(self.lockstep.histories),
            width=view.width(),
            height=view.height(),
            numbers=metrics.horizontalAdvance(f"{self._row_count:,}") + 2 * _BESIDE,
            top=self.verticalScrollBar().value() - self._above,
            row_height=self.row_height,
        )

    def _use_font(self) -> None:
        self._font = plainly(self.font())
        self._metrics = QFontMetrics(self._font)
        self._natural_height = float(self._metrics.height() + 3)
        self._title_height = self._metrics.height() + 7

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._use_font()
            self._update_range()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_range()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        # Painted anew: what is drawn depends on which rows are in view.
        self.viewport().update()

    # -- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._background)
        if self._row_count:
            painter.setFont(self._font)
            self._paint(painter, self.layout_now())
        else:
            painter.setFont(self.font())
            draw_message(painter, self.viewport().rect(), self._message, self._muted)
        painter.end()

    def _paint(self, painter: QPainter, layout: SlopeLayout) -> None:
        lockstep = self.lockstep
        assert lockstep is not None
        every = max(1, -int(-self._natural_height // layout.row_height))
        self._lines = [layout.lines(*partners) for partners in self._partners]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for column, lines in enumerate(self._lines):
            painter.setPen(self._line if lines.every == 1 else self._faint)
            begin, end = layout.gap(column)
            heights = (layout.heights(lines.left), layout.heights(lines.right))
            for y, other in zip(*heights, strict=True):
                painter.drawLine(begin, y, end, other)
        steps = [-1] * layout.columns
        if (looked_at := self._looked_at()) is not None:
            steps = followed(lockstep, *looked_at)
            painter.setPen(self._accent)
            for column, (step, other) in enumerate(pairwise(steps)):
                if step >= 0 and other >= 0:
                    begin, end = layout.gap(column)
                    y, beside = layout.heights(np.array([step, other]))
                    painter.drawLine(begin, y, end, beside)
        if lockstep.parts_at is not None:
            self._paint_divergence(painter, layout, lockstep.parts_at)
        painter.setPen(self._muted)
        for row in _labelled(layout.rows(self._row_count), every):
            text = f"{row + 1:,}"
            right = layout.numbers - _BESIDE - self._metrics.horizontalAdvance(text)
            painter.drawText(right, self._baseline(layout, row), text)
        for column, length in enumerate(lockstep.lengths):
            self._paint_column(painter, layout, column, layout.rows(length), every, steps[column])
        if self.hasFocus():
            column, row = self.current
            height = self._metrics.height() + 2
            painter.setPen(self._frame)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            top = round(layout.y(row)) - height // 2
            painter.drawRect(layout.left(column), top, layout.column_width - 1, height - 1)
        self._paint_names(painter, layout)
        thinned = max((lines.every for lines in self._lines), default=1)
        if thinned > 1:
            note, top = f"1 of {thinned:,} lines is drawn", layout.height - self._metrics.height()
            self._paint_between(painter, layout, note, top, self._muted)

    def _paint_names(self, painter: QPainter, layout: SlopeLayout) -> None:
        """The name of each run above its column, in its colour."""
        painter.fillRect(0, 0, layout.width, self._title_height, self._background)
        for column, name in enumerate(self.names):
            left, width = layout.left(column), layout.column_width
            text = self._elided(name, width)
            if column == 0:
                left += width - self._metrics.horizontalAdvance(text)
            painter.setPen(self._runs[column])
            painter.drawText(left, self._metrics.ascent() + 3, text)

    def _paint_column(
        self,
        painter: QPainter,
        layout: SlopeLayout,
        column: int,
        rows: range,
        every: int,
        looked_at: int,
    ) -> None:
        """The tokens of a column, of which each n-th row is written.

        That of a row that is looked at is lifted from the background.
        """
        if every > 1:
            self._paint_ticks(painter, layout, column, rows)
        written = list(_labelled(rows, every))
        if looked_at in rows:
            written = [row for row in written if abs(row - looked_at) >= every]
            written.append(looked_at)
        for row in written:
            if row == looked_at:
                height = self._metrics.height() + 2
                top = round(layout.y(row)) - height // 2
                left, width = layout.left(column), layout.column_width
                painter.fillRect(left, top, width, height, self._raised)
            self._paint_token(painter, layout, column, row)

    def _paint_ticks(
        self, painter: QPainter, layout: SlopeLayout, column: int, rows: range
    ) -> None:
        """Where rows are lower than text: a tick for each token that only this run has."""
        assert self.lockstep is not None
        only = self.lockstep.only(column)
        seen = only[np.searchsorted(only, rows.start) : np.searchsorted(only, rows.stop)]
        heights = np.unique(((seen + 0.5) * layout.row_height - layout.top).astype(np.int64))
        for y in heights.tolist():
            painter.fillRect(_mark_at(layout, column) - 3, y, 6, 1, self._fills[column])

    def _paint_token(self, painter: QPainter, layout: SlopeLayout, column: int, row: int) -> None:
        alone, again = row in self._alone[column], row in self._again[column]
        text = self._elided(self._label(column, row), layout.column_width - _MARK_WIDTH - _BESIDE)
        baseline, mark = self._baseline(layout, row), _mark_at(layout, column)
        painter.setPen(self._runs[column] if alone else self._muted if again else self._text)
        if column == 0:
            painter.drawText(mark - 8 - self._metrics.horizontalAdvance(text), baseline, text)
        else:
            painter.drawText(mark + 8, baseline, text)
        if alone:
            painter.setBrush(self._fills[column])
            painter.translate(mark, round(layout.y(row)))
            painter.drawPolygon(self._mark)
            painter.translate(-mark, -round(layout.y(row)))
        elif again:
            painter.drawText(mark - 4, baseline, _AGAIN)

    def _paint_divergence(self, painter: QPainter, layout: SlopeLayout, step: int) -> None:
        """A line above the row in which the runs diverge, with a word on it if there is room."""
        y = round(layout.y(step) - layout.row_height / 2)
        painter.setPen(self._dashed)
        painter.drawLine(layout.numbers, y, layout.width, y)
        begin, end = layout.gap(0)
        if self._metrics.horizontalAdvance(DIVERGENCE) + 8 <= end - begin:
            top = max(y - self._metrics.height() // 2, min(y, self._title_height + 1))
            self._paint_between(painter, layout, DIVERGENCE, top, self._text)

    def _paint_between(
        self, painter: QPainter, layout: SlopeLayout, text: str, top: int, pen: QPen
    ) -> None:
        """A text between the first two columns."""
        begin, end = layout.gap(0)
        text = self._elided(text, end - begin - 8)
        width = self._metrics.horizontalAdvance(text) + 8
        left = (begin + end - width) // 2
        painter.fillRect(left, top, width, self._metrics.height(), self._background)
        painter.setPen(pen)
        painter.drawText(left + 4, top + self._metrics.ascent(), text)

    def _baseline(self, layout: SlopeLayout, row: int) -> int:
        return round(layout.y(row)) + (self._metrics.ascent() - self._metrics.descent()) // 2

    def _elided(self, text: str, width: int) -> str:
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _label(self, run: int, step: int) -> str:
        assert self.lockstep is not None
        history = self.lockstep.histories[run]
        return label(history.token_bytes(int(history.new_id[step])))

    def _looked_at(self) -> Place | None:
        """The token under the mouse, or where the keyboard is."""
        if self.hovered is not None:
            return self.hovered
        return self.current if self.hasFocus() and self._row_count else None

    # -- mouse and keyboard ----------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Place | None:
        """The token at a place of the viewport, be it by its line; None if there is none."""
        if not self._row_count or point.y() < self._title_height:
            return None
        lockstep, layout = self.lockstep, self.layout_now()
        assert lockstep is not None
        column = layout.column_at(point.x())
        if column is not None:
            row = layout.row_at(point.y())
            return (column, row) if 0 <= row < lockstep.lengths[column] else None
        for column, lines in enumerate(self._lines):
            found = layout.near(lines, column, point.x(), point.y())
            if found >= 0:
                return column, int(lines.left[found])
        return None

    def center_of(self, run: int, step: int) -> QPoint:
        """The middle of a token, in the viewport."""
        layout = self.layout_now()
        return QPoint(layout.left(run) + layout.column_width // 2, round(layout.y(step)))

    def tooltip_at(self, point: QPoint) -> str:
        place = self.place_at(point)
        return f"<p>{escape(self._known(place))}</p>" if place is not None else ""

    def hover(self, place: Place | None) -> None:
        """Lift the line of the token under the mouse."""
        super().hover(place)
        shape = Qt.CursorShape.PointingHandCursor if place else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self._update_texts()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or place is None:
            super().mousePressEvent(event)
            return
        self.current = place
        self._update_texts()
        self.tokenChosen.emit(*place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            steps = event.angleDelta().y() / _WHEEL_STEP
            self._zoom(_ZOOM_STEP**steps, event.position().y())
            event.accept()
            return
        super().wheelEvent(event)

    def takes(self, event: QKeyEvent) -> bool:
        typed = event.text() in ("p", "n", "N")
        return bool(self._row_count) and (typed or super().takes(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._row_count or self.lockstep is None:
            super().keyPressEvent(event)
            return
        page = int(self._height_of_rows / self.row_height)
        place = moved(self.lockstep, self.current, event.key(), event.text(), page)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tokenChosen.emit(*self.current)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._known(self.current))
        elif place is not None:
            self.go_to(*place)
        else:
            super().keyPressEvent(event)

    def go_to(self, run: int, step: int) -> None:
        """Make a token the current one, and show it."""
        self.current = (run, step)
        self.hovered = None
        bar, top = self.verticalScrollBar(), step * self.row_height
        if not bar.value() <= top <= bar.value() + self._height_of_rows - self._natural_height:
            bar.setValue(round(top - self._height_of_rows / 2))
        self._update_texts()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._update_texts()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._update_texts()

    # -- saying it -------------------------------------------------------------------------------

    def _known(self, place: Place) -> str:
        assert self.lockstep is not None
        return described(self.lockstep, self.names, *place)

    def _update_texts(self) -> None:
        """Say what is looked at, on the screen and to screen readers."""
        looked_at = self._looked_at()
        self.described.emit(self._known(looked_at) if looked_at is not None else "")
        run, step = self.current
        there = self.lockstep is not None and self._row_count and step < self.lockstep.lengths[run]
        self.describe(self._known(self.current) if there else self._message)
        self.viewport().update()


def _mark_at(layout: SlopeLayout, column: int) -> int:
    """Where marks are: beside the lines."""
    if column == 0:
        return layout.left(column) + layout.column_width - _MARK_WIDTH // 2
    return layout.left(column) + _MARK_WIDTH // 2


def _labelled(rows: range, every: int) -> range:
    """The rows that are written, if each takes the height of n."""
    return range(-(-rows.start // every) * every, rows.stop, every)

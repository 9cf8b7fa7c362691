"""The slope chart: merges of several runs in the order of their ranks, with equal tokens joined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QPolygon,
    QResizeEvent,
)

from bpe_gui.analysis.compare_runs import MISSING, Lockstep
from bpe_gui.ui.laboratory.lockstep_wording import DIVERGENCE, described
from bpe_gui.ui.theme.painting import brush, mixed, pen
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.canvas import Canvas
from bpe_gui.ui.widgets.tables import plainly

Place = tuple[int, int]
"""A run and one of its merges."""
Rows = NDArray[np.int64]

# -- geometry --------------------------------------------------------------------------------------

_GUTTER = 12
_MIN_GAP = 36
_MAX_COLUMN = 160
_NEAR = 4
"""Pixels from a line within which the mouse is on it."""


class SlopeLayout(Struct, frozen=True):
    """Measure a chart of some columns, in pixels of the view.

    numbers: width of the column of the merges' numbers. top: how far the view is scrolled below
    the first row.
    """

    columns: int
    width: int
    height: int
    numbers: int
    top: int
    row_height: int

    @property
    def column_width(self) -> int:
        """Width of a column of tokens."""
        width = self.width - self.numbers - _GUTTER
        share = (width - _MIN_GAP * (self.columns - 1)) // self.columns
        return max(40, min(_MAX_COLUMN, share, width * 2 // (3 * self.columns)))

    def left(self, column: int) -> int:
        """Return the left edge of a column."""
        rest = self.width - self.numbers - _GUTTER - self.columns * self.column_width
        gap = max(0, rest) // max(1, self.columns - 1)
        return self.numbers + column * (self.column_width + gap)

    def gap(self, column: int) -> tuple[int, int]:
        """Return the two edges between which lines run from a column to the next."""
        return self.left(column) + self.column_width, self.left(column + 1)

    def y(self, row: int) -> int:
        """Return the middle of a row."""
        return row * self.row_height + self.row_height // 2 - self.top

    def row_at(self, y: int) -> int:
        """Return the row at a height; it may not exist."""
        return (y + self.top) // self.row_height

    def column_at(self, x: int) -> int | None:
        """Return the column at a place, None between two."""
        for column in range(self.columns):
            if self.left(column) <= x < self.left(column) + self.column_width:
                return column
        return None

    def rows(self, length: int) -> range:
        """Return the rows in view, at least partly, of a column of that length."""
        first = max(0, self.row_at(0))
        return range(min(first, length), min(length, self.row_at(self.height - 1) + 1))

    def lines(self, right_of: NDArray[np.int32], left_of: NDArray[np.int32]) -> tuple[Rows, Rows]:
        """Return the rows at both ends of the lines from a column to the next that are in view.

        A line is in view if one of its ends is. `right_of` and `left_of` are the partners of the
        rows of either column in the other, negative for none; see `Lockstep.partners`.
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
        return left, np.concatenate((right_of[begin].astype(np.int64), end[outside]))

    def line_at(self, lines: tuple[Rows, Rows], column: int, x: int, y: int) -> int:
        """Return which line from a column to the next is nearest to a place; -1 if none is near."""
        begin, end = self.gap(column)
        if not len(lines[0]) or not begin <= x <= end or end == begin:
            return -1
        share = (x - begin) / (end - begin)
        rows = lines[0] * (1 - share) + lines[1] * share
        distances = np.abs((rows + 0.5) * self.row_height - self.top - y)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= _NEAR else -1


# -- moving ----------------------------------------------------------------------------------------


def followed(lockstep: Lockstep, run: int, step: int) -> list[int]:
    """Return the row of a merge's token in every column, FROM_START or MISSING where it has none.

    A token that its run had before has a row only in that run.
    """
    steps: list[int] = lockstep.steps[:, lockstep.contents[run][step]].tolist()
    if steps[run] != step:
        steps = [MISSING] * len(steps)
        steps[run] = step
    return steps


def moved(lockstep: Lockstep, place: Place, key: int, text: str, page: int) -> Place | None:
    """Return the token that a key leads to, or the letter that it types; None for other keys.

    `page` is the number of rows in view.
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
        # A run that has no merge yet has no token to follow.
        equal = followed(lockstep, run, step)[other] if step <= last else -1
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
_ROW_PADDING, _TITLE_PADDING = 3, 7
_AGAIN = "="
"""Marks a token that the run has had before."""
_FAR = 1_000_000
"""Pixels beyond which Qt does not draw."""


class SlopeChart(Canvas[Place]):
    """Draws a `Lockstep`; one token is current, another may be under the mouse.

    The arrow keys move in a column and from one to the other, PageUp, PageDown, Home and End
    further; Enter or a click chooses a token. N and Shift+N go to the next and the last token
    that only this run has, P to the merge at which the runs diverge. Ctrl+C copies the
    description of the current token.
    """

    room = QSize(460, 280)
    least_room = QSize(220, 90)
    tokenChosen = Signal(int, int)
    """The user has clicked a token, or pressed Enter on it: its run and merge."""
    described = Signal(str)
    """The description of the token that is looked at; empty if none is."""

    def __init__(self) -> None:
        super().__init__("slopeChart", "Merges of the recipes side by side")
        self.lockstep: Lockstep | None = None
        self.names: tuple[str, ...] = ()
        """The names of the runs."""
        self.current: Place = (0, 0)
        """The token that the keyboard is at."""
        self._partners: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._alone: list[frozenset[int]] = []
        self._again: list[frozenset[int]] = []
        self._begun = (0, self.current)
        """Where the view was put, unless the user has moved since."""
        self._lines: list[tuple[Rows, Rows]] = []
        self._mark = QPolygon([QPoint(0, -4), QPoint(4, 0), QPoint(0, 4), QPoint(-4, 0)])
        self._use_font()

    # -- what is shown -------------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        """Set the sentence that is shown while there are no merges."""
        if message != self.message:
            self.message = message
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
            self._begun = (0, self.current)
        self._update_range()
        self._update_texts()

    def _show_divergence(self) -> None:
        """Begin where the runs diverge, a few rows before in view, unless the user has moved."""
        bar = self.verticalScrollBar()
        if self.lockstep is None or self.lockstep.parts_at is None:
            return
        if self._begun == (bar.value(), self.current):
            self.current = (0, self.lockstep.parts_at)
            before = self._height_of_rows // 3 // self.row_height
            bar.setValue((self.lockstep.parts_at - before) * self.row_height)
            self._begun = (bar.value(), self.current)

    # -- geometry --------------------------------------------------------------------------------

    @property
    def _row_count(self) -> int:
        return max(self.lockstep.lengths, default=0) if self.lockstep is not None else 0

    @property
    def _height_of_rows(self) -> int:
        return self.viewport().height() - self._title_height

    def _update_range(self) -> None:
        rows = max(1, (self.height() - self._title_height) // self.row_height)
        self.fit_viewport(self._title_height + rows * self.row_height)
        height = self._row_count * self.row_height
        self.fit_scroll_bar(height, self.row_height, self._title_height)
        self._show_divergence()

    def layout_now(self) -> SlopeLayout:
        """Return where everything is in the viewport."""
        assert self.lockstep is not None
        view, metrics = self.viewport(), self._metrics
        return SlopeLayout(
            columns=len(self.lockstep.histories),
            width=view.width(),
            height=view.height(),
            numbers=metrics.horizontalAdvance(f"{self._row_count:,}") + 2 * _BESIDE,
            top=self.verticalScrollBar().value() - self._title_height,
            row_height=self.row_height,
        )

    def _use_font(self) -> None:
        self._font = plainly(self.font())
        self._metrics = QFontMetrics(self._font)
        self.row_height = self._metrics.height() + _ROW_PADDING
        self._title_height = self._metrics.height() + _TITLE_PADDING

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._use_font()
            self._update_range()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_range()

    # -- painting --------------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, brush(self._theme.panel))
        if self._row_count:
            painter.setFont(self._font)
            self._paint(painter, self.layout_now())

    def _paint(self, painter: QPainter, layout: SlopeLayout) -> None:
        lockstep = self.lockstep
        assert lockstep is not None
        self._lines = [layout.lines(*partners) for partners in self._partners]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_line_pen(self._theme))
        for column, lines in enumerate(self._lines):
            for row, other in zip(*(rows.tolist() for rows in lines), strict=True):
                _draw_line(painter, layout, column, row, other)
        steps = [-1] * layout.columns
        if (looked_at := self._looked_at()) is not None:
            steps = followed(lockstep, *looked_at)
            painter.setPen(pen(self._theme.accent, 2))
            for column, (step, other) in enumerate(pairwise(steps)):
                if step >= 0 and other >= 0:
                    _draw_line(painter, layout, column, step, other)
        if lockstep.parts_at is not None:
            self._paint_divergence(painter, layout, lockstep.parts_at)
        painter.setPen(pen(self._theme.muted))
        for row in layout.rows(self._row_count):
            text = f"{row + 1:,}"
            right = layout.numbers - _BESIDE - self._metrics.horizontalAdvance(text)
            painter.drawText(right, self._baseline(layout, row), text)
        for column, length in enumerate(lockstep.lengths):
            for row in layout.rows(length):
                if row == steps[column]:
                    painter.fillRect(*self._box(layout, column, row), brush(self._theme.raised))
                self._paint_token(painter, layout, column, row)
        if self.hasFocus():
            left, top, width, height = self._box(layout, *self.current)
            painter.setPen(pen(self._theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(left, top, width - 1, height - 1)
        self._paint_names(painter, layout)

    def _paint_names(self, painter: QPainter, layout: SlopeLayout) -> None:
        painter.fillRect(0, 0, layout.width, self._title_height, brush(self._theme.panel))
        for column, name in enumerate(self.names):
            left, width = layout.left(column), layout.column_width
            text = self._elided(name, width)
            if column == 0:
                left += width - self._metrics.horizontalAdvance(text)
            painter.setPen(pen(self._theme.lines[column]))
            painter.drawText(left, self._metrics.ascent() + 3, text)

    def _box(self, layout: SlopeLayout, column: int, row: int) -> tuple[int, int, int, int]:
        height = self._metrics.height() + 2
        return layout.left(column), layout.y(row) - height // 2, layout.column_width, height

    def _paint_token(self, painter: QPainter, layout: SlopeLayout, column: int, row: int) -> None:
        alone, again = row in self._alone[column], row in self._again[column]
        text = self._elided(self._label(column, row), layout.column_width - _MARK_WIDTH - _BESIDE)
        baseline, mark = self._baseline(layout, row), _mark_at(layout, column)
        theme = self._theme
        painter.setPen(pen(theme.lines[column] if alone else theme.muted if again else theme.text))
        if column == 0:
            painter.drawText(mark - 8 - self._metrics.horizontalAdvance(text), baseline, text)
        else:
            painter.drawText(mark + 8, baseline, text)
        if alone:
            painter.setBrush(brush(self._theme.lines[column]))
            painter.translate(mark, layout.y(row))
            painter.drawPolygon(self._mark)
            painter.translate(-mark, -layout.y(row))
        elif again:
            painter.drawText(mark - 4, baseline, _AGAIN)

    def _paint_divergence(self, painter: QPainter, layout: SlopeLayout, step: int) -> None:
        """Draw a line above the row in which the runs diverge, with a word if it fits."""
        y = layout.y(step) - layout.row_height // 2
        if y >= layout.height:  # the row is below what is in view: the word would be cut off
            return
        painter.setPen(pen(self._theme.text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(layout.numbers, y, layout.width, y)
        begin, end = layout.gap(0)
        width, height = self._metrics.horizontalAdvance(DIVERGENCE) + 8, self._metrics.height()
        if width <= end - begin:
            left = (begin + end - width) // 2
            top = max(y - height // 2, min(y, self._title_height + 1))
            painter.fillRect(left, top, width, height, brush(self._theme.panel))
            painter.setPen(pen(self._theme.text))
            painter.drawText(left + 4, top + self._metrics.ascent(), DIVERGENCE)

    def _baseline(self, layout: SlopeLayout, row: int) -> int:
        return layout.y(row) + (self._metrics.ascent() - self._metrics.descent()) // 2

    def _elided(self, text: str, width: int) -> str:
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _label(self, run: int, step: int) -> str:
        assert self.lockstep is not None
        history = self.lockstep.histories[run]
        return label(history.token_bytes(int(history.new_id[step])))

    def _looked_at(self) -> Place | None:
        if self.hovered is not None:
            return self.hovered
        return self.current if self.hasFocus() and self._has_current else None

    @property
    def _has_current(self) -> bool:
        """Whether there is a token at the current place: a run may have no merge yet."""
        run, step = self.current
        return self.lockstep is not None and step < self.lockstep.lengths[run]

    # -- mouse and keyboard ----------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Place | None:
        """Find the token at a point, or one by its line."""
        if not self._row_count or point.y() < self._title_height:
            return None
        lockstep, layout = self.lockstep, self.layout_now()
        assert lockstep is not None
        column = layout.column_at(point.x())
        if column is not None:
            row = layout.row_at(point.y())
            return (column, row) if 0 <= row < lockstep.lengths[column] else None
        for column, lines in enumerate(self._lines):
            found = layout.line_at(lines, column, point.x(), point.y())
            if found >= 0:
                return column, int(lines[0][found])
        return None

    def tooltip_at(self, point: QPoint) -> str:
        place = self.place_at(point)
        return f"<p>{escape(self._known(place))}</p>" if place is not None else ""

    def hover(self, place: Place | None) -> None:
        super().hover(place)
        self._update_texts()

    def press(self, place: Place) -> None:
        self.current = place
        self._update_texts()
        self.tokenChosen.emit(*place)

    def takes(self, event: QKeyEvent) -> bool:
        typed = event.text() in ("p", "n", "N")
        return bool(self._row_count) and (typed or super().takes(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._row_count or self.lockstep is None:
            super().keyPressEvent(event)
            return
        page = self._height_of_rows // self.row_height
        place = moved(self.lockstep, self.current, event.key(), event.text(), page)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._has_current:
            self.tokenChosen.emit(*self.current)
        elif event.matches(QKeySequence.StandardKey.Copy) and self._has_current:
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
        if not bar.value() <= top <= bar.value() + self._height_of_rows - self.row_height:
            rows = self._height_of_rows // self.row_height
            bar.setValue(top - rows // 2 * self.row_height)
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
        looked_at = self._looked_at()
        self.described.emit(self._known(looked_at) if looked_at is not None else "")
        self.describe(self._known(self.current) if self._has_current else self.message)
        self.viewport().update()


@cache
def _line_pen(theme: Theme) -> QPen:
    return QPen(mixed(QColor(theme.muted), QColor(theme.panel), 0.6), 1)


def _draw_line(painter: QPainter, layout: SlopeLayout, column: int, row: int, other: int) -> None:
    begin, end = layout.gap(column)
    y, y_of_other = (max(-_FAR, min(layout.y(one), _FAR)) for one in (row, other))
    painter.drawLine(begin, y, end, y_of_other)


def _mark_at(layout: SlopeLayout, column: int) -> int:
    if column == 0:
        return layout.left(column) + layout.column_width - _MARK_WIDTH // 2
    return layout.left(column) + _MARK_WIDTH // 2

"""The plots of a history: curves over its merges, and the lengths of its tokens."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.token_columns import FROM_THE_START, TokenColumns
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves.plot import Plot
from bpe_gui.ui.panels.curves.series import Bounds, Series
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.widgets.scales import axis_end

_NOT_YET = "no merge yet"
_WIDEST_LINE = 3
"""In pixels: a wider one takes too long in each frame."""
_LEAST_LAST_BAR = 16
_SHARE_IN_BARS = 0.995
"""Tokens up to this length, and this share of all tokens, have the bar of their length."""


class HistoryPlot(Plot):
    """A plot of (history, position), drawn when it is told to."""

    positionSelected = Signal(int)
    """The position after the merge that the user has clicked."""

    def __init__(
        self, title: str, x_label: str, y_label: str, logarithmic: bool, parent: QWidget | None
    ) -> None:
        super().__init__(title, x_label, y_label, logarithmic, parent)
        self.history: History | None = None
        self.position = 0
        """Whether nothing is told of the merges behind the position."""
        self._hovered: float | None = None
        self.canvas.hovered.connect(self._hover)
        self.canvas.left.connect(self._leave)
        self.canvas.clicked.connect(self._click)

    def set_history(self, history: History | None) -> None:
        """Draw another run, from its start, or none."""
        self.history = history
        self.position = 0
        self._hovered = None

    def draw(self, position: int) -> None:
        """Draw another position, without the value in the headline."""
        self.position = position

    def tell(self) -> None:
        """Write the value at the mouse, or else at the position, into the headline."""
        text = self._told()
        self.set_value(text)
        self.setAccessibleDescription(text)

    def _told(self) -> str:
        """What is told: nothing, unless a subclass knows."""
        return ""

    @Slot(float)
    def _hover(self, x: float) -> None:
        self._hovered = x
        if self.history is not None:
            self.tell()

    @Slot()
    def _leave(self) -> None:
        self._hovered = None
        if self.history is not None:
            self.tell()

    @Slot(float)
    def _click(self, x: float) -> None:
        """Nothing to go to, unless a subclass knows."""


class CurvePlot(HistoryPlot):
    """A curve in the accent up to the position, and muted where the history is ahead."""

    def __init__(self, series: Series, parent: QWidget | None = None) -> None:
        self._series = series
        super().__init__(series.title, series.x_label, series.y_label, series.logarithmic, parent)
        self._ahead = pg.PlotCurveItem(antialias=True)
        self._done = pg.PlotCurveItem(antialias=True)
        self._ahead.setZValue(0)
        self._done.setZValue(1)
        self._plot.addItem(self._ahead, ignoreBounds=True)
        self._plot.addItem(self._done, ignoreBounds=True)
        self._ahead_drawn = (0, 0)
        ThemeFollower(self, self._take_pens)

    def _take_pens(self, theme: Theme) -> None:
        width = min(max(1, scaled(1, self.font())), _WIDEST_LINE)
        self._ahead.setPen(pg.mkPen(theme.muted, width=width))
        self._done.setPen(pg.mkPen(theme.accent, width=width))

    def changeEvent(self, event: QEvent) -> None:
        """Draw wider lines where text is larger."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._take_pens(theme_of(self))

    def set_history(self, history: History | None) -> None:
        """Draw another run, from its start, or none."""
        super().set_history(history)
        self._ahead_drawn = (0, 0)
        self._ahead.setData([], [])
        self._done.setData([], [])

    def draw(self, position: int) -> None:
        """Draw another position, without the value in the headline."""
        super().draw(position)
        history = self.history
        assert history is not None
        series = self._series
        self.set_bounds(series.bounds(history))
        length = series.length(history, position)
        indexes = series.indexes(length)
        self._done.setData(series.x(indexes), series.y(history, indexes))
        self._draw_ahead(history, length)
        self._draw_place(self._index())

    def _draw_ahead(self, history: History, length: int) -> None:
        """What comes after the position, joined to what came before it."""
        series = self._series
        end = series.length(history, len(history))
        if (length, end) == self._ahead_drawn:
            return
        self._ahead_drawn = (length, end)
        if length >= end:
            self._ahead.setData([], [])
            return
        indexes = series.indexes(end)
        first = np.array([max(length - 1, 0)])
        indexes = np.concatenate([first, indexes[indexes > first[0]]])
        self._ahead.setData(series.x(indexes), series.y(history, indexes))

    def _index(self) -> int | None:
        """The point that is spoken of: under the mouse, or at the position."""
        history = self.history
        assert history is not None
        length = self._series.length(history, len(history))
        if length == 0:
            return None
        if self._hovered is not None:
            return self._series.nearest(self._hovered, length)
        at_position = self._series.length(history, self.position) - 1
        return at_position if at_position >= 0 else None

    def _draw_place(self, index: int | None) -> None:
        series, history = self._series, self.history
        assert history is not None
        marked = series.length(history, self.position) - 1
        self.mark(float(series.x(np.array([marked]))[0]) if marked >= 0 else None)
        if index is None:
            self.point_out(None)
        else:
            point = np.array([index])
            self.point_out(float(series.x(point)[0]), float(series.y(history, point)[0]))

    def tell(self) -> None:
        """Write the value at the mouse, or else at the position, and point at it."""
        self._draw_place(self._index())
        super().tell()

    def _told(self) -> str:
        assert self.history is not None
        index = self._index()
        if index is None:
            return _NOT_YET
        return self._series.text(self.history, index)

    def _click(self, x: float) -> None:
        if self.history is None or len(self.history) == 0:
            return
        length = self._series.length(self.history, len(self.history))
        index = self._series.nearest(x, length)
        # A point of a merge lies before the position that the merge leads to.
        self.positionSelected.emit(index + (len(self.history) + 1 - length))


class LengthPlot(HistoryPlot):
    """How many tokens of each length in bytes the vocabulary has, as bars.

    The tokens that are still to come stand muted on top of those at the position. A few very
    long tokens do not squeeze all others: the last bar then gathers them, and says so.
    """

    name = "Lengths"
    _gathers = 0
    """The length from which on tokens stand in the last bar; 0 while each has its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Vocabulary by token length", "length in bytes", "tokens", False, parent)
        self._columns: TokenColumns | None = None
        self._counts = np.zeros(1, np.int64)
        self._all_drawn = -1
        self._ahead = pg.BarGraphItem(x=[], height=[], width=0.8, pen=None)
        self._done = pg.BarGraphItem(x=[], height=[], width=0.8, pen=None)
        self._done.setZValue(1)
        self._plot.addItem(self._ahead, ignoreBounds=True)
        self._plot.addItem(self._done, ignoreBounds=True)
        self.point_out(None)
        ThemeFollower(self, self._take_brushes)

    def _take_brushes(self, theme: Theme) -> None:
        self._ahead.setOpts(brush=pg.mkBrush(theme.border), pen=pg.mkPen(None))
        self._done.setOpts(brush=pg.mkBrush(theme.accent), pen=pg.mkPen(None))

    def set_history(self, history: History | None) -> None:
        """Draw another run, from its start, or none."""
        super().set_history(history)
        self._columns = TokenColumns(history) if history is not None else None
        self._all_drawn = -1

    def draw(self, position: int) -> None:
        """Draw another position, without the value in the headline."""
        super().draw(position)
        columns = self._columns
        assert columns is not None
        columns.grow()
        lengths = columns.lengths
        size = columns.size_at(position)
        every = np.bincount(lengths, minlength=2)
        self._counts = np.bincount(lengths[:size], minlength=len(every))
        # The end-of-word marker alone is no text, and has no bar.
        every[0] = self._counts[0] = 0
        last = _last_bar(every)
        highest = float(_gathered(every, last).max())
        self.set_bounds(Bounds(last + 0.75, axis_end(highest * 1.02)))
        gathers = last if last < len(every) - 1 else 0
        if gathers != self._gathers:
            self._gathers = gathers
            self._all_drawn = -1
            self._mark_axes()
        self._set_bars(self._done, self._counts)
        if len(lengths) != self._all_drawn or size < len(lengths):
            self._all_drawn = len(lengths)
            self._set_bars(self._ahead, every if size < len(lengths) else every[:0])
        newest = size - 1
        made = newest >= 0 and columns.steps[newest] != FROM_THE_START
        self.mark(float(min(lengths[newest], last)) if made else None)

    def _set_bars(self, bars: pg.BarGraphItem, counts: NDArray[np.int64]) -> None:
        counts = _gathered(counts, self._gathers)
        shown = np.flatnonzero(counts)
        bars.setOpts(x=shown, height=counts[shown], width=0.8)

    def _told(self) -> str:
        """The number of tokens of the length under the mouse, or else the greatest length."""
        if self._hovered is not None:
            return self._tokens_of(max(1, round(self._hovered)))
        longest = int(np.flatnonzero(self._counts).max(initial=0))
        return f"longest {_bytes(longest)}"

    def _tokens_of(self, length: int) -> str:
        """How many tokens stand in the bar of a length."""
        gathered = 0 < self._gathers <= length
        if gathered:
            length = self._gathers
        counts = _gathered(self._counts, self._gathers)
        number = int(counts[length]) if length < len(counts) else 0
        tokens = "1 token" if number == 1 else f"{number:,} tokens"
        return f"{tokens} of {_bytes(length)}{' or more' if gathered else ''}"

    def _bottom_ticks(self, number: int) -> tuple[list[float], list[str]]:
        values, texts = super()._bottom_ticks(number)
        if not self._gathers:
            return values, texts
        # The mark of the last bar is wider than a number: the ticks beside it give way.
        nearest = self._gathers - self._bounds.x / (number + 1)
        kept = [value for value in values if value <= nearest]
        return [*kept, float(self._gathers)], [*texts[: len(kept)], f"≥ {self._gathers:,}"]


def _last_bar(counts: NDArray[np.int64]) -> int:
    """The length of the last bar, for the number of tokens of each length.

    It doubles as tokens get longer, so that the axis stands still for long, but only until
    199 of 200 tokens have a bar of their own.
    """
    longest = len(counts) - 1
    most = int(np.searchsorted(np.cumsum(counts), counts.sum() * _SHARE_IN_BARS))
    last = _LEAST_LAST_BAR // 2
    while last < longest and (last < _LEAST_LAST_BAR or last <= most):
        last *= 2
    return last


def _gathered(counts: NDArray[np.int64], last: int) -> NDArray[np.int64]:
    """The counts with all from `last` on added up there; as they are if `last` is 0."""
    if not 0 < last < len(counts):
        return counts
    return np.append(counts[:last], counts[last:].sum())


def _bytes(number: int) -> str:
    return "1 byte" if number == 1 else f"{number:,} bytes"

"""The plots of a history: curves over its merges, and the lengths of its tokens."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.token_columns import FROM_THE_START, TokenColumns
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves import wording
from bpe_gui.ui.panels.curves.plot import Plot
from bpe_gui.ui.panels.curves.series import Bounds, Series
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.widgets.scales import axis_end

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
        self, title: str, x_label: str, y_label: str, logarithmic: bool, parent: QWidget
    ) -> None:
        super().__init__(title, x_label, y_label, logarithmic, parent)
        self.history: History | None = None
        self.position = 0
        self._hovered: float | None = None
        self.canvas.hovered.connect(self._on_hovered)

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
        self._value.setText(text)
        self.setAccessibleDescription(text)

    def _told(self) -> str:
        raise NotImplementedError

    @Slot(object)
    def _on_hovered(self, x: float | None) -> None:
        self._hovered = x
        if self.history is not None:
            self.tell()


class CurvePlot(HistoryPlot):
    """A curve in the accent up to the position, and muted where the history is ahead."""

    def __init__(self, series: Series, parent: QWidget) -> None:
        self._series = series
        super().__init__(series.title, series.x_label, series.y_label, series.logarithmic, parent)
        self._ahead = pg.PlotCurveItem(antialias=True)
        self._done = pg.PlotCurveItem(antialias=True)
        self._done.setZValue(1)
        self._plot.addItem(self._ahead, ignoreBounds=True)
        self._plot.addItem(self._done, ignoreBounds=True)
        self.canvas.clicked.connect(self._on_clicked)
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
        super().set_history(history)
        self._ahead.setData([], [])
        self._done.setData([], [])

    def draw(self, position: int) -> None:
        super().draw(position)
        history, series = self.history, self._series
        assert history is not None
        self.set_bounds(series.bounds(history))
        self._draw_points(self._done, series.points(position))
        # What comes after the position is joined to what came before it.
        first = max(position, series.begins)
        ahead = series.points(len(history))
        ahead = ahead[ahead > first]
        self._draw_points(self._ahead, np.insert(ahead, 0, first) if len(ahead) else ahead)
        at_position = position >= series.begins
        self.mark(float(series.x(np.array([position]))[0]) if at_position else None)
        self._point_out()

    def _draw_points(self, curve: pg.PlotCurveItem, positions: NDArray[np.int64]) -> None:
        assert self.history is not None
        curve.setData(self._series.x(positions), self._series.y(self.history, positions))

    def _pointed(self) -> int | None:
        """The point that is spoken of: under the mouse, or at the position."""
        assert self.history is not None
        end = len(self.history)
        if self._hovered is not None and end >= self._series.begins:
            return self._series.nearest(self._hovered, end)
        return self.position if self.position >= self._series.begins else None

    def _point_out(self) -> None:
        point = self._pointed()
        if point is None:
            self.point_out(None)
        else:
            assert self.history is not None
            positions = np.array([point])
            x, y = self._series.x(positions), self._series.y(self.history, positions)
            self.point_out(float(x[0]), float(y[0]))

    def tell(self) -> None:
        """Write the value at the mouse, or else at the position, and point at it."""
        self._point_out()
        super().tell()

    def _told(self) -> str:
        assert self.history is not None
        point = self._pointed()
        return wording.NOT_YET if point is None else self._series.text(self.history, point)

    @Slot(float)
    def _on_clicked(self, x: float) -> None:
        if self.history is not None and len(self.history):
            self.positionSelected.emit(self._series.nearest(x, len(self.history)))


class LengthPlot(HistoryPlot):
    """How many tokens of each length in bytes the vocabulary has, as bars.

    The tokens that are still to come stand muted on top of those at the position. A few very
    long tokens do not squeeze all others: the last bar then gathers them, and says so.
    """

    _gathers = 0
    """The length from which on tokens stand in the last bar; 0 while each has its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(wording.LENGTHS[1], "length in bytes", "tokens", False, parent)
        self._columns: TokenColumns | None = None
        self._counts = np.zeros(1, np.int64)
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
        super().set_history(history)
        self._columns = TokenColumns(history) if history is not None else None

    def draw(self, position: int) -> None:
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
            self._mark_axes()
        self._set_bars(self._done, self._counts)
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
        if self._hovered is None:
            return wording.longest(int(np.flatnonzero(self._counts).max(initial=0)))
        length = max(1, round(self._hovered))
        gathered = 0 < self._gathers <= length
        if gathered:
            length = self._gathers
        counts = _gathered(self._counts, self._gathers)
        tokens = int(counts[length]) if length < len(counts) else 0
        return wording.tokens_of_length(tokens, length, gathered=gathered)

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

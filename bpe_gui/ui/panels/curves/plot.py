"""The plots of a history, and what they have in common with others: a headline with a value, two
axes, a line at the position.

The axis of values begins at zero, or elsewhere with a zigzag at its foot.

The axes' own grid takes 5 ms a frame, for it is drawn as part of each axis; here it is one
path of straight lines, made again only when an axis gets another end.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsEllipseItem,
    QGraphicsItem,
    QGraphicsLineItem,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.taken_over import given_merges
from bpe_gui.analysis.token_columns import FROM_THE_START, TokenColumns
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves import wording
from bpe_gui.ui.panels.curves.series import Bounds, Series
from bpe_gui.ui.theme.text_size import FontFollower, resized, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.scales import axis_end, power_text, powers, tick_texts, ticks

_PIXELS_PER_TICK_X = 68
_PIXELS_PER_TICK_Y = 36
_LABEL_SIZE = 0.9
"""The size of what is written at the axes, as a share of that of the text around."""
_WIDEST_TICK = "100,000"
_LOW = 6
"""A plot of fewer lines of text has no label below it."""
_MARGIN_LEFT = 6
"""So that the frame of the keyboard does not cut the label of the axis."""
_MARGIN_RIGHT = 26
_MARGIN_BOTTOM = 5
"""As far as pyqtgraph lets a label hang below its axis: without it the g of "merges" is cut."""
_DOT = 7
_ZIGZAG_X = np.array([0.0, 7.0, 0.0, 7.0, 0.0])
_ZIGZAG_Y = np.array([2.0, 5.0, 8.0, 11.0, 14.0])
"""The mark of an axis that does not begin at zero, in pixels from its foot."""
_WIDEST_LINE = 3
"""In pixels: a wider one takes too long in each frame."""
_LEAST_LAST_BAR = 16
_SHARE_IN_BARS = 0.995
"""Tokens up to this length, and this share of all tokens, have the bar of their length."""


class PlotCanvas(pg.PlotWidget):  # type: ignore[misc]
    """A plot widget that says where the mouse is, and does not zoom."""

    hovered = Signal(object)
    """The place on the x axis under the mouse; None when it has left."""
    clicked = Signal(float)
    """The place on the x axis that was clicked."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, enableMenu=False)
        # The library leaves its menu, which is never shown, to Python: that may do away with a
        # widget on whatever thread it collects garbage on, where Qt allows none.
        menu = self.getPlotItem().ctrlMenu
        menu.setParent(self, menu.windowFlags())

    def _x(self, event: QMouseEvent) -> float:
        place = self.mapToScene(event.position().toPoint())
        return float(self.getPlotItem().vb.mapSceneToView(QPointF(place)).x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(self._x(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(self._x(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing can be dragged."""

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)


class Plot(Presentable, QWidget):
    """A plot with a headline. Subclasses put the items on it that show a history.

    For an audience, the headline is short, and as small as the axes.
    """

    def __init__(
        self, title: str, x_label: str, y_label: str, logarithmic: bool, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._labels = {"bottom": x_label, "left": y_label}
        self._logarithmic = logarithmic
        self._bounds = Bounds(1.0, 1.0)
        self._title = QLabel(title, self)
        self._title.setProperty("quiet", True)
        self._value = ElidingLabel(self, textFormat=Qt.TextFormat.PlainText)
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.canvas = PlotCanvas(self)
        self._plot = self.canvas.getPlotItem()
        self._grid = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._break = pg.PlotCurveItem(antialias=True)
        # Items of Qt's own: those of pyqtgraph for a line and a dot take a millisecond each.
        self._marker = QGraphicsLineItem()
        self._dot = QGraphicsEllipseItem()
        self._prepare()
        self._lay_out()
        self.setAccessibleName(title)
        ThemeFollower(self, self._take_colours)
        FontFollower(self, self._fit_to_font)
        self.set_bounds(Bounds(10.0, 10.0))

    def _prepare(self) -> None:
        self.canvas.setFrameShape(QFrame.Shape.NoFrame)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.hideButtons()
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.disableAutoRange()
        self._grid.setZValue(-20)
        self._marker.setZValue(5)
        self._dot.setZValue(10)
        self._dot.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        for item in (self._grid, self._break, self._marker, self._dot):
            self._plot.addItem(item, ignoreBounds=True)
        for side in ("bottom", "left"):
            self._plot.getAxis(side).setStyle(
                tickLength=0,
                autoExpandTextSpace=False,
                autoReduceTextSpace=False,
                hideOverlappingLabels=_MARGIN_RIGHT,
            )
            self._plot.getAxis(side).enableAutoSIPrefix(False)
        self._plot.vb.sigResized.connect(self._on_resized)

    def _lay_out(self) -> None:
        headline = QHBoxLayout()
        heading = (self._title, self._value)
        filled(headline, *heading, stretched=self._value, spacing=STYLED, margins=(10, 6, 10, 2))
        filled(QVBoxLayout(self), headline, self.canvas, stretched=self.canvas)

    # -- looks ---------------------------------------------------------------------------

    def _take_colours(self, theme: Theme) -> None:
        self.canvas.setBackground(QColor(theme.panel))
        self._grid.setPen(pg.mkPen(theme.grid, width=1))
        self._break.setPen(pg.mkPen(theme.muted, width=1))
        self._marker.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DashLine))
        self._dot.setPen(pg.mkPen(theme.panel, width=1))
        self._dot.setBrush(pg.mkBrush(theme.accent))
        for side in self._labels:
            axis = self._plot.getAxis(side)
            axis.setPen(pg.mkPen(theme.border, width=1))
            axis.setTextPen(pg.mkPen(theme.muted))
        self._label_colour = theme.muted
        self._write_labels()

    def show_title(self, shown: bool) -> None:
        """Show or hide the title; the tab above shows it as well."""
        self._title.setVisible(shown)

    def _fit_to_font(self) -> None:
        font = resized(self.font(), _LABEL_SIZE)
        metrics = QFontMetrics(font)
        self._value.setFont(font if self.presents else self.font())
        for side in ("bottom", "left"):
            self._plot.getAxis(side).setTickFont(font)
        # Half of the highest number is above the plot.
        top = max(4, metrics.height() // 2)
        self._plot.layout.setContentsMargins(_MARGIN_LEFT, top, _MARGIN_RIGHT, _MARGIN_BOTTOM)
        dot = scaled(_DOT, self.font())
        self._dot.setRect(-dot / 2, -dot / 2, dot, dot)
        # Fixed, so that the plot does not move when its numbers get longer.
        wide = metrics.horizontalAdvance(_WIDEST_TICK)
        self._plot.getAxis("left").setWidth(wide + metrics.height() + 10)
        self._on_resized()

    @property
    def _is_low(self) -> bool:
        return self.canvas.height() < _LOW * QFontMetrics(self.font()).height()

    def _write_labels(self) -> None:
        size = f"{self.font().pointSizeF() * _LABEL_SIZE:.1f}pt"
        area = self._plot.vb.size()
        across = 0 if self._is_low else area.width()
        for side, room in (("bottom", across), ("left", area.height())):
            axis = self._plot.getAxis(side)
            axis.setLabel(self._labels[side], **{"color": self._label_colour, "font-size": size})
            axis.label.setVisible(axis.label.boundingRect().width() <= room)
            axis.resizeEvent()  # puts the label to its place

    # -- axes ----------------------------------------------------------------------------

    def set_bounds(self, bounds: Bounds) -> None:
        """Give the axes other ends, if they are others."""
        if bounds != self._bounds:
            self._bounds = bounds
            values = (bounds.bottom, bounds.y)
            self._plot.setRange(xRange=(0, bounds.x), yRange=values, padding=0)
            self._marker.setLine(0, bounds.bottom, 0, bounds.y)
            self._mark_axes()

    def set_axes(self, x_label: str, y_label: str, logarithmic: bool) -> None:
        """Give the axes other names and kinds of places, before other bounds."""
        self._labels = {"bottom": x_label, "left": y_label}
        self._logarithmic = logarithmic
        self._bounds = Bounds(0.0, 0.0)  # the next ones are others, and marked anew
        self._write_labels()

    def mark(self, x: float | None) -> None:
        self._marker.setVisible(x is not None)
        if x is not None:
            self._marker.setPos(x, 0)

    def point_out(self, x: float | None, y: float = 0.0) -> None:
        self._dot.setVisible(x is not None)
        if x is not None:
            self._dot.setPos(x, y)

    @Slot()
    def _on_resized(self) -> None:
        # In a low plot the curve has the room of the label.
        lines = 2 if self._labels["bottom"] and not self._is_low else 1
        metrics = QFontMetrics(resized(self.font(), _LABEL_SIZE))
        self._plot.getAxis("bottom").setHeight(lines * metrics.height() + 6)
        self._write_labels()
        self._mark_axes()

    def _mark_axes(self) -> None:
        area = self._plot.vb.size()
        across, up = (
            scaled(pixels, self.font()) for pixels in (_PIXELS_PER_TICK_X, _PIXELS_PER_TICK_Y)
        )
        x, texts_x = self._bottom_ticks(max(2, int(area.width() / across)))
        bottom, top = self._bounds.bottom, self._bounds.y
        number = max(2, int(area.height() / up))
        y, texts_y = self._ticks(top, number, bottom)
        self._plot.getAxis("bottom").setTicks([list(zip(x, texts_x, strict=True))])
        self._plot.getAxis("left").setTicks([list(zip(y, texts_y, strict=True))])
        lines_x = np.concatenate([np.repeat(x, 2), np.tile([0.0, self._bounds.x], len(y))])
        lines_y = np.concatenate([np.tile([bottom, top], len(x)), np.repeat(y, 2)])
        self._grid.setData(lines_x, lines_y)
        self._break.setVisible(bottom > 0)
        across, up = self._bounds.x / max(area.width(), 1), (top - bottom) / max(area.height(), 1)
        self._break.setData(_ZIGZAG_X * across, bottom + _ZIGZAG_Y * up)

    def _bottom_ticks(self, number: int) -> tuple[list[float], list[str]]:
        values, texts = self._ticks(self._bounds.x, number)
        if self._logarithmic:
            return values, texts
        whole = [place for place, value in enumerate(values) if value == round(value)]
        return [values[place] for place in whole], [texts[place] for place in whole]

    def _ticks(self, end: float, number: int, begin: float = 0.0) -> tuple[list[float], list[str]]:
        if self._logarithmic:
            values = powers(end, number)
            return values, [power_text(value) for value in values]
        values = ticks(end, number, begin)
        return values, tick_texts(values)


class HistoryPlot(Plot):
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
        self.history = history
        self.position = 0
        self._hovered = None

    def draw(self, position: int) -> None:
        """Draw another position, without the value in the headline."""
        self.position = position

    def update_value(self) -> None:
        """Write the value at the mouse, or else at the position, into the headline."""
        text = self._value_text()
        self._value.setText(text)
        self.setAccessibleDescription(text)

    def _value_text(self) -> str:
        raise NotImplementedError

    @Slot(object)
    def _on_hovered(self, x: float | None) -> None:
        self._hovered = x
        if self.history is not None:
            self.update_value()


class CurvePlot(HistoryPlot):
    """A curve in the accent up to the position, and muted where the history is ahead.

    A line shows where the merges end that a run took over from an encoding, if it has others.
    """

    def __init__(self, series: Series, parent: QWidget) -> None:
        self._given = self._series = series
        super().__init__(series.title, series.x_label, series.y_label, series.logarithmic, parent)
        self._ahead = pg.PlotCurveItem(antialias=True, connect="finite")
        self._done = pg.PlotCurveItem(antialias=True, connect="finite")
        self._done.setZValue(1)
        self._taken_over = pg.PlotCurveItem(antialias=False)
        for curve in (self._ahead, self._done, self._taken_over):
            self._plot.addItem(curve, ignoreBounds=True)
        self.canvas.clicked.connect(self._on_clicked)
        ThemeFollower(self, self._take_pens)
        FontFollower(self, lambda: self._take_pens(theme_of(self)))

    def _take_pens(self, theme: Theme) -> None:
        width = min(max(1, scaled(1, self.font())), _WIDEST_LINE)
        self._ahead.setPen(pg.mkPen(theme.muted, width=width))
        self._done.setPen(pg.mkPen(theme.accent, width=width))
        self._taken_over.setPen(pg.mkPen(theme.text, width=width))

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._ahead.setData([], [])
        self._done.setData([], [])
        self._taken_over.setData([], [])

    @property
    def _border(self) -> int:
        """The position where the merges end that were taken over; 0 for none, or if all were."""
        assert self.history is not None
        given = given_merges(self.history)
        return given if given < len(self.history) else 0

    def draw(self, position: int) -> None:
        super().draw(position)
        history = self.history
        assert history is not None
        series = self._given.of(history)
        if type(series) is not type(self._series):
            self.set_axes(series.x_label, series.y_label, series.logarithmic)
        self._series = series
        self.set_bounds(series.bounds(history))
        self._draw_points(self._done, series.points(position))
        # What comes after the position is joined to what came before it.
        first = max(position, series.begins)
        ahead = series.points(len(history))
        ahead = ahead[ahead > first]
        self._draw_points(self._ahead, np.insert(ahead, 0, first) if len(ahead) else ahead)
        if border := self._border:
            x = np.repeat(series.x(np.array([border])), 2)
            self._taken_over.setData(x, [self._bounds.bottom, self._bounds.y])
        at_position = position >= series.begins
        self.mark(float(series.x(np.array([position]))[0]) if at_position else None)
        self._point_out()

    def _draw_points(self, curve: pg.PlotCurveItem, positions: NDArray[np.int64]) -> None:
        assert self.history is not None
        curve.setData(self._series.x(positions), self._series.y(self.history, positions))

    def _pointed(self) -> int | None:
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
            drawn = bool(np.isfinite(y[0]))
            self.point_out(float(x[0]) if drawn else None, float(y[0]))

    def update_value(self) -> None:
        """Write the value at the mouse, or else at the position, and point at it."""
        self._point_out()
        super().update_value()

    def _value_text(self) -> str:
        assert self.history is not None
        point = self._pointed()
        if point is None:
            return wording.NOT_YET
        text = self._series.text(self.history, point)
        if self.presents:
            return text.removeprefix("after ")
        return f"{wording.taken_over(self.history)}   {text}" if self._border else text

    @Slot(float)
    def _on_clicked(self, x: float) -> None:
        if self.history is not None and len(self.history):
            self.positionSelected.emit(self._series.nearest(x, len(self.history)))


class LengthPlot(HistoryPlot):
    """How many tokens of each length in bytes the vocabulary has, as bars.

    Muted bars on top show the tokens of later merges. A few very
    long tokens do not squeeze all others: the last bar then gathers them, and says so.
    """

    _gathers = 0
    """The length from which tokens share the last bar; 0 while every length has its bar."""

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

    def _value_text(self) -> str:
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
        # The mark of the last bar is wider than a number: the ticks beside it are left out.
        nearest = self._gathers - self._bounds.x / (number + 1)
        kept = [value for value in values if value <= nearest]
        return [*kept, float(self._gathers)], [*texts[: len(kept)], f"≥ {self._gathers:,}"]


def _last_bar(counts: NDArray[np.int64]) -> int:
    """Return the length of the last bar, for the number of tokens of each length.

    It doubles as tokens get longer, so that the axis changes rarely, but only until 199 of
    200 tokens have the bar of their length.
    """
    longest = len(counts) - 1
    most = int(np.searchsorted(np.cumsum(counts), counts.sum() * _SHARE_IN_BARS))
    last = _LEAST_LAST_BAR // 2
    while last < longest and (last < _LEAST_LAST_BAR or last <= most):
        last *= 2
    return last


def _gathered(counts: NDArray[np.int64], last: int) -> NDArray[np.int64]:
    """Return the counts with all from `last` on added up there; as they are if `last` is 0."""
    if not 0 < last < len(counts):
        return counts
    return np.append(counts[:last], counts[last:].sum())

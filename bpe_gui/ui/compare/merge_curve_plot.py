"""The plot of a number over the merges of several runs."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.metric_columns import Curve
from bpe_gui.ui.panels.curves.plot import Plot
from bpe_gui.ui.panels.curves.series import Bounds
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.widgets.scales import around, tick_texts

_X_LABEL = "merges"
_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
_LOW = 120
"""The height in pixels below which a plot has no label at its axis."""
_DOT_SIZE = 9
_ROOM_AT_THE_END = 1.02
"""The length of the axis relative to the curves: a dot at their end is seen whole."""
_DECADE_STEPS = (1, 2, 5)


class MergeCurvePlot(Plot):
    """Several curves over one axis of merges, each with a dot where a lane is."""

    positionHovered = Signal(int)
    """The number of merges under the mouse, -1 when it has left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._lines: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        """The positions and the values of each curve."""
        self.marks: list[tuple[int, ...]] = []
        """The positions of lanes on each curve."""
        self._items: list[pg.PlotDataItem] = []
        self._dots: list[pg.ScatterPlotItem] = []
        self._on_logarithms = True
        super().__init__("", _X_LABEL, "", False, parent)
        self.setObjectName("mergeCurvePlot")
        self.show_title(False)
        self._value.hide()
        self.point_out(None)
        self.mark(None)
        self.canvas.hovered.connect(self._hover)
        ThemeFollower(self, self._colour_lines)

    def show_curves(self, positions: NDArray[np.int64], curves: Sequence[Curve], what: str) -> None:
        """Draw curves of a number, whose name is `what`; each ends where its run does."""
        self._lines = [(positions[: len(curve)], np.asarray(curve, np.float64)) for curve in curves]
        self._labels["left"] = what
        self._draw()
        self._write_labels()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the label of the axis in a low plot: the legend says it too."""
        super().resizeEvent(event)
        label = "" if event.size().height() < scaled(_LOW, self.font()) else _X_LABEL
        if label != self._labels["bottom"]:
            self._labels["bottom"] = label
            self._fit_to_font()

    def show_marks(self, marks: Sequence[tuple[int, ...]]) -> None:
        """Draw dots on the curves, at these numbers of merges on each of them."""
        if list(marks) != self.marks:
            self.marks = list(marks)
            self._draw_dots()

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Draw the merges on a logarithmic axis, which includes 0, or on a linear one."""
        self._on_logarithms = logarithmic
        self._draw()

    def _colour_lines(self, theme: Theme) -> None:
        colours = theme.lines
        for number, (item, dots) in enumerate(zip(self._items, self._dots, strict=True)):
            colour = colours[number % len(colours)]
            style = _STYLES[number // len(colours) % len(_STYLES)]
            item.setPen(pg.mkPen(colour, width=2, style=style))
            dots.setBrush(pg.mkBrush(colour))
            dots.setPen(pg.mkPen(QColor(theme.panel), width=1))

    def point_at(self, position: int | None) -> None:
        """Draw a line at a number of merges, or none."""
        self.mark(None if position is None else float(self.place(np.array([position]))[0]))

    def place(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the places of numbers of merges on the axis."""
        if self._on_logarithms:
            return np.log10(positions + 1.0)
        return positions.astype(np.float64)

    def _draw(self) -> None:
        for item in (*self._items, *self._dots):
            self._plot.removeItem(item)
        self._items, self._dots = [], []
        for positions, values in self._lines:
            places = self.place(positions)
            item = pg.PlotCurveItem(places, values, antialias=True, connect="finite")
            dots = pg.ScatterPlotItem(size=_DOT_SIZE, antialias=True)
            dots.setZValue(8)
            self._plot.addItem(item, ignoreBounds=True)
            self._plot.addItem(dots, ignoreBounds=True)
            self._items.append(item)
            self._dots.append(dots)
        self._colour_lines(theme_of(self))
        self._fit()
        self._draw_dots()

    def _draw_dots(self) -> None:
        for (positions, values), dots, marks in zip(
            self._lines, self._dots, self.marks, strict=False
        ):
            within = [mark for mark in marks if mark <= positions[-1]]
            places = self.place(np.array(within, np.int64))
            dots.setData(places, np.interp(places, self.place(positions), values))

    def _fit(self) -> None:
        values = np.concatenate([[], *(values for _, values in self._lines)])
        finite = values[np.isfinite(values)]
        bottom, top = around(finite.min(), finite.max()) if len(finite) else around(0.0, 1.0)
        end = float(self.place(np.array([max(self._last, 1)]))[0])
        self._bounds = Bounds(0.0, 0.0)
        self.set_bounds(Bounds(end * _ROOM_AT_THE_END, top, bottom))

    @property
    def _last(self) -> int:
        """The end of the longest curve."""
        return max((int(positions[-1]) for positions, _ in self._lines), default=0)

    @property
    def bottom(self) -> float:
        """The value at which the axis of values begins."""
        return self._bounds.bottom

    def _bottom_ticks(self, number: int) -> tuple[list[float], list[str]]:
        if not self._on_logarithms:
            return super()._bottom_ticks(number)
        last = round(10**self._bounds.x) - 1
        values = _round_numbers(last, number)
        places = self.place(np.array(values, np.int64)).tolist()
        return places, [tick_texts([float(value)])[0] for value in values]

    @Slot(object)
    def _hover(self, x: float | None) -> None:
        if x is None:
            self.positionHovered.emit(-1)
            return
        position = 10**x - 1 if self._on_logarithms else x
        self.positionHovered.emit(round(min(max(position, 0), self._last)))


def _round_numbers(last: int, wanted: int) -> list[int]:
    """Return about `wanted` round numbers from 0 to `last` for a logarithmic axis.

    >>> _round_numbers(1000, 6)
    [0, 1, 10, 100, 1000]
    """
    decades = range(int(log10(max(last, 1))) + 1)
    all_steps = [step * 10**decade for decade in decades for step in _DECADE_STEPS]
    for chosen in (all_steps, [10**d for d in decades], [10**d for d in decades if d % 2 == 0]):
        found = [0, *(value for value in chosen if value <= last)]
        if len(found) <= wanted:
            break
    return found

"""Curves of one number over the merges of several runs, and where one overtakes another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial
from html import escape
from math import log10

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.metric_columns import COLUMNS, Curve
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring.curve_measuring import (
    CurveMeasurer,
    CurveRequest,
    CurveResult,
    CurveRun,
)
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.metric_bars import NumberBox
from bpe_gui.ui.compare.wording import (
    MEASURING,
    NO_RUN,
    NO_TEXT,
    NOT_FROM_ZERO,
    TOLD,
    marked,
    overtaking_sentence,
    rounded,
    value_text,
    without_sentence,
)
from bpe_gui.ui.panels.curves.plot import Plot
from bpe_gui.ui.panels.curves.series import Bounds
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import FontFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import column, filled
from bpe_gui.ui.widgets.naming import centred, named, quiet
from bpe_gui.ui.widgets.presenting import Presentable
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


_TOO_LOW = 200
"""Pixels of height that are too few for a sentence of several lines."""
_GROWING_MILLISECONDS = 250
"""How long a run that is being trained grows before it is measured again."""


class ShownCurve(Struct, frozen=True):
    """A curve: its name, where lanes are on it, and whether any of them is lossy."""

    name: str
    marks: tuple[int, ...] = ()
    lossy: bool = False


def _curves_of(
    lanes: Sequence[Encoding], names: Mapping[History, str], lossy: Collection[Encoding]
) -> dict[History, ShownCurve]:
    """Make one curve of all lanes of a run.

    Runs without a name are called by their recipe, and two of one recipe by their lanes as well.
    """
    lanes_of: dict[History, list[TrainedEncoding]] = {}
    for lane in lanes:
        if isinstance(lane, TrainedEncoding):
            lanes_of.setdefault(lane.history, []).append(lane)
    recipes = [history.recipe.name for history in lanes_of if history not in names]
    shown = {}
    for history, found in lanes_of.items():
        name = f"{history.recipe.name} recipe"
        if recipes.count(history.recipe.name) > 1:
            name = f"{found[0].name} ({name})"
        marks = tuple(sorted({lane.position for lane in found}))
        is_lossy = any(lane in lossy for lane in found)
        shown[history] = ShownCurve(names.get(history, name), marks, is_lossy)
    return shown


class MergeCurves(Presentable, QWidget):
    """Curves of one chosen number, measured in the background while they are in sight.

    Each run has one curve, whatever the number of its lanes, and so has each encoding from a file
    whose merges are known. The legend shows values at measured positions.
    """

    measured = Signal(object)
    """A CurveResult is there."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("mergeCurves")
        self._text = ""
        self._specials_as_text = False
        self._alone = ""
        self._runs: dict[History, ShownCurve] = {}
        self._files: tuple[Encoding, ...] = ()
        self._lossy: Collection[Encoding] = ()
        self._asked: CurveRequest | None = None
        self._result: CurveResult | None = None
        self._drawn: tuple[CurveResult, list[tuple[str, bool]]] | None = None
        self._hovered = -1
        self._not_from_zero = ""
        self._measurer = CurveMeasurer()
        self._task = BackgroundTask(
            "curves", self, expected=(EncodingError,), failure="The curves could not be measured"
        )
        self._again = QTimer(self, singleShot=True, interval=_GROWING_MILLISECONDS)
        self.box = NumberBox("curvesNumber")
        self.logarithmic = named(QCheckBox("Logarithmic axis"), "curvesLogarithmic")
        self._state = quiet(QLabel())
        self.axis_hint = quiet(named(QLabel(), "curvesAxisHint", tip=NOT_FROM_ZERO))
        self._legend = named(QLabel(wordWrap=True), "curvesLegend")
        self.sentence = named(ElidingLabel(), "overtakingSentence")
        self.controls = QWidget(self)
        """Boxes above the plot, which may be moved to another place."""
        self._message = centred(named(QLabel(NO_RUN), "curvesMessage"))
        self._plot_place = QVBoxLayout()
        self._build()
        self.box.currentIndexChanged.connect(self._refresh)
        self._again.timeout.connect(self._refresh)
        ThemeFollower(self, self._take_colours)
        FontFollower(self, self._update_text)

    def _build(self) -> None:
        self.logarithmic.setChecked(True)
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        # As high as its boxes: only the plot shrinks.
        self.controls.setSizePolicy(self.box.sizePolicy())
        filled(QHBoxLayout(self.controls), self.box, self.logarithmic, spacing=8)
        top = filled(
            QHBoxLayout(), self._legend, self.axis_hint, self._state,
            stretched=self._legend, spacing=10, margins=(10, 4, 6, 0),
        )  # fmt: skip
        self.sentence.setContentsMargins(10, 0, 6, 4)
        chosen = filled(QHBoxLayout(), self.controls, None)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._message)
        place = self._plot_place
        self._pages.addWidget(column(chosen, top, place, self.sentence, stretched=place))

    @cached_property
    def plot(self) -> MergeCurvePlot:
        """The plot, made when it is first needed: it would delay the start by 20 ms."""
        plot = MergeCurvePlot(self)
        plot.set_logarithmic(self.logarithmic.isChecked())
        self.logarithmic.toggled.connect(plot.set_logarithmic)
        plot.positionHovered.connect(self._on_hovered)
        self._plot_place.addWidget(plot)
        return plot

    @property
    def busy(self) -> bool:
        """Whether anything is being measured."""
        return not self._task.at_rest

    @property
    def is_empty(self) -> bool:
        """Whether there are no curves, but a sentence."""
        return self._result is None

    # -- what is shown -------------------------------------------------------------------------

    def show_runs(
        self,
        text: str,
        lanes: Sequence[Encoding],
        names: Mapping[History, str],
        *,
        lossy: Collection[Encoding] = (),
        specials_as_text: bool = False,
        alone: str = "",
    ) -> None:
        """Draw the runs and the other encodings of lanes, measured on a text.

        names: of the runs that are not called by their recipes.
        lossy: the lanes that do not give the text back.
        alone: what to say of a single run; see `overtaking_sentence`.
        """
        self._text, self._specials_as_text = text, specials_as_text
        self._alone, self._lossy = alone, lossy
        self._runs = _curves_of(lanes, names, lossy)
        self._files = tuple(one for one in lanes if not isinstance(one, TrainedEncoding))
        self._refresh()

    def _take_colours(self, theme: Theme) -> None:
        self._colours = theme.lines
        self._update_text()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure what has changed out of sight."""
        super().showEvent(event)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the plot the height that it needs."""
        super().resizeEvent(event)
        self.sentence.setWordWrap(self.height() >= scaled(_TOO_LOW, self.font()))
        self._hint_at_axis()

    def hideEvent(self, event: QHideEvent) -> None:
        """Measure nothing out of sight."""
        super().hideEvent(event)
        self._again.stop()
        self._task.drop()
        if self._result is None or self._asked != self._result.request:
            self._asked = None

    # -- measuring -----------------------------------------------------------------------------

    @Slot()
    def _refresh(self) -> None:
        """Measure again if anything changed that the curves depend on; else move the marks."""
        some = bool(self._runs or self._files)
        if not self.isVisible():
            self._forget_gone(NO_TEXT if some else NO_RUN)
            return
        if not some or not self._text:
            self._forget(NO_TEXT if some else NO_RUN)
            return
        runs = tuple(CurveRun(history, len(history)) for history in self._runs)
        column = self.box.currentIndex()
        request = CurveRequest(self._text, runs, column, self._specials_as_text, self._files)
        waits, before = self.busy or self._again.isActive(), self._asked
        if request == before or (waits and before and request.is_grown_from(before)):
            # Else a run in training would be cancelled again and again, and never be drawn.
            self._draw()
            return
        self._asked = request
        self._state.setText(MEASURING)
        if self._result is None:
            self._message.setText(MEASURING)
        measure = partial(_measure, self._measurer, request)
        self._task.ask(measure, self._on_measured, self._say_instead)

    def _forget_gone(self, message: str) -> None:
        """Forget what was measured if any of it is not compared any more: that is kept with it."""
        known = self._asked or (self._result.request if self._result is not None else None)
        if known is not None and not (
            {run.history for run in known.runs} <= self._runs.keys()
            and set(known.files) <= set(self._files)
        ):
            self._forget(message)

    def _forget(self, message: str) -> None:
        """Forget what was measured, and show a sentence instead."""
        self._task.drop()
        self._asked = self._drawn = None
        self._measurer = CurveMeasurer()
        self._say_instead(message)

    def _on_measured(self, result: CurveResult) -> None:
        self.measured.emit(result)
        if not result.runs:
            self._say_instead(NO_RUN)
            return
        self._result = result
        self._state.setText("")
        self._pages.setCurrentIndex(1)
        self._draw()
        if any(len(run.history) > run.length for run in result.request.runs):
            self._again.start()

    def _say_instead(self, message: str) -> None:
        self._result = None
        self._state.setText("")
        self._message.setText(message)
        self._pages.setCurrentIndex(0)

    # -- drawing -------------------------------------------------------------------------------

    def _draw(self) -> None:
        result = self._result
        if result is None:
            return
        shown = self._shown(result)
        drawn = (result, [(curve.name, curve.lossy) for curve in shown])
        if drawn != self._drawn:
            self._drawn = drawn
            self.plot.show_curves(
                result.positions, result.curves, COLUMNS[result.request.column].title
            )
            bottom = self.plot.bottom
            self._not_from_zero = f"axis from {rounded(bottom)}, not from 0" if bottom else ""
            self._hint_at_axis()
            self._update_text()
        self.plot.show_marks([curve.marks for curve in shown])

    def _hint_at_axis(self) -> None:
        """Say where the axis begins; where that is too wide, only that it is not at 0."""
        hint = self._not_from_zero
        cut = self.axis_hint.fontMetrics().horizontalAdvance(hint) > self.width() // 3
        self.axis_hint.setText(hint.rpartition(", ")[2] if cut else hint)

    @Slot(int)
    def _on_hovered(self, position: int) -> None:
        self._hovered = position
        self._update_text()

    def _update_text(self) -> None:
        """Write the legend with the values, and the sentence on who overtakes whom."""
        result = self._result
        if result is None:
            return
        column = COLUMNS[result.request.column]
        place = self._hovered_place(result)
        position = None if place is None else int(result.positions[place])
        self.plot.mark(None if place is None else float(self.plot.place(result.positions[place])))
        shown = self._shown(result)
        colours = self._colours
        entries, spoken = [], []
        for number, curve in enumerate(shown):
            value = value_text(result, number, place, column)
            colour = colours[number % len(colours)]
            line = f'<span style="color:{colour}">━●━</span>'
            name = marked(curve.name, lossy=curve.lossy)
            unbroken = escape(name).replace(" ", "&nbsp;")
            entries.append(f"{line}&nbsp;{unbroken}&nbsp;<b>{value}</b>")
            spoken.append(f"{name} {value}")
        where = "at the end" if position is None else f"at {counted(position, 'merge')}"
        self._legend.setText(f"{' &nbsp; '.join(entries)} &nbsp; {where.replace(' ', '&nbsp;')}")
        names = [curve.name for curve in shown]
        # An audience cannot add a second run.
        compares = len(names) > 1 or not self.presents
        said = (
            overtaking_sentence(result, names, self._alone) if compares else "",
            without_sentence(result),
            f"{TOLD}." if any(curve.lossy for curve in shown) else "",
        )
        self.sentence.setText(" ".join(filter(None, said)))
        self.sentence.setToolTip(self.sentence.text())
        self.sentence.setVisible(bool(self.sentence.text()))
        self.plot.setAccessibleName(f"{column.title} over the merges")
        self.plot.setAccessibleDescription(f"{where}: {'; '.join(spoken)}. {self.sentence.text()}")

    def _hovered_place(self, result: CurveResult) -> int | None:
        """Find the measured position nearest to the mouse; None if the mouse is elsewhere."""
        if self._hovered < 0:
            return None
        places = self.plot.place(result.positions)
        mouse = float(self.plot.place(np.array([self._hovered]))[0])
        return int(np.abs(places - mouse).argmin())

    def _shown(self, result: CurveResult) -> list[ShownCurve]:
        runs = [
            self._runs.get(run.history, ShownCurve(run.history.recipe.name))
            for run in result.request.runs
        ]
        files = [
            ShownCurve(encoding.name, (run.length,), encoding in self._lossy)
            for run, encoding in result.followed
        ]
        return runs + files


def _measure(measurer: CurveMeasurer, request: CurveRequest, job: Job) -> CurveResult:
    job.wait_for_kernels()
    return measurer.measure(request, job.is_cancelled)

"""One quiet plot: a headline with a value, two axes, a line at the position.

The axis of values begins at zero, or elsewhere with a zigzag at its foot.

The axes' own grid takes 5 ms a frame, for it is drawn as part of each axis; here it is one
path of straight lines, made anew only when an axis gets another end.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent
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

from bpe_gui.ui.panels.curves.series import Bounds
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.scales import power_text, powers, tick_texts, ticks

_PIXELS_PER_TICK_X = 68
_PIXELS_PER_TICK_Y = 36
_LABEL_SIZE = 0.9
"""The size of what is written at the axes, as a share of that of the text around."""
_WIDEST_TICK = "100,000"
_MARGIN_RIGHT = 26
_MARGIN_BOTTOM = 5
"""As far as pyqtgraph lets a label hang below its axis: without it the g of "merges" is cut."""
_DOT = 7
_ZIGZAG_X = np.array([0.0, 7.0, 0.0, 7.0, 0.0])
_ZIGZAG_Y = np.array([2.0, 5.0, 8.0, 11.0, 14.0])
"""The mark of an axis that does not begin at zero, in pixels from its foot."""


class Canvas(pg.PlotWidget):  # type: ignore[misc]
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
        """Leave the wheel to the panel around."""
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)


class Plot(QWidget):
    """A plot with a headline. Subclasses put the items on it that show a history."""

    def __init__(
        self, title: str, x_label: str, y_label: str, logarithmic: bool, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._labels = {"bottom": x_label, "left": y_label}
        self._logarithmic = logarithmic
        self._bounds = Bounds(1.0, 1.0)
        self._title = QLabel(title, self)
        self._title.setProperty("quiet", True)
        self._value = ElidingLabel(self)
        self._value.setTextFormat(Qt.TextFormat.PlainText)
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.canvas = Canvas(self)
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
        self._fit_to_font()
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
        self._plot.addItem(self._grid, ignoreBounds=True)
        self._plot.addItem(self._break, ignoreBounds=True)
        self._plot.addItem(self._marker, ignoreBounds=True)
        self._plot.addItem(self._dot, ignoreBounds=True)
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
        headline.setContentsMargins(10, 6, 10, 2)
        headline.addWidget(self._title)
        headline.addWidget(self._value, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(headline)
        layout.addWidget(self.canvas, 1)

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
        """Whether the plot says what it is; under a tab that does, it need not."""
        self._title.setVisible(shown)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        if event.type() == QEvent.Type.FontChange:
            self._fit_to_font()
        super().changeEvent(event)

    def _fit_to_font(self) -> None:
        font = QFont(self.font())
        font.setPointSizeF(self.font().pointSizeF() * _LABEL_SIZE)
        metrics = QFontMetrics(font)
        for side in ("bottom", "left"):
            self._plot.getAxis(side).setTickFont(font)
        # The highest number stands half above the plot.
        top = max(4, metrics.height() // 2)
        self._plot.layout.setContentsMargins(0, top, _MARGIN_RIGHT, _MARGIN_BOTTOM)
        dot = scaled(_DOT, self.font())
        self._dot.setRect(-dot / 2, -dot / 2, dot, dot)
        # Fixed, so that the plot does not move when its numbers get longer.
        wide = metrics.horizontalAdvance(_WIDEST_TICK)
        self._plot.getAxis("left").setWidth(wide + metrics.height() + 10)
        lines = 2 if self._labels["bottom"] else 1
        self._plot.getAxis("bottom").setHeight(lines * metrics.height() + 6)
        self._write_labels()
        self._mark_axes()

    def _write_labels(self) -> None:
        """Say what the axes are of; one that has no room for it says nothing."""
        size = f"{self.font().pointSizeF() * _LABEL_SIZE:.1f}pt"
        area = self._plot.vb.size()
        for side, room in (("bottom", area.width()), ("left", area.height())):
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

    def mark(self, x: float | None) -> None:
        """Put the line of the position at a place on the x axis, or hide it."""
        self._marker.setVisible(x is not None)
        if x is not None:
            self._marker.setPos(x, 0)

    def point_out(self, x: float | None, y: float = 0.0) -> None:
        """Put the dot at a point, or hide it."""
        self._dot.setVisible(x is not None)
        if x is not None:
            self._dot.setPos(x, y)

    @Slot()
    def _on_resized(self) -> None:
        self._write_labels()
        self._mark_axes()

    def _mark_axes(self) -> None:
        """Ticks and grid lines for the ends of the axes and the size of the plot."""
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
        """Places and texts of about so many ticks on the x axis, which counts: none in between."""
        values, texts = self._ticks(self._bounds.x, number)
        if self._logarithmic:
            return values, texts
        whole = [place for place, value in enumerate(values) if value == round(value)]
        return [values[place] for place in whole], [texts[place] for place in whole]

    def _ticks(
        self, end: float, number: int, begin: float = 0.0
    ) -> tuple[list[float], list[str]]:
        if self._logarithmic:
            values = powers(end, number)
            return values, [power_text(value) for value in values]
        values = ticks(end, number, begin)
        return values, tick_texts(values)

    @property
    def value(self) -> str:
        """The value in the headline, in full."""
        return self._value.text()

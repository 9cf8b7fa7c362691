"""Draws plots for pictures of a larger scale.

Pens of plots are as wide in pixels at any scale, so that lines would be thin in large pictures.
Dots of plots are cached as small pictures, which must be drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import pyqtgraph as pg
from PySide6.QtGui import QPen
from PySide6.QtWidgets import (
    QAbstractGraphicsShapeItem,
    QGraphicsItem,
    QGraphicsLineItem,
    QGraphicsView,
)


@contextmanager
def in_scale(plots: Sequence[QGraphicsView], scale: float) -> Iterator[None]:
    """Give plots wider lines for a while, for a picture of that scale."""
    with ExitStack() as until_painted:
        for plot in plots:
            for item in plot.scene().items():
                if isinstance(item, pg.ScatterPlotItem):
                    item.setExportMode(True, {"antialias": True})
                    until_painted.callback(item.setExportMode, False)
                elif scale != 1:
                    _thicken(item, scale, until_painted)
        yield


def _thicken(item: QGraphicsItem, scale: float, until_painted: ExitStack) -> None:
    set_pen: Callable[[QPen], object]
    if isinstance(item, pg.PlotCurveItem):
        pen, set_pen = item.opts["pen"], item.setPen
    elif isinstance(item, pg.AxisItem):
        pen, set_pen = item.pen(), partial(_set_axis_pen, item)
    elif isinstance(item, QGraphicsLineItem | QAbstractGraphicsShapeItem):
        pen, set_pen = item.pen(), item.setPen
    else:
        return
    if pen is None or not pen.isCosmetic():
        return
    until_painted.callback(set_pen, QPen(pen))
    wider = QPen(pen)
    wider.setWidthF((pen.widthF() or 1.0) * scale)
    set_pen(wider)


def _set_axis_pen(axis: pg.AxisItem, pen: QPen) -> None:
    """Give an axis another pen, but keep the colour and visibility of its label."""
    style, shown = dict(axis.labelStyle), axis.label.isVisible()
    axis.setPen(pen)
    axis.setLabel(axis.labelText, axis.labelUnits, axis.labelUnitPrefix, **style)
    axis.label.setVisible(shown)

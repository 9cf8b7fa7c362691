"""A widget as a picture or as a drawing, painted anew at the size and scale that are asked for.

Nothing of it is seen on the screen: the widget is laid out at another size only for as long as
it is painted, without an event in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPen, QRegion
from PySide6.QtWidgets import (
    QAbstractGraphicsShapeItem,
    QGraphicsItem,
    QGraphicsLineItem,
    QWidget,
)

SCALES = (1, 2, 3, 4)
"""Pixels of a picture for one of the widget, along each side."""
LONGEST_SIDE = 16_384
"""Pixels of a picture along one side, beyond which few programs open it."""


class PictureError(ValueError):
    """A picture that cannot be made; the message is one sentence for the user."""


def picture_of(
    widget: QWidget, scale: int = 2, size: QSize | None = None, ground: str = ""
) -> QImage:
    """A widget as pixels, painted as sharply as a screen of that scale would.

    `size` is that of the widget in logical pixels, its present one by default; it is never
    made smaller than it can be. The picture has `scale` times as many pixels along each side.
    `ground` is the colour of what lies behind a widget that lets it shine through, as panels
    do in the window; a window has its own.
    Raises PictureError for more than `LONGEST_SIDE`.
    """
    with laid_out(widget, size):
        image = _blank(widget.size(), scale, ground)
        paint_on(image, widget, scale, ground)
    return image


def check_pixels(size: QSize, scale: int) -> None:
    """Raise PictureError for a widget of that size as a picture of more than `LONGEST_SIDE`."""
    pixels = size * scale
    if max(pixels.width(), pixels.height()) > LONGEST_SIDE:
        raise PictureError(
            f"A picture of {pixels.width():,} by {pixels.height():,} pixels is too large; "
            f"choose a smaller size or scale, so that no side is longer than {LONGEST_SIDE:,}."
        )


def _blank(size: QSize, scale: int, ground: str) -> QImage:
    """The pixels for a widget of that size, all of one colour."""
    check_pixels(size, scale)
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    if image.isNull():
        raise PictureError("There is no memory for the picture; choose a smaller size or scale.")
    image.setDevicePixelRatio(scale)
    image.fill(QColor(ground) if ground else Qt.GlobalColor.transparent)
    return image


def encoded(image: QImage) -> bytes:
    """A picture as PNG, on any thread. Raises MemoryError."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    written = image.save(buffer, "PNG")  # type: ignore[call-overload]  # a device is allowed too
    buffer.close()
    if not written:
        raise MemoryError
    return bytes(content.data())


@contextmanager
def laid_out(widget: QWidget, size: QSize | None) -> Iterator[None]:
    """Give a widget another size for a while, unseen; None leaves it as it is."""
    before = widget.geometry()
    if size is None or size == before.size():
        yield
        return
    try:
        widget.resize(size.expandedTo(widget.minimumSizeHint()))
        # What was told its size may say more or less now; it would be laid out a turn later.
        for each in (widget, *widget.findChildren(QWidget)):
            if (layout := each.layout()) is not None:
                layout.activate()
        yield
    finally:
        widget.setGeometry(before)


def paint_on(device: QPaintDevice, widget: QWidget, scale: int = 1, ground: str = "") -> None:
    """Paint a widget and all within it; with a `ground`, that lies behind it already."""
    flags = QWidget.RenderFlag.DrawChildren
    if not ground:
        flags |= QWidget.RenderFlag.DrawWindowBackground
    with _plots_in_scale(widget, scale):
        widget.render(device, QPoint(), QRegion(), flags)


# Pens of plots are so many pixels wide whatever the scale, which in a picture of three times the
# size is a hair. Dots of plots are kept as small pictures, which must be drawn anew.


@contextmanager
def _plots_in_scale(widget: QWidget, scale: float) -> Iterator[None]:
    """For a while, all plots within a widget have lines for a picture of that scale."""
    with ExitStack() as until_painted:
        for plot in widget.findChildren(pg.PlotWidget):
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
    """Give an axis another pen, but not its label too, which may be out of sight."""
    style, shown = dict(axis.labelStyle), axis.label.isVisible()
    axis.setPen(pen)
    axis.setLabel(axis.labelText, axis.labelUnits, axis.labelUnitPrefix, **style)
    axis.label.setVisible(shown)

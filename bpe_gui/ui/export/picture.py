"""A widget as a picture or as a drawing, painted anew at the size and scale that are asked for.

Nothing of it is seen on the screen: the widget is laid out at another size only for as long as
it is painted, without an event in between.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPaintEngine, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from bpe_gui.exporting.svg import SvgDocument
from bpe_gui.ui.export.plot_pens import plots_in_scale
from bpe_gui.ui.export.svg_engine import SvgEngine

SCALES = (1, 2, 3, 4)
"""Pixels of a picture for one of the widget, along each side."""
LONGEST_SIDE = 16_384
"""Pixels of a picture along one side, beyond which few programs open it."""

_BAND = 1_500_000
"""Pixels that are painted at once of a picture that nobody waits for."""
_ONE = 1 << 16
_MILLIMETRES_PER_INCH = 25.4


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
        with plots_in_scale(widget, scale):
            _render(widget, image, ground)
    return image


def painting_of(widget: QWidget, scale: int) -> Generator[QImage, None, None]:
    """A window as `picture_of` paints it, a band at a time: the picture as far as it is.

    Each time the next band is asked for takes about a frame, however large the whole is. For a
    window that does not change meanwhile. Raises PictureError as `picture_of`.
    """
    image = _blank(widget.size(), scale, "")
    rows = max(1, _BAND // (image.width() * scale))
    with plots_in_scale(widget, scale):
        for top in range(0, widget.height(), rows):
            band = QRect(0, top, widget.width(), min(rows, widget.height() - top))
            _render(widget, image, "", band)
            yield image


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


def drawing_of(widget: QWidget, title: str, size: QSize | None = None, ground: str = "") -> str:
    """A widget as an SVG file, in which texts are texts; the rest as for `picture_of`."""
    with laid_out(widget, size):
        page = SvgPage(widget, title)
        if ground:
            painter = QPainter(page)
            painter.fillRect(widget.rect(), QColor(ground))
            painter.end()
        with plots_in_scale(widget, 1):
            _render(widget, page, ground)
        return page.text()


def _render(
    widget: QWidget, device: QPaintDevice, ground: str, band: QRect | None = None
) -> None:
    flags = QWidget.RenderFlag.DrawChildren
    if not ground:
        flags |= QWidget.RenderFlag.DrawWindowBackground
    if band is None:
        widget.render(device, QPoint(), QRegion(), flags)
    else:
        widget.render(device, band.topLeft(), QRegion(band), flags)


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


class SvgPage(QPaintDevice):
    """A page on which a widget can be rendered, and that is an SVG file afterwards."""

    def __init__(self, widget: QWidget, title: str) -> None:
        super().__init__()
        self._size = widget.size()
        self._dots = widget.logicalDpiX(), widget.logicalDpiY()
        frame = QRectF(widget.rect())
        self._document = SvgDocument(frame.width(), frame.height(), title)
        self._engine = SvgEngine(self._document, frame, self._dots[1])

    def paintEngine(self) -> QPaintEngine:
        """What painters on this page write with."""
        return self._engine

    def metric(self, which: QPaintDevice.PaintDeviceMetric) -> int:
        """The measures of the page: as many pixels as the widget has, as large as there."""
        kinds = QPaintDevice.PaintDeviceMetric
        width, height = self._size.width(), self._size.height()
        across, down = self._dots
        return {
            kinds.PdmWidth: width,
            kinds.PdmHeight: height,
            kinds.PdmWidthMM: round(width * _MILLIMETRES_PER_INCH / across),
            kinds.PdmHeightMM: round(height * _MILLIMETRES_PER_INCH / down),
            kinds.PdmDpiX: across,
            kinds.PdmDpiY: down,
            kinds.PdmPhysicalDpiX: across,
            kinds.PdmPhysicalDpiY: down,
            kinds.PdmDepth: 32,
            kinds.PdmNumColors: 2**31 - 1,
            kinds.PdmDevicePixelRatio: 1,
            kinds.PdmDevicePixelRatioScaled: _ONE,
        }.get(which, 0)

    def text(self) -> str:
        """The file."""
        self._engine.finish()
        return self._document.text()

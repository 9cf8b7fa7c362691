"""Paints widgets as pictures in any scale, and as PDF."""

from __future__ import annotations

from contextlib import ExitStack

from PySide6.QtCore import (
    QBuffer,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QImage,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QRegion,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from bpe_gui.ui.theme.theme import Theme

_LINES = 20
_LETTERS = 40
"""Lines and wide letters of captions that a picture would have room for: type is that small."""
_FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class Caption:
    """A strip below a picture with a sentence in it, in the colours of a theme."""

    def __init__(self, text: str, size: QSize, font: QFont, theme: Theme) -> None:
        """Lay out a sentence for a picture of a size in logical pixels.

        font: of the window; the type is at least as large.
        """
        self._text, self._theme = text, theme
        self._font = QFont(font)
        least = min(size.height() / _LINES, size.width() / _LETTERS)
        self._font.setPixelSize(max(QFontInfo(font).pixelSize(), round(least)))
        metrics = QFontMetrics(self._font)
        self._margin = metrics.height() // 2
        inner = QRect(0, 0, size.width() - 2 * self._margin, 1 << 20)
        self.height = metrics.boundingRect(inner, _FLAGS, text).height() + 2 * self._margin
        """The height of the strip in logical pixels."""

    def paint_on(self, device: QPaintDevice | QPainter, width: int, top: int) -> None:
        """Paint the strip on a picture that is so wide, from `top` downwards."""
        painter = device if isinstance(device, QPainter) else QPainter(device)
        strip = QRect(0, top, width, self.height)
        painter.fillRect(strip, QColor(self._theme.window))
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.text))
        inner = strip.adjusted(self._margin, self._margin, -self._margin, 0)
        painter.drawText(inner, _FLAGS, self._text)
        if painter is not device:
            painter.end()


SCALES = (1, 2, 3, 4)
"""Pixels of a picture for one of the widget, along each side."""
LONGEST_SIDE = 16_384
"""The pixels along one side of a picture beyond which few programs open it."""


class PictureError(ValueError):
    """A picture that cannot be made; the message is one sentence for the user."""


def picture_of(
    widget: QWidget, scale: int = 2, ground: str = "", caption: Caption | None = None
) -> QImage:
    """Paint a widget as sharply as a screen of that scale would.

    The picture has `scale` times as many pixels along each side. `ground` is the colour behind a
    widget without a background, as panels are; a window has its own. A `caption` is added below
    the widget.

    Raises PictureError for more than `LONGEST_SIDE`.
    """
    image = _blank(size_with(widget, caption), scale, ground)
    paint_on(image, widget, ground, caption, scale)
    return image


def size_with(widget: QWidget, caption: Caption | None) -> QSize:
    """Return the size of a widget with the caption below it, in logical pixels."""
    return widget.size() + QSize(0, caption.height if caption is not None else 0)


def room_above(caption: Caption | None, size: QSize | None) -> QSize | None:
    """Return the size that a caption leaves of a picture; None if its size is not given.

    Raises PictureError if it is less than a half.
    """
    if caption is None or size is None:
        return size
    if 2 * caption.height > size.height():
        raise PictureError(
            f"The caption would take more than half of {size.height():,} pixels; shorten it, or "
            "make the picture larger."
        )
    return size - QSize(0, caption.height)


def check_pixels(size: QSize, scale: int) -> None:
    """Raise PictureError if a side of the picture would be longer than `LONGEST_SIDE`."""
    pixels = size * scale
    if max(pixels.width(), pixels.height()) > LONGEST_SIDE:
        raise PictureError(
            f"A picture of {pixels.width():,} by {pixels.height():,} pixels is too large; "
            f"choose a smaller size or scale, so that no side is longer than {LONGEST_SIDE:,}."
        )


def _blank(size: QSize, scale: int, ground: str) -> QImage:
    check_pixels(size, scale)
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    if image.isNull():
        raise PictureError("There is no memory for the picture; choose a smaller size or scale.")
    image.setDevicePixelRatio(scale)
    image.fill(QColor(ground) if ground else Qt.GlobalColor.transparent)
    return image


def encoded(image: QImage) -> bytes:
    """Encode a picture as PNG, on any thread. Raises MemoryError."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # a device is allowed too
        raise MemoryError
    return bytes(buffer.data().data())


def paint_on(
    device: QPaintDevice | QPainter,
    widget: QWidget,
    ground: str,
    caption: Caption | None,
    scale: int = 1,
) -> None:
    """Paint a widget with all within it, and the caption below it.

    Without a `ground`, also the background of its window is painted.
    """
    flags = QWidget.RenderFlag.DrawChildren
    if not ground:
        flags |= QWidget.RenderFlag.DrawWindowBackground
    with ExitStack() as until_painted:
        if plots := widget.findChildren(QGraphicsView):
            # Pyqtgraph takes long to load, and most panels have no plot.
            from bpe_gui.ui.export.plot_pens import in_scale

            until_painted.enter_context(in_scale(plots, scale))
        widget.render(device, QPoint(), QRegion(), flags)
    if caption is not None:
        caption.paint_on(device, widget.width(), widget.height())


_POINTS_AN_INCH = 72


def pdf_of(
    widget: QWidget, title: str, ground: str = "", caption: Caption | None = None
) -> bytes:
    """Paint a widget as PDF, as large as on the screen; the arguments are those of `picture_of`."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    dots = widget.logicalDpiY()
    points = QSizeF(size_with(widget, caption)) * (_POINTS_AN_INCH / dots)
    page = QPdfWriter(buffer)
    page.setTitle(title)
    page.setResolution(dots)
    whole = QPageSize(points, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch)
    page.setPageLayout(QPageLayout(whole, QPageLayout.Orientation.Portrait, QMarginsF()))
    with QPainter(page) as painter:
        if ground:
            painter.fillRect(widget.rect(), QColor(ground))
        paint_on(painter, widget, ground, caption)
    return bytes(buffer.data().data())

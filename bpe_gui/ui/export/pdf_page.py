"""Paint a widget into a PDF of one page, in which text is text."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSize, QSizeF
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.export.caption import Caption
from bpe_gui.ui.export.picture import laid_out, paint_on

_POINTS_AN_INCH = 72


def pdf_of(
    widget: QWidget,
    title: str,
    size: QSize | None = None,
    ground: str = "",
    caption: Caption | None = None,
) -> bytes:
    """Paint a widget as PDF, as large as on the screen; the arguments are those of `picture_of`."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with laid_out(widget, size):
        dots = widget.logicalDpiY()
        below = QSize(0, caption.height if caption is not None else 0)
        points = QSizeF(widget.size() + below) * (_POINTS_AN_INCH / dots)
        page = QPdfWriter(buffer)
        page.setTitle(title)
        page.setResolution(dots)
        whole = QPageSize(points, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch)
        page.setPageLayout(QPageLayout(whole, QPageLayout.Orientation.Portrait, QMarginsF()))
        painter = QPainter(page)
        if ground:
            painter.fillRect(widget.rect(), QColor(ground))
        paint_on(painter, widget, ground=ground)
        if caption is not None:
            caption.paint_on(painter, widget.width(), widget.height())
        painter.end()
    buffer.close()
    return bytes(content.data())

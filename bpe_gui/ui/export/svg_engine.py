"""A paint engine that writes SVG with real texts.

Qt has one of its own (QSvgGenerator), which knows neither the space between letters nor how
wide a text is: boxes and texts would part where another font is at hand. It also leaves out
what a widget must not paint over, and draws lines of a pixel between two of them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from math import sqrt
from typing import Any

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QRegion,
    QTextItem,
    QTransform,
)

from bpe_gui.exporting.svg import Attribute, SvgDocument, element, number
from bpe_gui.ui.export.svg_path import data_of, rectangle_of
from bpe_gui.ui.export.svg_style import fill, stroke
from bpe_gui.ui.export.svg_texts import SvgTexts

_HALF_A_PIXEL = 0.5


class SvgEngine(QPaintEngine):
    """Writes what a painter paints into a document, all in the coordinates of the page."""

    def __init__(self, document: SvgDocument, page: QRectF, dots_per_inch: float) -> None:
        features = QPaintEngine.PaintEngineFeature
        super().__init__(features.AllFeatures & ~features.PerspectiveTransform)
        self._document = document
        self._page = page
        self._texts = SvgTexts(document, dots_per_inch)
        self._pen = QPen()
        self._brush = QBrush()
        self._transform = QTransform()
        self._opacity = 1.0
        self._smooth = False
        self._has_ground = False
        self._own_clip: QPainterPath | None = None
        self._seen: tuple[str, QRectF] | None = None
        self._region = QRegion()

    # -- what Qt asks of an engine ---------------------------------------------------------------

    def begin(self, device: QPaintDevice) -> bool:
        """A painter begins."""
        return True

    def end(self) -> bool:
        """The painter has ended."""
        return True

    def type(self) -> QPaintEngine.Type:
        """What kind of engine this is: one that keeps texts (see `target_of`)."""
        return QPaintEngine.Type.SVG

    def updateState(self, state: QPaintEngineState) -> None:
        """Take in what changed of pen, brush, place and clip."""
        dirty, changed = QPaintEngine.DirtyFlag, state.state()
        if changed & dirty.DirtyPen:
            self._pen = QPen(state.pen())
        if changed & dirty.DirtyBrush:
            self._brush = QBrush(state.brush())
        if changed & dirty.DirtyTransform:
            self._transform = QTransform(state.transform())
        if changed & dirty.DirtyOpacity:
            self._opacity = state.opacity()
        if changed & dirty.DirtyHints:
            self._smooth = bool(state.renderHints() & QPainter.RenderHint.Antialiasing)
        if changed & (dirty.DirtyClipPath | dirty.DirtyClipRegion | dirty.DirtyClipEnabled):
            painter = state.painter()
            self._own_clip = None
            self._seen = None
            if painter.hasClipping():
                self._own_clip = painter.deviceTransform().map(painter.clipPath())

    def drawPath(self, path: QPainterPath) -> None:
        """A shape with fill and line."""
        self._add_path(path, self._brush)

    def drawPolygon(self, points: Iterable[Any], mode: QPaintEngine.PolygonDrawMode) -> None:
        """A polygon, or a line through points, which is not filled."""
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(point) for point in points]))
        if mode is QPaintEngine.PolygonDrawMode.PolylineMode:
            self._add_path(path, QBrush())
            return
        path.closeSubpath()
        if mode is QPaintEngine.PolygonDrawMode.WindingMode:
            path.setFillRule(Qt.FillRule.WindingFill)
        self._add_path(path, self._brush)

    def drawLines(self, lines: Iterable[Any]) -> None:
        """Lines that have nothing to do with each other."""
        path = QPainterPath()
        for line in lines:
            path.moveTo(QPointF(line.p1()))
            path.lineTo(QPointF(line.p2()))
        self._add_path(path, QBrush())

    def drawPoints(self, points: Iterable[Any]) -> None:
        """Dots as large as the pen."""
        size = self._pen.widthF() or 1.0
        path = QPainterPath()
        for point in points:
            path.addRect(point.x() - size / 2, point.y() - size / 2, size, size)
        pen, self._pen = self._pen, QPen(Qt.PenStyle.NoPen)
        self._add_path(path, pen.brush())
        self._pen = pen

    def drawPixmap(
        self, place: QRectF | QRect, pixmap: QPixmap | QImage, part: QRectF | QRect
    ) -> None:
        """A picture, which stays one."""
        self.drawImage(place, _image(pixmap), part)

    def drawImage(
        self,
        place: QRectF | QRect,
        image: QImage,
        part: QRectF | QRect,
        flags: Qt.ImageConversionFlag = Qt.ImageConversionFlag.AutoColor,
    ) -> None:
        """A picture, which stays one; if it has one colour only, it is a rectangle."""
        target = self._transform.mapRect(QRectF(place))
        clip = self._visible(target)
        if clip is None or image.isNull():
            return
        seen = image.copy(QRectF(part).toAlignedRect())
        if (colour := _only_colour(seen)) is not None:
            plain = fill(QBrush(colour), self._opacity)
            self._add(element("rect", {**_frame(target), **plain}), clip)
            return
        shown: dict[str, Attribute] = {
            **_frame(target),
            "preserveAspectRatio": "none",
            "opacity": None if self._opacity > 0.999 else self._opacity,
            "xlink:href": f"data:image/png;base64,{_png(seen)}",
        }
        self._add(element("image", shown), clip)

    def drawTiledPixmap(  # type: ignore[override]  # points are QPointF
        self, place: QRectF | QRect, pixmap: QPixmap | QImage, offset: QPointF
    ) -> None:
        """A picture over and over."""
        area, ratio = QRectF(place), pixmap.devicePixelRatio()
        whole = QImage((area.size() * ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        whole.setDevicePixelRatio(ratio)
        whole.fill(Qt.GlobalColor.transparent)
        painter = QPainter(whole)
        painter.drawTiledPixmap(QRectF(QPointF(0, 0), area.size()), pixmap, offset)
        painter.end()
        self.drawImage(area, whole, whole.rect())

    def drawTextItem(  # type: ignore[override]  # points are QPointF
        self, place: QPointF, item: QTextItem
    ) -> None:
        """A text in one font and one direction, from its left end on the base line."""
        height = item.ascent() + item.descent()
        frame = QRectF(place.x(), place.y() - item.ascent(), item.width(), height)
        clip = self._visible(self._transform.mapRect(frame))
        if clip is not None:
            paint = fill(QBrush(self._pen.color()), self._opacity)
            self._texts.add(item, place, self._transform, paint, clip)

    def finish(self) -> None:
        """Write what still waits."""
        self._texts.flush()

    # -- writing -----------------------------------------------------------------------------------

    def _add(self, written: str, clip: str = "") -> None:
        self._texts.flush()
        self._document.add(written, clip)

    def _add_path(self, path: QPainterPath, brush: QBrush) -> None:
        transform = self._transform
        lined = self._pen.style() is not Qt.PenStyle.NoPen
        if lined and not self._smooth:
            # Without smoothing, what is drawn at a place fills the pixel right below it.
            transform = transform * QTransform.fromTranslate(_HALF_A_PIXEL, _HALF_A_PIXEL)
        shape = transform.map(path)
        scale = sqrt(abs(transform.determinant()))
        style = {**fill(brush, self._opacity), **stroke(self._pen, scale, self._opacity)}
        if style["fill"] == "none" and "stroke" not in style:
            return
        width = (self._pen.widthF() or 1.0) * max(1.0, scale) if lined else 0.0
        around = shape.boundingRect().adjusted(-width, -width, width, width)
        clip = self._visible(around)
        if clip is None:
            return
        rectangle = rectangle_of(shape)
        if not self._has_ground:
            # What comes first is the background, which also lies below the seams of clips.
            self._has_ground = True
            self._add(element("rect", {**_frame(self._page), **style}))
        if rectangle is not None:
            self._add(element("rect", {**_frame(rectangle), **style}), clip)
            return
        odd = "stroke" in style and style["fill"] == "none"
        if not odd and path.fillRule() is Qt.FillRule.OddEvenFill:
            style["fill-rule"] = "evenodd"
        self._add(element("path", {"d": data_of(shape), **style}), clip)

    def _visible(self, frame: QRectF) -> str | None:
        """The clip of something within a frame, "" for none; None if nothing of it is seen."""
        # The part of the page that Qt leaves to the widget that is being painted.
        region = self.systemClip()
        if self._seen is None or region != self._region:
            self._region = region
            self._seen = self._clip(region)
        clip, bounds = self._seen
        if not bounds.intersects(frame.adjusted(-0.01, -0.01, 0.01, 0.01)):
            return None
        return "" if clip and bounds.contains(frame) and _is_frame(clip) else clip

    def _clip(self, region: QRegion) -> tuple[str, QRectF]:
        """Path data of what is seen at the moment, "" for all of the page, and its bounds."""
        seen = QPainterPath()
        if region.isEmpty():
            seen.addRect(self._page)
        else:
            seen.addRegion(region)
        if self._own_clip is not None:
            ours, theirs = rectangle_of(self._own_clip), rectangle_of(seen)
            if ours is not None and theirs is not None:
                seen = QPainterPath()
                seen.addRect(ours & theirs)
            else:
                seen = seen.intersected(self._own_clip)
        bounds = seen.boundingRect()
        rectangle = rectangle_of(seen)
        if rectangle is None and not seen.isEmpty():
            return data_of(seen), bounds
        if bounds.contains(self._page):
            return "", self._page
        left, top, right, bottom = map(
            number, (bounds.left(), bounds.top(), bounds.right(), bounds.bottom())
        )
        return f"M{left} {top}H{right}V{bottom}H{left}Z", bounds


def _is_frame(clip: str) -> bool:
    """Whether a clip is a rectangle: what lies within its bounds is not clipped."""
    return "H" in clip


def _frame(rectangle: QRectF) -> dict[str, Attribute]:
    return {
        "x": rectangle.x(),
        "y": rectangle.y(),
        "width": rectangle.width(),
        "height": rectangle.height(),
    }


def _image(picture: QPixmap | QImage) -> QImage:
    return picture if isinstance(picture, QImage) else picture.toImage()


def _only_colour(image: QImage) -> QColor | None:
    """The colour of all pixels of a picture; None if they have several."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return image.pixelColor(0, 0) if (pixels == pixels[0]).all() else None


def _png(image: QImage) -> str:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # a device is allowed too
    buffer.close()
    return b64encode(content.data()).decode("ascii")

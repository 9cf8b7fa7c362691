"""Paints widgets into an SVG file, in which text is text.

QSvgGenerator of Qt 6.11 does not do, in neither of its versions. SVG 1.1 writes clips in the
coordinates of the widget that is clipped, so browsers cut off most of a panel: labels of axes,
headers of tables, all of the ids. Tiny has no clips, so rows hang over edges. Neither says how
wide a text is or names a family that browsers know, so texts leave their boxes where another font
is at hand, and Hebrew and Arabic are elsewhere; files are three times as large.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTextItem,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.exporting.svg import (
    Attribute,
    SvgDocument,
    element,
    has_direction,
    number,
    text_element,
)
from bpe_gui.ui.export.picture import Caption, encoded, paint_on, size_with

_HALF_A_PIXEL = 0.5
_RATIOS = {
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatio: 1,
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatioScaled: 1 << 16,
}
"""How many pixels a logical pixel has, in the two units of Qt."""
_OVERRIDES = re.compile("[\u202d\u202e]")
_CAPS = {Qt.PenCapStyle.RoundCap: "round", Qt.PenCapStyle.SquareCap: "square"}
_JOINS = {Qt.PenJoinStyle.RoundJoin: "round", Qt.PenJoinStyle.BevelJoin: "bevel"}
_SANS = ("Noto Sans", "DejaVu Sans", "Segoe UI", "Helvetica Neue", "Arial", "sans-serif")
_MONOSPACE = ("Noto Sans Mono", "DejaVu Sans Mono", "Consolas", "Menlo", "monospace")
_TOUCH = 0.05
"""The largest gap in pixels between two pieces of one text."""
# Flags as numbers: to combine those of Qt takes as long as all else that a state is asked for.
_DIRTY = QPaintEngine.DirtyFlag
_PEN, _BRUSH = _DIRTY.DirtyPen.value, _DIRTY.DirtyBrush.value
_TRANSFORM, _OPACITY = _DIRTY.DirtyTransform.value, _DIRTY.DirtyOpacity.value
_HINTS, _SMOOTH = _DIRTY.DirtyHints.value, QPainter.RenderHint.Antialiasing.value
_CLIP = (_DIRTY.DirtyClipPath | _DIRTY.DirtyClipRegion | _DIRTY.DirtyClipEnabled).value


def drawing_of(
    widget: QWidget, title: str, ground: str = "", caption: Caption | None = None
) -> str:
    """Draw a widget as SVG, in which text is text; the arguments are those of `picture_of`."""
    page = _SvgPage(widget, title, size_with(widget, caption))
    if ground:
        with QPainter(page) as painter:
            painter.fillRect(widget.rect(), QColor(ground))
    paint_on(page, widget, ground, caption)
    return page.text()


class _Text(Struct, frozen=True):
    """A text to be written, and where it is on the page."""

    given: dict[str, Attribute]
    text: str
    clip: str
    frame: QRectF


def _as_read(texts: Sequence[_Text]) -> list[_Text]:
    """Order texts by lines from the top, each from the left: so they are selected and copied.

    Tokens are painted before the marks between them. Lines with text from the right to the left
    stay as they were painted.
    """
    lines: list[list[tuple[int, _Text]]] = []
    for place, text in sorted(enumerate(texts), key=lambda each: each[1].frame.center().y()):
        if not lines or not _on_a_line(lines[-1][0][1], text):
            lines.append([])
        lines[-1].append((place, text))
    return [text for line in lines for _, text in sorted(line, key=_place_in(line))]


def _place_in(line: Sequence[tuple[int, _Text]]) -> Callable[[tuple[int, _Text]], float]:
    """Return the key to sort a line by."""
    if any(text.given.get("direction") == "rtl" for _, text in line):
        return lambda each: each[0]
    return lambda each: each[1].frame.left()


def _on_a_line(one: _Text, other: _Text) -> bool:
    """Tell whether the middle of one of two level texts is at a height within the other."""
    if one.given["transform"] or other.given["transform"]:
        return False
    return any(
        frame.top() < middle.center().y() < frame.bottom()
        for frame, middle in ((one.frame, other.frame), (other.frame, one.frame))
    )


class _SvgPage(QPaintDevice):
    """A page for a widget, of a size that may leave room below it."""

    def __init__(self, widget: QWidget, title: str, size: QSize) -> None:
        super().__init__()
        self._widget, self._height = widget, size.height()
        self._document = SvgDocument(size.width(), size.height(), title)
        page = QRectF(0, 0, size.width(), size.height())
        self._engine = _Engine(self._document, page, widget.logicalDpiY())

    def paintEngine(self) -> QPaintEngine:
        return self._engine

    def metric(self, which: QPaintDevice.PaintDeviceMetric) -> int:
        """Return the measures of the widget, with one pixel for each of its logical pixels."""
        if which is QPaintDevice.PaintDeviceMetric.PdmHeight:
            return self._height
        return _RATIOS.get(which, 0) if "Ratio" in which.name else self._widget.metric(which)

    def text(self) -> str:
        self._engine.write_texts()
        return self._document.text()


class _Engine(QPaintEngine):
    """Writes into a document what a painter paints, in the coordinates of the page."""

    def __init__(self, document: SvgDocument, page: QRectF, dots_per_inch: float) -> None:
        features = QPaintEngine.PaintEngineFeature
        super().__init__(features.AllFeatures & ~features.PerspectiveTransform)
        self._document = document
        self._page = page
        self._dots_per_inch = dots_per_inch
        self._fonts: dict[str, dict[str, Attribute]] = {}
        self._pen = QPen()
        self._brush = QBrush()
        self._transform = QTransform()
        self._opacity = 1.0
        self._smooth = False
        self._own_clip: QRectF | None = None
        self._texts: list[_Text] = []
        """What is still to be written: texts after which nothing else was painted."""

    # -- what Qt asks of an engine ---------------------------------------------------------------

    def begin(self, device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        """Return the type by which `target_of` knows that text stays text."""
        return QPaintEngine.Type.SVG

    def updateState(self, state: QPaintEngineState) -> None:
        changed = state.state().value
        if changed & _PEN:
            self._pen = QPen(state.pen())
        if changed & _BRUSH:
            self._brush = QBrush(state.brush())
        if changed & _TRANSFORM:
            self._transform = QTransform(state.transform())
        if changed & _OPACITY:
            self._opacity = state.opacity()
        if changed & _HINTS:
            self._smooth = bool(state.renderHints().value & _SMOOTH)
        if changed & _CLIP:
            painter, self._own_clip = state.painter(), None
            if painter.hasClipping():
                clip = painter.deviceTransform().map(painter.clipPath())
                self._own_clip = clip.boundingRect()

    # Qt draws all shapes, lines and points with these two.

    def drawPath(self, path: QPainterPath) -> None:
        self._add_path(path, self._brush)

    def drawPolygon(self, points: Iterable[Any], mode: QPaintEngine.PolygonDrawMode) -> None:
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(point) for point in points]))
        if mode is QPaintEngine.PolygonDrawMode.PolylineMode:
            self._add_path(path, QBrush())
            return
        path.closeSubpath()
        if mode is QPaintEngine.PolygonDrawMode.WindingMode:
            path.setFillRule(Qt.FillRule.WindingFill)
        self._add_path(path, self._brush)

    def drawPixmap(
        self, place: QRectF | QRect, pixmap: QPixmap | QImage, part: QRectF | QRect
    ) -> None:
        target = self._transform.mapRect(QRectF(place))
        clip = self._clip(target)
        if clip is None or pixmap.isNull():
            return
        seen = encoded(QPixmap(pixmap).toImage().copy(QRectF(part).toAlignedRect()))
        shown: dict[str, Attribute] = {
            "x": target.x(),
            "y": target.y(),
            "width": target.width(),
            "height": target.height(),
            "preserveAspectRatio": "none",
            "opacity": None if self._opacity > 0.999 else self._opacity,
            "xlink:href": f"data:image/png;base64,{b64encode(seen).decode('ascii')}",
        }
        self._add(element("image", shown), clip)

    def drawTextItem(  # type: ignore[override]  # points are QPointF
        self, place: QPointF, item: QTextItem
    ) -> None:
        """Write a text in one font and one direction, from its left end on the base line."""
        text = _OVERRIDES.sub("", item.text())
        height = item.ascent() + item.descent()
        frame = QRectF(place.x(), place.y() - item.ascent(), item.width(), height)
        clip = self._clip(self._transform.mapRect(frame))
        if clip is None or not text.strip():
            return
        matrix = None
        if self._transform.isScaling() or self._transform.isRotating():
            matrix = _matrix(self._transform)
        else:
            place = self._transform.map(place)
        given: dict[str, Attribute] = {"x": place.x(), "y": place.y()}
        backwards = bool(item.renderFlags() & QTextItem.RenderFlag.RightToLeft)
        if backwards:
            # The middle is the same in whichever direction a program takes the text to run.
            given |= {"x": place.x() + item.width() / 2, "text-anchor": "middle"}
        if backwards or has_direction(text):
            given["direction"] = "rtl" if backwards else "ltr"
            given["unicode-bidi"] = "bidi-override"
        given |= {"textLength": item.width(), "lengthAdjust": "spacingAndGlyphs"}
        if item.renderFlags() & QTextItem.RenderFlag.Underline:
            given["text-decoration"] = "underline"
        given |= {"transform": matrix, **self._paint("fill", self._pen.color())}
        given |= self._font(item.font())
        if self._texts and not backwards:
            # Qt paints a text in several pieces where one font does not have all of it.
            former = self._texts[-1]
            x, width = float(former.given["x"] or 0), float(former.given["textLength"] or 0)
            moved = {"x": place.x(), "textLength": item.width()}
            if abs(x + width - place.x()) < _TOUCH and former.given | moved == given:
                self._texts.pop()
                text, clip = former.text + text, clip or former.clip
                given |= {"x": x, "textLength": width + item.width()}
                frame = former.frame | self._transform.mapRect(frame)
                self._texts.append(_Text(given, text, clip, frame))
                return
        self._texts.append(_Text(given, text, clip, self._transform.mapRect(frame)))

    # -- writing -----------------------------------------------------------------------------------

    def _add(self, written: str, clip: str) -> None:
        self.write_texts()
        self._document.add(written, clip)

    def write_texts(self) -> None:
        """Write the texts between which nothing else was painted, as they are read."""
        texts, self._texts = self._texts, []
        for text in _as_read(texts):
            self._document.add(text_element(text.given, text.text), text.clip)

    def _add_path(self, path: QPainterPath, brush: QBrush) -> None:
        transform, pen = self._transform, self._pen
        lined = pen.style() is not Qt.PenStyle.NoPen
        filled = brush.style() is not Qt.BrushStyle.NoBrush
        if not lined and not filled:
            return
        if lined and not self._smooth:
            # Without smoothing, what is drawn at a place fills the pixel right below it.
            transform = transform * QTransform.fromTranslate(_HALF_A_PIXEL, _HALF_A_PIXEL)
        shape = transform.map(path)
        scale = 1.0 if pen.isCosmetic() else sqrt(abs(transform.determinant()))
        width = (pen.widthF() or 1.0) * scale if lined else 0.0
        clip = self._clip(shape.boundingRect().adjusted(-width, -width, width, width))
        if clip is None:
            return
        style: dict[str, Attribute] = {"d": _data(shape), "fill": "none"}
        if filled:
            # Patterns of brushes are not drawn, only their colour.
            style |= self._paint("fill", brush.color())
            if path.fillRule() is Qt.FillRule.OddEvenFill:
                style["fill-rule"] = "evenodd"
        if lined:
            style |= self._stroke(width)
        self._add(element("path", style), clip)

    def _stroke(self, width: float) -> dict[str, Attribute]:
        pen, dashes = self._pen, None
        if pen.style() is not Qt.PenStyle.SolidLine:
            dashes = " ".join(f"{length * width:g}" for length in pen.dashPattern())
        return {
            **self._paint("stroke", pen.color()),
            "stroke-width": None if width == 1.0 else width,
            "stroke-linecap": _CAPS.get(pen.capStyle()),
            "stroke-linejoin": _JOINS.get(pen.joinStyle()),
            "stroke-dasharray": dashes,
        }

    def _paint(self, what: str, colour: QColor) -> dict[str, Attribute]:
        opacity = self._opacity * colour.alphaF()
        return {
            what: colour.name(QColor.NameFormat.HexRgb),
            f"{what}-opacity": None if opacity > 0.999 else opacity,
        }

    def _font(self, font: QFont) -> dict[str, Attribute]:
        """Return the attributes of a font, with a list of families that may replace its own."""
        style = self._fonts.get(font.key())
        if style is None:
            information = QFontInfo(font)
            own, weight = information.family(), font.weight()
            others = _MONOSPACE if information.fixedPitch() else _SANS
            listed = [own, *(family for family in others if family != own)]
            points = font.pointSizeF() * self._dots_per_inch / 72
            style = self._fonts[font.key()] = {
                "font-family": own,
                "class": self._document.font_class(",".join(map(_quoted, listed))),
                "font-size": points if points > 0 else float(font.pixelSize()),
                "font-weight": None if weight == QFont.Weight.Normal else str(weight.value),
                "font-style": "italic" if font.italic() else None,
            }
        return style

    def _clip(self, frame: QRectF) -> str | None:
        """Return the clip of something within a frame, "" for none; None if it is not visible."""
        # The part of the page on which no other widget covers the one that is being painted.
        region = self.systemClip()
        seen = self._page if region.isEmpty() else self._page & QRectF(region.boundingRect())
        if self._own_clip is not None:
            seen = seen & self._own_clip
        if not seen.intersects(frame.adjusted(-0.01, -0.01, 0.01, 0.01)):
            return None
        if seen.contains(frame) or seen == self._page:
            return ""
        left, top, right, bottom = map(
            number, (seen.left(), seen.top(), seen.right(), seen.bottom())
        )
        return f"M{left} {top}H{right}V{bottom}H{left}Z"


def _data(path: QPainterPath) -> str:
    parts: list[str] = []
    begin = last = ("", "")
    follows = False
    for index in range(path.elementCount()):
        at = path.elementAt(index)
        x, y = place = number(at.x), number(at.y)
        if at.isLineTo():
            if y == last[1]:
                parts.append(f"H{x}")
            elif x == last[0]:
                parts.append(f"V{y}")
            else:
                parts.append(f"L{x} {y}")
            if place == begin:
                parts.append("Z")
            follows = False
        elif at.isMoveTo():
            begin = place
            parts.append(f"M{x} {y}")
            follows = False
        elif at.isCurveTo():
            parts.append(f"C{x} {y}")
            follows = False
        else:
            # The second point and the end of a curve.
            parts.append(f" {x} {y}")
            if follows and place == begin:
                parts.append("Z")
            follows = True
        last = place
    return "".join(parts)


def _matrix(transform: QTransform) -> str:
    numbers = (
        *(f"{part:.6g}" for part in (transform.m11(), transform.m12())),
        *(f"{part:.6g}" for part in (transform.m21(), transform.m22())),
        number(transform.dx()),
        number(transform.dy()),
    )
    return f"matrix({' '.join(numbers)})"


def _quoted(family: str) -> str:
    if family.replace("-", "").isalpha():
        return family
    cleaned = "".join(character for character in family if character not in "'\"\\<>&")
    return f"'{cleaned}'"

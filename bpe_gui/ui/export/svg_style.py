"""Pens, brushes and fonts of Qt as attributes of SVG."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontInfo, QPen

from bpe_gui.exporting.svg import Attribute

_CAPS = {
    Qt.PenCapStyle.RoundCap: "round",
    Qt.PenCapStyle.SquareCap: "square",
}
_JOINS = {
    Qt.PenJoinStyle.RoundJoin: "round",
    Qt.PenJoinStyle.BevelJoin: "bevel",
}
_SANS = ("Noto Sans", "DejaVu Sans", "Segoe UI", "Helvetica Neue", "Arial", "sans-serif")
_MONOSPACE = ("Noto Sans Mono", "DejaVu Sans Mono", "Consolas", "Menlo", "monospace")
_NORMAL = 400


def fill(brush: QBrush, opacity: float) -> dict[str, Attribute]:
    """How an area is filled. All brushes are taken for plain ones of their colour."""
    if brush.style() is Qt.BrushStyle.NoBrush:
        return {"fill": "none"}
    return _paint("fill", brush.color(), opacity)


def stroke(pen: QPen, scale: float, opacity: float) -> dict[str, Attribute]:
    """How a line is drawn; `scale` is how much larger it is than in the pen's coordinates."""
    if pen.style() is Qt.PenStyle.NoPen:
        return {}
    width = pen.widthF() or 1.0
    if not pen.isCosmetic():
        width *= scale
    dashes = None
    if pen.style() is not Qt.PenStyle.SolidLine:
        dashes = " ".join(f"{length * width:g}" for length in pen.dashPattern())
    return {
        **_paint("stroke", pen.color(), opacity),
        "stroke-width": None if width == 1.0 else width,
        "stroke-linecap": _CAPS.get(pen.capStyle()),
        "stroke-linejoin": _JOINS.get(pen.joinStyle()),
        "stroke-dasharray": dashes,
    }


def pixel_size(font: QFont, dots_per_inch: float) -> float:
    """The size of a font in pixels."""
    if font.pixelSize() > 0:
        return float(font.pixelSize())
    return font.pointSizeF() * dots_per_inch / 72


def families(font: QFont) -> tuple[str, str]:
    """The family that a font is, and a list with what may stand in for it, as in CSS."""
    information = QFontInfo(font)
    own = information.family()
    others = _MONOSPACE if information.fixedPitch() else _SANS
    listed = [own, *(family for family in others if family != own)]
    return own, ",".join(_quoted(family) for family in listed)


def lettering(font: QFont) -> dict[str, Attribute]:
    """What makes a font bold, italic or spaced."""
    weight = font.weight().value
    return {
        "font-weight": None if weight == _NORMAL else str(weight),
        "font-style": "italic" if font.italic() else None,
        "letter-spacing": font.letterSpacing() or None,
    }


def _paint(what: str, colour: QColor, opacity: float) -> dict[str, Attribute]:
    opacity *= colour.alphaF()
    return {
        what: colour.name(QColor.NameFormat.HexRgb),
        f"{what}-opacity": None if opacity > 0.999 else opacity,
    }


def _quoted(family: str) -> str:
    if family.replace("-", "").isalpha():
        return family
    cleaned = "".join(character for character in family if character not in "'\"\\<>&")
    return f"'{cleaned}'"

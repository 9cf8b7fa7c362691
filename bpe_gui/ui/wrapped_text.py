"""A sentence in as many lines as it needs, made smaller or cut where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QTextLayout, QTextOption

LINE = 1.32
"""Height of a line for a font of size 1."""
SMALLEST_TEXT = 11
"""The size in pixels below which a sentence is cut rather than made smaller."""

_LONGEST = 700
"""Characters that are laid out at all."""
_SHORTEST = 20


def fitted(
    text: str, font: QFont, width: int, height: int, *, centered: bool = False
) -> QTextLayout:
    """The sentence laid out within so many pixels, ready to be drawn.

    `font` has a size in pixels, the largest that is tried. Words that are wider than a line
    are broken.
    """
    size, text = font.pixelSize(), text[:_LONGEST]
    while True:
        sized = QFont(font)
        sized.setPixelSize(size)
        layout = _in_lines(text, sized, width, centered=centered)
        if layout.boundingRect().height() <= height + 1 or len(text) < _SHORTEST:
            return layout
        if size > SMALLEST_TEXT:
            size -= 1
        else:
            text = text[: len(text) * 9 // 10].rstrip("…") + "…"


def _in_lines(text: str, font: QFont, width: int, *, centered: bool) -> QTextLayout:
    layout = QTextLayout(text, font)
    side = Qt.AlignmentFlag.AlignHCenter if centered else Qt.AlignmentFlag.AlignLeft
    option = QTextOption(side)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, top))
        top += max(line.height(), font.pixelSize() * LINE)
    layout.endLayout()
    return layout

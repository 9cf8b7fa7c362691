"""Text in as many lines as it needs; a sentence is made smaller or cut where there is no room."""

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


def lines_of(text: str, font: QFont, width: int) -> list[str]:
    """A text cut into lines of at most so many pixels; within words only at need.

    Together they are the text: a space at which a line ends is in that line.
    """
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    # Qt counts in these. The name of a file may hold half a character.
    units = text.encode("utf-16-le", "surrogatepass")
    lines = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        first, last = line.textStart(), line.textStart() + line.textLength()
        lines.append(units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass"))
    layout.endLayout()
    return lines


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

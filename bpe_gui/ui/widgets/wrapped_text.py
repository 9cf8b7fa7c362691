"""Break texts into lines as Qt does."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextLayout, QTextOption


def lines_of(text: str, font: QFont, width: int) -> list[str]:
    """Return a text cut into lines of at most so many pixels; within words only at need.

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

"""Break texts into lines as Qt does."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextLayout, QTextOption


def lines_of(text: str, font: QFont, width: int) -> list[str]:
    """Break a text into lines of at most `width` pixels, within words only if necessary.

    Joined, the lines are the text: a space at the end of a line is in that line.
    """
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    # Qt counts UTF-16 units. The name of a file may hold half a character.
    units = text.encode("utf-16-le", "surrogatepass")
    lines = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        first, last = line.textStart(), line.textStart() + line.textLength()
        lines.append(units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass"))
    layout.endLayout()
    return lines

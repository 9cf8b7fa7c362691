"""Lines of texts: none is cut off, and they are broken as Qt does."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser, QTextEdit

from bpe_gui.ui.widgets.sentences import as_written

_PLACES = 8
"""At which it is looked for a line: there is none beside the cells of a table."""


class PlainText(QPlainTextEdit):
    """A plain text that shows whole lines."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _cover_cut_line(self)


class RichText(QTextBrowser):
    """A rich text that shows whole lines. What is copied has no invisible characters of ours."""

    def createMimeDataFromSelection(self) -> QMimeData:
        marked, made = super().createMimeDataFromSelection(), QMimeData()
        made.setText(as_written(marked.text()))
        made.setHtml(as_written(marked.html()))
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _cover_cut_line(self)


def _cover_cut_line(text: QPlainTextEdit | QTextEdit) -> None:
    """Paint the ground over a line that is cut off at the lower edge, unless it is the only one.

    Lines can be of several heights, and those of a table in two columns.
    """
    area = text.viewport().rect()
    edge = area.bottom()
    for x in range(0, area.width(), ceil(area.width() / _PLACES)):
        line = text.cursorRect(text.cursorForPosition(QPoint(x, area.bottom())))
        if 0 < line.top() <= area.bottom() < line.bottom():
            edge = min(edge, line.top() - 1)
    with QPainter(text.viewport()) as painter:
        painter.fillRect(area.adjusted(0, edge + 1, 0, 0), text.palette().base())


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

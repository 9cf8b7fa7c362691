"""Lines of texts: none is cut off, and they are broken as Qt does."""

from __future__ import annotations

from math import floor

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser, QTextEdit

from bpe_gui.ui.widgets.sentences import as_written


class PlainText(QPlainTextEdit):
    """A plain text that shows whole lines."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _cover_below(self, _cut_line_of_plain(self))


class RichText(QTextBrowser):
    """A rich text that shows whole lines. What is copied has no invisible characters of ours."""

    def createMimeDataFromSelection(self) -> QMimeData:
        marked, made = super().createMimeDataFromSelection(), QMimeData()
        made.setText(as_written(marked.text()))
        made.setHtml(as_written(marked.html()))
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _cover_below(self, _cut_line_of_rich(self))


def _cut_line_of_plain(text: QPlainTextEdit) -> int | None:
    """Return where a line begins that is cut off at the lower edge, unless it is the only one."""
    bottom = text.viewport().rect().bottom()
    line = text.cursorRect(text.cursorForPosition(QPoint(0, bottom)))
    return line.top() if 0 < line.top() <= bottom < line.bottom() else None


def _cut_line_of_rich(text: QTextEdit) -> int | None:
    """Return where the highest line begins that is cut off at the lower edge; None if none is.

    Lines can be of several heights, and those of a table in several columns.

    In a table Qt finds no line at some places, so that the lines are gone through.
    """
    bottom, scrolled = text.viewport().rect().bottom(), text.verticalScrollBar().value()
    placed = text.document().documentLayout()
    block = text.cursorForPosition(QPoint()).block()
    cut: list[int] = []
    while block.isValid():
        top = placed.blockBoundingRect(block).top() - scrolled
        if top > bottom:
            break
        layout = block.layout()
        # Those around a table within a table have no text, and lie over other lines.
        for number in range(layout.lineCount() if block.length() > 1 else 0):
            line = layout.lineAt(number).rect()
            if 0 < top + line.top() <= bottom < floor(top + line.bottom()):
                cut.append(floor(top + line.top()))
        block = block.next()
    return min(cut, default=None)


def _cover_below(text: QPlainTextEdit | QTextEdit, edge: int | None) -> None:
    """Paint the ground over a line that is cut off, which begins at `edge`."""
    if edge is not None:
        area = text.viewport().rect()
        with QPainter(text.viewport()) as painter:
            painter.fillRect(area.adjusted(0, edge, 0, 0), text.palette().base())


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

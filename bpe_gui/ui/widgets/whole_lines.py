"""Texts that show no line of which only the upper part fits."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser, QTextEdit

_PLACES = 8
"""At which it is looked for a line: there is none beside the cells of a table."""


class PlainText(QPlainTextEdit):
    """A plain text that shows whole lines."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _cover_cut_line(self)


class RichText(QTextBrowser):
    """A rich text that shows whole lines."""

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
    painter = QPainter(text.viewport())
    painter.fillRect(area.adjusted(0, edge + 1, 0, 0), text.palette().base())
    painter.end()

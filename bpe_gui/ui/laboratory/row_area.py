"""A scroll area of many equal rows that can be made higher and lower, down to parts of a pixel."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

_LEAST_ROW, _MOST_ROW = 0.005, 40.0
"""Pixels of a row."""


class Rows(Protocol):
    """Equal rows below a title."""

    @property
    def row_count(self) -> int:
        """How many rows there are."""

    @property
    def natural_height(self) -> float:
        """Pixels of a row at which all of it can be read, which it has at first."""

    @property
    def title_height(self) -> int:
        """Pixels above the rows that stay when they are scrolled."""


class RowArea(QAbstractScrollArea):
    """Knows where rows are, and scrolls and zooms; what stands in them is drawn by who derives."""

    _drawing: Rows

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row_height = 0.0

    @property
    def row_height(self) -> float:
        """Pixels of a row."""
        return self._row_height or self._drawing.natural_height

    @property
    def zoomed(self) -> float:
        """How high rows are, in proportion to those that can be read."""
        return self.row_height / self._drawing.natural_height

    def zoom_to(self, proportion: float) -> None:
        """Make rows so high, in proportion to those that can be read."""
        height = self._drawing.natural_height * proportion
        self._row_height = 0.0 if proportion == 1 else min(max(height, _LEAST_ROW), _MOST_ROW)
        self.set_range()

    @property
    def above(self) -> int:
        """Pixels above the first row: the title, and room for text where rows are lower."""
        rows = self._drawing
        return rows.title_height + max(0, round((rows.natural_height - self.row_height) / 2))

    @property
    def room(self) -> int:
        """Pixels for rows."""
        return self.viewport().height() - 2 * self.above + self._drawing.title_height

    def set_range(self) -> None:
        """Let the scroll bar reach all rows."""
        bar, room = self.verticalScrollBar(), self.room
        bar.setPageStep(max(1, room))
        bar.setSingleStep(max(1, round(max(self.row_height, self._drawing.natural_height))))
        bar.setRange(0, max(0, round(self._drawing.row_count * self.row_height) - room))
        self.viewport().update()

    def zoom(self, factor: float, y: float | None = None) -> None:
        """Make rows higher or lower; what is at a height of the viewport stays there."""
        if y is None:
            y = self.viewport().height() / 2
        row = (self.verticalScrollBar().value() + y - self.above) / self.row_height
        self._row_height = min(max(self.row_height * factor, _LEAST_ROW), _MOST_ROW)
        self.set_range()
        self.verticalScrollBar().setValue(round(row * self.row_height - y + self.above))

    def show_all(self) -> None:
        """Make rows so low that all of them are in view, or as high as text."""
        rows = self._drawing
        room = self.viewport().height() - rows.title_height - rows.natural_height
        fitting = room / max(1, rows.row_count)
        self._row_height = min(max(fitting, _LEAST_ROW), rows.natural_height)
        self.set_range()

    def reveal(self, row: int) -> None:
        """Scroll to a row, if it is out of sight."""
        bar = self.verticalScrollBar()
        top = row * self.row_height
        if not bar.value() <= top <= bar.value() + self.room - self._drawing.natural_height:
            bar.setValue(round(top - self.room / 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another part of the rows is in view."""
        super().resizeEvent(event)
        self.set_range()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Painted anew: what is drawn depends on which rows are in view."""
        self.viewport().update()

"""How much each two vocabularies share, as a matrix to choose from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QKeyEvent, QPainter

from bpe_gui.encodings.vocabularies.overlap import share_text
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.theme.painting import AT_LEFT, CENTERED, brush, mixed, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.canvas import MOVES, Canvas
from bpe_gui.ui.widgets.names import elided_apart

_MARGIN, _PADDING = 8, 5
_SHADES = 24
_STRONGEST = 0.42
"""How much of the accent the strongest shade has."""
_WIDEST_NAME = 220
"""Pixels that a name takes at most, in plain text, if the table beside it is to have room."""
_NAME_SHARE = 0.45
"""The part of the width that names may take."""
_LEGEND_FLAGS = AT_LEFT & ~Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextWordWrap.value
_STEPS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}  # fmt: skip

Cell = tuple[int, int]


class OverlapMatrix(Canvas[Cell]):
    """A row and a column for each lane, with the Jaccard index of the two where they meet.

    The diagonal has the numbers of tokens. One cell is current: the arrow keys move it; Enter or
    a click chooses it. Columns that have no room with their numbers are scrolled to, but for an
    audience.
    """

    least_room = QSize(150, 60)
    cellChosen = Signal(int, int)
    """The lanes of the cell that the user has chosen, by their places."""

    def __init__(self) -> None:
        super().__init__("vocabularyMatrix", wording.MATRIX)
        self._names: tuple[str, ...] = ()
        self._sizes: tuple[int, ...] = ()
        self._shares: NDArray[np.float64] = np.empty((0, 0))
        self._shown: list[str] = []
        """The names as they are written."""
        self._chosen: Cell = (0, 0)
        self._current: Cell = (0, 0)
        self._left = self._row = self._cell = 1
        self._shades: list[QBrush] = []
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        ThemeFollower(self, self._take_colours)
        RoomFollower(self.viewport(), self._fit)

    def _take_colours(self, theme: Theme) -> None:
        accent, panel = QColor(theme.accent), QColor(theme.panel)
        self._shades = [
            QBrush(mixed(accent, panel, _STRONGEST * shade / (_SHADES - 1)))
            for shade in range(_SHADES)
        ]
        self.viewport().update()

    def sizeHint(self) -> QSize:
        metrics, count = self.fontMetrics(), max(1, len(self._names))
        places = range(len(self._names))
        names = max((metrics.horizontalAdvance(self._named(n)) for n in places), default=0)
        cell = metrics.horizontalAdvance("200,000") + 2 * _PADDING
        names = min(names, scaled(_WIDEST_NAME, self.font()))
        return QSize(names + count * cell + 4 * _MARGIN, 120)

    def set_matrix(
        self, names: tuple[str, ...], sizes: tuple[int, ...], shares: NDArray[np.float64]
    ) -> None:
        """Show lanes of these names and numbers of tokens."""
        self._names, self._sizes, self._shares = names, sizes, shares
        last = max(len(names) - 1, 0)
        self._current = min(self._current[0], last), min(self._current[1], last)
        self.updateGeometry()
        self._fit()
        self._describe()

    def set_chosen(self, one: int, other: int) -> None:
        """Frame the cell of the tokens that are listed."""
        self._chosen = self._current = one, other
        self._reveal()
        self._describe()

    def _fit(self) -> None:
        metrics, count = self.fontMetrics(), max(1, len(self._names))
        width = self.viewport().width() - 2 * _MARGIN
        places = range(len(self._names))
        names = max((metrics.horizontalAdvance(self._named(n)) for n in places), default=0)
        names += _MARGIN
        widest = metrics.horizontalAdvance("200,000") + 2 * _PADDING
        self._left = max(min(names, int(width * _NAME_SHARE)), width - count * widest)
        self._left = min(self._left, names)
        room, least = width - self._left, metrics.horizontalAdvance("0.00") + _PADDING
        columns = count if self.presents else min(count, max(1, room // least))
        self._cell = max(4, min(widest, room // columns))
        across = self.horizontalScrollBar()
        across.setRange(0, count - columns)
        across.setPageStep(columns)
        self._row = metrics.height() + 2 * _PADDING
        if self.presents:
            share = (self.viewport().height() - _MARGIN) // (1 + len(self._names))
            self._row = max(self._row, min(self._cell, share))
        self._shown = self._elided()
        whole = self._row * (1 + len(self._names))
        self.fit_scroll_bar(whole + _MARGIN, self._row)

    def _elided(self) -> list[str]:
        """Write the names with their numbers as there is room for them."""
        metrics, room = self.fontMetrics(), self._left - _PADDING
        if len(self._names) < 2:
            return elided_apart(self._names, metrics, room)
        numbers = [f"{place + 1}  " for place in range(len(self._names))]
        room -= max(map(metrics.horizontalAdvance, numbers))
        names = elided_apart(self._names, metrics, room)
        return [number + name for number, name in zip(numbers, names, strict=True)]

    @property
    def is_cut(self) -> bool:
        """Whether names are elided."""
        metrics, room = self.fontMetrics(), self._left - _PADDING
        names = [self._named(place) for place in range(len(self._names))]
        return len(names) > 1 and max(map(metrics.horizontalAdvance, names)) > room

    def _columns(self) -> range:
        """Return the lanes whose columns are in sight."""
        bar = self.horizontalScrollBar()
        return range(len(self._names))[bar.value() :][: bar.pageStep()]

    def _reveal(self) -> None:
        """Scroll to the current cell."""
        row, column = self._current
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        top = (row + 1) * self._row
        down.setValue(min(max(down.value(), top + self._row - self.viewport().height()), top))
        across.setValue(min(max(across.value(), column + 1 - across.pageStep()), column))
        self.viewport().update()

    def _named(self, place: int) -> str:
        return f"{place + 1}  {self._names[place]}"

    def _said(self, cell: Cell) -> str:
        one, other = cell
        share = float(self._shares[one, other])
        # From the index and the sizes; rounding takes away what division left.
        both = round(share * (self._sizes[one] + self._sizes[other]) / (1 + share))
        both = self._sizes[one] if one == other else both
        return wording.cell(self._names[one], self._names[other], share, both)

    def _describe(self) -> None:
        self.describe(self._said(self._current) if self._names else "")

    # -- drawing -----------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        theme, count = self._theme, len(self._names)
        painter.fillRect(area, brush(theme.panel))
        painter.translate(_MARGIN, -self.verticalScrollBar().value())
        metrics, row, cell = self.fontMetrics(), self._row, self._cell
        # In narrow columns only every second or third has room for its number.
        widest = metrics.horizontalAdvance(f"{count} ")
        every = -(-widest // cell)
        columns = self._columns()
        for at, place in enumerate(columns if count > 1 else ()):
            if at % every == 0:
                # Beside the column is room, where the next has no number.
                wide = max(cell, widest)
                across = self._left + at * cell + (cell - wide) // 2
                painter.setPen(pen(theme.muted))
                painter.drawText(across, 0, wide, row, CENTERED, str(place + 1))
        for place in range(count):
            top = (place + 1) * row
            chosen = place in self._chosen
            painter.setPen(pen(theme.text if chosen else theme.muted))
            painter.drawText(0, top, self._left, row, AT_LEFT, self._shown[place])
            for at, other in enumerate(columns):
                self._draw_cell(painter, (place, other), self._left + at * cell, top)
        if count > 1:
            self._draw_legend(painter)

    def _draw_legend(self, painter: QPainter) -> None:
        """Explain the numbers below them, where there is room."""
        top = (1 + len(self._names)) * self._row + _MARGIN
        width, height = self.viewport().width() - 2 * _MARGIN, self.viewport().height()
        place = QRect(0, top, width, height - top)
        needed = self.fontMetrics().boundingRect(place, _LEGEND_FLAGS, wording.LEGEND)
        if needed.height() <= place.height() and needed.width() <= width:
            painter.setPen(pen(self._theme.muted))
            painter.drawText(place, _LEGEND_FLAGS, wording.LEGEND)

    def _draw_cell(self, painter: QPainter, place: Cell, left: int, top: int) -> None:
        one, other = place
        theme, share = self._theme, float(self._shares[place])
        same = one == other
        shade = self._shades[0 if same else round(share * (_SHADES - 1))]
        painter.fillRect(left + 1, top + 1, self._cell - 2, self._row - 2, shade)
        painter.setPen(pen(theme.muted if same else theme.text))
        for text in _written(self._sizes[one]) if same else (share_text(share, 2),):
            if self.fontMetrics().horizontalAdvance(text) <= self._cell - 2:
                painter.drawText(left, top, self._cell, self._row, CENTERED, text)
                break
        if place == self._chosen or (place == self._current and self.hasFocus()):
            width = 2.0 if place == self._chosen else 1.0
            painter.setPen(pen(theme.accent, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(left + 1, top + 1, self._cell - 3, self._row - 3)

    # -- mouse and keys ------------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Cell | None:
        """Find the cell at a point; a name stands for its own cell."""
        x, y = point.x() - _MARGIN, point.y() + self.verticalScrollBar().value()
        one = y // self._row - 1
        if not 0 <= one < len(self._names) or x < 0:
            return None
        if x < self._left:
            return one, one
        at, columns = (x - self._left) // self._cell, self._columns()
        return (one, columns[at]) if at < len(columns) else None

    def tooltip_at(self, point: QPoint) -> str:
        cell = self.place_at(point)
        return "" if cell is None else self._said(cell)

    def press(self, place: Cell) -> None:
        self._current = place
        self.cellChosen.emit(*place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._names) - 1
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and last >= 0:
            self.cellChosen.emit(*self._current)
        elif event.key() in MOVES and last >= 0:
            if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
                self._current = (0, 0) if event.key() == Qt.Key.Key_Home else (last, last)
            else:
                down, right = _STEPS[Qt.Key(event.key())]
                one, other = self._current
                self._current = min(max(one + down, 0), last), min(max(other + right, 0), last)
            self._reveal()
            self._describe()
        else:
            super().keyPressEvent(event)


def _written(size: int) -> tuple[str, ...]:
    """Write a number of tokens, and in thousands for narrow cells.

    >>> _written(50_257), _written(830)
    (('50,257', '50k'), ('830',))
    """
    return (f"{size:,}", f"{size / 1000:.0f}k")[: 1 + (size >= 1000)]

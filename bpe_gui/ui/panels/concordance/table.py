"""Paint places one below the other, so that what is looked for makes a column."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QFrame, QWidget

from bpe_gui.analysis.concordance import Occurrence
from bpe_gui.analysis.visible import SPACE, visible
from bpe_gui.ui.panels.concordance.wording import TABLE
from bpe_gui.ui.theme.painting import AT_LEFT, AT_RIGHT, CENTERED, NO_PEN, brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.tables import Heading, PaintedTable, RowsModel


def times_text(place: Occurrence) -> str:
    """Say how often the document of a place occurs, if that is more than once."""
    return f"  ×{place.count:,}" if place.count > 1 else ""


class Column(IntEnum):
    BEFORE = 0
    FOUND = 1
    AFTER = 2


class PlacesModel(RowsModel):
    """The places that were found so far, in the order of the corpus."""

    headings = tuple(Heading(column.name.lower()) for column in Column)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.places: list[Occurrence] = []
        self.names: tuple[str, ...] = ()
        """What is looked for, token by token."""

    def show(self, places: list[Occurrence], names: tuple[str, ...] = ()) -> None:
        """Show other places, of tokens of these names."""
        self.beginResetModel()
        self.places, self.names = list(places), names
        self.endResetModel()

    def add(self, places: list[Occurrence]) -> None:
        if places:
            last = len(self.places) + len(places) - 1
            self.beginInsertRows(QModelIndex(), len(self.places), last)
            self.places += places
            self.endInsertRows()

    def count(self) -> int:
        return len(self.places)

    def cells(self, row: int) -> tuple[str, str, str]:
        place = self.places[row]
        after = visible(place.after) + times_text(place)
        return visible(place.before), " + ".join(self.names), after

    def spoken(self, row: int) -> str:
        place = self.places[row]
        return visible(b"".join((place.before, *place.parts, place.after)))


_SMALLEST_TEXT, _LARGEST_TEXT = 12, 24
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""
_MARGIN, _PADDING, _GAP = 8, 4, 6
_RADIUS = 4
_WIDEST = 0.4
"""The widest that what is looked for may be, as a share of the table."""


class PlacesTable(PaintedTable):
    """The rows of a `PlacesModel`: the token as a box in the middle, the text around it."""

    lines_of_figure = 14

    def __init__(self, model: PlacesModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._places = model
        named(self, "placesTable", TABLE)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(1)  # the tokens may be short
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fit()
        RoomFollower(self.viewport(), self._fit)
        model.modelReset.connect(self._fit)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 60)

    def _fit(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        smallest, largest = (scaled(size, self.font()) for size in (_SMALLEST_TEXT, _LARGEST_TEXT))
        self._font = QFont(self.font())
        self._font.setPixelSize(max(smallest, min(largest, width // 56, height // 14)))
        self._metrics = QFontMetrics(self._font)
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + 6)
        names, advance = self._places.names, self._metrics.horizontalAdvance
        most = int(width * _WIDEST / max(1, len(names)))
        self._widths = [min(most, advance(name) + 2 * _PADDING) for name in names]
        boxes = sum(self._widths)
        self._middle = (width - boxes) // 2, (width + boxes) // 2
        for column, room in (
            (Column.BEFORE, self._middle[0]),
            (Column.FOUND, boxes),
            (Column.AFTER, width - self._middle[1]),
        ):
            self.setColumnWidth(column, max(1, room))
        self.viewport().update()

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        painter.setFont(self._font)
        current = self.currentIndex().row()
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            self._draw_row(painter, self._places.places[row], top, height)
            top += height

    def _draw_row(self, painter: QPainter, place: Occurrence, top: int, height: int) -> None:
        theme, metrics = self._theme, self._metrics
        left, right = self._middle
        painter.setPen(pen(theme.text))
        room = left - _MARGIN - _GAP
        text = metrics.elidedText(_read(place.before), Qt.TextElideMode.ElideLeft, room)
        painter.drawText(_MARGIN, top, room, height, AT_RIGHT, text)
        room = self.viewport().width() - right - _MARGIN - _GAP
        after = _read(place.after) + times_text(place)
        text = metrics.elidedText(after, Qt.TextElideMode.ElideRight, room)
        painter.drawText(right + _GAP, top, room, height, AT_LEFT, text)
        for name, width in zip(self._places.names, self._widths, strict=True):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(NO_PEN)
            painter.setBrush(brush(theme.selection))
            painter.drawRoundedRect(left, top + 1, width - 1, height - 2, _RADIUS, _RADIUS)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(pen(theme.token_text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
            painter.drawText(left, top, width - 1, height, CENTERED, shown)
            left += width


def _read(context: bytes) -> str:
    """Write what is around a token, with plain spaces: it is to be read."""
    return visible(context).replace(SPACE, " ")

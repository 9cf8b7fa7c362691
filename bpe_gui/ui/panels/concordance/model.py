"""The places of a token or a pair as a table."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.concordance import Occurrence
from bpe_gui.analysis.visible import visible

AnyIndex = QModelIndex | QPersistentModelIndex

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)


def times_text(place: Occurrence) -> str:
    """Say how often the document of a place occurs, if that is more than once."""
    return f"  ×{place.count:,}" if place.count > 1 else ""


class Column(IntEnum):
    """What the columns hold."""

    BEFORE = 0
    FOUND = 1
    AFTER = 2


class PlacesModel(QAbstractTableModel):
    """The places that were found so far, in the order of the corpus."""

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
        """Show some more."""
        if places:
            last = len(self.places) + len(places) - 1
            self.beginInsertRows(QModelIndex(), len(self.places), last)
            self.places += places
            self.endInsertRows()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.places)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        inside = orientation == Qt.Orientation.Horizontal and 0 <= section < len(Column)
        return Column(section).name.lower() if inside and role == _DISPLAY else None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        spoken = int(Qt.ItemDataRole.AccessibleTextRole)
        if not index.isValid() or role not in (_DISPLAY, spoken):
            return None
        place, column = self.places[index.row()], index.column()
        if role == spoken and column == Column.BEFORE:
            return visible(b"".join((place.before, *place.parts, place.after)))
        if column == Column.BEFORE:
            return visible(place.before)
        if column == Column.AFTER:
            return visible(place.after) + times_text(place)
        return " + ".join(self.names)

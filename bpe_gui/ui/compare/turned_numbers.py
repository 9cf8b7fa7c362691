"""The numbers of few encodings with a column for each, for figures that rows would not fill."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QItemSelectionModel, QObject
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTableView

from bpe_gui.ui.compare.tables import PADDING, longest_word, on_lines
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, Heading, RowsModel

_MOST_TURNED = 3
"""With more encodings, rows fill a figure."""
_FLAT = 2.5
"""How many times as wide as high a figure is in which rows fill it better than columns."""
_LINES = 3
"""Lines that the name of an encoding may take."""
_CELL_PADDING = 19


class TurnedNumbers(RowsModel):
    """A row for each number, and a column for each encoding."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._titles: Sequence[str] = ()
        self._columns: Sequence[Sequence[str]] = ()
        self._names: Sequence[str] = ()

    def set_numbers(self, titles: Sequence[str], encodings: Sequence[Sequence[str]]) -> None:
        """Show encodings, each as its name and a text for each of `titles`."""
        self.beginResetModel()
        self._titles = titles
        self._names = [name for name, *_ in encodings]
        self._columns = [titles, *(texts for _, *texts in encodings)]
        self._head(self._names)
        self.endResetModel()

    def _head(self, names: Sequence[str]) -> None:
        self.headings = [
            Heading("", alignment=LEFT), *(Heading(name, alignment=RIGHT) for name in names)
        ]  # fmt: skip

    def widths(self, font: QFont, room: int) -> list[int]:
        """Divide a width among the columns in a font, and break the names into lines that fit.

        They take more than there is if a number or a word would be cut off.
        """
        advance = QFontMetrics(font).horizontalAdvance
        first, *rest = (max(map(advance, texts)) + _CELL_PADDING for texts in self._columns)
        share = (room - first) // len(rest)
        named = (longest_word(name, font) + PADDING for name in self._names)
        widths = [max(share, *least) for least in zip(rest, named, strict=True)]
        self._head([
            on_lines(name, font, width - PADDING, _LINES)
            for name, width in zip(self._names, widths, strict=True)
        ])  # fmt: skip
        return [first, *widths]

    def count(self) -> int:
        return len(self._titles)

    def cells(self, row: int) -> Sequence[str]:
        return [texts[row] for texts in self._columns]


class Turning(QObject):
    """Gives a table rows of numbers instead of rows of encodings for a while."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table, self._rows = table, table.model()
        self._columns = TurnedNumbers(self)
        self._selection: QItemSelectionModel | None = None
        self._headings = QByteArray()

    @property
    def is_turned(self) -> bool:
        """Whether the table has rows of numbers."""
        return self._table.model() is self._columns

    @property
    def is_under_way(self) -> bool:
        """Whether Qt has given another model to the headings, and not to the table yet."""
        return self._table.horizontalHeader().model() is not self._table.model()

    def has_use(self, encodings: int) -> bool:
        """Tell whether a number of encodings would leave a figure of the table half empty."""
        is_flat = self._table.width() > _FLAT * self._table.height()
        return 0 < encodings <= _MOST_TURNED and not is_flat

    def turn(self, titles: Sequence[str], encodings: Sequence[Sequence[str]]) -> None:
        """Show encodings, each as its name and a text for each of `titles`."""
        table = self._table
        self._selection = table.selectionModel()
        self._headings = table.horizontalHeader().saveState()
        self._columns.set_numbers(titles, encodings)
        table.setModel(self._columns)

    def turn_back(self) -> None:
        """Show rows of encodings as before."""
        table, columns = self._table, self._table.horizontalHeader()
        has_arrow = columns.isSortIndicatorShown()
        table.setModel(self._rows)
        if self._selection is not None:
            table.setSelectionModel(self._selection)
        columns.restoreState(self._headings)
        columns.setSortIndicatorShown(has_arrow)

    def fit(self) -> None:
        """Fit the columns to the font and the width of the table."""
        table = self._table
        widths = self._columns.widths(table.font(), table.viewport().width())
        for place, width in enumerate(widths):
            table.horizontalHeader().resizeSection(place, width)
        table.updateGeometries()  # names may take more lines

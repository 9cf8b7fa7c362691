"""The vocabulary at a position, as a table for Qt's views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.token_columns import TokenColumns
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import vocabulary_lines
from bpe_gui.ui.panels.vocabulary.columns import COLUMNS, ID, TokenOrder
from bpe_gui.ui.panels.vocabulary.search import TokenSearch
from bpe_gui.ui.panels.vocabulary.wording import description

AnyIndex = QModelIndex | QPersistentModelIndex

SEARCH_SECONDS = 0.0015
"""How much of a frame a search may take before it waits for the next call."""
_KEPT_ROWS = 2000

# Qt asks with plain numbers; comparing with enumeration members is several times slower.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class VocabularyModel(QAbstractTableModel):
    """One row per token that exists at the position: by id, or sorted and searched.

    In the order of ids, searched or not, a change of the position inserts or removes one
    block of rows. Any other order is reset when its rows change; that keeps a sorted
    vocabulary of 50,000 within a few milliseconds a frame.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.size = 0
        """Number of tokens at the position, whether they are shown or not."""
        self.search_text = ""
        """What is searched for; empty if nothing is."""
        self._columns: TokenColumns | None = None
        self._search: TokenSearch | None = None
        self._sorted_by = ID
        self._descending = False
        self._order: TokenOrder | None = None
        """The order of the rows, if it is not that of the ids."""
        self._position = 0
        self._shown = np.empty(0, np.int64)
        self._cells: dict[int, tuple[str, ...]] = {}

    # -- what is shown -------------------------------------------------------------------

    @property
    def in_order_of_ids(self) -> bool:
        """Whether the rows are in the ascending order of ids, the newest last."""
        return self._sorted_by == ID and not self._descending

    @property
    def searching(self) -> bool:
        """Whether a search has not looked at all tokens yet; see `search_on`."""
        if self._search is None or not self.search_text:
            return False
        return self._search.searched < self.size

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none. Sorting and search text stay."""
        self._columns = self._search = None
        if history is not None:
            self._columns, self._search = TokenColumns(history), TokenSearch(history)
            self._search.start(self.search_text)
        self._cells.clear()
        self._position = 0
        self._start_order()
        self._reset(*self._rows())

    def set_position(self, position: int) -> None:
        """Show the tokens that exist at another position, with as few changes as possible."""
        self._position = position
        size, shown = self._rows()
        if self._order is None:
            self._change_block(size, shown)
        elif np.array_equal(shown, self._shown):
            self.size = size
        else:
            self._reset(size, shown)

    def set_search(self, text: str) -> None:
        """Show only the tokens that match a text; see `TokenSearch`. Empty shows all.

        A long vocabulary is searched in pieces: see `searching`.
        """
        if text != self.search_text:
            self.search_text = text
            if self._search is not None:
                self._search.start(text)
            self._reset(*self._rows())

    def search_on(self) -> None:
        """Search on for about a millisecond."""
        self.set_position(self._position)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by id, and by id if there is no such column."""
        known = 0 <= column < len(COLUMNS)
        self._sorted_by = column if known else ID
        self._descending = known and order == Qt.SortOrder.DescendingOrder
        self._start_order()
        self._reset(*self._rows())

    def token_at(self, row: int) -> int:
        """Return the id of the token in a row."""
        return int(self._shown[row])

    def row_of(self, token: int) -> int | None:
        """Return the row of a token, None if it does not exist here or is not shown."""
        found = np.flatnonzero(self._shown == token)
        return int(found[0]) if len(found) else None

    def newest_row(self) -> int | None:
        """Return the row of the token that the last merge made, None if it is not there."""
        if self._columns is None or self.size <= len(self._columns.history.base):
            return None
        return self.row_of(self.size - 1)

    def cells(self, row: int) -> tuple[str, ...]:
        """Return the texts of a row from left to right; those of a token never change."""
        token = self.token_at(row)
        cells = self._cells.get(token)
        if cells is None:
            assert self._columns is not None
            history, step = self._columns.history, int(self._columns.steps[token])
            if len(self._cells) >= _KEPT_ROWS:
                self._cells.clear()
            cells = tuple(column.text(history, token, step) for column in COLUMNS)
            self._cells[token] = cells
        return cells

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows, in their order, as lines for a file; None without a run.

        A search is finished first.
        """
        if self._columns is None:
            return None
        while self.searching:
            self.search_on()
        return vocabulary_lines(self._columns.history, self._shown.tolist())

    # -- following the history ---------------------------------------------------------------

    def _start_order(self) -> None:
        self._order = None
        if self._columns is not None and self._sorted_by != ID:
            column = COLUMNS[self._sorted_by]
            self._order = TokenOrder(self._columns, column, descending=self._descending)

    def _rows(self) -> tuple[int, NDArray[np.int64]]:
        """Return the number of tokens at the position, and the ids of those to show."""
        columns = self._columns
        if columns is None or self._search is None:
            return 0, np.empty(0, np.int64)
        columns.grow()
        size = columns.size_at(self._position)
        ids = np.arange(size)
        if self.search_text:
            self._search.advance(size, SEARCH_SECONDS)
            ids = self._search.matches
            ids = ids[: np.searchsorted(ids, size)]
        if self._order is None:
            return size, ids[::-1] if self._descending else ids
        self._order.grow()
        wanted = np.zeros(len(columns), bool)
        wanted[ids] = True
        ids = self._order.ids
        return size, ids[wanted[ids]]

    def _reset(self, size: int, shown: NDArray[np.int64]) -> None:
        self.beginResetModel()
        self.size, self._shown = size, shown
        self.endResetModel()

    def _change_block(self, size: int, shown: NDArray[np.int64]) -> None:
        """Insert or remove the rows at that end of the table where the newest tokens are."""
        before, after = len(self._shown), len(shown)
        first = 0 if self._descending else min(before, after)
        last = first + abs(after - before) - 1
        if after > before:
            self.beginInsertRows(QModelIndex(), first, last)
        elif after < before:
            self.beginRemoveRows(QModelIndex(), first, last)
        self.size, self._shown = size, shown
        if after > before:
            self.endInsertRows()
        elif after < before:
            self.endRemoveRows()

    # -- for the view ------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        column = COLUMNS[section]
        if role == _DISPLAY:
            return column.name
        if role == _TOOLTIP:
            return column.tip
        if role == _ALIGNMENT:
            return _RIGHT if column.widest else _LEFT
        return None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """Return the text of a cell, for copying and screen readers, or the row's tooltip."""
        if not index.isValid() or self._columns is None:
            return None
        if role == _DISPLAY:
            return self.cells(index.row())[index.column()]
        if role == _TOOLTIP:
            token = self.token_at(index.row())
            return description(self._columns.history, token, int(self._columns.steps[token]))
        return None

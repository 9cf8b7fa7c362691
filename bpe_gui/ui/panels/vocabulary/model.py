"""The vocabulary at a position, as a table for Qt's views."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QObject, Qt

from bpe_gui.analysis.taken_over import steps_otherwise
from bpe_gui.analysis.token_columns import TokenColumns
from bpe_gui.analysis.token_life import is_counted, residues, token_uses
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import vocabulary_lines
from bpe_gui.ui.panels.vocabulary import wording
from bpe_gui.ui.panels.vocabulary.columns import COLUMNS, COUNT, ID, NOW, TokenOrder
from bpe_gui.ui.panels.vocabulary.filters import (
    ABSENT,
    OTHERWISE,
    REGEX,
    RESIDUE,
    UNUSED,
    TokenFilter,
    chosen,
)
from bpe_gui.ui.panels.vocabulary.search import TokenSearch
from bpe_gui.ui.tokens.token_words import token_lines, tooltip
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, Heading, RowsModel

SEARCH_SECONDS = 0.0015
"""How much of a frame a search may take before it waits for the next call."""
_KEPT_ROWS = 2000
UNKNOWN = -1
"""Stands for the count of a token that nobody has counted."""


class VocabularyModel(RowsModel):
    """One row per token that exists at the position: by id, or sorted, searched and filtered.

    What is found comes by how well it fits and then by id, unless another order was chosen. In the
    order of ids a change of the position inserts or removes one block of rows where it can; else
    all rows are reset: that keeps a sorted vocabulary of 50,000 within a few milliseconds a frame.
    """

    headings = tuple(
        Heading(column.name, column.tip, RIGHT if column.widest else LEFT) for column in COLUMNS
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.size = 0
        """Number of tokens at the position, whether they are shown or not."""
        self.search_text = ""
        """What is searched for; empty if nothing is."""
        self.choices: tuple[str, ...] = ()
        """The names of the filters, and REGEX if the search is a regular expression."""
        self.problem = ""
        """Why nothing can be found, as a sentence; empty if nothing is wrong."""
        self._columns: TokenColumns | None = None
        self._search: TokenSearch | None = None
        self._sorted_by = ID
        self._descending = False
        self._order: TokenOrder | None = None
        """The order of the rows, if it is by another column whose cells never change."""
        self._position = 0
        self._used: NDArray[np.int64] | None = None
        self._symbol_counts: NDArray[np.int64] | None = None
        self._counts_at = -1
        self._counts = np.empty(0, np.int64)
        self._shown = np.empty(0, np.int64)
        self._cells: dict[int, tuple[str, ...]] = {}
        self._count_name = COLUMNS[COUNT].name

    # -- what is shown -------------------------------------------------------------------

    def name_count(self, name: str) -> None:
        """Set the heading of the counts when merged."""
        if name != self._count_name:
            self._count_name = name
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, COUNT, COUNT)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        found = super().headerData(section, orientation, role)
        named = section == COUNT and role == Qt.ItemDataRole.DisplayRole and found is not None
        return self._count_name if named else found

    @property
    def sorted_by_id(self) -> bool:
        """Whether the newest token is last, unless only some are shown."""
        return self._sorted_by == ID and not self._descending

    @property
    def of_bytes(self) -> bool:
        """Whether the tokens are made of bytes, and not of characters."""
        return self._columns is not None and self._columns.history.recipe.byte_level

    @property
    def filters(self) -> list[TokenFilter]:
        return chosen(self.choices)

    @property
    def narrowed(self) -> bool:
        """Whether only some tokens are shown: what is found, or what passes filters."""
        return bool(self.search_text or self.filters)

    @property
    def searching(self) -> bool:
        """Whether a search has not looked at all tokens yet; see `search_on`."""
        if self._search is None or self.problem or not self.narrowed:
            return False
        return self._search.searched < self.size

    def set_history(self, history: History | None) -> None:
        self._columns = self._search = None
        self._used = self._symbol_counts = None
        self._counts_at = -1
        if history is not None:
            self._columns, self._search = TokenColumns(history), TokenSearch(history)
            self._start_search()
        self._cells.clear()
        self._position = 0
        self._start_order()
        self._reset(*self._rows())

    def set_position(self, position: int) -> None:
        """Show the tokens that exist at another position, with as few changes as possible."""
        self._position = position
        self._show(*self._rows())

    def set_search(self, text: str) -> None:
        """Show only the tokens that match a text; see `TokenSearch`. Empty shows all.

        A long vocabulary is searched in pieces: see `searching`.
        """
        if text != self.search_text:
            self.search_text = text
            self._start_search()
            self._reset(*self._rows())

    def set_choices(self, names: Collection[str]) -> None:
        """Show only the tokens that pass these filters; see `choices`."""
        if tuple(names) != self.choices:
            self.choices = tuple(names)
            self._start_search()
            self._reset(*self._rows())

    def set_used(self, tokens: NDArray[np.int64] | None) -> None:
        """Take the tokens that the text has at the position, or None while nobody knows them."""
        self._used = tokens
        self._show(*self._rows())

    def set_symbol_counts(self, counts: NDArray[np.int64]) -> None:
        """Take how often each token from the start occurs before the first merge."""
        self._symbol_counts = counts
        self._counts_at = -1
        self._show(*self._rows())

    @property
    def greatest_symbol_count(self) -> int:
        """How often the most frequent token from the start occurs before the first merge."""
        counts = self._symbol_counts
        return int(counts.max(initial=0)) if counts is not None else 0

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

    def count(self) -> int:
        return len(self._shown)

    def tip(self, row: int, column: int) -> str:
        assert self._columns is not None
        return tooltip(token_lines(self._columns.history, self.token_at(row)))

    def cells(self, row: int) -> tuple[str, ...]:
        token = self.token_at(row)
        lasting = self._lasting_cells(token)
        return (*lasting[:NOW], self._count_now(token), *lasting[NOW:])

    def _lasting_cells(self, token: int) -> tuple[str, ...]:
        cells = self._cells.get(token)
        if cells is None:
            assert self._columns is not None
            history, step = self._columns.history, int(self._columns.steps[token])
            if len(self._cells) >= _KEPT_ROWS:
                self._cells.clear()
            texts = [column.text for column in COLUMNS if column.text is not None]
            cells = tuple(text(history, token, step) for text in texts)
            self._cells[token] = cells
        return cells

    def _count_now(self, token: int) -> str:
        counts = self.counts_now
        # A row that is about to go may be asked for once more.
        count = int(counts[token]) if token < len(counts) else UNKNOWN
        return f"{count:,}" if count != UNKNOWN else wording.NO_MERGE

    @property
    def counts_now(self) -> NDArray[np.int64]:
        """How often each token occurs in the corpus at the position; UNKNOWN where nobody knows."""
        columns = self._columns
        if columns is None or self._counts_at == self._position:
            return self._counts
        history, base = columns.history, len(columns.history.base)
        self._counts_at = self._position
        self._counts = token_uses(history, self._position).left
        if self._symbol_counts is not None:
            self._counts[:base] += self._symbol_counts
        else:
            self._counts[:base] = UNKNOWN
        if not is_counted(history):
            self._counts[:] = UNKNOWN
        return self._counts

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows, in their order, as lines for a file; None without a run.

        A search is finished first.
        """
        if self._columns is None:
            return None
        while self.searching:
            self.search_on()
        counts = self.counts_now[self._shown].tolist()
        known = [None if count == UNKNOWN else count for count in counts]
        return vocabulary_lines(self._columns.history, self._shown.tolist(), known)

    # -- following the history ---------------------------------------------------------------

    def _start_search(self) -> None:
        self.problem = ""
        if self._search is None:
            return
        passes = [one.passes for one in self.filters if one.passes is not None]
        try:
            self._search.start(self.search_text, is_regex=REGEX in self.choices, passes=passes)
        except PatternError as error:
            self.problem = as_sentence(error)

    def _start_order(self) -> None:
        self._order = None
        keys = COLUMNS[self._sorted_by].keys
        if self._columns is not None and self._sorted_by != ID and keys is not None:
            self._order = TokenOrder(self._columns, keys, descending=self._descending)

    def _rows(self) -> tuple[int, NDArray[np.int64]]:
        columns = self._columns
        if columns is None:
            return 0, np.empty(0, np.int64)
        columns.grow()
        size = columns.size_at(self._position)
        return size, self._in_order(size, self._wanted(size))

    def _wanted(self, size: int) -> NDArray[np.int64]:
        """Return the ids below `size` to show; what is searched for comes by how well it fits."""
        search, nothing = self._search, np.empty(0, np.int64)
        if search is None or not self.narrowed:
            return np.arange(size)
        if not self.problem:
            try:
                search.advance(size, SEARCH_SECONDS)
            except PatternError as error:
                self.problem = as_sentence(error)
        if self.problem:
            return nothing
        ids = search.matches(size)
        if self.sorted_by_id and self.search_text:
            ids = ids[np.argsort(search.ranks(size), kind="stable")]
        if RESIDUE in self.choices:
            ids = ids[residues(search.history, self._position)[ids]]
        if ABSENT in self.choices:
            ids = ids[self.counts_now[ids] == 0]
        if OTHERWISE in self.choices:
            history = search.history
            ids = ids[np.isin(ids, history.new_id[steps_otherwise(history)])]
        if UNUSED in self.choices:
            ids = nothing if self._used is None else ids[np.isin(ids, self._used, invert=True)]
        return ids

    def _in_order(self, size: int, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Bring ids into the chosen order; they are in that of ids, or of how well they fit."""
        if self._sorted_by == NOW:
            return self._by_count_now(ids)
        if self._order is None:
            return ids[::-1] if self._descending else ids
        self._order.grow()
        wanted = np.zeros(max(len(self._order.ids), size), bool)
        wanted[ids] = True
        ordered = self._order.ids
        return ordered[wanted[ordered]]

    def _by_count_now(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sort by the count at the position; tokens without one are last in both orders."""
        counts = self.counts_now[ids]
        keys = -counts if self._descending else counts
        keys[counts == UNKNOWN] = np.iinfo(np.int64).max
        return ids[np.argsort(keys, kind="stable")]

    def _reset(self, size: int, shown: NDArray[np.int64]) -> None:
        self.beginResetModel()
        self.size, self._shown = size, shown
        self.endResetModel()

    def _show(self, size: int, shown: NDArray[np.int64]) -> None:
        before, after = len(self._shown), len(shown)
        same = min(before, after)
        if np.array_equal(shown[:same], self._shown[:same]):
            first = same
        elif np.array_equal(shown[after - same :], self._shown[before - same :]):
            first = 0
        else:
            self._reset(size, shown)
            return
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

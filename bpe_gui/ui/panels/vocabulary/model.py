"""The vocabulary at a position, as a table for Qt's views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush

from bpe_gui.analysis.token_columns import FROM_THE_START, TokenColumns
from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import vocabulary_lines
from bpe_gui.ui.panels.vocabulary.order import Column, TokenOrder
from bpe_gui.ui.panels.vocabulary.search import TokenSearch

AnyIndex = QModelIndex | QPersistentModelIndex

TOKEN_ROLE = int(Qt.ItemDataRole.UserRole)
"""The id of a row's token."""

SEARCH_SECONDS = 0.0015
"""How much of a frame a search may take before it waits for the next call."""

_HEADERS = ("id", "token", "bytes", "count", "parents")
_HEADER_TOOLTIPS = (
    "The number that stands for the token in an encoded text",
    "What the token stands for; ␣ is a space, ‹E2 80› are bytes of a character's part",
    "The bytes of the text in hex, without </w>; the row's tooltip says more of them",
    "How often the pair occurred when it was merged",
    "The two tokens that were merged",
)
_LONGEST_HEX = 32
_LONGEST_TEXT = 120
_ENOUGH = 160
"""Bytes of a token that tell all that a row says: where it is longer, both texts are cut before
an end-of-word marker could come."""
_KEPT_ROWS = 2000
_FROM_THE_START = "\u2013"
_NO_BYTES = "\u2013"

# Qt asks with plain numbers; comparing with enumeration members is several times slower.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ON_THE_RIGHT = (Column.ID, Column.COUNT)


class VocabularyModel(QAbstractTableModel):
    """One row per token that exists at the position: by id, or sorted and searched.

    In the order of ids, searched or not, a change of the position inserts or removes one
    block of rows. Any other order is reset when its rows change; that keeps a sorted
    vocabulary of 50,000 within a few milliseconds a frame.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: TokenColumns | None = None
        self._order: TokenOrder | None = None
        self._search: TokenSearch | None = None
        self._sorted_by = Column.ID
        self._descending = False
        self._text = ""
        self._position = 0
        self._size = 0
        self._shown = np.empty(0, np.int64)
        self._cells: dict[int, tuple[str, ...]] = {}
        self._accent = QBrush()
        self._muted = QBrush()

    # -- what is shown -------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Number of tokens at the position, whether they are shown or not."""
        return self._size

    @property
    def in_order_of_ids(self) -> bool:
        """Whether the rows stand in the ascending order of ids, the newest last."""
        return self._sorted_by is Column.ID and not self._descending

    @property
    def search_text(self) -> str:
        """What is searched for; empty if nothing is."""
        return self._text

    @property
    def searching(self) -> bool:
        """Whether a search has not looked at all tokens yet; see `search_on`."""
        return self._search is not None and self._search.searched < self._size

    def set_colours(self, accent: QBrush, muted: QBrush) -> None:
        """Colours for the newest token and for what is less important."""
        self._accent, self._muted = accent, muted
        if self.rowCount():
            self.dataChanged.emit(
                self.index(0, 0), self.index(self.rowCount() - 1, len(Column) - 1), [_FOREGROUND]
            )

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none. Sorting and search text stay."""
        self.beginResetModel()
        self._columns = TokenColumns(history) if history is not None else None
        self._cells.clear()
        self._position = 0
        self._start_order()
        self._start_search()
        self._size = self._size_at(0)
        self._shown = self._ids_to_show(self._size)
        self.endResetModel()

    def set_position(self, position: int) -> None:
        """Show the tokens that exist at another position."""
        self._position = position
        self._refresh()

    def set_search(self, text: str) -> None:
        """Show only the tokens that match a text; see `TokenSearch`. Empty shows all.

        A long vocabulary is searched in pieces: see `searching`.
        """
        if text == self._text:
            return
        self._text = text
        self.beginResetModel()
        self._start_search()
        self._shown = self._ids_to_show(self._size)
        self.endResetModel()

    def search_on(self) -> None:
        """Search on for about a millisecond."""
        self._refresh()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by id, and by id if there is no such column."""
        self.beginResetModel()
        known = 0 <= column < len(Column)
        self._sorted_by = Column(column) if known else Column.ID
        self._descending = known and order == Qt.SortOrder.DescendingOrder
        self._start_order()
        self._shown = self._ids_to_show(self._size)
        self.endResetModel()

    def token_at(self, row: int) -> int:
        """The id of the token in a row."""
        return row if self._shows_all_ids else int(self._shown[row])

    def row_of(self, token: int) -> int | None:
        """The row of a token, None if it does not exist here or is not shown."""
        if self._shows_all_ids:
            return token if 0 <= token < self._size else None
        found = np.flatnonzero(self._shown == token)
        return int(found[0]) if len(found) else None

    def newest_row(self) -> int | None:
        """The row of the token that the last merge made, None if it is not there."""
        if self._columns is None or self._size <= len(self._columns.history.base):
            return None
        return self.row_of(self._size - 1)

    def cells(self, row: int) -> tuple[str, ...]:
        """The texts of a row, from left to right. What is written of a token never changes."""
        token = self.token_at(row)
        known = self._cells.get(token)
        if known is not None:
            return known
        if len(self._cells) >= _KEPT_ROWS:
            self._cells.clear()
        made = self._texts_of(token)
        self._cells[token] = made
        return made

    def lines(self) -> Iterator[Sequence[object]] | None:
        """All rows, in their order, as lines for a file; None without a run.

        What is searched for is found to its end first.
        """
        if self._columns is None:
            return None
        while self.searching:
            self.search_on()
        ids = range(self._size) if self._shows_all_ids else self._shown.tolist()
        return vocabulary_lines(self._columns.history, ids)

    @property
    def _shows_all_ids(self) -> bool:
        """Whether row and id are the same, so that no list of ids is needed."""
        return self._search is None and self.in_order_of_ids

    # -- following the history ---------------------------------------------------------------

    def _start_order(self) -> None:
        plain = self._columns is None or self._sorted_by is Column.ID
        self._order = None
        if self._columns is not None and not plain:
            self._columns.grow()
            self._order = TokenOrder(self._columns, self._sorted_by, descending=self._descending)

    def _start_search(self) -> None:
        if self._columns is None or not self._text:
            self._search = None
            return
        if self._search is None or self._search.history is not self._columns.history:
            self._search = TokenSearch(self._columns.history)
        self._search.start(self._text)

    def _size_at(self, position: int) -> int:
        if self._columns is None:
            return 0
        self._columns.grow()
        return self._columns.size_at(position)

    def _ids_to_show(self, size: int) -> NDArray[np.int64]:
        """The ids of the rows if there are that many tokens; unused while row and id agree."""
        if self._columns is None or self._shows_all_ids:
            return np.empty(0, np.int64)
        matches: NDArray[np.int64] | None = None
        if self._search is not None:
            self._search.advance(size, SEARCH_SECONDS)
            matches = self._search.matches
            matches = matches[: np.searchsorted(matches, size)]
        if self._order is None:
            ids = matches if matches is not None else np.arange(size)
            return ids[::-1] if self._descending else ids
        self._order.grow()
        wanted = np.zeros(len(self._columns), bool)
        wanted[slice(size) if matches is None else matches] = True
        ids = self._order.ids
        return ids[wanted[ids]]

    def _refresh(self) -> None:
        """Head for the rows of the position with as few changes as the order allows."""
        newest, size = self._size - 1, self._size_at(self._position)
        shown = self._ids_to_show(size)
        if self._order is None:
            before = self.rowCount()
            after = size if self._shows_all_ids else len(shown)
            self._change_block(before, after, size, shown)
        elif np.array_equal(shown, self._shown):
            self._size = size
        else:
            self.beginResetModel()
            self._size, self._shown = size, shown
            self.endResetModel()
        if self._size - 1 != newest:
            self._colour_changed(newest)
            self._colour_changed(self._size - 1)

    def _change_block(self, before: int, after: int, size: int, shown: NDArray[np.int64]) -> None:
        """Insert or remove the rows at that end of the table where the newest tokens are."""
        first = 0 if self._descending else min(before, after)
        last = first + abs(after - before) - 1
        if after > before:
            self.beginInsertRows(QModelIndex(), first, last)
        elif after < before:
            self.beginRemoveRows(QModelIndex(), first, last)
        self._size, self._shown = size, shown
        if after > before:
            self.endInsertRows()
        elif after < before:
            self.endRemoveRows()

    def _colour_changed(self, token: int) -> None:
        row = self.row_of(token)
        if row is not None:
            first, last = self.index(row, 0), self.index(row, len(Column) - 1)
            self.dataChanged.emit(first, last, [_FOREGROUND])

    # -- for the view ------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Number of tokens shown."""
        if parent.isValid():
            return 0
        return self._size if self._shows_all_ids else len(self._shown)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Id, token, bytes, count, parents."""
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The names of the columns and what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == _DISPLAY:
            return _HEADERS[section]
        if role == _TOOLTIP:
            return _HEADER_TOOLTIPS[section]
        if role == _ALIGNMENT:
            return _RIGHT if section in _ON_THE_RIGHT else _LEFT
        return None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """One cell: text, tooltip, alignment, colour, or the id under `TOKEN_ROLE`."""
        if not index.isValid() or self._columns is None:
            return None
        if role == _ALIGNMENT:
            return _RIGHT if index.column() in _ON_THE_RIGHT else _LEFT
        if role not in (_DISPLAY, _TOOLTIP, _FOREGROUND, TOKEN_ROLE):
            return None
        token = self.token_at(index.row())
        if role == _DISPLAY:
            return self._texts_of(token)[index.column()]
        if role == _FOREGROUND:
            return self._colour_of(token, index.column())
        return token if role == TOKEN_ROLE else self._describe(token)

    def _colour_of(self, token: int, column: int) -> QBrush | None:
        assert self._columns is not None
        if token == self._size - 1 and self._columns.steps[token] != FROM_THE_START:
            return self._accent
        return None if column == Column.TOKEN else self._muted

    def _texts_of(self, token: int) -> tuple[str, ...]:
        """What is written of a token, from left to right."""
        assert self._columns is not None
        history = self._columns.history
        content = history.beginning(token, _ENOUGH)
        data = content if len(content) == _ENOUGH else history.bytes_in_text(token)
        written = _in_hex(data) or _NO_BYTES
        step = int(self._columns.steps[token])
        if step == FROM_THE_START:
            parents = "special" if history.is_special(token) else _FROM_THE_START
            return str(token), _readable(content), written, _FROM_THE_START, parents
        left, right = int(history.left[step]), int(history.right[step])
        pair = visible_pair(
            history.beginning(left, _LONGEST_TEXT), history.beginning(right, _LONGEST_TEXT)
        )
        return str(token), _readable(content), written, f"{int(history.count[step]):,}", pair

    def _describe(self, token: int) -> str:
        assert self._columns is not None
        history = self._columns.history
        content = history.token_bytes(token)
        data = history.bytes_in_text(token)
        end = ", end of word" if history.ends_word(token) else ""
        lines = [
            f"<b>{escape(_readable(content))}</b>",
            f"token {token:,}: {_counted(len(data), 'byte')}{end}",
            *([_in_hex(data)] if data else []),
        ]
        parents = self._columns.parents_of(token)
        if history.is_special(token):
            lines.append("a special token, there from the start")
        elif parents is None:
            lines.append("there from the start")
        else:
            step = int(self._columns.steps[token])
            left, right = (
                f"{escape(_readable(history.token_bytes(parent)))} ({parent:,})"
                for parent in parents
            )
            times = _counted(int(history.count[step]), "time")
            lines.append(f"merge {step + 1:,}: {left} and {right}, {times}")
        return f"<p style='white-space: pre'>{'<br>'.join(lines)}</p>"


def _readable(content: bytes) -> str:
    """A token as it is shown, cut if it is longer than any column."""
    if len(content) <= _LONGEST_TEXT:
        return visible(content)
    return visible(content[:_LONGEST_TEXT]) + "…"


def _in_hex(data: bytes) -> str:
    """Bytes as they are written in the table, cut if there are many."""
    return data[:_LONGEST_HEX].hex(" ") + (" …" if len(data) > _LONGEST_HEX else "")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"

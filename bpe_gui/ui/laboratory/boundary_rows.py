"""The rows of the boundary panel: blocked pairs, and tokens across boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import blocked_pair_lines, superword_lines
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.tokens.token_words import label

AnyIndex = QModelIndex | QPersistentModelIndex

BOUNDARY = "▏"
"""Stands for the boundary in texts that are copied."""

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_TIP = int(Qt.ItemDataRole.ToolTipRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class PairColumn(IntEnum):
    """The columns of the pairs that are kept apart."""

    PAIR = 0
    BAR = 1
    TIMES = 2
    RANK = 3


class _Rows(QAbstractTableModel):
    """What both tables share: their headers."""

    headers: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    """The columns that are written at the right."""

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The names of the columns, and what they hold."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.headers):
            return None
        if role == _ALIGNMENT and section in self.numbers:
            return _RIGHT
        return {_DISPLAY: self.headers, _TIP: self.tips}.get(role, {section: None})[section]


class _Written(Protocol):
    """Rows of texts: one for each cell, and one that tells the whole row."""

    numbers: frozenset[int]

    def cell(self, row: int, column: int) -> str: ...
    def spoken(self, row: int) -> str: ...


def _data(rows: _Written, index: AnyIndex, role: int) -> Any:
    """One cell as text; the first speaks for the whole row."""
    if not index.isValid():
        return None
    if role == _ALIGNMENT:
        return _RIGHT if index.column() in rows.numbers else None
    if role == _SPOKEN and index.column() == 0:
        return rows.spoken(index.row())
    return rows.cell(index.row(), index.column()) if role in (_DISPLAY, _SPOKEN) else None


class BlockedPairModel(_Rows):
    """The pairs of a `BlockedPairs`."""

    headers = wording.PAIR_HEADERS
    tips = wording.PAIR_TIPS
    numbers = frozenset({PairColumn.TIMES, PairColumn.RANK})

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: BlockedPairs | None = None
        self._history: History | None = None
        self._by = ""
        self._labels: dict[int, str] = {}

    def show(self, found: BlockedPairs | None, history: History | None, by: str = "") -> None:
        """Show other pairs, or none; `by` names what forbids them."""
        same = found is not None and len(found.pairs) == self.rowCount()
        if history is not self._history:
            self._labels.clear()
        if not same:
            self.beginResetModel()
        self.found = found
        self._history = history
        self._by = by
        if not same:
            self.endResetModel()
        elif self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 3))

    def lines(self) -> Iterator[Sequence[object]] | None:
        """All rows as lines for a file; None without any."""
        if self.found is None or self._history is None:
            return None
        return blocked_pair_lines(self.found, self._history)

    def pair(self, row: int) -> BlockedPair:
        """The pair in a row."""
        assert self.found is not None
        return self.found.pairs[row]

    def token_label(self, token: int) -> str:
        """A token as it is written."""
        assert self._history is not None
        if token not in self._labels:
            self._labels[token] = label(self._history.token_bytes(token))
        return self._labels[token]

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.found is None else len(self.found.pairs)

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """What a cell shows, and what is said of its row."""
        return _data(self, index, role)

    def cell(self, row: int, column: int) -> str:
        """What is written in a cell."""
        pair = self.pair(row)
        assert self.found is not None
        if column == PairColumn.PAIR:
            left, right = self.token_label(pair.left), self.token_label(pair.right)
            return f"{left} {BOUNDARY} {right}"
        if column == PairColumn.BAR:
            return f"{pair.within:,} within words" if pair.within else ""
        if column == PairColumn.TIMES:
            return wording.stands(pair)
        return wording.standing(self.found, pair)

    def spoken(self, row: int) -> str:
        """A row in words."""
        assert self.found is not None
        assert self._history is not None
        return wording.explained(self.found, self.pair(row), self._history, self._by)


class SuperwordColumn(IntEnum):
    """The columns of the tokens across boundaries."""

    MERGE = 0
    TOKEN = 1
    TIMES = 2
    EXAMPLE = 3


class SuperwordModel(_Rows):
    """The tokens that training without boundaries learns."""

    headers = wording.SUPERWORD_HEADERS
    tips = wording.SUPERWORD_TIPS
    numbers = frozenset({SuperwordColumn.MERGE, SuperwordColumn.TIMES})

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tokens: tuple[SuperwordToken, ...] = ()

    def show(self, tokens: tuple[SuperwordToken, ...]) -> None:
        """Show other tokens."""
        self.beginResetModel()
        self.tokens = tokens
        self.endResetModel()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """All rows as lines for a file; None without any."""
        return superword_lines(self.tokens) if self.tokens else None

    def superword(self, row: int) -> SuperwordToken:
        """The token in a row."""
        return self.tokens[row]

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.tokens)

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """What a cell shows, and what is said of its row."""
        return _data(self, index, role)

    def cell(self, row: int, column: int) -> str:
        """What is written in a cell."""
        superword = self.tokens[row]
        return (
            f"{superword.step + 1:,}",
            f" {BOUNDARY} ".join(label(part) for part in superword.parts),
            f"{superword.occurrences:,}",
            visible(superword.before + superword.content + superword.after),
        )[column]

    def spoken(self, row: int) -> str:
        """A row in words."""
        return wording.superword_explained(self.tokens[row])

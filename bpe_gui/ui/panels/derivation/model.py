"""The derivation of a word as rows: its symbols, merge after merge, and the tokens it ends as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.derivation import AppliedMerge, WordDerivation
from bpe_gui.exporting.tables import derivation_lines
from bpe_gui.progress import counted
from bpe_gui.ui.panels.derivation.wording import HEADERS, TIPS, tokens_text
from bpe_gui.ui.run.token_frequencies import TokenFrequencies
from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS
from bpe_gui.ui.tokens.colours import TokenColouring, separated
from bpe_gui.ui.tokens.token_words import label, pair_text

_Index = QModelIndex | QPersistentModelIndex
_LONGEST_WORD = 64
_BEFORE_MERGE = 6
"""A long word is shown from that many tokens before the merge."""


class Column(IntEnum):
    """The columns of the table."""

    STEP = 0
    """In which order the merges are applied to the word."""
    RANK = 1
    """The number of the merge: encoding applies lower ones first."""
    PAIR = 2
    TOKENS = 3


@dataclass(frozen=True, slots=True)
class RowTokens:
    """The tokens of a row that are worth drawing, as columns.

    `colours` are indexes below 6, by the place where a token begins, no two neighbours
    alike. `new` is the index of the token that the row's merge made, -1 for none. `cut` is
    True if tokens before the first are left out. `own_ids` are those of the vocabulary.
    """

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    own_ids: tuple[int, ...]
    colours: tuple[int, ...]
    new: int
    cut: bool


class DerivationModel(QAbstractTableModel):
    """Rows for `WordDerivation`: symbols, merges at the cursor, tokens, then later merges."""

    def __init__(self, parent: QObject, frequencies: TokenFrequencies) -> None:
        super().__init__(parent)
        self._frequencies = frequencies
        self.derivation: WordDerivation | None = None
        """The word that is shown."""
        self.colouring: TokenColouring | None = None
        """The fills of its tokens."""
        self._position = 0
        self.applied = 0
        """How many merges are applied at the cursor."""
        self._merges = 0

    # -- what is shown -------------------------------------------------------------------

    def set_derivation(self, derivation: WordDerivation | None, position: int) -> None:
        """Show another word, or none."""
        self.beginResetModel()
        self.derivation = derivation
        self.colouring = None
        if derivation is not None:
            self.colouring = TokenColouring(derivation.history, self._frequencies)
        self._count(position)
        self.endResetModel()

    def set_position(self, position: int, *, exact: bool = True) -> bool:
        """Follow the cursor, and return whether anything has changed.

        If not `exact`, later merges that have come since may be missing.
        """
        derivation = self.derivation
        if derivation is None:
            return False
        if exact or position > derivation.length:
            derivation.extend()
        before, merges = self.applied, len(derivation.steps)
        if merges != self._merges:
            # The rows before stay; new merges are last.
            self.beginInsertRows(QModelIndex(), self._merges + 2, merges + 1)
            self._merges = merges
            self.endInsertRows()
        self._count(position)
        if self.applied == before:
            return False
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, Column.TOKENS))
        return True

    def _count(self, position: int) -> None:
        self._position = position
        derivation = self.derivation
        self._merges = 0 if derivation is None else len(derivation.steps)
        self.applied = 0 if derivation is None else derivation.rows(position)

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows as lines for a file, with all tokens; None without a word."""
        if self.derivation is None:
            return None
        # A list, because the word extends with later merges.
        return iter(list(derivation_lines(self.derivation, self._position)))

    @property
    def result_row(self) -> int:
        """The row of the tokens at the cursor."""
        return self.applied + 1

    def merges_at(self, row: int) -> int:
        """Return the number of merges applied in a row."""
        return row if row < self.result_row else row - 1

    def row_after(self, merges: int) -> int:
        """Return the row of the merge with that number, counted from 1; 0 for the symbols."""
        return merges if merges <= self.applied else merges + 1

    def merge(self, row: int) -> AppliedMerge | None:
        """Return the merge of a row; None for the symbols and the result."""
        if self.derivation is None or row in (0, self.result_row):
            return None
        return self.derivation.merge(self.merges_at(row))

    def tokens(self, row: int) -> RowTokens:
        """Return the tokens of a row, around its merge if they are many."""
        assert self.derivation is not None
        return _row_tokens(self.derivation, self.merges_at(row), self.merge(row))

    # -- for Qt ----------------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.derivation is None else self._merges + 2

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADERS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section <= Column.RANK:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return TIPS[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return None
        return self.cells(index.row())[index.column()]

    def cells(self, row: int) -> tuple[str, str, str, str]:
        """Return the texts of a row, for the clipboard and for screen readers."""
        tokens = self.tokens(row)
        ids = tokens.own_ids if row == self.result_row else ()
        told = tokens_text(tokens.labels, ids, cut=tokens.cut)
        return self.step(row), self.rank(row), self.pair(row), told

    def step(self, row: int) -> str:
        """Return the number of a row's merge among those of the word; empty if there is none."""
        return "" if self.merge(row) is None else f"{self.merges_at(row):,}"

    def rank(self, row: int) -> str:
        """Return the number of a row's merge, counted from one; empty if there is none."""
        merge = self.merge(row)
        return "" if merge is None else f"{merge.step + 1:,}"

    def pair(self, row: int) -> str:
        """Return the pair of a row's merge, or the number of symbols or tokens."""
        derivation, merge = self.derivation, self.merge(row)
        assert derivation is not None
        if merge is not None:
            history = derivation.history
            return pair_text(history, int(history.left[merge.step]), int(history.right[merge.step]))
        symbols = len(derivation.symbols)
        return counted(symbols, "symbol") if row == 0 else counted(symbols - self.applied, "token")


def _row_tokens(derivation: WordDerivation, merges: int, merge: AppliedMerge | None) -> RowTokens:
    first, ids = derivation.tokens(merges)
    begin = 0
    if merge is not None and len(first) > _LONGEST_WORD:
        begin = max(0, merge.place - _BEFORE_MERGE)
    first = first[begin : begin + 2 * _LONGEST_WORD]
    ids = ids[begin : begin + 2 * _LONGEST_WORD]
    colours = separated((first % TOKEN_COLOURS).astype(np.int8), first)
    shown = list(zip(ids.tolist(), first.tolist(), strict=True))
    return RowTokens(
        labels=tuple(label(derivation.content(*token)) for token in shown),
        ids=tuple(token for token, _ in shown),
        own_ids=tuple(derivation.history.own_ids(ids).tolist()),
        colours=tuple(colours.tolist()),
        new=-1 if merge is None else merge.place - begin,
        cut=begin > 0,
    )

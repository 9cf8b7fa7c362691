"""The words of a corpus as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.word_list import WordList
from bpe_gui.exporting.tables import word_lines
from bpe_gui.ui.panels.words.rows import WordRow, cut_rows, token_texts
from bpe_gui.ui.panels.words.wording import spoken

AnyIndex = QModelIndex | QPersistentModelIndex

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)


class WordColumn(IntEnum):
    WORD = 0
    COUNT = 1
    TOKENS = 2


class WordsModel(QAbstractTableModel):
    """The rows of a `WordList`, for the clipboard and for screen readers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words: WordList | None = None
        """What is shown, None before anything is."""

    def show(self, words: WordList | None) -> None:
        """Show other words, or the same in another order or at another position."""
        if words is not None and self.words is not None and len(words.rows) == self.rowCount():
            self.layoutAboutToBeChanged.emit()
            before, rows = self.persistentIndexList(), self.words.rows
            self.words = words
            after = [self._index_of(int(rows[index.row()]), index.column()) for index in before]
            self.changePersistentIndexList(before, after)
            self.layoutChanged.emit()
            return
        self.beginResetModel()
        self.words = words
        self.endResetModel()

    def _index_of(self, word: int, column: int) -> QModelIndex:
        assert self.words is not None
        found = np.flatnonzero(self.words.rows == word)
        return self.index(int(found[0]), column) if len(found) else QModelIndex()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows, in their order, as lines for a file; None before anything is shown."""
        shown = self.words
        return None if shown is None else word_lines(shown.corpus, shown.position, shown.rows)

    def cut_rows(self, first: int, last: int) -> list[WordRow]:
        """Return the rows from `first` to before `last` with their tokens."""
        assert self.words is not None
        return cut_rows(self.words, first, last)

    def cut_row(self, row: int) -> WordRow:
        return self.cut_rows(row, row + 1)[0]

    def spoken(self, row: int) -> str:
        assert self.words is not None
        return spoken(self.words, self.cut_row(row))

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.words is None else len(self.words.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(WordColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        inside = orientation == Qt.Orientation.Horizontal and 0 <= section < len(WordColumn)
        return WordColumn(section).name.lower() if inside and role == _DISPLAY else None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        if not index.isValid() or self.words is None or role not in (_DISPLAY, _SPOKEN):
            return None
        row, column = self.cut_row(index.row()), index.column()
        if column == WordColumn.WORD:
            return spoken(self.words, row) if role == _SPOKEN else row.text
        if column == WordColumn.COUNT:
            return f"{row.count:,}"
        tokens = token_texts(self.words.corpus.history, row.tokens)
        return " ".join([*tokens, *([] if row.whole else ["…"])])

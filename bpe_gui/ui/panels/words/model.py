"""The words of a corpus as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

import numpy as np
from PySide6.QtCore import QModelIndex, QObject

from bpe_gui.analysis.word_list import WordList
from bpe_gui.exporting.tables import word_lines
from bpe_gui.ui.panels.words.rows import WordRow, cut_rows, token_texts
from bpe_gui.ui.panels.words.wording import spoken
from bpe_gui.ui.widgets.tables import Heading, RowsModel


class WordColumn(IntEnum):
    WORD = 0
    COUNT = 1
    TOKENS = 2


class WordsModel(RowsModel):
    """The rows of a `WordList`."""

    headings = tuple(Heading(column.name.lower()) for column in WordColumn)

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

    def count(self) -> int:
        return 0 if self.words is None else len(self.words.rows)

    def cells(self, row: int) -> Sequence[str]:
        assert self.words is not None
        word = self.cut_row(row)
        tokens = token_texts(self.words.corpus.history, word.tokens)
        return word.text, f"{word.count:,}", " ".join([*tokens, *([] if word.whole else ["…"])])

"""The words of a corpus as rows, each cut into its tokens when somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.analysis.visible import visible
from bpe_gui.analysis.word_list import WordList
from bpe_gui.exporting.tables import word_lines

AnyIndex = QModelIndex | QPersistentModelIndex

_MOST_SYMBOLS = 2000
"""Of a longer word, which nobody can overlook, only the beginning is cut."""
_MOST_BYTES = 200
_MOST_SPOKEN = 40
_KEPT_ROWS = 2000

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class WordColumn(IntEnum):
    """What the columns hold."""

    WORD = 0
    COUNT = 1
    TOKENS = 2


_HEADERS = ("word", "count", "tokens")


@dataclass(frozen=True, slots=True)
class WordRow:
    """One word, cut at the position.

    merging: the places in `tokens` of the left tokens of the pairs about to merge.
    whole: False if the word is so long that `tokens` are only its beginning.
    """

    word: int
    text: str
    count: int
    tokens: tuple[int, ...]
    merging: tuple[int, ...]
    whole: bool


class WordsModel(QAbstractTableModel):
    """The rows of a `WordList`. Cutting a screen full of them takes less than a millisecond.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._list: WordList | None = None
        self._pair: tuple[int, int] | None = None
        self._rows: dict[int, WordRow] = {}

    @property
    def words(self) -> WordList | None:
        """What is shown, None before anything is."""
        return self._list

    def show(self, words: WordList | None) -> None:
        """Show other words, or the same in another order or at another position."""
        if words is not None and self._list is not None and len(words.rows) == self.rowCount():
            self.layoutAboutToBeChanged.emit()
            before = self.persistentIndexList()
            kept = [self.word_at(index.row()) for index in before]
            self._take(words)
            rows = [self.row_of(word) for word in kept]
            after = [
                QModelIndex() if row is None else self.index(row, index.column())
                for row, index in zip(rows, before, strict=True)
            ]
            self.changePersistentIndexList(before, after)
            self.layoutChanged.emit()
            return
        self.beginResetModel()
        self._take(words)
        self.endResetModel()

    def _take(self, words: WordList | None) -> None:
        self._list = words
        self._rows.clear()
        self._pair = None
        if words is not None and words.query.marks_next:
            self._pair = next_pair(words.corpus.history, words.position)

    def lines(self) -> Iterator[Sequence[object]] | None:
        """All rows, in their order, as lines for a file; None before anything is shown."""
        shown = self._list
        return None if shown is None else word_lines(shown.corpus, shown.position, shown.rows)

    def word_at(self, row: int) -> int:
        """The index of a row's word among the words of the corpus."""
        assert self._list is not None
        return int(self._list.rows[row])

    def row_of(self, word: int) -> int | None:
        """The row of a word, None if it is not shown."""
        if self._list is None:
            return None
        found = np.flatnonzero(self._list.rows == word)
        return int(found[0]) if len(found) else None

    # -- cutting ----------------------------------------------------------------------------

    def cut_rows(self, first: int, last: int) -> list[WordRow]:
        """The rows from `first` to before `last`, cut."""
        words = [self.word_at(row) for row in range(first, last)]
        missing = sorted(word for word in words if word not in self._rows)
        if missing:
            if len(self._rows) + len(missing) > _KEPT_ROWS:
                self._rows.clear()
                missing = sorted(words)
            self._cut(missing)
        return [self._rows[word] for word in words]

    def cut_row(self, row: int) -> WordRow:
        """One row, cut."""
        return self.cut_rows(row, row + 1)[0]

    def _cut(self, words: list[int]) -> None:
        assert self._list is not None
        corpus, position = self._list.corpus, self._list.position
        short = [word for word in words if corpus.symbols_in(word) <= _MOST_SYMBOLS]
        if short:
            cut = corpus.segmented(position, np.array(short, np.int64))
            for place, word in enumerate(short):
                self._keep(word, cut.tokens(place).tolist(), whole=True)
        for word in words:
            if corpus.symbols_in(word) > _MOST_SYMBOLS:
                tokens = corpus.beginning(position, word, _MOST_SYMBOLS).tolist()
                self._keep(word, tokens, whole=False)

    def _keep(self, word: int, tokens: list[int], *, whole: bool) -> None:
        assert self._list is not None
        words = self._list.corpus.words
        # One byte more than is shown tells that there is more.
        start, end = (int(place) for place in words.starts[word : word + 2])
        content = words.text[start : min(end, start + _MOST_BYTES + 1)].tobytes()
        self._rows[word] = WordRow(
            word,
            word_text(content),
            words.count(word),
            tuple(tokens),
            merging(tokens, self._pair),
            whole,
        )

    # -- for the view -------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Number of words shown."""
        return 0 if parent.isValid() or self._list is None else len(self._list.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Word, count, tokens."""
        return 0 if parent.isValid() else len(WordColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The names of the columns."""
        inside = orientation == Qt.Orientation.Horizontal and 0 <= section < len(_HEADERS)
        return _HEADERS[section] if inside and role == _DISPLAY else None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """One cell as text; the tokens have spaces between them."""
        if not index.isValid() or role not in (_DISPLAY, _SPOKEN, _ALIGNMENT):
            return None
        column = index.column()
        if role == _ALIGNMENT:
            return _RIGHT if column == WordColumn.COUNT else None
        row = self.cut_row(index.row())
        if column == WordColumn.WORD:
            return self.spoken(row) if role == _SPOKEN else row.text
        if column == WordColumn.COUNT:
            return f"{row.count:,}"
        return self.tokens_text(row)

    def token_text(self, token: int) -> str:
        """A token as it is shown."""
        assert self._list is not None
        return word_text(self._list.corpus.history.token_bytes(token))

    def described(self, token: int) -> str:
        """What a token is and where it comes from, in one line."""
        assert self._list is not None
        history = self._list.corpus.history
        text = f"“{self.token_text(token)}”, token {token:,}"
        parents, step = history.parents(token), history.step(token)
        if parents is None or step >= self._list.position:
            return f"{text}: there from the start"
        left, right = map(self.token_text, parents)
        return f"{text}: merge {step + 1:,} made it of “{left}” and “{right}”"

    def tokens_text(self, row: WordRow) -> str:
        """The tokens of a word with spaces between them."""
        return " ".join([*map(self.token_text, row.tokens), *([] if row.whole else ["…"])])

    def spoken(self, row: WordRow) -> str:
        """A row for a screen reader."""
        names = [self.token_text(token) for token in row.tokens[:_MOST_SPOKEN]]
        if len(row.tokens) > _MOST_SPOKEN or not row.whole:
            names.append("and so on")
        times = "once" if row.count == 1 else f"{row.count:,} times"
        text = f"{row.text}, {times}: {', '.join(names)}."
        if row.merging and self._pair is not None:
            left, right = map(self.token_text, self._pair)
            text += f" {left} and {right} are about to merge."
        return text


def merging(tokens: Sequence[int], pair: tuple[int, int] | None) -> tuple[int, ...]:
    """Where a pair is merged in a word, from left to right: the places of its left tokens.

    >>> merging([7, 7, 7, 1], (7, 7))
    (0,)
    """
    if pair is None:
        return ()
    left, right = pair
    found: list[int] = []
    for place in range(len(tokens) - 1):
        taken = bool(found) and found[-1] == place - 1
        if tokens[place] == left and tokens[place + 1] == right and not taken:
            found.append(place)
    return tuple(found)


def word_text(content: bytes) -> str:
    """A word or a token as it is shown, cut if nobody would read to its end."""
    if len(content) <= _MOST_BYTES:
        return visible(content)
    return visible(content[:_MOST_BYTES]) + "…"

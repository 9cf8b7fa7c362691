"""What the built-in story costs in each language, as a table: languages by encodings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.metrics import ratio
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.ui.compare.lossy import LOSSY
from bpe_gui.ui.compare.sorted_numbers import SORT_ROLE
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import DARK, Theme

_Index = QModelIndex | QPersistentModelIndex

_SHADES = 24
STRONGEST_SHADE = 0.4
"""How much of the accent the strongest shade has; more would make the numbers hard to read."""
_LANGUAGE = 0
_HATCHING = 0.3
"""How much of the muted colour the hatching of lossy cells has."""


@dataclass(frozen=True, slots=True)
class LanguageColumn:
    """A lane: its key, its name, and how many tokens each language takes, by code.

    lossy: the languages, by code, whose text decoding does not give back.
    """

    key: int
    name: str
    counts: Mapping[str, int]
    lossy: frozenset[str] = field(default=frozenset())


class LanguageModel(QAbstractTableModel):
    """Tokens of each language under each encoding, or how often as many as another's.

    The more a language pays, the more of the accent its cell has: on one scale for all cells,
    so that encodings can be compared too. To lose text is no way of paying little: lossy cells
    are hatched instead, have a mark, and are no part of the scale.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[LanguageColumn, ...] = ()
        self.reference: str | None = None
        self.codes = tuple(languages())
        self._shades: list[QBrush] = []
        self._hatched = QBrush()
        self._least, self._most = 0.0, 0.0
        self.set_theme(DARK)

    def set_columns(self, columns: Sequence[LanguageColumn]) -> None:
        """Show other lanes, or other counts of the same ones."""
        columns = tuple(columns)
        if columns == self.columns:
            return
        same = [(c.key, c.name) for c in columns] == [(c.key, c.name) for c in self.columns]
        if not same:
            self.beginResetModel()
        self.columns = columns
        self._measure()
        if same:
            self._tell()
        else:
            self.endResetModel()

    def set_reference(self, code: str | None) -> None:
        """Show parity against a language; None shows the tokens themselves."""
        if code != self.reference:
            self.reference = code
            self._measure()
            self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        accent, panel = QColor(theme.accent), QColor(theme.panel)
        self._shades = [
            QBrush(mixed(accent, panel, STRONGEST_SHADE * shade / (_SHADES - 1)))
            for shade in range(_SHADES)
        ]
        muted = mixed(QColor(theme.muted), panel, _HATCHING)
        self._hatched = QBrush(muted, Qt.BrushStyle.BDiagPattern)
        self._tell()

    def _tell(self) -> None:
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def _measure(self) -> None:
        """Between which numbers the shades lie."""
        numbers = [
            number
            for code in self.codes
            for column in self.columns
            if (number := self.number(code, column)) and not self.is_lossy(code, column)
        ]
        self._least, self._most = min(numbers, default=0.0), max(numbers, default=0.0)

    def number(self, code: str, column: LanguageColumn) -> float | None:
        """Tokens, or parity; None where the reference has no token."""
        count = column.counts.get(code)
        if count is None or self.reference is None:
            return count
        return ratio(count, column.counts.get(self.reference, 0))

    def is_lossy(self, code: str, column: LanguageColumn) -> bool:
        """Whether a number is of a text that does not come back, or is held against such."""
        return code in column.lossy or self.reference in column.lossy

    @property
    def is_any_lossy(self) -> bool:
        """Whether any number has a mark."""
        return any(column.lossy for column in self.columns)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One row a language."""
        return 0 if parent.isValid() else len(self.codes)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """The language, and the lanes."""
        return 0 if parent.isValid() else len(self.columns) + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The names of the lanes, in tooltips with the tokens of all languages together."""
        if orientation is Qt.Orientation.Vertical or section > len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles()[section]
        if role == Qt.ItemDataRole.ToolTipRole and section != _LANGUAGE:
            column = self.columns[section - 1]
            told = f"{column.name}: {sum(column.counts.values()):,} tokens in all languages"
            return f"{told}; lossy in {_languages(len(column.lossy))}" if column.lossy else told
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows, is sorted by, or is said of it."""
        if not index.isValid():
            return None
        code, place = self.codes[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(place)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells(code)[place]
        if place == _LANGUAGE:
            if role == Qt.ItemDataRole.ToolTipRole:
                return languages()[code].own_name
            return float(index.row()) if role == SORT_ROLE else None
        column = self.columns[place - 1]
        number = self.number(code, column)
        if role == SORT_ROLE:
            return None if number is None else float(number)
        if role == Qt.ItemDataRole.BackgroundRole:
            lossy = self.is_lossy(code, column) and number is not None
            return self._hatched if lossy else self._shade(number)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._told(code, column)
        return None

    def titles(self) -> list[str]:
        """The headings of all columns."""
        return ["language", *(column.name for column in self.columns)]

    def _cells(self, code: str) -> list[str]:
        written = [self._written(code, column) for column in self.columns]
        return [languages()[code].name, *written]

    def _written(self, code: str, column: LanguageColumn) -> str:
        number = self.number(code, column)
        if number is None:
            return MISSING
        written = f"{number:,}" if self.reference is None else f"{number:.2f} ×"
        # Before the number, so that all digits stand below each other.
        return f"{LOSSY} {written}" if self.is_lossy(code, column) else written

    def _told(self, code: str, column: LanguageColumn) -> str:
        count = column.counts.get(code)
        name = languages()[code].name
        if count is None:
            return f"{column.name} cannot cut this text"
        tokens = "1 token" if count == 1 else f"{count:,} tokens"
        text = f"{column.name} takes {tokens} for the story in {name}"
        number = self.number(code, column)
        if self.reference is not None and number is not None:
            other = languages()[self.reference].name
            text = f"{text}, {number:.2f} times as many as in {other}"
        lossy = [one for one in (code, self.reference) if one in column.lossy]
        if lossy:
            names = " and ".join(dict.fromkeys(languages()[one].name for one in lossy))
            text = (
                f"{text}. Lossy: {names} does not come back whole, and what is left out or "
                "unknown takes few tokens"
            )
        return text

    def _shade(self, number: float | None) -> QBrush | None:
        if not number or self._most <= self._least:
            return None
        share = log(number / self._least) / log(self._most / self._least)
        return self._shades[round(share * (_SHADES - 1))]

    def lines(self) -> list[Sequence[object]]:
        """All languages with their numbers unrounded, headings first; then whether the text of
        the language comes back from each lane."""
        heading = [*self.titles(), *(f"{column.name} decodes back" for column in self.columns)]
        rows = [
            [
                languages()[code].name,
                *(self.number(code, column) for column in self.columns),
                *("no" if code in column.lossy else "yes" for column in self.columns),
            ]
            for code in self.codes
        ]
        return [heading, *rows]


def _languages(count: int) -> str:
    return "1 language" if count == 1 else f"{count} languages"


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == _LANGUAGE else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter

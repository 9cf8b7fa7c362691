"""What each language pays under each encoding: the built-in story, language by language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.metrics import ratio
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.progress import counted
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.headings import NameHeader
from bpe_gui.ui.compare.tables import SORT_ROLE, Index, NumbersModel, NumbersTable
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import Note

_SHADES = 24
STRONGEST_SHADE = 0.4
"""How much of the accent the strongest shade has; more would make the numbers hard to read."""
_LANGUAGE = 0
_HATCHING = 0.3
"""How much of the muted colour the hatching of lossy cells has."""
_NARROWEST, _WIDEST = 62, 180
_CELL_PADDING = 26
_LEAST_LETTERS = 7


@dataclass(frozen=True, slots=True)
class LanguageColumn:
    """A lane: its key, its name, and how many tokens each language takes, by code.

    lossy: the languages, by code, whose text decoding does not give back.
    """

    key: int
    name: str
    counts: Mapping[str, int]
    lossy: frozenset[str] = field(default=frozenset())


class LanguageModel(NumbersModel):
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

    def set_columns(self, columns: Sequence[LanguageColumn]) -> None:
        """Show other lanes, or other counts of the same ones."""
        columns = tuple(columns)
        if columns == self.columns:
            return
        same = [(c.key, c.name) for c in columns] == [(c.key, c.name) for c in self.columns]
        with self.changes(same=same):
            self.columns = columns
            self._measure()

    def set_reference(self, code: str | None) -> None:
        """Show parity against a language; None shows the tokens themselves."""
        if code != self.reference:
            with self.changes(same=True):
                self.reference = code
                self._measure()

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        accent, panel = QColor(theme.accent), QColor(theme.panel)
        self._shades = [
            QBrush(mixed(accent, panel, STRONGEST_SHADE * shade / (_SHADES - 1)))
            for shade in range(_SHADES)
        ]
        muted = mixed(QColor(theme.muted), panel, _HATCHING)
        with self.changes(same=True):
            self._hatched = QBrush(muted, Qt.BrushStyle.BDiagPattern)

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

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.codes)

    def heading(self, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles()[column]
        if role == Qt.ItemDataRole.ToolTipRole and column != _LANGUAGE:
            lane = self.columns[column - 1]
            told = f"{lane.name}: {sum(lane.counts.values()):,} tokens in all languages"
            lossy = counted(len(lane.lossy), "language")
            return f"{told}; lossy in {lossy}" if lane.lossy else told
        return None

    def cell(self, row: int, column: int, role: int) -> Any:
        code = self.codes[row]
        if column == _LANGUAGE:
            if role == SORT_ROLE:
                return float(row)
            if role == Qt.ItemDataRole.DisplayRole:
                return languages()[code].name
            return languages()[code].own_name if role == Qt.ItemDataRole.ToolTipRole else None
        lane = self.columns[column - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._written(code, lane)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._told(code, lane)
        number = self.number(code, lane)
        if number is None:
            return None
        if role == SORT_ROLE:
            return float(number)
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._hatched if self.is_lossy(code, lane) else self._shade(number)
        return None

    def titles(self) -> list[str]:
        return ["language", *(column.name for column in self.columns)]

    def _written(self, code: str, column: LanguageColumn) -> str:
        number = self.number(code, column)
        if number is None:
            return MISSING
        written = f"{number:,}" if self.reference is None else f"{number:.2f} ×"
        # Before the number, so that all digits stand below each other.
        return f"{wording.LOSSY} {written}" if self.is_lossy(code, column) else written

    def _told(self, code: str, column: LanguageColumn) -> str:
        count = column.counts.get(code)
        name = languages()[code].name
        if count is None:
            return f"{column.name} cannot cut this text"
        tokens = counted(count, "token")
        text = f"{column.name} takes {tokens} for the story in {name}"
        number = self.number(code, column)
        if self.reference is not None and number is not None:
            other = languages()[self.reference].name
            text = f"{text}, {number:.2f} times as many as in {other}"
        lossy = [one for one in (code, self.reference) if one in column.lossy]
        if lossy:
            names = " and ".join(dict.fromkeys(languages()[one].name for one in lossy))
            text = (
                f"{text}. Lossy: {names} does not round-trip, and what is left out or "
                "unknown takes few tokens"
            )
        return text

    def _shade(self, number: float) -> QBrush | None:
        if not number or self._most <= self._least:
            return None
        share = log(number / self._least) / log(self._most / self._least)
        return self._shades[round(share * (_SHADES - 1))]

    def lines(self) -> list[Sequence[object]]:
        """All languages with their numbers unrounded, headings first; then whether the text of
        the language comes back from each lane."""
        heading = [*self.titles(), *(f"{column.name} lossless" for column in self.columns)]
        rows = [
            [
                languages()[code].name,
                *(self.number(code, column) for column in self.columns),
                *("no" if code in column.lossy else "yes" for column in self.columns),
            ]
            for code in self.codes
        ]
        return [heading, *rows]


class _Shaded(QStyledItemDelegate):
    """Draws the background of a cell itself, for a style sheet leaves it out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if shade is not None:
            painter.fillRect(option.rect, shade)  # type: ignore[attr-defined]
        super().paint(painter, option, index)


class LanguageBars(QWidget):
    """A table with a shade of colour in each cell: twenty languages, a column for each lane.

    It says something only about the built-in story; for any other text it offers that one.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("languageBars")
        self.model = LanguageModel(self)
        self.header = NameHeader(self, _NARROWEST, _WIDEST)
        self.table = NumbersTable(self.model, "Languages", "languages.csv", self.header)
        ThemeFollower(self.table, self.model.take_colours)
        self.controls = QWidget(self)
        """What is chosen and done here; it stands elsewhere, where no table needs the room."""
        self.what = ComboBox()
        self.reference = ComboBox()
        self.story_button = QPushButton("Compare on the story")
        self._lossy = Note("languagesLossy")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._offer())
        self._pages.addWidget(self._numbers())
        self.table.setObjectName("languageTable")
        self.table.setAccessibleName("What the story takes in each language")
        self.table.setItemDelegate(_Shaded(self.table))
        RoomFollower(self, self._fit_columns)
        self.what.currentIndexChanged.connect(self._choose)
        self.reference.currentIndexChanged.connect(self._choose)
        self._choose()

    def set_columns(self, columns: Sequence[LanguageColumn] | None) -> None:
        """Show the counts of the story; None if the text that is compared is another one."""
        self._pages.setCurrentIndex(0 if columns is None else 1)
        self.controls.setEnabled(columns is not None)
        before = self.model.titles()
        self.model.set_columns(columns or ())
        self._lossy.say(wording.TOLD if any(column.lossy for column in columns or ()) else "")
        if self.model.titles() != before:
            self._fit_columns()

    def index_of(self, code: str) -> QModelIndex:
        """Where a language stands now, as the table is sorted. ValueError for an unknown code."""
        return self.table.row_of(self.model.codes.index(code))

    def _offer(self) -> QWidget:
        page = QWidget()
        message = QLabel(wording.ANOTHER_TEXT)
        message.setProperty("quiet", True)
        message.setWordWrap(True)
        message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.story_button.setObjectName("compareOnStory")
        layout = QVBoxLayout(page)
        layout.addStretch(1)
        layout.addWidget(message)
        layout.addWidget(self.story_button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
        return page

    def _numbers(self) -> QWidget:
        self.what.addItems([wording.RELATIVE, wording.TOKENS])
        for code, language in languages().items():
            self.reference.addItem(language.name, code)
        for box, name, meaning in (
            (self.what, "languageNumber", "Tokens, or times the tokens of another language"),
            (self.reference, "parityReference", "The language that others are compared with"),
        ):
            box.setObjectName(name)
            box.setAccessibleName(meaning)
            box.setToolTip(meaning)
            # Asked for by the longest of its names, but content with less.
            box.setMinimumContentsLength(_LEAST_LETTERS)
            box.setSizeAdjustPolicy(
                ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.controls.hide()
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.what)
        row.addWidget(self.reference)
        for text, action in (("Copy", self.table.copy), ("Export…", self.table.export)):
            button = QPushButton(text)
            button.setObjectName(action.objectName().replace("Action", "Button"))
            button.setToolTip(action.toolTip())
            button.clicked.connect(action.trigger)
            row.addWidget(button)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._lossy)
        return page

    def _fit_columns(self) -> None:
        """Room for the languages, and the rest for the lanes, all alike."""
        names = [language.name for language in languages().values()]
        widest = max(map(self.fontMetrics().horizontalAdvance, names))
        bar = self.table.verticalScrollBar().sizeHint().width()
        self.header.fit(widest + _CELL_PADDING, self.width() - bar - 2, self.height())

    @Slot()
    def _choose(self) -> None:
        parity = self.what.currentText() == wording.RELATIVE
        self.reference.setEnabled(parity)
        self.model.set_reference(self.reference.currentData() if parity else None)

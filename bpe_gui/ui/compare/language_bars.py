"""What each language pays under each encoding: the built-in story, language by language."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

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
    QWidget,
)

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.metrics import ratio
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.progress import counted
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import CutLane
from bpe_gui.ui.compare.headings import NameHeader
from bpe_gui.ui.compare.tables import Cell, Index, NumbersModel, NumbersTable
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.box_layouts import STYLED, column, filled, row
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import Note
from bpe_gui.ui.widgets.naming import centred, named

_SHADES = 24
STRONGEST_SHADE = 0.4
"""How much of the accent the strongest shade has; more would make the numbers hard to read."""
_HATCHING = 0.3
"""How much of the muted colour the hatching of lossy cells has."""
_NARROWEST, _WIDEST = 62, 180
_CELL_PADDING = 26
_LEAST_LETTERS = 7


class LanguageModel(NumbersModel):
    """The tokens of each language under each encoding, or relative to those of one language.

    A cell has more of the accent the more tokens a language needs: on one scale for all cells,
    so that encodings can be compared too. Lossy cells are hatched and marked instead, and do not
    count for the scale: losing text takes few tokens.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[CutLane, ...] = ()
        self.reference: str | None = None
        self.codes = tuple(languages())
        self._shades = [QBrush()] * _SHADES
        self._hatched = QBrush()
        self._least, self._most = 0.0, 0.0
        self._update(same=False)

    def set_columns(self, columns: Sequence[CutLane]) -> None:
        """Show other lanes, or other counts of the same ones."""
        before, self.columns = self.columns, tuple(columns)
        if self.columns != before:
            self._update(same=_names(self.columns) == _names(before))

    def set_reference(self, code: str | None) -> None:
        """Show parity against a language; None shows the tokens themselves."""
        if code != self.reference:
            self.reference = code
            self._update()

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        accent, panel = QColor(theme.accent), QColor(theme.panel)
        self._shades = [
            QBrush(mixed(accent, panel, STRONGEST_SHADE * shade / (_SHADES - 1)))
            for shade in range(_SHADES)
        ]
        muted = mixed(QColor(theme.muted), panel, _HATCHING)
        self._hatched = QBrush(muted, Qt.BrushStyle.BDiagPattern)
        self._update()

    def _update(self, *, same: bool = True) -> None:
        numbers = [
            number
            for code in self.codes
            for column in self.columns
            if (number := self.number(code, column)) and not self.is_lossy(code, column)
        ]
        self._least, self._most = min(numbers, default=0.0), max(numbers, default=0.0)
        headings = [Cell("language"), *map(_heading, self.columns)]
        rows = []
        for place, code in enumerate(self.codes):
            language = languages()[code]
            name = Cell(language.name, float(place), language.own_name)
            rows.append([name, *(self._cell(code, column) for column in self.columns)])
        self.show(headings, rows, same=same)

    def _cell(self, code: str, column: CutLane) -> Cell:
        number, tooltip = self.number(code, column), self._told(code, column)
        if number is None:
            return Cell(MISSING, tooltip=tooltip)
        written = f"{number:,}" if self.reference is None else f"{number:.2f} ×"
        if self.is_lossy(code, column):
            # Before the number, so that the digits of all rows are aligned.
            return Cell(f"{wording.LOSSY} {written}", float(number), tooltip, self._hatched)
        return Cell(written, float(number), tooltip, self._shade(number))

    def number(self, code: str, column: CutLane) -> float | None:
        """Return tokens, or parity; None where the reference has no token."""
        count = column.languages.get(code)
        if count is None or self.reference is None:
            return count
        return ratio(count, column.languages.get(self.reference, 0))

    def is_lossy(self, code: str, column: CutLane) -> bool:
        """Whether the text of a number, or that of the reference, does not round-trip."""
        return not column.lossy_languages.isdisjoint((code, self.reference))

    def titles(self) -> list[str]:
        return ["language", *(name for _, name in _names(self.columns))]

    def _told(self, code: str, column: CutLane) -> str:
        count, name = column.languages.get(code), column.encoding.name
        if count is None:
            return f"{name} cannot cut this text"
        tokens = counted(count, "token")
        text = f"{name} takes {tokens} for the story in {languages()[code].name}"
        number = self.number(code, column)
        if self.reference is not None and number is not None:
            other = languages()[self.reference].name
            text = f"{text}, {number:.2f} times as many as in {other}"
        lossy = [one for one in (code, self.reference) if one in column.lossy_languages]
        if not lossy:
            return text
        names = " and ".join(dict.fromkeys(languages()[one].name for one in lossy))
        return (
            f"{text}. Lossy: {names} does not round-trip, and what is left out or unknown takes "
            "few tokens"
        )

    def _shade(self, number: float) -> QBrush | None:
        if not number or self._most <= self._least:
            return None
        share = log(number / self._least) / log(self._most / self._least)
        return self._shades[round(share * (_SHADES - 1))]

    def lines(self) -> list[Sequence[object]]:
        """Return headings and languages: the numbers unrounded, and whether they round-trip."""
        names = self.titles()[1:]
        heading = [*self.titles(), *(f"{name} lossless" for name in names)]
        rows = [
            [
                languages()[code].name,
                *(self.number(code, column) for column in self.columns),
                *("no" if code in column.lossy_languages else "yes" for column in self.columns),
            ]
            for code in self.codes
        ]
        return [heading, *rows]


def _heading(column: CutLane) -> Cell:
    name, tokens = column.encoding.name, sum(column.languages.values())
    told = f"{name}: {tokens:,} tokens in all languages"
    if column.lossy_languages:
        told = f"{told}; lossy in {counted(len(column.lossy_languages), 'language')}"
    return Cell(name, tooltip=told)


def _names(columns: Sequence[CutLane]) -> list[tuple[int, str]]:
    return [(column.key, column.encoding.name) for column in columns]


class _Shaded(QStyledItemDelegate):
    """Draws the background of a cell itself, for a style sheet leaves it out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if shade is not None:
            painter.fillRect(option.rect, shade)  # type: ignore[attr-defined]
        super().paint(painter, option, index)


class LanguageBars(QWidget):
    """A table with a shade of colour in each cell: twenty languages, a column for each lane.

    It is about the built-in story, and offers it where another text is compared.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("languageBars")
        self.model = LanguageModel(self)
        self.header = NameHeader(self, _NARROWEST, _WIDEST)
        self.table = NumbersTable(self.model, "Languages", "languages.csv", self.header)
        ThemeFollower(self.table, self.model.take_colours)
        self.controls = QWidget(self)
        """The boxes and buttons, which are shown beside the tabs."""
        meaning = "Tokens, or times the tokens of another language"
        self.what = named(ComboBox(), "languageNumber", meaning, meaning)
        meaning = "The language that others are compared with"
        self.reference = named(ComboBox(), "parityReference", meaning, meaning)
        self.story_button = named(QPushButton("Compare on the story"), "compareOnStory")
        self._lossy = Note("languagesLossy")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._offer())
        self._pages.addWidget(self._numbers())
        named(self.table, "languageTable", "What the story takes in each language")
        self.table.setItemDelegate(_Shaded(self.table))
        RoomFollower(self, self._fit_columns)
        self.what.currentIndexChanged.connect(self._choose)
        self.reference.currentIndexChanged.connect(self._choose)
        self._choose()

    def set_columns(self, columns: Sequence[CutLane] | None) -> None:
        """Show the counts of the story; None if another text is compared."""
        self._pages.setCurrentIndex(0 if columns is None else 1)
        self.controls.setEnabled(columns is not None)
        before = self.model.titles()
        self.model.set_columns(columns or ())
        lossy = any(column.lossy_languages for column in columns or ())
        self._lossy.say(wording.TOLD if lossy else "")
        if self.model.titles() != before:
            self._fit_columns()

    def index_of(self, code: str) -> QModelIndex:
        """Find the row of a language, as the table is sorted. ValueError for an unknown code."""
        return self.table.row_of(self.model.codes.index(code))

    def _offer(self) -> QWidget:
        message, button = centred(QLabel(wording.ANOTHER_TEXT)), row(None, self.story_button, None)
        return column(None, message, button, None, spacing=STYLED)

    def _numbers(self) -> QWidget:
        self.what.addItems([wording.RELATIVE, wording.TOKENS])
        for code, language in languages().items():
            self.reference.addItem(language.name, code)
        for box in (self.what, self.reference):
            # As wide as its longest name, or narrower in a narrow window.
            box.setMinimumContentsLength(_LEAST_LETTERS)
            box.setSizeAdjustPolicy(
                ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.controls.hide()
        controls = filled(QHBoxLayout(self.controls), self.what, self.reference, spacing=4)
        for text, action in (("Copy", self.table.copy), ("Export…", self.table.export)):
            button = QPushButton(text)
            button.setObjectName(action.objectName().replace("Action", "Button"))
            button.setToolTip(action.toolTip())
            button.clicked.connect(action.trigger)
            controls.addWidget(button)
        return column(self.table, self._lossy, stretched=self.table, spacing=2)

    def _fit_columns(self) -> None:
        """Give the languages the width they need, and the lanes equal parts of the rest."""
        names = [language.name for language in languages().values()]
        widest = max(map(self.fontMetrics().horizontalAdvance, names))
        bar = self.table.verticalScrollBar().sizeHint().width()
        self.header.fit(widest + _CELL_PADDING, self.width() - bar - 2, self.height())

    @Slot()
    def _choose(self) -> None:
        parity = self.what.currentText() == wording.RELATIVE
        self.reference.setEnabled(parity)
        self.model.set_reference(self.reference.currentData() if parity else None)

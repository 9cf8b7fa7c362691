"""The table of texts: a number of each text under each encoding, shaded by its cost."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from bpe_gui.analysis.grouped_counts import LEVEL, RESAMPLINGS
from bpe_gui.encodings.chat import NO_TEMPLATE
from bpe_gui.encodings.measuring.several_texts import story
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.progress import counted
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import CutLane
from bpe_gui.ui.compare.tables import SORT_ROLE, Cell, NumbersModel, NumbersTable
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.tables import AnyIndex

_SHADES = 24
STRONGEST_SHADE = 0.4
"""How much of the accent the strongest shade has; more would make the numbers hard to read."""
_HATCHING = 0.3
"""How much of the muted colour the hatching of lossy cells has."""

_RATIOS = (TextMeasure.PARITY, TextMeasure.RELATIVE)


class TextsModel(NumbersModel):
    """A number of each text under each encoding.

    A cell has more of the accent the more tokens a text needs: on one scale for all cells, so that
    encodings can be compared too. Lossy cells are hatched and marked instead, and do not count for
    the scale: losing text takes few tokens.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[CutLane, ...] = ()
        """The lanes, if the texts are the languages of the story."""
        self.numbers = TextNumbers(story(), (), ())
        self.measure = TextMeasure.PARITY
        self.intervals = False
        self._price: float | None = None
        """What a million tokens cost."""
        self._priced = False
        """Whether the price of the texts is shown, not their tokens."""
        self._reference = 0
        self._baseline = ""
        self._shades = [QBrush()] * _SHADES
        self._hatched = QBrush()
        self._shown: Collection[int] = ()
        """The rows in the table: not those that are compared with no other, unless none is, and
        not those that no encoding has numbers of."""
        self._update(same=False)

    @property
    def codes(self) -> tuple[str, ...]:
        """The texts in the order of the rows: languages by their codes, others by name."""
        return tuple(languages()) if self.is_story else tuple(self.numbers.texts.names)

    @property
    def is_story(self) -> bool:
        """Whether the texts are the languages of the story."""
        return self.numbers.texts is story()

    @property
    def reference(self) -> str | None:
        """The text that others are compared with; None for other numbers."""
        chosen = self.measure.of_original
        return self.codes[self.numbers.reference] if chosen and self.codes else None

    @property
    def lacks_templates(self) -> bool:
        """Whether the texts are a conversation, and no encoding has a chat template."""
        counts = self.numbers.counts[1::2] if self.numbers.texts.conversation else ()
        return {one.problem for row in counts for one in row} == {NO_TEMPLATE}

    def set_columns(self, columns: Sequence[CutLane]) -> None:
        """Show the story under other lanes, or other counts of the same ones."""
        if tuple(columns) == self.columns and self.is_story:
            return
        there = [lane for lane in columns if lane.story]
        same = _names(self.columns) == _names(columns) and self.is_story
        self.columns = tuple(columns)
        counts = zip(*(lane.story for lane in there), strict=True)
        names = tuple(lane.encoding.name for lane in there)
        self._show(TextNumbers(story(), names, tuple(counts)), same=same)

    def set_numbers(self, numbers: TextNumbers) -> None:
        """Show the numbers of other texts."""
        self.columns = ()
        before = self.numbers
        same = (before.texts, before.encodings) == (numbers.texts, numbers.encodings)
        self._show(numbers, same=same)

    def _show(self, numbers: TextNumbers, *, same: bool) -> None:
        reference = self._reference if self._reference < len(numbers.texts.texts) else 0
        names = numbers.encodings
        baseline = names.index(self._baseline) if self._baseline in names else 0
        self.numbers = numbers.compared_with(reference, baseline)
        self._update(same=same)

    def choose(
        self,
        measure: TextMeasure,
        reference: int,
        baseline: str = "",
        *,
        intervals: bool,
        priced: bool = False,
    ) -> None:
        """Show another number: relative to a text, by its row, or to an encoding, by its name.

        priced: whether to show what a million texts cost instead of their tokens.
        """
        chosen = measure, max(0, reference), baseline, intervals, priced
        before = self.measure, self._reference, self._baseline, self.intervals, self._priced
        if chosen == before:
            return
        self.measure, self._reference, self._baseline, self.intervals, self._priced = chosen
        self._show(self.numbers, same=True)

    def set_price(self, price: float | None) -> None:
        """Set what a million tokens cost."""
        if price != self._price:
            self._price = price
            self._update()

    def take_colours(self, theme: Theme) -> None:
        accent, panel = QColor(theme.accent), QColor(theme.panel)
        self._shades = [
            QBrush(mixed(accent, panel, STRONGEST_SHADE * shade / (_SHADES - 1)))
            for shade in range(_SHADES)
        ]
        muted = mixed(QColor(theme.muted), panel, _HATCHING)
        self._hatched = QBrush(muted, Qt.BrushStyle.BDiagPattern)
        self._update()

    def _update(self, *, same: bool = True) -> None:
        self._shown = range(len(self.numbers.counts))
        if self.measure.of_original:
            original = self.numbers.original
            self._shown = {at for at in self._shown if original(at) is not None} or self._shown
        counts = self.numbers.counts
        self._shown = {at for at in self._shown if any(not one.problem for one in counts[at])}
        places = range(len(self.numbers.encodings))
        headings = [Cell(self.titles()[0]), *map(self._heading, places)]
        rows = []
        for place, text in enumerate(self.numbers.texts.texts if self.numbers.encodings else ()):
            told = text.meaning
            if self.is_story:
                told = languages()[self.codes[place]].own_name
            name = Cell(text.name, float(place), told or text.resampled)
            rows.append([name, *(self._cell(place, column) for column in places)])
        self.show(headings, rows, same=same)

    def _cell(self, place: int, column: int) -> Cell:
        value = self._value(place, column)
        tooltip = self._told(place, column)
        if value is None:
            problem = self.numbers.counts[place][column].problem
            return Cell(self.measure.written(None), tooltip=problem or tooltip)
        written = f"{self.measure.written(value)}{' ×' if self.measure in _RATIOS else ''}"
        if self._priced:
            written = f"{value:,.2f}"
        if self.intervals and (interval := self.interval(place, column)):
            written = f"{written} ({interval})"
        if self.numbers.is_lossy(self.measure, place, column):
            # Before the number, so that the digits of all rows are aligned.
            return Cell(f"{wording.LOSSY} {written}", value, tooltip, self._hatched)
        return Cell(written, value, tooltip, self._shade(place, column))

    def _value(self, place: int, column: int) -> float | None:
        """Return the number that is shown, unrounded."""
        value = self.numbers.value(self.measure, place, column)
        return value if value is None or not self._priced else value * (self._price or 0)

    def is_shown(self, row: int) -> bool:
        return row in self._shown

    def interval(self, place: int, column: int) -> str:
        """Write the interval of a number; empty if it has none."""
        found = self.numbers.estimate(self.measure, place, column)
        return "" if found is None else self.measure.interval(found)

    def titles(self) -> list[str]:
        return ["language" if self.is_story else "text", *self.numbers.encodings]

    def _named(self, place: int) -> str:
        name = self.numbers.texts.names[place]
        return f"the story in {name}" if self.is_story else name

    def _tokens(self, place: int, column: int) -> int:
        return int(self.numbers.value(TextMeasure.TOKENS, place, column) or 0)

    def _told(self, place: int, column: int) -> str:
        name, measure = self.numbers.encodings[column], self.measure
        tokens = counted(self._tokens(place, column), "token")
        text = f"{name} takes {tokens} for {self._named(place)}"
        value = self.numbers.value(measure, place, column)
        original = self.numbers.original(place)
        if measure is TextMeasure.PARITY and value is not None and original is not None:
            than = f"{'in' if self.is_story else 'for'} {self.numbers.texts.names[original]}"
            text = f"{text}, {value:.2f} times as many as {than}"
        elif measure is TextMeasure.ADDED and value is not None and original is not None:
            than = f"than for {self.numbers.texts.names[original]}"
            text = f"{text}, {abs(value):,.0f} {'more' if value >= 0 else 'fewer'} {than}"
            if place == original + 1 == 1 and (talk := self.numbers.texts.conversation):
                text = f"{text}: {value / len(talk.messages):.1f} for each message"
        elif measure is TextMeasure.RELATIVE and value is not None:
            baseline = self.numbers.encodings[self.numbers.baseline]
            text = f"{text}, {value:.2f} times as many as {baseline}"
        elif self._priced and value is not None:
            text = f"{text}: a million such texts cost {self._value(place, column):,.2f}"
            if place <= 1 and (talk := self.numbers.texts.conversation):
                each = value * (self._price or 0) / len(talk.messages)
                text = f"{text}, and a million messages {each:,.2f}"
        elif measure is not TextMeasure.TOKENS and value is not None:
            text = f"{text}: {measure.written(value)} {measure.value}"
        if not self.numbers.is_lossy(measure, place, column):
            return text
        return f"{text}. Lossy: {self._lossy(place, column)}"

    def _lossy(self, place: int, column: int) -> str:
        if self.numbers.counts[place][column].lossy or self.measure is TextMeasure.RELATIVE:
            lossy = [place]
        else:
            lossy = []
        other = self.numbers.original(place) if self.measure.of_original else None
        if other is not None and self.numbers.counts[other][column].lossy:
            lossy.append(other)
        names = " and ".join(dict.fromkeys(self.numbers.texts.names[one] for one in lossy))
        return f"{names} does not round-trip, and what is left out or unknown takes few tokens"

    def _shade(self, place: int, column: int) -> QBrush | None:
        cost = self.numbers.cost(self.measure, place, column)
        return None if not cost else self._shades[round(cost * (_SHADES - 1))]

    def _heading(self, column: int) -> Cell:
        rows = range(len(self.numbers.counts))
        name, tokens = self.numbers.encodings[column], sum(self._tokens(r, column) for r in rows)
        what = "language" if self.is_story else "text"
        told = f"{name}: {tokens:,} tokens in all {what}s"
        if self.numbers.texts.conversation:
            told = name
        if lossy := sum(self.numbers.counts[row][column].lossy for row in rows):
            told = f"{told}; lossy in {counted(lossy, what)}"
        return Cell(name, tooltip=told)

    def lines(self) -> list[Sequence[object]]:
        """Return headings and texts: the numbers unrounded, and whether they round-trip.

        With intervals, two columns for each encoding have their ends.
        """
        names, places = self.titles()[1:], range(len(self.numbers.encodings))
        ends = [f"{name} {end}" for name in names for end in ("low", "high")]
        heading = [*self.titles(), *(f"{name} lossless" for name in names)]
        found: list[Sequence[object]] = [[*heading, *ends] if self.intervals else heading]
        for place, text in enumerate(self.numbers.texts.texts):
            line: list[object] = [text.name]
            line += [self._value(place, column) for column in places]
            line += [self.numbers.lossless(place, column) for column in places]
            for at in places if self.intervals else ():
                got = self.numbers.estimate(self.measure, place, at)
                line += [None, None] if got is None else [got.low, got.high]
            found.append(line)
        return found


def _names(columns: Sequence[CutLane]) -> list[tuple[int, str]]:
    return [(column.key, column.encoding.name) for column in columns if column.story]


class ShadedCells(QStyledItemDelegate):
    """Draws the background of a cell itself, for a style sheet leaves it out.

    The interval of a number takes a while, so it is computed when its tooltip is asked for.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if shade is not None:
            painter.fillRect(option.rect, shade)  # type: ignore[attr-defined]
        super().paint(painter, option, index)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(view, NumbersTable):
            return super().helpEvent(event, view, option, index)
        source, model = view.sorted.mapToSource(index), view.sorted.sourceModel()
        assert isinstance(model, TextsModel)
        told = index.data(Qt.ItemDataRole.ToolTipRole) or ""
        if source.column() > 0 and index.data(SORT_ROLE) is not None:
            interval = model.interval(source.row(), source.column() - 1)
            drawn = model.numbers.texts.texts[source.row()].resampled
            if interval:
                told = (
                    f"{told}. {LEVEL:.0%} of {RESAMPLINGS:,} results are {interval} when its "
                    f"{drawn} are drawn anew"
                )
        QToolTip.showText(event.globalPos(), told, view)
        return True

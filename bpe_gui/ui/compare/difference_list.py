"""The list of differences: grouped by kind, with their causes, filtered by cause, sorted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.visible import isolated, visible_quote
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.differences.alignment import Cut
from bpe_gui.encodings.differences.causes import BY_WEIGHT
from bpe_gui.encodings.differences.kinds import KindList, list_kinds
from bpe_gui.progress import counted, in_some, more_and_fewer, signed
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import CutResult
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.labels import Note
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.names import NameElider
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, AnyIndex, Heading, RowsModel, RowTable

_REPORT_EVERY = 0.2
"""Seconds between two reports of causes, at the least."""
_MOST_TOKENS = 12
_ROW_PADDING = 5
_CAUSES_AT_MOST, _WITH_LANES_AT_MOST, _LEAST_TOKENS = 0.25, 0.43, 60
"""The greatest parts of the width that causes take, alone and with the names of lanes, and the
least width of a column of tokens in pixels."""
_LETTERS = 52
"""The width of the box of causes."""
_ALL, _NOT_YET = -2, -1
"""Filters that are no number of a cause."""
TITLES = [kind.title for kind in BY_WEIGHT]


class Column(IntEnum):
    """What the columns hold."""

    CAUSE = 0
    TEXT = 1
    FIRST = 2
    OTHER = 3
    TIMES = 4
    COST = 5
    LANE = 6


_SHARES = {Column.TEXT: 2, Column.FIRST: 3, Column.OTHER: 3}
"""How the columns of tokens share what is left of the width."""
_SPELLED = (Column.CAUSE, Column.TEXT, Column.FIRST, Column.OTHER, Column.LANE)
_TIPS = {
    Column.CAUSE: "The causes where it first occurs; it counts for the first",
    Column.TIMES: "How many differences are alike",
    Column.COST: "How many more tokens they take in all than in the chosen lane",
}


def _headings(lanes: Sequence[str]) -> tuple[Heading, ...]:
    """Return the headings of a list for these lanes."""
    first, other = lanes[0] if lanes else "chosen lane", "other lane"
    if len(lanes) == 2:
        other = lanes[1]
    titles = ("cause", "text", first, other, "times", "tokens", "encoding")
    return tuple(
        Heading(title, _TIPS.get(column, ""), LEFT if column in _SPELLED else RIGHT)
        for title, column in zip(titles, Column, strict=True)
    )


class Causes(Struct, frozen=True, eq=False):
    """What is known of the rows of a `KindList`: the cause that each counts for, -1 if it is not
    known yet, and all causes in words."""

    first: NDArray[np.int64]
    all: tuple[str, ...]


def _list(result: CutResult, reference: int, job: Job) -> None:
    """List the kinds of differences between a lane of a result, given by its key, and all others.

    Reports a KindList, and Causes as often as there are more, those of the most tokens first.
    """
    lanes = sorted(result.aligned, key=lambda lane: lane.key != reference)
    cuts = [lane.cut for lane in lanes if lane.cut is not None]
    found = list_kinds(result.text, cuts, job.check)
    job.report(found)
    _explain(found, _no_causes(len(found.kind)), job)


def _no_causes(rows: int) -> Causes:
    return Causes(np.full(rows, _NOT_YET), ("",) * rows)


def _explain(found: KindList, known: Causes, job: Job) -> None:
    """Report Causes of a list with those that are not known yet, again and again."""
    first, said = known.first.copy(), list(known.all)
    for row in np.flatnonzero(first == _NOT_YET).tolist():
        job.check()
        titles = list(dict.fromkeys(cause.title for cause in found.causes(row)))
        first[row], said[row] = TITLES.index(titles[0]), ", ".join(titles)
        if job.is_due(_REPORT_EVERY):
            job.report(Causes(first.copy(), tuple(said)))
    job.report(Causes(first, tuple(said)))


class KindsModel(RowsModel):
    """The rows of a `KindList` that have a cause, sorted by a column."""

    def __init__(self) -> None:
        super().__init__()
        self.headings = _headings(())
        self.found: KindList | None = None
        self.causes = _no_causes(0)
        self.cancelled = False
        """Whether causes that are not known yet are not looked for."""
        self.rows: NDArray[np.int64] = np.empty(0, np.int64)
        """The places of the rows in the list, as they are shown."""
        self.cause = _ALL
        self._sorted = Column.COST, Qt.SortOrder.DescendingOrder

    def show(self, found: KindList | None) -> None:
        self.found = found
        self.headings = _headings(() if found is None else found.lanes)
        self.causes = _no_causes(0 if found is None else len(found.kind))
        self.cancelled = False
        self._arrange()

    def show_causes(self, causes: Causes) -> None:
        self.causes = causes
        if self.cause != _ALL or self._sorted[0] == Column.CAUSE:
            self._arrange()
        else:
            self._write_causes()

    def set_cancelled(self, cancelled: bool) -> None:
        """Write whether the causes that are not known yet are looked for."""
        self.cancelled = cancelled
        self._write_causes()

    def _write_causes(self) -> None:
        if len(self.rows):
            self.dataChanged.emit(
                self.index(0, Column.CAUSE), self.index(len(self.rows) - 1, Column.CAUSE)
            )

    @property
    def without_cause(self) -> str:
        """What is written for a cause that is not known yet."""
        return wording.NOT_EXPLAINED if self.cancelled else wording.EXPLAINING

    def show_only(self, cause: int) -> None:
        """Show the rows of a cause."""
        self.cause = cause
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = Column(column), order
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        found = self.found
        if found is None:
            self.rows = np.empty(0, np.int64)
        else:
            first = self.causes.first
            rows = (
                np.arange(len(first)) if self.cause == _ALL else np.flatnonzero(first == self.cause)
            )
            column, order = self._sorted
            keys = self._keys(found, column, rows)
            # The rows are in the order of their costs.
            if order == Qt.SortOrder.DescendingOrder:
                keys = -keys
            self.rows = rows[np.argsort(keys, kind="stable")]
        self.endResetModel()

    def _keys(self, found: KindList, column: Column, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return numbers to sort rows by: tokens by how many they are, texts by their bytes."""
        if column == Column.COST:
            return np.abs(found.costs[rows])
        if column == Column.TIMES:
            return found.counts[rows]
        if column == Column.LANE:
            return found.other[rows]
        if column == Column.CAUSE:
            return self.causes.first[rows]
        pairs = list(zip(found.other[rows].tolist(), found.kind[rows].tolist(), strict=True))
        if column != Column.TEXT:
            side = int(column == Column.OTHER)
            return np.array([found.kinds[other].tokens[kind, side] for other, kind in pairs], int)
        texts = [found.kinds[other].text(kind) for other, kind in pairs]
        places = {text: place for place, text in enumerate(sorted(set(texts)))}
        return np.array([places[text] for text in texts], int)

    def count(self) -> int:
        return len(self.rows)

    def tip(self, row: int, column: int) -> str:
        return self.cell(row, column)

    def cell(self, row: int, column: int) -> str:
        found, row = self.found, int(self.rows[row])
        assert found is not None
        of, kind = found.kinds[found.other[row]], int(found.kind[row])
        if column == Column.CAUSE:
            return self.causes.all[row] or self.without_cause
        if column == Column.TIMES:
            return f"{found.counts[row]:,}"
        if column == Column.COST:
            return signed(int(found.costs[row]))
        if column == Column.LANE:
            return found.lanes[1 + found.other[row]]
        if column == Column.TEXT:
            return isolated(visible_quote(of.text(kind)))
        number = int(of.firsts[kind])
        start, end = int(of.alignment.starts[number]), int(of.alignment.ends[number])
        return _tokens(of.alignment.cuts[column == Column.OTHER], start, end)

    @property
    def lanes(self) -> Sequence[str]:
        """The lanes that are compared, the first with all others."""
        return () if self.found is None else self.found.lanes

    def largest(self) -> dict[Column, str]:
        """Write the largest numbers of the columns of numbers."""
        found = self.found
        if found is None or not len(found.counts):
            return {Column.TIMES: "", Column.COST: ""}
        return {
            Column.TIMES: f"{found.counts.max():,}",
            Column.COST: signed(int(np.abs(found.costs).max())),
        }

    def sums(self) -> dict[int, tuple[int, int, int, int, int]]:
        """Sum up, by cause: how many differences, in how many lanes, how many of them have more
        tokens or fewer, how many more those that have more, and how many fewer those that have
        fewer.

        All are under -2.
        """
        found = self.found
        if found is None:
            return {}
        first = self.causes.first
        parts = {_ALL: np.ones(len(first), np.bool_)}
        parts |= {cause: first == cause for cause in np.unique(first).tolist()}
        return {
            cause: (
                int(found.counts[own].sum()), len(np.unique(found.other[own])),
                int(found.counts[own & (found.costs != 0)].sum()),
                int(np.maximum(found.costs[own], 0).sum()),
                int(np.maximum(-found.costs[own], 0).sum()),
            )
            for cause, own in parts.items()
        }  # fmt: skip


def _tokens(cut: Cut, start: int, end: int) -> str:
    """Write the tokens between two borders; unknown ones as the vocabulary has them."""
    places = cut.within(start, end).tolist()
    written = []
    for place in places[:_MOST_TOKENS]:
        token = int(cut.tokens.ids[place])
        if token == NO_TOKEN:
            written.append(wording.NO_TOKEN)
            continue
        data = b"" if cut.unknown[place] else cut.encoding.token_bytes(token)
        written.append(isolated(visible_quote(data) or cut.encoding.id_to_token(token)))
    more = f" … {len(places) - _MOST_TOKENS:,} more" if len(places) > _MOST_TOKENS else ""
    return " | ".join(written) + more


class _Lanes(QStyledItemDelegate):
    """Elides the names of lanes so that they differ."""

    def __init__(self, table: KindsTable, model: KindsModel) -> None:
        super().__init__(table)
        self._model, self._elider = model, NameElider()

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        self._elider.write(option, self._model.lanes)


class KindsTable(RowTable):
    """The list. Enter and a click go to the next place of a row; a click on a heading sorts."""

    wanted = Signal(int)
    """The row whose next place is wanted."""

    def __init__(self, model: KindsModel) -> None:
        self._kinds = model
        super().__init__(model)
        named(self, "differenceList", "The differences, by kind")
        model.setParent(self)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicator(Column.COST, Qt.SortOrder.DescendingOrder)
        header.setStretchLastSection(False)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setItemDelegateForColumn(Column.LANE, _Lanes(self, model))
        self.setSortingEnabled(True)
        self.setWordWrap(False)
        self.clicked.connect(self._on_clicked)
        FontFollower(self, self._fit)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.wanted.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.wanted.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def fit_lanes(self, lanes: int) -> None:
        """Hide the column of lanes if there are only two."""
        self.setColumnHidden(Column.LANE, lanes <= 2)
        self._fit()

    def _fit(self) -> None:
        advance, header = self.fontMetrics().horizontalAdvance, self.horizontalHeader()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
        width, padding = self.viewport().width(), 4 * _ROW_PADDING
        sums = self._kinds.largest()
        widths = {
            column: max(advance(f"{self._kinds.headings[column].text} __"), advance(largest))
            + padding
            for column, largest in sums.items()
        }
        for column, texts, most in (
            (Column.CAUSE, {*TITLES, *self._kinds.causes.all}, _CAUSES_AT_MOST),
            (Column.LANE, self._kinds.lanes, _WITH_LANES_AT_MOST),
        ):
            if not self.isColumnHidden(column):
                named = f"{self._kinds.headings[column].text} __"
                longest = max(map(advance, (*texts, named))) + padding
                widths[column] = min(longest, int(width * most) - widths.get(Column.CAUSE, 0))
        needs = {
            column: advance(f"{self._kinds.headings[column].text} __") + padding
            for column in _SHARES
        }
        widths |= _shared(width - sum(widths.values()), needs)
        for column, wide in widths.items():
            header.resizeSection(column, wide)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)


def _shared(room: int, needs: dict[Column, int]) -> dict[Column, int]:
    """Share out a width to the columns of tokens; each has room for its heading if all can have it.

    >>> widths = _shared(800, {Column.TEXT: 40, Column.FIRST: 400, Column.OTHER: 90})
    >>> [widths[column] for column in (Column.TEXT, Column.FIRST, Column.OTHER)]
    [160, 400, 240]
    """
    if sum(needs.values()) > room:
        needs = dict.fromkeys(_SHARES, _LEAST_TOKENS)
    found, shares = {}, sum(_SHARES.values())
    for column in sorted(_SHARES, key=lambda each: needs[each] / _SHARES[each], reverse=True):
        found[column] = max(room * _SHARES[column] // shares, needs[column])
        room, shares = room - found[column], shares - _SHARES[column]
    return found


class DifferenceList(QWidget):
    """Lists the differences between the chosen lane and the others, while it is in view."""

    placeWanted = Signal(int)
    """The byte of the text where a difference begins that the user wants to see."""

    def __init__(self, current_byte: Callable[[], int]) -> None:
        """`current_byte` tells which byte of the text is in view."""
        super().__init__()
        self._current_byte = current_byte
        self._result: CutResult | None = None
        self._reference = -1
        self._asked: tuple[CutResult, int] | None = None
        self._text: str | None = None
        """The text whose differences are listed."""
        self.model = KindsModel()
        self.table = KindsTable(self.model)
        spoken = "The cause of the differences that are listed"
        self.box = named(ElidingComboBox(), "causeFilter", spoken, f"{spoken}. {wording.SUMS}")
        self.box.setMinimumContentsLength(_LETTERS)
        self.button = named(QToolButton(), "explainButton", "Find causes", wording.CANCEL_CAUSES)
        self.controls = QWidget()
        """What belongs beside the tabs: the filter, and the button to cancel and to resume."""
        self.controls.setSizePolicy(self.box.sizePolicy())
        filled(QHBoxLayout(self.controls), self.box, self.button, stretched=self.box, spacing=4)
        self.note = Note("differenceListNote")
        self.task = BackgroundTask(
            "differences", self, expected=(EncodingError,), failure=wording.NOT_LISTED,
            gives_way=True,
        )  # fmt: skip
        filled(QVBoxLayout(self), self.table, self.note, stretched=self.table)
        self.box.activated.connect(self._on_filter)
        self.button.clicked.connect(self._on_button)
        self.table.wanted.connect(self._on_wanted)
        self._write()

    def set_result(self, result: CutResult, reference: int) -> None:
        """List the differences of another result, or from another lane."""
        self._result, self._reference = result, reference
        self.refresh()

    def refresh(self) -> None:
        """Look for the differences if they are not known, and the list is in view."""
        result, asked = self._result, (self._result, self._reference)
        if result is None or asked == self._asked:
            return
        if not self.isVisible():
            self._forget()
            return
        self._asked = result, self._reference
        if len(result.aligned) < 2 or not len(result.differences):
            self.task.drop()
            self._show(None)
            return
        if result.text != self._text:
            self._show(None)  # differences of another text lead nowhere
        work = partial(_list, result, self._reference)
        self.task.ask(work, None, self.note.say, self._on_report)
        self._write()

    def _forget(self) -> None:
        """Forget what is listed of an earlier result, which would be kept with its lanes."""
        if self._asked is not None:
            self._asked = None
            self.task.drop()
            self._show(None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _on_report(self, report: KindList | Causes) -> None:
        if isinstance(report, KindList):
            self._show(report, None if self._asked is None else self._asked[0].text)
        else:
            self.model.show_causes(report)
            self.table.fit_lanes(len(self.model.lanes))
            self._write()

    def _show(self, found: KindList | None, text: str | None = None) -> None:
        self._text = text
        self.model.show(found)
        self.table.fit_lanes(0 if found is None else len(found.lanes))
        self._write()

    def _write(self) -> None:
        """Write the causes to choose from with their sums, those of the most tokens first."""
        self.button.setVisible(_NOT_YET in self.model.causes.first)
        self.button.setText("Resume" if self.model.cancelled else "Cancel")
        self.button.setToolTip(
            wording.RESUME_CAUSES if self.model.cancelled else wording.CANCEL_CAUSES
        )
        if self.box.view().isVisible():
            return  # the user is choosing
        sums = self.model.sums()
        if self.model.cause not in sums and self.model.cause != _ALL:
            self.model.show_only(_ALL)
        self.box.clear()
        compared = len(self.model.lanes) - 1
        for cause in sorted(sums, key=lambda cause: (cause >= 0, -sum(sums[cause][3:]))):
            times, lanes, uneven, added, saved = sums[cause]
            others = {_ALL: "all causes", _NOT_YET: self.model.without_cause}
            title = others.get(cause, TITLES[cause])
            found = counted(times, "difference")
            if compared > 1:
                found = f"{times:,} in {counted(lanes, 'lane')}"
            tokens = more_and_fewer(added, saved, "token")
            text = f"{title}: {found}, {tokens}{in_some(uneven, times)}"
            self.box.addItem(text, cause)
        self.box.setCurrentIndex(self.box.findData(self.model.cause))
        self.box.setEnabled(bool(sums))
        nothing = wording.NO_DIFFERENCE
        if self._result is None or len(self._result.aligned) < 2:
            nothing = wording.NOT_TWO
        elif self._text is None and not self.task.at_rest:
            nothing = wording.LISTING
        self.note.say("" if sums else nothing)

    @Slot()
    def _on_button(self) -> None:
        """Cancel finding causes, keeping those that are known, or resume it."""
        found, cancelled = self.model.found, not self.model.cancelled
        if found is None:
            return
        self.model.set_cancelled(cancelled)
        if cancelled:
            self.task.drop()
        else:
            work = partial(_explain, found, self.model.causes)
            self.task.ask(work, None, self.note.say, self._on_report)
        self._write()

    @Slot(int)
    def _on_filter(self, index: int) -> None:
        self.model.show_only(self.box.itemData(index))

    @Slot(int)
    def _on_wanted(self, row: int) -> None:
        found = self.model.found
        if found is None:
            return
        place = int(self.model.rows[row])
        kinds, kind = found.kinds[found.other[place]], int(found.kind[place])
        current = int(np.searchsorted(kinds.alignment.starts, self._current_byte(), "right")) - 1
        self.placeWanted.emit(int(kinds.alignment.starts[kinds.next(kind, current)]))

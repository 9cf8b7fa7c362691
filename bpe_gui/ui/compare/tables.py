"""The base of tables of numbers, sorted by any column, copied and exported, and their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QBrush,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QFileDialog, QHeaderView, QStyleOptionHeader, QWidget

from bpe_gui.exporting.tables import comma_separated, tab_separated
from bpe_gui.files import write_atomically
from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.actions.widget_actions import add_action
from bpe_gui.ui.theme.text_size import FontFollower, scaled
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, AnyIndex, RowTable, SortKeys
from bpe_gui.ui.widgets.text_lines import lines_of

_MOST_LINES = 4
PADDING = 14
"""The space beside the text of a heading, in logical pixels."""
_ABOVE_AND_BELOW = 13
_LONGEST_WORD = 96
"""The width that a column has for the longest word of its name, in pixels."""
_ARROW = 16
"""The width of the arrow in the heading of the sorted column."""
_ARROWS = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
_BREAK = "\u200b"
_BREAKS = re.compile(r"(?<=\w)(?=[.@:])|(?<=[_/:-])(?=\w)")


class Headings(QHeaderView):
    """Headings to sort by, which change the text of the model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(0)

    def text(self, section: int) -> str:
        """Return the text of a heading, with line breaks."""
        return str(self.model().headerData(section, Qt.Orientation.Horizontal))

    def is_sorted_by(self, section: int) -> bool:
        """Whether the table is sorted by a column."""
        return self.isSortIndicatorShown() and section == self.sortIndicatorSection()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        super().initStyleOptionForIndex(option, index)
        option.text = self.text(index)  # type: ignore[attr-defined]


class NumberHeader(Headings):
    """Writes the arrow of the sorted column after its heading, as text."""

    def text(self, section: int) -> str:
        """Return a heading, with the arrow after the shorter of its two lines.

        If there is only one, the arrow is after it, or where that is too wide below it.
        """
        text = super().text(section)
        if not self.is_sorted_by(section):
            return text
        arrow = _ARROWS[self.sortIndicatorOrder()]
        lines, advance = text.split("\n"), self.fontMetrics().horizontalAdvance
        if len(lines) == 1:
            room = self.sectionSize(section) - PADDING
            return text + (" " if advance(f"{text} {arrow}") <= room else "\n") + arrow
        place = min(range(len(lines)), key=lambda line: advance(lines[line]))
        lines[place] += arrow
        return "\n".join(lines)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        super().initStyleOptionForIndex(option, index)
        option.sortIndicator = QStyleOptionHeader.SortIndicator.None_  # type: ignore[attr-defined]

    def sizeHint(self) -> QSize:
        """Return the height of two lines, whichever heading has the arrow."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), 2 * self.fontMetrics().height() + 11))


class NameHeader(Headings):
    """Gives all columns but the first the same width, as far as the table is wide enough.

    Where it is not, columns with longer words in their names are wider, so that few are broken.
    Headings take at most half the height of the table. Longer names are elided in their middle,
    and whole in the tooltips.
    """

    def __init__(self, parent: QWidget, narrowest: int, widest: int) -> None:
        """Make columns between `narrowest` and `widest` pixels wide in text of the usual size."""
        super().__init__(parent)
        self.narrowest, self._widest = narrowest, widest
        self._most_lines = _MOST_LINES
        self._texts: list[str] = []
        self.sortIndicatorChanged.connect(self._wrap)

    def fit(self, first: int, room: int, height: int) -> None:
        """Divide a width, `room`, among the columns; the first column takes `first`, or what its
        heading needs.

        `height` is that of the whole table.
        """
        lines = (height // 2 - _ABOVE_AND_BELOW) // self.fontMetrics().height()
        self._most_lines = min(max(lines, 1), _MOST_LINES)
        narrowest, widest, longest = (
            scaled(width, self.font()) for width in (self.narrowest, self._widest, _LONGEST_WORD)
        )
        first = max(first, self._longest_word(0) + PADDING + _ARROW)
        needed = {
            section: max(narrowest, min(self._longest_word(section) + PADDING, longest))
            for section in range(1, self.count())
        }
        self.resizeSection(0, first)
        rest = room - first
        for left, section in enumerate(sorted(needed, key=needed.__getitem__)[::-1]):
            wide = min(max(rest // (len(needed) - left), needed[section]), widest)
            self.resizeSection(section, wide)
            rest -= wide
        self._wrap()

    def _longest_word(self, section: int) -> int:
        return longest_word(super().text(section), self.font())

    def text(self, section: int) -> str:
        return self._texts[section] if section < len(self._texts) else ""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._wrap()

    @Slot()
    def _wrap(self) -> None:
        texts = []
        for section in range(self.count()):
            room = self.sectionSize(section) - PADDING
            if self.is_sorted_by(section):
                room -= _ARROW
            texts.append(on_lines(super().text(section), self.font(), room, self._most_lines))
        self._texts = texts
        lines = max((text.count("\n") + 1 for text in texts), default=1)
        self.setFixedHeight(lines * self.fontMetrics().height() + _ABOVE_AND_BELOW)
        self.viewport().update()


def longest_word(name: str, font: QFont) -> int:
    """Return the width of the longest part of a name between the places where `on_lines` breaks."""
    words = _BREAKS.sub(" ", name).split()
    # Lines are broken by widths that are not rounded.
    return 1 + max(map(QFontMetrics(font).horizontalAdvance, words), default=0)


def on_lines(name: str, font: QFont, width: int, most: int = _MOST_LINES) -> str:
    """Break a name into lines of a width; elide it if it needs more than `most`.

    Names of files break before a dot, and after a hyphen, slash, colon or underscore.
    """
    breakable = _BREAKS.sub(_BREAK, name)
    wrapped = lines_of(breakable, font, width)
    kept = [*wrapped[: most - 1], "".join(wrapped[most - 1 :])]
    lines = [line.replace(_BREAK, "").strip() for line in kept if line]
    if len(wrapped) > most:
        lines[-1] = QFontMetrics(font).elidedText(lines[-1], Qt.TextElideMode.ElideMiddle, width)
    return "\n".join(lines)


_ABOUT = "export"
_ROW_PADDING = 5
_MOST_FOR_ROW = 4
"""How many times as high few rows become where an audience looks on, so that names are whole."""

SORT_ROLE = Qt.ItemDataRole.UserRole
"""The key by which a cell is sorted: a float, or None where there is no number."""
MARK_ROLE = SORT_ROLE + 1
"""The number of the colour before a cell, -1 for none."""
MARK_WIDTH = 4


class Cell(NamedTuple):
    """The text of a cell or heading, its sort key if it has a number, tooltip and background.

    mark: the number of the colour before it, -1 for none.
    """

    text: str
    order: float | None = None
    tooltip: str | None = None
    background: QBrush | None = None
    mark: int = -1


class SortedNumbers(QSortFilterProxyModel):
    """Sorts by `SORT_ROLE`; cells without a number are last in either order.

    For tables of some dozen rows: each comparison runs in Python.
    """

    def lessThan(self, left: AnyIndex, right: AnyIndex) -> bool:
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if first is None or second is None:
            descending = self.sortOrder() == Qt.SortOrder.DescendingOrder
            return second is not None and descending if first is None else not descending
        return bool(first < second)

    def filter_again(self) -> None:
        """Ask the model again which rows are shown."""
        # invalidateRowsFilter is deprecated, and what replaces it is not in all versions of Qt.
        self.setFilterFixedString("")

    def filterAcceptsRow(self, row: int, parent: AnyIndex) -> bool:
        model = self.sourceModel()
        return not isinstance(model, NumbersModel) or model.is_shown(row)


class NumbersModel(QStandardItemModel):
    """Names in the first column and numbers beside them."""

    words: tuple[int, ...] = (0,)
    """The columns that are aligned to the left."""

    def titles(self) -> Sequence[str]:
        """Return the names of all columns."""
        raise NotImplementedError

    def is_shown(self, row: int) -> bool:
        """Tell whether a row is in the table; those that are not are in files all the same."""
        return True

    def lines(self) -> list[Sequence[object]]:
        """Return headings and rows for a file: numbers unrounded, None where there is none."""
        raise NotImplementedError

    def show(self, headings: Sequence[Cell], rows: Sequence[Sequence[Cell]], *, same: bool) -> None:
        """Show other contents; `same` if they are of the same rows and columns as before."""
        if not same:
            self.setRowCount(0)
            self.setColumnCount(len(headings))
        for column, heading in enumerate(headings):
            if not same:
                self.setHorizontalHeaderItem(column, self._item(column))
            _fill(self.horizontalHeaderItem(column), heading)
        for row, cells in enumerate(rows):
            find = partial(self.item, row) if same else self._item
            items = [find(column) for column in range(len(cells))]
            for item, cell in zip(items, cells, strict=True):
                _fill(item, cell)
            if not same:
                self.appendRow(items)

    def _item(self, column: int) -> QStandardItem:
        item = QStandardItem()
        item.setEditable(False)
        item.setTextAlignment(LEFT if column in self.words else RIGHT)
        return item


def _fill(item: QStandardItem, cell: Cell) -> None:
    item.setText(cell.text)
    item.setData(cell.order, SORT_ROLE)
    item.setData(cell.tooltip, Qt.ItemDataRole.ToolTipRole)
    item.setData(cell.background, Qt.ItemDataRole.BackgroundRole)
    item.setData(cell.mark, MARK_ROLE)


class NumbersTable(Presentable, RowTable):
    """Sorts by a click on a heading; one row can be current.

    It can be copied, and exported as CSV. The keys for that (Ctrl+C, Ctrl+Shift+X) work while the
    table has the focus.
    """

    lines_of_figure = 12
    problem = Signal(str, str)
    """The topic, and why the table cannot be written; no sentence if the problem is over."""

    def __init__(self, model: NumbersModel, what: str, file_name: str, header: QHeaderView) -> None:
        """Show a model. `what` is in the actions' object names, as in "copyMetricsAction"."""
        self._model, self._file_name = model, file_name
        self.sorted = SortedNumbers()
        self.sorted.setSourceModel(model)
        self.sorted.setSortRole(SORT_ROLE)
        super().__init__(self.sorted)
        # Else Python may end the items of the model before the model, which ends them again.
        model.setParent(self)
        self.sorted.setParent(self)
        self.setHorizontalHeader(header)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setWordWrap(False)
        copy = QKeySequence.StandardKey.Copy
        self.copy = self.add_action("Copy the table", f"copy{what}Action", copy)
        self.copy.triggered.connect(self.copy_table)
        self.export = self.add_action("Export as CSV…", f"export{what}Action", "Ctrl+Shift+X")
        self.export.triggered.connect(self.ask_where_to_export)
        SortKeys(self, what)
        FontFollower(self, self._fit_rows)

    def _fit_rows(self) -> None:
        height = self.fontMetrics().height() + _ROW_PADDING
        rows = self.model().rowCount()
        if self.presents and rows:
            height = max(height, min(self.viewport().height() // rows, _MOST_FOR_ROW * height))
        self.verticalHeader().setDefaultSectionSize(height)
        self.setWordWrap(self.presents)
        policy = Qt.ScrollBarPolicy
        # An audience has no use for a bar below the columns.
        bar = policy.ScrollBarAlwaysOff if self.presents else policy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.presents:
            self._fit_rows()

    @property
    def is_cut(self) -> bool:
        """Whether rows are out of sight."""
        return self.verticalHeader().length() > self.viewport().height()

    @property
    def in_sight(self) -> int:
        """How many rows are seen whole."""
        fitting = self.viewport().height() // self.verticalHeader().defaultSectionSize()
        return min(fitting, self.model().rowCount())

    def row_of(self, place: int) -> QModelIndex:
        """Return the index of a row of the model, as the table is sorted."""
        return self.sorted.mapFromSource(self._model.index(place, 0))

    def add_action(self, text: str, name: str, key: str | QKeySequence.StandardKey) -> QAction:
        """Add an action whose key works while the table has the focus."""
        action = add_action(self, text, name, [key])
        action.setToolTip(f"{text} ({keys_of(action)})")
        return action

    @Slot()
    def copy_table(self) -> None:
        QGuiApplication.clipboard().setText(tab_separated(self._model.lines()))

    @Slot()
    def ask_where_to_export(self) -> None:
        """Let the user choose a file, and write the table to it."""
        name, _ = QFileDialog.getSaveFileName(
            self, "Export the numbers", self._file_name, "Comma-separated values (*.csv)"
        )
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Write the numbers as CSV, whole or not at all."""
        try:
            write_atomically(path, comma_separated(self._model.lines()))
        except OSError as error:
            self.problem.emit(_ABOUT, f"{path} cannot be written: {error.strerror or error}.")
        else:
            self.problem.emit(_ABOUT, "")

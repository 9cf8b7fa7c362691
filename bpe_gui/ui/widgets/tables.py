"""The bases of tables: rows of texts, drawn by Qt or here, texts that fit, sorting by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Slot,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionHeader,
    QTableView,
    QWidget,
)

from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.actions.widget_actions import add_action
from bpe_gui.ui.theme.painting import brush, draw_message, pen
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.presenting import Presentable

AnyIndex = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

# Qt asks with plain numbers; comparing with enumeration members is several times slower.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)

BEFORE_ARROW = "\u00a0"
"""The room between a heading on the right and the arrow; Qt drops a plain space at the end."""


class Heading(NamedTuple):
    """The head of a column."""

    text: str
    tip: str = ""
    alignment: Qt.AlignmentFlag | None = None


class RowsModel(QAbstractTableModel):
    """Rows of texts under headings, for the clipboard, for screen readers and for Qt's tables."""

    headings: Sequence[Heading] = ()
    spoken_column = 0
    """The column that stands for a whole row where it is read aloud."""

    def count(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def cells(self, row: int) -> Sequence[str]:
        """Return the texts of a row."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> str:
        """Return one of the texts of a row."""
        return self.cells(row)[column]

    def spoken(self, row: int) -> str:
        """Return a row as it is read aloud; empty if each cell is."""
        return ""

    def tip(self, row: int, column: int) -> str:
        """Return the tooltip of a cell."""
        return ""

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.headings):
            return None
        heading = self.headings[section]
        known = {_DISPLAY: heading.text, _TOOLTIP: heading.tip, _ALIGNMENT: heading.alignment}
        return known.get(role)

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        row, column = index.row(), index.column()
        if not 0 <= row < self.count():
            return None
        if role == _DISPLAY:
            return self.cell(row, column)
        if role == _TOOLTIP:
            return self.tip(row, column) or None
        if role == _ALIGNMENT:
            return self.headings[column].alignment
        return self.spoken(row) or None if (role, column) == (_SPOKEN, self.spoken_column) else None


class _SortedHeader(QHeaderView):
    """Leaves room between a heading on the right and the arrow of the sorted column."""

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        super().initStyleOptionForIndex(option, index)
        is_sorted = self.isSortIndicatorShown() and index == self.sortIndicatorSection()
        if is_sorted and Qt.AlignmentFlag.AlignRight in option.textAlignment:  # type: ignore[attr-defined]
            option.text += BEFORE_ARROW  # type: ignore[attr-defined]


class RowTable(QTableView):
    """Rows of equal height, of which one can be current. None is cut off at an edge."""

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        header = _SortedHeader(Qt.Orientation.Horizontal, self)
        header.setSectionsClickable(True)
        self.setHorizontalHeader(header)
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # By items, Qt would let the last row be whole at the end, and not the first in view.
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def row_height(self) -> int:
        """The height of a row, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    @property
    def rows_in_view(self) -> range:
        """The rows that are drawn: at least one, and none that is cut off at the lower edge.

        The scroll bar shows that there are more.
        """
        first = max(0, self.rowAt(0))
        room = self.viewport().height() - self.rowViewportPosition(first)
        return range(first, first + max(1, room // self.row_height))

    def updateGeometries(self) -> None:
        """Extend the range of the scroll bar, so that at the end, too, the first row is whole."""
        bar, height = self.verticalScrollBar(), self.row_height
        before = bar.value()
        super().updateGeometries()
        end = bar.maximum()
        if beyond := end % height:
            bar.setMaximum(end + height - beyond)
            if before > end:
                bar.setValue(before)  # Qt has limited it to its own end

    def scrollTo(
        self,
        index: AnyIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll to a row, and let no other be cut off under the headings."""
        super().scrollTo(index, hint)
        bar, height = self.verticalScrollBar(), self.row_height
        if cut := bar.value() % height:
            bar.setValue(bar.value() + height - cut)

    def paintEvent(self, event: QPaintEvent) -> None:
        rows = self.rows_in_view
        height = self.rowViewportPosition(rows.start) + len(rows) * self.row_height
        drawn = event.region().intersected(QRect(0, 0, self.viewport().width(), height))
        super().paintEvent(QPaintEvent(QRegion(drawn)))


class PaintedTable(Presentable, RowTable):
    """Rows that are drawn here, or the reason why there are none.

    Ctrl+C copies the current row. A subclass draws in `draw_rows`.
    """

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.message = ""
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        # All of it is painted here: Qt need not paint what lies behind.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.horizontalHeader().setHighlightSections(False)
        ThemeFollower(self, self._take_theme)

    def _take_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._muted = pen(theme.muted)

    def set_message(self, message: str) -> None:
        if message != self.message:
            self.message = message
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            area = event.rect()
            painter.fillRect(area, brush(self._theme.panel))
            count = self.model().rowCount()
            if count == 0:
                painter.setFont(self.font())
                draw_message(painter, self.viewport().rect(), self.message, self._muted)
            else:
                height = self.row_height
                first = max(0, self.rowAt(area.top()))
                top = self.rowViewportPosition(first)
                below = first + (area.bottom() - top) // height + 1
                last = min(count, below, self.rows_in_view.stop)
                self.draw_rows(painter, range(first, last), top, height)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw these rows, the first at `top`, each `height` pixels high.

        The background is there already. Nothing more is drawn, unless a subclass does.
        """

    def draw_current(self, painter: QPainter, top: int, height: int) -> None:
        """Draw the ground of the current row, and a bar before it where it has the keyboard."""
        painter.fillRect(0, top, self.viewport().width(), height, brush(self._theme.raised))
        if self.hasFocus():
            painter.fillRect(0, top, 3, height, brush(self._theme.accent))

    def keyboardSearch(self, search: str) -> None:
        """Leave typed letters to the field above the table.

        Qt would ask for the text of every row, which takes seconds where there are many.
        """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy) and current.isValid():
            columns = range(self.model().columnCount())
            cells = [current.siblingAtColumn(column).data() for column in columns]
            QGuiApplication.clipboard().setText("\t".join(cells))
            return
        super().keyPressEvent(event)


_KERNING = 0.35
"""Pixels by which a character may be closer to or farther from the one before."""


def plainly(font: QFont) -> QFont:
    """Return the font without ligatures and kerning, which takes half the time to draw.

    It also makes single characters clearer. Scripts that need shaping are still shaped.
    """
    plain = QFont(font)
    plain.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)
    return plain


class CellText:
    """Fits texts in one font, in a quarter of Qt's time where they fit, as most do."""

    def __init__(self, metrics: QFontMetrics) -> None:
        self._metrics = metrics
        known = (*map(chr, range(32, 127)), "␣", "·", "…")
        self._advances = {one: metrics.horizontalAdvance(one) for one in known}

    def number_width(self, text: str) -> int:
        """Return the width of digits with commas between them."""
        commas = text.count(",")
        return (len(text) - commas) * self._advances["0"] + commas * self._advances[","]

    def room_for(self, text: str) -> int:
        """Return the width from which `fit` returns a text in ASCII whole."""
        return ceil(sum(self._advances[character] + _KERNING for character in text))

    def fit(self, text: str, room: int) -> str:
        """Return the text, or as much of its beginning as fits, with an ellipsis."""
        width = sum([self._advances.get(character, room) for character in text])
        if width + len(text) * _KERNING <= room:
            return text
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


_ORDERS = {
    Qt.SortOrder.AscendingOrder: "the least first",
    Qt.SortOrder.DescendingOrder: "the greatest first",
}


class SortKeys(QObject):
    """Gives a table that sorts by its headings two actions, which work while it has the focus.

    Screen readers announce the order.
    """

    def __init__(self, table: QTableView, what: str) -> None:
        """`what` is in the actions' object names, as in "sortVocabularyAction"."""
        super().__init__(table)
        self._table = table
        words = "order arrange heading header column"
        self.next, self.turn = (
            add_action(table, text, f"{name}{what}Action", [key], does, keywords=words)
            for text, name, key, does in (
                ("&Sort by the next column", "sort", "Ctrl+H", self._sort_by_next),
                ("Sort the &other way round", "turn", "Ctrl+Shift+H", self._turn_round),
            )
        )

    @Slot()
    def _sort_by_next(self) -> None:
        """Sort by the column to the right that is in view, or by the first after the last."""
        columns = self._table.horizontalHeader()
        across = [columns.logicalIndex(place) for place in range(columns.count())]
        seen = [column for column in across if not columns.isSectionHidden(column)]
        now = columns.visualIndex(columns.sortIndicatorSection())
        after = [column for column in seen if columns.visualIndex(column) > now]
        if seen:
            self._sort((after or seen)[0], columns.sortIndicatorOrder())

    @Slot()
    def _turn_round(self) -> None:
        columns = self._table.horizontalHeader()
        order = Qt.SortOrder(1 - columns.sortIndicatorOrder().value)
        self._sort(columns.sortIndicatorSection(), order)

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        self._table.horizontalHeader().setSortIndicator(column, order)
        title = self._table.model().headerData(column, Qt.Orientation.Horizontal)
        told = f"Sorted by {' '.join(str(title).split())}, {_ORDERS[order]}."
        announce(self._table, told)

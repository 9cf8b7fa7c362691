"""Sort a table by keyboard, as a click on its headings does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QTableView

from bpe_gui.ui.actions.action_words import announce, set_keywords

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
        self.next = self._action("&Sort by the next column", f"sort{what}Action", "Ctrl+H")
        self.turn = self._action("Sort the &other way round", f"turn{what}Action", "Ctrl+Shift+H")
        self.next.triggered.connect(self._sort_by_next)
        self.turn.triggered.connect(self._turn_round)

    def _action(self, text: str, name: str, key: str) -> QAction:
        action = QAction(text, self._table)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        # Only with the focus here: there may be several tables in view.
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        set_keywords(action, "order arrange heading header column")
        self._table.addAction(action)
        return action

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
        ascends = columns.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
        down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
        self._sort(columns.sortIndicatorSection(), down if ascends else up)

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        self._table.horizontalHeader().setSortIndicator(column, order)
        title = self._table.model().headerData(column, Qt.Orientation.Horizontal)
        told = f"Sorted by {' '.join(str(title).split())}, {_ORDERS[order]}."
        announce(self._table, told)

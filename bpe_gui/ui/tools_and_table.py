"""A table under its tools; in a very low panel the tools come after it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QTableView, QVBoxLayout

_LOW = 6.5
"""Lines in the height of a panel, from which on there is room for its tools and a few rows."""


class ToolsAndTable(QVBoxLayout):
    """Gives a table its room before its tools, to which one scrolls where there is too little.

    So low is a panel only where text is far larger than usual.
    """

    def __init__(self, tools: QHBoxLayout, table: QTableView) -> None:
        super().__init__()
        self._table = table
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        self.addLayout(tools)
        self.addWidget(table, 1)

    def share(self, height: int, line: int) -> None:
        """Arrange both in a panel of that height, whose lines are so high, in pixels."""
        low = height < _LOW * line
        direction = QVBoxLayout.Direction
        self.setDirection(direction.BottomToTop if low else direction.TopToBottom)
        self._table.setMinimumHeight(self._one_row() if low else 0)

    def _one_row(self) -> int:
        """The height of a table in which one whole row is seen.

        It is the same in any width: a scroll area that has a little less room beside its own bar
        would else go to and fro between two heights without end.
        """
        table, heading = self._table, self._table.horizontalHeader()
        has_bar = table.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        return (
            table.verticalHeader().defaultSectionSize()
            + (heading.sizeHint().height() if not heading.isHidden() else 0)
            + (table.horizontalScrollBar().sizeHint().height() if has_bar else 0)
            + 2 * table.frameWidth()
        )

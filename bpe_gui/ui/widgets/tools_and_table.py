"""A table under its tools; in a very low panel the tools come after it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QTableView, QVBoxLayout, QWidget

from bpe_gui.ui.widgets.search_field import SearchField

_LOW = 6.5
"""Lines in the height of a panel, from which on there is room for its tools and a few rows."""
_LOW_ON_STAGE = 10
"""The same on the stage, where an audience looks at the rows."""


class ToolsAndTable(QVBoxLayout):
    """Gives a table its room before its tools, to which one scrolls where there is too little.

    So low is a panel only where text is far larger than usual. On the stage, where little is
    searched for, a low panel has no tools, unless a search is under way.
    """

    def __init__(self, search: SearchField, beside: QWidget, table: QTableView) -> None:
        """The tools are a search, and what stands beside it."""
        super().__init__()
        self._search, self._beside, self._table = search, beside, table
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        tools = QHBoxLayout()
        tools.setContentsMargins(8, 8, 8, 6)
        tools.setSpacing(6)
        tools.addWidget(search, 1)
        tools.addWidget(beside)
        self.addLayout(tools)
        self.addWidget(table, 1)

    def share(self, panel: QWidget, *, presents: bool) -> None:
        """Arrange them in the panel, which has another size now or another font."""
        lines = panel.height() / panel.fontMetrics().lineSpacing()
        with_tools = not presents or lines >= _LOW_ON_STAGE or bool(self._search.text())
        for tool in (self._search, self._beside):
            tool.setVisible(with_tools)
        low = not presents and lines < _LOW
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

"""Headings of one or two lines, and where the arrow stands in the one that is sorted by."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView

_ASCENDING, _DESCENDING = "▴", "▾"
_NO_ARROW = QStyleOptionHeader.SortIndicator.None_


class NumberHeader(QHeaderView):
    """Writes the arrow into the heading, where it hides nothing and needs no room of its own."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(0)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        """As the base class, but for the arrow."""
        super().initStyleOptionForIndex(option, index)
        if not self.isSortIndicatorShown() or index != self.sortIndicatorSection():
            return
        ascends = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        arrow = _ASCENDING if ascends else _DESCENDING
        option.text = with_arrow(option.text, arrow, self.font())  # type: ignore[attr-defined]
        option.sortIndicator = _NO_ARROW  # type: ignore[attr-defined]

    def sizeHint(self) -> QSize:
        """Two lines high, whichever heading has the arrow."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), 2 * self.fontMetrics().height() + 11))


def with_arrow(heading: str, arrow: str, font: QFont) -> str:
    """A heading with an arrow on a line of its own, or behind the shorter of its two lines."""
    lines = heading.split("\n")
    if len(lines) == 1:
        return f"{heading}\n{arrow}"
    advance = QFontMetrics(font).horizontalAdvance
    place = min(range(len(lines)), key=lambda line: advance(lines[line]))
    lines[place] += arrow
    return "\n".join(lines)

"""Headings of one or two lines, and where the arrow stands in the one that is sorted by."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView

_ASCENDING, _DESCENDING = "▴", "▾"
HEADING_PADDING = 14
"""What a heading has beside its text, in pixels."""
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
        room = self.sectionSize(index) - HEADING_PADDING
        option.text = with_arrow(  # type: ignore[attr-defined]
            option.text,  # type: ignore[attr-defined]
            arrow,
            self.font(),
            room,
        )
        option.sortIndicator = _NO_ARROW  # type: ignore[attr-defined]

    def sizeHint(self) -> QSize:
        """Two lines high, whichever heading has the arrow."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), 2 * self.fontMetrics().height() + 11))


def with_arrow(heading: str, arrow: str, font: QFont, room: int) -> str:
    """A heading with an arrow behind it, or behind the shorter of its two lines.

    Where one line has no room for both, in pixels, the arrow stands below it.
    """
    lines, advance = heading.split("\n"), QFontMetrics(font).horizontalAdvance
    if len(lines) == 1:
        beside = f"{heading} {arrow}"
        return beside if advance(beside) <= room else f"{heading}\n{arrow}"
    place = min(range(len(lines)), key=lambda line: advance(lines[line]))
    lines[place] += arrow
    return "\n".join(lines)

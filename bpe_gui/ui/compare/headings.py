"""Headings of tables: of numbers on two lines, and names on as many lines as they need."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.text_lines import lines_of

_MOST_LINES = 4
PADDING = 14
"""The space beside the text of a heading, in logical pixels."""
_ABOVE_AND_BELOW = 13
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
        """Divide a width, `room`, among the columns; the first column takes `first`.

        `height` is that of the whole table.
        """
        lines = (height // 2 - _ABOVE_AND_BELOW) // self.fontMetrics().height()
        self._most_lines = min(max(lines, 1), _MOST_LINES)
        others = self.count() - 1
        share = (room - first) // others if others > 0 else 0
        for section in range(self.count()):
            narrowest, widest = (scaled(w, self.font()) for w in (self.narrowest, self._widest))
            wide = min(max(share, narrowest), widest) if section else first
            self.resizeSection(section, wide)
        self._wrap()

    def text(self, section: int) -> str:
        return self._texts[section] if section < len(self._texts) else ""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._wrap()

    @Slot()
    def _wrap(self) -> None:
        """Break the names into lines again, and set the height for them."""
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


def on_lines(name: str, font: QFont, width: int, most: int = _MOST_LINES) -> str:
    """Break a name into lines of a width; elide it if it needs more than `most`.

    Names of files break before a dot, and after a hyphen, slash, colon or underscore.
    """
    breakable = _BREAKS.sub(_BREAK, name)
    wrapped = lines_of(breakable, font, width)
    kept = [*wrapped[: most - 1], "".join(wrapped[most - 1 :])]
    lines = [line.replace(_BREAK, "").strip() for line in kept if line]
    if len(wrapped) > most:
        elide = Qt.TextElideMode.ElideMiddle
        lines[-1] = QFontMetrics(font).elidedText(lines[-1], elide, width)
    return "\n".join(lines)

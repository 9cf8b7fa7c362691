"""Headings of tables: of numbers on two lines, and names on as many lines as they need."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.wrapped_text import lines_of

_MOST_LINES = 4
PADDING = 14
"""What a heading has beside its text, in logical pixels."""
_ABOVE_AND_BELOW = 13
_ARROW = 16
"""The room of the arrow in the heading that the table is sorted by."""
_ARROWS = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
_BREAK = "\u200b"
_BREAKS = re.compile(r"(?<=\w)(?=[.@:])|(?<=[_/:-])(?=\w)")


class Headings(QHeaderView):
    """Headings to sort by, whose text may be another one than the model's."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(0)

    def text(self, section: int) -> str:
        """What stands in a heading, with its breaks."""
        return str(self.model().headerData(section, Qt.Orientation.Horizontal))

    def is_sorted_by(self, section: int) -> bool:
        """Whether the table is sorted by a column."""
        return self.isSortIndicatorShown() and section == self.sortIndicatorSection()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        super().initStyleOptionForIndex(option, index)
        option.text = self.text(index)  # type: ignore[attr-defined]


class NumberHeader(Headings):
    """Writes the arrow of the sorted column behind its heading, as text."""

    def text(self, section: int) -> str:
        """The heading, and the arrow behind it or behind the shorter of its two lines.

        Where one line has no room for both, the arrow stands below it.
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
        """Two lines high, whichever heading has the arrow."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), 2 * self.fontMetrics().height() + 11))


class NameHeader(Headings):
    """Gives all columns but the first the same width, as far as the table has room for them.

    Headings take at most half the height of the table. Names that have no room on their lines
    are cut in their middle; tooltips tell all of them.
    """

    def __init__(self, parent: QWidget, narrowest: int, widest: int) -> None:
        """Columns are between so many pixels wide where text is plain.

        The first is as wide as `fit` is told.
        """
        super().__init__(parent)
        self._narrowest, self._widest = narrowest, widest
        self._first = narrowest
        self._most_lines = _MOST_LINES
        self._texts: list[str] = []
        self.sortIndicatorChanged.connect(self._wrap)

    def fit(self, first: int, room: int, height: int) -> None:
        """Share out so many pixels; the first column takes `first` of them.

        `height` is that of the whole table.
        """
        self._first = first
        lines = (height // 2 - _ABOVE_AND_BELOW) // self.fontMetrics().height()
        self._most_lines = min(max(lines, 1), _MOST_LINES)
        others = self.count() - 1
        share = (room - first) // others if others > 0 else 0
        for section in range(self.count()):
            narrowest, widest = (scaled(w, self.font()) for w in (self._narrowest, self._widest))
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
        """Break the names anew, and make room for as many lines as there are."""
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
    """A name with line breaks, so that it is as narrow as that; cut if it needs more than `most`.

    Names of files break before a dot rather than anywhere, and after what joins their parts.
    """
    breakable = _BREAKS.sub(_BREAK, name)
    wrapped = lines_of(breakable, font, width)
    kept = [*wrapped[: most - 1], "".join(wrapped[most - 1 :])]
    lines = [line.replace(_BREAK, "").strip() for line in kept if line]
    if len(wrapped) > most:
        elide = Qt.TextElideMode.ElideMiddle
        lines[-1] = QFontMetrics(font).elidedText(lines[-1], elide, width)
    return "\n".join(lines)

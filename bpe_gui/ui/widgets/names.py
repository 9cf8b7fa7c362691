"""Names that have no room are elided so that they still differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from bpe_gui.analysis.elided_names import Eliding

_KEPT = 4
"""Sets of elided names that are kept for the next paint."""
_TEXT = QStyle.SubElement.SE_ItemViewItemText
_MARGIN = QStyle.PixelMetric.PM_FocusFrameHMargin


class NameElider:
    """Elides names as `elided_apart`, and keeps what it did for the next paint."""

    def __init__(self, endings: Sequence[str] = ()) -> None:
        """Names that have one of these `endings` keep it; the first that they have counts."""
        self._endings = endings
        self._kept: dict[tuple[tuple[str, ...], str, int], list[str]] = {}

    def elided(self, names: Sequence[str], font: QFont, room: int) -> list[str]:
        """Elide names to a width in pixels."""
        asked = tuple(names), font.key(), room
        if asked not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[asked] = elided_apart(names, QFontMetrics(font), room, self._endings)
        return self._kept[asked]

    def write(self, option: QStyleOptionViewItem, names: Sequence[str]) -> None:
        """Elide the text of a table's cell if it is one of these names."""
        item: Any = option
        if item.text in names and item.rect.width() > 0:
            style = item.widget.style()
            margin = style.pixelMetric(_MARGIN, None, item.widget) + 1
            room = style.subElementRect(_TEXT, option, item.widget).width() - 2 * margin
            shown = self.elided(names, item.font, room)
            item.text = shown[names.index(item.text)]


def elided_apart(
    names: Sequence[str], metrics: QFontMetrics, room: int, endings: Sequence[str] = ()
) -> list[str]:
    """Elide names to a width in pixels; see `Eliding.apart`."""

    def elide(text: str, room: int) -> str:
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    return Eliding(metrics.horizontalAdvance, elide, room).apart(names, endings)

"""Names that have no room are elided so that they still differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

_ELLIPSIS = "…"
_KEPT = 4
"""Sets of elided names that are kept for the next paint."""
_TEXT = QStyle.SubElement.SE_ItemViewItemText
_MARGIN = QStyle.PixelMetric.PM_FocusFrameHMargin


class NameElider:
    """Elides names as `elided_apart`, and keeps what it did for the next paint."""

    def __init__(self, ending: str = "") -> None:
        """Names that have this `ending` keep it."""
        self._ending = ending
        self._kept: dict[tuple[tuple[str, ...], str, int], list[str]] = {}

    def elided(self, names: Sequence[str], font: QFont, room: int) -> list[str]:
        """Elide names to a width in pixels."""
        asked = tuple(names), font.key(), room
        if asked not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[asked] = elided_apart(names, QFontMetrics(font), room, self._ending)
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
    names: Sequence[str], metrics: QFontMetrics, room: int, ending: str = ""
) -> list[str]:
    """Elide names to a width in pixels.

    They are elided in the middle. Different names that would look the same so are elided at their
    ends instead, around what tells them apart; those that have this `ending` keep it.
    """
    middle = Qt.TextElideMode.ElideMiddle
    shown = {name: metrics.elidedText(name, middle, room) for name in names}
    for alike in _alike(shown):
        end = ending if all(name.endswith(ending) for name in alike) else ""
        whole = {name.removesuffix(end): name for name in alike}
        left = room - metrics.horizontalAdvance(end) - bool(end)  # widths are rounded
        for name, text in _around_differences([*whole], metrics, left).items():
            shown[whole[name]] = text + end
    return [shown[name] for name in names]


def _alike(shown: dict[str, str]) -> list[list[str]]:
    """Group the names that are shown as the same text; names alone are left out."""
    if len(set(shown.values())) == len(shown):
        return []
    groups: dict[str, list[str]] = {}
    for name, text in shown.items():
        groups.setdefault(text, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _around_differences(names: list[str], metrics: QFontMetrics, room: int) -> dict[str, str]:
    """Show, of names that begin and end alike, what is between that."""
    begin = _alike_letters(names)
    after = _alike_letters([name[begin:][::-1] for name in names])
    shown = {name: _part(name, begin, len(name) - after, metrics, room) for name in names}
    for alike in _alike(shown):
        if len(alike) < len(names):
            shown |= _around_differences(alike, metrics, room)
    return shown


def _alike_letters(names: list[str]) -> int:
    """Count the letters that all names begin with."""
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(first))


def _part(name: str, begin: int, end: int, metrics: QFontMetrics, room: int) -> str:
    """Write a part of a name, with as much around it as there is room for on both sides."""

    def written(begin: int, end: int) -> str:
        return _ELLIPSIS * (begin > 0) + name[begin:end] + _ELLIPSIS * (end < len(name))

    def fits(begin: int, end: int) -> bool:
        return metrics.horizontalAdvance(written(begin, end)) <= room

    if not fits(begin, end):
        return metrics.elidedText(written(begin, end), Qt.TextElideMode.ElideMiddle, room)
    while True:
        before = max(begin - 1, 0) if fits(max(begin - 1, 0), end) else begin
        behind = min(end + 1, len(name)) if fits(before, min(end + 1, len(name))) else end
        if (before, behind) == (begin, end):
            return written(begin, end)
        begin, end = before, behind

"""Small bars of what a vocabulary consists of: lengths, scripts, kinds, and suspicious tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter

from bpe_gui.encodings.vocabularies.query import Bar, Group
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.theme.painting import AT_LEFT, AT_RIGHT, brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, resized
from bpe_gui.ui.widgets.canvas import Canvas

_MARGIN, _GAP, _PADDING = 8, 6, 2
_LINES = 4
"""The height of the histogram, in lines of text."""


class VocabularyFacts(Canvas[int]):
    """Draws groups of bars one below the other; of two vocabularies each bar has three parts.

    A click on a bar of one vocabulary asks for its tokens, if they can be listed by its name.
    """

    least_room = QSize(170, 60)
    barChosen = Signal(str)
    """The name of a bar that the user has clicked."""

    def __init__(self) -> None:
        super().__init__("vocabularyFacts", wording.FACTS)
        self._groups: Sequence[Group] = ()
        self._parts: tuple[str, ...] = ()
        self._tips: list[tuple[QRect, str, str]] = []
        """Where bars are, their tooltips and their names."""
        self._listed: Collection[str] = ()
        RoomFollower(self.viewport(), self._fit)

    def set_groups(
        self,
        groups: Sequence[Group],
        parts: tuple[str, ...] = (),
        listed: Collection[str] = (),
    ) -> None:
        """Show groups; `parts` name the parts of each bar, of two vocabularies.

        listed: the names of bars whose tokens can be listed.
        """
        self._groups, self._parts, self._listed = groups, parts, listed
        self._fit()
        self.describe("; ".join(map(_said, groups)))

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + _PADDING

    def _fit(self) -> None:
        height = _MARGIN + (len(self._parts) * self._line + _GAP if self._parts else 0)
        for group in self._groups:
            lines = _LINES + 2 if group.upright else len(group.bars) + 1
            height += lines * self._line + _GAP
        self.fit_scroll_bar(height, self._line)

    @property
    def _colours(self) -> tuple[str, ...]:
        theme = self._theme
        return (theme.muted, theme.lines[0], theme.lines[1]) if self._parts else (theme.muted,)

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, brush(self._theme.panel))
        top = _MARGIN - self.verticalScrollBar().value()
        self._tips = []
        bold = resized(self.font(), bold=True)
        width, line = self.viewport().width() - 2 * _MARGIN, self._line
        if self._parts:
            top += self._draw_legend(painter, top, width) + _GAP
        for group in self._groups:
            painter.setFont(bold)
            painter.setPen(pen(self._theme.text))
            painter.drawText(_MARGIN, top, width, line, AT_LEFT, group.title)
            painter.setFont(self.font())
            top += line
            draw = self._draw_upright if group.upright else self._draw_lines
            top += draw(painter, group.bars, top, width) + _GAP

    def _draw_legend(self, painter: QPainter, top: int, width: int) -> int:
        line = self._line
        painter.setPen(pen(self._theme.text))
        for place, (name, colour) in enumerate(zip(self._parts, self._colours, strict=True)):
            y = top + place * line
            painter.fillRect(_MARGIN, y + line // 4, line // 2, line // 2, brush(colour))
            room = width - line
            shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(_MARGIN + line, y, room, line, AT_LEFT, shown)
        return len(self._parts) * line

    def _draw_upright(
        self, painter: QPainter, bars: Mapping[str, Bar], top: int, width: int
    ) -> int:
        line, step = self._line, width / max(1, len(bars))
        height, most = _LINES * line, max(1, *map(sum, bars.values()))
        painter.setPen(pen(self._theme.muted))
        for place, (name, bar) in enumerate(bars.items()):
            left, right = _MARGIN + round(place * step), _MARGIN + round((place + 1) * step)
            base = top + height
            for number, colour in zip(bar, self._colours, strict=True):
                tall = round(number / most * height)
                painter.fillRect(left, base - tall, right - left - 1, tall, brush(colour))
                base -= tall
            area = QRect(left, top, right - left, height + line)
            self._tips.append((area, self._tip(f"{name} bytes", bar), ""))
            if place % 4 == 0:
                painter.drawText(left, top + height, round(4 * step), line, AT_LEFT, name)
        return height + line

    def _draw_lines(
        self, painter: QPainter, bars: Mapping[str, Bar], top: int, width: int
    ) -> int:
        metrics, line = self.fontMetrics(), self._line
        # Widths are rounded: one more pixel, or a name that has room is elided.
        names = min(1 + max(map(metrics.horizontalAdvance, bars), default=0), width // 2)
        most = max(1, *map(sum, bars.values())) if bars else 1
        written = [f"{sum(bar):,}" for bar in bars.values()]
        numbers = max(map(metrics.horizontalAdvance, written), default=0)
        room = max(1, width - names - numbers - 2 * _GAP)
        for number, (name, bar) in enumerate(bars.items()):
            y = top + number * line
            painter.setPen(pen(self._theme.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, names)
            painter.drawText(_MARGIN, y, names, line, AT_LEFT, shown)
            left = _MARGIN + names + _GAP
            for part, colour in zip(bar, self._colours, strict=True):
                long = round(part / most * room)
                painter.fillRect(left, y + line // 4, long, line // 2, brush(colour))
                left += long
            painter.setPen(pen(self._theme.muted))
            right = _MARGIN + width - numbers
            painter.drawText(right, y, numbers, line, AT_RIGHT, written[number])
            self._tips.append((QRect(_MARGIN, y, width, line), self._tip(name, bar), name))
        return len(bars) * line

    def _tip(self, name: str, bar: Bar) -> str:
        if not self._parts:
            told = f"{name}: {bar[0]:,}"
            return f"{told}\n{wording.LIST_THESE}" if name in self._listed else told
        parts = (f"{part}: {n:,}" for part, n in zip(self._parts, bar, strict=True))
        return "\n".join([name, *parts])

    def tooltip_at(self, point: QPoint) -> str:
        return next((tip for area, tip, _ in self._tips if area.contains(point)), "")

    def place_at(self, point: QPoint) -> int | None:
        """Find a bar whose tokens can be listed."""
        bars = enumerate(self._tips)
        found = (n for n, (area, _, name) in bars if area.contains(point) and name in self._listed)
        return next(found, None)

    def press(self, place: int) -> None:
        self.barChosen.emit(self._tips[place][2])


def _said(group: Group) -> str:
    bars = (f"{name} {' / '.join(map(str, bar))}" for name, bar in group.bars.items())
    return f"{group.title}: {', '.join(bars)}"

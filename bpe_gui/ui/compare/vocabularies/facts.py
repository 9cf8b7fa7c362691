"""Small bars of what a vocabulary consists of: lengths, scripts, kinds, and suspicious tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.encodings.vocabularies.overlap import Shares
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.compare.vocabularies.query import Answer
from bpe_gui.ui.theme.painting import brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.canvas import Canvas

_MARGIN, _GAP, _PADDING = 8, 6, 2
_LONGEST = 16
"""Lengths of more bytes share the last column of the histogram."""
_SCRIPTS = 8
_LINES = 4
"""The height of the histogram, in lines of text."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

Bar = tuple[int, ...]
"""The numbers that a bar is made of: one, or the tokens of both, of one and of the other."""


@dataclass(frozen=True)
class Group:
    """Bars under a title; upright in a histogram, else one below the other."""

    title: str
    bars: Mapping[str, Bar]
    upright: bool = False


def groups(answer: Answer) -> list[Group]:
    """Count the tokens that an answer is about."""
    pair = answer.overlap
    if pair is not None:
        lengths = {n: _bar(shares) for n, shares in pair.by_length().items()}
        scripts = {name: _bar(shares) for name, shares in pair.by_script().items()}
        return [
            Group("length in bytes", _binned(lengths), upright=True),
            Group("scripts", dict(list(scripts.items())[:_SCRIPTS])),
        ]
    source = answer.source
    counts = enumerate(source.length_histogram().tolist())
    mixed = int(np.count_nonzero(source.properties.mixed & ~source.special))
    scripts = {name: (n,) for name, n in list(source.script_counts().items())[:_SCRIPTS]}
    variants = sum(map(len, source.forms.values()))
    return [
        Group("length in bytes", _binned({n: (c,) for n, c in counts if c}), upright=True),
        Group("scripts", {**scripts, "mixed": (mixed,)}),
        Group("kinds", {str(kind): (n,) for kind, n in source.kind_counts().items()}),
        Group("suspicious", {str(reason): (n,) for reason, n in answer.found.counts().items()}),
        Group("forms", {"with variants": (variants,)}),
    ]


def _bar(shares: Shares) -> Bar:
    return shares.both, shares.only_one, shares.only_other


def _binned(lengths: Mapping[int, Bar]) -> dict[str, Bar]:
    """Gather lengths into the columns of the histogram."""
    width = len(next(iter(lengths.values()), (0,)))
    found = np.zeros((_LONGEST + 2, width), np.int64)
    for length, bar in lengths.items():
        found[min(length, _LONGEST + 1)] += bar
    names = [*map(str, range(1, _LONGEST + 1)), f"{_LONGEST + 1}+"]
    return {name: tuple(found[n].tolist()) for n, name in enumerate(names, 1)}


class VocabularyFacts(Canvas[int]):
    """Draws groups of bars one below the other; of two vocabularies each bar has three parts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("vocabularyFacts", wording.FACTS, parent)
        self._groups: list[Group] = []
        self._parts: tuple[str, ...] = ()
        self._tips: list[tuple[QRect, str]] = []
        ThemeFollower(self, self._take_colours)
        RoomFollower(self.viewport(), self._fit)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self.viewport().update()

    def minimumSizeHint(self) -> QSize:
        return QSize(170, 60)

    def set_groups(self, groups: list[Group], parts: tuple[str, ...] = ()) -> None:
        """Show groups; `parts` name the parts of each bar, of two vocabularies."""
        self._groups, self._parts = groups, parts
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
        self.verticalScrollBar().setRange(0, max(0, height - self.viewport().height()))
        self.verticalScrollBar().setSingleStep(self._line)
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.viewport().update()

    @property
    def _colours(self) -> tuple[str, ...]:
        theme = self._theme
        return (theme.muted, theme.lines[0], theme.lines[1]) if self._parts else (theme.muted,)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), brush(self._theme.panel))
        top = _MARGIN - self.verticalScrollBar().value()
        self._tips = []
        bold = QFont(self.font())
        bold.setBold(True)
        width, line = self.viewport().width() - 2 * _MARGIN, self._line
        if self._parts:
            top += self._draw_legend(painter, top, width) + _GAP
        for group in self._groups:
            painter.setFont(bold)
            painter.setPen(pen(self._theme.text))
            painter.drawText(_MARGIN, top, width, line, _LEFT, group.title)
            painter.setFont(self.font())
            top += line
            draw = self._draw_upright if group.upright else self._draw_lines
            top += draw(painter, group.bars, top, width) + _GAP
        painter.end()

    def _draw_legend(self, painter: QPainter, top: int, width: int) -> int:
        """Draw the colours of the parts with their names; returns the height."""
        line = self._line
        painter.setPen(pen(self._theme.text))
        for place, (name, colour) in enumerate(zip(self._parts, self._colours, strict=True)):
            y = top + place * line
            painter.fillRect(_MARGIN, y + line // 4, line // 2, line // 2, brush(colour))
            room = width - line
            shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(_MARGIN + line, y, room, line, _LEFT, shown)
        return len(self._parts) * line

    def _draw_upright(
        self, painter: QPainter, bars: Mapping[str, Bar], top: int, width: int
    ) -> int:
        """Draw a histogram; returns its height."""
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
            self._tips.append((area, self._tip(f"{name} bytes", bar)))
            if place % 4 == 0:
                painter.drawText(left, top + height, round(4 * step), line, _LEFT, name)
        return height + line

    def _draw_lines(
        self, painter: QPainter, bars: Mapping[str, Bar], top: int, width: int
    ) -> int:
        """Draw bars between names and numbers; returns their height."""
        metrics, line = self.fontMetrics(), self._line
        names = min(max(map(metrics.horizontalAdvance, bars), default=0), width // 2)
        most = max(1, *map(sum, bars.values())) if bars else 1
        written = [f"{sum(bar):,}" for bar in bars.values()]
        numbers = max(map(metrics.horizontalAdvance, written), default=0)
        room = max(1, width - names - numbers - 2 * _GAP)
        for number, (name, bar) in enumerate(bars.items()):
            y = top + number * line
            painter.setPen(pen(self._theme.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, names)
            painter.drawText(_MARGIN, y, names, line, _LEFT, shown)
            left = _MARGIN + names + _GAP
            for part, colour in zip(bar, self._colours, strict=True):
                long = round(part / most * room)
                painter.fillRect(left, y + line // 4, long, line // 2, brush(colour))
                left += long
            painter.setPen(pen(self._theme.muted))
            right = _MARGIN + width - numbers
            painter.drawText(right, y, numbers, line, _RIGHT, written[number])
            self._tips.append((QRect(_MARGIN, y, width, line), self._tip(name, bar)))
        return len(bars) * line

    def _tip(self, name: str, bar: Bar) -> str:
        if not self._parts:
            return f"{name}: {bar[0]:,}"
        parts = (f"{part}: {n:,}" for part, n in zip(self._parts, bar, strict=True))
        return "\n".join([name, *parts])

    def tooltip_at(self, point: QPoint) -> str:
        return next((tip for area, tip in self._tips if area.contains(point)), "")


def _said(group: Group) -> str:
    bars = (f"{name} {' / '.join(map(str, bar))}" for name, bar in group.bars.items())
    return f"{group.title}: {', '.join(bars)}"

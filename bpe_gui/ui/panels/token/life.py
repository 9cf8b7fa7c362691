"""Paint the life of a token: how often it occurs after every merge, and what uses it up."""

from __future__ import annotations

from itertools import pairwise
from math import log10
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.token_life import TokenLife
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.token import wording
from bpe_gui.ui.run.corpus_queries import TokenFrequencies
from bpe_gui.ui.theme.painting import AT_LEFT, CENTERED, brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS
from bpe_gui.ui.tokens.colours import TokenColouring, fill_of
from bpe_gui.ui.tokens.token_words import label, tooltip
from bpe_gui.ui.widgets.canvas import MOVES, Canvas
from bpe_gui.ui.widgets.scales import merges_to_show, power_text, powers

_SMALLEST_TEXT, _LARGEST_TEXT = 12, 24
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""
_MARGIN, _PADDING = 10, 6
_THIN = 3
"""A band of at least this height in pixels has its own colour."""
_LEVEL = 3
"""Lines of text that a count is high which no merge lessens: all of a large panel says no more."""
_VEILED = "#a0"
"""How opaque the veil over what comes after the cursor is, as the beginning of a colour."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_FORWARD = frozenset({Qt.Key.Key_Right, Qt.Key.Key_Down})


class Band(NamedTuple):
    """The occurrences that one merge took: they are part of another token from there on."""

    event: int
    left: int
    top: int
    bottom: int


class LifeCanvas(Canvas[int]):
    """Draws the count of a token as an area that falls in steps, over a logarithmic axis of merges.

    What a merge takes goes on beside the area as a band with the name and the colour of the longer
    token. One merge is current: the arrow keys, Home and End move it; Enter or a click goes to it.
    """

    least_room = QSize(140, 60)
    stepChosen = Signal(int)
    """A merge that the user clicked, or pressed Enter on."""

    def __init__(
        self, parent: QWidget | None = None, frequencies: TokenFrequencies | None = None
    ) -> None:
        """Without `frequencies`, tokens coloured by frequency only alternate."""
        super().__init__("tokenLife", wording.SPOKEN_LIFE, parent)
        self._frequencies = frequencies
        self._history: History | None = None
        self._life: TokenLife | None = None
        self._position = 0
        self._current = 0
        self._bands: list[Band] = []
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        ThemeFollower(self, self._take_colours)
        RoomFollower(self.viewport(), self._fit)
        if frequencies is not None:
            frequencies.changed.connect(self.forget_still)

    def _take_colours(self, _: Theme) -> None:
        self._fit()

    # -- what is shown -------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        self._history = self._life = None
        self.message = message
        self.hovered = None
        self._fit()
        self._describe()

    def set_life(self, history: History, life: TokenLife) -> None:
        """Show the life of a token, whose counts are known."""
        known = self._life
        if known is None or known.token != life.token or history is not self._history:
            self._current = 0
        self._history, self._life, self.message = history, life, ""
        self._current = max(0, min(self._current, len(life) - 1))
        self.hovered = None
        self._fit()
        self._describe()

    def set_position(self, position: int) -> None:
        if position != self._position:
            self._position = position
            self.viewport().update()

    # -- geometry ----------------------------------------------------------------------------

    def _fit(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        sizes = (scaled(size, self.font()) for size in (_SMALLEST_TEXT, _LARGEST_TEXT))
        smallest, largest = sizes
        self._font = QFont(self.font())
        self._font.setPixelSize(max(smallest, min(largest, width // 36, height // 14)))
        self._metrics = QFontMetrics(self._font)
        line = self._metrics.height()
        self._top, self._base = line + _PADDING, height - line - _PADDING
        self._left, self._right = _MARGIN, width - _MARGIN
        self._bands = []
        life = self._life
        if self._history is not None and life is not None:
            self._begin = max(1, int(life.steps[0]) + 1 if not life.initial and len(life) else 1)
            self._last = merges_to_show(self._history)
            # A token of the last merge has only that one: its axis ends where it begins.
            self._end = max(self._last, self._begin + 1.0)
            self._highest = int(life.counts.max(initial=life.initial or 0))
            self._falls = bool((life.changes < 0).any())
            self._peak = self._top if self._falls else max(self._top, self._base - _LEVEL * line)
            self._bands = self._placed(life)
        self.forget_still()

    def _x(self, position: float) -> int:
        """Return the place of a position; positions before the token was made are at the left."""
        begin, end = log10(self._begin), log10(self._end)
        share = (log10(max(position, self._begin)) - begin) / (end - begin)
        return self._left + round(min(share, 1.0) * (self._right - self._left))

    def _y(self, count: int) -> int:
        return self._base - round(max(count, 0) / max(self._highest, 1) * (self._base - self._peak))

    def _placed(self, life: TokenLife) -> list[Band]:
        before = np.concatenate(([life.initial or 0], life.counts))[:-1]
        return [
            Band(event, self._x(step + 1), self._y(count), self._y(count + change))
            for event, (step, count, change) in enumerate(
                zip(life.steps.tolist(), before.tolist(), life.changes.tolist(), strict=True)
            )
            if change < 0
        ]

    # -- painting ----------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        self.paint_still(painter)
        if self._history is not None and self._life is not None:
            self._paint_cursor(painter, self._life)
            painter.setFont(self._font)
            for band in self._bands:
                self._paint_name(painter, self._history, self._life, band)

    def draw_still(self, painter: QPainter) -> None:
        history, life, theme = self._history, self._life, self._theme
        if history is None or life is None:
            return
        painter.setFont(self._font)
        self._paint_axis(painter)
        self._paint_area(painter, life)
        colouring, by = TokenColouring(history, self._frequencies), theme.colour_by
        coloured = 0
        for band in self._bands:
            height, width = band.bottom - band.top, self._right - band.left
            if height < _THIN:
                painter.fillRect(band.left, band.top, width, max(height, 1), brush(theme.border))
                continue
            consumer = int(history.new_id[int(life.steps[band.event])])
            fill = fill_of(colouring, consumer, by, coloured % TOKEN_COLOURS)
            colour = brush(theme.token_fills.all_colours[fill])
            painter.fillRect(band.left, band.top, width, height - 1, colour)
            coloured += 1
        self._paint_own_name(painter, history, life)

    def _paint_axis(self, painter: QPainter) -> None:
        theme, line = self._theme, self._metrics.height()
        painter.fillRect(self._left, self._base, self._right - self._left, 1, brush(theme.border))
        painter.setPen(pen(theme.muted))
        whole = [(10**power, power_text(power)) for power in powers(log10(self._end), 8)]
        # The first says what is counted along the axis.
        begin, end = f"merge {self._begin:,}", f"{round(self._end):,}"
        ends = [(float(self._begin), begin), (self._end, end)]
        marks = [*ends, *(mark for mark in whole if mark[0] > self._begin)]
        taken: list[tuple[int, int]] = []
        for merge, text in marks if self._last > self._begin else ends[:1]:
            width = self._metrics.horizontalAdvance(text)
            x = min(max(self._x(merge) - width // 2, self._left), self._right - width)
            if all(x > right + _PADDING or x + width + _PADDING < left for left, right in taken):
                painter.drawText(x, self._base + 2, width, line, CENTERED, text)
                painter.fillRect(self._x(merge), self._base, 1, 4, brush(theme.border))
                taken.append((x, x + width))

    def _paint_area(self, painter: QPainter, life: TokenLife) -> None:
        fill = brush(self._theme.selection)
        edges = [self._begin, *(life.steps + 1).tolist(), self._end]
        counts = [life.initial or 0, *life.counts.tolist()]
        for (begin, end), count in zip(pairwise(edges), counts, strict=True):
            left, top = self._x(begin), self._y(count)
            painter.fillRect(left, top, self._x(end) - left, self._base - top, fill)

    def _paint_name(self, painter: QPainter, history: History, life: TokenLife, band: Band) -> None:
        height, room = band.bottom - band.top, self._right - band.left - 2 * _PADDING
        if height < self._metrics.ascent() or room < 2 * self._metrics.height():
            return
        name = label(history.token_bytes(int(history.new_id[int(life.steps[band.event])])))
        left, width = band.left + _PADDING, self._metrics.horizontalAdvance(name)
        painter.setPen(pen(self._theme.token_text))
        if width > room:
            name = self._metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(left, band.top, room, height - 1, AT_LEFT, name)
        count = f"{-int(life.changes[band.event]):,}"
        beside = width + 2 * _PADDING
        if beside + self._metrics.horizontalAdvance(count) <= room:
            painter.setPen(pen(self._theme.token_muted))
            painter.drawText(left + beside, band.top, room - beside, height - 1, AT_LEFT, count)

    def _paint_own_name(self, painter: QPainter, history: History, life: TokenLife) -> None:
        painter.setPen(pen(self._theme.text))
        say = wording.highest if self._falls else wording.level
        text = say(label(history.token_bytes(life.token)), self._highest)
        width = self._right - self._left
        shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        painter.drawText(self._left, 0, width, self._top - 2, AT_LEFT, shown)

    def _paint_cursor(self, painter: QPainter, life: TokenLife) -> None:
        theme, x = self._theme, self._x(self._position)
        if self._position < self._begin and not life.initial:
            x = self._left
        veil = brush(_VEILED + theme.panel[1:])
        painter.fillRect(x, self._top, self._right - x, self._base - self._top, veil)
        marked = {self.hovered, self._current if self.hasFocus() else None}
        for band in self._bands:
            if band.event in marked:
                painter.setPen(pen(theme.accent, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                height = max(band.bottom - band.top, 3)
                painter.drawRect(band.left, band.top, self._right - band.left - 1, height - 1)
        painter.fillRect(x - 1, self._top - 2, 2, self._base - self._top + 4, brush(theme.accent))

    # -- mouse and keyboard ----------------------------------------------------------------------

    def place_at(self, point: QPoint) -> int | None:
        if self._life is None:
            return None
        for band in reversed(self._bands):
            if point.x() >= band.left and band.top <= point.y() < max(band.bottom, band.top + 1):
                return band.event
        return None

    def place_of(self, event: int) -> QPoint:
        """Return the left end of the band of an event, in the viewport."""
        band = next(band for band in self._bands if band.event == event)
        return QPoint(band.left + 1, (band.top + band.bottom) // 2)

    def tooltip_at(self, point: QPoint) -> str:
        history, life, event = self._history, self._life, self.place_at(point)
        if history is None or life is None:
            return ""
        if event is not None:
            return tooltip(wording.event_lines(history, life, event))
        if not self._top <= point.y() <= self._base:
            return ""
        position = self._position_at(point.x())
        return tooltip(wording.count_lines(life.count_at(position) or 0, position))

    def _position_at(self, x: int) -> int:
        share = (x - self._left) / max(1, self._right - self._left)
        begin, end = log10(self._begin), log10(self._end)
        return round(10 ** (begin + min(max(share, 0.0), 1.0) * (end - begin)))

    def press(self, place: int) -> None:
        assert self._life is not None
        self._current = place
        self.viewport().update()
        self._describe()
        self.stepChosen.emit(int(self._life.steps[place]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, life = Qt.Key(event.key()), self._life
        if life is None or not len(life) or key not in MOVES | _ENTER:
            super().keyPressEvent(event)
        elif key in _ENTER:
            self.stepChosen.emit(int(life.steps[self._current]))
        else:
            last = len(life) - 1
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                self._current = 0 if key == Qt.Key.Key_Home else last
            else:
                self._current += 1 if key in _FORWARD else -1
            self._current = max(0, min(self._current, last))
            self.viewport().update()
            self._describe()

    def _describe(self) -> None:
        history, life = self._history, self._life
        if history is None or life is None:
            self.describe(self.message)
        elif not len(life):
            self.describe(wording.NEVER_MERGED)
        else:
            told = ". ".join(wording.event_lines(history, life, self._current))
            self.describe(f"{self._current + 1:,} of {len(life):,}: {told}")

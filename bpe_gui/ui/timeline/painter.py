"""How the timeline is drawn: where things stand, and in which colours.

What costs time is done when the size, the theme, the bookmarks or the run change; a frame
only puts together what is there.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.bookmarks import Bookmark
from bpe_gui.ui.theme.painting import target_of
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.timeline.strip import Strip
from bpe_gui.ui.widgets.scales import merges_to_show

_MARGIN = 9
_FLAGS = 15
"""The height of the zone at the top where the bookmarks stand."""
_STRIP, _BELOW = 26, 7
"""The height of the strip under it, and of what is left below."""
_NAME = 11
"""The size of the names of bookmarks."""
_KNOB = 5
_FLAG = 9
_NAME_GAP = 12
"""All in pixels, for text of the plain size."""
_NOTHING = "Open a corpus to see its run."


@dataclass(slots=True)
class Flag:
    """A bookmark as it is drawn: where it stands, and as much of its name as has room."""

    bookmark: Bookmark
    x: int
    text: str
    right: int
    """Where the flag and its name end."""


class TimelineDrawing:
    """Draws a run of a history, a cursor and flags into a widget of a given size."""

    def __init__(self, font: QFont) -> None:
        self.flags: list[Flag] = []
        self.room = 1.0
        """How many merges the strip has room for."""
        self._history: History | None = None
        self._bookmarks: list[Bookmark] = []
        self._length = 0
        self._width = 200
        self._strip_width = 100
        self._strip = Strip()
        self.set_font(font)
        self.prepare()

    # -- what the drawing depends on -------------------------------------------------------

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._strip.take_colours(theme)
        self._background = QBrush(QColor(theme.window))
        self._known = QBrush(QColor(theme.border))
        self._empty = QBrush(QColor(theme.grid))
        self._end = QBrush(QColor(theme.muted))
        self._cursor = QBrush(QColor(theme.accent))
        self._knob_pen = QPen(QColor(theme.window), 2)
        self._flag = QBrush(QColor(theme.text))
        self._text_pen = QPen(QColor(theme.text))
        self._muted_pen = QPen(QColor(theme.muted))
        self._focus_pen = QPen(QColor(theme.accent))

    def set_font(self, font: QFont) -> None:
        """Take another font for the position, and a smaller one for the names of bookmarks."""
        self._font = QFont(font)
        self._small = QFont(font)
        self._small.setPixelSize(max(9, scaled(_NAME, font)))
        self._metrics = QFontMetrics(self._font)
        self._small_metrics = QFontMetrics(self._small)
        self.flags_height = max(_FLAGS, scaled(_FLAGS, font))
        """The zone at the top where the bookmarks stand, in pixels."""
        strip = max(_STRIP, self._metrics.height())
        self._base = self.flags_height + strip
        self.height = self._base + max(_BELOW, scaled(_BELOW, font))
        """Of all that is drawn, in pixels."""
        self._knob = max(_KNOB, scaled(_KNOB, font))
        self._name_gap = scaled(_NAME_GAP, font)
        flag = scaled(_FLAG, font)
        tips = (0, 0), (flag, flag / 2 - 0.5), (0, flag - 1)
        self._pennant = QPolygonF([QPointF(x, y) for x, y in tips])
        # Room for five digits at least, so that the strip stays where it is as a run grows.
        self._least_text = self._text_width(99_999)

    def resize(self, width: int) -> None:
        """Lay everything out for another width."""
        self._width = width
        self.prepare()

    def set_history(self, history: History | None) -> None:
        """Draw another run."""
        self._history = history
        self.prepare()

    def set_bookmarks(self, bookmarks: list[Bookmark]) -> None:
        """Draw other flags."""
        self._bookmarks = bookmarks
        self._place_flags()

    def prepare(self) -> None:
        """Take in what the history has grown by, and all else that changed."""
        history = self._history
        self._length = len(history) if history is not None else 0
        self.room = 1.0
        if history is not None:
            self.room = float(max(1, merges_to_show(history), self._length))
        text = max(self._least_text, self._text_width(int(self.room)))
        self._strip_width = max(20, self._width - 3 * _MARGIN - text)
        if self._bookmarks:
            self._place_flags()

    # -- where things stand ----------------------------------------------------------------

    def _text_width(self, greatest: int) -> int:
        """The width of the position as text, wherever in such a run it is."""
        return self._metrics.horizontalAdvance(f"{greatest:,} / {greatest:,}")

    def x_of(self, position: int) -> int:
        """Where a position stands, in pixels from the left edge of the widget."""
        return _MARGIN + round(position / self.room * self._strip_width)

    def position_at(self, x: float) -> int:
        """The position nearest to a place, which may lie outside the run."""
        return round((x - _MARGIN) / self._strip_width * self.room)

    def flag_at(self, x: float, y: float) -> Flag | None:
        """The flag at a place; the last of those that stand on one another."""
        if not 0 <= y < self.flags_height + 3:
            return None
        found = [flag for flag in self.flags if flag.x - 3 <= x <= flag.right]
        return found[-1] if found else None

    def _place_flags(self) -> None:
        """Give each name the room that the next flag leaves it."""
        self.flags = []
        xs = [self.x_of(bookmark.position) for bookmark in self._bookmarks]
        end = _MARGIN + self._strip_width
        for index, (bookmark, x) in enumerate(zip(self._bookmarks, xs, strict=True)):
            following = xs[index + 1] if index + 1 < len(xs) else max(end, x) + _MARGIN
            space = following - x - self._name_gap - 4
            text = bookmark.name
            if self._small_metrics.horizontalAdvance(text) > space:
                text = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, space)
            if len(text) < 2 and text != bookmark.name:
                text = ""
            right = x + self._name_gap + self._small_metrics.horizontalAdvance(text)
            self.flags.append(Flag(bookmark, x, text, right))

    # -- drawing ---------------------------------------------------------------------------

    def draw(self, painter: QPainter, position: int, *, focused: bool) -> None:
        """Draw all of it for a position."""
        painter.fillRect(0, 0, self._width, self.height, self._background)
        if self._history is None:
            painter.setFont(self._font)
            painter.setPen(self._muted_pen)
            painter.drawText(_MARGIN, self._base - 8, _NOTHING)
            return
        x, left, width = self.x_of(position), _MARGIN, self._strip_width
        self._draw_strip(painter, self._history, x)
        end = self.x_of(self._length)
        painter.fillRect(left, self._base, width, 1, self._empty)
        painter.fillRect(left, self._base, end - left, 1, self._known)
        top, height = self.flags_height, self._base - self.flags_height
        if self._length:
            painter.fillRect(end, top + 2, 1, height + 3, self._end)
        self._draw_flags(painter, position)
        painter.fillRect(x - 1, top - 1, 2, height, self._cursor)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._knob_pen)
        painter.setBrush(self._cursor)
        size = self._knob + 2 if focused else self._knob + 1
        painter.drawEllipse(x - size, self._base - size, 2 * size, 2 * size)
        if focused:
            painter.setPen(self._focus_pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(x - size, self._base - size, 2 * size, 2 * size)
        self._draw_text(painter, position)

    def _draw_strip(self, painter: QPainter, history: History, x: int) -> None:
        target = target_of(painter)
        cut = min(max(x - _MARGIN, 0), self._strip_width)
        painter.save()
        painter.translate(_MARGIN, self.flags_height)
        if target.keeps_text:
            self._draw_shape(painter, history, cut)
        else:
            self._draw_pictures(painter, history, cut, target.scale)
        painter.restore()

    def _draw_shape(self, painter: QPainter, history: History, cut: int) -> None:
        size = self._strip_width, self._base - self.flags_height
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for part, brush in (
            ((0, cut), self._strip.done_brush),
            ((cut, self._strip_width), self._strip.ahead_brush),
        ):
            painter.setBrush(brush)
            painter.drawPolygon(self._strip.shape(history, self.room, size, part))

    def _draw_pictures(self, painter: QPainter, history: History, cut: int, scale: float) -> None:
        height, width, strip = self._base - self.flags_height, self._strip_width, self._strip
        columns = max(1, round(width * scale))
        strip.draw(history, self.room, columns, round(height * scale), scale)
        pixels, rows = round(cut * scale), strip.done.height()
        if cut:
            painter.drawPixmap(0, 0, cut, height, strip.done, 0, 0, pixels, rows)
        if cut < width:
            rest = strip.ahead.width() - pixels
            painter.drawPixmap(cut, 0, width - cut, height, strip.ahead, pixels, 0, rest, rows)

    def _draw_flags(self, painter: QPainter, position: int) -> None:
        if not self.flags:
            return
        painter.setFont(self._small)
        for flag in self.flags:
            here = flag.bookmark.position == position
            brush = self._cursor if here else self._flag
            painter.fillRect(flag.x, 2, 1, self._base - 2, self._end)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(brush)
            painter.translate(flag.x, 3)
            painter.drawPolygon(self._pennant)
            painter.translate(-flag.x, -3)
            if flag.text:
                painter.setPen(self._text_pen if here else self._muted_pen)
                painter.drawText(flag.x + self._name_gap, self.flags_height - 4, flag.text)

    def _draw_text(self, painter: QPainter, position: int) -> None:
        painter.setFont(self._font)
        total = f" / {self._length:,}"
        right = self._width - _MARGIN
        split = right - self._metrics.horizontalAdvance(total)
        baseline = (self.flags_height + self._base) // 2 + self._metrics.ascent() // 2
        painter.setPen(self._muted_pen)
        painter.drawText(split, baseline, total)
        shown = f"{position:,}"
        painter.setPen(self._text_pen)
        painter.drawText(split - self._metrics.horizontalAdvance(shown), baseline, shown)

"""The picture of a text and a run: what is in view, pointed at, and chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.panels.space_time import wording
from bpe_gui.ui.panels.space_time.layout import (
    NO_STRIP,
    Columns,
    Layout,
    Line,
    Picture,
    Place,
    View,
    columns_of,
)
from bpe_gui.ui.panels.space_time.painting import (
    BESIDE,
    LARGEST_TEXT,
    SMALLEST_TEXT,
    BandToken,
    SpaceTimePainter,
    band_of,
    note_font,
    numbers_beside,
)
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.token_words import describe, tooltip
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from bpe_gui.ui.widgets.canvas import MOVES, Canvas

_REACH = 9
"""How far from a boundary the mouse may be, in pixels."""
_KEPT_ADVANCES = 10_000
_MEASURED = 64
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_FORWARD = frozenset({Qt.Key.Key_Right, Qt.Key.Key_Down})


class SpaceTimeCanvas(Canvas[Place]):
    """Draws a text from left to right, and below it a run from top to bottom.

    What does not depend on the cursor is painted once. One boundary is current: Left and Right go
    to its neighbours, Up and Down in the order of the merges; Enter or a click goes to its merge.
    Among strips Up and Down go from one to the next.
    """

    least_room = QSize(160, 80)
    tokenChosen = Signal(int)
    """A token that the user clicked, or that the chosen merge made."""
    positionChosen = Signal(int)
    """Where the cursor shall go."""
    viewChanged = Signal()
    """Emitted when other characters or strips are in view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("spaceTimeCanvas", "Space and time", parent)
        self.current = 0
        """The boundary that the keyboard is at, by the symbol after it, or the strip."""
        self._picture: Picture | None = None
        self._view = View.BOUNDARIES
        self._layout: Layout | None = None
        self._position = 0
        self._now: TokenizedText | None = None
        self._band: list[BandToken] = []
        self._token = NO_TOKEN
        self._advances: dict[str, float] = {}
        ThemeFollower(self, self._take_colours)
        RoomFollower(self.viewport(), self._fit)

    def _take_colours(self, theme: Theme) -> None:
        if self._picture is not None and self._now is not None:
            self._band = band_of(self._picture, self._position, self._now, theme.colour_by)
        self._fit()

    @Slot()
    def recolour(self) -> None:
        """Draw tokens in other colours, if these depend on the position."""
        if self._theme.colour_by is ColourBy.FREQUENCY:
            self._take_colours(self._theme)

    # -- what is shown -------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        if self._picture is None and message == self.message:
            return
        self._picture, self._now, self.message = None, None, message
        self.hovered = None
        self._fit()
        self.describe(message)

    def set_picture(self, picture: Picture, view: View) -> None:
        """Show another text, run or view; the current boundary stays if it can."""
        known = self._picture
        same = known is not None and known.data == picture.data and view is self._view
        self._picture, self._view, self._now, self.message = picture, view, None, ""
        if not same:
            self.current = 0
            self.verticalScrollBar().setValue(0)
        self.current = max(self._first, min(self.current, self._last))
        self.hovered = None
        self._columns = self._measured(picture)
        self._fit()
        self._describe()

    def set_position(self, position: int, now: TokenizedText) -> None:
        """Move the cursor; `now` is the text with its tokens there."""
        if self._picture is None or (position == self._position and now is self._now):
            return
        if now is not self._now:
            self._band = band_of(self._picture, position, now, self._theme.colour_by)
        self._position, self._now = position, now
        self.viewport().update()

    def select_token(self, token: int) -> None:
        if token != self._token:
            self._token = token
            self.forget_still()

    @property
    def _first(self) -> int:
        return int(self._view is View.BOUNDARIES)

    @property
    def _last(self) -> int:
        if self._picture is None:
            return 0
        strips = self._view is View.STRIPS
        return len(self._picture.positions if strips else self._picture.symbols) - 1

    def _measured(self, picture: Picture) -> Columns:
        font = QFont(self.font())
        font.setPixelSize(_MEASURED)
        metrics, advances = QFontMetricsF(font), self._advances
        if len(advances) > _KEPT_ADVANCES:
            advances.clear()

        def advance(text: str) -> float:
            if text not in advances:
                advances[text] = metrics.horizontalAdvance(text) / _MEASURED
            return advances[text]

        return columns_of(picture.symbols, picture.glyphs, picture.data, advance)

    # -- size ------------------------------------------------------------------------------

    def _fit(self) -> None:
        picture, height, whole = self._picture, 0, 0
        self._layout = None
        if picture is not None:
            sizes = SMALLEST_TEXT, LARGEST_TEXT
            smallest, largest = (scaled(size, self.font()) for size in sizes)
            self._layout = Layout(
                self._columns,
                picture.symbols,
                self._view,
                len(picture.positions),
                range(smallest, largest + 1),
                (self.viewport().width(), self.height()),
                self._margins(picture),
            )
            self._painter = SpaceTimePainter(self._theme, picture, self._layout, self.font())
            height, whole = self._layout.height, self._layout.whole(self.height())
        self.fit_viewport(whole)
        self.fit_scroll_bar(height, max(20, self.viewport().height() // 8))
        self.forget_still()
        self.viewChanged.emit()

    def _margins(self, picture: Picture) -> Callable[[int], tuple[int, int]]:
        sides = numbers_beside(picture, self._view)

        def margins(size: int) -> tuple[int, int]:
            advance = QFontMetrics(note_font(self.font(), size)).horizontalAdvance
            left, right = (max(map(advance, side), default=0) for side in sides)
            return left + 2 * BESIDE, right + 2 * BESIDE

        return margins

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.forget_still()
        self.viewChanged.emit()

    def in_view(self) -> tuple[int, int, int, int]:
        """Return what is seen whole: the first and last character, strips and all strips."""
        picture, layout = self._picture, self._layout
        if picture is None or layout is None or not (lines := self._lines(layout)):
            return 0, 0, 0, 0
        room, height = self.viewport().height(), layout.line_height - layout.between
        whole = [line for line, top in lines if top >= 0 and top + height <= room]
        strips = layout.strips
        if not whole:
            (line, top), *_ = lines
            whole, head = [line], layout.head + top
            strips = min(strips, (room - head) // layout.strip)
        first, last = whole[0].first, whole[-1].last
        starts, ends = picture.symbols.starts, picture.symbols.ends
        begin = int(starts[first]) if first else 0
        end = int(ends[:last].max()) if last < len(ends) else len(picture.data)
        before, up_to = (
            len(picture.data[:place].decode("utf-8", "replace")) for place in (begin, end)
        )
        return before, up_to, strips, layout.strips

    def _lines(self, layout: Layout) -> list[tuple[Line, int]]:
        """Return the lines in view with their tops; a small picture is in the middle."""
        low, height = self.viewport().height(), layout.line_height
        offset = max(0, low - layout.height) // 2 - self.verticalScrollBar().value()
        return [
            (line, line.top + offset) for line in layout.lines if -height < line.top + offset < low
        ]

    # -- painting ----------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        self.paint_still(painter)
        if self._picture is not None and self._layout is not None:
            self._paint_moving(painter, self._picture, self._layout)

    def draw_still(self, painter: QPainter) -> None:
        if self._layout is not None:
            for line, top in self._lines(self._layout):
                self._painter.paint_line(painter, line, top, self.viewport().width(), self._token)

    def _paint_moving(self, painter: QPainter, picture: Picture, layout: Layout) -> None:
        """Paint the cursor, and what the mouse or the keyboard is at."""
        if self._view is View.STRIPS and not picture.goes_by_size:
            return
        if self._view is View.STRIPS:
            reached = int(np.searchsorted(picture.positions, self._position, side="right")) - 1
            for _, top in self._lines(layout):
                self._painter.paint_reached(painter, top, reached)
                if self.hasFocus():
                    self._painter.paint_focus(painter, top, self.current, self.viewport().width())
            return
        marked = self._marked(picture)
        for line, top in self._lines(layout):
            self._painter.paint_marked(painter, line, top, marked)
            self._painter.paint_cursor(painter, line, top, self._position, self._band)

    def _marked(self, picture: Picture) -> set[int]:
        steps = picture.symbols.merge_step
        marked = set(np.flatnonzero(steps == self._position - 1).tolist())
        if self.hovered is not None and not self.hovered.is_token:
            marked.add(self.hovered.symbol)
        if self.hasFocus():
            marked.add(self.current)
        return marked

    # -- what is pointed at --------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Place | None:
        picture, layout = self._picture, self._layout
        if picture is None or layout is None:
            return None
        for line, top in self._lines(layout):
            y = point.y() - top - layout.head
            if not 0 <= y < layout.line_height - layout.head:
                continue
            if self._view is View.STRIPS:
                return self._token_at(picture, layout, line, point.x(), y // layout.strip)
            if y < layout.body:
                return self._boundary_at(picture, layout, line, point.x(), y)
            if y < layout.body + layout.foot:
                return self._token_at(picture, layout, line, point.x(), len(picture.positions) - 1)
        return None

    def _boundary_at(
        self, picture: Picture, layout: Layout, line: Line, x: int, y: int
    ) -> Place | None:
        edges = layout.edges[line.first + 1 : line.last]
        if not len(edges):
            return None
        nearest = int(np.argmin(np.abs(edges - x)))
        symbol = line.first + 1 + nearest
        step = picture.step(symbol)
        end = layout.body if step is None else self._painter.axis.y(step + 1) + _REACH
        near = abs(int(edges[nearest]) - x) <= _REACH and y <= end
        return Place(symbol, NO_STRIP) if near else None

    def _token_at(
        self, picture: Picture, layout: Layout, line: Line, x: int, strip: int
    ) -> Place | None:
        right = layout.right[line.first : line.last]
        symbol = line.first + int(np.searchsorted(right, x, side="right"))
        if strip >= len(picture.positions) or symbol >= line.last or x < layout.left[symbol]:
            return None
        return Place(int(picture.firsts(strip)[picture.token_at(symbol, strip)]), strip)

    def place_of(self, place: Place) -> QPoint:
        """Return where a boundary ends, or the middle of a token's first symbol."""
        picture, layout = self._picture, self._layout
        assert picture is not None
        assert layout is not None
        tops = (top for line, top in self._lines(layout) if place.symbol < line.last)
        top = next(tops) + layout.head
        if not place.is_token:
            step = picture.step(place.symbol)
            y = layout.body // 2 if step is None else self._painter.axis.y(step + 1)
            return QPoint(int(layout.edges[place.symbol]), top + y)
        y = layout.body + layout.foot // 2
        if self._view is View.STRIPS:
            y = place.strip * layout.strip + layout.strip // 2
        return QPoint(int(layout.left[place.symbol] + layout.right[place.symbol]) // 2, top + y)

    def tooltip_at(self, point: QPoint) -> str:
        place, picture = self.place_at(point), self._picture
        if place is None or picture is None:
            return ""
        if not place.is_token:
            return tooltip(_told_of_boundary(picture, place.symbol))
        token = picture.token_at(place.symbol, place.strip)
        lines = describe(picture.cuts[place.strip], token, picture.history_of(place.strip))
        if self._view is View.STRIPS:
            lines.append(_told_of_strip(picture, place.strip))
        return tooltip(lines)

    def _describe(self) -> None:
        picture = self._picture
        if picture is None:
            return
        if self._view is View.STRIPS:
            self.describe(_told_of_strip(picture, self.current))
        elif self.hasFocus() and self._last > 0:
            lines = _told_of_boundary(picture, self.current)
            self.describe(wording.spoken_boundary(self.current, self._last, lines))
        else:
            merges = len(picture.history)
            self.describe(wording.spoken(len(picture.symbols), len(picture.cuts[-1]), merges))

    # -- mouse and keyboard ----------------------------------------------------------------------

    def press(self, place: Place) -> None:
        if self._view is View.STRIPS:
            self.current = place.strip
        elif not place.is_token:
            self.current = place.symbol
        self._choose(place)
        self.viewport().update()
        self._describe()

    def _choose(self, place: Place) -> None:
        picture = self._picture
        assert picture is not None
        if not place.is_token:
            step = picture.step(place.symbol)
            if step is not None:
                self.tokenChosen.emit(int(picture.history.new_id[step]))
                self.positionChosen.emit(step + 1)
            return
        if not picture.goes_by_size:
            return
        token = int(picture.cuts[place.strip].ids[picture.token_at(place.symbol, place.strip)])
        if token != NO_TOKEN:
            self.tokenChosen.emit(token)
        if self._view is View.STRIPS:
            self.positionChosen.emit(picture.positions[place.strip])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, picture = Qt.Key(event.key()), self._picture
        if picture is None or self._last < 1 or key not in MOVES | _ENTER:
            super().keyPressEvent(event)
        elif key not in _ENTER:
            self.current = max(self._first, min(self._moved(picture, key), self._last))
            self._reveal()
            self.viewport().update()
            self._describe()
        elif self._view is View.STRIPS:
            if picture.goes_by_size:
                self.positionChosen.emit(picture.positions[self.current])
        else:
            self._choose(Place(self.current, NO_STRIP))

    def _moved(self, picture: Picture, key: Qt.Key) -> int:
        """Return where a key leads to, which may be beyond the ends."""
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return self._first if key == Qt.Key.Key_Home else self._last
        by = 1 if key in _FORWARD else -1
        if self._view is View.STRIPS or key in _SIDEWAYS:
            return self.current + by
        order = picture.symbols.in_time()
        if not len(order):
            return self.current
        found = np.flatnonzero(order == self.current)
        at = int(found[0]) + by if len(found) else 0
        return int(order[max(0, min(at, len(order) - 1))])

    def _reveal(self) -> None:
        layout, bar = self._layout, self.verticalScrollBar()
        assert layout is not None
        top, height = 0, layout.line_height
        if self._view is View.BOUNDARIES:
            top = layout.line_of(self.current).top
        elif self.current:
            top, height = layout.head + self.current * layout.strip, layout.strip
        bar.setValue(max(min(bar.value(), top), top + height - bar.pageStep()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._describe()


def _told_of_boundary(picture: Picture, symbol: int) -> list[str]:
    return wording.boundary_lines(
        picture.history,
        picture.step(symbol),
        wording.between(*picture.beside(symbol)),
        word=bool(picture.symbols.begins_word[symbol]),
    )


def _told_of_strip(picture: Picture, strip: int) -> str:
    position = picture.positions[strip]
    size = picture.history_of(strip).vocabulary_size(position)
    if not picture.goes_by_size:
        return wording.recipe_text(picture.names[strip], size, len(picture.cuts[strip]))
    return wording.strip_text(position, size, len(picture.cuts[strip]))

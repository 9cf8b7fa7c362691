"""The most frequent pairs at a position, as bars that compete for the next merge.

Where the bars get their numbers: `PairChart._take_counts` reads them from the history, and
`PairRows.show` makes of each count a bar on the scale of the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import (
    QEasingCurve,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QPainter,
)

from bpe_gui.analysis.explain import Explanation
from bpe_gui.analysis.next_merge import will_be_merged
from bpe_gui.analysis.pair_changes import PairChange, pair_changes
from bpe_gui.bpe.history import NO_TOKEN, TOP, History
from bpe_gui.exporting.tables import pair_lines
from bpe_gui.ui.panels.pairs.foot import ChartFoot
from bpe_gui.ui.panels.pairs.rows import Drain, PairRow, PairRows
from bpe_gui.ui.panels.pairs.wording import (
    NEXT,
    TIE,
    gains,
    lost,
    mark,
    scale_ends,
    spoken,
    tooltip,
    why_empty,
)
from bpe_gui.ui.theme.painting import AT_LEFT, AT_RIGHT, brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.tokens.box_pictures import PairPainter
from bpe_gui.ui.widgets.canvas import Canvas
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_SLIDE_MILLISECONDS = 200
"""How long rows move to their places."""
_SMALLEST_TEXT, _LARGEST_TEXT = 11, 30
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""
_MARGIN = 8
_TOP_MARGIN = 4
_LEAST_ROW = 1.15
"""The height of a row, in that of the text of the window: fewer rows rather than smaller text."""
_BAR_HEIGHT = 0.62
"""Of the height of a row."""
_STAR = 1.5
"""The width of the star and the space before it, in digits."""
_FEWEST_LETTERS, _MOST_LETTERS, _SHORTEST_BAR = 8, 22, 1.5
"""Widths of a pair and of the longest bar, in sizes of the text."""
_FEWEST_MARK = 4
"""The least width of the marks beside the bars, in digits."""
_LEAST_MARKED = 5.0
"""The least width of bars that have marks, in sizes of the text."""
_FEWEST_OF_GAIN = 8
"""Characters of the first pair that a bar drains into, with the arrow before it."""
_DROP = 0.3
"""The thickness of what flows from bar to bar, in that of a bar."""
_LEFT_ROW = 0.6
"""What flows from a bar is drawn once it is this far below the middle of its row, in rows."""
_BREAK = 5
"""Where the bars that do not begin at 0 are broken, in pixels from their beginning."""


class Place(NamedTuple):
    """The rank of a row, counted from 0, and the token of its pair that a click selects."""

    rank: int
    token: int


class PairChart(Canvas[Place]):
    """Up to twenty pairs, the winner first, all drawn for (history, position).

    While the position changes, the rows move to their new places; the counts and the ranks
    that are written are always those of a position. When the cursor has gone one merge further,
    the bar of the merged pair drains into those that are new before the rows move: meanwhile the
    counts are those before it, with what each pair loses beside them. One row is
    current: Up, Down, PageUp and PageDown move it, Enter or a click selects its pair.
    """

    pairSelected = Signal(int, int)
    """Left and right id, when the user clicks a row or presses Enter on it."""
    tokenSelected = Signal(int)
    """The id of the token that the user clicked; after Enter the later one of the pair."""
    slid = Signal()
    """Rows have set out, or have come to their places; see `slides`."""
    menuWanted = Signal(int, int, QPoint)
    """Left and right id of a pair that the user asks what to do with, and where on the screen."""

    room = QSize(380, 440)
    least_room = QSize(280, 120)
    # Where an opaque viewport fills its panel, the panel counts as hidden and is not drawn.
    opaque = False

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("pairChart", "Pair frequencies", parts.parent)
        self.history: History | None = None
        """The run that is shown; another one is shown a frame after it came into view."""
        self.position = 0
        """The position whose pairs are shown."""
        self._queries = parts.queries
        self._queries.forbiddenCounted.connect(self.set_forbidden_counts)
        self._queries.explained.connect(self._take_explanation)
        self._explanation: Explanation | None = None
        self._rows = PairRows()
        self._certain = True
        self._animated = True
        self._motion = parts.motion
        self._motion.progressed.connect(self._follow_motion)
        self._motion.ended.connect(self._end_drain)
        self._slide = QVariantAnimation(
            self, startValue=0.0, endValue=1.0, duration=_SLIDE_MILLISECONDS
        )
        """Moves the rows to their places."""
        self._slide.setObjectName("pairSlide")
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.valueChanged.connect(self._move_rows)
        self._slide.stateChanged.connect(self.slid)
        self._current = 0
        self._token = NO_TOKEN
        self._bar_rectangle = QRectF()
        self._pairs = PairPainter()
        ThemeFollower(self, self._pairs.take_colours)
        self._changes: dict[tuple[int, int], PairChange] = {}
        self._marks: dict[tuple[int, int], str] = {}
        """What is written beside the bars about these changes."""
        self._has_marks = False
        """Whether there is room for them."""
        self._foot = ChartFoot()
        self._asked: tuple[History | None, int] = (None, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._fit()
        RoomFollower(self, self._fit)
        self._take_counts()

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        self.history, self.position = history, 0
        self._rows.clear()
        self._current = 0
        self._token = NO_TOKEN
        self._asked = None, 0
        self._foot.clear()
        self._explanation = None
        self._take_counts()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return the most frequent pairs as lines for a file; None without a run."""
        return None if self.history is None else pair_lines(self.history, self.position)

    def show_position(self, position: int, moving: bool) -> None:
        if self.history is None:
            return
        certain = will_be_merged(self.history, position)
        if position == self.position and certain == self._certain:
            if not moving:
                self._update_accessible()
                self._ask()
            return
        steps = position - self.position
        self.position = position
        self._take_counts(moving=moving, drains=steps == 1)
        if not moving:
            self._ask()

    def _ask(self) -> None:
        """Ask how often forbidden pairs occur, which is not in the history."""
        history, position = self.history, self.position
        if history is None or self._asked == (history, position):
            return
        if self._foot.lacks_counts(history, position):
            self._asked = history, position
            self._queries.count_forbidden(position)

    @Slot(object, int, object)
    def set_forbidden_counts(
        self, history: History, position: int, counts: Mapping[tuple[int, int], int]
    ) -> None:
        """Take how often the forbidden pairs of a position occur there."""
        self._foot.set_counts(history, position, counts)
        self._update_accessible()
        self.viewport().update()

    @Slot(object)
    def _take_explanation(self, explanation: Explanation) -> None:
        """Keep what another panel has asked about a merge: it may be the one that is seen next."""
        self._explanation = explanation

    @property
    def current_pair(self) -> tuple[int, int] | None:
        """The current row's pair, which is the winner until the user goes to another."""
        if self._current >= len(self._rows):
            return None
        row = self._rows[self._current]
        return row.left, row.right

    def set_animated(self, animated: bool) -> None:
        """Let rows move to their places (the default), or put them there at once."""
        self._animated = animated
        if not animated:
            self._settle()

    def select_token(self, token: int) -> None:
        self._token = token
        self.viewport().update()

    def _take_counts(self, *, moving: bool = False, drains: bool = False) -> None:
        """Read the pairs and their counts from the history, and move the rows there.

        While the cursor is `moving` fast they are there at once: on the way none could be read.
        `drains`: whether the merge that has just been done may be seen.
        """
        history = self.history
        moves = self._animated and self.isVisible() and not moving
        if history is None:
            self._rows.clear()
            self._changes = {}
        else:
            before = self.current_pair
            top, chosen = history.top(self.position), history.next_pair(self.position)
            if drains and moves and self._motion.shows(self.position):
                token = int(history.new_id[self.position - 1])
                self._rows.show_merge(top, chosen, token)
            else:
                self._rows.show(top, chosen)
            self._changes = pair_changes(history, self.position)
            self._certain = will_be_merged(history, self.position)
            self._show_foot()
            # The current pair stays; if it is gone, its rank does.
            rank = self._rows.rank_of(*before) if before is not None else None
            if rank is None or rank >= self._visible_rows:
                rank = self._current
            self._current = max(0, min(rank, self._reachable_rows() - 1))
            self._lay_out()
        self._write_message()
        if moves and not self._rows.settled:
            self._go_on()
        else:
            self._settle()
        if not moving:
            self._update_accessible()
        self.viewport().update()

    def _write_message(self) -> None:
        told = why_empty(self.history, self.position, presents=self.presents)
        self.message = "" if len(self._rows) else told

    def _show_foot(self) -> None:
        """Show the foot of the position that the bars show: while one drains, that before it."""
        if self.history is None:
            return
        position = self.position - (self._rows.drain is not None)
        if self._foot.show(self.history, position):
            self._fit()

    def _drain_ended(self) -> None:
        self._show_foot()
        self._update_accessible()

    @Slot()
    def _end_drain(self) -> None:
        """Let the rows set out for their places, and tell the next merge."""
        if self._rows.drain is not None:
            self._rows.end_drain()
            self._drain_ended()
            self._go_on()
        self.viewport().update()

    @Slot()
    def _follow_motion(self) -> None:
        """Be as far as the merge that is under way, or for a picture as far after it."""
        if self._rows.drain is not None:
            self._rows.drain.go_to(self._motion.share)
            self.viewport().update()
        elif self._motion.is_held:
            self._move_rows(self._slide.easingCurve().valueForProgress(self._motion.rest))

    # -- moving ----------------------------------------------------------------------------

    @property
    def slides(self) -> bool:
        """Whether rows are on the way to their places."""
        return self._slide.state() is QVariantAnimation.State.Running

    def _go_on(self) -> None:
        """Let the merge lead that is under way, or else let rows move to their places."""
        self._slide.stop()
        if self._rows.drain is not None or self._motion.is_held:
            self._follow_motion()
        else:
            self._slide.start()

    @Slot(object)
    def _move_rows(self, share: float) -> None:
        self._rows.move(share)
        self.viewport().update()

    def _settle(self) -> None:
        self._slide.stop()
        drains = self._rows.drain is not None
        self._rows.settle()
        if drains:
            self._drain_ended()
        self.viewport().update()

    # -- what is drawn depends on ---------------------------------------------------------

    def _fit(self) -> None:
        least = max(16.0, _LEAST_ROW * QFontMetricsF(self.font()).height())
        self._foot.set_font(self.font())
        height = self.height() - 2 * _TOP_MARGIN - self._foot.height
        self._visible_rows = max(1, min(TOP, int(height / least)))
        drains = self._rows.drain is not None
        self._rows.see(self._visible_rows)
        if drains and self._rows.drain is None:
            self._drain_ended()
        self._row_height = max(1.0, height / self._visible_rows)
        smallest, largest = (scaled(size, self.font()) for size in (_SMALLEST_TEXT, _LARGEST_TEXT))
        size = max(smallest, min(largest, int(self._row_height * 0.62), self.width() // 26))
        self._pairs.set_size(self.font(), size)
        self._lay_out()
        self._write_message()
        self._current = max(0, min(self._current, self._reachable_rows() - 1))
        self.viewport().update()

    def _lay_out(self) -> None:
        """Share the width, in pixels from the left edge: what ends with `_end` is a right edge."""
        size, digit = self._pairs.size, self._pairs.digit
        ranks = len(str(self._reachable_rows()))
        counts = max((len(f"{row.count:,}") for row in self._rows), default=1)
        gap = max(6, size // 2)
        self._rank_end = _MARGIN + round(digit * max(_STAR, ranks))
        self._tie_x = self.width() - _MARGIN
        self._count_end = self._tie_x - gap - 4
        left = self._rank_end + gap
        count_left = self._count_end - round(counts * digit) - gap
        bar_end = count_left - round(max(_FEWEST_MARK, counts + 1) * digit) - gap
        both = self._width_of_pairs(bar_end - left - gap)
        if bar_end - left - both - gap < _LEAST_MARKED * size:  # no room for marks
            bar_end = count_left
            both = self._width_of_pairs(bar_end - left - gap)
            if bar_end - left - both - gap < _LEAST_MARKED * size:
                both = min(both, self._width_in_sight())
        self._pairs.set_edges(left, left + both)
        self._bar_left = left + both + gap
        self._bar_width = max(8, bar_end - self._bar_left)
        self._mark_end, self._marks = count_left, {}
        self._has_marks = bar_end < count_left
        if self._has_marks:
            rows = (row for row in self._rows if row.rank < self._visible_rows)
            in_sight = {(row.left, row.right) for row in rows}
            self._marks = {pair: mark(one, in_sight) for pair, one in self._changes.items()}

    def _width_of_pairs(self, room: int) -> int:
        """Give the two tokens more than half of the room, but no more than they ever fill.

        Where that is little, a short bar is enough.
        """
        size = self._pairs.size
        wanted = min(max(round(room * 0.58), size * _FEWEST_LETTERS), size * _MOST_LETTERS)
        return min(wanted, room - round(size * _SHORTEST_BAR))

    def _width_in_sight(self) -> int:
        """Return the width that the pairs in sight fill, in steps, so that it rarely changes."""
        if self.history is None:
            return 0
        rows = (row for row in self._rows if row.rank < self._visible_rows)
        widths = (self._pairs.width_of(self.history, (row.left, row.right)) for row in rows)
        return ceil(max(widths, default=0) / self._pairs.size) * self._pairs.size

    def _top_of(self, rank: float) -> float:
        return _TOP_MARGIN + rank * self._row_height

    # -- painting --------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(self.rect(), brush(self._theme.panel))
        if self.history is not None:
            self._draw_rows(painter, self.history)

    def _draw_rows(self, painter: QPainter, history: History) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hovered is not None and self.hovered.rank < len(self._rows):
            self._draw_marked(painter, self.hovered.rank, framed=False)
        if self.hasFocus():
            self._draw_marked(painter, self._current, framed=True)
        drain, winner = self._rows.drain, self._rows.winner
        rows = list(self._rows) if drain is None else drain.rows
        first = None if drain is None else drain.rows[0]
        # A merge whose bar is not seen to drain may be under way in other panels.
        if drain is None and winner < len(rows) and not self._motion.shows(self.position):
            first = rows[winner]
        shown = [row for row in rows if row.drawn_rank < self._visible_rows - 0.05]
        # The winner last, so that it lies on top while rows pass each other.
        shown.sort(key=lambda row: (row is first, -row.rank))
        for row in shown:
            self._draw_bar(painter, row, wins=row is first)
        if drain is not None:
            self._draw_drops(painter, drain)
            self._draw_gains(painter, history, drain)
        if self._has_marks:
            self._draw_marks(painter, shown, self._marks_of(drain))
        # From top to bottom, as a PDF or SVG is copied and read aloud.
        for row in sorted(shown, key=lambda row: row.rank):
            self._draw_texts(painter, history, row, wins=row is first)
        if shown and shown[-1] is first:
            x = self._rank_end - self._pairs.digit * 0.8
            y = self._top_of(shown[-1].drawn_rank + 0.5)
            self._pairs.draw_star(painter, x, y, filled=self._certain or drain is not None)
        if drain is None:
            self._draw_ties(painter)
            self._name_signs(painter, history, first)
        bottom = self.height() - _TOP_MARGIN
        # Rows that come from below pass behind it.
        behind = brush(self._theme.panel)
        painter.fillRect(0, bottom - self._foot.height, self.width(), self.height(), behind)
        place = self._bar_left, self._bar_left + self._bar_width, bottom
        self._foot.draw(painter, self._theme, self._rows.drawn_scale, *place)

    def _draw_drops(self, painter: QPainter, drain: Drain) -> None:
        """Draw what flows from the bar of the merged pair to the places of pairs that are new."""
        share, thickness = drain.share, self._row_height * _BAR_HEIGHT * _DROP
        start = drain.rows[0].drawn_rank
        for row in drain.gains:
            if row.rank < self._visible_rows:
                rank = start + (row.rank - start) * share
                if rank < start + _LEFT_ROW:
                    continue
                length = drain.scale.length(row.count) * self._bar_width
                self._bar_rectangle.setRect(
                    self._bar_left, self._top_of(rank + 0.5) - thickness / 2,
                    max(2.0, length), thickness,
                )  # fmt: skip
                painter.fillRect(self._bar_rectangle, brush(self._theme.accent))

    def _draw_gains(self, painter: QPainter, history: History, drain: Drain) -> None:
        """Write into the bar that drains which pairs it drains into, and how often they occur."""
        painter.setFont(self._pairs.font)
        first = drain.rows[0]
        mark = self._marks_of(drain).get((first.left, first.right), "")
        end = self._mark_end - painter.fontMetrics().horizontalAdvance(mark)
        room = end - self._bar_left - 3 * _BREAK
        height = round(self._row_height)
        told = gains(history, self.position, drain.gains, self._explanation)
        if not told:
            return
        top, full = round(self._top_of(first.drawn_rank)), self._bar_left
        edge = full + round(first.drawn_length * self._bar_width)
        text = _that_fit(told, painter.fontMetrics(), room)
        for left, right, colour in (
            (full, edge, self._theme.on_accent), (edge, end, self._theme.text)
        ):  # fmt: skip
            painter.setClipRect(left, top, right - left, height)
            painter.setPen(pen(colour))
            painter.drawText(full + 2 * _BREAK, top, room, height, AT_LEFT, text)
        painter.setClipRect(self.rect())

    def _marks_of(self, drain: Drain | None) -> Mapping[tuple[int, int], str]:
        """Return what is written beside the bars; of a merge under way, what each pair loses."""
        if drain is None or not self._has_marks:
            return self._marks
        return {pair: lost(count) for pair, count in drain.losses.items()}

    def _draw_marks(
        self, painter: QPainter, rows: list[PairRow], marks: Mapping[tuple[int, int], str]
    ) -> None:
        painter.setFont(self._pairs.font)
        painter.setPen(pen(self._theme.muted))
        height = round(self._row_height)
        for row in rows:
            told = marks.get((row.left, row.right))
            if told:
                y = round(self._top_of(row.drawn_rank))
                painter.drawText(0, y, self._mark_end, height, AT_RIGHT, told)

    def _draw_marked(self, painter: QPainter, rank: int, *, framed: bool) -> None:
        top = round(self._top_of(rank))
        height = round(self._row_height)
        painter.fillRect(2, top, self.width() - 4, height, brush(self._theme.raised))
        if framed:
            painter.setPen(pen(self._theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(2, top, self.width() - 5, height - 1)

    def _draw_bar(self, painter: QPainter, row: PairRow, *, wins: bool) -> None:
        thickness = self._row_height * _BAR_HEIGHT
        self._bar_rectangle.setRect(
            self._bar_left,
            self._top_of(row.drawn_rank + 0.5) - thickness / 2,
            max(1.0, row.drawn_length * self._bar_width),
            thickness,
        )
        bar = brush(self._theme.accent) if wins else self._pairs.bar
        painter.fillRect(self._bar_rectangle, bar)
        if self._rows.drawn_scale.begin:
            painter.setPen(pen(self._theme.panel, 2))
            left, rectangle = self._bar_left + _BREAK, self._bar_rectangle
            bottom, top = round(rectangle.bottom()) + 1, round(rectangle.top()) - 1
            painter.drawLine(left, bottom, left + 3, top)

    def _draw_texts(self, painter: QPainter, history: History, row: PairRow, *, wins: bool) -> None:
        top, height = self._top_of(row.drawn_rank), round(self._row_height)
        y = round(top)
        font = self._pairs.bold if wins else self._pairs.font
        painter.setFont(font)
        if not wins:
            painter.setPen(pen(self._theme.muted))
            painter.drawText(0, y, self._rank_end, height, AT_RIGHT, str(row.rank + 1))
        painter.setPen(pen(self._theme.text))
        pair = row.left, row.right
        self._pairs.draw_pair(
            painter, history, pair, top, self._row_height, token=self._token, bold=wins
        )
        painter.setFont(font)
        painter.setPen(pen(self._theme.text))
        painter.drawText(0, y, self._count_end, height, AT_RIGHT, f"{row.count:,}")

    def _draw_ties(self, painter: QPainter) -> None:
        """Draw a bracket beside equal counts; open below where more may follow."""
        inset = self._row_height * 0.3
        x, tick = self._tie_x, self._tie_x - 4
        for first, last in self._rows.ties():
            if first >= self._visible_rows - 1 and first > 0:
                continue
            painter.setPen(
                pen(self._theme.accent, 2) if first == 0 else pen(self._theme.muted, 1.5)
            )
            top = round(self._top_of(self._rows[first].drawn_rank) + inset)
            painter.drawLine(tick, top, x, top)
            if last >= self._visible_rows or last == TOP - 1:
                bottom = round(self._top_of(self._visible_rows))
                painter.drawLine(x, top, x, bottom)
                continue
            bottom = round(self._top_of(self._rows[last].drawn_rank + 1) - inset)
            painter.drawLine(x, top, x, bottom)
            painter.drawLine(tick, bottom, x, bottom)

    def _name_signs(self, painter: QPainter, history: History, first: PairRow | None) -> None:
        """Write what the star and the bracket of the leaders mean, where nothing else is."""
        pairs, height = self._pairs, round(self._row_height)
        painter.setFont(pairs.font)
        painter.setPen(pen(self._theme.muted))
        if first is not None and self._certain:
            width = pairs.width_of(history, (first.left, first.right))
            room = pairs.plus - width // 2 - pairs.left - pairs.size
            if painter.fontMetrics().horizontalAdvance(NEXT) <= room:
                y = round(self._top_of(first.drawn_rank))
                painter.drawText(pairs.left, y, room, height, AT_LEFT, NEXT)
        marked_to = self._bar_left + self._bar_width
        if painter.fontMetrics().horizontalAdvance(TIE) > self._mark_end - marked_to:
            return
        for begin, last in self._rows.ties()[:1]:
            tied = list(self._rows)[begin : min(last + 1, self._visible_rows)]
            free = [row for row in tied if not self._marks.get((row.left, row.right))]
            if begin == 0 and free:
                y = round(self._top_of(free[0].drawn_rank))
                painter.drawText(0, y, self._mark_end, height, AT_RIGHT, TIE)

    def hideEvent(self, event: QHideEvent) -> None:
        # Nothing moves unseen.
        self._settle()
        super().hideEvent(event)

    # -- pointing and selecting --------------------------------------------------------------

    def _reachable_rows(self) -> int:
        return min(len(self._rows), self._visible_rows)

    def row_at(self, y: float) -> PairRow | None:
        """Return the row drawn at a height, None below the last one."""
        # With 0 for the middle of the first row.
        place = (y - _TOP_MARGIN) / self._row_height - 0.5
        reachable = list(self._rows)[: self._reachable_rows()]
        nearest = min(reachable, key=lambda row: abs(row.drawn_rank - place), default=None)
        if nearest is None or abs(nearest.drawn_rank - place) > 0.5:
            return None
        return nearest

    def area_of_rows(self, first: int, last: int) -> QRect:
        """Return the area of the rows from rank `first` to `last`, counted from 0, in pixels."""
        top, bottom = (round(self._top_of(rank)) for rank in (first, last + 1))
        return QRect(0, top, self.width(), min(bottom, self.height()) - top)

    def place_at(self, point: QPoint) -> Place | None:
        row = self.row_at(point.y())
        if row is None:
            return None
        return Place(row.rank, self._pairs.token_at((row.left, row.right), point.x()))

    def press(self, place: Place) -> None:
        self._move_to(place.rank)
        self._select(place)

    def _select(self, place: Place) -> None:
        row = self._rows[place.rank]
        self.pairSelected.emit(row.left, row.right)
        self.tokenSelected.emit(place.token)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.row_at(event.pos().y())
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self._rows[self._current] if self._current < len(self._rows) else None
            middle = (self._current + 1) * self._row_height
            place = self.mapToGlobal(QPoint(self.width() // 2, round(middle)))
        if row is not None:
            self._move_to(row.rank)
            self.menuWanted.emit(row.left, row.right, place)

    def tooltip_at(self, point: QPoint) -> str:
        row = self.row_at(point.y())
        if self.history is None:
            return ""
        if row is None:
            return scale_ends(self._rows.scale)
        return tooltip(self.history, self.position, self._rows, row, self._changes)

    def takes(self, event: QKeyEvent) -> bool:
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = event.key(), self._reachable_rows() - 1
        if last < 0:
            event.ignore()
        elif key == Qt.Key.Key_Down:
            self._move_to(min(self._current + 1, last))
        elif key == Qt.Key.Key_Up:
            self._move_to(max(self._current - 1, 0))
        elif key == Qt.Key.Key_PageUp:
            self._move_to(0)
        elif key == Qt.Key.Key_PageDown:
            self._move_to(last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row = self._rows[self._current]
            self._select(Place(row.rank, max(row.left, row.right)))
        else:
            event.ignore()

    def _move_to(self, rank: int) -> None:
        self._current = rank
        self._update_accessible()
        self.viewport().update()

    def _update_accessible(self) -> None:
        told = self.message
        if self.history is not None and not told:
            row = self._rows[self._current]
            told = spoken(self.history, self.position, self._rows, row, self._changes)
            told += self._foot.spoken(self._rows.scale)
        self.describe(told)


def _that_fit(gained: Sequence[str], metrics: QFontMetrics, room: int) -> str:
    """Join the pairs that a bar drains into, as many as have room.

    The first may be cut; if hardly a letter of it has room, the text is empty.
    """
    for number in range(len(gained), 0, -1):
        rest = ["…"] if number < len(gained) else []
        text = "\N{RIGHTWARDS ARROW} " + "   ".join([*gained[:number], *rest])
        if metrics.horizontalAdvance(text) <= room:
            return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    return cut if len(cut) >= _FEWEST_OF_GAIN else ""

"""The most frequent pairs at a position, as bars that compete for the next merge.

Where the bars get their numbers: `PairChart._take_counts` reads them from the history, and
`PairRows.show` makes of each count a bar on the scale of the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import (
    QEasingCurve,
    QPoint,
    QRect,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
)

from bpe_gui.analysis.next_merge import emptiness, will_be_merged
from bpe_gui.analysis.pair_changes import PairChange, pair_changes
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.exporting.tables import pair_lines
from bpe_gui.ui.panels.pairs.foot import ChartFoot
from bpe_gui.ui.panels.pairs.painting import ChartPainter, Shown
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows, steady_end
from bpe_gui.ui.panels.pairs.wording import (
    scale_ends,
    spoken,
    tooltip,
)
from bpe_gui.ui.theme.painting import brush
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.widgets.canvas import Canvas
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_SLIDE_MILLISECONDS = 200
"""How long rows move to their places."""


class Place(NamedTuple):
    """The rank of a row, counted from 0, and the token that a click selects; NO_TOKEN for none."""

    rank: int
    token: int


class PairChart(Canvas[Place]):
    """Up to twenty pairs, the winner first, all drawn for (history, position).

    While the position changes, the rows move to their new places; the counts and the ranks
    that are written are always those of a position. When the cursor has gone one merge further,
    the bar of the merged pair drains into those that are new before the rows move: meanwhile the
    counts are those before it, with what each pair loses beside them. One row is
    current: Up, Down, PageUp and PageDown move it and select its pair; Enter or a click also
    selects a token of it.
    """

    pairSelected = Signal(int, int)
    """Left and right id, when the user clicks a row or goes to it by key; after `tokenSelected`."""
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
        self._rows = PairRows()
        self._certain = True
        self._tells_last = False
        self._animated = True
        self._motion = parts.motion
        self._motion.progressed.connect(self._follow_motion)
        self._motion.ended.connect(self._end_drain)
        self._slide = QVariantAnimation(
            self, startValue=0.0, endValue=1.0, duration=_SLIDE_MILLISECONDS
        )
        """Moves the rows to their places."""
        self._slide.setObjectName("pairSlide")
        self._slide.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._slide.valueChanged.connect(self._move_rows)
        self._slide.stateChanged.connect(self.slid)
        self._current = 0
        self._token = NO_TOKEN
        self._changes: dict[tuple[int, int], PairChange] = {}
        self._foot = ChartFoot()
        self._painter = ChartPainter(self._rows, self._foot)
        ThemeFollower(self, self._painter.take_colours)
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

    def tell_last(self, last: bool) -> None:
        """Say that the merge of the position has been done, or that it comes next."""
        self._tells_last = last
        self._update_accessible()
        self.viewport().update()

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
            end = steady_end(history, self.position)
            if drains and moves and self._motion.shows(self.position):
                token = int(history.new_id[self.position - 1])
                self._rows.show_merge(top, chosen, token, end)
            else:
                self._rows.show(top, chosen, end)
            self._changes = pair_changes(history, self.position)
            self._certain = will_be_merged(history, self.position)
            self._show_foot()
            # The current pair stays; if it is gone, its rank does.
            rank = self._rows.rank_of(*before) if before is not None else None
            if rank is None or rank >= self._painter.visible_rows:
                rank = self._current
            self._current = max(0, min(rank, self._painter.reachable_rows - 1))
            self._painter.lay_out(history, self._changes)
        self._write_message()
        if moves and not self._rows.settled:
            self._go_on()
        else:
            self._settle()
        if not moving:
            self._update_accessible()
        self.viewport().update()

    def _write_message(self) -> None:
        told = emptiness(self.history, self.position)
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

    # -- drawing ---------------------------------------------------------------------------

    def _fit(self) -> None:
        self._painter.fit(self.font(), self.size())
        self._painter.lay_out(self.history, self._changes)
        self._write_message()
        self._current = max(0, min(self._current, self._painter.reachable_rows - 1))
        self.viewport().update()

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(self.rect(), brush(self._theme.panel))
        if self.history is None:
            return
        shown = Shown(
            self.history,
            self.position,
            self._token,
            self._certain,
            self._tells_last,
            self._motion.shows(self.position),
            None if self.hovered is None else self.hovered.rank,
            self._current if self.hasFocus() else None,
        )
        self._painter.draw(painter, shown)

    def hideEvent(self, event: QHideEvent) -> None:
        # Nothing moves unseen.
        self._settle()
        super().hideEvent(event)

    # -- pointing and selecting --------------------------------------------------------------

    def row_at(self, y: float) -> PairRow | None:
        """Return the row drawn at a height, None below the last one."""
        return self._painter.row_at(y)

    def area_of_rows(self, first: int, last: int) -> QRect:
        """Return the area of the rows from rank `first` to `last`, counted from 0, in pixels."""
        return self._painter.area_of_rows(first, last)

    def place_at(self, point: QPoint) -> Place | None:
        row = self.row_at(point.y())
        if row is None:
            return None
        return Place(row.rank, self._painter.token_at(row, point.x()))

    def press(self, place: Place) -> None:
        self._move_to(place.rank)
        self._select(place)

    def _select(self, place: Place) -> None:
        row = self._rows[place.rank]
        if place.token != NO_TOKEN:
            self.tokenSelected.emit(place.token)
        self.pairSelected.emit(row.left, row.right)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.row_at(event.pos().y())
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self._rows[self._current] if self._current < len(self._rows) else None
            middle = (self._current + 1) * self._painter.row_height
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
        last = self._tells_last
        return tooltip(self.history, self.position, self._rows, row, self._changes, last=last)

    def takes(self, event: QKeyEvent) -> bool:
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = event.key(), self._painter.reachable_rows - 1
        if last < 0:
            event.ignore()
        elif key == Qt.Key.Key_Down:
            self._go_to(min(self._current + 1, last))
        elif key == Qt.Key.Key_Up:
            self._go_to(max(self._current - 1, 0))
        elif key == Qt.Key.Key_PageUp:
            self._go_to(0)
        elif key == Qt.Key.Key_PageDown:
            self._go_to(last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row = self._rows[self._current]
            self._select(Place(row.rank, max(row.left, row.right)))
        else:
            event.ignore()

    def _go_to(self, rank: int) -> None:
        self._move_to(rank)
        row = self._rows[rank]
        self.pairSelected.emit(row.left, row.right)

    def _move_to(self, rank: int) -> None:
        self._current = rank
        self._update_accessible()
        self.viewport().update()

    def _update_accessible(self) -> None:
        told = self.message
        if self.history is not None and not told:
            row, last = self._rows[self._current], self._tells_last
            told = spoken(self.history, self.position, self._rows, row, self._changes, last=last)
            told += self._foot.spoken()
        self.describe(told)



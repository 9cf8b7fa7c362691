"""Paint the rows of the chart, whose places and lengths `PairRows` knows."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from bpe_gui.analysis.pair_changes import PairChange
from bpe_gui.bpe.history import TOP, History
from bpe_gui.ui.panels.pairs.foot import ChartFoot
from bpe_gui.ui.panels.pairs.rows import Drain, PairRow, PairRows
from bpe_gui.ui.panels.pairs.wording import (
    LAST,
    NEXT,
    NOW,
    RISEN,
    TIE,
    WHAT_RISEN_MEANS,
    before_merge,
    from_to,
    mark,
)
from bpe_gui.ui.theme.painting import AT_LEFT, AT_RIGHT, brush, pen
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.box_pictures import PairPainter

_SMALLEST_TEXT, _LARGEST_TEXT = 11, 30
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""
_MARGIN = 8
_TOP_MARGIN = 4
_LEAST_ROW = 1.15
"""The height of a row, in that of the text of the window: fewer rows rather than smaller text."""
_BAR_HEIGHT = 0.62
"""Of the height of a row."""
_RISEN = 1.2
"""The width of the arrow before a rank, in digits."""
_FEWEST_LETTERS, _MOST_LETTERS, _SHORTEST_BAR = 8, 22, 1.5
"""Widths of a pair and of the longest bar, in sizes of the text."""
_FEWEST_BESIDE_SIGN = 7
"""The least width of a pair beside the name of the star, in sizes of the text."""
_FEWEST_MARK = 4
"""The least width of the marks beside the bars, in digits."""
_LEAST_MARKED = 5.0
"""The least width of bars that have marks, in sizes of the text."""
_WHOLE = 0.05
"""How far below the last place a row is still drawn, in rows."""
_DROP = 0.3
"""The thickness of what flows from bar to bar, in that of a bar."""
_THINNING = 0.25
"""The last part of its time, in which it has arrived and gets thinner."""
_LEFT_ROW = 0.4
"""What flows from a bar is drawn once it is this far below the middle of its row, in rows."""


class Shown(NamedTuple):
    """What is drawn of a run at a position, beside the rows.

    is_certain: whether the next merge is known; is_last: whether it has been done. is_seen:
    whether the merge of the position is under way in some panel. hovered, framed: ranks of rows
    that are marked.
    """

    history: History
    position: int
    token: int
    is_certain: bool
    is_last: bool
    is_seen: bool
    hovered: int | None
    framed: int | None


class ChartPainter:
    """Paints rows and the foot below them; knows where the rows are, in pixels."""

    def __init__(self, rows: PairRows, foot: ChartFoot) -> None:
        self._rows, self._foot = rows, foot
        self.visible_rows = 1
        """How many rows there is room for."""
        self.row_height = 1.0
        self._size = QSize()
        self._pairs = PairPainter()
        self._bar_rectangle = QRectF()
        self._marks: dict[tuple[int, int], str] = {}
        """What is written beside the bars about changes."""
        self._has_marks = False
        """Whether there is room for them."""

    def take_colours(self, theme: Theme) -> None:
        """Paint in the colours of a theme."""
        self._theme = theme
        self._pairs.take_colours(theme)

    @property
    def reachable_rows(self) -> int:
        """How many rows are in sight."""
        return min(len(self._rows), self.visible_rows)

    # -- what is drawn depends on ---------------------------------------------------------

    def fit(self, font: QFont, size: QSize) -> None:
        """Choose how many rows there are, and how large their text is."""
        self._size = size
        least = max(16.0, _LEAST_ROW * QFontMetricsF(font).height())
        self._foot.set_font(font)
        height = size.height() - 2 * _TOP_MARGIN - self._foot.height
        self.visible_rows = max(1, min(TOP, int(height / least)))
        self.row_height = max(1.0, height / self.visible_rows)
        smallest, largest = (scaled(pixels, font) for pixels in (_SMALLEST_TEXT, _LARGEST_TEXT))
        pixels = max(smallest, min(largest, int(self.row_height * 0.62), size.width() // 26))
        self._pairs.set_size(font, pixels)

    def lay_out(
        self, history: History | None, changes: Mapping[tuple[int, int], PairChange]
    ) -> None:
        """Share the width among the columns, for these rows and what is said of their changes."""
        # In pixels from the left edge: what ends with `_end` is a right edge.
        size, digit = self._pairs.size, self._pairs.digit
        ranks = len(str(self.visible_rows))
        counts = max((len(f"{row.count:,}") for row in self._rows), default=1)
        gap = max(6, size // 2)
        self._rank_end = _MARGIN + round(digit * (_RISEN + ranks))
        self._tie_x = self._size.width() - _MARGIN
        self._count_end = self._tie_x - gap - 4
        left = self._rank_end + gap
        count_left, bar_end, both = self._columns(history, left, counts, gap)
        advance = QFontMetricsF(self._pairs.font).horizontalAdvance
        named = ceil(max(map(advance, (NEXT, NOW, LAST)))) + gap
        # Not by these rows, so that it does not come and go: by the greatest count of the run.
        if history is not None and len(history):
            counts = max(counts, len(f"{history.count[0]:,}"))
        *_, least = self._columns(None, left, counts, gap)
        self._sign_left, self._has_sign = left, least - named >= _FEWEST_BESIDE_SIGN * size
        self._pairs.set_edges(left + named * self._has_sign, left + both)
        self._bar_left = left + both + gap
        self._bar_width = max(8, bar_end - self._bar_left)
        self._mark_end, self._marks = count_left, {}
        self._has_marks = bar_end < count_left
        if self._has_marks:
            self._marks = {pair: mark(one) for pair, one in changes.items()}

    def _columns(
        self, history: History | None, left: int, counts: int, gap: int
    ) -> tuple[int, int, int]:
        """Return the left edge of counts with `counts` digits, the right edge of the bars, and
        the width of the pairs, which begin at `left`."""
        size, digit = self._pairs.size, self._pairs.digit
        count_left = self._count_end - round(counts * digit) - gap
        bar_end = count_left - round(max(_FEWEST_MARK, counts + 1) * digit) - gap
        both = self._width_of_pairs(bar_end - left - gap)
        if bar_end - left - both - gap < _LEAST_MARKED * size:  # no room for marks
            bar_end = count_left
            both = self._width_of_pairs(bar_end - left - gap)
            if bar_end - left - both - gap < _LEAST_MARKED * size:
                both = min(both, self._width_in_sight(history))
        return count_left, bar_end, both

    def _width_of_pairs(self, room: int) -> int:
        """Give the two tokens more than half of the room, but no more than they ever fill.

        Where that is little, a short bar is enough.
        """
        size = self._pairs.size
        wanted = min(max(round(room * 0.58), size * _FEWEST_LETTERS), size * _MOST_LETTERS)
        return min(wanted, room - round(size * _SHORTEST_BAR))

    def _width_in_sight(self, history: History | None) -> int:
        """Return the width that the pairs in sight fill, in steps, so that it rarely changes."""
        if history is None:
            return 0
        rows = (row for row in self._rows if row.rank < self.visible_rows)
        widths = (self._pairs.width_of(history, (row.left, row.right)) for row in rows)
        return ceil(max(widths, default=0) / self._pairs.size) * self._pairs.size

    def _top_of(self, rank: float) -> float:
        return _TOP_MARGIN + rank * self.row_height

    def row_at(self, y: float) -> PairRow | None:
        """Return the row drawn at a height, None below the last one."""
        # With 0 for the middle of the first row.
        place = (y - _TOP_MARGIN) / self.row_height - 0.5
        reachable = list(self._rows)[: self.reachable_rows]
        nearest = min(reachable, key=lambda row: abs(row.drawn_rank - place), default=None)
        if nearest is None or abs(nearest.drawn_rank - place) > 0.5:
            return None
        return nearest

    def area_of_rows(self, first: int, last: int) -> QRect:
        """Return the area of the rows from rank `first` to `last`, counted from 0, in pixels."""
        top, bottom = (round(self._top_of(rank)) for rank in (first, last + 1))
        return QRect(0, top, self._size.width(), min(bottom, self._size.height()) - top)

    def token_at(self, row: PairRow, x: int) -> int:
        """Return the token of a row's pair at a place from the left edge."""
        return self._pairs.token_at((row.left, row.right), x)

    # -- painting --------------------------------------------------------------------------

    def draw(self, painter: QPainter, shown: Shown) -> None:
        """Draw everything but what is behind it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if shown.hovered is not None and shown.hovered < len(self._rows):
            self._draw_marked(painter, shown.hovered, framed=False)
        if shown.framed is not None:
            self._draw_marked(painter, shown.framed, framed=True)
        drain, winner = self._rows.drain, self._rows.winner
        rows = list(self._rows) if drain is None else drain.rows
        first = None if drain is None else drain.rows[0]
        # A merge whose bar is not seen to drain may be under way in other panels.
        if drain is None and winner < len(rows) and not shown.is_seen:
            first = rows[winner]
        # One that comes from below is drawn once it is whole.
        last = self.visible_rows - 1 + _WHOLE
        in_sight = [row for row in rows if not row.hidden and row.drawn_rank < last]
        # The winner last, for the star.
        in_sight.sort(key=lambda row: (row is first, -row.rank))
        reduced: Mapping[tuple[int, int], int] = {}
        if drain is not None:
            self._draw_drops(painter, drain)
            if self._has_marks:
                reduced = drain.reduced
        for row in in_sight:
            self._draw_bar(painter, row, wins=row is first)
        # From top to bottom, as a PDF or SVG is copied and read aloud.
        for row in sorted(in_sight, key=lambda row: row.rank):
            self._draw_texts(painter, shown, row, reduced, wins=row is first)
        risen = ""
        if self._has_marks and drain is None:
            self._draw_marks(painter, in_sight, first)
            marks = {self._marks.get((row.left, row.right)) for row in in_sight if row is not first}
            risen = WHAT_RISEN_MEANS if RISEN in marks else ""
        if in_sight and in_sight[-1] is first:
            x = self._rank_end - self._pairs.digit * 0.8
            y = self._top_of(in_sight[-1].drawn_rank + 0.5)
            self._pairs.draw_star(painter, x, y, filled=shown.is_certain or drain is not None)
        if drain is None:
            self._draw_tie(painter)
        if self._has_sign and first is not None and (shown.is_certain or drain is not None):
            sign = LAST if shown.is_last else NEXT
            self._draw_sign(painter, first, sign if drain is None else NOW)
        bottom = self._size.height() - _TOP_MARGIN
        place = self._bar_left, self._bar_left + self._bar_width, bottom
        in_view = min(len(rows), self.visible_rows)
        when = before_merge(shown.position + 1) if shown.is_last and drain is None else ""
        self._foot.draw(painter, self._theme, self._rows.drawn_scale, *place, in_view, when, risen)

    def _draw_drops(self, painter: QPainter, drain: Drain) -> None:
        """Draw what flows from the bar of the merged pair to the places of pairs that are new.

        It ends between two rows, where the new one comes: on a row it would seem to be that one's.
        There it gets thinner, or it would seem to stay.
        """
        share = min(1.0, drain.share / (1 - _THINNING))
        thickness = self.row_height * _BAR_HEIGHT * _DROP
        thickness *= min(1.0, (1 - drain.share) / _THINNING)
        start = drain.rows[0].drawn_rank
        for row in drain.gains:
            if row.rank < self.visible_rows:
                rank = start + (row.rank - 0.5 - start) * share
                if rank < start + _LEFT_ROW:
                    continue
                length = drain.scale.length(row.count) * self._bar_width
                self._bar_rectangle.setRect(
                    self._bar_left, self._top_of(rank + 0.5) - thickness / 2,
                    max(2.0, length), thickness,
                )  # fmt: skip
                painter.fillRect(self._bar_rectangle, brush(self._theme.accent))

    def _draw_marks(
        self, painter: QPainter, rows: list[PairRow], starred: PairRow | None
    ) -> None:
        """Write what changed: beside the count if it is another one, else beside the rank."""
        painter.setFont(self._pairs.font)
        painter.setPen(pen(self._theme.muted))
        height = round(self.row_height)
        tied = self._rows[0] if self._names_tie(painter) else None
        for row in rows:
            y = round(self._top_of(row.drawn_rank))
            told = self._marks.get((row.left, row.right))
            if told == RISEN and row is not starred:
                rank_width = round(self._pairs.digit * (len(str(row.rank + 1)) + 0.3))
                painter.drawText(0, y, self._rank_end - rank_width, height, AT_RIGHT, told)
            told = TIE if row is tied else told
            if told and told != RISEN:
                painter.drawText(0, y, self._mark_end, height, AT_RIGHT, told)

    def _draw_marked(self, painter: QPainter, rank: int, *, framed: bool) -> None:
        top = round(self._top_of(rank))
        height = round(self.row_height)
        painter.fillRect(2, top, self._size.width() - 4, height, brush(self._theme.raised))
        if framed:
            painter.setPen(pen(self._theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(2, top, self._size.width() - 5, height - 1)

    def _draw_bar(self, painter: QPainter, row: PairRow, *, wins: bool) -> None:
        thickness = self.row_height * _BAR_HEIGHT
        self._bar_rectangle.setRect(
            self._bar_left,
            self._top_of(row.drawn_rank + 0.5) - thickness / 2,
            max(1.0, row.drawn_length * self._bar_width),
            thickness,
        )
        bar = brush(self._theme.accent) if wins else self._pairs.bar
        painter.fillRect(self._bar_rectangle, bar)
        if self._rows.drain is None:
            # What it lacks to the leader, whose bar is at most as long as the scale.
            end = self._bar_left + self._rows[0].drawn_length * self._bar_width
            self._bar_rectangle.setLeft(self._bar_rectangle.right())
            self._bar_rectangle.setRight(max(end, self._bar_rectangle.left()))
            painter.fillRect(self._bar_rectangle, brush(self._theme.grid))

    def _draw_texts(
        self,
        painter: QPainter,
        shown: Shown,
        row: PairRow,
        reduced: Mapping[tuple[int, int], int],
        *,
        wins: bool,
    ) -> None:
        top, height = self._top_of(row.drawn_rank), round(self.row_height)
        y = round(top)
        font = self._pairs.bold if wins else self._pairs.font
        painter.setFont(font)
        if not wins:
            painter.setPen(pen(self._theme.muted))
            painter.drawText(0, y, self._rank_end, height, AT_RIGHT, str(row.rank + 1))
        painter.setPen(pen(self._theme.text))
        pair = row.left, row.right
        self._pairs.draw_pair(
            painter, shown.history, pair, top, self.row_height, token=shown.token, bold=wins
        )
        painter.setFont(font)
        painter.setPen(pen(self._theme.text))
        painter.drawText(0, y, self._count_end, height, AT_RIGHT, _count_of(row, reduced))

    def _decided_tie(self) -> int:
        """Return the last rank that is tied with the pair that is merged; 0 if there is no tie."""
        leaders = next(iter(self._rows.ties()), (0, 0))
        return leaders[1] if leaders[0] == 0 and self._rows.winner <= leaders[1] else 0

    def _draw_tie(self, painter: QPainter) -> None:
        """Draw a bracket beside the tie that the rule decides; open below where more may follow."""
        last = self._decided_tie()
        if not last:
            return
        inset = self.row_height * 0.3
        x, tick = self._tie_x, self._tie_x - 4
        painter.setPen(pen(self._theme.accent, 2))
        top = round(self._top_of(self._rows[0].drawn_rank) + inset)
        painter.drawLine(tick, top, x, top)
        if last >= self.visible_rows or last == TOP - 1:
            painter.drawLine(x, top, x, round(self._top_of(self.visible_rows)))
            return
        bottom = round(self._top_of(self._rows[last].drawn_rank + 1) - inset)
        painter.drawLine(x, top, x, bottom)
        painter.drawLine(tick, bottom, x, bottom)

    def _draw_sign(self, painter: QPainter, row: PairRow, sign: str) -> None:
        """Write what the star means."""
        painter.setFont(self._pairs.font)
        painter.setPen(pen(self._theme.muted))
        top, height = round(self._top_of(row.drawn_rank)), round(self.row_height)
        width = self._pairs.left - self._sign_left
        painter.drawText(self._sign_left, top, width, height, AT_LEFT, sign)

    def _names_tie(self, painter: QPainter) -> bool:
        """Tell whether it is written beside the bracket what it means, instead of what is new."""
        room = self._mark_end - self._bar_left - self._bar_width
        return bool(self._decided_tie()) and painter.fontMetrics().horizontalAdvance(TIE) <= room


def _count_of(row: PairRow, reduced: Mapping[tuple[int, int], int]) -> str:
    """Return the count of a pair; of one that a merge makes less frequent, from and to."""
    after = reduced.get((row.left, row.right))
    return f"{row.count:,}" if after is None else from_to(row.count, after)

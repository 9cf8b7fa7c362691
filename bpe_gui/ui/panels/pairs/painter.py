"""How the rows of the pair chart are drawn: geometry, colours, and the texts' layout.

Everything that costs time or builds Qt objects is done when the size, the theme or the run
changes, and kept; drawing a frame only moves what is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
)

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import TOP, History
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows
from bpe_gui.ui.theme.painting import mixed, star
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.cell_text import plainly

SMALLEST_TEXT = 11
LARGEST_TEXT = 30
"""Sizes in pixels of text that is plain, from the smallest panel to a full screen."""

_MARGIN = 8
_TOP_MARGIN = 4
_LONGEST_LABEL = 100
"""Bytes that are laid out at all: a token of a whole paragraph would cost a frame."""
_KEPT_LABELS = 4000
_ALIGN_TEXT = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


@dataclass(slots=True)
class Label:
    """A token as it is written in a row."""

    text: str
    width: float


@dataclass(frozen=True, slots=True)
class Columns:
    """Where things stand in a row, in pixels from the left edge of the panel."""

    rank: int
    """Right edge of the rank."""
    left: int
    plus: int
    """Middle of the plus between the two tokens of a pair."""
    right: int
    """Right edge of the second token."""
    bar: int
    bar_width: int
    count: int
    """Right edge of the count."""
    tie: int
    """The line that joins equal counts."""


class PairDrawing:
    """Draws `PairRows` into a widget of a given size."""

    def __init__(self, font: QFont) -> None:
        self._history: History | None = None
        self._family = font
        self._labels: dict[tuple[int, bool, bool], Label] = {}
        self._bar_rectangle = QRectF()
        self._star_place = QPointF()
        self._width, self._height = 1, 1
        self._widest_count = 0
        self.resize(280, 200)

    # -- what the drawing depends on ---------------------------------------------------

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        panel, muted, accent = (QColor(c) for c in (theme.panel, theme.muted, theme.accent))
        self._background = QBrush(panel)
        self._bar = QBrush(mixed(muted, panel, 0.42))
        self._winning_bar = QBrush(accent)
        self._marked_row = QBrush(QColor(theme.raised))
        self._text = QPen(QColor(theme.text))
        self._muted = QPen(muted)
        self._plus = QBrush(muted)
        self._accent = QPen(accent)
        self._tie = QPen(muted, 1.5)
        self._winning_tie = QPen(accent, 2)
        self._winning_brush = QBrush(accent)

    def set_history(self, history: History | None) -> None:
        """Show the tokens of another run."""
        self._history = history
        self._labels.clear()
        self._widest_count = 0
        if history is not None:
            # A merge only takes pairs apart, so no later count is greater than the first.
            self.make_room_for(max(history.top(0).count.tolist(), default=0))

    def set_font(self, font: QFont) -> None:
        """Take another family, and its height as the least for a row."""
        self._family = font
        self.resize(self._width, self._height)

    def make_room_for(self, count: int) -> None:
        """Widen the column of counts, if need be. It never gets narrower during a run."""
        if len(f"{count:,}") > self._widest_count:
            self._widest_count = len(f"{count:,}")
            self.resize(self._width, self._height)

    def resize(self, width: int, height: int) -> None:
        """Lay the columns out for another size."""
        self._width, self._height = width, height
        least = max(16.0, QFontMetricsF(self._family).height())
        height -= 2 * _TOP_MARGIN
        self.visible_rows = max(1, min(TOP, int(height / least)))
        self.row_height = max(1.0, height / self.visible_rows)
        smallest, largest = (scaled(size, self._family) for size in (SMALLEST_TEXT, LARGEST_TEXT))
        size = max(smallest, min(largest, int(self.row_height * 0.62), width // 26))
        self.font = plainly(self._family)
        self.font.setPixelSize(size)
        self.bold = QFont(self.font)
        self.bold.setBold(True)
        self._metrics = QFontMetricsF(self.font)
        self._bold_metrics = QFontMetricsF(self.bold)
        self._baseline = (self._metrics.ascent() - self._metrics.descent()) / 2
        self._digit = self._bold_metrics.horizontalAdvance("0")
        self._widths = {
            bold: (metrics.horizontalAdvance("0"), metrics.horizontalAdvance(","))
            for bold, metrics in ((False, self._metrics), (True, self._bold_metrics))
        }
        self._ranks = [self._measured(str(rank + 1), bold=False) for rank in range(TOP)]
        self._star = star(size * 0.46)
        self._gap = round(self._digit * 0.9)
        self._arm = max(2, round(self._digit * 0.3))
        self._labels.clear()
        self.columns = self._lay_out(width, size)

    def _lay_out(self, width: int, size: int) -> Columns:
        gap = max(6, size // 2)
        rank = _MARGIN + round(self._digit * 2)
        tie = width - _MARGIN
        count = tie - gap - 4
        room = self._number_width("9" * max(self._widest_count, 3), bold=True)
        left = rank + gap
        bar_end = count - round(room) - gap
        # The two tokens get more than half of what is left, but no more than they ever fill.
        both = min(max(92, round((bar_end - left) * 0.58)), size * 22)
        bar = left + both + gap
        return Columns(
            rank=rank,
            left=left,
            plus=left + both // 2,
            right=left + both,
            bar=bar,
            bar_width=max(8, bar_end - bar),
            count=count,
            tie=tie,
        )

    def _number_width(self, number: str, *, bold: bool) -> float:
        digit, comma = self._widths[bold]
        commas = number.count(",")
        return (len(number) - commas) * digit + commas * comma

    def top_of(self, rank: int) -> float:
        """The height at which a row begins."""
        return _TOP_MARGIN + rank * self.row_height

    def place_of(self, y: float) -> float:
        """The rank drawn at a height, with 0 for the middle of the first row."""
        return (y - _TOP_MARGIN) / self.row_height - 0.5

    # -- drawing -------------------------------------------------------------------------

    def draw_message(self, painter: QPainter, area: QRect, message: str) -> None:
        """Fill the panel with a sentence."""
        painter.fillRect(area, self._background)
        painter.setPen(self._muted)
        painter.setFont(self._family)
        inner = area.adjusted(_MARGIN * 2, _MARGIN, -_MARGIN * 2, -_MARGIN)
        painter.drawText(inner, _ALIGN_TEXT, message)

    def draw(
        self,
        painter: QPainter,
        area: QRect,
        rows: PairRows,
        *,
        certain: bool,
        marked: Sequence[tuple[int, bool]],
        token: int,
    ) -> None:
        """Draw the rows that fit.

        `certain` tells whether the leading pair is really merged next. `marked` are the
        ranks to lift from the background, each with a frame or not. The labels of `token`
        are underlined.
        """
        painter.fillRect(area, self._background)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rank, framed in marked:
            self._draw_marked(painter, rank, framed)
        shown = [row for row in rows if row.drawn_rank < self.visible_rows - 0.05]
        # The winner last, so that it lies on top while rows pass each other.
        shown.sort(key=lambda row: (row.rank == rows.winner, -row.rank))
        for row in shown:
            self._draw_bar(painter, row, wins=row.rank == rows.winner)
        painter.setFont(self.font)
        for row in shown:
            wins = row.rank == rows.winner
            if wins:
                painter.setFont(self.bold)
            self._draw_texts(painter, row, token, bold=wins)
        if shown and shown[-1].rank == rows.winner:
            self._draw_star(painter, shown[-1], certain)
        self._draw_ties(painter, rows)

    def _draw_marked(self, painter: QPainter, rank: int, framed: bool) -> None:
        top = round(_TOP_MARGIN + rank * self.row_height)
        height = round(self.row_height)
        painter.fillRect(2, top, self._width - 4, height, self._marked_row)
        if framed:
            painter.setPen(self._accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(2, top, self._width - 5, height - 1)

    def _draw_bar(self, painter: QPainter, row: PairRow, *, wins: bool) -> None:
        thickness = self.row_height * 0.62
        self._bar_rectangle.setRect(
            self.columns.bar,
            _TOP_MARGIN + (row.drawn_rank + 0.5) * self.row_height - thickness / 2,
            max(1.0, row.drawn_length * self.columns.bar_width),
            thickness,
        )
        painter.fillRect(self._bar_rectangle, self._winning_bar if wins else self._bar)

    def _draw_texts(self, painter: QPainter, row: PairRow, token: int, *, bold: bool) -> None:
        columns = self.columns
        middle = _TOP_MARGIN + (row.drawn_rank + 0.5) * self.row_height
        baseline = round(middle + self._baseline)
        gap = self._gap
        left = self.label(row.left, is_left=True, bold=bold)
        right = self.label(row.right, is_left=False, bold=bold)
        self._draw_plus(painter, columns.plus, round(middle))
        if not bold:
            rank = self._ranks[row.rank]
            painter.setPen(self._muted)
            painter.drawText(round(columns.rank - rank.width), baseline, rank.text)
        painter.setPen(self._text)
        left_edge = round(columns.plus - gap - left.width)
        painter.drawText(left_edge, baseline, left.text)
        painter.drawText(columns.plus + gap, baseline, right.text)
        count = f"{row.count:,}"
        count_edge = columns.count - self._number_width(count, bold=bold)
        painter.drawText(round(count_edge), baseline, count)
        if token in (row.left, row.right):
            painter.setPen(self._accent)
            if token == row.left:
                painter.drawLine(left_edge, baseline + 3, columns.plus - gap, baseline + 3)
            if token == row.right:
                start = columns.plus + gap
                painter.drawLine(start, baseline + 3, start + round(right.width), baseline + 3)

    def _draw_plus(self, painter: QPainter, x: int, y: int) -> None:
        """Between two tokens; a dot would look like the space of the text view."""
        arm, thickness = self._arm, max(1, self._arm // 3)
        side = 2 * arm + thickness
        painter.fillRect(x - arm, y, side, thickness, self._plus)
        painter.fillRect(x, y - arm, thickness, side, self._plus)

    def label(self, token: int, *, is_left: bool, bold: bool) -> Label:
        """A token laid out, cut to its room: at the outer end, so that the seam stays."""
        key = (token, is_left, bold)
        known = self._labels.get(key)
        if known is not None:
            return known
        assert self._history is not None
        metrics = self._bold_metrics if bold else self._metrics
        columns = self.columns
        edge = columns.plus - columns.left if is_left else columns.right - columns.plus
        room = edge - self._gap
        content = self._history.token_bytes(token)
        long = len(content) > _LONGEST_LABEL
        if long:
            content = content[-_LONGEST_LABEL:] if is_left else content[:_LONGEST_LABEL]
        text = visible(content)
        made = self._measured(text, bold=bold)
        if long or made.width > room:
            end = Qt.TextElideMode.ElideLeft if is_left else Qt.TextElideMode.ElideRight
            made = self._measured(metrics.elidedText(text, end, room), bold=bold)
        if len(self._labels) >= _KEPT_LABELS:
            self._labels.clear()
        self._labels[key] = made
        return made

    def _measured(self, text: str, *, bold: bool) -> Label:
        metrics = self._bold_metrics if bold else self._metrics
        return Label(text, metrics.horizontalAdvance(text))

    def _draw_star(self, painter: QPainter, row: PairRow, certain: bool) -> None:
        self._star_place.setX(self.columns.rank - self._digit * 0.8)
        self._star_place.setY(_TOP_MARGIN + (row.drawn_rank + 0.5) * self.row_height)
        painter.translate(self._star_place)
        painter.setPen(self._accent)
        painter.setBrush(self._winning_brush if certain else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(self._star)
        painter.translate(-self._star_place.x(), -self._star_place.y())

    def _draw_ties(self, painter: QPainter, rows: PairRows) -> None:
        """A bracket beside equal counts; open below where it goes on, or may go on."""
        inset = self.row_height * 0.3
        x, tick = self.columns.tie, self.columns.tie - 4
        for first, last in rows.ties():
            if first >= self.visible_rows - 1 and first > 0:
                continue
            painter.setPen(self._winning_tie if first == 0 else self._tie)
            top = round(_TOP_MARGIN + rows[first].drawn_rank * self.row_height + inset)
            painter.drawLine(tick, top, x, top)
            if last >= self.visible_rows or last == TOP - 1:
                painter.drawLine(x, top, x, self._height)
                continue
            bottom = round(_TOP_MARGIN + (rows[last].drawn_rank + 1) * self.row_height - inset)
            painter.drawLine(x, top, x, bottom)
            painter.drawLine(tick, bottom, x, bottom)



"""How the rows of the pair chart are drawn: geometry, colours, and the texts' layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import TOP, History
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows
from bpe_gui.ui.theme.painting import draw_message, mixed, star
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
_BAR_HEIGHT = 0.62
"""Of the height of a row."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


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
        self._bar_rectangle = QRectF()
        self._star_place = QPointF()
        self._digits = 3
        self.fit(font, 280, 200)

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

    def set_history(self, history: History | None) -> None:
        """Show the tokens of another run."""
        self._history = history
        counts = history.top(0).count.tolist() if history is not None else []
        # A merge only takes pairs apart, so no later count is greater than the first.
        self._digits = max(3, len(f"{max(counts, default=0):,}"))
        self.columns = self._lay_out()

    def fit(self, font: QFont, width: int, height: int) -> None:
        """Lay rows and columns out for another size, or another family and its height."""
        self._family, self._width, self._height = font, width, height
        least = max(16.0, QFontMetricsF(font).height())
        height -= 2 * _TOP_MARGIN
        self.visible_rows = max(1, min(TOP, int(height / least)))
        self.row_height = max(1.0, height / self.visible_rows)
        smallest, largest = (scaled(size, font) for size in (SMALLEST_TEXT, LARGEST_TEXT))
        self._size = max(smallest, min(largest, int(self.row_height * 0.62), width // 26))
        self._font = plainly(font)
        self._font.setPixelSize(self._size)
        self._bold = QFont(self._font)
        self._bold.setBold(True)
        self.metrics, self.bold_metrics = QFontMetricsF(self._font), QFontMetricsF(self._bold)
        self._digit = self.bold_metrics.horizontalAdvance("0")
        self._star = star(self._size * 0.46)
        self._gap = round(self._digit * 0.9)
        self._arm = max(2, round(self._digit * 0.3))
        self.columns = self._lay_out()

    def _lay_out(self) -> Columns:
        gap = max(6, self._size // 2)
        rank = _MARGIN + round(self._digit * 2)
        tie = self._width - _MARGIN
        count = tie - gap - 4
        left = rank + gap
        bar_end = count - round(self._digits * self._digit) - gap
        # The two tokens get more than half of what is left, but no more than they ever fill.
        both = min(max(92, round((bar_end - left) * 0.58)), self._size * 22)
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

    def top_of(self, rank: float) -> float:
        """The height at which a row begins."""
        return _TOP_MARGIN + rank * self.row_height

    def place_of(self, y: float) -> float:
        """The rank drawn at a height, with 0 for the middle of the first row."""
        return (y - _TOP_MARGIN) / self.row_height - 0.5

    # -- drawing -------------------------------------------------------------------------

    def draw_message(self, painter: QPainter, area: QRect, message: str) -> None:
        """Fill the panel with a sentence."""
        painter.fillRect(area, self._background)
        painter.setFont(self._family)
        draw_message(painter, area, message, self._muted)

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
        painter.setFont(self._font)
        for row in shown:
            wins = row.rank == rows.winner
            if wins:
                painter.setFont(self._bold)
            self._draw_texts(painter, row, token, wins=wins)
        if shown and shown[-1].rank == rows.winner:
            self._draw_star(painter, shown[-1], certain)
        self._draw_ties(painter, rows)

    def _draw_marked(self, painter: QPainter, rank: int, framed: bool) -> None:
        top = round(self.top_of(rank))
        height = round(self.row_height)
        painter.fillRect(2, top, self._width - 4, height, self._marked_row)
        if framed:
            painter.setPen(self._accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(2, top, self._width - 5, height - 1)

    def _draw_bar(self, painter: QPainter, row: PairRow, *, wins: bool) -> None:
        thickness = self.row_height * _BAR_HEIGHT
        self._bar_rectangle.setRect(
            self.columns.bar,
            self.top_of(row.drawn_rank + 0.5) - thickness / 2,
            max(1.0, row.drawn_length * self.columns.bar_width),
            thickness,
        )
        painter.fillRect(self._bar_rectangle, self._winning_bar if wins else self._bar)

    def _draw_texts(self, painter: QPainter, row: PairRow, token: int, *, wins: bool) -> None:
        columns, gap = self.columns, self._gap
        top, height = round(self.top_of(row.drawn_rank)), round(self.row_height)
        metrics = self.bold_metrics if wins else self.metrics
        left, right = self.labels(row, metrics)
        left_end, right_edge = columns.plus - gap, columns.plus + gap
        self._draw_plus(painter, columns.plus, round(self.top_of(row.drawn_rank + 0.5)))
        if not wins:
            painter.setPen(self._muted)
            painter.drawText(0, top, columns.rank, height, _RIGHT, str(row.rank + 1))
        painter.setPen(self._text)
        painter.drawText(0, top, left_end, height, _RIGHT, left)
        painter.drawText(right_edge, top, columns.right, height, _LEFT, right)
        painter.drawText(0, top, columns.count, height, _RIGHT, f"{row.count:,}")
        if token in (row.left, row.right):
            painter.setPen(self._accent)
            line = round(top + (height + metrics.ascent() - metrics.descent()) / 2) + 3
            if token == row.left:
                width = round(metrics.horizontalAdvance(left))
                painter.drawLine(left_end - width, line, left_end, line)
            if token == row.right:
                width = round(metrics.horizontalAdvance(right))
                painter.drawLine(right_edge, line, right_edge + width, line)

    def _draw_plus(self, painter: QPainter, x: int, y: int) -> None:
        """Between two tokens; a dot would look like the space of the text view."""
        arm, thickness = self._arm, max(1, self._arm // 3)
        side = 2 * arm + thickness
        painter.fillRect(x - arm, y, side, thickness, self._plus)
        painter.fillRect(x, y - arm, thickness, side, self._plus)

    def labels(self, row: PairRow, metrics: QFontMetricsF) -> tuple[str, str]:
        """Both tokens, cut to their room: at their outer ends, so that the seam stays."""
        assert self._history is not None
        left = visible(self._history.token_bytes(row.left)[-_LONGEST_LABEL:])
        right = visible(self._history.token_bytes(row.right)[:_LONGEST_LABEL])
        columns, gap = self.columns, self._gap
        return (
            metrics.elidedText(left, Qt.TextElideMode.ElideLeft, columns.plus - columns.left - gap),
            metrics.elidedText(
                right, Qt.TextElideMode.ElideRight, columns.right - columns.plus - gap
            ),
        )

    def _draw_star(self, painter: QPainter, row: PairRow, certain: bool) -> None:
        self._star_place.setX(self.columns.rank - self._digit * 0.8)
        self._star_place.setY(self.top_of(row.drawn_rank + 0.5))
        painter.translate(self._star_place)
        painter.setPen(self._accent)
        painter.setBrush(self._winning_bar if certain else Qt.BrushStyle.NoBrush)
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
            top = round(self.top_of(rows[first].drawn_rank) + inset)
            painter.drawLine(tick, top, x, top)
            if last >= self.visible_rows or last == TOP - 1:
                painter.drawLine(x, top, x, self._height)
                continue
            bottom = round(self.top_of(rows[last].drawn_rank + 1) - inset)
            painter.drawLine(x, top, x, bottom)
            painter.drawLine(tick, bottom, x, bottom)

"""What is below the rows of the chart: the ends of the bars' scale, and the forbidden pairs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from bpe_gui.analysis.explain import forbidden_pairs
from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.pairs import wording
from bpe_gui.ui.panels.pairs.rows import Scale, former_end
from bpe_gui.ui.theme.painting import pen
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme

_TEXT = 12
"""The size of its text, in pixels of plain text."""
_GAP = 3
_MARGIN = 10
_LOWER = 1
"""How far below the middle of its line a pair is struck out, in pixels."""
_MOST_FORBIDDEN = 3
_LONGEST = 40
"""Characters of a forbidden pair."""


class ChartFoot:
    """A line for the scale and the number of pairs, and one for each forbidden pair.

    `height` is that of all lines, in pixels.
    """

    def __init__(self) -> None:
        self._has_run = False
        self._forbidden: list[tuple[str, str, str]] = []
        """The pairs, and what is said of each, whole and brief."""
        self._former_end = 0
        """Where the scale ended a merge before, 0 if that is not to be told."""
        self._more = 0
        self._shown: tuple[History | None, int] = (None, 0)
        self._counts: Mapping[tuple[int, int], int] = {}
        self._counted: tuple[History | None, int] = (None, 0)
        self.set_font(QFont())

    def set_font(self, font: QFont) -> None:
        """Write in a font, smaller than it is."""
        self._font = QFont(font)
        self._font.setPixelSize(scaled(_TEXT, font))
        self._bold = QFont(self._font)
        self._bold.setBold(True)
        self._metrics, self._bold_metrics = QFontMetrics(self._font), QFontMetrics(self._bold)
        self._line = self._metrics.height() + _GAP

    @property
    def height(self) -> int:
        """What it needs below the rows."""
        lines = len(self._forbidden) + bool(self._more) + 1
        return lines * self._line if self._has_run else 0

    def clear(self) -> None:
        """Show no run."""
        self._has_run = False
        self._forbidden, self._more = [], 0
        self._shown = self._counted = (None, 0)

    def show(self, history: History, position: int) -> bool:
        """Take the forbidden pairs of a position; tells whether the height changed.

        Those of a branch are also those of the branches that it grew from.
        """
        before = self.height
        self._has_run = True
        self._shown = history, position
        self._former_end = former_end(history, position)
        counts = self._counts if (history, position) == self._counted else {}
        out = forbidden_pairs(history, position)
        self._more = max(0, len(out) - _MOST_FORBIDDEN)
        self._forbidden = [
            (_text(history, pair), *wording.forbidden(counts.get(pair), step))
            for pair, step in list(out.items())[-_MOST_FORBIDDEN:]
        ]
        return self.height != before

    def lacks_counts(self, history: History, position: int) -> bool:
        """Tell whether there are forbidden pairs that nobody has counted at a position."""
        return (history, position) != self._counted and bool(forbidden_pairs(history, position))

    def set_counts(
        self, history: History, position: int, counts: Mapping[tuple[int, int], int]
    ) -> None:
        """Take how often the forbidden pairs of a position occur there."""
        self._counts, self._counted = counts, (history, position)
        if self._shown == self._counted:
            self.show(history, position)

    def spoken(self) -> str:
        """Return what a screen reader says of it, with a space before it; empty for nothing."""
        return "".join(f" {pair}: {since}." for pair, since, _ in self._forbidden)

    def draw(
        self, painter: QPainter, theme: Theme, scale: Scale, left: int, right: int, bottom: int,
        rows: int, when: str, risen: str,
    ) -> None:  # fmt: skip
        """Draw it above `bottom`; bars go from `left` to `right`, and there are `rows` in view.

        `when` says which counts they are, `risen` what an arrow means; empty for those of the
        cursor, and where there is none.
        """
        top = bottom - self.height
        muted = pen(theme.muted)
        painter.setPen(pen(theme.grid))
        painter.drawLine(left, top + 1, right, top + 1)
        painter.setPen(muted)
        painter.setFont(self._font)
        align = Qt.AlignmentFlag
        space = self._metrics.horizontalAdvance(" ")
        width, height, before = right - left, self._line, left - space
        middle = int(align.AlignVCenter)
        end = f"{scale.end:,}"
        if self._metrics.horizontalAdvance(f"0  {end}") <= width:
            painter.drawText(left, top, width, height, middle | int(align.AlignLeft), "0")
            if self._former_end not in (0, scale.end):
                end = self._changed(end, width)
                painter.setFont(self._bold)
                painter.setPen(pen(theme.text))
            painter.drawText(left, top, width, height, middle | int(align.AlignRight), end)
            painter.setFont(self._font)
            painter.setPen(muted)
        history, position = self._shown
        pairs = 0 if history is None else int(history.distinct[position])
        for told in wording.rows_and_time(wording.rows_of(rows, pairs), when, risen):
            if self._metrics.horizontalAdvance(told) <= before - _MARGIN:
                painter.drawText(_MARGIN, top, before, height, middle, told)
                break
        for line, (pair, since, brief) in enumerate(self._forbidden, 1):
            y = top + line * height
            painter.setPen(pen(theme.text))
            painter.drawText(_MARGIN, y, right, height, middle, pair)
            end_of_pair = _MARGIN + self._metrics.horizontalAdvance(pair)
            # Of another colour than the plus, whose line it would hide.
            painter.setPen(pen(theme.error))
            through = y + height // 2 + _LOWER
            painter.drawLine(_MARGIN - _GAP, through, end_of_pair + _GAP, through)
            painter.setPen(muted)
            x = end_of_pair + 3 * _GAP
            told = self._fitting(since, brief, right - x)
            painter.drawText(x, y, right - x, height, middle, told)
        if self._more:
            y = bottom - height
            painter.drawText(_MARGIN, y, right, height, middle, wording.more_forbidden(self._more))

    def _changed(self, end: str, width: int) -> str:
        """Return the new end of the scale with the one before, if there is room for that."""
        told = wording.scale_changed(end, self._former_end)
        return told if self._bold_metrics.horizontalAdvance(f"0  {told}") <= width else end

    def _fitting(self, since: str, brief: str, room: int) -> str:
        """Return as much of a sentence as there is room for: since when is the first to go."""
        advance = self._metrics.horizontalAdvance
        fitting = (text for text in (since, brief) if advance(text) <= room)
        elide = Qt.TextElideMode.ElideRight
        return next(fitting, self._metrics.elidedText(brief, elide, max(0, room)))


def _text(history: History, pair: tuple[int, int]) -> str:
    text = visible_pair(*(history.token_bytes(token) for token in pair))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

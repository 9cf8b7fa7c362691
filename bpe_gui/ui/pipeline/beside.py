"""What stands beside the stages: their titles, and what is said of them in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from bpe_gui.ui.pipeline.layout import PipelineLayout
from bpe_gui.ui.tokens.painting import MARGIN

_MOST_LINES = 4
_FILLED = 0.85
"""How much of a line words fill at least, on average, when they are wrapped."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def room_beside(gutter: int) -> int:
    """Pixels of a line in a gutter."""
    return gutter - MARGIN - MARGIN // 2


def lines_needed(layout: PipelineLayout, gutter: int, texts: Sequence[str]) -> int:
    """How many lines the longest of some texts needs in a gutter; four at most."""
    metrics = QFontMetrics(layout.fonts.small)
    place = QRect(0, 0, room_beside(gutter), 1000)
    heights = [metrics.boundingRect(place, _WRAPPED, text).height() for text in texts if text]
    return min(max(1, round(max(heights, default=0) / metrics.lineSpacing())), _MOST_LINES)


def fitted(metrics: QFontMetrics, text: str, room: int, lines: int) -> tuple[str, int]:
    """A text as far as it fits into so many lines, and its height when it is wrapped."""
    place = QRect(0, 0, room, 1000)
    height = metrics.boundingRect(place, _WRAPPED, text).height()
    if height > lines * metrics.lineSpacing():
        width = room if lines == 1 else round(_FILLED * lines * room)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        height = min(
            metrics.boundingRect(place, _WRAPPED, text).height(), lines * metrics.lineSpacing()
        )
    return text, height


def draw_wrapped(painter: QPainter, left: int, top: int, room: int, height: int, text: str) -> None:
    """Draw a text in lines of some width."""
    painter.drawText(left, top, room, height, _WRAPPED, text)

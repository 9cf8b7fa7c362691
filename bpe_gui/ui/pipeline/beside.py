"""What stands beside the stages: their titles, and what is said of them in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.ui.pipeline.layout import PipelineLayout
from bpe_gui.ui.tokens.painting import MARGIN

_MOST_LINES = 4
_LONG = "999 merges, 999 different"
"""As long as what is said of tokens."""
_LONG_WORDS = ("characters,", "pre-tokens,", "Normalized", "normalizer")
"""The longest words that are said of stages."""
_AROUND = MARGIN + MARGIN // 2
"""Pixels beside the lines in a gutter."""
_FILLED = 0.85
"""How much of a line words fill at least, on average, when they are wrapped."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def room_beside(gutter: int) -> int:
    """Pixels of a line in a gutter."""
    return gutter - _AROUND


def least_beside(layout: PipelineLayout) -> int:
    """How wide a gutter has to be for the longest words in it."""
    widest = max(map(QFontMetrics(layout.fonts.small).horizontalAdvance, _LONG_WORDS))
    return widest + _AROUND


def lines_needed(layout: PipelineLayout, gutter: int, texts: Sequence[str]) -> tuple[int, ...]:
    """How many lines each stage needs for its text in a gutter; one at least, four at most.

    Those of the tokens have room for more than they say now: nothing moves with the position.
    """
    metrics = QFontMetrics(layout.fonts.small)
    place = QRect(0, 0, room_beside(gutter), 1000)
    needed = []
    for stage, text in zip_longest(Stage, texts, fillvalue=""):
        said = _LONG if stage in (Stage.TOKENS, Stage.IDS) else text
        height = metrics.boundingRect(place, _WRAPPED, said).height() if said else 0
        needed.append(min(max(1, round(height / metrics.lineSpacing())), _MOST_LINES))
    return tuple(needed)


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

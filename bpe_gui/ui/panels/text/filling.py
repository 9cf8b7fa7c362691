"""How large a short text is written, so that it fills its view."""

from __future__ import annotations

import re
from math import ceil

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetricsF

from bpe_gui.bpe.recipe import END_OF_WORD

_SCALES = (3.0, 2.6, 2.2, 1.9, 1.6, 1.4, 1.2)
"""Sizes to choose from, the largest first: few, so that typing seldom changes the size."""
_LONGEST = 2_000
"""Characters of a text that may be written larger."""
_ROW, _MARKS = 2.0, 1.15
"""The height of a row for text of height 1, and how much wider than its letters a text may be."""


def with_word_ends(text: str) -> str:
    """Write the mark of the end of a word after every word of a short text.

    >>> with_word_ends("low lower")
    'low</w> lower</w>'
    """
    if len(text) > _LONGEST:
        return text
    return re.sub(r"(?<=\S)(?!\S)", END_OF_WORD, text)


def filling_scale(text: str, font: QFont, room: QSize) -> float:
    """Return how many times as large a text may be written to be seen whole; at least 1.

    It depends on the text alone, not on its tokens, so that playing does not change the size.
    """
    if not 0 < len(text) <= _LONGEST:
        return 1.0
    metrics = QFontMetricsF(font)
    widths = [_MARKS * metrics.horizontalAdvance(line) for line in text.split("\n")]
    for scale in _SCALES:
        rows = sum(max(1, ceil(width * scale / max(1, room.width()))) for width in widths)
        if rows * _ROW * metrics.height() * scale <= room.height():
            return scale
    return 1.0

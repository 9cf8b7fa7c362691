"""Fit texts into cells without measuring each of them.

Measuring a text takes as long as drawing it, and eliding it twice as long. In ASCII the widths
of the characters nearly add up to that of the text, so only texts that nearly fill their cell
are measured.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

_KERNING = 0.35
"""Pixels by which a character may be closer to or farther from the one before."""
_ELLIPSIS = "…"


def plainly(font: QFont) -> QFont:
    """Return the font without ligatures and kerning, which takes half the time to draw.

    It also makes single characters clearer. Scripts that need shaping are still shaped.
    """
    plain = QFont(font)
    plain.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)
    return plain


class CellText:
    """Fits texts in one font."""

    def __init__(self, metrics: QFontMetrics) -> None:
        self._metrics = metrics
        self._advances = {chr(c): metrics.horizontalAdvance(chr(c)) for c in range(32, 127)}
        self._ellipsis = metrics.horizontalAdvance(_ELLIPSIS)
        # Frequent marks.
        for mark in "␣·…":
            self._advances[mark] = metrics.horizontalAdvance(mark)
        self._digit = self._advances["0"]
        self._comma = self._advances[","]

    def number_width(self, text: str) -> int:
        """Return the width of digits with commas between them."""
        commas = text.count(",")
        return (len(text) - commas) * self._digit + commas * self._comma

    def fit(self, text: str, room: int) -> str:
        """Return the text, or as much of its beginning as fits, with an ellipsis."""
        try:
            width = sum(map(self._advances.__getitem__, text))
        except KeyError:
            if self._metrics.horizontalAdvance(text) <= room:
                return text
            return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        slack = len(text) * _KERNING
        if width + slack <= room:
            return text
        if width - slack <= room and self._metrics.horizontalAdvance(text) <= room:
            return text
        return self._cut(text, room)

    def _cut(self, text: str, room: int) -> str:
        left = room - self._ellipsis
        for index, character in enumerate(text):
            left -= self._advances[character]
            if left < 0:
                return text[:index].rstrip() + _ELLIPSIS
        return text

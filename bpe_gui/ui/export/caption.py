"""A sentence of one's own below a picture, as large as an audience needs it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QPaintDevice, QPainter

from bpe_gui.ui.theme.theme import Theme

_LINES = 20
_LETTERS = 40
"""Lines and wide letters of captions that a picture would have room for: type is that small."""
_FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class Caption:
    """A strip below a picture with a sentence in it, in the colours of a theme."""

    def __init__(self, text: str, size: QSize, font: QFont, theme: Theme) -> None:
        """Lay out a sentence for a picture of a size in logical pixels.

        font: of the panel; the type is at least as large.
        """
        self._text, self._theme = text, theme
        self._font = QFont(font)
        least = min(size.height() / _LINES, size.width() / _LETTERS)
        self._font.setPixelSize(max(QFontInfo(font).pixelSize(), round(least)))
        metrics = QFontMetrics(self._font)
        self._margin = metrics.height() // 2
        inner = QRect(0, 0, size.width() - 2 * self._margin, 1 << 20)
        self.height = metrics.boundingRect(inner, _FLAGS, text).height() + 2 * self._margin
        """The height of the strip in logical pixels."""

    def paint_on(self, device: QPaintDevice | QPainter, width: int, top: int) -> None:
        """Paint the strip on a picture that is so wide, from `top` downwards."""
        painter = device if isinstance(device, QPainter) else QPainter(device)
        strip = QRect(0, top, width, self.height)
        painter.fillRect(strip, QColor(self._theme.window))
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.text))
        inner = strip.adjusted(self._margin, self._margin, -self._margin, 0)
        painter.drawText(inner, _FLAGS, self._text)
        if painter is not device:
            painter.end()

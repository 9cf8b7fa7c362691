"""The names of lanes above them, where they have no room beside: on the stage."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.painting import MARGIN


def numbered(names: Sequence[str]) -> list[str]:
    """What stands beside the lanes instead of their names; one that is alone needs nothing.

    >>> numbered(["gpt2", "gpt4"])
    ['1', '2']
    """
    return [str(number) for number in range(1, len(names) + 1)] if len(names) > 1 else [""]


class LaneLegend(QWidget):
    """A line for each lane: its number, if there are several, and its name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("laneLegend")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._names: tuple[str, ...] = ()
        self._font = QFont()
        ThemeFollower(self, self._take_colours)
        self.hide()

    def _take_colours(self, theme: Theme) -> None:
        self._background = QBrush(QColor(theme.panel))
        self._pen = QPen(QColor(theme.muted))

    def show_names(self, names: Sequence[str], font: QFont) -> None:
        """Write other names in a font, or none."""
        self._names, self._font = tuple(names), QFont(font)
        self.setVisible(bool(names))
        self.update()

    def height_of(self, names: Sequence[str], font: QFont) -> int:
        """Pixels that names take in a font."""
        return len(names) * QFontMetrics(font).height() + MARGIN

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the lines, each cut in its middle if it has no room."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._background)
        painter.setFont(self._font)
        painter.setPen(self._pen)
        metrics = QFontMetrics(self._font)
        y, room = MARGIN // 2 + metrics.ascent(), self.width() - 2 * MARGIN
        for number, name in zip(numbered(self._names), self._names, strict=False):
            line = f"{number}  {name}" if number else name
            painter.drawText(
                MARGIN, y, metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, room)
            )
            y += metrics.height()
        painter.end()

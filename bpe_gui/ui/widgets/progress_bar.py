"""A progress bar that animates only where the window is animated."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QBrush, QPaintEvent
from PySide6.QtWidgets import (
    QProgressBar,
    QStyle,
    QStyleOptionProgressBar,
    QStylePainter,
    QWidget,
)

from bpe_gui.ui.widgets.motion import is_animated


class ProgressBar(QProgressBar):
    """A bar without text whose range is 0 to 0 while the amount of work is unknown.

    Then styles animate it. In a main window that is not animated it is filled with dots instead.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self._dots = QBrush()
        self._take_colour()

    @property
    def stands_still(self) -> bool:
        """Whether it is busy and may not move."""
        return self.minimum() == self.maximum() == 0 and not is_animated(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw dots if the bar may not move; the style would animate it."""
        if not self.stands_still:
            super().paintEvent(event)
            return
        option = QStyleOptionProgressBar()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_ProgressBarGroove, option)
        painter.fillRect(self.rect(), self._dots)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._take_colour()

    def _take_colour(self) -> None:
        self._dots = QBrush(self.palette().highlight().color(), Qt.BrushStyle.Dense4Pattern)

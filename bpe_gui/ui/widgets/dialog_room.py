"""Room for what a dialog asks: all that it needs, or as much of it as the screen has."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea

BUTTONS = 2
"""Lines of text that buttons with the gaps around them are as high as."""
_FRAME = QSize(24, 48)
"""What is left for the frame of the dialog and for its margins, in pixels."""


class DialogRoom(ShrinkableScrollArea):
    """Scrolls where text is so large that the dialog would be larger than the screen.

    What is below it, its buttons above all, stays in sight.
    """

    def __init__(self, asked: QWidget, below: int = BUTTONS) -> None:
        """`below` are the lines of text that are left for what stands there."""
        super().__init__(asked, QSize())
        self._below = below

    def minimumSizeHint(self) -> QSize:
        """All that is asked for, as far as there is room for it."""
        return self._beside_bars(self._inside.minimumSizeHint())

    def sizeHint(self) -> QSize:
        """What is liked best, as far as there is room for it."""
        return self._beside_bars(super().sizeHint())

    def _beside_bars(self, wanted: QSize) -> QSize:
        """A size, with what it takes to scroll where it is too large; never larger than that."""
        below = QSize(0, self._below * self.fontMetrics().lineSpacing())
        room = self.screen().availableSize() - _FRAME - below
        if wanted.height() > room.height():
            wanted.setWidth(wanted.width() + self.verticalScrollBar().sizeHint().width())
        if wanted.width() > room.width():
            wanted.setHeight(wanted.height() + self.horizontalScrollBar().sizeHint().height())
        return wanted.boundedTo(room)

"""The base of all panels."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.presenting import Presentable

_LARGEST_TEXT = 20


class BasePanel(Presentable, QWidget):
    """A panel with its names and sizes, in the colour behind content.

    `set_history` gives it a run, and `show_position` a position in it.
    """

    room = QSize(380, 300)
    """What it takes where there is enough."""
    least_room = QSize(200, 100)
    """The least in which it can be read."""
    least_lines = 0
    """The least height in lines of its text, if that is more."""
    tokenSelected = Signal(int)
    """The id of a token that the user clicked or chose by key, for all panels to show."""
    positionSelected = Signal(int)
    """Where the cursor shall go."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        """`name` is the object's, `title` what screen readers call it."""
        super().__init__(parent)
        self._history: History | None = None
        self._position = 0
        named(self, name, title)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    def sizeHint(self) -> QSize:
        return self.room

    def minimumSizeHint(self) -> QSize:
        lines = self.least_lines * self.fontMetrics().lineSpacing()
        return self.least_room.expandedTo(QSize(0, lines))

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none."""
        self._history = history
        self._position = 0

    def select_token(self, token: int) -> None:
        """Show a token that was selected elsewhere; by default nothing."""

    def fill(
        self, *parts: QWidget | QLayout, main: QWidget, grows: QLayout | None = None
    ) -> QVBoxLayout:
        """Put parts below each other, and return the layout that holds them.

        `main` has the keyboard, and the room that is left, unless a layout `grows`.
        """
        self.setFocusProxy(main)
        return filled(QVBoxLayout(self), *parts, stretched=main if grows is None else grows)

    def title_font(self, largest: float = _LARGEST_TEXT) -> QFont:
        """Return the font of what is beside the main part: larger on a large panel."""
        font = self.font()
        size = min(self.width() // 44, self.height() // 26, scaled(largest, font))
        if size > QFontInfo(font).pixelSize():
            font.setPixelSize(size)
        return font

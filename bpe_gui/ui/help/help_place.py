"""Where the help stands: in a column beside the panels, or over them where it has no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from bpe_gui.ui.theme.text_size import scaled

_WIDTH, _LEAST_WIDTH = 320, 190
"""A good column of text and the least that can be read, in pixels where text is plain."""
_SHARE = 0.45
"""The part of the window's width that it takes at most."""
_MARGIN = 12


class HelpPlace:
    """Brings the help into view, without making the window larger, and gives its room back."""

    def __init__(self, dock: QDockWidget, window: QMainWindow) -> None:
        self._dock = dock
        self._window = window
        self._is_over = False
        self._before: dict[QDockWidget, int] = {}

    def show(self) -> None:
        """Bring it into view with room to be read in; Qt would give it the least."""
        dock, window = self._dock, self._window
        over = not self._has_room()
        if over != self._is_over:
            self._is_over = over
            dock.setFloating(over)
        width = min(scaled(_WIDTH, window.font()), round(window.width() * _SHARE))
        if over:
            place = QRect(0, 0, width, window.height() * 2 // 3)
            place.moveBottomRight(window.rect().bottomRight() - QPoint(_MARGIN, _MARGIN))
            dock.setGeometry(place.translated(window.mapToGlobal(QPoint(0, 0))))
        columns = self._columns()
        self._before = {column: column.width() for column in columns}
        # Each gives of its own: Qt would take all of it from the one beside, as far as it can.
        left = 1 - width / window.width()
        widths = [*(round(column.width() * left) for column in columns), width]
        dock.show()
        if not dock.isFloating():
            window.resizeDocks([*columns, dock], widths, Qt.Orientation.Horizontal)

    def hide(self) -> None:
        """Put it out of view, and make the columns as wide as they were before.

        Qt would share the room out by their widths now, and one that could not give its part
        would get the part all the same.
        """
        beside = self._dock.isVisible() and not self._dock.isFloating()
        columns = self._columns()
        self._dock.hide()
        if beside and columns == list(self._before):
            widths = list(self._before.values())
            self._window.resizeDocks(columns, widths, Qt.Orientation.Horizontal)

    def _columns(self) -> list[QDockWidget]:
        """The docks that stand side by side, the uppermost of each column."""
        docks = [
            dock
            for dock in self._window.findChildren(QDockWidget)
            if dock is not self._dock and not dock.isFloating()
            and not dock.visibleRegion().isEmpty()
        ]  # fmt: skip
        top = min((dock.y() for dock in docks), default=0)
        return [dock for dock in docks if dock.y() == top]

    def _has_room(self) -> bool:
        """Whether all that is in the window leaves a column."""
        left = self._window.width() - self._window.minimumSizeHint().width()
        return left >= scaled(_LEAST_WIDTH, self._window.font())

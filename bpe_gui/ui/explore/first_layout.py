"""The first places of the docks of Explore, and how Text and Words share the height they have."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, pairwise

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from bpe_gui.ui.explore import registry
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import directly_in

_COLUMN_WIDTHS = (780, 500)
_ROW_HEIGHTS = ((270, 325), (150, 165, 195))
"""Pixels of the rows of the columns, from the top."""
_BELOW_TEXT = 0.45
"""The part of the height that Words has of what Text and Words have, and the most it may need."""
_MOST_BELOW = 0.57
_FEW = 4
_FEW_WORDS = 294
"""Pixels that Words needs for `_FEW` words and the welcome, in text of the plain size."""

_SHARING = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.FontChange)


class FirstLayout(QObject):
    """Puts the docks into their first places.

    Text has most of the height that it shares with Words, in a window of any size, as long as the
    user has not moved the handle between them.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        """`docks` are all docks of the registry, by their names."""
        super().__init__(window)
        self._window = window
        self._docks = docks
        self.by_hand = False
        """Whether the user has moved the handle between Text and Words."""
        self._ids_shown, self._words = False, _FEW
        self._at_press = [0, 0]
        self._first_state = QByteArray()

    def arrange(self) -> None:
        """Put the docks into their first places, to which `arrange_anew` brings them back.

        They share the room by what their panels ask for, so the style sheet comes before it.
        """
        self._put_side_by_side()
        self._first_state = self._window.saveState()
        self._window.installEventFilter(self)

    @Slot()
    def arrange_anew(self) -> None:
        """Put all docks back to their first places."""
        self._window.restoreState(self._first_state)
        self.by_hand = False
        self._share_room()

    @Slot(bool)
    def set_ids_shown(self, shown: bool) -> None:
        """Set whether Text shows ids, for which it needs more height."""
        self._ids_shown = shown
        self._share_again()

    def set_words(self, words: int) -> None:
        """Set how many different words the corpus has: a few are to be seen whole."""
        self._words = words
        self._share_again()

    def _share_again(self) -> None:
        if not self._first_state.isEmpty():
            self.share_height()

    @Slot()
    def share_height(self) -> None:
        """Share the height of Text and Words, if one is above the other and `by_hand` is not set.

        Words has 45 % of it. If the corpus has but a few words, and no ids are shown, it has what
        these need if that is more, but at most 57 %.
        """
        text, words = self._in_front(0), self._in_front(1)
        if self.by_hand or text is None or words is None:
            return
        if text.x() != words.x() or text.y() > words.y():
            return
        height = text.height() + words.height()
        below = int(_BELOW_TEXT * height)
        if self._words <= _FEW and not self._ids_shown:
            needed = scaled(_FEW_WORDS, self._window.font())
            below = max(below, min(needed, int(_MOST_BELOW * height)))
        if abs(below - words.height()) <= 1:
            return  # Qt rounds: what was restored stays as it was
        sizes = [height - below, below + self._tabs_below(words)]
        self._window.resizeDocks([text, words], sizes, Qt.Orientation.Vertical)

    def _tabs_below(self, dock: QDockWidget) -> int:
        """Return the height of the tabs below a dock, which Qt counts as part of it."""
        place = dock.geometry()
        # Those from before a state was restored are there a moment longer.
        heights = [
            bar.height() for bar in directly_in(self._window)
            if isinstance(bar, QTabBar) and bar.isVisible() and bar.y() == place.bottom() + 1
            and bar.x() <= place.right() and bar.geometry().right() >= place.x()
        ]  # fmt: skip
        return max(heights, default=0)

    def _in_front(self, row: int) -> QDockWidget | None:
        """Return the dock in view of a row of the first column."""
        return next(
            (dock for dock in self._areas()[0, row]
             if not (dock.isFloating() or dock.visibleRegion().isEmpty())),
            None,
        )  # fmt: skip

    def _heights(self) -> list[int]:
        seen = self._in_front(0), self._in_front(1)
        return [0 if dock is None else dock.height() for dock in seen]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The handles between docks belong to the window.
        if event.type() in _SHARING:
            self.share_height()
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._at_press = self._heights()
        elif event.type() == QEvent.Type.MouseButtonRelease and self._heights() != self._at_press:
            self.by_hand = True
        return False

    def _put_side_by_side(self) -> None:
        """Put the areas of the registry beside and below each other, with their docks as tabs."""
        window = self._window
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.setDockNestingEnabled(True)
        areas = self._areas()
        columns = [docks[0] for (_, row), docks in areas.items() if row == 0]
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, columns[0])
        for before, dock in pairwise(columns):
            window.splitDockWidget(before, dock, across)
        for (column, row), docks in areas.items():
            if row > 0:
                window.splitDockWidget(areas[column, row - 1][0], docks[0], down)
        for docks in areas.values():
            for before, dock in pairwise(docks):
                window.tabifyDockWidget(before, dock)
            docks[0].raise_()
        self._share_room()

    def _share_room(self) -> None:
        """Give the areas their shares of the window."""
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        areas = self._areas()
        columns = [docks[0] for (_, row), docks in areas.items() if row == 0]
        self._window.resizeDocks(columns, _COLUMN_WIDTHS, across)
        for column, heights in enumerate(_ROW_HEIGHTS):
            rows = [docks[0] for (at, _), docks in areas.items() if at == column]
            self._window.resizeDocks(rows, heights, down)
        self.share_height()

    def _areas(self) -> dict[tuple[int, int], list[QDockWidget]]:
        """Return the docks of each area of the registry, by its column and row."""
        in_order = sorted(registry.PANELS, key=lambda spec: spec.area)
        return {
            area: [self._docks[spec.dock] for spec in specs]
            for area, specs in groupby(in_order, key=lambda spec: spec.area)
        }

"""Show the panels of a page of a tour, and find room for the panel of the tour."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from bpe_gui.tours.tour import Scene, Workspace
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.explore import registry
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.tour.targets import parts_by_place
from bpe_gui.ui.workspaces.workspaces import DockTitle, WorkspaceId

_WIDTH, _MOST_WIDE = 340, 0.36
"""Pixels that the panel takes at the side, for plain text; and the most of the window."""
_SHARE = 0.24
"""The part of a large window that it takes at the side."""
_HEIGHT, _MOST_HIGH = 210, 0.4
"""Pixels that it takes below, for plain text; and the most of the window."""
_LEAST_COLUMN = 300
"""Pixels that a column of panels should have left."""
_LEAST_MIDDLE = 800
"""Pixels that Compare and the laboratory need."""
_TIMES_ASKED = 8
"""How often it is asked for its width at most."""
_FIRST_TO_GO = (2, 0, 1)
"""Which column makes room first, if the page does not point to it."""


class TourLayout:
    """Finds a place for the panel, and hides what a page does not need in a narrow window.

    The panel is at the right, or below if the workspace needs all the width. If the user has moved
    it, it stays there.
    """

    def __init__(self, context: Context, panel: QWidget) -> None:
        self._window = window = context.window
        self.dock = dock = QDockWidget("Guided tour", window)
        """That of the panel, which the user may move, and only the tour closes."""
        dock.setObjectName("tourDock")
        DockTitle(dock)
        dock.setWidget(panel)
        feature = QDockWidget.DockWidgetFeature
        dock.setFeatures(feature.DockWidgetMovable | feature.DockWidgetFloatable)
        self.docks, self._workspaces = context.explore.docks, context.workspaces
        self._area = Qt.DockWidgetArea.RightDockWidgetArea
        window.addDockWidget(self._area, dock)
        dock.hide()

    def begin(self) -> None:
        """Begin a tour: the user has not moved its panel yet."""
        self.dock.setFloating(False)
        self._area = self._window.dockWidgetArea(self.dock)

    def make(self, scene: Scene, *, asks: bool) -> None:
        """Show the workspace of a scene, with the panel beside what the scene points to.

        `asks` tells whether a question replaces the pairs.
        """
        window, dock = self._window, self.dock
        is_ours = not dock.isFloating() and window.dockWidgetArea(dock) == self._area
        # What has no room makes the window larger, and that stays so: the panel comes last.
        dock.hide()
        self._workspaces.show_place(WorkspaceId[scene.workspace.name])
        dock.hide()
        exploring = scene.workspace is Workspace.EXPLORE
        if is_ours:
            self._place(beside=exploring or window.width() - self._width >= _LEAST_MIDDLE)
        if exploring:
            places = [spot.place for spot in scene.spotlight] + ["pairs"] * asks
            parts = parts_by_place()
            self._relayout({parts[place].widget for place in places})
        dock.show()
        down = Qt.Orientation.Vertical
        if self._is_beside():
            self._widen()
        elif is_ours:
            most = round(window.height() * _MOST_HIGH)
            window.resizeDocks([dock], [min(scaled(_HEIGHT, window.font()), most)], down)

    def _widen(self) -> None:
        """Give the panel its width at once.

        Qt gives half of what is missing each time it is asked: the columns would move from page to
        page.
        """
        layout = self._window.layout()
        assert layout is not None
        for _ in range(_TIMES_ASKED):
            before = self.dock.width()
            self._window.resizeDocks([self.dock], [self._width], Qt.Orientation.Horizontal)
            layout.activate()
            if self.dock.width() in (before, self._width):
                break  # there, or the other panels need theirs

    @property
    def _width(self) -> int:
        """Pixels that the panel takes at the side: in larger text more, but not the most."""
        width = self._window.width()
        share = min(scaled(_WIDTH, self._window.font()), round(width * _MOST_WIDE))
        return max(share, round(width * _SHARE), self.dock.minimumSizeHint().width())

    def _place(self, *, beside: bool) -> None:
        areas = Qt.DockWidgetArea
        self._area = areas.RightDockWidgetArea if beside else areas.BottomDockWidgetArea
        if self._window.dockWidgetArea(self.dock) != self._area:
            self._window.addDockWidget(self._area, self.dock)

    def _is_beside(self) -> bool:
        beside = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
        return not self.dock.isFloating() and self._window.dockWidgetArea(self.dock) in beside

    def _relayout(self, pointed: set[str]) -> None:
        """Show as many columns of docks as there is room for, and those that are pointed to."""
        room = self._window.width() - (self._width if self._is_beside() else 0)
        columns: dict[int, list[str]] = {column: [] for column in _FIRST_TO_GO}
        for spec in registry.PANELS:
            columns[spec.area[0]].append(spec.dock)
        gone: set[int] = set()
        for column in _FIRST_TO_GO:
            if room >= _LEAST_COLUMN * (len(columns) - len(gone)):
                break
            if not pointed.intersection(columns[column]):
                gone.add(column)
        # First those that go: the others are to have their room.
        for column in sorted(columns, key=lambda column: (column not in gone, column)):
            for name in columns[column]:
                self.docks[name].setVisible(column not in gone)

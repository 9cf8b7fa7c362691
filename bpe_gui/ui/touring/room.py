"""Which panels are in view on a page of a tour, and room for its own beside them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from bpe_gui.tours.tour import Scene, Workspace
from bpe_gui.ui.touring.targets import DOCKS
from bpe_gui.ui.workspaces import Workspaces

_WIDTH = 340
"""Pixels that the panel takes at the side, as far as there are."""
_LEAST_COLUMN = 300
"""Pixels that a column of panels should have left."""
_COLUMNS = (
    ("pairDock", "whyDock"),
    ("textDock", "wordsDock", "curvesDock", "derivationDock"),
    ("vocabularyDock", "branchesDock", "treeDock"),
)
_FIRST_TO_GO = (2, 0, 1)
"""Which column makes room first, if the page does not point to it."""


class Room:
    """Takes columns of panels out of a narrow window, those that the page does not speak of."""

    def __init__(
        self,
        window: QMainWindow,
        dock: QDockWidget,
        docks: Mapping[str, QDockWidget],
        workspaces: Workspaces,
    ) -> None:
        self._window = window
        self._dock = dock
        self._docks = docks
        self._workspaces = workspaces

    def make(self, scene: Scene) -> None:
        """Show the workspace of a scene, with the panel beside what the scene points to."""
        {
            Workspace.EXPLORE: self._workspaces.explore,
            Workspace.COMPARE: self._workspaces.compare,
            Workspace.LABORATORY: self._workspaces.laboratory,
        }[scene.workspace]()
        # Explore comes back as it was left, which may have been without the panel.
        self._dock.show()
        if scene.workspace is not Workspace.EXPLORE or self._dock.isFloating():
            return
        pointed = {DOCKS[spot.place] for spot in scene.spotlight if spot.place in DOCKS}
        aside = self._window.dockWidgetArea(self._dock) in (
            Qt.DockWidgetArea.LeftDockWidgetArea,
            Qt.DockWidgetArea.RightDockWidgetArea,
        )
        room = self._window.width() - (_WIDTH if aside else 0)
        gone: set[int] = set()
        for column in _FIRST_TO_GO:
            if room >= _LEAST_COLUMN * (len(_COLUMNS) - len(gone)):
                break
            if not pointed.intersection(_COLUMNS[column]):
                gone.add(column)
        for column, names in enumerate(_COLUMNS):
            for name in names:
                self._docks[name].setVisible(column not in gone)
        if aside:
            across = Qt.Orientation.Horizontal
            self._window.resizeDocks([self._dock], [_WIDTH], across)

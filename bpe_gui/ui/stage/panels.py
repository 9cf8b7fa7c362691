"""The panels that can be on the stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from PySide6.QtWidgets import QWidget

from bpe_gui.ui.context.context import Context, all_parts, find_part
from bpe_gui.ui.tour.panel import TourPanel
from bpe_gui.ui.workspaces.frame_scheduler import Panel
from bpe_gui.ui.workspaces.panel_spec import PanelSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

TOUR = "guide"
"""The name of the panel of a tour."""


class StagePanels:
    """Finds panels by name, with their titles and the widgets that the stage borrows."""

    def __init__(self, context: Context, tour_panel: TourPanel) -> None:
        """`tour_panel` cannot be chosen: it is shown while a tour is under way."""
        self._context = context
        self._tour_panel = tour_panel
        self._specs = {spec.name: spec for spec in all_parts() if spec.stage == spec.name}
        self.titles = {name: spec.title for name, spec in self._specs.items()}

    def title(self, name: str) -> str:
        """Return the present title of a panel; that of a dock may change."""
        if name == TOUR:
            return self._tour_panel.place
        spec = self._specs[name]
        docks = self._context.explore.docks
        return docks[spec.widget].windowTitle() if isinstance(spec, PanelSpec) else spec.title

    def widget(self, name: str) -> QWidget:
        """Return the widget of a panel; the view of the laboratory is made if need be."""
        return self._tour_panel if name == TOUR else find_part(self._specs[name], self._context)

    def seen_through(self, borrowed: Mapping[str, QWidget]) -> dict[Panel, list[QWidget]]:
        """Return the views of which only parts are on the stage, with those parts."""
        return {
            cast(Panel, view): [
                widget for name, widget in borrowed.items() if self.behind([name]) == {workspace}
            ]
            for workspace, view in self._context.late_views.items()
        }

    def follow_run(self, names: Sequence[str]) -> bool:
        """Tell whether some of these panels show the run at the cursor: lanes may, or not."""
        follows = any(lane.follows for lane in self._context.compare.comparison.lanes)
        specs = [self._specs[name] for name in names if name != TOUR]
        return any(
            isinstance(spec, PanelSpec)
            or (spec.shows_run and (follows or spec.workspace is not WorkspaceId.COMPARE))
            for spec in specs
        )

    def behind(self, names: Sequence[str]) -> set[WorkspaceId]:
        """Return the workspaces but Explore that these panels are parts of."""
        found = {self._specs[name].workspace for name in names if name != TOUR}
        return {place for place in found if place not in (None, WorkspaceId.EXPLORE)}

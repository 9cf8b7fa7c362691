"""All parts of the window, from where each is declared, and which can be on the stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.compare import parts as compare_parts
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.laboratory import parts as laboratory_parts
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.workspaces.frame_scheduler import Panel
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

GUIDE = "guide"
"""The name of the panel of a guide."""
_GUIDE_TITLE = "Guided tour"
PARTS = (*compare_parts.PARTS, *laboratory_parts.PARTS)
"""The parts of Compare and of the laboratory."""


def all_parts() -> tuple[PanelSpec | PartSpec, ...]:
    """Every panel, part and bar of the window, known before there is one."""
    return (*registry.PANELS, *PARTS, *registry.BARS)


def find_part(
    spec: PanelSpec | PartSpec, explore: ExploreView, compare: CompareView, laboratory: Laboratory
) -> QWidget:
    """The widget of a panel, or of a part of Compare or of the laboratory, which is made for it."""
    if isinstance(spec, PanelSpec):
        return explore.in_dock(spec)
    return spec.find(compare if spec.workspace is WorkspaceId.COMPARE else laboratory.view)


class Guide(Protocol):
    """Says which panels are to be seen, and takes the keys by which one goes on."""

    changed: SignalInstance
    """It has begun or ended, or goes elsewhere."""
    arrived: SignalInstance
    """All that it wants to show is in view."""

    @property
    def active(self) -> bool:
        """Whether it leads now."""

    @property
    def asks(self) -> bool:
        """Whether a number answers."""

    @property
    def panel(self) -> QWidget:
        """Where it says what it has to say."""

    @property
    def stage_panels(self) -> Sequence[str]:
        """The panels to be seen beside it, from one to three, as `StagePanels` calls them."""

    def step_on(self) -> None:
        """Go on."""

    def step_back(self) -> None:
        """Go back."""

    def answer(self, choice: int) -> None:
        """Answer by a choice, from 0."""


class StagePanels:
    """The panels by name: what they are called, and the widget that is lent to the stage."""

    def __init__(self, explore: ExploreView, compare: CompareView, laboratory: Laboratory) -> None:
        self._explore = explore
        self._compare = compare
        self._laboratory = laboratory
        self._guide: QWidget | None = None
        self._specs = {spec.name: spec for spec in all_parts() if spec.stage == spec.name}
        self.titles = {name: spec.title for name, spec in self._specs.items()}

    def add_guide(self, panel: QWidget) -> None:
        """Offer the panel of a guide, which is chosen by nobody: it comes by itself."""
        self._guide = panel

    def title(self, name: str) -> str:
        """What a panel is called now; that of a dock may change."""
        if name == GUIDE:
            return _GUIDE_TITLE
        spec = self._specs[name]
        in_dock = isinstance(spec, PanelSpec)
        return self._explore.docks[spec.widget].windowTitle() if in_dock else spec.title

    def widget(self, name: str) -> QWidget:
        """The widget of a panel, where it stands. Those of the laboratory are made for it."""
        if name == GUIDE and self._guide is not None:
            return self._guide
        return find_part(self._specs[name], self._explore, self._compare, self._laboratory)

    def seen_through(self, lent: Mapping[str, QWidget]) -> dict[Panel, list[QWidget]]:
        """Panels of the clock of which only parts are on the stage, and those parts."""
        views = {WorkspaceId.COMPARE: self._compare, WorkspaceId.LABORATORY: self._laboratory}
        return {
            cast(Panel, view): [lent[name] for name in lent if self.behind([name]) == {workspace}]
            for workspace, view in views.items()
        }

    def follow_run(self, names: Sequence[str]) -> bool:
        """Whether some of these panels show the run at the cursor: lanes may, or not."""
        follows = any(lane.follows for lane in self._compare.comparison.lanes)
        specs = [self._specs[name] for name in names if name != GUIDE]
        return any(
            isinstance(spec, PanelSpec)
            or (spec.shows_run and (follows or spec.workspace is not WorkspaceId.COMPARE))
            for spec in specs
        )

    def behind(self, names: Sequence[str]) -> set[WorkspaceId]:
        """Tell of which workspaces but Explore these panels are parts."""
        found = {self._specs[name].workspace for name in names if name != GUIDE}
        return {place for place in found if place not in (None, WorkspaceId.EXPLORE)}

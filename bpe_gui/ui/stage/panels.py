"""What can be on the stage: every panel of every workspace, under a name that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Protocol, cast

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QDockWidget, QWidget

from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.explore import registry
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from bpe_gui.ui.workspaces.frame_scheduler import Panel
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

GUIDE = "guide"
"""The name of the panel of a guide."""
_GUIDE_TITLE = "Guided tour"
_OTHERS = {
    "lanes": (WorkspaceId.COMPARE, "Lanes", attrgetter("lanes")),
    "numbers": (WorkspaceId.COMPARE, "Numbers", attrgetter("numbers")),
    "difference": (WorkspaceId.COMPARE, "Difference", attrgetter("differences.card")),
    "pipeline": (WorkspaceId.LABORATORY, "Pipeline", attrgetter("pipeline")),
    "boundaries": (
        WorkspaceId.LABORATORY, "Merges blocked by the split", attrgetter("boundaries"),
    ),
    "lockstep": (WorkspaceId.LABORATORY, "Two recipes in lockstep", attrgetter("lockstep")),
}  # fmt: skip
"""Panels that are not of Explore: their workspace, what they are called, and how they are found
in the view of that."""
_OF_NO_RUN = {GUIDE, "pipeline", "lockstep"}
"""What has nothing to do with the run in view."""


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

    def __init__(
        self, docks: Mapping[str, QDockWidget], compare: CompareView, laboratory: Laboratory
    ) -> None:
        self._docks = docks
        self._compare = compare
        self._laboratory = laboratory
        self._guide: QWidget | None = None
        self.titles = {spec.name: spec.title for spec in registry.PANELS}
        self.titles |= {name: title for name, (_, title, _) in _OTHERS.items()}

    def add_guide(self, panel: QWidget) -> None:
        """Offer the panel of a guide, which is chosen by nobody: it comes by itself."""
        self._guide = panel

    def title(self, name: str) -> str:
        """What a panel is called now; that of a dock may change."""
        if name == GUIDE:
            return _GUIDE_TITLE
        spec = registry.named(name)
        return self._docks[spec.dock].windowTitle() if spec is not None else self.titles[name]

    def widget(self, name: str) -> QWidget:
        """The widget of a panel, where it stands. Those of the laboratory are made for it."""
        if name == GUIDE and self._guide is not None:
            return self._guide
        if (spec := registry.named(name)) is not None:
            held = self._docks[spec.dock].widget()
            return held.panel if isinstance(held, ShrinkableScrollArea) else held
        workspace, _, find = _OTHERS[name]
        view = self._compare if workspace is WorkspaceId.COMPARE else self._laboratory.view
        return cast(QWidget, find(view))

    def seen_through(self, lent: Mapping[str, QWidget]) -> dict[Panel, list[QWidget]]:
        """Panels of the clock of which only parts are on the stage, and those parts."""
        views = {WorkspaceId.COMPARE: self._compare, WorkspaceId.LABORATORY: self._laboratory}
        return {
            cast(Panel, view): [lent[name] for name in lent if behind([name]) == {workspace}]
            for workspace, view in views.items()
        }

    def follow_run(self, names: tuple[str, ...]) -> bool:
        """Whether some of these panels show the run at the cursor: lanes may, or not."""
        follows = any(lane.follows for lane in self._compare.comparison.lanes)
        return any(
            name not in _OF_NO_RUN and (follows or WorkspaceId.COMPARE not in behind([name]))
            for name in names
        )


def behind(names: Sequence[str]) -> set[WorkspaceId]:
    """Tell of which workspaces but Explore these panels are parts."""
    return {_OTHERS[name][0] for name in names if name in _OTHERS}

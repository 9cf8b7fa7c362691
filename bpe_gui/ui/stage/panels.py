"""What can be on the stage: every panel of every workspace, under a name that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QDockWidget, QWidget

from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.explore import registry
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from bpe_gui.ui.workspaces.frame_scheduler import Panel
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.view import LaboratoryView

GUIDE = "guide"
"""The name of the panel of a guide."""
_GUIDE_TITLE = "Guided tour"
_OF_COMPARE = {"lanes": "Lanes", "numbers": "Numbers", "difference": "Difference"}
_OF_LABORATORY = {
    "pipeline": "Pipeline",
    "boundaries": "Merges blocked by the split",
    "lockstep": "Two recipes in lockstep",
}
_OF_NO_RUN = {GUIDE, *_OF_COMPARE, "pipeline", "lockstep"}
"""What has nothing to do with the run in view, but for lanes that follow it."""


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
        self.titles |= _OF_COMPARE | _OF_LABORATORY

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
        if name in _OF_COMPARE:
            return _of_compare(self._compare, name)
        return _of_laboratory_view(self._laboratory.view, name)

    def seen_through(self, lent: Mapping[str, QWidget]) -> dict[Panel, list[QWidget]]:
        """Panels of the clock of which only parts are on the stage, and those parts."""
        compared = [widget for name, widget in lent.items() if name in _OF_COMPARE]
        tried = [widget for name, widget in lent.items() if name in _OF_LABORATORY]
        return {
            cast(Panel, self._compare): compared,
            cast(Panel, self._laboratory): tried,
        }

    def follow_run(self, names: tuple[str, ...]) -> bool:
        """Whether some of these panels show the run at the cursor: lanes may, or not."""
        follows = any(lane.follows for lane in self._compare.comparison.lanes)
        return any(name not in _OF_NO_RUN or (name in _OF_COMPARE and follows) for name in names)


def behind(names: Sequence[str]) -> set[WorkspaceId]:
    """Tell of which workspaces but Explore these panels are parts."""
    found = {WorkspaceId.COMPARE} if _OF_COMPARE.keys() & set(names) else set()
    return found | ({WorkspaceId.LABORATORY} if _OF_LABORATORY.keys() & set(names) else set())


def _of_compare(view: CompareView, name: str) -> QWidget:
    return {"lanes": view.lanes, "numbers": view.numbers, "difference": view.differences.card}[name]


def _of_laboratory_view(view: LaboratoryView, name: str) -> QWidget:
    found: QWidget = getattr(view, name)
    return found

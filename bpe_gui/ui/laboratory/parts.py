"""The parts of the laboratory: their names, and why one is empty."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from bpe_gui.exporting.tables import lockstep_lines
from bpe_gui.ui.workspaces.panel_spec import Lines, PartSpec, Tables
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    # Its modules are loaded when the laboratory is shown, not with the window.
    from bpe_gui.ui.laboratory.view import LaboratoryView


def _boundaries(view: LaboratoryView) -> str:
    if view.boundaries.pair_lines() is not None:
        return ""
    said = view.boundaries.sentence.rstrip(".")
    return said[:1].lower() + said[1:] or "there is no run yet"


def _lockstep_lines(view: LaboratoryView) -> Lines | None:
    chart = view.lockstep.chart
    return None if chart.lockstep is None else lockstep_lines(chart.lockstep, chart.names)


_BOUNDARIES: Tables = {
    "Blocked pairs": lambda view: view.boundaries.pair_lines(),
    "Tokens across boundaries": lambda view: view.boundaries.token_lines(),
}
_LOCKSTEP: Tables = {"The tokens of the recipes": _lockstep_lines}
_NOT_TRAINED = "no recipes have been trained in lockstep"
_LABORATORY = WorkspaceId.LABORATORY
PARTS = (
    PartSpec(
        "recipe", "Recipe editor", _LABORATORY, "recipeEditor", "editor",
        help_page="recipe-editor",
        at_rest=lambda view: view.editor.up_to_date and not view.editor.measuring.busy,
        keywords="regex pattern split normalize normalization special tokens alphabet settings",
    ),
    PartSpec(
        "recipe-text", "Sample text of the laboratory", _LABORATORY, "laboratoryText",
        help_page="laboratory", keywords="type input", exported=False,
    ),
    PartSpec(
        "pipeline", "Pipeline", _LABORATORY, "pipelineView", "pipeline",
        help_page="pipeline", keywords="stages steps normalize split pre-tokenization",
        tour_places={"pipeline": ""}, stage="pipeline", shows_run=False,
        emptiness=lambda view: "there is no text" if view.pipeline.is_empty else "",
        at_rest=lambda view: view.editor.up_to_date and view.pipeline.up_to_date,
    ),
    PartSpec(
        "boundaries", "Merges blocked by the split", _LABORATORY, "boundaryPanel", "boundaries",
        help_page="boundaries", keywords="pattern split boundary",
        tour_places={"boundaries": ""}, stage="boundaries",
        emptiness=_boundaries, tables=_BOUNDARIES, tells_next=True,
        at_rest=lambda view: view.editor.up_to_date and not view.boundaries.busy,
    ),
    PartSpec(
        "lockstep", "Recipes in lockstep", _LABORATORY, "lockstepPanel", "lockstep",
        help_page="lockstep", keywords="two side compare slope",
        tour_places={"lockstep": ""}, stage="lockstep", shows_run=False,
        emptiness=lambda view: "" if view.lockstep.chart.lockstep else _NOT_TRAINED,
        tables=_LOCKSTEP, at_rest=attrgetter("lockstep.at_rest"), tells_next=True,
    ),
)  # fmt: skip

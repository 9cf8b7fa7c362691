"""The parts of the window that one can go to, and which page of the help is about each."""

from __future__ import annotations

from typing import NamedTuple

from bpe_gui.ui.explore import registry
from bpe_gui.ui.workspaces.workspaces import WorkspaceId


class NavigationTarget(NamedTuple):
    """A part of the window, by the object name of its widget."""

    name: str
    title: str
    workspace: WorkspaceId | None
    """The workspace where it stands; None where it stands in all of them."""
    page: str
    also: str = ""
    """Words that others may call it by."""


_ELSEWHERE = (
    NavigationTarget(
        "compareText",
        "The text that is compared",
        WorkspaceId.COMPARE,
        "lanes",
        "type input sample",
    ),
    NavigationTarget(
        "laneView", "Lanes of tokens", WorkspaceId.COMPARE, "lanes", "tokens rows coloured text"
    ),
    NavigationTarget(
        "differenceCard",
        "Why the encodings part",
        WorkspaceId.COMPARE,
        "differences",
        "explain reason disagree",
    ),
    NavigationTarget(
        "metricsTable",
        "Numbers of each encoding, in a table",
        WorkspaceId.COMPARE,
        "numbers",
        "statistics metrics fertility parity entropy count",
    ),
    NavigationTarget(
        "metricBars",
        "Numbers of each encoding, as bars",
        WorkspaceId.COMPARE,
        "bars",
        "statistics metrics chart",
    ),
    NavigationTarget(
        "languageBars",
        "Languages",
        WorkspaceId.COMPARE,
        "languages",
        "language cost parity tax multilingual scripts",
    ),
    NavigationTarget(
        "mergeCurves",
        "Numbers over the merges",
        WorkspaceId.COMPARE,
        "merge-curves",
        "graph plot chart compression",
    ),
    NavigationTarget(
        "recipeEditor",
        "Recipe editor",
        WorkspaceId.LABORATORY,
        "recipe-editor",
        "regex pattern split normalize normalization special tokens alphabet settings",
    ),
    NavigationTarget(
        "laboratoryText",
        "Sample text of the laboratory",
        WorkspaceId.LABORATORY,
        "laboratory",
        "type input",
    ),
    NavigationTarget(
        "pipelineView",
        "Pipeline",
        WorkspaceId.LABORATORY,
        "pipeline",
        "stages steps normalize split pre-tokenization",
    ),
    NavigationTarget(
        "wallPanel",
        "Merges blocked by the split",
        WorkspaceId.LABORATORY,
        "boundaries",
        "pattern split boundary",
    ),
    NavigationTarget(
        "lockstepPanel",
        "Two recipes in lockstep",
        WorkspaceId.LABORATORY,
        "lockstep",
        "two side compare slope",
    ),
    NavigationTarget(
        "trainingBar",
        "Corpus and recipe",
        None,
        "corpus",
        "vocabulary size number merges preset settings",
    ),
    NavigationTarget(
        "playerBar", "Player and timeline", None, "player", "speed position scrub slider history"
    ),
)


def navigation_targets() -> tuple[NavigationTarget, ...]:
    """All of them. A part within another comes to it first, by the names of its parents."""
    panels = (
        NavigationTarget(
            spec.dock, spec.title, WorkspaceId.EXPLORE, spec.help_page, spec.keywords
        )
        for spec in registry.PANELS
    )
    return (*panels, *_ELSEWHERE)


OTHER_PAGES = {
    "guessPanel": "guess",
    "tourPanel": "tour",
    "compareView": "compare",
    "laboratoryView": "laboratory",
    "tourDock": "tour",
    "workspaceTabs": "overview",
}
"""Pages about widgets that one does not go to by name: one by another way, or a workspace."""

PAGES_OF_DIALOGS = {
    "exportDialog": "export",
    "animationDialog": "export",
    "saveDialog": "saving",
    "whichFormat": "saving",
    "rankFileDialog": "compare",
    "actionSearch": "search",
}
"""Pages about dialogs, by the object names of these."""

"""The parts of the window that one can go to, and which page of the help is about each."""

from __future__ import annotations

from typing import NamedTuple

from bpe_gui.ui.context.workspaces import Place


class Spot(NamedTuple):
    """A part of the window, by the object name of its widget."""

    name: str
    title: str
    workspace: Place | None
    """The workspace where it stands; None where it stands in all of them."""
    page: str
    also: str = ""
    """Words that others may call it by."""


SPOTS = (
    Spot(
        "pairDock", "Pair frequencies", Place.EXPLORE, "pairs",
        "chart bars counts histogram bigrams candidates",
    ),
    Spot("whyDock", "Why this pair", Place.EXPLORE, "why", "explain reason tie count"),
    Spot(
        "textDock", "Text", Place.EXPLORE, "text",
        "sample type tokenize encode colours ids input",
    ),
    Spot("wordsDock", "Words", Place.EXPLORE, "words", "counts segmentation frequencies corpus"),
    Spot(
        "curvesDock", "Curves", Place.EXPLORE, "curves",
        "graph plot chart zipf length compression",
    ),
    Spot(
        "derivationDock", "How a word is cut", Place.EXPLORE, "derivation",
        "merges segmentation steps explain derivation",
    ),
    Spot("vocabularyDock", "Vocabulary", Place.EXPLORE, "vocabulary", "tokens list ids table"),
    Spot("branchesDock", "What if", Place.EXPLORE, "what-if", "branch experiment alternatives"),
    Spot("treeDock", "The selected token", Place.EXPLORE, "token", "tree parents children node"),
    Spot("compareText", "The text that is compared", Place.COMPARE, "lanes", "type input sample"),
    Spot("laneView", "Lanes of tokens", Place.COMPARE, "lanes", "tokens rows coloured text"),
    Spot(
        "differenceCard", "Why the encodings part", Place.COMPARE, "differences",
        "explain reason disagree",
    ),
    Spot(
        "metricsTable", "Numbers of each encoding, in a table", Place.COMPARE, "numbers",
        "statistics metrics fertility parity entropy count",
    ),
    Spot(
        "metricBars", "Numbers of each encoding, as bars", Place.COMPARE, "bars",
        "statistics metrics chart",
    ),
    Spot(
        "languageBars", "Languages", Place.COMPARE, "languages",
        "language cost parity tax multilingual scripts",
    ),
    Spot(
        "mergeCurves", "Numbers over the merges", Place.COMPARE, "merge-curves",
        "graph plot chart compression",
    ),
    Spot(
        "recipeEditor", "Recipe editor", Place.LABORATORY, "recipe-editor",
        "regex pattern split normalize normalization special tokens alphabet settings",
    ),
    Spot(
        "laboratoryText", "Sample text of the laboratory", Place.LABORATORY, "laboratory",
        "type input",
    ),
    Spot(
        "pipelineView", "Pipeline", Place.LABORATORY, "pipeline",
        "stages steps normalize split pre-tokenization",
    ),
    Spot("wallPanel", "What the wall forbids", Place.LABORATORY, "wall", "pattern split boundary"),
    Spot(
        "lockstepPanel", "Two recipes in lockstep", Place.LABORATORY, "lockstep",
        "two side compare slope",
    ),
    Spot(
        "trainingBar", "Corpus and recipe", None, "corpus",
        "vocabulary size number merges preset settings",
    ),
    Spot("playerBar", "Player and timeline", None, "player", "speed position scrub slider history"),
)
"""All of them. A part within another comes to it first, by the names of its parents."""

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

"""The parts of the window that one can go to, and which page of the help is about each."""

from __future__ import annotations

from typing import NamedTuple

from bpe_gui.ui.workspaces import Place


class Spot(NamedTuple):
    """A part of the window, by the object name of its widget."""

    name: str
    title: str
    workspace: Place | None
    """The workspace where it stands; None where it stands in all of them."""
    page: str


SPOTS = (
    Spot("pairDock", "Pair frequencies", Place.EXPLORE, "pairs"),
    Spot("whyDock", "Why this pair", Place.EXPLORE, "why"),
    Spot("textDock", "Text", Place.EXPLORE, "text"),
    Spot("wordsDock", "Words", Place.EXPLORE, "words"),
    Spot("curvesDock", "Curves", Place.EXPLORE, "curves"),
    Spot("derivationDock", "How a word is cut", Place.EXPLORE, "derivation"),
    Spot("vocabularyDock", "Vocabulary", Place.EXPLORE, "vocabulary"),
    Spot("branchesDock", "What if", Place.EXPLORE, "what-if"),
    Spot("treeDock", "The selected token", Place.EXPLORE, "token"),
    Spot("compareText", "The text that is compared", Place.COMPARE, "lanes"),
    Spot("laneView", "Lanes of tokens", Place.COMPARE, "lanes"),
    Spot("differenceCard", "Why the encodings part", Place.COMPARE, "differences"),
    Spot("metricsTable", "Numbers of each encoding, in a table", Place.COMPARE, "numbers"),
    Spot("metricBars", "Numbers of each encoding, as bars", Place.COMPARE, "bars"),
    Spot("languageBars", "Languages", Place.COMPARE, "languages"),
    Spot("mergeCurves", "Numbers over the merges", Place.COMPARE, "merge-curves"),
    Spot("recipeEditor", "Recipe editor", Place.LABORATORY, "recipe-editor"),
    Spot("laboratoryText", "Sample text of the laboratory", Place.LABORATORY, "laboratory"),
    Spot("pipelineView", "Pipeline", Place.LABORATORY, "pipeline"),
    Spot("wallPanel", "What the wall forbids", Place.LABORATORY, "wall"),
    Spot("lockstepPanel", "Two recipes in lockstep", Place.LABORATORY, "lockstep"),
    Spot("trainingBar", "Corpus and recipe", None, "corpus"),
    Spot("playerBar", "Player and timeline", None, "player"),
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

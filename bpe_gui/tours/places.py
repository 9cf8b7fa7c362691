"""What a spotlight can point to: names of panels and of parts of them."""

from __future__ import annotations

from types import MappingProxyType

from bpe_gui.analysis.metrics import COLUMNS
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.tour import Workspace

_E, _C, _L = Workspace.EXPLORE, Workspace.COMPARE, Workspace.LABORATORY

PLACES = MappingProxyType(
    {
        "pairs": (_E, "the chart of pair frequencies"),
        "why": (_E, "why this pair was merged"),
        "text": (_E, "the text panel, whole"),
        "typed text": (_E, "the field to type in"),
        "tokens": (_E, "the text cut into coloured tokens"),
        "ids": (_E, "the numbers of the tokens"),
        "words": (_E, "the words of the corpus"),
        "curves": (_E, "the curves"),
        "cutting": (_E, "how a word is cut"),
        "vocabulary": (_E, "the vocabulary"),
        "what if": (_E, "the branches"),
        "tree": (_E, "the selected token"),
        "lanes": (_C, "the lanes"),
        "difference": (_C, "why lanes part at one place"),
        "numbers": (_C, "the table of numbers"),
        "languages": (_C, "what each language takes"),
        "pipeline": (_L, "the stages of the recipe in the editor"),
        "wall": (_L, "what the wall forbids"),
        "lockstep": (_L, "two recipes in lockstep"),
        "timeline": (None, "the timeline of the run"),
        "corpus": (None, "the choice of the corpus"),
        "recipe": (None, "the choice of the recipe"),
        "vocabulary size": (None, "the choice of the size"),
        "train": (None, "the button that trains"),
    }
)
"""Each with the workspace in which it can be seen, None for all, and what it is."""

WITH_ROWS = ("pairs",)
"""Those of which single rows can be pointed to, counted from 1 as they stand in view."""

CURVES = ("zipf", "bytes/token", "tokens", "lengths")
"""The curves of a run by name, in the order in which they stand."""

WITH_PARTS = ("curves", "numbers", "languages", "lanes")
"""Those of which a part can be pointed to by its name: a curve, a column, a language, and where
in the story that language begins."""


def parts_of(place: str) -> tuple[str, ...]:
    """The names of the parts of a place, none for a place that has none.

    >>> parts_of("curves")
    ('zipf', 'bytes/token', 'tokens', 'lengths')
    >>> parts_of("languages")[:3]
    ('en', 'de', 'fr')
    """
    if place == "curves":
        return CURVES
    if place == "numbers":
        return tuple(column.title for column in COLUMNS)
    return tuple(languages()) if place in ("languages", "lanes") else ()

"""What a page of a tour points to or asks has to be in view there: otherwise it says so.

That depends on what the pages before it ask for, so it is looked at once all can be understood.
"""

from __future__ import annotations

from collections.abc import Iterable

from bpe_gui.tours.directives import read_spot
from bpe_gui.tours.open_page import Asked
from bpe_gui.tours.places import PLACES
from bpe_gui.tours.tour import Compared, Scene, Tour, TourError, Workspace, moments

_EXPLORE, _COMPARE = Workspace.EXPLORE, Workspace.COMPARE
_SEEN_IN = {"cover": _EXPLORE, "choices": _EXPLORE, "word": _EXPLORE, "difference": _COMPARE}


def out_of_view(tour: Tour, lines: Iterable[Asked]) -> list[TourError]:
    """The lines of a tour that ask for what is not in view on their page.

    >>> from bpe_gui.tours.parsing import parse_with_lines
    >>> text = "bpe-gui tour 1\\ntitle: T\\n# C\\n## P\\nspotlight: lanes\\nWords."
    >>> print(*out_of_view(*parse_with_lines(text)))
    line 5, column 1: “lanes” can be seen only in compare; write workspace: compare on this page
    """
    scenes = {(stop.page, stop.revealed): stop.scene for stop in moments(tour)}
    found = []
    for asked in lines:
        if problem := _problem(asked, scenes[asked.page, asked.revealed]):
            found.append(TourError(asked.place.line, 1, problem))
    return found


def _problem(asked: Asked, scene: Scene) -> str:
    """Why what a line asks for is not in view in a scene; empty if it is."""
    called = asked.name
    seen_in = _SEEN_IN.get(called)
    if called == "spotlight":
        called = read_spot(asked.value).place
        seen_in = PLACES[called][0]
    if seen_in not in (None, scene.workspace):
        place = f"“{called}” can be seen only in {seen_in}"
        return f"{place}; write workspace: {seen_in} on this page"
    if called == "languages" and scene.compare_on is not Compared.STORY:
        return "languages are counted in the story alone; write compare on: the story on this page"
    return ""

"""What a page of a tour points to or asks has to be in view there: otherwise it says so.

That depends on what the pages before it ask for, so it is looked at once all can be understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bpe_gui.tours.directives import read_spot
from bpe_gui.tours.places import PLACES
from bpe_gui.tours.tour import Compared, Scene, Tour, Workspace, moments
from bpe_gui.tours.tour_error import TourError

_EXPLORE, _COMPARE = Workspace.EXPLORE, Workspace.COMPARE
_POINTING = re.compile(r"(spotlight|cover|choices|word|difference): ?(.*)")
_SEEN_IN = {"cover": _EXPLORE, "choices": _EXPLORE, "word": _EXPLORE, "difference": _COMPARE}


def out_of_view(text: str, tour: Tour) -> list[TourError]:
    """The lines of the text of a tour that ask for what is not in view on their page.

    >>> from bpe_gui.tours.parsing import parse
    >>> text = "bpe-gui tour 1\\ntitle: T\\n# C\\n## P\\nspotlight: lanes\\nWords."
    >>> print(*out_of_view(text, parse(text)))
    line 5, column 1: “lanes” can be seen only in compare; write workspace: compare on this page
    """
    scenes = {(stop.page, stop.revealed): stop.scene for stop in moments(tour)}
    found = []
    for number, page, revealed, line in _lines(text):
        pointing = _POINTING.fullmatch(line)
        if pointing is not None:
            problem = _problem(pointing[1], pointing[2].strip(), scenes[page, revealed])
            if problem:
                found.append(TourError(number, 1, problem))
    return found


def _lines(text: str) -> Iterator[tuple[int, int, bool, str]]:
    """The lines of pages, without spaces at their ends: the number of each, and where it stands."""
    page, revealed = -1, False
    for number, written in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = written.rstrip()
        if line.startswith("## "):
            page, revealed = page + 1, False
        elif line == "then:":
            revealed = True
        elif page >= 0:
            yield number, page, revealed, line


def _problem(name: str, value: str, scene: Scene) -> str:
    """Why what a line asks for is not in view in a scene; empty if it is."""
    called = name
    seen_in = _SEEN_IN.get(name)
    if name == "spotlight":
        called = read_spot(value).place
        seen_in = PLACES[called][0]
    if seen_in not in (None, scene.workspace):
        place = f"“{called}” can be seen only in {seen_in}"
        return f"{place}; write workspace: {seen_in} on this page"
    if called == "languages" and scene.compare_on is not Compared.STORY:
        return "languages are counted in the story alone; write compare on: the story on this page"
    return ""

"""Characters that at least one lane cuts apart, and what each lane shows of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible
from bpe_gui.ui.lanes.layout import ScoreLayout, SystemUnits
from bpe_gui.ui.lanes.prepared import LaneColumns


@dataclass(frozen=True, slots=True)
class CharacterPart:
    """What one token of a lane holds of a character: all of it, or the bytes `data`.

    token: what the token is, if normalization has made several of the same text; else empty.
    """

    character: int
    left: float
    right: float
    data: bytes
    whole: bool
    token: str = ""


def parts_of(
    layout: ScoreLayout, units: SystemUnits, lane: LaneColumns, tokens: NDArray[np.int64]
) -> list[CharacterPart]:
    """The parts of a system's split characters in a lane with these tokens at its units.

    A character that this lane keeps whole where another splits it is a single part.
    """
    edges = layout.byte_starts
    character = np.searchsorted(edges, units.starts, "right") - 1
    within = ~units.marker & layout.is_split(character)
    found: list[CharacterPart] = []
    places = np.flatnonzero(within)
    if not len(places):
        return found
    data = layout.text
    named = lane.named[tokens[places]]
    changes = (np.diff(character[places]) != 0) & ~named[1:] | (np.diff(tokens[places]) != 0)
    begins = np.flatnonzero(np.append(True, changes))
    groups = np.split(places, begins[1:])
    for group, is_named in zip(groups, named[begins], strict=True):
        number = int(character[group[0]])
        start, end = int(units.starts[group].min()), int(units.ends[group].max())
        first = int(edges[number])
        written = data[number].encode("utf-8")
        part = written[start - first : end - first]
        left, right = float(units.left[group].min()), float(units.right[group].max())
        token = int(tokens[group[0]])
        if is_named:
            name = visible(lane.cut.content(token)) or "?"
            found.append(CharacterPart(number, left, right, part, whole=False, token=name))
        else:
            found.append(CharacterPart(number, left, right, part, whole=part == written))
    return found

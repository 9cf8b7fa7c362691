"""Characters that at least one lane cuts apart, and what each lane shows of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.lanes.layout import ScoreLayout, SystemUnits


@dataclass(frozen=True, slots=True)
class CharacterPart:
    """What one token of a lane holds of a character: all of it, or the bytes `data`."""

    character: int
    left: float
    right: float
    data: bytes
    whole: bool


def parts_of(
    layout: ScoreLayout, units: SystemUnits, tokens: NDArray[np.int64]
) -> list[CharacterPart]:
    """The parts of a system's split characters in a lane with these tokens at its units.

    A character that this lane keeps whole where another splits it is a single part.
    """
    edges = layout.byte_starts
    character = np.searchsorted(edges, units.starts, "right") - 1
    after = edges[np.minimum(character + 1, len(edges) - 1)]
    within = ~units.marker & ((units.starts > edges[character]) | (units.ends < after))
    found: list[CharacterPart] = []
    places = np.flatnonzero(within)
    if not len(places):
        return found
    data = layout.text
    changes = (np.diff(character[places]) != 0) | (np.diff(tokens[places]) != 0)
    groups = np.split(places, np.flatnonzero(changes) + 1)
    for group in groups:
        number = int(character[group[0]])
        start, end = int(units.starts[group].min()), int(units.ends[group].max())
        first = int(edges[number])
        written = data[number].encode("utf-8")
        part = written[start - first : end - first]
        found.append(
            CharacterPart(
                number,
                float(units.left[group].min()),
                float(units.right[group].max()),
                part,
                part == written,
            )
        )
    return found

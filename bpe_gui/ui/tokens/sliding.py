"""Two tokens become one before one's eyes: the new colour spreads from where they met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.boxes import Boxes
from bpe_gui.ui.tokens.picture import ShownRow
from bpe_gui.ui.tokens.tokenized_text import TokenizedText


@dataclass(frozen=True, slots=True)
class Seams:
    """Where boundaries between tokens have just vanished: before which characters, ascending.

    left, right: the tokens that met there, by their numbers in the text of before.
    """

    before: TokenizedText
    characters: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]

    def fills(self, colour_by: ColourBy) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the fills of the tokens left and right of each place."""
        return self.before.fills(self.left, colour_by), self.before.fills(self.right, colour_by)


def seams_between(before: TokenizedText, after: TokenizedText) -> Seams:
    """Find the boundaries between whole characters that one merge has removed from a text."""
    places = np.flatnonzero(before.boundary & ~after.boundary)
    places = places[(places > 0) & (places < len(before.characters))]
    left = np.searchsorted(before.lasts, places - 1, "right")
    right = np.searchsorted(before.lasts, places, "right")
    known = right < len(before)
    return Seams(before, places[known], left[known], right[known])


def slide(
    boxes: Boxes, rows: list[ShownRow], seams: Seams, share: float, colour_by: ColourBy
) -> Boxes:
    """Draw the box of each new token as three: what is left of the two, and the new between them.

    `share` is how much of it is done, from 0 to 1. Rows with text from right to left are drawn as
    they will be.
    """
    found, edges, numbers = _places(boxes, rows, seams)
    if not len(found):
        return boxes
    counts = np.ones(len(boxes.row), np.int64)
    counts[found] = 3
    first = (np.cumsum(counts) - counts)[found]
    middle, last = first + 1, first + 2
    made = Boxes(*(np.repeat(getattr(boxes, name), counts) for name in Boxes.__slots__))
    begin = edges - share * (edges - boxes.left[found])
    end = edges + share * (boxes.right[found] - edges)
    made.right[first] = made.left[middle] = begin
    made.right[middle] = made.left[last] = end
    of_left, of_right = seams.fills(colour_by)
    made.fill[first], made.fill[last] = of_left[numbers], of_right[numbers]
    made.open_right[first] = made.open_right[middle] = True
    made.open_left[middle] = made.open_left[last] = True
    return made


def _places(
    boxes: Boxes, rows: list[ShownRow], seams: Seams
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the boxes in view that have a seam, where it is, and which seam it is."""
    found, edges, numbers = [], [], []
    for number, shown in enumerate(rows):
        if shown.row.visual is not None:
            continue
        begin, end = np.searchsorted(seams.characters, (shown.first + 1, shown.last))
        units = np.searchsorted(shown.row.character, seams.characters[begin:end] - shown.first)
        of_row = np.flatnonzero(boxes.row == number)
        for seam, unit in enumerate(units.tolist(), int(begin)):
            edge = float(shown.row.left[unit])
            box = int(np.searchsorted(boxes.left[of_row], edge, "right")) - 1
            if box >= 0 and edge < boxes.right[of_row[box]]:
                found.append(int(of_row[box]))
                edges.append(edge)
                numbers.append(seam)
    return np.array(found, np.int64), np.array(edges), np.array(numbers, np.int64)

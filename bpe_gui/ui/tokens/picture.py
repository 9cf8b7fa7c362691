"""The boxes of a few rows of a tokenized text: which token is where, and how two become one."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.boxes import SELECTION, UNKNOWN, Boxes, Ring
from bpe_gui.ui.tokens.shaping import BY_CHARACTER, Row
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

NOWHERE = -1


class Emphasis(Struct, frozen=True):
    """What is emphasized: selected tokens (from, to), and ids with a ring (-1: none).

    of_pair: which tokens have a ring because they are in a pair that is selected.
    merging: which tokens have a ring because the next merge puts them together.
    """

    first: int
    last: int
    newest: int
    occurrences: int
    of_pair: NDArray[np.bool_]
    merging: NDArray[np.bool_]


class ShownRow(Struct, frozen=True):
    """A row and the characters, from and to, that it shows."""

    row: Row
    first: int
    last: int


def tokens_of_units(cut: TokenizedText, shown: ShownRow) -> NDArray[np.int64]:
    """Return the token of each unit of a row; NOWHERE for text in no token."""
    row = shown.row
    by_character = _tokens_at(cut, row.character + shown.first)
    if row.token is None:
        return by_character
    begin, _ = cut.tokens_within(shown.first, shown.last)
    return np.where(row.token == BY_CHARACTER, by_character, row.token + begin)


def groups_of(
    token: NDArray[np.int64], row: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last units of each box: side by side in one token.

    `row` has the row of each unit, if not all are in one.
    """
    change = np.ones(len(token), bool)
    np.not_equal(token[1:], token[:-1], out=change[1:])
    if row is not None:
        change[1:] |= row[1:] != row[:-1]
    begins = np.flatnonzero(change)
    ends = np.append(begins[1:], len(token)) - 1
    covered = token[begins] != NOWHERE
    return begins[covered], ends[covered]


def boxes_of(
    cut: TokenizedText, rows: list[ShownRow], emphasis: Emphasis, colour_by: ColourBy
) -> Boxes:
    """Return the boxes of rows, in the order in which they are painted."""
    row, token, left, right = _units(cut, rows)
    begins, ends = groups_of(token, row)
    token, row = token[begins], row[begins]
    ids = cut.ids[token]
    fill = cut.fills(token, colour_by)
    fill[ids == NO_TOKEN] = UNKNOWN
    fill[(token >= emphasis.first) & (token < emphasis.last)] = SELECTION
    ring = np.full(len(token), int(Ring.NONE))
    ring[emphasis.of_pair[token]] = Ring.OCCURRENCE
    ring[(ids == emphasis.newest) & (ids != NO_TOKEN)] = Ring.NEWEST
    ring[emphasis.merging[token]] = Ring.NEWEST
    # Whoever selects a token of the next merge sees where it is, too.
    ring[(ids == emphasis.occurrences) & (ids != NO_TOKEN)] = Ring.OCCURRENCE
    ordered = np.array([shown.row.visual is None for shown in rows])[row]
    first = np.array([shown.first for shown in rows])[row]
    last = np.array([shown.last for shown in rows])[row]
    return Boxes(
        row=row,
        left=left[begins],
        right=right[ends],
        fill=fill,
        ring=ring,
        open_left=ordered & (cut.firsts[token] < first),
        open_right=ordered & (cut.lasts[token] > last),
    )


def _units(
    cut: TokenizedText, rows: list[ShownRow]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the units of several rows, each from left to right: row, token, left and right."""
    lefts, rights, places, known = [], [], [], []
    for shown in rows:
        row = shown.row
        order = slice(None) if row.visual is None else row.visual
        token = np.full(len(row.left), BY_CHARACTER) if row.token is None else row.token[order]
        if row.token is not None:
            begin, _ = cut.tokens_within(shown.first, shown.last)
            token = np.where(token == BY_CHARACTER, BY_CHARACTER, token + begin)
        lefts.append(row.left[order])
        rights.append(row.right[order])
        places.append(row.character[order] + shown.first)
        known.append(token)
    token = np.concatenate(known)
    unknown = np.flatnonzero(token == BY_CHARACTER)
    token[unknown] = _tokens_at(cut, np.concatenate(places)[unknown])
    numbers = np.repeat(np.arange(len(rows)), [len(one) for one in known])
    return numbers, token, np.concatenate(lefts), np.concatenate(rights)


def _tokens_at(cut: TokenizedText, places: NDArray[np.int64]) -> NDArray[np.int64]:
    tokens = np.searchsorted(cut.lasts, places, "right")
    inside = tokens < len(cut)
    inside[inside] = cut.firsts[tokens[inside]] <= places[inside]
    return np.where(inside, tokens, NOWHERE)


class Seams(Struct, frozen=True):
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
    made = Boxes(*(np.repeat(getattr(boxes, name), counts) for name in Boxes.__struct_fields__))
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

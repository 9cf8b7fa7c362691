"""Which boxes a few rows of a cut text need, and which token is at a place of a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.tokens.boxes import Boxes, Ring
from bpe_gui.ui.tokens.cut import Cut
from bpe_gui.ui.tokens.shaping import Row

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What stands out: selected tokens (from, to), and ids with a ring (-1: none)."""

    first: int
    last: int
    newest: int
    occurrences: int


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row and the characters, from and to, that it shows."""

    row: Row
    first: int
    last: int


def tokens_of_units(cut: Cut, shown: ShownRow) -> NDArray[np.int64]:
    """The token of each unit of a row; NOWHERE for text in no token."""
    row = shown.row
    begin, _ = cut.tokens_within(shown.first, shown.last)
    if row.token is not None:
        return np.where(row.token >= 0, row.token + begin, NOWHERE)
    places = row.character + shown.first
    tokens = np.searchsorted(cut.lasts, places, "right")
    inside = tokens < len(cut)
    inside[inside] = cut.firsts[tokens[inside]] <= places[inside]
    return np.where(inside, tokens, NOWHERE)


def boxes_of(
    cut: Cut,
    rows: list[ShownRow],
    colours: NDArray[np.int8],
    emphasis: Emphasis,
    special_fills: tuple[int, int],
) -> Boxes:
    """The boxes of rows, in the order in which they are painted.

    `special_fills` are the fills for selected and for unknown tokens.
    """
    columns: list[list[NDArray[np.int64] | NDArray[np.float64] | NDArray[np.bool_]]]
    columns = [[], [], [], [], [], []]
    for number, shown in enumerate(rows):
        for column, values in zip(columns, _row_boxes(cut, number, shown), strict=True):
            column.append(values)
    row, token, left, right, open_left, open_right = (
        np.concatenate(column) if column else np.empty(0) for column in columns
    )
    token = token.astype(np.int64)
    ids = cut.ids[token]
    fill = colours[token].astype(np.int64)
    fill[ids == NO_TOKEN] = special_fills[1]
    fill[(token >= emphasis.first) & (token < emphasis.last)] = special_fills[0]
    ring = np.full(len(token), int(Ring.NONE))
    ring[(ids == emphasis.occurrences) & (ids != NO_TOKEN)] = Ring.OCCURRENCE
    ring[(ids == emphasis.newest) & (ids != NO_TOKEN)] = Ring.NEWEST
    return Boxes(
        row.astype(np.int64),
        left,
        right,
        fill,
        ring,
        open_left.astype(bool),
        open_right.astype(bool),
    )


def _row_boxes(
    cut: Cut, number: int, shown: ShownRow
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.bool_],
]:
    """Row, token, left, right, open to the left, open to the right of each box of a row."""
    row = shown.row
    tokens = tokens_of_units(cut, shown)
    left, right = row.left, row.right
    if row.visual is not None:
        tokens, left, right = tokens[row.visual], left[row.visual], right[row.visual]
    if not len(tokens):
        nothing = np.empty(0, np.int64)
        return nothing, nothing, np.empty(0), np.empty(0), nothing > 0, nothing > 0
    change = np.flatnonzero(np.diff(tokens)) + 1
    begins = np.concatenate(([0], change))
    ends = np.append(change, len(tokens)) - 1
    covered = tokens[begins] != NOWHERE
    begins, ends = begins[covered], ends[covered]
    found = tokens[begins]
    outside = np.zeros(len(found), bool)
    open_left, open_right = outside, outside.copy()
    if row.visual is None and len(found):
        open_left[0] = cut.firsts[found[0]] < shown.first
        open_right[-1] = cut.lasts[found[-1]] > shown.last
    return np.full(len(found), number), found, left[begins], right[ends], open_left, open_right

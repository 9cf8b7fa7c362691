"""Which boxes a few rows of a cut text need, and which token is at a place of a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.tokens.boxes import Boxes, Ring
from bpe_gui.ui.tokens.shaping import BY_CHARACTER, Row
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

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


def tokens_of_units(cut: TokenizedText, shown: ShownRow) -> NDArray[np.int64]:
    """The token of each unit of a row; NOWHERE for text in no token."""
    row = shown.row
    by_character = _tokens_at(cut, row.character + shown.first)
    if row.token is None:
        return by_character
    begin, _ = cut.tokens_within(shown.first, shown.last)
    return np.where(row.token == BY_CHARACTER, by_character, row.token + begin)


def boxes_of(
    cut: TokenizedText,
    rows: list[ShownRow],
    emphasis: Emphasis,
    special_fills: tuple[int, int],
) -> Boxes:
    """The boxes of rows, in the order in which they are painted.

    `special_fills` are the fills for selected and for unknown tokens.
    """
    units = _units(cut, rows)
    token = units.token
    change = np.ones(len(token), bool)
    change[1:] = (np.diff(token) != 0) | (np.diff(units.row) != 0)
    begins = np.flatnonzero(change)
    ends = np.append(begins[1:], len(token)) - 1
    covered = token[begins] != NOWHERE
    begins, ends = begins[covered], ends[covered]
    token, row = token[begins], units.row[begins]
    ids = cut.ids[token]
    fill = cut.colours[token].astype(np.int64)
    fill[ids == NO_TOKEN] = special_fills[1]
    fill[(token >= emphasis.first) & (token < emphasis.last)] = special_fills[0]
    ring = np.full(len(token), int(Ring.NONE))
    ring[(ids == emphasis.occurrences) & (ids != NO_TOKEN)] = Ring.OCCURRENCE
    ring[(ids == emphasis.newest) & (ids != NO_TOKEN)] = Ring.NEWEST
    ordered = np.array([shown.row.visual is None for shown in rows])[row]
    first = np.array([shown.first for shown in rows])[row]
    last = np.array([shown.last for shown in rows])[row]
    return Boxes(
        row=row,
        left=units.left[begins],
        right=units.right[ends],
        fill=fill,
        ring=ring,
        open_left=ordered & (cut.firsts[token] < first),
        open_right=ordered & (cut.lasts[token] > last),
    )


@dataclass(frozen=True, slots=True)
class _Units:
    """The units of several rows, each row from left to right."""

    row: NDArray[np.int64]
    token: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def _units(cut: TokenizedText, rows: list[ShownRow]) -> _Units:
    lefts, rights, places, known, sizes = [], [], [], [], []
    for shown in rows:
        row = shown.row
        token, place = row.token, row.character + shown.first
        if token is not None:
            begin, _ = cut.tokens_within(shown.first, shown.last)
            token = np.where(token == BY_CHARACTER, BY_CHARACTER, token + begin)
        left, right = row.left, row.right
        if row.visual is not None:
            left, right, place = left[row.visual], right[row.visual], place[row.visual]
            token = token[row.visual] if token is not None else None
        lefts.append(left)
        rights.append(right)
        places.append(place)
        known.append(np.full(len(place), BY_CHARACTER) if token is None else token)
        sizes.append(len(place))
    token = np.concatenate(known)
    unknown = np.flatnonzero(token == BY_CHARACTER)
    token[unknown] = _tokens_at(cut, np.concatenate(places)[unknown])
    return _Units(
        np.repeat(np.arange(len(rows)), sizes),
        token,
        np.concatenate(lefts),
        np.concatenate(rights),
    )


def _tokens_at(cut: TokenizedText, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The token of each character; NOWHERE for those in none."""
    tokens = np.searchsorted(cut.lasts, places, "right")
    inside = tokens < len(cut)
    inside[inside] = cut.firsts[tokens[inside]] <= places[inside]
    return np.where(inside, tokens, NOWHERE)

"""The lanes laid out: which rows there are, and which token of which lane is where.

All lanes share one layout, that of the union of their cuts, so a character stands at the
same place in each of them. A row of the text is shown once for each lane, one under the
other; together they are called a system, as in a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QFont

from bpe_gui.encodings.alignment import Cut
from bpe_gui.ui.lanes.union import union_of
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import separate
from bpe_gui.ui.tokens.cut import Cut as PieceCut
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE, ShownRow

SYSTEM_GAP = 14
"""Between two systems, in logical pixels."""

Stretches = NDArray[np.int64]
"""Stretches of a text, shape (number, 2): from and to, in bytes, ascending and apart."""

NO_STRETCHES: Stretches = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class LanePlace:
    """A token of a lane, by their numbers."""

    lane: int
    token: int


@dataclass(frozen=True, slots=True)
class LaneColumns:
    """What is drawn of one lane: its cut, and the colour of each of its tokens.

    `room` lists the tokens that cover any text, in order; `starts` and `ends` are theirs.
    """

    cut: Cut
    colours: NDArray[np.int8]
    quiet: NDArray[np.bool_]
    """Whether a token is in no difference."""
    room: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def tokens_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The token that covers each byte, the first of several; NOWHERE for none."""
        if not len(self.room):
            return np.full(len(places), NOWHERE)
        found = np.searchsorted(self.ends, places, "right")
        inside = found < len(self.room)
        found[~inside] = 0
        inside &= self.starts[found] <= places
        return np.where(inside, self.room[found], NOWHERE)

    def closing_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The token that ends a word at each byte, by its marker; NOWHERE for none."""
        closing = np.flatnonzero(self.cut.closes)
        if not len(closing):
            return np.full(len(places), NOWHERE)
        ends = self.cut.tokens.ends[closing]
        found = np.minimum(np.searchsorted(ends, places), len(closing) - 1)
        return np.where(ends[found] == places, closing[found], NOWHERE)


@dataclass(frozen=True, slots=True)
class SystemUnits:
    """The units of a row (see `tokens.shaping.Row`) from left to right, for all lanes alike.

    `starts` and `ends` are the bytes that each stands for. `marker` tells which are the mark
    of a word's end, which lanes without one leave free; it stands at byte `ends`.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    marker: NDArray[np.bool_]

    def tokens_of(self, lane: LaneColumns) -> NDArray[np.int64]:
        """The lane's token at each unit; NOWHERE for what is in none."""
        found = lane.tokens_at(self.starts)
        if self.marker.any():
            found[self.marker] = lane.closing_at(self.ends[self.marker])
        return found


@dataclass(frozen=True, slots=True)
class Part:
    """What can be said of one lane before anything is laid out; see `LaneColumns`.

    places: for each token the piece of the union that it begins with.
    """

    cut: Cut
    places: NDArray[np.int64]
    quiet: NDArray[np.bool_]
    room: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def looks_like(self, other: Part) -> bool:
        """Whether the lane is drawn the same, where the differences are the same."""
        mine, its = self.cut, other.cut
        return all(
            np.array_equal(one, another)
            for one, another in (
                (mine.tokens.starts, its.tokens.starts),
                (mine.tokens.ends, its.tokens.ends),
                (mine.closes, its.closes),
                (mine.special, its.special),
                (mine.unknown, its.unknown),
            )
        )


@dataclass(frozen=True, slots=True)
class PreparedScore:
    """The part of the work on a text and its lanes that any thread can do; see `prepare`.

    pieces: those between any two borders, as a cut of the text.
    shared: for each byte of the text, and its end, whether all lanes have a border there.
    """

    pieces: PieceCut
    parts: tuple[Part, ...]
    differences: Stretches
    shared: NDArray[np.bool_]

    @property
    def text(self) -> str:
        """The text."""
        return self.pieces.characters.text

    def looks_like(self, other: PreparedScore) -> bool:
        """Whether it is drawn the same; only the tokens' ids may be others."""
        return (
            self.text == other.text
            and len(self.parts) == len(other.parts)
            and np.array_equal(self.differences, other.differences)
            and all(map(Part.looks_like, self.parts, other.parts))
        )


def prepare(
    characters: Characters, lanes: Sequence[Cut], differences: Stretches
) -> PreparedScore:
    """Get lanes over one text ready to be laid out, and where they part (stretches of bytes)."""
    pieces = union_of(characters, lanes)
    shared = np.ones(int(pieces.ends[-1]) + 1 if len(pieces) else 1, np.bool_)
    for lane in lanes:
        borders = np.zeros(len(shared), np.bool_)
        borders[lane.tokens.starts] = True
        borders[lane.tokens.ends] = True
        shared &= borders
    parts = tuple(_part(lane, pieces, differences) for lane in lanes)
    return PreparedScore(pieces, parts, differences, shared)


def _part(cut: Cut, pieces: PieceCut, differences: Stretches) -> Part:
    starts, ends = cut.tokens.starts, cut.tokens.ends
    # A token without room may stand at the very end of the text.
    places = np.minimum(np.searchsorted(pieces.starts, starts), max(len(pieces) - 1, 0))
    room = np.flatnonzero(ends > starts)
    # Where normalization made several tokens of one character, the first is drawn.
    beyond = np.maximum.accumulate(ends[room]) if len(room) else ends[room]
    fresh = np.ones(len(room), np.bool_)
    fresh[1:] = beyond[1:] > beyond[:-1]
    room = room[fresh]
    quiet = ~touched(starts, ends, differences)
    return Part(cut, places, quiet, room, starts[room], ends[room])


class ScoreLayout:
    """A text, its lanes and its systems. Places are in logical pixels, the first top at 0."""

    def __init__(self, font: QFont, colours: int) -> None:
        self._count = colours
        self._union = TokenLayout(font, colours)
        self.lanes: list[LaneColumns] = []
        self._shown: PreparedScore | None = None
        self.differences = NO_STRETCHES
        self.shared: NDArray[np.bool_] = np.zeros(1, np.bool_)
        """For each byte of the text, and its end, whether all lanes have a border there."""

    def __len__(self) -> int:
        """The number of systems."""
        return len(self._union) if self.lanes else 0

    @property
    def fonts(self) -> TokenFonts:
        """The fonts and measures."""
        return self._union.fonts

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self._union.characters.text

    @property
    def byte_starts(self) -> NDArray[np.int64]:
        """Where each character begins, in bytes, and the end."""
        return self._union.characters.byte_starts

    @property
    def system_height(self) -> int:
        """How far one system is from the next."""
        return len(self.lanes) * self.fonts.row_height + SYSTEM_GAP

    @property
    def height(self) -> int:
        """The height of all systems."""
        return len(self) * self.system_height

    def show(self, prepared: PreparedScore) -> bool:
        """Lay out a text as the lanes cut it; returns whether it looks otherwise than before.

        Quick where little has changed: most merges change nothing in a text.
        """
        before, self._shown = self._shown, prepared
        if before is not None and prepared.looks_like(before):
            self.lanes = [
                replace(lane, cut=part.cut)
                for lane, part in zip(self.lanes, prepared.parts, strict=True)
            ]
            return False
        self._union.show(prepared.pieces)
        self.differences = prepared.differences
        self.lanes = [self._columns(part) for part in prepared.parts]
        self.shared = prepared.shared
        return True

    def set_font(self, font: QFont) -> None:
        """Lay out in another font."""
        self._union.set_font(font)

    def set_width(self, width: float) -> None:
        """Break rows at another width."""
        self._union.set_width(width)

    def _columns(self, part: Part) -> LaneColumns:
        pieces = self._union.colours
        colours = pieces[part.places] if len(pieces) else np.zeros(len(part.places), np.int8)
        separate(colours, self._count)
        return LaneColumns(part.cut, colours, part.quiet, part.room, part.starts, part.ends)

    # -- places ------------------------------------------------------------------------------

    def shown(self, system: int) -> ShownRow:
        """The row of text that a system shows, laid out."""
        return self._union.shown(system)

    def units(self, system: int) -> SystemUnits:
        """Where everything stands in a system, and which bytes it stands for."""
        shown = self._union.shown(system)
        row, cut, edges = shown.row, self._union.cut, self.byte_starts
        character = row.character + shown.first
        starts, ends = edges[character], edges[np.minimum(character + 1, len(edges) - 1)]
        marker = np.zeros(len(character), np.bool_)
        if row.token is not None:
            begin, _ = cut.tokens_within(shown.first, shown.last)
            piece = np.maximum(row.token + begin, 0)
            # A mark of a word's end comes after the character that it belongs to.
            marker[1:] = cut.closes[piece[1:]] & (character[1:] == character[:-1])
            marker[1:] &= piece[1:] == piece[:-1]
            split = cut.is_split[character]
            starts = np.where(split, np.maximum(starts, cut.starts[piece]), starts)
            ends = np.where(split, np.minimum(ends, cut.ends[piece]), ends)
        order = slice(None) if row.visual is None else row.visual
        return SystemUnits(
            row.left[order], row.right[order], starts[order], ends[order], marker[order]
        )

    def system_at(self, y: float) -> int:
        """The system at a height, the first or the last beyond them; -1 without any."""
        if not len(self):
            return -1
        return min(max(int(y // self.system_height), 0), len(self) - 1)

    def system_of_byte(self, place: int) -> int:
        """The system that shows a byte of the text."""
        character = int(np.searchsorted(self.byte_starts, place, "right")) - 1
        return self._union.row_of(character)

    def place_at(self, x: float, y: float) -> LanePlace | None:
        """The token at a place; None where there is none."""
        system = self.system_at(y)
        if system < 0 or not 0 <= y < self.height:
            return None
        lane = int((y - system * self.system_height) // self.fonts.row_height)
        if lane >= len(self.lanes):
            return None
        units = self.units(system)
        hit = np.flatnonzero((units.left <= x) & (x <= units.right))
        if not len(hit):
            return None
        token = int(units.tokens_of(self.lanes[lane])[hit[0]])
        return LanePlace(lane, token) if token != NOWHERE else None

    def rectangles_of(self, place: LanePlace) -> list[tuple[float, float, float]]:
        """Where a token is shown: left, right and top of each part, one a system at most."""
        tokens = self.lanes[place.lane].cut.tokens
        start, end = int(tokens.starts[place.token]), int(tokens.ends[place.token])
        found: list[tuple[float, float, float]] = []
        last = max(start, end - 1)
        for system in range(self.system_of_byte(start), self.system_of_byte(last) + 1):
            units = self.units(system)
            own = np.flatnonzero(units.tokens_of(self.lanes[place.lane]) == place.token)
            if len(own):
                top = system * self.system_height + place.lane * self.fonts.row_height
                found.append((float(units.left[own].min()), float(units.right[own].max()), top))
        return found


def touched(
    starts: NDArray[np.int64], ends: NDArray[np.int64], stretches: Stretches
) -> NDArray[np.bool_]:
    """Which of these spans share a byte with any stretch; an empty span lies at its start."""
    if not len(stretches):
        return np.zeros(len(starts), np.bool_)
    found = np.minimum(np.searchsorted(stretches[:, 1], starts, "right"), len(stretches) - 1)
    begin, end = stretches[found, 0], stretches[found, 1]
    return (begin < np.maximum(ends, starts + 1)) & (starts < end)

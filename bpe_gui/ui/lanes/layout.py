"""The layout of lanes: the rows, and the place of each token.

All lanes share one layout, that of the union of their cuts, so a character is at the same place
in all lanes. A row of the text is shown once in each lane, one below the other; together they are
called a system, as in a musical score.
"""

from __future__ import annotations

import sys

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtGui import QFont

from bpe_gui.ui.lanes.prepared import NO_STRETCHES, LaneColumns, PreparedScore, prepare
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor, TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE, ShownRow, tokens_of_units

SYSTEM_GAP = 12
"""The gap between two systems, in logical pixels."""


class LanePlace(Struct, frozen=True):
    """A token of a lane, both by their numbers."""

    lane: int
    token: int


class SystemUnits(Struct, frozen=True):
    """The units of a row (see `tokens.shaping.Row`) from left to right, the same for all lanes.

    starts, ends: the bytes of each unit.
    marker: whether it is the mark of a word's end, which is at byte `ends`; lanes without an end
        of word there do not write it.
    pieces: the number of its piece, see `PreparedScore`. piece_starts: the starts of all pieces.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    marker: NDArray[np.bool_]
    pieces: NDArray[np.int64]
    piece_starts: NDArray[np.int64]

    def tokens_of(self, lane: LaneColumns) -> NDArray[np.int64]:
        """Return a lane's token at each unit; NOWHERE for none."""
        found = lane.tokens_of(self.starts, self.pieces, self.piece_starts)
        if self.marker.any():
            found[self.marker] = lane.tokens_at_marks(self.ends[self.marker])
        return found

    def marks_of(self, lane: LaneColumns) -> NDArray[np.float64]:
        """Return the left edges of the marks of words' ends that a lane has."""
        closing = lane.closing_at(self.ends[self.marker])
        return self.left[self.marker][closing != NOWHERE]


class ScoreLayout:
    """Lays out a text and its lanes. Places are in logical pixels from the first system's top.

    A system shows all lanes, or if `beside` is a lane, that one and those that differ from it
    there. Empty lines are behind the line before them; a row of nothing else has one lane. If a
    text is higher than the room for it, a system has as many whole lines as fit, side by side.
    """

    def __init__(self, font: QFont) -> None:
        self._union = TokenLayout(font, compact=True)
        self.prepared = prepare(self._union.characters, (), NO_STRETCHES)
        """What is laid out."""
        self._beside = -1
        self.keeps_whole = False
        """Whether systems but the first are left out rather than cut off within."""
        self._room = sys.maxsize
        self._shown = np.empty((0, 0), np.bool_)
        self._uniform = True
        self._tops = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return len(self._union) if self.lanes else 0

    @property
    def lanes(self) -> tuple[LaneColumns, ...]:
        """The lanes, from the top."""
        return self.prepared.lanes

    @property
    def fonts(self) -> TokenFonts:
        return self._union.fonts

    @property
    def text(self) -> str:
        return self.prepared.text

    @property
    def characters(self) -> Characters:
        return self.prepared.pieces.characters

    @property
    def shows_bytes(self) -> bool:
        """Whether a lane splits characters, so that their bytes are shown."""
        return bool(self._union.cut.is_split.any())

    @property
    def marks_ends(self) -> bool:
        """Whether a lane marks the end of a word."""
        return bool(self._union.cut.closes.any())

    @property
    def step(self) -> int:
        """How far one system is from the next; of a row, if systems are of different heights."""
        if not self._uniform:
            return self.fonts.row_height
        return len(self.lanes) * self.fonts.row_height + SYSTEM_GAP

    def whole_rows(self, height: int) -> int:
        """Return the height of the systems and lanes that fit into a height, from the top.

        If systems are of different heights, that depends on the first in view; see `whole_bottom`.
        """
        if not self._uniform or self.height <= height:
            return height
        systems, rest = divmod(height, self.step)
        # The line under a difference needs half of the gap.
        foot = SYSTEM_GAP // 2
        lanes = max(0, rest - foot) // self.fonts.row_height
        if self.keeps_whole and systems and lanes < len(self.lanes):
            lanes = 0
        whole = systems * self.step + lanes * self.fonts.row_height
        if lanes in (0, len(self.lanes)):
            whole += foot if lanes else -foot
        return whole

    @property
    def height(self) -> int:
        return int(self._tops[-1]) if len(self) else 0

    def row_top(self, y: int) -> int:
        """Return the top of the row of a lane at a height."""
        system = self.system_at(y)
        if system < 0 or self._uniform:
            return max(y, 0)
        top, row = int(self._tops[system]), self.fonts.row_height
        return top + min((y - top) // row, max(len(self.lanes_of(system)) - 1, 0)) * row

    def whole_bottom(self, top: int, height: int) -> int:
        """Return how much of a viewport of a height below `top` has rows that are whole."""
        system = self.system_at(top + height)
        if system < 0 or self._uniform or top + height >= self.height:
            return height
        rows = (top + height - int(self._tops[system])) // self.fonts.row_height
        if rows < len(self.lanes_of(system)):
            if self.keeps_whole and self._tops[system] > top:
                rows = 0
            below = rows * self.fonts.row_height if rows else -SYSTEM_GAP // 2
            return int(self._tops[system]) + below - top
        return height

    def characters_between(self, top: int, bottom: int) -> tuple[int, int]:
        """Return the first character in the systems between two heights, and the one after all."""
        starts = self._union.starts
        last = max(bottom - 1, top)
        return int(starts[self.system_at(top)]), int(starts[self.system_at(last) + 1])

    def lanes_of(self, system: int) -> list[int]:
        """Return the lanes that a system shows, from the top."""
        return np.flatnonzero(self._shown[system]).tolist()  # type: ignore[no-any-return]

    def shows(self, byte: int, lane: int) -> bool:
        """Whether the system of a byte of the text shows a lane."""
        return bool(self._shown[self.system_of_byte(byte), lane])

    def show_beside(self, lane: int) -> None:
        """Show in each system one lane and those that differ from it; -1 for all lanes."""
        self._beside = lane
        self._fold()

    def set_room(self, height: int) -> None:
        """Show lines side by side if the text is higher than this."""
        if height != self._room:
            self._room = height
            self._fold()

    def _fold(self) -> None:
        """Find the lines and the lanes that each system shows, and the tops of all systems."""
        self._union.join_lines(only_empty=True)
        self._place_systems()
        if self.height > self._room:
            self._union.join_lines(only_empty=False)
            self._place_systems()

    def _place_systems(self) -> None:
        prepared, count = self.prepared, len(self.lanes)
        characters = self._union.starts
        edges = self.characters.byte_starts[characters]
        stretches, size = prepared.differences, len(edges) - 1
        first = np.searchsorted(stretches[:, 1], edges[:-1], "right")
        last = np.maximum(np.searchsorted(stretches[:, 0], edges[1:], "left"), first)
        chosen = self._beside if 0 <= self._beside < count else -1
        shown = np.ones((size, count), np.bool_)
        if chosen >= 0:
            differs = prepared.agreement != prepared.agreement[chosen]
            before = np.zeros((count, len(stretches) + 1), np.int64)
            np.cumsum(differs, axis=1, out=before[:, 1:])
            shown = (before[:, last] > before[:, first]).T
            shown[:, chosen] = True
        if count > 1:
            newlines = np.diff(np.searchsorted(self.characters.newlines, characters))
            is_empty = (newlines > 0) & (newlines == np.diff(characters))
            shown[is_empty] = False
            shown[is_empty, max(chosen, 0)] = True
        self._shown, self._uniform = shown, bool(shown.all())
        heights = shown.sum(axis=1) * self.fonts.row_height + SYSTEM_GAP
        self._tops = np.concatenate(([0], np.cumsum(heights)))

    def show(self, prepared: PreparedScore) -> bool:
        """Lay out a text as the lanes tokenize it; returns whether it looks different.

        Quick where little has changed: most merges change nothing in a text.
        """
        before, self.prepared = self.prepared, prepared
        if prepared.looks_like(before):
            return False
        self._union.show(prepared.pieces)
        self._fold()
        return True

    def set_font(self, font: QFont) -> None:
        self._union.set_font(font)
        self._fold()

    def set_width(self, width: float) -> None:
        """Break rows at another width."""
        self._union.set_width(width)
        self._fold()

    # -- places ------------------------------------------------------------------------------

    def shown(self, system: int) -> ShownRow:
        return self._union.shown(system)

    def units(self, system: int) -> SystemUnits:
        """Return the places of all units of a system, and their bytes."""
        shown = self._union.shown(system)
        row, cut, edges = shown.row, self._union.cut, self.characters.byte_starts
        character = row.character + shown.first
        starts, ends = edges[character], edges[np.minimum(character + 1, len(edges) - 1)]
        marker = np.zeros(len(character), np.bool_)
        piece = np.maximum(tokens_of_units(cut, shown), 0)
        if row.token is not None:
            # The mark of a word's end comes after the character that it belongs to.
            marker[1:] = cut.closes[piece[1:]] & (character[1:] == character[:-1])
            marker[1:] &= piece[1:] == piece[:-1]
            split = cut.is_split[character]
            starts = np.where(split, np.maximum(starts, cut.starts[piece]), starts)
            ends = np.where(split, np.minimum(ends, cut.ends[piece]), ends)
        order = slice(None) if row.visual is None else row.visual
        return SystemUnits(
            row.left[order],
            row.right[order],
            starts[order],
            ends[order],
            marker[order],
            piece[order],
            cut.starts,
        )

    def system_at(self, y: float) -> int:
        """Return the system at a height, the first or the last beyond them; -1 without any."""
        if not len(self):
            return -1
        return min(max(int(np.searchsorted(self._tops, y, "right")) - 1, 0), len(self) - 1)

    def anchor_at(self, y: int) -> Anchor | None:
        """Return the first byte of the system at a height, by which to scroll back to it.

        None at the top.
        """
        if not len(self) or y <= 0:
            return None
        system = self.system_at(y)
        starts = self.units(system).starts
        return int(starts.min()) if len(starts) else 0, y - self.system_top(system)

    def top_of(self, first: int) -> int:
        """Return the top of the system that shows a byte of the text."""
        return self.system_top(self.system_of_byte(first))

    def system_top(self, system: int) -> int:
        """Return the top of a system; of the one after the last, the bottom of all."""
        return int(self._tops[system])

    def system_of_byte(self, place: int) -> int:
        """Return the system that shows a byte of the text."""
        character = int(np.searchsorted(self.characters.byte_starts, place, "right")) - 1
        return self._union.row_of(character)

    def place_at(self, x: float, y: float) -> LanePlace | None:
        """Return the token at a place; None where there is none."""
        system = self.system_at(y)
        if system < 0 or not 0 <= y < self.height:
            return None
        lane = self.lane_at(y)
        if lane < 0:
            return None
        units = self.units(system)
        hit = np.flatnonzero((units.left <= x) & (x <= units.right))
        if not len(hit):
            return None
        token = int(units.tokens_of(self.lanes[lane])[hit[0]])
        return LanePlace(lane, token) if token != NOWHERE else None

    def lane_at(self, y: float) -> int:
        """Return the lane at a height; -1 between systems, and beyond them."""
        system = self.system_at(y)
        if system < 0 or not 0 <= y < self.height:
            return -1
        row = int((y - self.system_top(system)) // self.fonts.row_height)
        lanes = self.lanes_of(system)
        return lanes[row] if row < len(lanes) else -1

    def rectangles_of(self, place: LanePlace) -> list[tuple[float, float, float]]:
        """Return left, right and top of each part of a token, at most one in each system.

        Systems that do not show the lane have none.
        """
        tokens = self.lanes[place.lane].cut.tokens
        start, end = int(tokens.starts[place.token]), int(tokens.ends[place.token])
        found: list[tuple[float, float, float]] = []
        last = max(start, end - 1)
        for system in range(self.system_of_byte(start), self.system_of_byte(last) + 1):
            lanes = self.lanes_of(system)
            if place.lane not in lanes:
                continue
            units = self.units(system)
            own = np.flatnonzero(units.tokens_of(self.lanes[place.lane]) == place.token)
            if len(own):
                row = lanes.index(place.lane)
                top = self.system_top(system) + row * self.fonts.row_height
                found.append((float(units.left[own].min()), float(units.right[own].max()), top))
        return found

"""The layout of lanes: the rows, and the place of each token.

All lanes share one layout, that of the union of their cuts, so a character is at the same place
in all lanes. A row of the text is shown once in each lane, one below the other; together they are
called a system, as in a musical score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QFont

from bpe_gui.ui.lanes.prepared import NO_STRETCHES, LaneColumns, PreparedScore, prepare
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor, TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE, ShownRow, tokens_of_units

SYSTEM_GAP = 12
"""The gap between two systems, in logical pixels."""


@dataclass(frozen=True, slots=True)
class LanePlace:
    """A token of a lane, both by their numbers."""

    lane: int
    token: int


@dataclass(frozen=True, slots=True)
class SystemUnits:
    """The units of a row (see `tokens.shaping.Row`) from left to right, the same for all lanes.

    starts, ends: the bytes of each unit.
    marker: whether it is the mark of a word's end, which is at byte `ends`; lanes without an end
        of word there leave it blank.
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
            found[self.marker] = lane.closing_at(self.ends[self.marker])
        return found


class ScoreLayout:
    """Lays out a text and its lanes. Places are in logical pixels from the first system's top."""

    def __init__(self, font: QFont) -> None:
        self._union = TokenLayout(font, compact=True)
        self.prepared = prepare(self._union.characters, (), NO_STRETCHES)
        """What is laid out."""

    def __len__(self) -> int:
        """Return the number of systems."""
        return len(self._union) if self.lanes else 0

    @property
    def lanes(self) -> tuple[LaneColumns, ...]:
        """The lanes, from the top."""
        return self.prepared.lanes

    @property
    def fonts(self) -> TokenFonts:
        """The fonts and measures."""
        return self._union.fonts

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self.prepared.text

    @property
    def characters(self) -> Characters:
        """The characters of the text."""
        return self.prepared.pieces.characters

    @property
    def step(self) -> int:
        """How far one system is from the next."""
        return len(self.lanes) * self.fonts.row_height + SYSTEM_GAP

    def whole_rows(self, height: int) -> int:
        """Return the height of the systems and lanes that fit into a height, from the top."""
        systems, rest = divmod(height, self.step)
        # The line under a difference needs half of the gap.
        foot = SYSTEM_GAP // 2
        lanes = max(0, rest - foot) // self.fonts.row_height
        whole = systems * self.step + lanes * self.fonts.row_height
        if lanes in (0, len(self.lanes)):
            whole += foot if lanes else -foot
        return whole

    @property
    def height(self) -> int:
        """The height of all systems."""
        return len(self) * self.step

    def show(self, prepared: PreparedScore) -> bool:
        """Lay out a text as the lanes tokenize it; returns whether it looks different.

        Quick where little has changed: most merges change nothing in a text.
        """
        before, self.prepared = self.prepared, prepared
        if prepared.looks_like(before):
            return False
        self._union.show(prepared.pieces)
        return True

    def set_font(self, font: QFont) -> None:
        """Lay out in another font."""
        self._union.set_font(font)

    def set_width(self, width: float) -> None:
        """Break rows at another width."""
        self._union.set_width(width)

    # -- places ------------------------------------------------------------------------------

    def shown(self, system: int) -> ShownRow:
        """Return the row of text that a system shows."""
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
        return min(max(int(y // self.step), 0), len(self) - 1)

    def anchor_at(self, y: int) -> Anchor | None:
        """Return the first byte of the system at a height, by which to scroll back to it.

        None at the top.
        """
        if not len(self) or y <= 0:
            return None
        starts = self.units(self.system_at(y)).starts
        return int(starts.min()) if len(starts) else 0, y % self.step

    def top_of(self, first: int) -> int:
        """Return the top of the system that shows a byte of the text."""
        return self.system_of_byte(first) * self.step

    def system_of_byte(self, place: int) -> int:
        """Return the system that shows a byte of the text."""
        character = int(np.searchsorted(self.characters.byte_starts, place, "right")) - 1
        return self._union.row_of(character)

    def place_at(self, x: float, y: float) -> LanePlace | None:
        """Return the token at a place; None where there is none."""
        system = self.system_at(y)
        if system < 0 or not 0 <= y < self.height:
            return None
        lane = int((y - system * self.step) // self.fonts.row_height)
        if lane >= len(self.lanes):
            return None
        units = self.units(system)
        hit = np.flatnonzero((units.left <= x) & (x <= units.right))
        if not len(hit):
            return None
        token = int(units.tokens_of(self.lanes[lane])[hit[0]])
        return LanePlace(lane, token) if token != NOWHERE else None

    def rectangles_of(self, place: LanePlace) -> list[tuple[float, float, float]]:
        """Return left, right and top of each part of a token, at most one in each system."""
        tokens = self.lanes[place.lane].cut.tokens
        start, end = int(tokens.starts[place.token]), int(tokens.ends[place.token])
        found: list[tuple[float, float, float]] = []
        last = max(start, end - 1)
        for system in range(self.system_of_byte(start), self.system_of_byte(last) + 1):
            units = self.units(system)
            own = np.flatnonzero(units.tokens_of(self.lanes[place.lane]) == place.token)
            if len(own):
                top = system * self.step + place.lane * self.fonts.row_height
                found.append((float(units.left[own].min()), float(units.right[own].max()), top))
        return found

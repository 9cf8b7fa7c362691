"""The pipeline laid out: which systems there are, and what stands where in them.

A system has a row for each stage, one under the other, as a score has for its voices. What
belongs together stands in the same columns. Places are in logical pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.analysis.pipeline.stages import Items, PipelineTrace, Stage, Status
from bpe_gui.ui.pipeline.columns import systems_of, widths_of, writings_of
from bpe_gui.ui.pipeline.glyphs import Writer, Writing
from bpe_gui.ui.pipeline.shown import Shown
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.shaping import runs_in

SYSTEM_GAP = 16
"""Between two systems."""
_WIDTH = 400.0
"""Until the view knows how wide it is."""
_BETWEEN_LINES = 5
_WRITTEN = (Stage.RAW, Stage.NORMALIZED, Stage.SYMBOLS)


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """An item of a stage, by its number."""

    stage: Stage
    item: int


@dataclass(frozen=True, eq=False, slots=True)
class SystemColumns:
    """The columns of a system: from `first` to `last`, and the edges of each, in text order.

    `turned` tells that they stand in another order: some of the text runs to the left.
    """

    first: int
    last: int
    left: list[int]
    right: list[int]
    turned: bool

    def stretches(self, first: int, last: int) -> list[tuple[int, int]]:
        """Left and right of what some columns take up here: one stretch, if nothing turns."""
        first, last = max(first, self.first) - self.first, min(last, self.last) - self.first
        if first >= last:
            return []
        if not self.turned:
            return [(self.left[first], self.right[last - 1])]
        found: list[tuple[int, int]] = []
        for left, right in sorted(zip(self.left[first:last], self.right[first:last], strict=True)):
            if found and found[-1][1] == left:
                left, _ = found.pop()
            found.append((left, right))
        return found

    def column_at(self, x: float) -> int:
        """The column at a place; -1 for none."""
        for number, (left, right) in enumerate(zip(self.left, self.right, strict=True)):
            if left <= x < right:
                return self.first + number
        return -1


class PipelineLayout:
    """A trace, its tokens at a position, and its systems; the top of the first is at 0."""

    def __init__(self, font: QFont) -> None:
        self.shown: Shown | None = None
        self.colours: NDArray[np.int8] = np.empty(0, np.int8)
        """The colour of each token."""
        self.writings: dict[Stage, list[Writing]] = {}
        """How the items are written of the stages that consist of characters or symbols."""
        self._memory = TokenColours()
        self._width = _WIDTH
        self.lines_beside = (1,) * len(Stage)
        """How many lines of small letters there is room for below the title of each stage."""
        self._starts = np.zeros(1, np.int64)
        self._use_font(font)

    def _use_font(self, font: QFont) -> None:
        self.fonts = TokenFonts(font)
        self.writer = Writer(self.fonts)
        self.pitch = self.fonts.row_height
        """How high the band of a stage is, but in the first system: there are a title and some
        lines of small letters beside each row."""
        self._first_bands = self._bands_of_first()

    def _bands_of_first(self) -> list[int]:
        """Where the bands of the first system begin, and where the last one ends."""
        small = QFontMetrics(self.fonts.small).height()
        heights = (
            max(self.pitch, (1 + lines) * small + _BETWEEN_LINES) for lines in self.lines_beside
        )
        return list(accumulate(heights, initial=0))

    # -- what is shown ---------------------------------------------------------------------------

    def show(self, shown: Shown | None) -> None:
        """Lay out a trace. Nothing moves where only the tokens are others."""
        before, self.shown = self.shown, shown
        if shown is None:
            self._starts = np.zeros(1, np.int64)
            return
        if before is None or before.trace is not shown.trace:
            self._memory.edit(shown.trace.text.encode("utf-8"))
            self._characters = Characters(_characters_of(shown.trace))
            self._measure()
        self.colours = self._memory.assign(shown.merged.items.starts)

    def make_room_beside(self, lines: tuple[int, ...]) -> None:
        """Leave room for so many lines below the title of each stage, one or more."""
        if lines != self.lines_beside:
            self.lines_beside = lines
            self._first_bands = self._bands_of_first()

    def set_font(self, font: QFont) -> None:
        """Lay out in another font."""
        self._use_font(font)
        self._measure()

    def set_width(self, width: float) -> None:
        """Break systems at another width."""
        if width != self._width:
            self._width = width
            self._break()

    def _measure(self) -> None:
        if self.shown is not None:
            trace = self.shown.trace
            self.writings = {
                stage: writings_of(self.writer, trace, trace.stage(stage)) for stage in _WRITTEN
            }
            self._widths = widths_of(self.writer, trace, self.writings)
            self._break()

    def _break(self) -> None:
        if self.shown is not None:
            self._starts = systems_of(self.shown.trace, self._widths, self._width)

    def items(self, stage: Stage) -> Items:
        """The items of a stage; there must be a trace."""
        assert self.shown is not None, "only a trace has items"
        return self.shown.items(stage)

    # -- systems ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of systems."""
        return len(self._starts) - 1

    def band_of(self, system: int, stage: Stage) -> tuple[int, int]:
        """Top and bottom of what is a stage's in a system; the last ends where the system does."""
        if system:
            top = self.system_top(system) + stage * self.pitch
            return top, top + self.pitch
        return self._first_bands[stage], self._first_bands[stage + 1]

    def system_top(self, system: int) -> int:
        """Where a system begins."""
        if not system:
            return 0
        first = self._first_bands[-1] + SYSTEM_GAP
        return first + (system - 1) * (len(Stage) * self.pitch + SYSTEM_GAP)

    def anchor_at(self, y: int) -> Anchor | None:
        """The first raw byte at a height, to be found again; None at the very top."""
        if not len(self) or y <= 0:
            return None
        system, raw = self.system_at(y), self.items(Stage.RAW)
        place = int(np.searchsorted(raw.lasts, self.columns(system).first, "right"))
        return (int(raw.starts[place]), y - self.system_top(system)) if place < len(raw) else None

    def top_of(self, first: int) -> int:
        """The top of the system that shows a raw byte."""
        raw = self.items(Stage.RAW)
        item = max(int(np.searchsorted(raw.starts, first, "right")) - 1, 0)
        return self.system_top(self.system_of(int(raw.firsts[item]))) if len(raw) else 0

    @property
    def height(self) -> int:
        """The height of all systems."""
        return self.system_top(len(self)) if len(self) else 0

    def system_at(self, y: float) -> int:
        """The system at a height, the first or the last beyond them; -1 without any."""
        if not len(self):
            return -1
        rest = y - self.system_top(1)
        below = 1 + int(rest // (self.system_top(2) - self.system_top(1))) if rest >= 0 else 0
        return min(below, len(self) - 1)

    def system_of(self, column: int) -> int:
        """The system that shows a column."""
        return min(int(np.searchsorted(self._starts, column, "right")) - 1, len(self) - 1)

    def columns(self, system: int) -> SystemColumns:
        """Where the columns of a system stand."""
        first, last = (int(edge) for edge in self._starts[system : system + 2])
        widths = self._widths[first:last]
        order = self._order(first, last)
        turned = order is not None
        if order is None:
            order = np.arange(len(widths))
        right = np.empty_like(widths)
        right[order] = np.cumsum(widths[order])
        left = right - widths
        return SystemColumns(first, last, left.tolist(), right.tolist(), turned)

    def _order(self, first: int, last: int) -> NDArray[np.int64] | None:
        """The columns of a system from left to right; None if that is the order of the text."""
        raw = self.items(Stage.RAW)
        if not len(raw):
            return None
        # What was put in goes with the character before it.
        above = np.searchsorted(raw.firsts, np.arange(first, last), "right") - 1
        above = np.clip(above, 0, None)
        begin, end = int(above[0]), int(above[-1]) + 1
        runs = runs_in(self._characters, begin, end, self.fonts.body)
        if len(runs) == 1 and not runs[0].backwards:
            return None
        order = []
        for run in runs:
            own = np.flatnonzero((above >= run.first) & (above < run.last))
            order.append(own[::-1] if run.backwards else own)
        return np.concatenate(order)

    # -- places ----------------------------------------------------------------------------------

    def row_top(self, system: int, stage: Stage) -> int:
        """Where the row of a stage begins: as high as the boxes and letters in it need."""
        top, bottom = self.band_of(system, stage)
        return top + (bottom - top - self.fonts.row_height) // 2

    def stage_at(self, y: float) -> Stage | None:
        """The stage at a height; None between systems and beyond them."""
        if not len(self) or not 0 <= y < self.height:
            return None
        system = self.system_at(y)
        return next((stage for stage in Stage if y < self.band_of(system, stage)[1]), None)

    def place_at(self, x: float, y: float) -> ItemPlace | None:
        """The item at a place; None where there is none."""
        stage = self.stage_at(y)
        if stage is None:
            return None
        column = self.columns(self.system_at(y)).column_at(x)
        item = self.items(stage).at(column) if column >= 0 else -1
        return ItemPlace(stage, item) if item >= 0 else None

    def span_of(self, place: ItemPlace) -> tuple[int, int]:
        """The columns, from and to, that an item stands in."""
        items = self.items(place.stage)
        return int(items.firsts[place.item]), int(items.lasts[place.item])

    def rectangles_of(self, place: ItemPlace) -> list[tuple[int, int, int]]:
        """Where an item is shown: left, right and top of each part."""
        first, last = self.span_of(place)
        return [
            (left, right, self.row_top(system, place.stage))
            for system in range(self.system_of(first), self.system_of(last - 1) + 1)
            for left, right in self.columns(system).stretches(first, last)
        ]

    def destination(self, place: ItemPlace, key: Qt.Key) -> ItemPlace:
        """The item that an arrow key, Home or End leads to from another.

        Left and Right go on in the same stage, in text order; Home and End to its first and last
        item. Up and Down lead to what is above or below, over stages that have nothing there.
        """
        last = len(self.items(place.stage)) - 1
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return self._beside(place, -1 if key == Qt.Key.Key_Up else 1)
        item = {
            Qt.Key.Key_Left: max(place.item - 1, 0),
            Qt.Key.Key_Right: min(place.item + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }[key]
        return ItemPlace(place.stage, item)

    def _beside(self, place: ItemPlace, step: int) -> ItemPlace:
        span = self.span_of(place)
        stage = place.stage + step
        while 0 <= stage < len(Stage):
            if found := self.items(Stage(stage)).within(*span):
                return ItemPlace(Stage(stage), found[0])
            stage += step
        return place


def _characters_of(trace: PipelineTrace) -> str:
    """A character for each raw item: a letter for a special token."""
    pairs = zip(trace.raw.contents(), trace.raw.statuses.tolist(), strict=True)
    return "".join(
        "x" if status == Status.SPECIAL else content.decode() for content, status in pairs
    )

"""The layout of the pipeline: its systems, and where everything is in them.

A system has a row for every stage, one under the other, as a score has for its voices. Items that
belong together share columns. All lengths are in logical pixels. The widths of columns depend on
the text, the recipe and the vocabulary without merges only: nothing moves while merges come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.analysis.pipeline.stages import (
    Items,
    MergedSymbols,
    Merging,
    PipelineTrace,
    Stage,
    Status,
    unmerged,
)
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.ui.pipeline.glyphs import Writer, Writing
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColouring, TokenColours
from bpe_gui.ui.tokens.fonts import token_fonts
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.shaping import bidi_runs_in

_NO_ITEMS = Items.none()


class Shown(Struct, frozen=True, eq=False):
    """Hold a trace with its tokens at a position.

    Without `merging` no run has the tokens of the trace's recipe: there are no tokens to show,
    and the ids are those of the symbols, if they are known.
    """

    trace: PipelineTrace
    merged: MergedSymbols
    merging: Merging | None
    position: int

    @staticmethod
    def of(trace: PipelineTrace, merging: Merging | None, position: int) -> Shown:
        """Return a trace at a position, or at the end of the history before it."""
        return Shown(trace, unmerged(trace), merging, 0).at(position)

    def at(self, position: int) -> Shown:
        """Return the same at another position, or at the end of the history before it."""
        if self.merging is None:
            return self
        if position > self.merging.length:
            self.merging.extend()
        position = min(position, self.merging.length)
        return replace(self, merged=self.merging.at(position), position=position)

    def items(self, stage: Stage) -> Items:
        """Return the items of a stage; none if they are not known."""
        if stage <= Stage.SYMBOLS:
            return self.trace.stage(stage)
        known = self.is_trained if stage is Stage.TOKENS else self.has_ids
        return self.merged.items if known else _NO_ITEMS

    @property
    def is_trained(self) -> bool:
        """Whether a run has the tokens of the recipe."""
        return self.merging is not None

    @property
    def has_ids(self) -> bool:
        """Whether the ids of the symbols are known."""
        return self.trace.base is not None

    @property
    def own_ids(self) -> NDArray[np.int32]:
        """The ids that the vocabulary has for the tokens; see `History.own_ids`."""
        ids = self.merged.ids
        return ids if self.merging is None else self.merging.history.own_ids(ids)

    def looks_like(self, other: Shown) -> bool:
        """Tell whether both have the same trace, and the same tokens of it."""
        mine, theirs = self.merged, other.merged
        return (
            self.trace is other.trace
            and mine.ids.tobytes() == theirs.ids.tobytes()
            and mine.symbols.tobytes() == theirs.symbols.tobytes()
        )


# -- columns ---------------------------------------------------------------------------------------

_PADDING = 9.0
"""Width of a column beside the writing in it."""
_SPECIAL = int(Status.SPECIAL)
_ROOM_FOR_IDS = "99999"
"""An id that fits into two columns: that of a token of two symbols or more."""


def writings_of(writer: Writer, trace: PipelineTrace, items: Items) -> list[Writing]:
    """Write items of one character, one symbol or one special token each."""
    marked = trace.recipe.end_of_word is not EndOfWord.NONE and items is trace.symbols
    return [
        writer.special(content) if status == _SPECIAL else writer.write(content, marked=marked)
        for content, status in zip(items.contents(), items.statuses.tolist(), strict=True)
    ]


def widths_of(
    writer: Writer, trace: PipelineTrace, writings: Mapping[Stage, Sequence[Writing]]
) -> NDArray[np.int64]:
    """Measure the columns, in whole pixels. `writings` are those of some stages."""
    widths = np.full(trace.columns, _PADDING)
    for stage, own in writings.items():
        needed = np.array([writing.width for writing in own], np.float64)
        _make_room(widths, trace.stage(stage), needed + _PADDING)
    if trace.base is not None and len(trace.symbols):
        wide = {number: writer.label(str(number)).width for number in set(trace.ids.tolist())}
        needed = np.array([wide[number] for number in trace.ids.tolist()])
        half = writer.label(_ROOM_FOR_IDS).width / 2
        _make_room(widths, trace.symbols, np.maximum(needed, half) + _PADDING / 2)
    return np.ceil(widths).astype(np.int64)


def _make_room(widths: NDArray[np.float64], items: Items, needed: NDArray[np.float64]) -> None:
    """Widen columns to what every item needs, those of one item evenly."""
    alone = items.lasts - items.firsts == 1
    np.maximum.at(widths, items.firsts[alone], needed[alone])
    sums = np.append(0, np.cumsum(widths))
    missing = needed - (sums[items.lasts] - sums[items.firsts])
    for item in np.flatnonzero(~alone & (missing > 0)).tolist():
        first, last = int(items.firsts[item]), int(items.lasts[item])
        widths[first:last] += missing[item] / (last - first)


def systems_of(trace: PipelineTrace, widths: NDArray[np.int64], room: float) -> NDArray[np.int64]:
    """Return the first column of every system, and the end of the last.

    A system ends after newlines of the raw text, those of empty lines among them; else, when it is
    full, before a pre-token, or at least not within a character.
    """
    total = trace.columns
    whole = _places_between(trace)
    preferred = np.zeros(total + 1, np.bool_)
    words = trace.pretokens if trace.reaches(Stage.PRETOKENS) else trace.normalized
    preferred[words.firsts] = True
    preferred &= whole
    forced = _after_newlines(trace, whole)
    edges = np.append(0, np.cumsum(widths))
    whole_places, preferred_places = np.flatnonzero(whole), np.flatnonzero(preferred)
    starts = [0]
    while (start := starts[-1]) < total:
        reached = int(np.searchsorted(edges, edges[start] + room, "right")) - 1
        place = min(max(reached, start + 1), total)
        newline = _last(forced[: np.searchsorted(forced, start, "right") + 1], start)
        if newline is not None and newline <= place:
            place = newline
        elif place < total:
            for places in (preferred_places, whole_places):
                found = _last(places[: np.searchsorted(places, place, "right")], start)
                if found is not None:
                    place = found
                    break
        starts.append(place)
    return np.array(starts)


def _last(places: NDArray[np.int64], start: int) -> int | None:
    """Return the last of some places if it is after the start."""
    return int(places[-1]) if len(places) and places[-1] > start else None


def _places_between(trace: PipelineTrace) -> NDArray[np.bool_]:
    """Tell between which columns no raw or normalized character is torn."""
    inside = np.zeros(trace.columns + 2, np.int64)
    for items in (trace.raw, trace.normalized):
        wide = items.lasts - items.firsts > 1
        np.add.at(inside, items.firsts[wide] + 1, 1)
        np.add.at(inside, items.lasts[wide], -1)
    return np.cumsum(inside)[: trace.columns + 1] == 0


def _after_newlines(trace: PipelineTrace, whole: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the places after runs of newlines of the raw text, or the next where nothing is torn.

    An empty line is only a newline, for which six rows would be too much.
    """
    raw = trace.raw
    data = np.frombuffer(raw.data, np.uint8)
    newlines = np.flatnonzero((data[raw.starts] == ord("\n")) & (raw.statuses == Status.KEPT))
    newlines = newlines[~np.isin(newlines + 1, newlines)]
    places = np.flatnonzero(whole)
    return np.unique(places[np.searchsorted(places, raw.lasts[newlines])])


# -- systems ---------------------------------------------------------------------------------------

_SYSTEM_GAP = 16
_WIDTH = 400.0
"""The width before the view has one."""
_BETWEEN_LINES = 5
_WRITTEN = (Stage.RAW, Stage.NORMALIZED, Stage.SYMBOLS)


class ItemPlace(Struct, frozen=True):
    """Name an item by its stage and number."""

    stage: Stage
    item: int


class SystemColumns(Struct, frozen=True, eq=False):
    """Hold the columns of a system, from `first` to `last`, and their edges in text order.

    turned: whether they are in another order on the screen: some of the text runs to the left.
    """

    first: int
    last: int
    left: list[int]
    right: list[int]
    turned: bool

    def stretches(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return left and right of the areas of some columns: one, if nothing is turned."""
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
        for number, (left, right) in enumerate(zip(self.left, self.right, strict=True)):
            if left <= x < right:
                return self.first + number
        return -1


class PipelineLayout:
    """Lays out a trace and its tokens at a position in systems, the first at 0."""

    def __init__(self, font: QFont) -> None:
        self.shown: Shown | None = None
        self._by_place: NDArray[np.int8] = np.empty(0, np.int8)
        self._fills: dict[ColourBy, NDArray[np.int64]] = {}
        self.writings: dict[Stage, list[Writing]] = {}
        """The written items of the stages of characters and symbols."""
        self.keeps_whole = False
        """Whether systems but the first are left out rather than cut off within."""
        self._memory = TokenColours()
        self._apart = 0
        self._width = _WIDTH
        self.lines_beside = (1,) * len(Stage)
        """Lines of small letters below the title of every stage."""
        self._starts = np.zeros(1, np.int64)
        self._use_font(font)

    def _use_font(self, font: QFont) -> None:
        self.fonts = token_fonts(font)
        self.writer = Writer(self.fonts)
        self._place_stages()

    def _place_stages(self) -> None:
        self.pitch = self.fonts.row_height + self._apart
        """Height of a stage, but in the first system, where titles and lines are beside rows."""
        self._first_bands = self._bands_of_first()

    def _bands_of_first(self) -> list[int]:
        """Return where the stages of the first system begin, and where the last ends."""
        small = QFontMetrics(self.fonts.small).height()
        heights = (
            max(self.pitch, (1 + lines) * small + _BETWEEN_LINES + self._apart)
            for lines in self.lines_beside
        )
        return list(accumulate(heights, initial=0))

    # -- what is shown ---------------------------------------------------------------------------

    def show(self, shown: Shown | None) -> None:
        """Lay out a trace. Nothing moves if only the tokens are others."""
        before, self.shown = self.shown, shown
        if shown is None:
            self._starts = np.zeros(1, np.int64)
            return
        if before is None or before.trace is not shown.trace:
            self._memory.edit(shown.trace.text.encode("utf-8"))
            raw = shown.trace.raw
            pairs = zip(raw.contents(), raw.statuses.tolist(), strict=True)
            # A letter for a special token.
            self._characters = Characters(
                "".join("x" if is_ == Status.SPECIAL else one.decode() for one, is_ in pairs)
            )
            self._measure()
        self._by_place = self._memory.assign(shown.merged.items.starts)
        self._fills.clear()

    def fills(self, by: ColourBy) -> NDArray[np.int64]:
        """Return the fill of every token. By frequency they only alternate."""
        if by not in self._fills:
            shown = self.shown
            found = None
            if shown is not None and shown.merging is not None:
                found = TokenColouring(shown.merging.history).fills(shown.merged.ids, by)
            self._fills[by] = self._by_place.astype(np.int64) if found is None else found
        return self._fills[by]

    def make_room_beside(self, lines: tuple[int, ...]) -> None:
        """Leave room for some lines below the title of every stage, one or more."""
        if lines != self.lines_beside:
            self.lines_beside = lines
            self._first_bands = self._bands_of_first()

    def spread(self, height: int) -> None:
        """Move stages apart, by their height at most, so that the systems fill a height."""
        self._apart = 0
        self._place_stages()
        left, stages = height - self.height, len(self) * len(Stage)
        if left > 0 and stages:
            self._apart = min(left // stages, self.fonts.row_height)
            self._place_stages()

    def set_font(self, font: QFont) -> None:
        self._use_font(font)
        self._measure()

    def set_width(self, width: float) -> None:
        """Break systems at a width."""
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
        """Return the items of a stage; there must be a trace."""
        assert self.shown is not None, "only a trace has items"
        return self.shown.items(stage)

    # -- systems ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._starts) - 1

    def band_of(self, system: int, stage: Stage) -> tuple[int, int]:
        """Return top and bottom of a stage in a system; the last ends with the system."""
        if system:
            top = self.system_top(system) + stage * self.pitch
            return top, top + self.pitch
        return self._first_bands[stage], self._first_bands[stage + 1]

    def system_top(self, system: int) -> int:
        if not system:
            return 0
        first = self._first_bands[-1] + _SYSTEM_GAP
        return first + (system - 1) * (len(Stage) * self.pitch + _SYSTEM_GAP)

    def anchor_at(self, y: int) -> Anchor | None:
        """Return the first raw byte at a height, for `top_of`; None at the very top."""
        if not len(self) or y <= 0:
            return None
        system, raw = self.system_at(y), self.items(Stage.RAW)
        place = int(np.searchsorted(raw.lasts, self.columns(system).first, "right"))
        return (int(raw.starts[place]), y - self.system_top(system)) if place < len(raw) else None

    def top_of(self, first: int) -> int:
        """Return the top of the system that shows a raw byte."""
        raw = self.items(Stage.RAW)
        item = max(int(np.searchsorted(raw.starts, first, "right")) - 1, 0)
        return self.system_top(self.system_of(int(raw.firsts[item]))) if len(raw) else 0

    @property
    def height(self) -> int:
        return self.system_top(len(self)) if len(self) else 0

    @property
    def step(self) -> int:
        """How far one row is from the next below the first system."""
        return self.pitch

    def whole_rows(self, height: int) -> int:
        """Return the height of the systems and stages that fit into a height, from the top."""
        if height >= self.height:
            return height
        system = self.system_at(height)
        if self.keeps_whole and system:
            return self.system_top(system)
        bottoms = [self.band_of(system, stage)[1] for stage in Stage]
        return max((y for y in bottoms if y <= height), default=self.system_top(system))

    def system_at(self, y: float) -> int:
        """Return the system at a height, the first or the last beyond them; -1 without any."""
        if not len(self):
            return -1
        rest = y - self.system_top(1)
        below = 1 + int(rest // (self.system_top(2) - self.system_top(1))) if rest >= 0 else 0
        return min(below, len(self) - 1)

    def system_of(self, column: int) -> int:
        return min(int(np.searchsorted(self._starts, column, "right")) - 1, len(self) - 1)

    def columns(self, system: int) -> SystemColumns:
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
        raw = self.items(Stage.RAW)
        if not len(raw):
            return None
        # Insertions go with the character before them.
        above = np.searchsorted(raw.firsts, np.arange(first, last), "right") - 1
        above = np.clip(above, 0, None)
        begin, end = int(above[0]), int(above[-1]) + 1
        runs = bidi_runs_in(self._characters, begin, end, self.fonts)
        if len(runs) == 1 and not runs[0].backwards:
            return None
        order = []
        for run in runs:
            own = np.flatnonzero((above >= run.first) & (above < run.last))
            order.append(own[::-1] if run.backwards else own)
        return np.concatenate(order)

    # -- places ----------------------------------------------------------------------------------

    def row_top(self, system: int, stage: Stage) -> int:
        """Return the top of the row of a stage, in the middle of its band."""
        top, bottom = self.band_of(system, stage)
        return top + (bottom - top - self.fonts.row_height) // 2

    def stage_at(self, y: float) -> Stage | None:
        """Return the stage at a height; None between systems and beyond them."""
        if not len(self) or not 0 <= y < self.height:
            return None
        system = self.system_at(y)
        return next((stage for stage in Stage if y < self.band_of(system, stage)[1]), None)

    def place_at(self, x: float, y: float) -> ItemPlace | None:
        """Return the item at a place; None for none."""
        stage = self.stage_at(y)
        if stage is None:
            return None
        column = self.columns(self.system_at(y)).column_at(x)
        item = self.items(stage).at(column) if column >= 0 else -1
        return ItemPlace(stage, item) if item >= 0 else None

    def span_of(self, place: ItemPlace) -> tuple[int, int]:
        """Return the first column of an item, and the end of the last."""
        items = self.items(place.stage)
        return int(items.firsts[place.item]), int(items.lasts[place.item])

    def destination(self, place: ItemPlace, key: Qt.Key) -> ItemPlace:
        """Return the item that an arrow key, Home or End leads to from another.

        Left and Right go on in the same stage, in text order; Home and End to its first and last
        item. Up and Down skip stages that have nothing there.
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

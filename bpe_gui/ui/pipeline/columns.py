"""How wide the columns of a trace are, and where the trace is broken into systems.

Widths depend on the text, the recipe and the vocabulary without merges only: nothing moves
while merges come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.pipeline.stages import Items, PipelineTrace, Stage, Status
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.ui.pipeline.glyphs import Writer, Writing

_PADDING = 9.0
"""What a column has beside what is written in it, in logical pixels."""
_SPECIAL = int(Status.SPECIAL)
_ROOM_FOR_IDS = "99999"
"""Two columns have room for such an id: a token of two symbols or more."""


def writings_of(writer: Writer, trace: PipelineTrace, items: Items) -> list[Writing]:
    """How items of one character, one symbol or one special token each are written."""
    marked = trace.recipe.end_of_word is not EndOfWord.NONE and items is trace.symbols
    return [
        writer.special(content) if status == _SPECIAL else writer.write(content, marked=marked)
        for content, status in zip(items.contents(), items.statuses.tolist(), strict=True)
    ]


def widths_of(
    writer: Writer, trace: PipelineTrace, writings: Mapping[Stage, Sequence[Writing]]
) -> NDArray[np.int64]:
    """The width of each column, in whole pixels. `writings` are those of some stages."""
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
    """Widen columns so that each item has what it needs, those that share columns evenly."""
    alone = items.lasts - items.firsts == 1
    np.maximum.at(widths, items.firsts[alone], needed[alone])
    sums = np.append(0, np.cumsum(widths))
    missing = needed - (sums[items.lasts] - sums[items.firsts])
    for item in np.flatnonzero(~alone & (missing > 0)).tolist():
        first, last = int(items.firsts[item]), int(items.lasts[item])
        widths[first:last] += missing[item] / (last - first)


def systems_of(trace: PipelineTrace, widths: NDArray[np.int64], room: float) -> NDArray[np.int64]:
    """The first column of each system, and where the last ends.

    A system ends after a newline of the raw text; else, where there is no more room, before
    a pre-token, or at least where no character is torn.
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
    """The last of these places if it comes after the start."""
    return int(places[-1]) if len(places) and places[-1] > start else None


def _places_between(trace: PipelineTrace) -> NDArray[np.bool_]:
    """Between which columns no raw or normalized character is torn."""
    inside = np.zeros(trace.columns + 2, np.int64)
    for items in (trace.raw, trace.normalized):
        wide = items.lasts - items.firsts > 1
        np.add.at(inside, items.firsts[wide] + 1, 1)
        np.add.at(inside, items.lasts[wide], -1)
    return np.cumsum(inside)[: trace.columns + 1] == 0


def _after_newlines(trace: PipelineTrace, whole: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The places after the newlines of the raw text, or the next where nothing is torn."""
    raw = trace.raw
    data = np.frombuffer(raw.data, np.uint8)
    newlines = np.flatnonzero((data[raw.starts] == ord("\n")) & (raw.statuses == Status.KEPT))
    places = np.flatnonzero(whole)
    return np.unique(places[np.searchsorted(places, raw.lasts[newlines])])

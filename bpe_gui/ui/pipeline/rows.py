"""What a row of a system shows: which items, and what is written where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_gui.analysis.pipeline.stages import Stage, Status
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.pipeline.glyphs import Writing
from bpe_gui.ui.pipeline.layout import PipelineLayout, SystemColumns
from bpe_gui.ui.pipeline.shown import Shown

_UNKNOWN_ID = "?"
_DROPPED, _SPECIAL, _ALONE = int(Status.DROPPED), int(Status.SPECIAL), int(Status.UNMATCHED)


class RowItem(NamedTuple):
    """An item of a row, the columns from and to that it stands in, also beyond the row, and
    what became of it (a `Status`).
    """

    item: int
    first: int
    last: int
    status: int


class Written(NamedTuple):
    """A writing, the columns from and to in the middle of which it stands, and a `Status`."""

    writing: Writing
    first: int
    last: int
    status: int


def items_of(layout: PipelineLayout, stage: Stage, first: int, last: int) -> list[RowItem]:
    """The items of a stage that stand in some columns, from and to, in text order."""
    items = layout.items(stage)
    found = items.within(first, last)
    own = slice(found.start, found.stop)
    parts = (items.firsts[own].tolist(), items.lasts[own].tolist(), items.statuses[own].tolist())
    return [RowItem(*row) for row in zip(found, *parts, strict=True)]


def written_in(
    layout: PipelineLayout, stage: Stage, columns: SystemColumns, own: Iterable[RowItem]
) -> Iterator[Written]:
    """What is written into the items of a row."""
    shown = layout.shown
    assert shown is not None, "only a trace has rows"
    if stage in layout.writings:
        written = layout.writings[stage]
        yield from (Written(written[row.item], *row[1:]) for row in own)
        return
    items = layout.items(stage)
    for row in own:
        if stage is Stage.IDS:
            yield Written(_id(layout, int(shown.merged.ids[row.item])), *row[1:])
        elif row.status == _SPECIAL:
            yield Written(layout.writer.special(items.content(row.item)), *row[1:])
        elif stage is Stage.TOKENS:
            yield from _symbols(layout, shown, columns, row)
        elif row.status == _ALONE:
            yield Written(layout.writer.write(items.content(row.item)), *row[1:])
        else:
            yield from _characters(layout, columns, row)


def _id(layout: PipelineLayout, number: int) -> Writing:
    glyph = layout.writer.label(_UNKNOWN_ID if number == NO_TOKEN else str(number))
    return Writing((glyph,), glyph.width)


def _characters(layout: PipelineLayout, columns: SystemColumns, row: RowItem) -> Iterator[Written]:
    """The characters of a pre-token that are in a system, each under itself."""
    first, last = max(row.first, columns.first), min(row.last, columns.last)
    written = layout.writings[Stage.NORMALIZED]
    for item in items_of(layout, Stage.NORMALIZED, first, last):
        if item.status != _DROPPED:
            yield Written(written[item.item], item.first, item.last, row.status)


def _symbols(
    layout: PipelineLayout, shown: Shown, columns: SystemColumns, row: RowItem
) -> Iterator[Written]:
    """The symbols of a token that are in a system; where they are bytes, those of a character
    as one.
    """
    symbols, written = shown.trace.symbols, layout.writings[Stage.SYMBOLS]
    begin, end = shown.merged.symbols[row.item : row.item + 2].tolist()
    there = symbols.within(columns.first, columns.last)
    begin, end = max(begin, there.start), min(end, there.stop)
    firsts, lasts = symbols.firsts[begin:end].tolist(), symbols.lasts[begin:end].tolist()
    for first, last in pairwise(_borders(shown, begin, end)):
        if last - first == 1:
            writing = written[begin + first]
        else:
            edges = symbols.edges[[begin + first, begin + last]].tolist()
            writing = layout.writer.write(symbols.data[edges[0] : edges[1]])
        yield Written(writing, firsts[first], lasts[last - 1], row.status)


def _borders(shown: Shown, begin: int, end: int) -> Iterable[int]:
    """Between which symbols of a token there is a border on the screen: not within characters."""
    if not shown.trace.recipe.byte_level:
        return range(end - begin + 1)
    symbols = shown.trace.symbols
    data = symbols.data[int(symbols.edges[begin]) : int(symbols.edges[end])]
    if data.isascii():
        return range(len(data) + 1)
    leads = np.frombuffer(data, np.uint8) & 0xC0 != 0x80
    return [0, *(np.flatnonzero(leads[1:]) + 1).tolist(), len(data)]

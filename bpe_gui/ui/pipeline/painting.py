"""Paints systems of the pipeline: boxes first, then what is written, then the statuses.

Every status has a shape: dropped is struck out, put in has a dashed frame, changed a line below,
unmatched a dotted frame, and a special token has brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from bpe_gui.analysis.pipeline.stages import Stage, Status
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.pipeline.glyphs import Style, Writing
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout, Shown, SystemColumns
from bpe_gui.ui.pipeline.sentences import TITLES, reason_of
from bpe_gui.ui.theme.painting import target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.boxes import QUIET, SELECTION, UNKNOWN, Boxes, BoxLayer, Ring
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN
from bpe_gui.ui.tokens.painting import MARGIN, LabelPictures

# -- rows ------------------------------------------------------------------------------------------

_UNKNOWN_ID = "?"
_DROPPED, _SPECIAL, _ALONE = int(Status.DROPPED), int(Status.SPECIAL), int(Status.UNMATCHED)


class RowItem(NamedTuple):
    """An item of a row, with its columns, also beyond the row, and its `Status`."""

    item: int
    first: int
    last: int
    status: int


class Written(NamedTuple):
    """A writing, the columns in the middle of which it is, and a `Status`."""

    writing: Writing
    first: int
    last: int
    status: int


def items_of(layout: PipelineLayout, stage: Stage, first: int, last: int) -> list[RowItem]:
    """Return the items of a stage in some columns, in text order."""
    items = layout.items(stage)
    found = items.within(first, last)
    own = slice(found.start, found.stop)
    parts = (items.firsts[own].tolist(), items.lasts[own].tolist(), items.statuses[own].tolist())
    return [RowItem(*row) for row in zip(found, *parts, strict=True)]


def written_in(
    layout: PipelineLayout, stage: Stage, columns: SystemColumns, own: Iterable[RowItem]
) -> Iterator[Written]:
    """Yield what is written into the items of a row."""
    shown = layout.shown
    assert shown is not None, "only a trace has rows"
    if stage in layout.writings:
        written = layout.writings[stage]
        yield from (Written(written[row.item], *row[1:]) for row in own)
        return
    items, own_ids = layout.items(stage), shown.own_ids
    for row in own:
        if stage is Stage.IDS:
            yield Written(_id(layout, int(own_ids[row.item])), *row[1:])
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
    first, last = max(row.first, columns.first), min(row.last, columns.last)
    written = layout.writings[Stage.NORMALIZED]
    for item in items_of(layout, Stage.NORMALIZED, first, last):
        if item.status != _DROPPED:
            yield Written(written[item.item], item.first, item.last, row.status)


def _symbols(
    layout: PipelineLayout, shown: Shown, columns: SystemColumns, row: RowItem
) -> Iterator[Written]:
    """Yield the symbols of a token in a system; of bytes, those of a character as one."""
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
    """Return between which symbols of a token there is a border: not within characters."""
    if not shown.trace.recipe.byte_level:
        return range(end - begin + 1)
    symbols = shown.trace.symbols
    data = symbols.data[int(symbols.edges[begin]) : int(symbols.edges[end])]
    if data.isascii():
        return range(len(data) + 1)
    leads = np.frombuffer(data, np.uint8) & 0xC0 != 0x80
    return [0, *(np.flatnonzero(leads[1:]) + 1).tolist(), len(data)]


_BRACKET = 4
_LINE = 2
_ROUND = 3
_BOXED = frozenset({Stage.PRETOKENS, Stage.SYMBOLS, Stage.TOKENS, Stage.IDS})
"""Stages whose items all have boxes."""
_BARE = frozenset({Status.DROPPED, Status.PUT_IN, Status.UNMATCHED})
"""Statuses without a box, up to the pre-tokens."""


# -- beside the stages -------------------------------------------------------------------------

_MOST_LINES = 4
_LONG = "999 merges, 999 different"
"""A line about tokens that is as long as they become."""
_LONG_WORDS = ("characters,", "pre-tokens,", "Normalized", "normalizer")
"""The longest words in the lines about stages."""
_AROUND = MARGIN + MARGIN // 2
"""Pixels beside the lines in a gutter."""
_FILLED = 0.85
"""How much of a line words fill at least, on average, when they are wrapped."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def room_beside(gutter: int) -> int:
    return gutter - _AROUND


def least_beside(layout: PipelineLayout) -> int:
    """Return the width of a gutter that the longest words need."""
    widest = max(map(QFontMetrics(layout.fonts.small).horizontalAdvance, _LONG_WORDS))
    return widest + _AROUND


def lines_needed(layout: PipelineLayout, gutter: int, texts: Sequence[str]) -> tuple[int, ...]:
    """Return how many lines every stage needs for its text in a gutter, from one to four.

    The stages of tokens get the lines of their longest text, so that nothing moves later.
    """
    metrics = QFontMetrics(layout.fonts.small)
    place = QRect(0, 0, room_beside(gutter), 1000)
    needed = []
    for stage, text in zip_longest(Stage, texts, fillvalue=""):
        said = _LONG if stage in (Stage.TOKENS, Stage.IDS) else text
        height = metrics.boundingRect(place, _WRAPPED, said).height() if said else 0
        needed.append(min(max(1, round(height / metrics.lineSpacing())), _MOST_LINES))
    return tuple(needed)


def fitted(metrics: QFontMetrics, text: str, room: int, lines: int) -> tuple[str, int]:
    """Return the beginning of a text that fits into some lines, and its height when wrapped."""
    place = QRect(0, 0, room, 1000)
    height = metrics.boundingRect(place, _WRAPPED, text).height()
    if height > lines * metrics.lineSpacing():
        width = room if lines == 1 else round(_FILLED * lines * room)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        height = min(
            metrics.boundingRect(place, _WRAPPED, text).height(), lines * metrics.lineSpacing()
        )
    return text, height


# -- the stages --------------------------------------------------------------------------------


class PipelinePens:
    def __init__(self, theme: Theme) -> None:
        self.text = QPen(QColor(theme.token_text))
        self.gone = QPen(QColor(theme.token_muted))
        self.name = QPen(QColor(theme.text))
        self.line = QPen(QColor(theme.muted))
        self.error = QPen(QColor(theme.error))
        self.border = QPen(QColor(theme.border))
        self.dashed = QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine)
        self.dotted = QPen(QColor(theme.muted), 1, Qt.PenStyle.DotLine)
        self.struck = QBrush(QColor(theme.error))
        self.accent = QBrush(QColor(theme.accent))
        self.dot = QBrush(QColor(theme.token_muted))
        self.guide = QBrush(QColor(theme.muted))
        self.boxes = BoxLayer(theme)
        self.colour_by = theme.colour_by
        self.labels = LabelPictures(theme)


class _Row(NamedTuple):
    """A row of a stage in a system in view, and its top in the viewport."""

    stage: Stage
    top: int
    columns: SystemColumns
    items: list[RowItem]


class PipelinePicture:
    """Paints a layout in a viewport, once.

    top: how far the viewport is scrolled below the first system. gutter: the width at the left
    for the titles and the `lines` about the stages. current, hovered: the selected item, and the
    one under the mouse. marked: the id of tokens that get a ring.
    """

    def __init__(
        self,
        painter: QPainter,
        pens: PipelinePens,
        layout: PipelineLayout,
        *,
        top: int,
        gutter: int,
        lines: Sequence[str],
        current: ItemPlace | None,
        hovered: ItemPlace | None,
        marked: int,
    ) -> None:
        assert layout.shown is not None, "only a trace can be painted"
        self._painter, self._pens, self._layout = painter, pens, layout
        self._shown, self._fonts = layout.shown, layout.fonts
        self._fills = layout.fills(pens.colour_by)
        self._top, self._gutter, self._lines = top, gutter, lines
        self._current, self._marked = current, marked
        self._looked_at = hovered or current
        self._selected_span = layout.span_of(current) if current else (0, 0)
        self._hovered_span = layout.span_of(hovered) if hovered else (0, 0)

    def paint(self, width: int, height: int, needed: range) -> None:
        """Paint a viewport of that size, at least the systems between two heights of it."""
        layout = self._layout
        first = layout.system_at(self._top + needed.start)
        systems = range(first, layout.system_at(self._top + needed.stop) + 1)
        rows = [
            _Row(
                stage,
                layout.row_top(system, stage) - self._top,
                columns,
                items_of(layout, stage, columns.first, columns.last),
            )
            for system in systems
            for columns in [layout.columns(system)]
            for stage in Stage
        ]
        self._paint_boxes(rows, (width, height))
        for row in rows:
            self._paint_writing(row)
            self._paint_statuses(row)
        self._paint_guides(systems)
        for system in systems:
            self._paint_titles(system)
        if 0 in systems:
            self._paint_reasons(width)

    def _paint_boxes(self, rows: list[_Row], size: tuple[int, int]) -> None:
        boxes: list[tuple[int, int, int, int, int, bool, bool]] = []
        for number, row in enumerate(rows):
            in_row = []
            gap = 1 if row.stage is Stage.PRETOKENS else 0
            for item in row.items:
                ring = self._ring_of(row.stage, item)
                fill = self._fill_of(row.stage, item, ring)
                if fill < 0:
                    continue
                before = not row.columns.turned and item.first < row.columns.first
                after = not row.columns.turned and item.last > row.columns.last
                for left, right in row.columns.stretches(item.first, item.last):
                    edges = left + gap * (not before), right - gap * (not after)
                    in_row.append((number, *edges, fill, ring, before, after))
            boxes += sorted(in_row)
        columns = zip(*boxes, strict=True) if boxes else [[]] * 7
        kinds = (np.int64, np.float64, np.float64, np.int64, np.int64, np.bool_, np.bool_)
        made: list[NDArray[Any]] = [
            np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
        ]
        tops = [row.top for row in rows]
        layer = self._pens.boxes
        layer.paint(self._painter, size, self._gutter, tops, self._fonts, Boxes(*made))

    def _ring_of(self, stage: Stage, item: RowItem) -> Ring:
        """Return the ring: accented for the selected item, plain for the one under the mouse."""
        if _meet(item, self._selected_span):
            return Ring.NEWEST
        marked = stage >= Stage.TOKENS and self._shown.merged.ids[item.item] == self._marked >= 0
        return Ring.OCCURRENCE if marked or _meet(item, self._hovered_span) else Ring.NONE

    def _fill_of(self, stage: Stage, item: RowItem, ring: Ring) -> int:
        current = self._current
        if current is not None and (current.stage, current.item) == (stage, item.item):
            return SELECTION
        if item.status == Status.UNKNOWN:
            return UNKNOWN
        bare = item.status in _BARE and stage <= Stage.PRETOKENS
        if stage not in _BOXED or bare or item.status == Status.SPECIAL:
            return -1 if ring is Ring.NONE else QUIET
        coloured = stage >= Stage.TOKENS and self._shown.is_trained
        return int(self._fills[item.item]) if coloured else QUIET

    def _paint_writing(self, row: _Row) -> None:
        painter, pens, fonts = self._painter, self._pens, self._fonts
        target = target_of(painter)
        for written in written_in(self._layout, row.stage, row.columns, row.items):
            stretches = row.columns.stretches(written.first, written.last)
            if not stretches:
                continue
            left, right = stretches[0][0], stretches[-1][1]
            x = self._gutter + left + (right - left - written.writing.width) / 2
            gone = written.status == Status.DROPPED
            for glyph in written.writing.glyphs:
                if glyph.style is Style.TEXT:
                    painter.setFont(fonts.body)
                    painter.setPen(pens.gone if gone else pens.text)
                    painter.drawText(round(x), row.top + round(fonts.baseline), glyph.text)
                elif glyph.style is Style.SPACE:
                    y = row.top + fonts.box_top + round(fonts.box_height * 0.54)
                    painter.fillRect(round(x + glyph.width / 2) - 1, y, 2, 2, pens.dot)
                else:
                    quiet = gone or glyph.style is Style.LABEL
                    place = round(x + LABEL_MARGIN), row.top + fonts.box_top
                    pens.labels.paint(painter, target, fonts, place, glyph.text, quiet=quiet)
                x += glyph.width

    def _paint_statuses(self, row: _Row) -> None:
        for item in row.items:
            if item.status == Status.KEPT and (
                row.stage is not Stage.PRETOKENS or self._ring_of(row.stage, item) is not Ring.NONE
            ):
                continue
            for left, right in row.columns.stretches(item.first, item.last):
                place = (left + self._gutter, row.top + self._fonts.box_top, right - left)
                self._paint_status(row.stage, Status(item.status), *place)

    def _paint_status(self, stage: Stage, status: Status, x: int, top: int, width: int) -> None:
        painter, pens, height = self._painter, self._pens, self._fonts.box_height
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if status is Status.KEPT:
            painter.setPen(pens.border)
            painter.drawRoundedRect(x + 1, top, width - 3, height - 1, _ROUND, _ROUND)
        elif status is Status.DROPPED:
            painter.fillRect(x + 1, top + round(height * 0.54), width - 2, 1, pens.struck)
        elif status is Status.CHANGED and stage is Stage.NORMALIZED:
            painter.fillRect(x + 3, top + height - _LINE, width - 6, _LINE, pens.accent)
        elif status is Status.PUT_IN and stage <= Stage.SYMBOLS:
            painter.setPen(pens.dashed)
            painter.drawRect(x + 1, top, width - 3, height - 1)
        elif status is Status.UNMATCHED and stage is Stage.PRETOKENS:
            painter.setPen(pens.dotted)
            painter.drawRect(x + 1, top, width - 3, height - 1)
        elif status is Status.SPECIAL:
            for edge, foot in ((x + 1, x + 1), (x + width - 3, x + width - 1 - _BRACKET)):
                painter.fillRect(edge, top, _LINE, height, pens.accent)
                painter.fillRect(foot, top, _BRACKET, _LINE, pens.accent)
                painter.fillRect(foot, top + height - _LINE, _BRACKET, _LINE, pens.accent)

    def _paint_guides(self, systems: range) -> None:
        """Draw lines down the sides of the item under the mouse, or else of the selected one."""
        layout = self._layout
        if self._looked_at is None:
            return
        first, last = layout.span_of(self._looked_at)
        lowest = max(stage for stage in Stage if len(layout.items(stage)))
        for system in systems:
            top = layout.row_top(system, Stage.RAW)
            height = layout.row_top(system, lowest) + self._fonts.row_height - top
            for left, right in layout.columns(system).stretches(first, last):
                for x in (left, right - 1):
                    place = (self._gutter + x, top - self._top, 1, height)
                    self._painter.fillRect(*place, self._pens.guide)

    def _paint_titles(self, system: int) -> None:
        painter, layout, fonts = self._painter, self._layout, self._fonts
        metrics = QFontMetrics(fonts.small)
        painter.setFont(fonts.small)
        room = room_beside(self._gutter)
        for stage in Stage:
            is_looked_at = self._looked_at is not None and self._looked_at.stage is stage
            painter.setPen(self._pens.name if is_looked_at or not system else self._pens.line)
            if system:
                y = layout.row_top(system, stage) - self._top + round(fonts.small_baseline)
                painter.drawText(MARGIN, y, TITLES[stage])
                continue
            middle = sum(layout.band_of(system, stage)) // 2 - self._top
            if not self._lines[stage]:
                painter.drawText(MARGIN, middle + metrics.ascent() // 2, TITLES[stage])
                continue
            limit = layout.lines_beside[stage]
            text, height = fitted(metrics, self._lines[stage], room, limit)
            top = middle - (metrics.height() + height) // 2
            painter.drawText(MARGIN, top + metrics.ascent(), TITLES[stage])
            painter.setPen(self._pens.line)
            painter.drawText(MARGIN, top + metrics.height(), room, height, _WRAPPED, text)

    def _paint_reasons(self, width: int) -> None:
        layout, painter = self._layout, self._painter
        painter.setFont(self._fonts.small)
        room = width - self._gutter - MARGIN
        for stage in Stage:
            reason = reason_of(self._shown, stage)
            if not reason:
                continue
            failed = not self._shown.trace.reaches(stage)
            painter.setPen(self._pens.error if failed else self._pens.line)
            # What failed leaves all rows below it free.
            top, bottom = layout.band_of(0, stage)
            if failed:
                top, bottom = top + self._fonts.box_top, layout.band_of(0, Stage.IDS)[1]
            align = Qt.AlignmentFlag.AlignTop if failed else Qt.AlignmentFlag.AlignVCenter
            flags = Qt.AlignmentFlag.AlignLeft | align | Qt.TextFlag.TextWordWrap
            painter.drawText(self._gutter, top - self._top, room, bottom - top, flags, reason)


def _meet(item: RowItem, span: tuple[int, int]) -> bool:
    return item.first < span[1] and span[0] < item.last

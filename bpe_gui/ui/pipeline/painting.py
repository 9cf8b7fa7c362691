"""Paints systems of the pipeline: boxes first, then what is written, then what became of it.

Each status has a shape of its own: what was dropped is struck out, what was put in stands in a
dashed frame, what was changed has a line below it, what never merges a dotted frame, and a
special token stands between brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from bpe_gui.analysis.pipeline.stages import Stage, Status
from bpe_gui.ui.pipeline.glyphs import Style
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout, SystemColumns
from bpe_gui.ui.pipeline.rows import RowItem, Written, items_of, written_in
from bpe_gui.ui.pipeline.sentences import TITLES, reason_of
from bpe_gui.ui.theme.painting import Target, target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.box_layer import BoxLayer
from bpe_gui.ui.tokens.boxes import QUIET, SELECTION, UNKNOWN, Boxes, Ring
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, TokenFonts
from bpe_gui.ui.tokens.painting import MARGIN, LabelPictures

_BRACKET = 4
_LINE = 2
_ROUND = 3
_BOXED = frozenset({Stage.PRETOKENS, Stage.SYMBOLS, Stage.TOKENS, Stage.IDS})
"""Stages whose items all stand in boxes."""
_KEPT, _DROPPED, _UNKNOWN = int(Status.KEPT), int(Status.DROPPED), int(Status.UNKNOWN)
_SPECIAL = int(Status.SPECIAL)
_BARE = frozenset(map(int, (Status.DROPPED, Status.PUT_IN, Status.UNMATCHED)))


# -- beside the stages -------------------------------------------------------------------------

_MOST_LINES = 4
_LONG = "999 merges, 999 different"
"""As long as what is said of tokens."""
_LONG_WORDS = ("characters,", "pre-tokens,", "Normalized", "normalizer")
"""The longest words that are said of stages."""
_AROUND = MARGIN + MARGIN // 2
"""Pixels beside the lines in a gutter."""
_FILLED = 0.85
"""How much of a line words fill at least, on average, when they are wrapped."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def room_beside(gutter: int) -> int:
    """Pixels of a line in a gutter."""
    return gutter - _AROUND


def least_beside(layout: PipelineLayout) -> int:
    """How wide a gutter has to be for the longest words in it."""
    widest = max(map(QFontMetrics(layout.fonts.small).horizontalAdvance, _LONG_WORDS))
    return widest + _AROUND


def lines_needed(layout: PipelineLayout, gutter: int, texts: Sequence[str]) -> tuple[int, ...]:
    """How many lines each stage needs for its text in a gutter; one at least, four at most.

    Those of the tokens have room for more than they say now: nothing moves with the position.
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
    """A text as far as it fits into so many lines, and its height when it is wrapped."""
    place = QRect(0, 0, room, 1000)
    height = metrics.boundingRect(place, _WRAPPED, text).height()
    if height > lines * metrics.lineSpacing():
        width = room if lines == 1 else round(_FILLED * lines * room)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        height = min(
            metrics.boundingRect(place, _WRAPPED, text).height(), lines * metrics.lineSpacing()
        )
    return text, height


def draw_wrapped(painter: QPainter, left: int, top: int, room: int, height: int, text: str) -> None:
    """Draw a text in lines of some width."""
    painter.drawText(left, top, room, height, _WRAPPED, text)


# -- the stages --------------------------------------------------------------------------------


class Picture:
    """What is painted: a layout from `top` pixels below its first system on.

    `lines` are what is said of the stages, beside them in a gutter of that width. `current`
    is the selected item, `hovered` the one under the mouse; `marked` is the id of tokens that
    are made out.
    """

    def __init__(
        self,
        layout: PipelineLayout,
        top: int,
        gutter: int,
        lines: Sequence[str],
        current: ItemPlace | None,
        hovered: ItemPlace | None,
        marked: int,
    ) -> None:
        assert layout.shown is not None, "only a trace can be painted"
        self.layout, self.top, self.gutter, self.lines = layout, top, gutter, lines
        self.shown = layout.shown
        self.current = current
        self.looked_at = hovered or current
        self._selected = layout.span_of(current) if current else (0, 0)
        self._hovered = layout.span_of(hovered) if hovered else (0, 0)
        self._marked = marked

    def box_of(self, stage: Stage, item: RowItem) -> tuple[int, Ring]:
        """The fill, or -1 for none, and the ring."""
        ring = self.ring_of(stage, item)
        current = self.current
        if current is not None and (current.stage, current.item) == (stage, item.item):
            return SELECTION, ring
        if item.status == _UNKNOWN:
            return UNKNOWN, ring
        bare = item.status in _BARE and stage <= Stage.PRETOKENS
        if stage not in _BOXED or bare or item.status == _SPECIAL:
            return (-1 if ring is Ring.NONE else QUIET), ring
        coloured = stage >= Stage.TOKENS and self.shown.is_trained
        return (int(self.layout.colours[item.item]) if coloured else QUIET), ring

    def ring_of(self, stage: Stage, item: RowItem) -> Ring:
        """The ring: accented where the selected item stands, plain for the one under the mouse."""
        if _meet(item, self._selected):
            return Ring.NEWEST
        if _meet(item, self._hovered):
            return Ring.OCCURRENCE
        marked, ids = self._marked, self.shown.merged.ids
        if marked >= 0 and stage >= Stage.TOKENS and ids[item.item] == marked:
            return Ring.OCCURRENCE
        return Ring.NONE


def _meet(item: RowItem, span: tuple[int, int]) -> bool:
    return item.first < span[1] and span[0] < item.last


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a stage in a system in view, its top below the viewport's."""

    stage: Stage
    top: int
    columns: SystemColumns
    items: list[RowItem]


class PipelinePainter:
    """Holds what painting in one theme needs, so that a frame builds few Qt objects."""

    def __init__(self, theme: Theme) -> None:
        self._text = QPen(QColor(theme.token_text))
        self._gone = QPen(QColor(theme.token_muted))
        self._name = QPen(QColor(theme.text))
        self._line = QPen(QColor(theme.muted))
        self._error = QPen(QColor(theme.error))
        self._struck = QBrush(QColor(theme.error))
        self._accent = QBrush(QColor(theme.accent))
        self._dot = QBrush(QColor(theme.token_muted))
        self._guide = QBrush(QColor(theme.muted))
        self._border = QPen(QColor(theme.border))
        self._dashed = QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine)
        self._dotted = QPen(QColor(theme.muted), 1, Qt.PenStyle.DotLine)
        self._boxes = BoxLayer(theme)
        self._labels = LabelPictures(theme)

    def paint(
        self, painter: QPainter, picture: Picture, width: int, height: int, needed: range
    ) -> None:
        """Paint a viewport of that size, at least the systems between two heights of it."""
        layout, top = picture.layout, picture.top
        systems = range(
            layout.system_at(top + needed.start), layout.system_at(top + needed.stop) + 1
        )
        rows = [
            _Row(stage, layout.row_top(system, stage) - picture.top, columns, own)
            for system in systems
            for columns in [layout.columns(system)]
            for stage in Stage
            for own in [items_of(layout, stage, columns.first, columns.last)]
        ]
        target = target_of(painter)
        self._paint_boxes(painter, picture, rows, (width, height))
        for row in rows:
            self._paint_writing(painter, target, picture, row)
            self._paint_statuses(painter, picture, row)
        self._paint_guides(painter, picture, systems)
        for system in systems:
            self._paint_titles(painter, picture, system)
        if 0 in systems:
            self._paint_reasons(painter, picture, width)

    # -- boxes -------------------------------------------------------------------------------

    def _paint_boxes(
        self, painter: QPainter, picture: Picture, rows: list[_Row], size: tuple[int, int]
    ) -> None:
        fonts = picture.layout.fonts
        boxes: list[tuple[int, int, int, int, int, bool, bool]] = []
        for number, row in enumerate(rows):
            in_row = []
            for item in row.items:
                fill, ring = picture.box_of(row.stage, item)
                if fill < 0:
                    continue
                for left, right in row.columns.stretches(item.first, item.last):
                    before = not row.columns.turned and item.first < row.columns.first
                    after = not row.columns.turned and item.last > row.columns.last
                    gap = 1 if row.stage is Stage.PRETOKENS else 0
                    edges = left + gap * (not before), right - gap * (not after)
                    in_row.append((number, *edges, fill, ring, before, after))
            boxes += sorted(in_row)
        columns = zip(*boxes, strict=True) if boxes else [[]] * 7
        kinds = (np.int64, np.float64, np.float64, np.int64, np.int64, np.bool_, np.bool_)
        made: list[NDArray[Any]] = [
            np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
        ]
        tops = [row.top for row in rows]
        self._boxes.paint(painter, size, picture.gutter, tops, fonts, Boxes(*made))

    # -- what is written -----------------------------------------------------------------------

    def _paint_writing(
        self, painter: QPainter, target: Target, picture: Picture, row: _Row
    ) -> None:
        for written in written_in(picture.layout, row.stage, row.columns, row.items):
            stretches = row.columns.stretches(written.first, written.last)
            if stretches:
                left, right = stretches[0][0], stretches[-1][1]
                x = picture.gutter + left + (right - left - written.writing.width) / 2
                self._write(painter, target, picture.layout.fonts, written, x, row.top)

    def _write(
        self,
        painter: QPainter,
        target: Target,
        fonts: TokenFonts,
        written: Written,
        x: float,
        top: int,
    ) -> None:
        gone = written.status == _DROPPED
        for glyph in written.writing.glyphs:
            if glyph.style is Style.TEXT:
                painter.setFont(fonts.body)
                painter.setPen(self._gone if gone else self._text)
                painter.drawText(round(x), top + round(fonts.baseline), glyph.text)
            elif glyph.style is Style.SPACE:
                y = top + fonts.box_top + round(fonts.box_height * 0.54)
                painter.fillRect(round(x + glyph.width / 2) - 1, y, 2, 2, self._dot)
            else:
                quiet = gone or glyph.style is Style.LABEL
                place = round(x + LABEL_MARGIN), top + fonts.box_top
                self._labels.paint(painter, target, fonts, place, glyph.text, quiet=quiet)
            x += glyph.width

    # -- what became of it ---------------------------------------------------------------------

    def _paint_statuses(self, painter: QPainter, picture: Picture, row: _Row) -> None:
        fonts = picture.layout.fonts
        top, height = row.top + fonts.box_top, fonts.box_height
        bordered = row.stage is Stage.PRETOKENS
        for item in row.items:
            quiet = item.status == _KEPT
            if quiet and (not bordered or picture.ring_of(row.stage, item) is not Ring.NONE):
                continue
            for left, right in row.columns.stretches(item.first, item.last):
                x, width = left + picture.gutter, right - left
                self._paint_status(painter, row.stage, Status(item.status), x, top, width, height)

    def _paint_status(
        self,
        painter: QPainter,
        stage: Stage,
        status: Status,
        x: int,
        top: int,
        width: int,
        height: int,
    ) -> None:
        if status is Status.KEPT:
            painter.setPen(self._border)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(x + 1, top, width - 3, height - 1, _ROUND, _ROUND)
        elif status is Status.DROPPED:
            painter.fillRect(x + 1, top + round(height * 0.54), width - 2, 1, self._struck)
        elif status is Status.CHANGED and stage is Stage.NORMALIZED:
            painter.fillRect(x + 3, top + height - _LINE, width - 6, _LINE, self._accent)
        elif status is Status.PUT_IN and stage <= Stage.SYMBOLS:
            self._frame(painter, self._dashed, x, top, width, height)
        elif status is Status.UNMATCHED and stage is Stage.PRETOKENS:
            self._frame(painter, self._dotted, x, top, width, height)
        elif status is Status.SPECIAL:
            for edge, foot in ((x + 1, x + 1), (x + width - 3, x + width - 1 - _BRACKET)):
                painter.fillRect(edge, top, _LINE, height, self._accent)
                painter.fillRect(foot, top, _BRACKET, _LINE, self._accent)
                painter.fillRect(foot, top + height - _LINE, _BRACKET, _LINE, self._accent)

    def _frame(self, painter: QPainter, pen: QPen, x: int, y: int, width: int, height: int) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(x + 1, y, width - 3, height - 1)

    def _paint_guides(self, painter: QPainter, picture: Picture, systems: range) -> None:
        """Lines down the sides of what is under the mouse, or else of what is selected."""
        place, layout = picture.looked_at, picture.layout
        if place is None:
            return
        first, last = layout.span_of(place)
        lowest = max(stage for stage in Stage if len(layout.items(stage)))
        for system in systems:
            top = layout.row_top(system, Stage.RAW) - picture.top
            height = layout.row_top(system, lowest) - picture.top - top
            height += layout.fonts.row_height
            for left, right in layout.columns(system).stretches(first, last):
                for x in (left, right - 1):
                    painter.fillRect(picture.gutter + x, top, 1, height, self._guide)

    # -- beside it -----------------------------------------------------------------------------

    def _paint_titles(self, painter: QPainter, picture: Picture, system: int) -> None:
        layout = picture.layout
        fonts = layout.fonts
        metrics = QFontMetrics(fonts.small)
        painter.setFont(fonts.small)
        made_out = picture.looked_at
        room = room_beside(picture.gutter)
        for stage in Stage:
            is_made_out = made_out is not None and made_out.stage is stage
            painter.setPen(self._name if is_made_out or not system else self._line)
            if system:
                y = layout.row_top(system, stage) - picture.top + round(fonts.small_baseline)
                painter.drawText(MARGIN, y, TITLES[stage])
                continue
            middle = sum(layout.band_of(system, stage)) // 2 - picture.top
            line = picture.lines[stage]
            if line:
                shown, height = fitted(metrics, line, room, layout.lines_beside[stage])
                top = middle - (metrics.height() + height) // 2
                painter.drawText(MARGIN, top + metrics.ascent(), TITLES[stage])
                painter.setPen(self._line)
                draw_wrapped(painter, MARGIN, top + metrics.height(), room, height, shown)
            else:
                painter.drawText(MARGIN, middle + metrics.ascent() // 2, TITLES[stage])

    def _paint_reasons(self, painter: QPainter, picture: Picture, width: int) -> None:
        """Say why there is nothing in a row of the first system."""
        layout = picture.layout
        painter.setFont(layout.fonts.small)
        room = width - picture.gutter - MARGIN
        for stage in Stage:
            said = reason_of(picture.shown, stage)
            if not said:
                continue
            failed = not picture.shown.trace.reaches(stage)
            painter.setPen(self._error if failed else self._line)
            # What failed leaves all rows below it free.
            top, bottom = layout.band_of(0, stage)
            if failed:
                top, bottom = top + layout.fonts.box_top, layout.band_of(0, Stage.IDS)[1]
            align = Qt.AlignmentFlag.AlignTop if failed else Qt.AlignmentFlag.AlignVCenter
            flags = Qt.AlignmentFlag.AlignLeft | align | Qt.TextFlag.TextWordWrap
            painter.drawText(picture.gutter, top - picture.top, room, bottom - top, flags, said)

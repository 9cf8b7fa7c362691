"""Paints systems of lanes: boxes, then the text in each lane, then borders and differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen

from bpe_gui.analysis.visible import visible, visible_bytes
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.encodings.base import GUESSED
from bpe_gui.ui.lanes.layout import ScoreLayout, SystemUnits
from bpe_gui.ui.lanes.prepared import LaneColumns
from bpe_gui.ui.lanes.selection import LaneSelection
from bpe_gui.ui.theme.painting import Target, target_of
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.boxes import QUIET, SELECTION, UNKNOWN, Boxes, BoxLayer, Ring
from bpe_gui.ui.tokens.characters import Kind, kinds_of
from bpe_gui.ui.tokens.fonts import LABEL_MARGIN, name_of
from bpe_gui.ui.tokens.painting import MARGIN, LabelPictures, paint_text
from bpe_gui.ui.tokens.picture import ShownRow, groups_of
from bpe_gui.ui.widgets.names import NameElider

LOSSY = " · lossy"
"""What follows the name of a lane that does not give the text back."""
_FOOT = 4
"""The distance of the line under a difference from the last lane, in logical pixels."""
_LINE = 2
_MARK = 4
"""The width of the colour before the name of a lane."""
_WITHOUT_SHAPE = (Kind.NAMED, Kind.EXTENDS, Kind.JOINS)
"""Characters that show nothing, or no shape, without others around them."""


class CharacterPart(Struct, frozen=True):
    """The part of a character in one token of a lane: all of it, or the bytes `data`.

    token: the token, if normalization has made several of the same text; else empty.
    """

    character: int
    left: float
    right: float
    data: bytes
    whole: bool
    token: str = ""


class Score(Struct, frozen=True):
    """What is painted.

    top: how far the viewport is below the top of the first system.
    names: of the lanes, in a gutter that is so wide, in a usual and a bold font.
    lane: the highlighted one, or -1. difference: the number of the framed one, or -1.
    colours: of the lanes, by their numbers; -1 or none at all for a lane without.
    """

    layout: ScoreLayout
    top: int
    names: Sequence[str]
    gutter: int
    name_fonts: tuple[QFont, QFont]
    selection: LaneSelection | None
    lane: int
    difference: int
    colours: Sequence[int] = ()


class _System(Struct, frozen=True):
    """One system in view: how far its top is below that of the viewport, and its contents."""

    top: int
    shown: ShownRow
    units: SystemUnits
    tokens: dict[int, NDArray[np.int64]]
    """The token at each unit, for each lane that is shown, from the top."""
    parts: dict[int, list[CharacterPart]]
    """The parts of the characters that some lane splits, for each lane that is shown."""


class ScorePainter:
    """Paints in one theme, with few new Qt objects in each frame."""

    def __init__(self, theme: Theme) -> None:
        self._text = QPen(QColor(theme.token_text))
        self._name = QPen(QColor(theme.muted))
        self._current_name = QPen(QColor(theme.text))
        self._accent = QPen(QColor(theme.accent))
        self._accent_brush = QBrush(QColor(theme.accent))
        self._shared = QBrush(QColor(theme.border))
        self._marks = [QBrush(QColor(colour)) for colour in theme.lines]
        self._ground = QBrush(QColor(theme.panel))
        self._boxes = BoxLayer(theme)
        self._labels = LabelPictures(theme)
        self._elider = NameElider([GUESSED + LOSSY, LOSSY, GUESSED])

    def paint(self, painter: QPainter, score: Score, width: int, height: int) -> None:
        layout = score.layout
        first, last = layout.system_at(score.top), layout.system_at(score.top + height)
        systems = [_system(layout, number, score.top) for number in range(first, last + 1)]
        target = target_of(painter)
        self._paint_boxes(painter, score, systems, (width, height))
        for system in systems:
            self._paint_borders(painter, score, system)
        painter.setPen(self._text)
        for system in systems:
            for row, lane in enumerate(system.tokens):
                self._paint_lane(painter, target, score, system, lane, row)
        for system in systems:
            self._paint_names(painter, score, system)
            self._paint_differences(painter, score, system)
        bottom = layout.whole_bottom(score.top, height)
        if bottom < height:
            painter.fillRect(0, bottom, width, height - bottom, self._ground)

    def _paint_boxes(
        self,
        painter: QPainter,
        score: Score,
        systems: list[_System],
        size: tuple[int, int],
    ) -> None:
        fonts = score.layout.fonts
        placed = [
            (system, lane, system.top + row * fonts.row_height)
            for system in systems
            for row, lane in enumerate(system.tokens)
        ]
        columns = [
            self._boxes_of(score, system, lane, row) for row, (system, lane, _) in enumerate(placed)
        ]
        boxes = Boxes(*(np.concatenate(parts) for parts in zip(*columns, strict=True)))
        tops = [top for _, _, top in placed]
        rows = np.arange(len(tops))
        spaces = [system.shown.row.dots for system, _, _ in placed]
        dots = np.repeat(rows, [len(places) for places in spaces]), np.concatenate(spaces)
        bars = [
            (row, part.left, part.right)
            for row, (system, lane, _) in enumerate(placed)
            for part in system.parts[lane]
            if not part.whole
        ]
        self._boxes.paint(painter, size, score.gutter, tops, fonts, boxes, dots, bars)

    def _boxes_of(
        self, score: Score, system: _System, lane: int, row: int
    ) -> tuple[NDArray[np.int64] | NDArray[np.float64] | NDArray[np.bool_], ...]:
        columns, token = score.layout.lanes[lane], system.tokens[lane]
        begins, ends = groups_of(token)
        token = token[begins]
        cut = columns.cut
        fill = columns.colours[token].astype(np.int64)
        fill[columns.quiet[token]] = QUIET
        fill[cut.unknown[token]] = UNKNOWN
        chosen = score.selection
        if chosen is not None and chosen.place.lane == lane:
            fill[(chosen.first <= token) & (token < chosen.end)] = SELECTION
        ring = np.where(cut.special[token], int(Ring.NEWEST), int(Ring.NONE))
        edges = score.layout.characters.byte_starts
        ordered = system.shown.row.visual is None
        return (
            np.full(len(token), row),
            system.units.left[begins],
            system.units.right[ends],
            fill,
            ring,
            ordered & (cut.tokens.starts[token] < edges[system.shown.first]),
            ordered & (cut.tokens.ends[token] > edges[system.shown.last]),
        )

    def _paint_lane(
        self, painter: QPainter, target: Target, score: Score, system: _System, lane: int, at: int
    ) -> None:
        fonts = score.layout.fonts
        top = system.top + at * fonts.row_height
        row = system.shown.row
        tokens = system.tokens[lane] if target.keeps_text else None
        place = score.gutter, top
        paint_text(painter, fonts, score.layout.characters, system.shown, tokens, place)
        marked = system.units.marks_of(score.layout.lanes[lane])
        y = top + fonts.box_top
        for label in row.labels:
            is_marker = label.text == END_OF_WORD
            if not label.quiet or (is_marker and label.left - LABEL_MARGIN not in marked):
                continue
            place = score.gutter + round(label.left), y
            self._labels.paint(painter, target, fonts, place, label.text, quiet=True)
        for part in system.parts[lane]:
            self._paint_part(painter, target, score, part, top)

    def _paint_part(
        self, painter: QPainter, target: Target, score: Score, part: CharacterPart, top: int
    ) -> None:
        fonts = score.layout.fonts
        character = score.layout.text[part.character]
        middle = score.gutter + (part.left + part.right) / 2
        if part.whole and kinds_of(np.array([ord(character)]))[0] not in _WITHOUT_SHAPE:
            painter.setFont(fonts.body)
            painter.drawText(
                round(middle - QFontMetrics(fonts.body).horizontalAdvance(character) / 2),
                top + round(fonts.baseline),
                character,
            )
            return
        text = part.token or (name_of(character) if part.whole else visible_bytes(part.data))
        space = part.right - part.left
        if fonts.label(text) > space:
            metrics = QFontMetrics(fonts.small)
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(space))
        width = fonts.label(text) - 2 * LABEL_MARGIN
        place = round(middle - width / 2), top + fonts.box_top
        self._labels.paint(painter, target, fonts, place, text, quiet=part.whole)

    def _paint_names(self, painter: QPainter, score: Score, system: _System) -> None:
        fonts = score.layout.fonts
        highlighted = score.lane
        if highlighted < 0 and score.selection is not None:
            highlighted = score.selection.place.lane
        for row, lane in enumerate(system.tokens):
            font = score.name_fonts[lane == highlighted]
            painter.setFont(font)
            painter.setPen(self._current_name if lane == highlighted else self._name)
            text = self._elider.elided(score.names, font, score.gutter - 2 * MARGIN)[lane]
            y = system.top + row * fonts.row_height + round(fonts.small_baseline)
            painter.drawText(MARGIN, y, text)
            colour = score.colours[lane] if lane < len(score.colours) else -1
            if 0 <= colour < len(self._marks):
                top = system.top + row * fonts.row_height
                painter.fillRect(2, top + 1, _MARK, fonts.row_height - 2, self._marks[colour])

    def _paint_borders(self, painter: QPainter, score: Score, system: _System) -> None:
        """Draw a line through all lanes where all have a border, as a bar line in a score."""
        lanes, fonts = len(system.tokens), score.layout.fonts
        if lanes < 2 or system.shown.row.visual is not None:
            return
        units = system.units
        shared = score.layout.prepared.shared[units.starts] & ~units.marker
        shared[:1] = False
        height = (lanes - 1) * fonts.row_height
        top = system.top + fonts.box_top + fonts.box_height // 2
        for x in units.left[shared].tolist():
            painter.fillRect(score.gutter + round(x), top, 1, height, self._shared)

    def _paint_differences(self, painter: QPainter, score: Score, system: _System) -> None:
        layout, units = score.layout, system.units
        if not len(units.left):
            return
        foot = system.top + len(system.tokens) * layout.fonts.row_height + _FOOT
        stretches = layout.prepared.differences
        first = int(np.searchsorted(stretches[:, 1], int(units.starts.min()), "right"))
        last = int(np.searchsorted(stretches[:, 0], int(units.ends.max())))
        for number in range(first, last):
            start, end = stretches[number].tolist()
            inside = (units.starts < end) & (start < units.ends)
            if not inside.any():
                continue
            # In a row of both directions a difference may have several places.
            places = np.flatnonzero(inside)
            for together in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
                left = score.gutter + round(float(units.left[together].min()))
                right = score.gutter + round(float(units.right[together].max()))
                is_current = number == score.difference
                thick = 2 * _LINE if is_current else _LINE
                painter.fillRect(left + 1, foot, right - left - 2, thick, self._accent_brush)
                if is_current:
                    painter.setPen(self._accent)
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    frame = left - 1, system.top - 1, right - left + 2, foot - system.top
                    painter.drawRect(*frame)


def _system(layout: ScoreLayout, number: int, top: int) -> _System:
    shown, units = layout.shown(number), layout.units(number)
    tokens = {lane: units.tokens_of(layout.lanes[lane]) for lane in layout.lanes_of(number)}
    return _System(
        layout.system_top(number) - top,
        shown,
        units,
        tokens,
        {lane: parts_of(layout, units, layout.lanes[lane], at) for lane, at in tokens.items()},
    )


def parts_of(
    layout: ScoreLayout, units: SystemUnits, lane: LaneColumns, tokens: NDArray[np.int64]
) -> list[CharacterPart]:
    """Return the parts of a system's split characters in a lane with these tokens at its units.

    A character that another lane splits, but not this one, is a single part.
    """
    edges = layout.characters.byte_starts
    character = np.searchsorted(edges, units.starts, "right") - 1
    within = ~units.marker & layout.prepared.pieces.is_split[character]
    found: list[CharacterPart] = []
    places = np.flatnonzero(within)
    if not len(places):
        return found
    data = layout.text
    named = lane.named[tokens[places]]
    changes = (np.diff(character[places]) != 0) & ~named[1:] | (np.diff(tokens[places]) != 0)
    begins = np.flatnonzero(np.append(True, changes))
    groups = np.split(places, begins[1:])
    for group, is_named in zip(groups, named[begins], strict=True):
        number = int(character[group[0]])
        start, end = int(units.starts[group].min()), int(units.ends[group].max())
        first = int(edges[number])
        written = data[number].encode("utf-8")
        part = written[start - first : end - first]
        left, right = float(units.left[group].min()), float(units.right[group].max())
        token = int(tokens[group[0]])
        if is_named:
            name = visible(lane.cut.content(token)) or "?"
            found.append(CharacterPart(number, left, right, part, whole=False, token=name))
        else:
            found.append(CharacterPart(number, left, right, part, whole=part == written))
    return found

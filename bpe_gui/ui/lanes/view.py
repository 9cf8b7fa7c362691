"""The widget of the lanes: one text as several encodings tokenize it, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QContextMenuEvent,
    QFont,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.encodings.base import GUESSED, Encoding, family_name, is_guessed, remark_about
from bpe_gui.encodings.differences.alignment import Cut
from bpe_gui.ui.lanes.layout import LanePlace, ScoreLayout
from bpe_gui.ui.lanes.painting import LOSSY, Score, ScorePainter
from bpe_gui.ui.lanes.prepared import PreparedScore
from bpe_gui.ui.lanes.selection import (
    COPIED,
    LaneSelection,
    beginning,
    describe,
    destination,
    followed,
    nearest,
    stretch,
)
from bpe_gui.ui.theme.text_size import resized, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.text_area import TextArea
from bpe_gui.ui.tokens.token_words import shown_characters, tooltip
from bpe_gui.ui.widgets.canvas import MOVES
from bpe_gui.ui.widgets.naming import named, quiet

_LEAST_GUTTER, _MOST_GUTTER = 60, 190
"""The width of the names, in pixels at the plain size of text."""
_GUTTER_SHARE = 1 / 6
"""The part of the width that names may take in a wide view."""
_LARGEST_SHARE = 1 / 3
"""The part that they may take in large text."""
_MOST_IN_LEGEND = 1 / 3
"""The part of the height that names may take above the lanes."""
_LINES_OF_FIGURE = 28
"""Lines of the smallest names that a figure is high enough for."""
_NOTHING = "Add an encoding above, and type a text: each encoding tokenizes it in its lane."
_FIRST = "Tokenizing the text…"
"""Until the first text is shown, or it is known that there is nothing to show."""
_MOVING = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.KeypadModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
"""The modifiers with which keys move from token to token."""


class LaneView(TextArea[LanePlace]):
    """Lanes that are aligned to the byte, for mouse, keyboard and screen reader.

    The selected tokens, one lane and one difference are highlighted.

    Left and Right go from token to token of a lane, Up and Down to the lane above or below,
    Home and End to the first and last token. Drag, or hold Shift, to select several; Ctrl+A
    selects all of a lane. Ctrl+C copies the ids of those, or of the current lane.
    """

    room = QSize(640, 320)
    least_room = QSize(200, 90)
    lines_of_figure = 6
    placeSelected = Signal(int, int)
    """The lane and the token, by their numbers, that the user has selected."""
    menuWanted = Signal(int, QPoint)
    """The lane whose menu is wanted, by its number, and the place on the screen."""

    _layout: ScoreLayout

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("laneView", "Lanes of tokens", parent)
        self._layout = ScoreLayout(self.font())
        self.message = _FIRST
        self._gutter = _LEAST_GUTTER
        self._smaller = 1.0
        """The size of the names, for what is small in the text."""
        self._legend_height = 0
        self._names_above: list[str] = []
        self._tells_part = False
        """Whether a picture, which does not scroll, says which part of the text it shows."""
        self._labels: list[str] = []
        self._plain: list[str] = []
        """The names of the lanes."""
        self._full: list[str] = []
        """The names with the families that were recognised."""
        self._beside: list[str] = []
        self._colours: list[int] = []
        legend = QLabel(self, textFormat=Qt.TextFormat.PlainText, indent=MARGIN)
        self._legend = quiet(named(legend, "laneLegend"))
        self._legend.setBackgroundRole(QPalette.ColorRole.Base)
        self._legend.setAutoFillBackground(True)
        self._legend.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._legend.hide()
        self._lane = self._held = -1
        self._selection: LaneSelection | None = None
        self.difference = -1
        self._framed_byte = 0
        self._beginning: Anchor | None = None
        self._began_at = 0
        """The place of the scroll bar while the text begins there."""
        self.verticalScrollBar().valueChanged.connect(self._write_legend)
        ThemeFollower(self, self._take_colours)
        self.copy_actions = self._make_copy_actions()
        self._update_accessible()

    def _make_copy_actions(self) -> list[QAction]:
        group = QActionGroup(self)
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        group.triggered.connect(self._copy)
        for text, name, key, written in COPIED:
            action = QAction(text, group, shortcut=QKeySequence(key))
            action.setObjectName(name)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setData(written)
        self.addActions(group.actions())
        return group.actions()

    @Slot(QAction)
    def _copy(self, action: QAction) -> None:
        if (selected := self.selected()) is not None:
            QGuiApplication.clipboard().setText(action.data()(*selected))

    @property
    def current(self) -> LanePlace | None:
        """The current token of the selection; None without one."""
        return self._selection.place if self._selection is not None else None

    def selected(self) -> tuple[Cut, int, int] | None:
        """Return what is to be copied; see `selection.stretch`."""
        return stretch(self._selection, [lane.cut for lane in self._layout.lanes])

    # -- what is shown ---------------------------------------------------------------------------

    def show_prepared(
        self, prepared: PreparedScore, lossy: Sequence[bool] = (), caret: int = 0
    ) -> None:
        """Show a text as several encodings tokenize it, and their differences.

        `lossy` says which encodings do not give the text back, for their labels.

        The same text stays where it is, and so does the selection in a lane that stays the same.
        A framed difference is followed by the one at its place, or else the next, or the first;
        in another text by that at the `caret`, a byte of it.
        """
        lanes = [lane.cut for lane in prepared.lanes]
        anchor = selection = None
        same_text = prepared.text == self._layout.text
        if not same_text:
            self._beginning = None
        else:
            anchor = self._anchor()
            before = [lane.cut for lane in self._layout.lanes]
            selection = followed(self._selection, before, lanes)
        encodings = [cut.encoding for cut in lanes]
        endings = [
            GUESSED * is_guessed(encoding) + LOSSY * bool(is_lossy)
            for encoding, is_lossy in zip_longest(encodings, lossy)
        ]
        plain = [it.name + ending for it, ending in zip(encodings, endings, strict=True)]
        full = [_named(it) + ending for it, ending in zip(encodings, endings, strict=True)]
        changed = self._layout.show(prepared) or (plain, full) != (self._plain, self._full)
        self._plain, self._full, self._selection = plain, full, selection
        message = _NOTHING if self.is_empty else ""
        changed |= message != self.message
        self.message = message
        if self.difference >= 0:
            if not same_text:
                self._framed_byte = caret
            ends = prepared.differences[:, 1]
            following = int(np.searchsorted(ends, self._framed_byte, "right"))
            self.difference = following % len(ends) if len(ends) else -1
        if changed:
            self._fit()
            self._return_to(anchor)
            self.viewport().update()
        if self.difference >= 0 and not same_text:
            self.show_difference(self.difference)
        self._update_accessible()

    @property
    def shows_bytes(self) -> bool:
        """Whether a lane splits characters, so that their bytes are shown."""
        return self._layout.shows_bytes

    @property
    def marks_ends(self) -> bool:
        """Whether a lane marks the end of a word."""
        return self._layout.marks_ends

    @property
    def is_empty(self) -> bool:
        """Whether there are no lanes, or no text."""
        return not (len(self._layout) and self._layout.text)

    def _take_colours(self, theme: Theme) -> None:
        self._painter = ScorePainter(theme)

    def show_lane(self, lane: int) -> None:
        """Highlight the name of a lane, given by its number from the top; -1 for none."""
        if lane != self._lane:
            self._lane = lane
            self.viewport().update()

    def show_colours(self, colours: Sequence[int]) -> None:
        """Mark the names of lanes with colours by their numbers; -1 for none."""
        if list(colours) != self._colours:
            self._colours = list(colours)
            self.viewport().update()

    @property
    def colours(self) -> int:
        """How many colours there are to mark lanes."""
        return len(self._theme.lines)

    def show_beside(self, lane: int) -> None:
        """Show in each system a lane and those that differ from it; -1 for all lanes."""
        if lane != self._held:
            self._held = lane
            anchor = self._anchor()
            self._layout.show_beside(lane)
            self._fit()
            self._return_to(anchor)
            self.viewport().update()

    def show_difference(self, number: int) -> None:
        """Frame a difference, given by its number, and scroll to it; -1 for none."""
        self.difference = number
        if number >= 0:
            self._framed_byte = int(self._layout.prepared.differences[number, 0])
            self._reveal(self._framed_byte)
        self.viewport().update()

    def begin_at(self, place: int) -> None:
        """Scroll so that a byte of the text is in the first row, as far as possible.

        It stays there, also in another size or with other lanes, until somebody scrolls.
        """
        self._beginning = (place, 0)
        if len(self._layout):
            self._return_to(self._beginning)

    def current_byte(self) -> int:
        """Return the first byte of the framed difference, the selection, or the visible rows."""
        if self.difference >= 0:
            return int(self._layout.prepared.differences[self.difference, 0])
        if self._selection is not None:
            place = self._selection.place
            return int(self._layout.lanes[place.lane].cut.tokens.starts[place.token])
        return self._first_byte()

    def token_center(self, place: LanePlace) -> QPoint:
        """Return the middle of the first part of a token, in the viewport."""
        left, right, top = self._layout.rectangles_of(place)[0]
        y = top + self._layout.fonts.row_height / 2 - self._top()
        return QPoint(round((left + right) / 2) + self._gutter, round(y))

    # -- geometry ------------------------------------------------------------------------------

    def _header(self) -> int:
        return self._legend_height or MARGIN

    def room_on_stage(self) -> QSize:
        """Return the size of what rows can take, in text of any size: names do not grow with it."""
        self._fit()  # names may be above the rows in one size, and beside them in another
        names = _width_of(self._beside, QFontMetrics(resized(self._around, bold=True)))
        return QSize(self._room() - names - MARGIN // 2, self.height() - self._header())

    def width_of_word(self, word: str) -> float:
        """Return about how wide a word is, with the mark of its end if there are such marks."""
        fonts = self._layout.fonts
        width = QFontMetrics(fonts.body).horizontalAdvance(word)
        return width + (fonts.label(END_OF_WORD) if self.marks_ends else 0.0)

    def _fit(self) -> None:
        metrics = QFontMetrics(self._legend_font)
        room = self._room()
        wanted = max(scaled(_MOST_GUTTER, self.font()), round(room * _GUTTER_SHARE))
        # Large names leave most of the width to the lanes.
        most = max(_MOST_GUTTER, min(wanted, round(room * _LARGEST_SHARE)))
        # The highlighted name is bold.
        bold = QFontMetrics(self._layout.fonts.small_bold)
        # Beside large tokens names are written smaller rather than elided, down to the usual size.
        around, small = QFontInfo(self._around), QFontInfo(self._layout.fonts.small)
        usual = around.pointSizeF() / small.pointSizeF()
        has_room = _width_of(self._full, bold) * usual <= most - 2 * MARGIN
        self._labels = self._full if has_room else self._plain
        needed = _width_of(self._labels, bold)
        fitting = 0.0 if self.presents else (most - 2 * MARGIN) / max(1, needed)
        self._smaller = min(1.0, max(usual, fitting))
        needed = _width_of(self._labels, QFontMetrics(self._name_font(bold=True)))
        above = len(self._labels) * metrics.height() + MARGIN
        # An audience cannot read an elided name in its tooltip.
        legend = self.presents and needed > most and above <= self.height() * _MOST_IN_LEGEND
        if legend:
            numbers = range(1, len(self._labels) + 1)
            self._beside = [str(n) for n in numbers] if len(numbers) > 1 else [""]
            names = QFontMetrics(self._name_font(bold=True))
            self._gutter = max(_width_of(self._beside, names), MARGIN)
            pairs = zip(self._beside, self._labels, strict=True)
            self._names_above = [f"{number}  {name}" if number else name for number, name in pairs]
        else:
            self._beside, self._names_above = self._labels, []
            self._gutter = min(max(needed, _LEAST_GUTTER), most)
        still = self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self._layout.keeps_whole = still
        self._make_room_above(tells_part=False)
        if still and self.overflows:
            self._make_room_above(tells_part=True)
            if self.room_for_rows().height() < self._layout.step:
                self._make_room_above(tells_part=False)
        super()._fit()
        self._write_legend()

    def _make_room_above(self, *, tells_part: bool) -> None:
        """Make room for the names above the lanes, and for how much of the text is in view."""
        self._tells_part = tells_part
        lines = len(self._names_above) + tells_part
        line = QFontMetrics(self._font_above).height()
        self._legend_height = lines * line + MARGIN if lines else 0
        self._layout.set_room(self.room_for_rows().height())

    @property
    def _around(self) -> QFont:
        """The font of names: that around the lanes, and in a figure one that can be read there."""
        font = QFont((self.parentWidget() or self).font())
        least = self.height() // _LINES_OF_FIGURE
        if self.presents and QFontInfo(font).pixelSize() < least:
            font.setPixelSize(least)
        return font

    @property
    def _legend_font(self) -> QFont:
        """As large as with text of the usual size: in larger text there are the same names."""
        around = QFontInfo(self._around).pointSizeF()
        larger = QFontInfo(self.font()).pointSizeF() / around
        return resized(self._layout.fonts.small, 1 / max(1.0, larger))

    @property
    def _font_above(self) -> QFont:
        """The font of what is above the lanes: that of their names, wherever those are."""
        return self._legend_font if self._names_above else self._name_font(bold=False)

    def _name_font(self, *, bold: bool) -> QFont:
        return resized(self._layout.fonts.small, self._smaller, bold=bold)

    @Slot()
    def _write_legend(self) -> None:
        lines = [*self._names_above, *([self._part_in_view()] if self._tells_part else [])]
        metrics = QFontMetrics(self._font_above)
        room, elide = self.width() - 2 * MARGIN, Qt.TextElideMode.ElideMiddle
        self._legend.setFont(self._font_above)
        self._legend.setText("\n".join(metrics.elidedText(line, elide, room) for line in lines))
        self._legend.setGeometry(0, 0, self.width(), self._legend_height)
        self._legend.setVisible(bool(lines))

    def _part_in_view(self) -> str:
        top, total = self._top(), len(self._layout.text)
        bottom = top + self._layout.whole_bottom(top, self.viewport().height())
        first, last = self._layout.characters_between(top, bottom)
        if first == 0 and last == total:
            return ""
        return f"Showing {shown_characters(first, last, total)}."

    def _first_byte(self) -> int:
        anchor = self._anchor()
        return 0 if anchor is None else anchor[0]

    def _reveal(self, place: int) -> None:
        system = self._layout.system_of_byte(place)
        self._scroll_to(self._layout.system_top(system), self._layout.system_top(system + 1))

    def _top(self) -> int:
        return self._layout.row_top(super()._top())

    def _anchor(self) -> Anchor | None:
        still = self.verticalScrollBar().value() == self._began_at
        return self._beginning if self._beginning and still else super()._anchor()

    def _return_to(self, anchor: Anchor | None) -> None:
        super()._return_to(anchor)
        bar = self.verticalScrollBar()
        if anchor is not None:
            # Where systems are of different heights, one begins between two steps.
            above, top = bar.value(), self._layout.top_of(anchor[0]) + anchor[1]
            if self._top() < top:
                bar.setValue(above + self._step)
            if self._top() > top:
                bar.setValue(above)
        if anchor == self._beginning:
            self._began_at = bar.value()

    def _place_at(self, position: QPoint) -> LanePlace | None:
        return self._layout.place_at(position.x() - self._gutter, position.y() + self._top())

    def _lane_at(self, position: QPoint) -> int:
        """Return the lane at a place of the viewport, also beside its tokens; -1 for none."""
        return self._layout.lane_at(position.y() + self._top())

    # -- events --------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        top = self._layout.top_of(self._framed_byte) - self._top()
        framed = self.difference >= 0 and 0 <= top < self.viewport().height()
        super().resizeEvent(event)
        if framed:
            self._reveal(self._framed_byte)

    def takes(self, event: QKeyEvent) -> bool:
        moves = event.modifiers() in _MOVING and event.key() in MOVES
        return moves or event.matches(QKeySequence.StandardKey.SelectAll)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        place = self._place_at(event.position().toPoint())
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not (extends and self._extend_to(event.position().toPoint())):
            self.select(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select the tokens that the mouse is dragged over, in the lane where it was pressed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._extend_to(event.position().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Emit `menuWanted` for the lane under the mouse; by key, for the current lane."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            lane = self._lane if self.current is None else self.current.lane
        else:
            lane = self._lane_at(event.pos())
            self._select_for_menu(lane, self._place_at(event.pos()))
        if lane >= 0:
            self.menuWanted.emit(lane, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.key() in MOVES and self._layout.lanes:
            extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(Qt.Key(event.key()), extends=extends)
        else:
            super().keyPressEvent(event)

    def draw(self, painter: QPainter, area: QRect) -> None:
        fonts = self._name_font(bold=False), self._name_font(bold=True)
        place = (self._layout, self._top(), self._beside, self._gutter, fonts)
        score = Score(*place, self._selection, self._lane, self.difference, self._colours)
        self._painter.paint(painter, score, self.viewport().width(), self.viewport().height())

    # -- selecting -----------------------------------------------------------------------------

    def select(self, place: LanePlace | None) -> None:
        """Select a token, or nothing, and emit `placeSelected`."""
        self._choose(LaneSelection.of(place) if place is not None else None)
        if place is not None:
            start = int(self._layout.lanes[place.lane].cut.tokens.starts[place.token])
            self._reveal(start)
            self.placeSelected.emit(place.lane, place.token)

    def select_all(self) -> None:
        """Select all tokens of the current lane, or of the first without a selection."""
        lane = self.current.lane if self.current is not None else 0
        count = len(self._layout.lanes[lane].cut.tokens) if self._layout.lanes else 0
        if count:
            self._choose(LaneSelection(LanePlace(lane, count - 1), 0))

    def _select_for_menu(self, lane: int, place: LanePlace | None) -> None:
        if self._selection is not None and place in self._selection:
            return
        if place is not None:
            self.select(place)
        elif lane >= 0 and len(self._layout.lanes[lane].cut.tokens):
            self._choose(LaneSelection.of(LanePlace(lane, 0)))

    def _choose(self, selection: LaneSelection | None) -> None:
        if selection != self._selection:
            self._selection = selection
            self.viewport().update()
            self._update_accessible()

    def _extend_to(self, position: QPoint) -> bool:
        """Extend the selection to the token at a place; return False without a selection."""
        if self._selection is None:
            return False
        lane, x, y = self._selection.place.lane, position.x() - self._gutter, position.y()
        token = nearest(self._layout, lane, x, y + self._top())
        if token != NOWHERE:
            self._choose(self._selection.to(token))
        return True

    def _move(self, key: Qt.Key, *, extends: bool) -> None:
        """Move to a neighbour of the current token.

        Without one, select the first visible token of the highlighted lane, or of the first.
        """
        place = self.current
        if place is None:
            first = beginning(self._layout, self._first_byte(), self._lane)
            if first is not None:
                self.select(first)
            return
        to = destination(self._layout, place, key)
        if extends and to.lane == place.lane and self._selection is not None:
            self._choose(self._selection.to(to.token))
            self._reveal(int(self._layout.lanes[to.lane].cut.tokens.starts[to.token]))
        else:
            self.select(to)

    # -- speaking ------------------------------------------------------------------------------

    def tooltip_at(self, point: QPoint) -> str:
        place, lane = self._place_at(point), self._lane_at(point)
        if place is not None:
            return tooltip(self._lines_about(place))
        if lane < 0 or point.x() >= self._gutter:
            return ""
        remark = remark_about(self._layout.lanes[lane].cut.encoding)
        return tooltip([self._labels[lane], *filter(None, [remark])])

    def _lines_about(self, place: LanePlace) -> list[str]:
        return describe(self._layout.lanes[place.lane].cut, place.token)

    def _update_accessible(self) -> None:
        chosen = self._selection
        if chosen is not None:
            count = len(self._layout.lanes[chosen.place.lane].cut.tokens)
            lines = self._lines_about(chosen.place)
            said = f"Token {chosen.place.token + 1:,} of {count:,}: {'. '.join(lines)}"
            if len(chosen) > 1:
                said = f"{len(chosen):,} tokens are selected. {said}"
        elif self._labels:
            said = f"{len(self._labels)} lanes: {', '.join(self._labels)}. The arrow keys go about."
        else:
            said = self.message
        self.describe(said)


def _named(encoding: Encoding) -> str:
    """Name an encoding, and the family that it was recognised as, if its name does not."""
    family = family_name(encoding)
    return encoding.name if family in encoding.name else f"{encoding.name} · {family}"


def _width_of(names: Sequence[str], metrics: QFontMetrics) -> int:
    """Return the width of names beside the lanes, in pixels; empty ones take none."""
    widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
    return widest + 2 + 2 * MARGIN if widest else 0

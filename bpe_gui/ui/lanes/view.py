"""The lanes as a widget: one text, cut by several encodings, one under the other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.encodings.alignment import Cut
from bpe_gui.ui.lanes.canvas import LaneCanvas
from bpe_gui.ui.lanes.copying import LaneCopying
from bpe_gui.ui.lanes.description import describe
from bpe_gui.ui.lanes.layout import LanePlace
from bpe_gui.ui.lanes.selection import (
    KEYS,
    LaneSelection,
    beginning,
    destination,
    nearest,
    stretch,
)
from bpe_gui.ui.tokens.picture import NOWHERE

_MOVING = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.KeypadModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
"""What may be held down while keys move from token to token."""


class LaneView(LaneCanvas):
    """Lanes that are aligned to the byte, for mouse, keyboard and screen reader.

    Left and Right go from token to token of a lane, Up and Down to the lane above or below,
    Home and End to the first and last token. Drag, or hold Shift, to select several; Ctrl+A
    selects all of a lane. Ctrl+C copies the ids of those, or of the current lane.
    """

    placeSelected = Signal(int, int)
    """A lane and a token of it, counted from the first, that the user has selected."""
    menuWanted = Signal(int, QPoint)
    """A lane that the user asks what can be done with, and where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Lanes of tokens")
        self.copying = LaneCopying(self, self.selected)
        self._say()

    @property
    def current(self) -> LanePlace | None:
        """The selected token, of several that where selecting has come to, if there is one."""
        return self._selection.place if self._selection is not None else None

    def selected(self) -> tuple[Cut, int, int] | None:
        """What of which lane is to be copied; see `selection.stretch`. None without lanes."""
        return stretch(self._selection, [lane.cut for lane in self._layout.lanes])

    # -- events --------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # The keys that move here would otherwise step through the history.
            moves = event.modifiers() in _MOVING and event.key() in KEYS
            if moves or event.matches(QKeySequence.StandardKey.SelectAll):
                event.accept()
                return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        place = self._place_at(event.position().toPoint())
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not (extends and self._extend_to(event.position().toPoint())):
            self._select(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select all tokens that the mouse is dragged over, in the lane where it was pressed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._extend_to(event.position().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the lane under the mouse; by key, of the current one."""
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
        elif event.key() in KEYS and self._layout.lanes:
            extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(Qt.Key(event.key()), extends=extends)
        else:
            super().keyPressEvent(event)

    # -- selecting -----------------------------------------------------------------------------

    def select(self, place: LanePlace | None) -> None:
        """Select a token, or nothing, and tell of it."""
        self._select(place)

    def select_all(self) -> None:
        """Select all tokens of the current lane, of the first if none is current."""
        lane = self.current.lane if self.current is not None else 0
        count = len(self._layout.lanes[lane].cut.tokens) if self._layout.lanes else 0
        if count:
            self._choose(LaneSelection(LanePlace(lane, count - 1), 0))

    def _select(self, place: LanePlace | None) -> None:
        self._choose(LaneSelection.of(place) if place is not None else None)
        if place is not None:
            start = int(self._layout.lanes[place.lane].cut.tokens.starts[place.token])
            self._reveal(start)
            self.placeSelected.emit(place.lane, place.token)

    def _select_for_menu(self, lane: int, place: LanePlace | None) -> None:
        """Let a menu be of what was clicked: of its lane, beside the tokens."""
        if self._selection is not None and place in self._selection:
            return
        if place is not None:
            self._select(place)
        elif lane >= 0 and len(self._layout.lanes[lane].cut.tokens):
            self._choose(LaneSelection.of(LanePlace(lane, 0)))

    def _choose(self, selection: LaneSelection | None) -> None:
        if selection != self._selection:
            self._selection = selection
            self.viewport().update()
            self._say()

    def _extend_to(self, position: QPoint) -> bool:
        """Select up to the token at a place, in the lane where something is selected."""
        if self._selection is None:
            return False
        lane, x, y = self._selection.place.lane, position.x() - self._gutter, position.y()
        token = nearest(self._layout, lane, x, y + self._top())
        if token != NOWHERE:
            self._choose(self._selection.to(token))
        return True

    def _move(self, key: Qt.Key, *, extends: bool) -> None:
        """Go to a neighbour of the current token, or take the first in view of the lane that is
        made out, else of the first lane."""
        place = self.current
        if place is None:
            first = beginning(self._layout, self._first_byte(), self._lane)
            if first is not None:
                self._select(first)
            return
        to = destination(self._layout, place, key)
        if extends and to.lane == place.lane and self._selection is not None:
            self._choose(self._selection.to(to.token))
            self._reveal(int(self._layout.lanes[to.lane].cut.tokens.starts[to.token]))
        else:
            self._select(to)

    # -- speaking ------------------------------------------------------------------------------

    def _lines_at(self, position: QPoint) -> list[str]:
        place, lane = self._place_at(position), self._lane_at(position)
        if place is not None:
            return self._lines_about(place)
        return [self._labels[lane]] if lane >= 0 and position.x() < self._gutter else []

    def _lines_about(self, place: LanePlace) -> list[str]:
        return describe(self._layout.lanes[place.lane].cut, place.token)

    def _shown_anew(self) -> None:
        self._say()

    def _say(self) -> None:
        """Tell screen readers what is selected."""
        chosen = self._selection
        if chosen is not None:
            count = len(self._layout.lanes[chosen.place.lane].cut.tokens)
            lines = self._lines_about(chosen.place)
            said = f"Token {chosen.place.token + 1:,} of {count:,}: {'. '.join(lines)}"
            if len(chosen) > 1:
                said = f"{len(chosen):,} tokens are selected. {said}"
        elif self._names:
            said = f"{len(self._labels)} lanes: {', '.join(self._labels)}. The arrow keys go about."
        else:
            said = self._message
        self._tell(said)

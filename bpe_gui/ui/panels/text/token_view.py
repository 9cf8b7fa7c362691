"""The coloured text: one text, cut into the tokens of one position of a history."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBasicTimer, QPoint, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.tokens.canvas import TokenCanvas
from bpe_gui.ui.tokens.navigation import KEYS, destination
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.token_words import describe, spoken_text, tooltip
from bpe_gui.ui.widgets.guards import moves_the_cursor

_SCROLL_WHILE_DRAGGING_MILLISECONDS = 40


class TokenView(TokenCanvas):
    """The tokens of a text, for mouse, keyboard, clipboard and screen reader.

    Click a token or move with the arrow keys to select it; drag, or hold Shift, to select
    several. Ctrl+A, Ctrl+C and the context menu select all and copy. Enter does the same
    as a click.
    """

    tokenSelected = Signal(int)
    """The id of a token that the user clicked, or pressed Enter on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed = NOWHERE
        self._drag_position: QPoint | None = None
        self._scrolling = QBasicTimer()
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._say()

    # -- mouse --------------------------------------------------------------------------

    def takes(self, event: QKeyEvent) -> bool:
        moves = event.key() in KEYS and len(self._layout.cut) and not moves_the_cursor(event)
        keys = QKeySequence.StandardKey
        return bool(moves) or event.matches(keys.Copy) or event.matches(keys.SelectAll)

    def tooltip_at(self, point: QPoint) -> str:
        token = self._token_at(point)
        if token == NOWHERE or self._history is None:
            return ""
        return tooltip(describe(self._layout.cut, token, self._history))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        token = self._token_at(event.position().toPoint())
        if token == NOWHERE:
            self._selection.clear()
            self._highlighted = NO_TOKEN
        else:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._selection.move(token, extend)
        self._pressed = token
        self._drag_position = event.position().toPoint()
        self._changed()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_position is None:
            super().mouseMoveEvent(event)
            return
        self._drag_position = event.position().toPoint()
        self._drag(self._drag_position)
        outside = not 0 <= event.position().y() < self.viewport().height()
        if outside and not self._scrolling.isActive():
            self._scrolling.start(_SCROLL_WHILE_DRAGGING_MILLISECONDS, self)
        elif not outside:
            self._scrolling.stop()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._drag_position is None:
            super().mouseReleaseEvent(event)
            return
        self._drag_position = None
        self._scrolling.stop()
        first, last = self._selection.range()
        if last - first == 1 and self._pressed != NOWHERE:
            self._choose()

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._scrolling.timerId():
            super().timerEvent(event)
            return
        position = self._drag_position or QPoint()
        bar = self.verticalScrollBar()
        step = bar.singleStep() if position.y() >= self.viewport().height() else -bar.singleStep()
        bar.setValue(bar.value() + step)
        self._drag(position)

    def _drag(self, position: QPoint) -> None:
        token = self._token_at(position, near=True)
        if token not in (NOWHERE, self._selection.current):
            self._selection.move(token, extend=True)
            self._changed()

    def _choose(self) -> None:
        """Mark all places of the current token and tell the world."""
        token = int(self._layout.cut.ids[self._selection.current])
        self._highlighted = token
        self.viewport().update()
        if token != NO_TOKEN:
            self.tokenSelected.emit(token)

    # -- keyboard -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_text()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selection:
            self._choose()
        elif event.key() in KEYS and len(self._layout.cut):
            self._move(event)
        else:
            super().keyPressEvent(event)

    def _move(self, event: QKeyEvent) -> None:
        if self._selection:
            modifiers = event.modifiers()
            page = self.viewport().height() // self._layout.fonts.row_height - 1
            token = destination(
                self._layout,
                self._selection.current,
                Qt.Key(event.key()),
                bool(modifiers & Qt.KeyboardModifier.ControlModifier),
                max(1, page),
            )
            self._selection.move(token, bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        else:
            first = self._layout.first_character(self._visible_rows().start)
            offset = int(self._layout.characters.byte_starts[first])
            token = min(self._layout.cut.token_at_byte(offset), len(self._layout.cut) - 1)
            self._selection.move(token, extend=False)
        self._reveal(self._selection.current)
        self._changed()

    # -- selection and clipboard --------------------------------------------------------

    def selected_ids(self) -> NDArray[np.int32]:
        """The ids of the selected tokens, in text order."""
        first, last = self._selection.range()
        return self._layout.cut.ids[first:last]

    def current_character(self) -> int:
        """Where in the text the current token begins; 0 if there is none."""
        if not self._selection:
            return 0
        return int(self._layout.cut.firsts[self._selection.current])

    def selected_text(self) -> str:
        """The text from the first to the last selected token, in whole characters."""
        first, last = self._selection.range()
        if first == last:
            return ""
        cut = self._layout.cut
        return cut.characters.text[int(cut.firsts[first]) : int(cut.lasts[last - 1])]

    def select_all(self) -> None:
        """Select all tokens of the text."""
        if len(self._layout.cut):
            self._selection.move(0, extend=False)
            self._selection.move(len(self._layout.cut) - 1, extend=True)
            self._changed()

    def copy_text(self) -> None:
        """Put the text of the selected tokens on the clipboard, if any are."""
        if self._selection:
            QGuiApplication.clipboard().setText(self.selected_text())

    def copy_ids(self) -> None:
        """Put the ids of the selected tokens on the clipboard, if any are."""
        if self._selection:
            QGuiApplication.clipboard().setText(" ".join(map(str, self.selected_ids().tolist())))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        token = self._token_at(self.viewport().mapFromGlobal(event.globalPos()))
        first, last = self._selection.range()
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if by_mouse and token != NOWHERE and not first <= token < last:
            self._selection.move(token, extend=False)
            self._changed()
        menu = self.context_menu()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def context_menu(self) -> QMenu:
        """What can be done with the selected tokens."""
        menu = QMenu(self)
        for text, slot, enabled in (
            ("Copy text\tCtrl+C", self.copy_text, bool(self._selection)),
            ("Copy ids", self.copy_ids, bool(self._selection)),
            ("Select all\tCtrl+A", self.select_all, len(self._layout.cut) > 0),
        ):
            action = menu.addAction(text)
            action.triggered.connect(slot)
            action.setEnabled(enabled)
        return menu

    # -- speaking -----------------------------------------------------------------------

    def _cut_changed(self) -> None:
        self._say()

    def _changed(self) -> None:
        """The user has selected something else."""
        self.viewport().update()
        self._say()

    def _say(self) -> None:
        """Tell screen readers what is selected."""
        cut = self._layout.cut
        if self._selection and self._history is not None:
            token = self._selection.current
            lines = describe(cut, token, self._history)
            said = f"Token {token + 1:,} of {len(cut):,}: {'. '.join(lines)}"
        else:
            said = f"{spoken_text(cut)} The arrow keys go from token to token."
        self.describe(said)

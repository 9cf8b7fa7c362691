"""The coloured text: one text, cut into the tokens of one position of a history."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBasicTimer, QEvent, QPoint, QSize, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QToolTip, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.bpe.visible import visible
from bpe_gui.ui.theme import DARK, Theme
from bpe_gui.ui.tokens.cut import TokenColumns
from bpe_gui.ui.tokens.description import describe, tooltip
from bpe_gui.ui.tokens.layout import NO_TOKENS, TokenLayout
from bpe_gui.ui.tokens.navigation import KEYS, destination
from bpe_gui.ui.tokens.painting import MARGIN, TokenPainter
from bpe_gui.ui.tokens.picture import NOWHERE, Emphasis
from bpe_gui.ui.tokens.selection import TokenSelection

_SCROLL_WHILE_DRAGGING_MILLISECONDS = 40
_NOTHING = "Nothing to show yet: type or paste a text above."


class TokenView(QAbstractScrollArea):
    """Shows a text with a coloured box behind each token; what is hidden has marks.

    Click a token or move with the arrow keys to select it; drag, or hold Shift, to select
    several. Ctrl+A, Ctrl+C and the context menu select all and copy. Enter does the same
    as a click.
    """

    tokenSelected = Signal(int)
    """The id of a token that the user clicked, or pressed Enter on."""
    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._position = 0
        self._text = ""
        self._ends_word: NDArray[np.bool_] = np.empty(0, bool)
        self._layout = TokenLayout(self.font(), len(DARK.tokens))
        self._painter = TokenPainter(DARK)
        self._selection = TokenSelection()
        self._highlighted = NO_TOKEN
        self._dragging = False
        self._keyboard_focus = False
        self._scrolling = QBasicTimer()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Tokens")
        self._say()

    def sizeHint(self) -> QSize:
        """Room for some ten rows of text."""
        return QSize(480, 280)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a few tokens."""
        return QSize(160, 80)

    # -- what is shown ------------------------------------------------------------------

    def set_tokens(self, text: str, tokens: TokenColumns, history: History, position: int) -> None:
        """Show a text as it is cut at a position of a history.

        The same text stays where it is: what is selected and what is in view follow it.
        Raises UnicodeEncodeError for a text with unpaired surrogates.
        """
        if history is not self._history:
            self._ends_word = np.empty(0, bool)
            self._highlighted = NO_TOKEN
        self._history, self._position = history, position
        self._show(text, tokens, self._closes(tokens))

    def set_uncut(self, text: str) -> None:
        """Show a text that no tokenizer has cut."""
        self._history, self._position = None, 0
        self._show(text, NO_TOKENS, np.empty(0, bool))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._painter = TokenPainter(theme)
        self.viewport().update()

    def select_token(self, token: int) -> None:
        """Mark all places of a token and bring one into view. NO_TOKEN marks none."""
        self._highlighted = token
        places = np.flatnonzero(self._layout.cut.ids == token)
        if token != NO_TOKEN and len(places):
            rows = self._visible_rows()
            first = self._layout.first_character(rows.start)
            last = self._layout.first_character(rows.stop)
            firsts = self._layout.cut.firsts[places]
            if not ((firsts >= first) & (firsts < last)).any():
                following = places[firsts >= last]
                self._reveal(int(following[0] if len(following) else places[0]))
        self.viewport().update()

    def _show(self, text: str, tokens: TokenColumns, closes: NDArray[np.bool_]) -> None:
        layout, old = self._layout, self._layout.cut
        same_text = text == layout.characters.text
        bar = self.verticalScrollBar()
        top_row, beyond = divmod(bar.value() - MARGIN, layout.fonts.row_height)
        anchor = layout.first_character(top_row) if len(layout) and top_row > 0 else 0
        layout.show(text, tokens, closes, self._name)
        if same_text:
            self._selection.follow(old, layout.cut)
        else:
            self._selection.clear()
        self._update_scroll_bar()
        if anchor and same_text:
            bar.setValue(layout.row_of(anchor) * layout.fonts.row_height + beyond + MARGIN)
        self.viewport().update()
        self._say()

    def _closes(self, tokens: TokenColumns) -> NDArray[np.bool_]:
        """Which of the tokens end a word."""
        history = self._history
        if history is None or history.recipe.end_of_word is EndOfWord.NONE:
            return np.zeros(len(tokens.ids), bool)
        size = max(history.vocabulary_size(len(history)), len(self._ends_word))
        known = len(self._ends_word)
        if size > known:
            new = np.fromiter((history.ends_word(token) for token in range(known, size)), bool)
            self._ends_word = np.concatenate((self._ends_word, new))
        # NO_TOKEN looks up the last entry, which the second condition takes back.
        return self._ends_word[tokens.ids] & (tokens.ids != NO_TOKEN)

    def _name(self, token: int) -> str:
        return "" if self._history is None else visible(self._history.content(token))

    # -- geometry -----------------------------------------------------------------------

    def _update_scroll_bar(self) -> None:
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        bar.setRange(0, max(0, self._layout.height + 2 * MARGIN - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._layout.fonts.row_height)

    def _top(self) -> int:
        """How far the viewport's top is below the first row's top."""
        return self.verticalScrollBar().value() - MARGIN

    def _visible_rows(self) -> range:
        layout = self._layout
        bottom = self._top() + self.viewport().height()
        return range(layout.row_at(self._top()), layout.row_at(bottom) + 1)

    def _reveal(self, token: int) -> None:
        """Scroll as little as is needed to see a token."""
        places = self._layout.places_of(token)
        if not places:
            return
        height = self._layout.fonts.row_height
        bar = self.verticalScrollBar()
        top = places[0].row * height
        bottom = (places[-1].row + 1) * height + 2 * MARGIN
        bar.setValue(min(max(bar.value(), bottom - self.viewport().height()), top))

    def _token_at(self, position: QPoint, near: bool = False) -> int:
        x, y = position.x() - MARGIN, position.y() + self._top()
        return self._layout.token_at(x, y, near)

    def token_center(self, token: int) -> QPoint:
        """The middle of a token (counted from the first of the text) in the viewport."""
        place = self._layout.places_of(token)[0]
        y = place.row * self._layout.fonts.row_height + self._layout.fonts.row_height // 2
        return QPoint(round((place.left + place.right) / 2) + MARGIN, y - self._top())

    # -- events -------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        painter = QPainter(self.viewport())
        if len(self._layout):
            first, last = self._selection.range()
            emphasis = Emphasis(first, last, self._newest(), self._highlighted)
            self._painter.paint(painter, self._layout, width, height, self._top(), emphasis)
        else:
            self._painter.paint_hint(painter, width, height, _NOTHING)
        if self._keyboard_focus:
            self._painter.paint_focus(painter, width, height)
        painter.end()

    def _newest(self) -> int:
        """The token that the merge before the position made."""
        if self._history is None or self._position == 0:
            return NO_TOKEN
        return int(self._history.new_id[self._position - 1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        top_row = self._top() // self._layout.fonts.row_height
        anchor = self._layout.first_character(top_row) if top_row > 0 else 0
        # Room for the scroll bar is left also where there is none, so that rows stay put.
        room = self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()
        self._layout.set_width(max(40, room - MARGIN))
        self._update_scroll_bar()
        if anchor:
            row = self._layout.row_of(anchor)
            self.verticalScrollBar().setValue(row * self._layout.fonts.row_height + MARGIN)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._layout.set_font(self.font())
            self._update_scroll_bar()
            self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # The keys that move here would otherwise step through the history.
            wanted = event.key() in KEYS and len(self._layout.cut)
            if wanted or event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
            if event.matches(QKeySequence.StandardKey.SelectAll):
                event.accept()
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self._token_at(event.pos())
            if token == NOWHERE or self._history is None:
                QToolTip.hideText()
            else:
                lines = describe(self._layout.cut, token, self._history)
                QToolTip.showText(event.globalPos(), tooltip(lines), self.viewport())
            return True
        return super().viewportEvent(event)

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
            self._dragging = True
        self._changed()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._dragging:
            super().mouseMoveEvent(event)
            return
        self._drag(event.position().toPoint())
        outside = not 0 <= event.position().y() < self.viewport().height()
        if outside and not self._scrolling.isActive():
            self._scrolling.start(_SCROLL_WHILE_DRAGGING_MILLISECONDS, self)
        elif not outside:
            self._scrolling.stop()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._dragging:
            super().mouseReleaseEvent(event)
            return
        self._dragging = False
        self._scrolling.stop()
        first, last = self._selection.range()
        if last - first == 1:
            self._choose()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._scrolling.timerId():
            super().timerEvent(event)
            return
        position = self.viewport().mapFromGlobal(self.cursor().pos())
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keyboard_focus = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._keyboard_focus = False
        self.viewport().update()

    # -- selection and clipboard --------------------------------------------------------

    def selected_ids(self) -> NDArray[np.int32]:
        """The ids of the selected tokens, in text order."""
        first, last = self._selection.range()
        return self._layout.cut.ids[first:last]

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
            ("Copy text", self.copy_text, bool(self._selection)),
            ("Copy ids", self.copy_ids, bool(self._selection)),
            ("Select all", self.select_all, len(self._layout.cut) > 0),
        ):
            action = menu.addAction(text)
            action.triggered.connect(slot)
            action.setEnabled(enabled)
        return menu

    # -- speaking -----------------------------------------------------------------------

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
            said = f"{len(cut):,} tokens"
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

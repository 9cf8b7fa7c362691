"""The drawn side of the token view: rows of tokens in a scroll area."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.layout import NO_TOKENS, TokenLayout
from bpe_gui.ui.tokens.painting import MARGIN, TokenPainter
from bpe_gui.ui.tokens.picture import Emphasis
from bpe_gui.ui.tokens.selection import TokenSelection
from bpe_gui.ui.tokens.text_area import TextArea
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

_NOTHING = "Nothing to show yet: type or paste a text above."


class TokenCanvas(TextArea[int]):
    """Shows a text with a coloured box behind each token; what is hidden has marks.

    What stands out is the token that the newest merge made, all places of one token, and
    the selected tokens.
    """

    _layout: TokenLayout
    presents = False
    """Whether an audience looks on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tokenView", "Tokens", parent)
        self._history: History | None = None
        self._position = 0
        self._layout = TokenLayout(self.font())
        self._selection = TokenSelection()
        self._highlighted = NO_TOKEN
        ThemeFollower(self, self._take_colours)

    def sizeHint(self) -> QSize:
        return QSize(480, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 48)

    # -- what is shown ------------------------------------------------------------------

    def set_cut(self, cut: TokenizedText, history: History, position: int) -> None:
        """Show a text as it is cut at a position of a history.

        The same text stays where it is: what is selected and what is in view follow it.
        Quick where it is the cut that is on the screen.
        """
        if history is not self._history:
            self._highlighted = NO_TOKEN
        elif cut is self._layout.cut:
            self._set_position(position)
            return
        self._history, self._position = history, position
        self._show(cut)

    def shown_cut(self) -> tuple[TokenizedText, History] | None:
        """What is shown, and the run that cut it; None for a text that no tokenizer has cut."""
        return None if self._history is None else (self._layout.cut, self._history)

    def set_uncut(self, text: str) -> None:
        """Show a text that no tokenizer has cut.

        Raises UnicodeEncodeError for a text with unpaired surrogates.
        """
        self._history, self._position = None, 0
        known = self._layout.characters
        characters = known if text == known.text else Characters(text)
        self._show(TokenizedText(characters, NO_TOKENS, np.empty(0, bool), str))

    def _take_colours(self, theme: Theme) -> None:
        self._painter = TokenPainter(theme)

    def select_token(self, token: int) -> None:
        """Mark all places of a token and bring one into view. NO_TOKEN marks none."""
        self._highlighted = token
        places = np.flatnonzero(self._layout.cut.ids == token)
        if token != NO_TOKEN and len(places):
            rows = self._whole_rows()
            first = self._layout.first_character(rows.start)
            last = self._layout.first_character(rows.stop)
            firsts = self._layout.cut.firsts[places]
            if not ((firsts >= first) & (firsts < last)).any():
                following = places[firsts >= last]
                self._reveal(int(following[0] if len(following) else places[0]))
        self.viewport().update()

    def show_character(self, character: int) -> None:
        """Scroll to the token that holds a character of the text, if it is out of view."""
        firsts = self._layout.cut.firsts
        found = int(np.searchsorted(firsts, character, side="right")) - 1
        if found >= 0:
            self._reveal(found)

    def _show(self, cut: TokenizedText) -> None:
        layout, old = self._layout, self._layout.cut
        same_text = cut.characters.text == layout.characters.text
        anchor = self._anchor() if same_text else None
        layout.show(cut)
        if same_text:
            self._selection.follow(old, layout.cut)
        else:
            self._selection.clear()
        self._update_scroll_bar()
        self._return_to(anchor)
        self._keep_in_sight()
        self.viewport().update()
        self._cut_changed()

    def _cut_changed(self) -> None:
        """Called when another cut is shown; the selection has followed it."""

    def _set_position(self, position: int) -> None:
        """Go to a position at which the text is cut the same."""
        before = self._newest()
        self._position = position
        changed = before != self._newest()
        if changed and np.isin((before, self._newest()), self._layout.cut.ids).any():
            self.viewport().update()

    # -- geometry -----------------------------------------------------------------------

    def _visible_rows(self) -> range:
        layout = self._layout
        bottom = self._top() + self.viewport().height()
        return range(layout.row_at(self._top()), layout.row_at(bottom) + 1)

    def _whole_rows(self) -> range:
        """The rows of which nothing is cut off, at least one."""
        layout, top = self._layout, self._top()
        height = layout.fonts.row_height
        first = layout.row_at(top + height - 1)
        stop = layout.row_at(max(0, top + self.viewport().height() - height)) + 1
        return range(first, max(first + 1, stop))

    def _reveal(self, token: int) -> None:
        """Scroll as little as is needed to see a token."""
        places = self._layout.places_of(token)
        if not places:
            return
        height = self._layout.fonts.row_height
        self._scroll_to(places[0].row * height, (places[-1].row + 1) * height)

    def _token_at(self, position: QPoint, near: bool = False) -> int:
        x, y = position.x() - MARGIN, position.y() + self._top()
        return self._layout.token_at(x, y, near)

    def token_center(self, token: int) -> QPoint:
        """The middle of a token (counted from the first of the text) in the viewport."""
        place = self._layout.places_of(token)[0]
        y = place.row * self._layout.fonts.row_height + self._layout.fonts.row_height // 2
        return QPoint(round((place.left + place.right) / 2) + MARGIN, y - self._top())

    def _keep_in_sight(self) -> None:
        """On the stage, whoever speaks of the selected token wants it seen."""
        if self._highlighted != NO_TOKEN and self.presents:
            self.select_token(self._highlighted)

    # -- events -------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_in_sight()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_in_sight()

    def paintEvent(self, event: QPaintEvent) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        painter = QPainter(self.viewport())
        if len(self._layout):
            first, last = self._selection.range()
            emphasis = Emphasis(first, last, self._newest(), self._highlighted)
            self._painter.paint(
                painter,
                self._layout,
                width,
                height,
                self._top(),
                emphasis,
            )
        else:
            self._painter.paint_hint(painter, width, height, _NOTHING)
        painter.end()

    def _newest(self) -> int:
        """The token that the merge before the position made."""
        if self._history is None or self._position == 0:
            return NO_TOKEN
        return int(self._history.new_id[self._position - 1])

"""The selected tokens, while tokens grow, and where the keys lead from there."""

from __future__ import annotations

from PySide6.QtCore import Qt

from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

_ROWS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_PageDown: 1,
}
_PAGES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})

KEYS = frozenset({*_ROWS, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End})
"""The keys that move from token to token."""


class TokenSelection:
    """An inclusive range of tokens from an anchor to the current token.

    `current` and `anchor` are indexes into the tokens shown now, or NOWHERE.
    """

    def __init__(self) -> None:
        self.anchor = NOWHERE
        self.current = NOWHERE

    def __bool__(self) -> bool:
        return self.current != NOWHERE

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.current = NOWHERE

    def move(self, token: int, extend: bool) -> None:
        """Make a token current, alone or together with all from the anchor on."""
        self.current = token
        if not extend or self.anchor == NOWHERE:
            self.anchor = token

    def range(self) -> tuple[int, int]:
        """Return the first selected token and the one after the last; (0, 0) for none."""
        if self.current == NOWHERE:
            return 0, 0
        return min(self.anchor, self.current), max(self.anchor, self.current) + 1

    def follow(self, old: TokenizedText, new: TokenizedText) -> None:
        """Keep the same text selected when its tokens change."""
        if self.current == NOWHERE:
            return
        if not len(new):
            self.clear()
            return
        first, end = self.range()
        forward = self.anchor <= self.current
        low = self._token_at(old, new, first)
        high = max(low, self._token_at(old, new, end - 1))
        self.anchor, self.current = (low, high) if forward else (high, low)

    @staticmethod
    def _token_at(old: TokenizedText, new: TokenizedText, token: int) -> int:
        """Return the new token that holds the end of an old one."""
        end = int(old.ends[token])
        if old.starts[token] == end:
            # A separate end-of-word mark; later it is part of the token before it.
            place = new.token_at_byte(end) - 1
        else:
            place = new.token_at_byte(end - 1)
        return max(0, min(place, len(new) - 1))


def destination(layout: TokenLayout, current: int, key: Qt.Key, whole_text: bool, page: int) -> int:
    """Return the token that a key leads to from the current one.

    Left and Right go in text order. Up, Down and the page keys (`page` rows at once) stay
    below or above. Home and End lead to the first and last token of the row, or of the
    whole text. Never leaves the text.
    """
    last = len(layout.cut) - 1
    if key == Qt.Key.Key_Left:
        return max(0, current - 1)
    if key == Qt.Key.Key_Right:
        return min(last, current + 1)
    if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
        if whole_text:
            return 0 if key == Qt.Key.Key_Home else last
        row = layout.places_of(current)[0].row
        return layout.tokens_of_row(row)[0 if key == Qt.Key.Key_Home else 1]
    rows = _ROWS[key] * (page if key in _PAGES else 1)
    return _vertical(layout, current, rows)


def _vertical(layout: TokenLayout, current: int, rows: int) -> int:
    """Return the token above or below, over rows that show no token."""
    place = layout.places_of(current)[0]
    middle = (place.left + place.right) / 2
    step = 1 if rows > 0 else -1
    row = min(max(place.row + rows, 0), len(layout) - 1)
    while 0 <= row < len(layout):
        token = layout.token_in_row(row, middle)
        if token != NOWHERE:
            return token if row != place.row else current
        row += step
    return current

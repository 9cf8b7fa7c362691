"""Where the arrow keys lead from a token."""

from __future__ import annotations

from PySide6.QtCore import Qt

from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE

_ROWS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_PageDown: 1,
}
_PAGES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})

KEYS = frozenset({*_ROWS, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End})
"""The keys that move from token to token."""


def destination(layout: TokenLayout, current: int, key: Qt.Key, whole_text: bool, page: int) -> int:
    """The token that a key leads to from the current one.

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
    """The token above or below, over rows that show no token."""
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

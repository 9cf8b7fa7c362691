"""Lay out the coloured text: from text and tokens to rows, and back from places.

Letters stay in place while tokens grow: a row is broken before a space wherever a token
boundary is there, for that boundary is there at every step of most recipes. So the text
does not move when tokens merge, only the boxes behind it do. A space that is in no token, as where
words end with a mark, is in none at any step: such spaces end their row.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from bpe_gui.analysis.kernels.row_breaking import ALWAYS, break_rows
from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.fonts import NEWLINE_MARK, token_fonts
from bpe_gui.ui.tokens.picture import NOWHERE, ShownRow, tokens_of_units
from bpe_gui.ui.tokens.shaping import Shaper
from bpe_gui.ui.tokens.tokenized_text import NO_TOKENS, TokenizedText

Anchor = tuple[int, int]
"""The first character at a height, and how far its top is above that height."""

_WIDTH = 400.0
"""Until the view knows how wide it is."""


class Place(Struct, frozen=True):
    """Where something is: its row, left and right edge in logical pixels within the row."""

    row: int
    left: float
    right: float


class TokenLayout:
    """A text, its tokens and its rows. Places are in logical pixels, the first row's top at 0.

    What is laid out before `show` is called is the empty text. `compact` is as for
    `TokenFonts`.
    """

    def __init__(self, font: QFont, *, compact: bool = False) -> None:
        self._compact = compact
        self.fonts = token_fonts(font, compact=compact)
        self.characters = Characters("")
        self.cut = TokenizedText(self.characters, NO_TOKENS, np.empty(0, bool), str)
        self._rows = self.starts = np.zeros(1, np.int64)
        """The first character of each row, and the number of characters."""
        self._shaper = Shaper(self.fonts, self.characters)
        self._width = _WIDTH

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def height(self) -> int:
        return len(self) * self.fonts.row_height

    @property
    def step(self) -> int:
        """How far one row is from the next."""
        return self.fonts.row_height

    def whole_rows(self, height: int) -> int:
        """Return the height of the rows that fit into a height."""
        return height - height % self.fonts.row_height

    def show(self, cut: TokenizedText) -> None:
        """Lay out a tokenized text; quick if little has changed."""
        if cut.characters.text != self.characters.text:
            self.characters = cut.characters
            self._shaper.use(cut.characters)
        self.cut = cut
        self._break()

    def set_font(self, font: QFont) -> None:
        self.fonts = token_fonts(font, compact=self._compact)
        self._shaper = Shaper(self.fonts, self.characters)
        self._break()

    def set_width(self, width: float) -> None:
        """Break rows at another width, in logical pixels."""
        if width != self._width:
            self._width = width
            self._break()

    def _break(self) -> None:
        right = self._shaper.running_width(self.cut)
        self._rows = self.starts = row_starts(self.cut, right, self._width)

    def join_lines(self, *, only_empty: bool) -> None:
        """Show lines side by side where they fit into one row, until it is laid out again.

        only_empty: only empty lines are joined, each to the line before it.
        """
        right = self._shaper.running_width(self.cut)
        after_line = self.fonts.label(NEWLINE_MARK) + self.fonts.line_gap
        self.starts = joined_lines(
            self.characters, right, self._rows, self._width, after_line, only_empty=only_empty
        )

    # -- rows ---------------------------------------------------------------------------

    def first_character(self, row: int) -> int:
        """Return the first character of a row; the number of characters after the last."""
        return int(self.starts[max(0, min(row, len(self)))])

    def row_of(self, character: int) -> int:
        return max(0, min(int(np.searchsorted(self.starts, character, "right")), len(self)) - 1)

    def anchor_at(self, y: int) -> Anchor | None:
        """Return the first character at a height, to be found again; None within the first row."""
        row, beyond = divmod(y, self.fonts.row_height)
        return (self.first_character(row), beyond) if len(self) and row > 0 else None

    def top_of(self, first: int) -> int:
        """Return the top of the row that shows a character."""
        return self.row_of(first) * self.fonts.row_height

    def shown(self, row: int) -> ShownRow:
        """One row, ready to be painted."""
        first, last = (int(edge) for edge in self.starts[row : row + 2])
        return ShownRow(self._shaper.row(self.cut, first, last), first, last)

    def row_at(self, y: float) -> int:
        """Return the row at a height, the first or the last beyond them; -1 without rows."""
        return min(max(int(y // self.fonts.row_height), 0), len(self) - 1)

    # -- tokens -------------------------------------------------------------------------

    def token_at(self, x: float, y: float, near: bool = False) -> int:
        """Return the token at a place, or the nearest in that row; NOWHERE if there is none."""
        if not len(self) or (not near and not 0 <= y < self.height):
            return NOWHERE
        return self.token_in_row(self.row_at(y), x, near)

    def token_in_row(self, row: int, x: float, near: bool = True) -> int:
        """Return the token of a row at a place, or the nearest; NOWHERE if there is none."""
        shown = self.shown(row)
        tokens = tokens_of_units(self.cut, shown)
        if not near:
            hit = np.flatnonzero((shown.row.left <= x) & (x <= shown.row.right))
            return int(tokens[hit[0]]) if len(hit) else NOWHERE
        units = np.flatnonzero(tokens != NOWHERE)
        if not len(units):
            return NOWHERE
        left, right = shown.row.left[units], shown.row.right[units]
        distance = np.maximum(np.maximum(left - x, x - right), 0.0)
        return int(tokens[units[int(np.argmin(distance))]])

    def places_of(self, token: int) -> list[Place]:
        """Return the places of a token: one in each of its rows."""
        last = max(int(self.cut.lasts[token]) - 1, 0)
        first = min(int(self.cut.firsts[token]), last)
        places = []
        for row in range(self.row_of(first), self.row_of(last) + 1):
            shown = self.shown(row)
            units = np.flatnonzero(tokens_of_units(self.cut, shown) == token)
            if len(units):
                left = float(shown.row.left[units].min())
                places.append(Place(row, left, float(shown.row.right[units].max())))
        return places


def row_starts(
    cut: TokenizedText, right: NDArray[np.float64], available: float
) -> NDArray[np.int64]:
    """Break a text into rows that fit a width: where each begins, and where the last ends.

    `right` has the running sum of the widths of the characters, marks included, from
    0 on. A newline should have no width, for its mark may be in the margin.
    """
    characters = cut.characters
    clusters = characters.cluster_starts
    # Whole clusters only; where tokens meet is better, and best is where spaces are.
    before, after = characters.before_spaces, characters.after_spaces
    dropped = cut.dropped & characters.spaces
    if len(cut) and dropped.any():
        before = before.copy()
        before[:-1] &= ~dropped
        before[1:-1] |= dropped[:-1] & ~characters.spaces[1:]
    best = np.maximum(np.uint8(1) + after, np.uint8(3) * before)
    places = clusters.astype(np.uint8)
    places += (cut.boundary & clusters) * best
    places[characters.newlines + 1] = ALWAYS
    starts = np.empty(len(right), np.int64)
    count = break_rows.form(None)(right, places, float(available), starts)
    starts[count] = len(right) - 1
    return starts[: count + 1].copy()


def joined_lines(
    characters: Characters,
    right: NDArray[np.float64],
    starts: NDArray[np.int64],
    available: float,
    after_line: float,
    *,
    only_empty: bool,
) -> NDArray[np.int64]:
    """Join lines side by side where they fit a width, and return where rows begin then.

    `right` and `starts` are those of `row_starts`. `after_line` is the width of a newline's mark
    and of the gap after it, which a row's last line does not need. Lines with characters that
    could run to the left stay alone, and so do those of several rows; but with `only_empty`, empty
    lines are joined to the row before them, and no others.
    """
    size = len(starts) - 1
    ends_line = np.append(characters.kinds == Kind.NEWLINE, False)[starts[1:] - 1]
    turning = characters.turning(starts)
    if only_empty:
        # A line of one character is just its newline.
        is_empty = ends_line & (np.diff(starts) == 1)
        joins = ~turning[:-1] & ends_line[:-1] & is_empty[1:]
    else:
        begins_line = np.append(True, ends_line)[:size]
        ends_line[-1:] = True
        alone = turning | ~(begins_line & ends_line)
        joins = ~(alone[:-1] | alone[1:])
    # The first row after each that is not joined to the one before it.
    barrier = np.append(np.where(joins, size, np.arange(1, size)), size)[:size]
    barrier = np.minimum.accumulate(barrier[::-1])[::-1]
    edges = right[starts] + after_line * np.arange(size + 1)
    ends = np.searchsorted(edges, edges[:-1] + available + after_line, "right") - 1
    ends = np.maximum(np.minimum(ends, barrier), np.arange(1, size + 1)).tolist()
    kept, row = [], 0
    while row < size:
        kept.append(row)
        row = ends[row]
    return starts[[*kept, size]]


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
        begin, end = layout.cut.tokens_within(*layout.starts[row : row + 2].tolist())
        return begin if key == Qt.Key.Key_Home else end - 1
    rows = _ROWS[key] * (page if key in _PAGES else 1)
    return _vertical(layout, current, rows)


def _vertical(layout: TokenLayout, current: int, rows: int) -> int:
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

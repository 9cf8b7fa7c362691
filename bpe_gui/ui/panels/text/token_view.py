"""The coloured text: the tokens of one text at one position of a history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QBasicTimer,
    QEvent,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimerEvent,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.panels.text import wording
from bpe_gui.ui.theme.painting import brush
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import token_fonts
from bpe_gui.ui.tokens.layout import KEYS, TokenLayout, TokenSelection, destination
from bpe_gui.ui.tokens.painting import MARGIN, TokenPainter
from bpe_gui.ui.tokens.picture import NOWHERE, Emphasis, Seams, seams_between, tokens_of_units
from bpe_gui.ui.tokens.text_area import TextArea
from bpe_gui.ui.tokens.token_words import describe, shown_characters, spoken_text, tooltip
from bpe_gui.ui.tokens.tokenized_text import NO_TOKENS, TokenizedText
from bpe_gui.ui.widgets.motion import MergeMotion

_SCALES = (6.0, 5.2, 4.5, 3.9, 3.4, 2.9, 2.5, 2.2, 1.9, 1.7, 1.5, 1.35, 1.2)
"""Sizes to choose from, the largest first: few, so that typing seldom changes the size."""
LONGEST_ENLARGED = 2_000
"""Characters of a text that may be written larger."""
_MARKS = 1.1
"""How much wider than its letters a text may be."""
_ROW_OF_LANES = 1.5
"""The height of a row of lanes for text of height 1."""
_MEASURED = 2.0
"""The size at which a text is measured: between the smallest and the largest."""
_WORTH_IT = 0.75
"""How large a text of whole words or lines is at least, for one in which they may be broken."""
_CHANGE = 1.5
"""How many times as large a text at least becomes when fewer of its bytes are shown."""
_SMALLER = (1.0, 0.9, 0.8)
"""Sizes of a text that an audience sees whole only so."""
_WORD_LINE = 2
"""The thickness of the line below a word that is explained, in pixels."""


def with_bytes(text: str, places: Iterable[int] | None = None) -> str:
    """Write the bytes of characters of a short text that are more than one.

    places: those of the characters, by default of all.

    >>> with_bytes("né"), with_bytes("éé", [1])
    ('n0xC30xA9', 'é0xC30xA9')
    """
    if len(text) > LONGEST_ENLARGED:
        return text
    shown = list(text)
    for place in range(len(text)) if places is None else places:
        data = text[place].encode("utf-8", "replace")
        if len(data) > 1:
            shown[place] = "".join(f"0x{byte:02X}" for byte in data)
    return "".join(shown)


def steady_scale(measure: Callable[[str], float], text: str, split: Sequence[int]) -> float:
    """Return how large a text is written of which some characters are shown as bytes.

    It fits, and is one of few sizes, so that it seldom changes while merges put bytes together.

    measure: the largest scale at which a text fits; split: the places of these characters.

    >>> measure = lambda shown: 60 / len(shown)
    >>> [round(steady_scale(measure, "ééé", split)) for split in ([], [0], [0, 1], [0, 1, 2])]
    [20, 6, 3, 2]
    """
    scale = measure(text)
    if len(split):
        fits, least = measure(with_bytes(text, split)), measure(with_bytes(text))
        while scale > max(fits, least):
            scale /= _CHANGE
        scale = max(scale, least)
    return scale


def filling_scale(
    text: str,
    font: QFont,
    room: QSize,
    lanes: int = 1,
    *,
    word_ends: bool = False,
    presents: bool = False,
    whole_words: bool = False,
) -> float:
    """Return how many times as large a text may be written to be seen whole; at least 1.

    For an audience, which cannot scroll, it may be a little less than 1. With `whole_words`, no
    word is broken, and else of a single lane no line, unless the text would be much smaller then.

    It depends on the text alone, not on its tokens, so that playing does not change the size.
    `lanes` is how many times each of its rows is written, one below the other; `word_ends` tells
    whether every word is followed by the mark of its end.
    """
    if not 0 < len(text) <= LONGEST_ENLARGED:
        return 1.0
    fonts = token_fonts(resized(font, _MEASURED))
    mark = fonts.label(END_OF_WORD) if word_ends else 0.0
    advance, space = QFontMetricsF(fonts.body).horizontalAdvance, _MARKS * fonts.space
    lines = [
        [_MARKS * advance(word) + bool(word) * mark for word in line.split(" ")]
        for line in text.split("\n")
    ]
    row = fonts.row_height if lanes == 1 else lanes * _ROW_OF_LANES * fonts.body_height

    def largest(scales: Sequence[float], *, whole: bool, most: float = inf) -> float:
        for scale in scales:
            times = scale / _MEASURED
            width = max(1, room.width()) / times
            rows = sum(_rows_of(line, space, width, whole=whole) for line in lines)
            # Heights are whole pixels, and so not in proportion to the size.
            if rows <= most and rows * row * times <= room.height() and (
                lanes > 1 or rows * token_fonts(resized(font, scale)).row_height <= room.height()
            ):
                return scale
        return 0.0

    scales = (*_SCALES, *(_SMALLER if presents else ()))
    scale = largest(scales, whole=False) or 1.0
    if whole_words:
        whole = largest((*_SCALES, 1.0), whole=True)
    else:
        whole = largest(_SCALES, whole=False, most=len(lines)) if lanes == 1 else 0.0
    return whole if whole >= _WORTH_IT * scale else scale


def legible_scale(font: QFont, room: QSize, rows: int, *, compact: bool = False) -> float:
    """Return how many times as large a text is written that is too long to be seen whole.

    It is as large as that many `rows` of it fit, and at least 1; `compact` is as for `TokenFonts`.
    """
    heights = ((scale, token_fonts(resized(font, scale), compact=compact)) for scale in _SCALES)
    fitting = (scale for scale, fonts in heights if rows * fonts.row_height <= room.height())
    return next(fitting, 1.0)


def _rows_of(words: list[float], space: float, width: float, *, whole: bool = False) -> float:
    """Return how many rows of a width a line takes, given the widths of its words.

    If they are to be `whole`, and one is broken, infinitely many. That is so also where the row
    would be less than half full without it.

    >>> _rows_of([30, 30, 30], 5, 70), _rows_of([200], 5, 70)
    (2, 3)
    >>> _rows_of([30, 30, 30], 5, 70, whole=True), _rows_of([20, 55], 5, 70, whole=True)
    (2, inf)
    """
    rows, used = 1, 0.0
    for word in words:
        if whole and (word > width or (used + word > width and used < width / 2)):
            return inf
        if used and used + word > width:
            rows, used = rows + 1, 0.0
        if word >= width:
            rows += ceil(word / width) - 1
            word %= width
        used += word + space
    return rows


_SCROLL_WHILE_DRAGGING_MILLISECONDS = 40


class TokenView(TextArea[int]):
    """The tokens of a text, for mouse, keyboard, clipboard and screen reader.

    A coloured box is behind each token; hidden characters have marks. The tokens of the next
    merge, all places of one token, and the selected tokens are emphasized. After one step the
    tokens of the merge are seen to become one.

    Click a token or move with the arrow keys to select it; drag, or hold Shift, to select
    several. Ctrl+A, Ctrl+C and the context menu select all and copy. Enter does the same
    as a click.
    """

    room = QSize(480, 280)
    least_room = QSize(160, 48)
    tokenSelected = Signal(int)
    """The id of a token that the user clicked, or pressed Enter on."""

    _layout: TokenLayout

    def __init__(self, motion: MergeMotion) -> None:
        super().__init__("tokenView", "Tokens")
        self._history: History | None = None
        self._position = 0
        self._layout = TokenLayout(self.font())
        self.message = wording.NO_TEXT
        self._selection = TokenSelection()
        self._highlighted = NO_TOKEN
        self._merging: NDArray[np.bool_] = np.empty(0, bool)
        self._pair: tuple[int, int] | None = None
        self._of_pair: NDArray[np.bool_] = np.empty(0, bool)
        self._marks_next = True
        self._seams: Seams | None = None
        self.marks_word = False
        """Whether the word of `mark_word` has a line below it."""
        self._word = 0, 0
        self._motion = motion
        motion.progressed.connect(self.viewport().update)
        motion.ended.connect(self.viewport().update)
        ThemeFollower(self, self._take_colours)
        self._pressed = NOWHERE
        self._drag_position: QPoint | None = None
        self._scrolling = QBasicTimer()
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._update_accessible()

    # -- what is shown ------------------------------------------------------------------

    def set_cut(
        self,
        cut: TokenizedText,
        history: History,
        position: int,
        merging: NDArray[np.bool_],
    ) -> None:
        """Show a text with its tokens at a position of a history.

        `merging` tells which of them the next merge puts together. The same text stays where it
        is: what is selected and what is in view follow it. Quick if its tokens are already shown.
        A merge that is under way is seen if the position before it was shown.
        """
        old, one_on = self._layout.cut, position == self._position + 1
        stepped = history is self._history and one_on and self._motion.shows(position)
        if history is not self._history:
            self._highlighted = NO_TOKEN
        changed = not np.array_equal(merging, self._merging)
        marked = self._newest()
        self._merging = merging
        if len(self._of_pair) != len(merging):
            self._of_pair = np.zeros(len(merging), bool)
        stays = history is self._history and cut is old
        moves = history is not self._history or position != self._position
        self._history, self._position = history, position
        if not stays:
            self._show(cut)
        elif changed or marked != self._newest():
            self.viewport().update()
        if moves or not stays:
            self._slide(old if stepped and old.characters.text == cut.characters.text else None)

    def mark_pair(self, pair: tuple[int, int] | None, tokens: NDArray[np.bool_]) -> None:
        """Mark where a pair occurs, and bring one place into view if it is another than before.

        `tokens` tells which of the tokens that are shown are in it; None: no pair is marked.
        """
        comes, changes = pair != self._pair, not np.array_equal(tokens, self._of_pair)
        self._pair, self._of_pair = pair, tokens
        if comes and tokens.any():
            self._bring_into_view(np.flatnonzero(tokens))
        if changes:
            self.viewport().update()

    def mark_next(self, marks: bool) -> None:
        """Mark the tokens of the next merge, or do not tell which they are."""
        self._marks_next = marks
        self.viewport().update()

    def mark_word(self, first: int, last: int) -> None:
        """Mark a word, if words are marked: its first character and the one after its last."""
        if (first, last) != self._word:
            self._word = first, last
            self.viewport().update()

    def _slide(self, before: TokenizedText | None) -> None:
        """Let the tokens of a text that are put together become one; None: be done at once."""
        self._seams = None if before is None else seams_between(before, self._layout.cut)

    def shown_cut(self) -> tuple[TokenizedText, History] | None:
        """Return the tokens that are shown and their run; None for a text without tokens."""
        return None if self._history is None else (self._layout.cut, self._history)

    def set_uncut(self, text: str) -> None:
        """Show a text without tokens.

        Raises UnicodeEncodeError for a text with unpaired surrogates.
        """
        self._history, self._position = None, 0
        self._merging = self._of_pair = np.empty(0, bool)
        self._slide(None)
        known = self._layout.characters
        characters = known if text == known.text else Characters(text)
        self._show(TokenizedText(characters, NO_TOKENS, np.empty(0, bool), str))

    def _take_colours(self, theme: Theme) -> None:
        self._painter = TokenPainter(theme)
        self._ink = theme.text

    def select_token(self, token: int) -> None:
        self._highlighted = token
        self._pair, self._of_pair = None, np.zeros(len(self._of_pair), bool)
        places = np.flatnonzero(self._layout.cut.ids == token)
        if token != NO_TOKEN and len(places):
            self._bring_into_view(places)
        self.viewport().update()

    def _bring_into_view(self, tokens: NDArray[np.int64]) -> None:
        """Scroll to one of some tokens, unless one is in view."""
        rows = self._rows_in_view()
        first = self._layout.first_character(rows.start)
        last = self._layout.first_character(rows.stop)
        firsts = self._layout.cut.firsts[tokens]
        if not ((firsts >= first) & (firsts < last)).any():
            following = tokens[firsts >= last]
            self._reveal(int(following[0] if len(following) else tokens[0]))

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
        self.message = "" if len(layout) else wording.NO_TEXT
        if same_text:
            self._selection.follow(old, layout.cut)
        else:
            self._selection.clear()
        self._update_scroll_bar()
        self._return_to(anchor)
        self._keep_in_sight()
        self.viewport().update()
        self._update_accessible()

    # -- geometry -----------------------------------------------------------------------

    @property
    def is_pictured(self) -> bool:
        """Whether this is part of a picture, which does not scroll."""
        return self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff

    def part_in_view(self) -> str:
        """Say which characters a picture shows; empty if it shows all."""
        if not self.is_pictured or not self.verticalScrollBar().maximum():
            return ""
        rows, total = self._rows_in_view(), len(self._layout.characters.text)
        first, last = map(self._layout.first_character, (rows.start, rows.stop))
        return f"Showing {shown_characters(first, last, total)}."

    def _rows_in_view(self) -> range:
        first = self._layout.row_at(self._top())
        count = self.viewport().height() // self._layout.fonts.row_height
        return range(first, first + max(1, count))

    def _reveal(self, token: int) -> None:
        places = self._layout.places_of(token)
        if not places:
            return
        height = self._layout.fonts.row_height
        self._scroll_to(places[0].row * height, (places[-1].row + 1) * height)

    def _token_at(self, position: QPoint, near: bool = False) -> int:
        x, y = position.x() - MARGIN, position.y() + self._top()
        return self._layout.token_at(x, y, near)

    def token_center(self, token: int) -> QPoint:
        """Return the middle of a token (counted from the first of the text) in the viewport."""
        place = self._layout.places_of(token)[0]
        y = place.row * self._layout.fonts.row_height + self._layout.fonts.row_height // 2
        return QPoint(round((place.left + place.right) / 2) + MARGIN, y - self._top())

    def _keep_in_sight(self) -> None:
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

    def draw(self, painter: QPainter, area: QRect) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        first, last = self._range_in_sight()
        seen, sliding = self._motion.shows(self._position), None
        if self._seams is not None and seen:
            sliding = self._seams, self._motion.share_joined
        merging = self._merging
        if seen or not self._marks_next:
            merging = np.zeros(len(merging), bool)
        marked = self._highlighted, self._of_pair
        emphasis = Emphasis(first, last, self._newest(), *marked, merging)
        self._painter.paint(painter, self._layout, width, height, self._top(), emphasis, sliding)
        if self.marks_word:
            self._underline_word(painter)

    def _range_in_sight(self) -> tuple[int, int]:
        """Return the selected tokens that are drawn so.

        A single one is where the keyboard is, and is not told from others once it has a ring.
        """
        first, last = self._selection.range()
        if last - first == 1:
            has_ring = int(self._layout.cut.ids[first]) == self._highlighted
            if has_ring or not self.hasFocus():
                return 0, 0
        return first, last

    def _underline_word(self, painter: QPainter) -> None:
        begin, end = self._layout.cut.tokens_within(*self._word)
        fonts, top = self._layout.fonts, self._top()
        for row in range(self._layout.row_at(top), self._layout.row_at(top + self.height()) + 1):
            shown = self._layout.shown(row)
            tokens = tokens_of_units(self._layout.cut, shown)
            units = np.flatnonzero((tokens >= begin) & (tokens < end))
            if len(units):
                left, right = shown.row.left[units].min(), shown.row.right[units].max()
                y = row * fonts.row_height - top + fonts.box_top + fonts.box_height + 1
                place = QRectF(MARGIN + float(left), y, float(right - left), _WORD_LINE)
                painter.fillRect(place, brush(self._ink))

    def _newest(self) -> int:
        """Return the token of the last merge, which is marked where the next one is not told."""
        history, position = self._history, self._position
        if history is None or position == 0:
            return NO_TOKEN
        if self._marks_next and not self._motion.shows(position):
            return NO_TOKEN
        return int(history.new_id[position - 1])

    # -- mouse --------------------------------------------------------------------------

    def takes(self, event: QKeyEvent) -> bool:
        moves = event.key() in KEYS and len(self._layout.cut)
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
            first = self._layout.first_character(self._rows_in_view().start)
            offset = int(self._layout.characters.byte_starts[first])
            token = min(self._layout.cut.token_at_byte(offset), len(self._layout.cut) - 1)
            self._selection.move(token, extend=False)
        self._reveal(self._selection.current)
        self._changed()

    # -- selection and clipboard --------------------------------------------------------

    def selected_ids(self) -> NDArray[np.int32]:
        """Return the ids of the selected tokens, in text order."""
        first, last = self._selection.range()
        ids = self._layout.cut.ids[first:last]
        return ids if self._history is None else self._history.own_ids(ids)

    def current_character(self) -> int:
        """Return the first character of the current token; 0 if there is none."""
        if not self._selection:
            return 0
        return int(self._layout.cut.firsts[self._selection.current])

    def selected_text(self) -> str:
        """Return the text from the first to the last selected token, in whole characters."""
        first, last = self._selection.range()
        if first == last:
            return ""
        cut = self._layout.cut
        return cut.characters.text[int(cut.firsts[first]) : int(cut.lasts[last - 1])]

    def select_all(self) -> None:
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
        """Make the menu of actions on the selected tokens."""
        menu = QMenu(self)
        for text, slot, enabled in (
            (wording.COPY_TEXT, self.copy_text, bool(self._selection)),
            (wording.COPY_IDS, self.copy_ids, bool(self._selection)),
            (wording.SELECT_ALL, self.select_all, len(self._layout.cut) > 0),
        ):
            action = menu.addAction(text)
            action.triggered.connect(slot)
            action.setEnabled(enabled)
        return menu

    # -- speaking -----------------------------------------------------------------------

    def _changed(self) -> None:
        self.viewport().update()
        self._update_accessible()

    def _update_accessible(self) -> None:
        cut = self._layout.cut
        if self._selection and self._history is not None:
            token = self._selection.current
            lines = describe(cut, token, self._history)
            said = f"Token {token + 1:,} of {len(cut):,}: {'. '.join(lines)}"
        else:
            said = f"{spoken_text(cut)} {wording.HOW_TO_GO}"
        self.describe(said)

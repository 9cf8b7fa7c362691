"""A few tokens in a row or two, to click on, and the number of all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.theme.painting import NO_PEN, brush, pen
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower
from bpe_gui.ui.tokens.fonts import LabelFont
from bpe_gui.ui.tokens.token_words import label, merge_sentence
from bpe_gui.ui.widgets.canvas import Canvas

_NONE = -1
_LONGEST_LABEL = 16
_GAP = 5
_PADDING = 7
_KEYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End})


class Chip(NamedTuple):
    """A token to click on."""

    token: int
    label: str
    tip: str


def merge_chip(history: History, step: int) -> Chip:
    """Return a chip for the token that a merge made."""
    token = int(history.new_id[step])
    tip = f"id {history.own_id(token):,}, {merge_sentence(history, step)}"
    return Chip(token, label(history.token_bytes(token), _LONGEST_LABEL), tip)


class _Placed(NamedTuple):
    left: int
    top: int
    width: int


class TokenChips(Canvas[int]):
    """Shows tokens after a heading, as many as fit into some rows; then how many are left out.

    Left, Right, Home and End move between them; Enter or a click chooses one.
    """

    opaque = False

    tokenChosen = Signal(int)
    """The id of the token that the user clicked, or pressed Enter on."""

    def __init__(
        self, name: str, spoken: str, parent: QWidget | None = None, *, keeps_rows: bool = True
    ) -> None:
        """`keeps_rows` tells whether they take the height of all rows, full or not: what is around
        them does not jump when there are others.
        """
        super().__init__(name, spoken, parent)
        self._keeps_rows = keeps_rows
        self._heading = ""
        self.chips: tuple[Chip, ...] = ()
        """The tokens, also those that do not fit."""
        self._total = 0
        self._newest = _NONE
        self._rows = 2
        self._placed: list[_Placed] = []
        self._more = ""
        self._more_place = (0, 0)
        self._current = 0
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        FontFollower(self, self._fit)
        RoomFollower(self, self._lay_out)

    def set_tokens(
        self, heading: str, chips: Sequence[Chip], total: int, newest: int = _NONE
    ) -> None:
        """Show tokens; there are `total` in all, of which these are the first.

        `newest` is the token that was made just now, if it is among them.
        """
        given = (heading, tuple(chips), total, newest)
        if given == (self._heading, self.chips, self._total, self._newest):
            return
        self._heading, self.chips, self._total, self._newest = given
        self.hover(None)
        self._lay_out()

    def set_rows(self, rows: int) -> None:
        if rows != self._rows:
            self._rows = rows
            self._lay_out()
            self.updateGeometry()

    @property
    def shown(self) -> int:
        return len(self._placed)

    @property
    def shows_all(self) -> bool:
        return len(self._placed) == self._total

    # -- size ------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        rows = self._rows
        if not self._keeps_rows:
            rows = 1 + self._more_place[1] // (self._line + _GAP)
        return QSize(200, rows * (self._line + _GAP) - _GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._line)

    @property
    def _line(self) -> int:
        return self._metrics.height() + 4

    def _fit(self) -> None:
        self._labels = LabelFont(self.font())
        self._metrics = self._labels.metrics
        self._lay_out()
        self.updateGeometry()

    def _lay_out(self) -> None:
        """Place as many tokens as fit beside the number of those left out."""
        placed = self._place(0)
        if len(placed) < self._total:
            placed = self._place(self._metrics.horizontalAdvance(f"+ {self._total:,} more"))
        self._placed = placed
        hidden = self._total - len(placed)
        self._more = f"+ {hidden:,} more" if hidden else ""
        end = self._metrics.horizontalAdvance(self._heading) + _GAP + 2
        self._more_place = (end, 0)
        if placed:
            last = placed[-1]
            self._more_place = (last.left + last.width + _GAP + 2, last.top)
        if not self._keeps_rows and self.sizeHint().height() != self.height():
            self.updateGeometry()
        self._current = max(0, min(self._current, len(placed) - 1))
        self._update_accessible()
        self.viewport().update()

    def _place(self, room_at_end: int) -> list[_Placed]:
        left = self._metrics.horizontalAdvance(self._heading) + (_GAP + 2) * bool(self._heading)
        row = 0
        placed: list[_Placed] = []
        for chip in self.chips:
            width = self._labels.width(chip.label) + 2 * _PADDING
            last = row == self._rows - 1
            if left + width > self.width() - (room_at_end + _GAP + 2 if last else 0):
                if last:
                    break
                row += 1
                left = 0
                last = row == self._rows - 1
                if width > self.width() - (room_at_end + _GAP + 2 if last else 0):
                    break
            placed.append(_Placed(left, row * (self._line + _GAP), width))
            left += width + _GAP
        return placed

    # -- painting ----------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        theme = self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        baseline = 2 + self._metrics.ascent()
        painter.setPen(pen(theme.muted))
        painter.drawText(0, baseline, self._heading)
        painter.drawText(self._more_place[0], self._more_place[1] + baseline, self._more)
        for index, (left, top, width) in enumerate(self._placed):
            chip = self.chips[index]
            painter.setBrush(brush(theme.border if index == self.hovered else theme.raised))
            if self.hasFocus() and index == self._current:
                painter.setPen(pen(theme.accent, 2))
            elif chip.token == self._newest:
                painter.setPen(pen(theme.accent))
            else:
                painter.setPen(NO_PEN)
            painter.drawRoundedRect(left + 1, top + 1, width - 2, self._line - 2, 5, 5)
            painter.setPen(pen(theme.text))
            muted = pen(theme.muted)
            self._labels.draw(painter, left + _PADDING, top + baseline, chip.label, muted)

    # -- mouse and keyboard ---------------------------------------------------------------------

    def place_at(self, point: QPoint) -> int | None:
        for index, (left, top, width) in enumerate(self._placed):
            if left <= point.x() < left + width and top <= point.y() < top + self._line:
                return index
        return None

    def place_of(self, index: int) -> QPoint:
        left, top, width = self._placed[index]
        return QPoint(left + width // 2, top + self._line // 2)

    def tooltip_at(self, point: QPoint) -> str:
        index = self.place_at(point)
        return "" if index is None else self.chips[index].tip

    def press(self, place: int) -> None:
        self._current = place
        self.tokenChosen.emit(self.chips[place].token)

    def takes(self, event: QKeyEvent) -> bool:
        return event.key() in _KEYS and bool(self._placed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._placed) - 1
        moves = {
            Qt.Key.Key_Left: max(self._current - 1, 0),
            Qt.Key.Key_Right: min(self._current + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last < 0:
            event.ignore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tokenChosen.emit(self.chips[self._current].token)
        elif event.key() in _KEYS:
            self._current = moves[Qt.Key(event.key())]
            self._update_accessible()
            self.viewport().update()
        else:
            event.ignore()

    def _update_accessible(self) -> None:
        said = self._heading
        if self._placed:
            tip = self.chips[self._current].tip
            said = f"{said} {self._current + 1:,} of {self._total:,}: {tip}".strip()
        self.describe(said)

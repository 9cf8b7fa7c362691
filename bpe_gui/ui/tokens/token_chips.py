"""A few tokens in a row or two, to click on, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_words import label, merge_sentence
from bpe_gui.ui.widgets.guards import moves_the_cursor

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
    """A chip for the token that a merge made."""
    token = int(history.new_id[step])
    tip = f"id {token:,}, {merge_sentence(history, step)}"
    return Chip(token, label(history.token_bytes(token), _LONGEST_LABEL), tip)


class _Placed(NamedTuple):
    left: int
    top: int
    width: int


class TokenChips(QWidget):
    """Tokens after a heading, as many as fit into `rows` rows; then how many are left out.

    The arrow keys, Home and End move between them; Enter or a click chooses one.
    """

    tokenChosen = Signal(int)
    """The id of the token that the user clicked, or pressed Enter on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = ""
        self._chips: tuple[Chip, ...] = ()
        self._total = 0
        self._newest = _NONE
        self._rows = 2
        self._placed: list[_Placed] = []
        self._more = ""
        self._more_place = (0, 0)
        self._current = 0
        self._hovered = _NONE
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._metrics = QFontMetrics(self.font())
        ThemeFollower(self, self._take_colours)

    def _take_colours(self, theme: Theme) -> None:
        self._fill = QBrush(QColor(theme.raised))
        self._lifted = QBrush(QColor(theme.border))
        self._text = QPen(QColor(theme.text))
        self._muted = QPen(QColor(theme.muted))
        self._accent = QPen(QColor(theme.accent), 2)
        self._newest_edge = QPen(QColor(theme.accent), 1)

    def set_tokens(
        self, heading: str, chips: Sequence[Chip], total: int, newest: int = _NONE
    ) -> None:
        """Show tokens; there are `total` in all, of which these are the first.

        `newest` is the token that was made just now, if it is among them.
        """
        given = (heading, tuple(chips), total, newest)
        if given == (self._heading, self._chips, self._total, self._newest):
            return
        self._heading, self._chips, self._total, self._newest = given
        self._current = max(0, min(self._current, len(self._chips) - 1))
        self._hovered = _NONE
        self._lay_out()

    def set_rows(self, rows: int) -> None:
        """Give the tokens room for so many rows."""
        if rows != self._rows:
            self._rows = rows
            self._lay_out()
            self.updateGeometry()

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The tokens, those included for which there is no room."""
        return self._chips

    @property
    def shown(self) -> int:
        """How many tokens there is room for."""
        return len(self._placed)

    @property
    def shows_all(self) -> bool:
        """Whether there is room for all tokens."""
        return len(self._placed) == self._total

    # -- size ------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """All rows, whether they are full or not: the tree above must not jump."""
        return QSize(200, self._rows * (self._line + _GAP) - _GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._line)

    @property
    def _line(self) -> int:
        return self._metrics.height() + 4

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._metrics = QFontMetrics(self.font())
            self._lay_out()
            self.updateGeometry()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        """Place as many as leave room for the number of those left out."""
        count = len(self._chips)
        placed = self._place(count, 0)
        if len(placed) < self._total:
            room = self._metrics.horizontalAdvance(f"+ {self._total:,} more")
            placed = self._place(count, room)
        self._placed = placed
        hidden = self._total - len(placed)
        self._more = f"+ {hidden:,} more" if hidden else ""
        end = self._metrics.horizontalAdvance(self._heading) + _GAP + 2
        self._more_place = (end, 0)
        if placed:
            last = placed[-1]
            self._more_place = (last.left + last.width + _GAP + 2, last.top)
        self._current = max(0, min(self._current, len(placed) - 1))
        self._say()
        self.update()

    def _place(self, count: int, room_at_end: int) -> list[_Placed]:
        left = self._metrics.horizontalAdvance(self._heading) + (_GAP + 2) * bool(self._heading)
        row = 0
        placed: list[_Placed] = []
        for chip in self._chips[:count]:
            width = self._metrics.horizontalAdvance(chip.label) + 2 * _PADDING
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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        baseline = 2 + self._metrics.ascent()
        painter.setPen(self._muted)
        painter.drawText(0, baseline, self._heading)
        painter.drawText(self._more_place[0], self._more_place[1] + baseline, self._more)
        for index, (left, top, width) in enumerate(self._placed):
            chip = self._chips[index]
            painter.setBrush(self._lifted if index == self._hovered else self._fill)
            if self.hasFocus() and index == self._current:
                painter.setPen(self._accent)
            elif chip.token == self._newest:
                painter.setPen(self._newest_edge)
            else:
                painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(left + 1, top + 1, width - 2, self._line - 2, 5, 5)
            painter.setPen(self._text)
            painter.drawText(left + _PADDING, top + baseline, chip.label)
        painter.end()

    # -- mouse and keyboard ---------------------------------------------------------------------

    def chip_at(self, place: QPoint) -> int:
        """The index of the token at a place, -1 for none."""
        for index, (left, top, width) in enumerate(self._placed):
            if left <= place.x() < left + width and top <= place.y() < top + self._line:
                return index
        return _NONE

    def place_of(self, index: int) -> QPoint:
        """The middle of a token."""
        left, top, width = self._placed[index]
        return QPoint(left + width // 2, top + self._line // 2)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.chip_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(_NONE)
        super().leaveEvent(event)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            shape = Qt.CursorShape.ArrowCursor
            if index != _NONE:
                shape = Qt.CursorShape.PointingHandCursor
            self.setCursor(shape)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.chip_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or index == _NONE:
            super().mousePressEvent(event)
            return
        self._current = index
        self.tokenChosen.emit(self._chips[index].token)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _KEYS
            and self._placed
            and not moves_the_cursor(event)
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.chip_at(event.pos())
            if index == _NONE:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self._chips[index].tip, self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._placed) - 1
        moves = {
            Qt.Key.Key_Left: max(self._current - 1, 0),
            Qt.Key.Key_Right: min(self._current + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last < 0:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tokenChosen.emit(self._chips[self._current].token)
        elif event.key() in _KEYS:
            self._current = moves[Qt.Key(event.key())]
            self._say()
            self.update()
        else:
            super().keyPressEvent(event)

    def _say(self) -> None:
        """Tell screen readers where the keyboard is."""
        said = self._heading
        if self._placed:
            tip = self._chips[self._current].tip
            said = f"{said} {self._current + 1:,} of {self._total:,}: {tip}".strip()
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

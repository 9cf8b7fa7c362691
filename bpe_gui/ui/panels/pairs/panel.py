"""The most frequent pairs at a position, as bars that compete for the next merge.

Where the bars get their numbers: `PairChart._take_counts` reads them from the history, and
`PairRows.show` makes of each count a bar, as long as its share of the greatest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_gui.analysis.next_merge import will_be_merged
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.exporting.tables import pair_lines
from bpe_gui.ui.panels.pairs.painter import PairDrawing
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows
from bpe_gui.ui.panels.pairs.wording import spoken, tooltip, why_empty
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval

_FRAME_MILLISECONDS = 16
_LONGEST_FRAME_SECONDS = 0.1


class PairChart(QWidget):
    """Up to twenty pairs, the winner first, all drawn for (history, position).

    While the position changes, the rows move to their new places; the counts and the ranks
    that are written are always those of the position. One row is current: Up, Down,
    PageUp and PageDown move it, Enter or a click selects its pair.
    """

    pairSelected = Signal(int, int)
    """Left and right id, when the user clicks a row or presses Enter on it."""
    tokenSelected = Signal(int)
    """With each selected pair: the token that was clicked, or else the newer of the two."""
    menuWanted = Signal(int, int, QPoint)
    """Left and right id of a pair that the user asks what to do with, and where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._position = 0
        self._rows = PairRows()
        self._certain = True
        self._animated = True
        self._current = 0
        self._hovered: int | None = None
        self._token = NO_TOKEN
        self._drawing = PairDrawing(self.font())
        ThemeFollower(self, self._drawing.take_colours)
        self._clock = QElapsedTimer()
        self._timer = QTimer(
            self, interval=_FRAME_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer
        )
        self._timer.timeout.connect(self._advance)
        self.setObjectName("pairChart")
        self.setAccessibleName("Pair frequencies")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._say()

    def sizeHint(self) -> QSize:
        return QSize(380, 440)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 200)

    # -- what is shown -------------------------------------------------------------------

    @property
    def history(self) -> History | None:
        """The run that is shown; another one is shown a frame after it came into view."""
        return self._history

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none."""
        self._history = history
        self._drawing.set_history(history)
        self._rows.clear()
        self._current = 0
        self._token = NO_TOKEN
        self._position = 0
        self._take_counts()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """The most frequent pairs as lines for a file; None without a run."""
        return None if self._history is None else pair_lines(self._history, self._position)

    def show_position(self, position: int, moving: bool) -> None:
        """Head for another position. Raises IndexError outside 0..len(history)."""
        if self._history is None:
            return
        certain = will_be_merged(self._history, position)
        if position == self._position and certain == self._certain:
            if not moving:
                self._say()
            return
        self._position = position
        self._take_counts(say=not moving)

    @property
    def current_pair(self) -> tuple[int, int] | None:
        """The current row's pair, which is the winner until the user goes to another."""
        if self._current >= len(self._rows):
            return None
        row = self._rows[self._current]
        return row.left, row.right

    def set_animated(self, animated: bool) -> None:
        """Whether rows move to their places (the default) or stand there at once."""
        self._animated = animated
        if not animated:
            self._settle()

    def select_token(self, token: int) -> None:
        """Underline a token wherever it takes part in a pair. Emits nothing."""
        self._token = token
        self.update()

    def _take_counts(self, *, say: bool = True) -> None:
        """Read the pairs and their counts from the history, and head for them."""
        history = self._history
        if history is None:
            self._rows.clear()
        else:
            before = self.current_pair
            self._rows.show(history.top(self._position), history.next_pair(self._position))
            self._certain = will_be_merged(history, self._position)
            self._keep_current(before)
        if self._animated and self.isVisible() and not self._rows.settled:
            self._go_on()
        else:
            self._settle()
        if say:
            self._say()
        self.update()

    def _keep_current(self, pair: tuple[int, int] | None) -> None:
        """Stay with the current pair; if it is gone, with its rank."""
        rank = self._rows.rank_of(*pair) if pair is not None else None
        if rank is None or rank >= self._drawing.visible_rows:
            rank = self._current
        self._current = max(0, min(rank, self._reachable_rows() - 1))

    # -- moving ----------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Begin to move; or, where positions come as fast as frames, move with them."""
        if self._timer.isActive():
            self._rows.advance(self._elapsed())
        else:
            self._clock.start()
        self._timer.start()

    def _elapsed(self) -> float:
        return min(self._clock.restart() / 1000, _LONGEST_FRAME_SECONDS)

    @Slot()
    def _advance(self) -> None:
        if not self._rows.advance(self._elapsed()):
            self._timer.stop()
        self.update()

    def _settle(self) -> None:
        self._timer.stop()
        self._rows.settle()
        self.update()

    # -- painting --------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if len(self._rows) == 0:
            message = why_empty(self._history, self._position)
            self._drawing.draw_message(painter, self.rect(), message)
        else:
            marked = []
            if self._hovered is not None and self._hovered < len(self._rows):
                marked.append((self._hovered, False))
            if self.hasFocus():
                marked.append((self._current, True))
            self._drawing.draw(
                painter,
                self.rect(),
                self._rows,
                certain=self._certain,
                marked=marked,
                token=self._token,
            )
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self._drawing.fit(self.font(), self.width(), self.height())
        self._current = max(0, min(self._current, self._reachable_rows() - 1))
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        # Nothing moves unseen.
        self._settle()
        super().hideEvent(event)

    # -- pointing and selecting --------------------------------------------------------------

    def _reachable_rows(self) -> int:
        return min(len(self._rows), self._drawing.visible_rows)

    def row_at(self, y: float) -> PairRow | None:
        """The row drawn at a height, None below the last one."""
        place = self._drawing.place_of(y)
        reachable = list(self._rows)[: self._reachable_rows()]
        nearest = min(reachable, key=lambda row: abs(row.drawn_rank - place), default=None)
        if nearest is None or abs(nearest.drawn_rank - place) > 0.5:
            return None
        return nearest

    def area_of_rows(self, first: int, last: int) -> QRect:
        """Where the rows of these ranks stand, the first has rank 0, in the widget's pixels."""
        top, bottom = (round(self._drawing.top_of(rank)) for rank in (first, last + 1))
        return QRect(0, top, self.width(), min(bottom, self.height()) - top)

    def _select(self, row: PairRow, x: float | None = None) -> None:
        """Select a pair, and the token under x or else the newer one."""
        columns = self._drawing.columns
        token = max(row.left, row.right)
        if x is not None and columns.left <= x < columns.plus:
            token = row.left
        elif x is not None and columns.plus <= x < columns.right:
            token = row.right
        self.pairSelected.emit(row.left, row.right)
        self.tokenSelected.emit(token)

    def _hover(self, row: PairRow | None) -> None:
        hovered = row.rank if row is not None else None
        if hovered != self._hovered:
            self._hovered = hovered
            shape = Qt.CursorShape.PointingHandCursor if row else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.row_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().y())
        if event.button() is not Qt.MouseButton.LeftButton or row is None:
            super().mousePressEvent(event)
            return
        self._move_to(row.rank)
        self._select(row, event.position().x())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for a menu about the row under the mouse, or for the current one by keyboard."""
        row = self.row_at(event.pos().y())
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self._rows[self._current] if self._current < len(self._rows) else None
            middle = (self._current + 1) * self._drawing.row_height
            place = self.mapToGlobal(QPoint(self.width() // 2, round(middle)))
        if row is not None:
            self._move_to(row.rank)
            self.menuWanted.emit(row.left, row.right, place)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_at(event.pos().y())
            if self._history is None or row is None:
                QToolTip.hideText()
            else:
                text = tooltip(self._history, self._position, self._rows, row)
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = event.key(), self._reachable_rows() - 1
        if last < 0:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Down:
            self._move_to(min(self._current + 1, last))
        elif key == Qt.Key.Key_Up:
            self._move_to(max(self._current - 1, 0))
        elif key == Qt.Key.Key_PageUp:
            self._move_to(0)
        elif key == Qt.Key.Key_PageDown:
            self._move_to(last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select(self._rows[self._current])
        else:
            super().keyPressEvent(event)

    def _move_to(self, rank: int) -> None:
        self._current = rank
        self._say()
        self.update()

    def _say(self) -> None:
        """Tell screen readers the current row, which is the winner at first."""
        if self._history is None or len(self._rows) == 0:
            self.setAccessibleDescription(why_empty(self._history, self._position))
        else:
            row = self._rows[self._current]
            self.setAccessibleDescription(spoken(self._history, self._position, self._rows, row))


def _make(parts: PanelParts) -> PairChart:
    return PairChart(parts.parent)


PAIRS = PanelSpec(
    name="pairs",
    title="Pair frequencies",
    make=_make,
    area=(0, 0),
    refresh=RefreshInterval(0.05, 0.05),
    help_page="pairs",
    keywords="chart bars counts histogram bigrams candidates",
    dock="pairDock",
    tour_places={"pairs": ""},
    tables={"The most frequent pairs": PairChart.lines},
    tells_next=True,
)

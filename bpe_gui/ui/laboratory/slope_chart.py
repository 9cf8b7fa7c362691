"""The slope chart: merges of several runs in the order of their ranks, equal tokens joined."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from bpe_gui.analysis.compare_runs import MISSING, Lockstep
from bpe_gui.ui.laboratory.lockstep_wording import described
from bpe_gui.ui.laboratory.row_area import RowArea
from bpe_gui.ui.laboratory.slope_drawing import Lines, SlopeDrawing, SlopeLayout
from bpe_gui.ui.theme.painting import draw_message
from bpe_gui.ui.theme.theme import Theme

Place = tuple[int, int]
"""A run and one of its merges."""

MOVES = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
"""Keys that move, and that the window has another use for."""

TYPED_MOVES = frozenset("pnN")
"""Letters that move."""


def followed(lockstep: Lockstep, run: int, step: int) -> list[int]:
    """The rows of a merge's token in all columns, FROM_START or MISSING where it has none.

    What the run has had before is looked at by itself.
    """
    steps: list[int] = lockstep.steps[:, lockstep.contents[run][step]].tolist()
    if steps[run] != step:
        steps = [MISSING] * len(steps)
        steps[run] = step
    return steps


def moved(lockstep: Lockstep, place: Place, key: int, text: str, page: int) -> Place | None:
    """Where a key leads, or the letter that it types; None if it does not move.

    `page` is how many rows are in view.
    """
    run, step = place
    last = lockstep.lengths[run] - 1
    rows = {
        Qt.Key.Key_Up: step - 1,
        Qt.Key.Key_Down: step + 1,
        Qt.Key.Key_PageUp: step - max(1, page),
        Qt.Key.Key_PageDown: step + max(1, page),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }
    if key in rows:
        return run, max(0, min(rows[Qt.Key(key)], last))
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        return _beside(lockstep, place, run + (1 if key == Qt.Key.Key_Right else -1))
    if text == "p" and lockstep.parts_at is not None:
        return run, min(lockstep.parts_at, last)
    if text in ("n", "N"):
        return run, _next_alone(lockstep, place, forwards=text == "n")
    return None


def _beside(lockstep: Lockstep, place: Place, other: int) -> Place:
    """The equal token of another column, or else what stands in the same row there."""
    run, step = place
    if not 0 <= other < len(lockstep.lengths) or not lockstep.lengths[other]:
        return place
    found = followed(lockstep, run, step)[other]
    return other, found if found >= 0 else min(step, lockstep.lengths[other] - 1)


def _next_alone(lockstep: Lockstep, place: Place, *, forwards: bool) -> int:
    """The next merge whose token no other run has; this one if there is none."""
    run, step = place
    only = lockstep.only(run)
    later = only[only > step] if forwards else only[only < step][::-1]
    return int(later[0]) if len(later) else step


_ZOOM_STEP = 1.25
_WHEEL_STEP = 120
_TYPED = frozenset("+-0") | TYPED_MOVES


class SlopeChart(RowArea):
    """Draws a `Lockstep`; one token is current, another may be under the mouse.

    The arrow keys move in a column and from one to the other, PageUp, PageDown, Home and End
    further; Enter or a click chooses a token. N and Shift+N go to the next and the last token
    that only this run has, P to the merge at which the runs part. Plus, minus and the wheel
    with Ctrl zoom, 0 shows all, Ctrl+C copies what is known of the current token.
    """

    tokenChosen = Signal(int, int)
    """A run and one of its merges, when the user clicks its token or presses Enter on it."""
    described = Signal(str)
    """What is known of the token that is looked at; empty if none is."""

    _drawing: SlopeDrawing

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lockstep: Lockstep | None = None
        self._names: tuple[str, ...] = ()
        self._message = ""
        self._partners: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._current: Place = (0, 0)
        self._hovered: Place | None = None
        self._stood = (0, self._current)
        self._lines: list[Lines] = []
        self._drawing = SlopeDrawing(self.font())
        self.setObjectName("slopeChart")
        self.setAccessibleName("Merges of the recipes side by side")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """Room for a dozen rows."""
        return QSize(460, 280)

    def minimumSizeHint(self) -> QSize:
        """The least that shows two columns and a few rows."""
        return QSize(220, 90)

    # -- what is shown -------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._drawing.set_theme(theme)
        self.viewport().update()

    def set_message(self, message: str) -> None:
        """The sentence that is shown while there are no merges."""
        if message != self._message:
            self._message = message
            self._tell()

    def set_lockstep(self, lockstep: Lockstep | None, names: Sequence[str] = ()) -> None:
        """Show other runs, or the same ones when they have grown; or none."""
        before = self._lockstep.histories if self._lockstep is not None else ()
        self._lockstep = lockstep
        self._names = tuple(names)
        self._hovered = None
        self._drawing.set_lockstep(lockstep)
        self._partners = []
        if lockstep is not None:
            self._partners = [
                (lockstep.partners(column, column + 1), lockstep.partners(column + 1, column))
                for column in range(len(lockstep.histories) - 1)
            ]
        if lockstep is None or lockstep.histories != before:
            self._current = (0, 0)
            self.verticalScrollBar().setValue(0)
            self._stood = (0, self._current)
        self.set_range()
        self._stand_at_parting()
        self._tell()

    def _stand_at_parting(self) -> None:
        """Begin where the runs part, some rows before it in view, unless the user has moved."""
        bar = self.verticalScrollBar()
        if self._lockstep is None or self._lockstep.parts_at is None:
            return
        if self._stood == (bar.value(), self._current):
            self._current = (0, self._lockstep.parts_at)
            first = int(self._lockstep.parts_at - self.room / 3 / self.row_height)
            bar.setValue(round(first * self.row_height))
            self._stood = (bar.value(), self._current)

    @property
    def lockstep(self) -> Lockstep | None:
        """What is shown."""
        return self._lockstep

    @property
    def names(self) -> tuple[str, ...]:
        """What the runs are called that are shown."""
        return self._names

    @property
    def current(self) -> Place:
        """The token that the keyboard is at: a run and one of its merges."""
        return self._current

    # -- geometry --------------------------------------------------------------------------------

    def layout_now(self) -> SlopeLayout:
        """Where everything stands in the viewport."""
        assert self._lockstep is not None
        view = self.viewport()
        return SlopeLayout(
            columns=len(self._lockstep.histories),
            width=view.width(),
            height=view.height(),
            numbers=self._drawing.numbers_width,
            top=self.verticalScrollBar().value() - self.above,
            row_height=self.row_height,
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._drawing.set_font(self.font())
            self.set_range()

    # -- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in view, or say why there is nothing."""
        painter = QPainter(self.viewport())
        drawing = self._drawing
        painter.fillRect(event.rect(), drawing.background)
        if not self._drawing.row_count:
            painter.setFont(self.font())
            draw_message(painter, self.viewport().rect(), self._message, drawing.muted)
        else:
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        lockstep, layout, drawing = self._lockstep, self.layout_now(), self._drawing
        assert lockstep is not None
        every = max(1, -int(-drawing.natural_height // layout.row_height))
        self._lines = [layout.lines(*partners) for partners in self._partners]
        for column, lines in enumerate(self._lines):
            drawing.draw_lines(painter, layout, column, lines)
        steps: list[int] = []
        if (looked_at := self._looked_at()) is not None:
            steps = followed(lockstep, *looked_at)
            drawing.draw_followed(painter, layout, steps)
        if lockstep.parts_at is not None:
            drawing.draw_parting(painter, layout, lockstep.parts_at, drawing.title_height + 1)
        drawing.draw_numbers(painter, layout, layout.rows(drawing.row_count), every)
        for column, length in enumerate(lockstep.lengths):
            row = steps[column] if steps else -1
            drawing.draw_column(painter, layout, column, layout.rows(length), every, row)
        if self.hasFocus():
            drawing.draw_frame(painter, layout, *self._current)
        painter.fillRect(0, 0, layout.width, drawing.title_height, drawing.background)
        for column, name in enumerate(self._names):
            drawing.draw_title(painter, layout, column, name)
        thinned = max((lines.every for lines in self._lines), default=1)
        if thinned > 1:
            drawing.draw_note(painter, layout, f"1 of {thinned:,} lines is drawn")

    def _looked_at(self) -> Place | None:
        """The token under the mouse, or where the keyboard is."""
        if self._hovered is not None:
            return self._hovered
        return self._current if self.hasFocus() and self._drawing.row_count else None

    # -- mouse -----------------------------------------------------------------------------------

    def place_at(self, point: QPoint) -> Place | None:
        """The token at a place of the viewport, be it by its line; None if there is none."""
        if not self._drawing.row_count or point.y() < self._drawing.title_height:
            return None
        lockstep, layout = self._lockstep, self.layout_now()
        assert lockstep is not None
        column = layout.column_at(point.x())
        if column is not None:
            row = layout.row_at(point.y())
            return (column, row) if 0 <= row < lockstep.lengths[column] else None
        for column, lines in enumerate(self._lines):
            found = layout.near(lines, column, point.x(), point.y())
            if found >= 0:
                return column, int(lines.left[found])
        return None

    def center_of(self, run: int, step: int) -> QPoint:
        """The middle of a token, in the viewport."""
        layout = self.layout_now()
        return QPoint(layout.left(run) + layout.column_width // 2, round(layout.y(step)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lift the line of the token under the mouse."""
        self._hover(self.place_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """No token is under the mouse any more."""
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, place: Place | None) -> None:
        if place != self._hovered:
            self._hovered = place
            pointing = Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(pointing if place else Qt.CursorShape.ArrowCursor)
            self._tell()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked token."""
        place = self.place_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or place is None:
            super().mousePressEvent(event)
            return
        self._current = place
        self._tell()
        self.tokenChosen.emit(*place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            steps = event.angleDelta().y() / _WHEEL_STEP
            self.zoom(_ZOOM_STEP**steps, event.position().y())
            event.accept()
            return
        super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer to hovering with the ranks of a token."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos())
            text = f"<p>{escape(self._known(place))}</p>" if place is not None else ""
            QToolTip.showText(event.globalPos(), text, self.viewport())
            return True
        return super().viewportEvent(event)

    # -- keyboard --------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the keys that move here, which would otherwise step through the history."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._drawing.row_count
            and not event.modifiers() & Qt.KeyboardModifier.AltModifier
            and (event.key() in MOVES or event.text() in _TYPED)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, choose, zoom or copy."""
        if not self._drawing.row_count:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tokenChosen.emit(*self._current)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._known(self._current))
        elif event.text() in ("+", "-"):
            self.zoom(_ZOOM_STEP if event.text() == "+" else 1 / _ZOOM_STEP)
        elif event.text() == "0":
            self.show_all()
        elif (place := self._place_after(event)) is not None:
            self._move_to(place)
        else:
            super().keyPressEvent(event)

    def _place_after(self, event: QKeyEvent) -> Place | None:
        assert self._lockstep is not None
        page = self.room / self.row_height
        return moved(self._lockstep, self._current, event.key(), event.text(), int(page))

    def _move_to(self, place: Place) -> None:
        self._current = place
        self._hovered = None
        self.reveal(place[1])
        self._tell()

    def go_to(self, run: int, step: int) -> None:
        """Make a token the current one, and show it."""
        self._move_to((run, step))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current token gets its frame."""
        super().focusInEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame around the current token goes."""
        super().focusOutEvent(event)
        self._tell()

    # -- saying it -------------------------------------------------------------------------------

    def _known(self, place: Place) -> str:
        assert self._lockstep is not None
        return described(self._lockstep, self._names, *place)

    def _tell(self) -> None:
        """Say what is looked at, on the screen and to screen readers."""
        looked_at = self._looked_at()
        self.described.emit(self._known(looked_at) if looked_at is not None else "")
        text = self._message
        if self._drawing.row_count and self._current[1] < self._current_length():
            text = self._known(self._current)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
        self.viewport().update()

    def _current_length(self) -> int:
        assert self._lockstep is not None
        return self._lockstep.lengths[self._current[0]]

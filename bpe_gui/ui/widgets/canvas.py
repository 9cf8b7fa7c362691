"""The base of painted views: their keys, hover, tooltips and descriptions."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from bpe_gui.ui.theme.painting import blank_picture, brush, draw_message, pen, target_of
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.keyboard import moves_the_cursor
from bpe_gui.ui.widgets.presenting import Presentable

MOVES = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
"""Keys that move in a canvas, and that are also shortcuts of the window."""
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)

Place = TypeVar("Place")


class Canvas(Presentable, QAbstractScrollArea, Generic[Place]):
    """A scroll area of painted items; subclasses paint them, and find their places.

    `hovered` is the item under the mouse, None for none.
    """

    opaque = True
    """Whether all of the viewport is painted, so that nothing behind it need be."""
    room: QSize | None = None
    """What it takes where there is enough; by default what Qt's scroll areas take."""
    least_room = QSize(160, 60)
    """The least in which it can be read."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        """`name` is the object name, `spoken` what screen readers call it."""
        super().__init__(parent)
        self.hovered: Place | None = None
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, self.opaque)
        self.viewport().setAutoFillBackground(self.opaque)
        # Around the viewport, if that is smaller.
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(self.opaque)
        self.message = ""
        """What is written instead of items, if there are none."""
        self._still: QPixmap | None = None
        ThemeFollower(self, self._keep_theme)

    def _keep_theme(self, theme: Theme) -> None:
        self._theme = theme

    def sizeHint(self) -> QSize:
        return self.room or super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.least_room

    def draw(self, painter: QPainter, area: QRect) -> None:
        """Paint the items in an area of the viewport, and what is behind them."""
        raise NotImplementedError

    def draw_still(self, painter: QPainter) -> None:
        """Paint what seldom changes; the background is there already. See `paint_still`."""
        raise NotImplementedError

    def place_at(self, point: QPoint) -> Place | None:
        """Find the item at a point of the viewport that is emphasized by the mouse."""
        return None

    def tooltip_at(self, point: QPoint) -> str:
        """Return the rich text about what is at a point of the viewport; empty for none."""
        raise NotImplementedError

    def takes(self, event: QKeyEvent) -> bool:
        """Return whether a key is for this view rather than for an action of the window."""
        moves = event.modifiers() in _PLAIN and event.key() in MOVES
        return moves or event.matches(QKeySequence.StandardKey.Copy)

    def hover(self, place: Place | None) -> None:
        """Show that another item, or none, is under the mouse."""
        self.hovered = place
        shape = Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def fit_viewport(self, whole: int, header: int = 0) -> None:
        """Show no row that is cut off at the lower edge.

        `whole` is the height of the rows that fit, in pixels; if none fits, all that there is room
        for is shown. `header` is the height of what stays above them.
        """
        below = max(0, self.height() - header - whole) if whole > 0 else 0
        margins = QMargins(0, header, 0, below)
        if margins != self.viewportMargins():
            self.setViewportMargins(margins)

    def fit_scroll_bar(self, height: int, step: int, header: int = 0) -> None:
        """Scroll over what is `height` pixels high by steps, below a header that stays; draw it."""
        bar, room = self.verticalScrollBar(), self.viewport().height() - header
        bar.setRange(0, max(0, height - room))
        bar.setPageStep(max(1, room))
        bar.setSingleStep(step)
        self.viewport().update()

    def describe(self, text: str) -> None:
        """Describe the current item, or the whole view, to screen readers.

        They read a description that changes. An accessible interface for each item is no option:
        from Python, Qt's bridge to screen readers crashes with one.
        """
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            # Pages of PDF do not cut off by themselves what is beyond a viewport.
            painter.setClipRect(self.viewport().rect())
            if self.message:
                painter.fillRect(event.rect(), brush(self._theme.panel))
                painter.setFont(self.font())
                draw_message(painter, self.viewport().rect(), self.message, pen(self._theme.muted))
            else:
                self.draw(painter, event.rect())

    def paint_still(self, painter: QPainter) -> None:
        """Paint what `draw_still` draws, which is drawn again only after `forget_still`."""
        target, place = target_of(painter), self.viewport().rect()
        if target.keeps_text:
            painter.fillRect(place, brush(self._theme.panel))
            self.draw_still(painter)
            return
        if self._still is None or self._still.devicePixelRatio() != target.scale:
            self._still = blank_picture(place.width(), place.height(), target.scale)
            with QPainter(self._still) as still:
                still.fillRect(place, brush(self._theme.panel))
                self.draw_still(still)
        painter.drawPixmap(0, 0, self._still)

    @Slot()
    def forget_still(self) -> None:
        """Paint everything anew."""
        self._still = None
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self.takes(event)
            and not moves_the_cursor(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and self.hovered is not None:
            self.hover(None)
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tooltip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().toPoint())
        if place != self.hovered:
            self.hover(place)

    def press(self, place: Place) -> None:
        """Do what a click on an item does."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and place is not None:
            self.press(place)
        else:
            super().mousePressEvent(event)

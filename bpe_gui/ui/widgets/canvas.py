"""The base of painted views: their keys, hover, tooltips and descriptions."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QMargins, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from bpe_gui.ui.widgets.keyboard import moves_the_cursor

MOVES = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
"""Keys that move in a canvas, and that are also shortcuts of the window."""
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)

Place = TypeVar("Place")


class Canvas(QAbstractScrollArea, Generic[Place]):
    """A scroll area of painted items; subclasses paint them, and find their places.

    `hovered` is the item under the mouse, None for none.
    """

    opaque = True
    """Whether all of the viewport is painted, so that nothing behind it need be."""

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

    def describe(self, text: str) -> None:
        """Describe the current item, or the whole view, to screen readers.

        They read a description that changes. An accessible interface for each item is no option:
        from Python, Qt's bridge to screen readers crashes with one.
        """
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

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

"""Draw on the stage, over the panels, with the mouse or a pen."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.naming import named

INK = QColor(220, 30, 30)
"""The colour of the pen and of the pointer."""
_EDGE = QColor(255, 255, 255, 200)
"""Around the ink, so that it is seen on all colours."""
_LINES = 160
"""The height of the stage in lines."""
_EDGED = 1.7
"""How many times as wide a line is with its edge."""


class Pen(QWidget):
    """Lies over a widget, and shows the lines that were drawn on the page in view.

    Every page has its own lines: they go when the page does, and are there again with it.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        named(self, "stagePen", "Drawing")
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._over = over
        self._pages: dict[Hashable, list[QPainterPath]] = {}
        self._page: Hashable = None
        self._drawing: QPainterPath | None = None
        self.on = False
        """Whether the mouse draws."""
        self._fit()
        RoomFollower(over, self._fit)
        self._take_mouse(False)

    def toggle(self) -> None:
        """Let the mouse draw, or do as usual; what is drawn stays."""
        self._take_mouse(not self.on)

    def wipe(self) -> None:
        """Remove what is drawn on the page in view."""
        self._pages.pop(self._page, None)
        self._drawing = None
        self._show()

    def show_page(self, page: Hashable) -> None:
        """Show what was drawn on a page."""
        if page != self._page:
            self._page, self._drawing = page, None
            self._show()

    def end(self) -> None:
        """Remove everything, and let the mouse do as usual."""
        self._pages.clear()
        self._take_mouse(False)

    def _take_mouse(self, on: bool) -> None:
        self.on = on
        self._drawing = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not on)
        self._show()

    def _show(self) -> None:
        self.setVisible(self.on or bool(self._pages.get(self._page)))
        self.raise_()
        self.update()

    def _fit(self) -> None:
        before, now = self.size(), self._over.size()
        if before != now and not before.isEmpty() and not now.isEmpty():
            # On another screen the lines stay with what they are about, as far as panels do.
            scale = QTransform.fromScale(
                now.width() / before.width(), now.height() / before.height()
            )
            for lines in self._pages.values():
                lines[:] = map(scale.map, lines)
        self.setGeometry(self._over.rect())
        self._width = max(2.0, self._over.height() / _LINES)
        round_ends = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        self._pens = (
            QPen(_EDGE, self._width * _EDGED, *round_ends),
            QPen(INK, self._width, *round_ends),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._drawing = QPainterPath(event.position())
        self._pages.setdefault(self._page, []).append(self._drawing)
        # A line without a length is not painted, and a click is to make a dot.
        self._draw_to(event.position() + QPointF(0.1, 0))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drawing is not None:
            self._draw_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drawing = None

    def _draw_to(self, place: QPointF) -> None:
        assert self._drawing is not None
        new = QRectF(self._drawing.currentPosition(), place).normalized()
        self._drawing.lineTo(place)
        edge = self._width * _EDGED
        self.update(new.adjusted(-edge, -edge, edge, edge).toAlignedRect())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for pen in self._pens:
                painter.setPen(pen)
                for line in self._pages.get(self._page, ()):
                    painter.drawPath(line)

"""The base of the coloured text, the lanes and the pipeline: rows in a scroll area."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent, QWheelEvent

from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.widgets.canvas import Canvas, Place

_NARROWEST = 40


class LaidOut(Protocol):
    """Rows of a width, each as high as the next.

    `anchor_at` returns the first item at a height; `top_of` finds it again in another layout.
    """

    @property
    def fonts(self) -> TokenFonts: ...
    @property
    def height(self) -> int: ...
    def set_font(self, font: QFont) -> None: ...
    def set_width(self, width: float) -> None: ...
    def anchor_at(self, y: int) -> Anchor | None: ...
    def top_of(self, first: int) -> int: ...


class TextArea(Canvas[Place]):
    """Scrolls a layout, and keeps its place when it is laid out again.

    Subclasses make the layout, and paint it.
    """

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    _layout: LaidOut

    # -- for subclasses --------------------------------------------------------------------------

    def _left(self) -> int:
        """Return the space left of the rows."""
        return MARGIN

    def _above(self) -> int:
        """Return the space above the first row."""
        return MARGIN

    def _below(self) -> int:
        """Return the space below the last row."""
        return MARGIN

    # -- geometry --------------------------------------------------------------------------------

    def _top(self) -> int:
        """Return the distance from the layout's top down to the viewport's top."""
        return self.verticalScrollBar().value() - self._above()

    def _room(self) -> int:
        """Return the width of the rows and of the space before them.

        It leaves space for the scroll bar also if that is hidden, so that rows stay put.
        """
        return self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()

    def _fit(self) -> None:
        """Lay out for the width of the view, and set the range of the scroll bar."""
        self._layout.set_width(max(_NARROWEST, self._room() - self._left() - MARGIN // 2))
        self._update_scroll_bar()

    def _update_scroll_bar(self) -> None:
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        bar.setRange(0, max(0, self._above() + self._layout.height + self._below() - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._layout.fonts.row_height)

    def _anchor(self) -> Anchor | None:
        """Return the first item in view; None at the very top."""
        return self._layout.anchor_at(self._top())

    def _return_to(self, anchor: Anchor | None) -> None:
        """Scroll to what was in view before it was laid out again."""
        if anchor is not None:
            first, beyond = anchor
            self.verticalScrollBar().setValue(self._layout.top_of(first) + beyond + self._above())

    def _scroll_to(self, top: int, bottom: int) -> None:
        """Scroll as little as is needed to see what lies between two heights of the layout."""
        bar = self.verticalScrollBar()
        lowest = self._above() + bottom + self._below() - self.viewport().height()
        highest = top + self._above() - MARGIN if top else 0
        bar.setValue(min(max(bar.value(), lowest), highest))

    # -- events ----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        anchor = self._anchor()
        self._fit()
        self._return_to(anchor)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            anchor = self._anchor()
            self._layout.set_font(self.font())
            self._fit()
            self._return_to(anchor)
            self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

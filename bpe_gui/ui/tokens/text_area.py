"""What the coloured text and the lanes have in common: rows, painted in a scroll area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFont, QHelpEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from bpe_gui.ui.tokens.description import tooltip
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.painting import MARGIN

_NARROWEST = 40


class LaidOut(Protocol):
    """Rows of a width, each as high as the next.

    `anchor_at` tells what is the first at a height; `top_of` finds it again, however it is laid
    out then.
    """

    @property
    def fonts(self) -> TokenFonts: ...
    @property
    def height(self) -> int: ...
    def set_font(self, font: QFont) -> None: ...
    def set_width(self, width: float) -> None: ...
    def anchor_at(self, y: int) -> Anchor | None: ...
    def top_of(self, first: int) -> int: ...


class TextArea(QAbstractScrollArea):
    """Scrolls a layout, which stays at its place when it is laid out anew.

    Who inherits it brings the layout, and paints it.
    """

    zoomed = Signal(int)
    """Steps that the wheel was turned with Ctrl held."""

    _layout: LaidOut

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # -- for who inherits it ---------------------------------------------------------------------

    def _left(self) -> int:
        """What is left free before the rows begin."""
        return MARGIN

    def _lines_at(self, position: QPoint) -> Sequence[str]:
        """What is said of a place of the viewport when it is pointed at; here nothing."""
        return ()

    # -- geometry --------------------------------------------------------------------------------

    def _top(self) -> int:
        """How far the viewport's top is below the layout's top."""
        return self.verticalScrollBar().value() - MARGIN

    def _room(self) -> int:
        """The width in which rows, and what stands before them, have room.

        Room for the scroll bar is left also where there is none, so that rows stay put.
        """
        return self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()

    def _fit(self) -> None:
        """Lay out for the width there is, and let the scroll bar reach to the end."""
        self._layout.set_width(max(_NARROWEST, self._room() - self._left() - MARGIN // 2))
        self._update_scroll_bar()

    def _update_scroll_bar(self) -> None:
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        bar.setRange(0, max(0, self._layout.height + 2 * MARGIN - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._layout.fonts.row_height)

    def _anchor(self) -> Anchor | None:
        """What is the first in view; None at the very top."""
        return self._layout.anchor_at(self._top())

    def _return_to(self, anchor: Anchor | None) -> None:
        """Scroll to what was in view before it was laid out anew."""
        if anchor is not None:
            first, beyond = anchor
            self.verticalScrollBar().setValue(self._layout.top_of(first) + beyond + MARGIN)

    def _scroll_to(self, top: int, bottom: int) -> None:
        """Scroll as little as is needed to see what lies between two heights of the layout."""
        bar = self.verticalScrollBar()
        lowest = bottom + 2 * MARGIN - self.viewport().height()
        bar.setValue(min(max(bar.value(), lowest), top))

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

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            lines = self._lines_at(event.pos())
            if lines:
                QToolTip.showText(event.globalPos(), tooltip(list(lines)), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _tell(self, said: str) -> None:
        """Tell screen readers what is selected, if it is something else.

        They read a description that changes. An interface of the text itself cannot be given
        from Python: Qt's bridge to screen readers ends the program that has one.
        """
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

"""The base of the coloured text, the lanes and the pipeline: rows in a scroll area."""

from __future__ import annotations

from math import ceil
from typing import Protocol

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QFont, QResizeEvent

from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.layout import Anchor
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.widgets.canvas import Canvas, Place

_NARROWEST = 40


class LaidOut(Protocol):
    """Rows of a width.

    `step` is how far one row, or a group of rows that belong together, is from the next;
    `whole_rows` the height of the first rows that fit into a height. `anchor_at` returns the first
    item at a height; `top_of` finds it again in another layout.
    """

    @property
    def fonts(self) -> TokenFonts: ...
    @property
    def height(self) -> int: ...
    @property
    def step(self) -> int: ...
    def whole_rows(self, height: int) -> int: ...
    def set_font(self, font: QFont) -> None: ...
    def set_width(self, width: float) -> None: ...
    def anchor_at(self, y: int) -> Anchor | None: ...
    def top_of(self, first: int) -> int: ...


class TextArea(Canvas[Place]):
    """Scrolls a layout row by row, and keeps its place when it is laid out again.

    Rows that would be cut off at the lower edge are not shown. Subclasses make the layout, and
    paint it.
    """

    lines_of_figure = 12

    _layout: LaidOut
    _gutter = MARGIN
    """The space left of the rows."""

    # -- for subclasses --------------------------------------------------------------------------

    def _header(self) -> int:
        """Return the height of what stays above the rows."""
        return MARGIN

    def _above(self) -> int:
        """Return the height of what is scrolled with the rows, above the first."""
        return 0

    # -- geometry --------------------------------------------------------------------------------

    def _top(self) -> int:
        """Return the distance from the layout's top down to the viewport's top."""
        value = self.verticalScrollBar().value()
        return value - value % self._step - self._above()

    @property
    def _step(self) -> int:
        """How far the rows are scrolled at least, so that the first of them is whole."""
        step = self._layout.step
        return step if 2 * step <= self.viewport().height() else self._layout.fonts.row_height

    def _room(self) -> int:
        """Return the width of the rows and of the space before them.

        It leaves space for the scroll bar also if that is hidden, so that rows stay put.
        """
        return self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()

    def room_for_rows(self) -> QSize:
        """Return the size of what rows can take, whatever the height of one is."""
        width = max(_NARROWEST, self._room() - self._gutter - MARGIN // 2)
        return QSize(width, self.height() - self._header() - self._above())

    @property
    def overflows(self) -> bool:
        """Whether the rows are higher than the view."""
        room = self.room_for_rows()
        self._layout.set_width(room.width())
        return self._layout.height > room.height()

    def _fit(self) -> None:
        """Lay out for the size of the view, and set the range of the scroll bar."""
        room = self.room_for_rows()
        self._layout.set_width(room.width())
        header, above = self._header(), self._above()
        whole = self._layout.whole_rows(room.height())
        self.fit_viewport(above + whole if whole > 0 else 0, header)
        self._update_scroll_bar()

    def _update_scroll_bar(self) -> None:
        bar, step = self.verticalScrollBar(), self._step
        beyond = self._above() + self._layout.height - self.viewport().height()
        bar.setRange(0, max(0, beyond + -beyond % step))
        bar.setPageStep(self.viewport().height())
        # A notch of the wheel is three steps.
        bar.setSingleStep(max(self._layout.fonts.row_height, ceil(step / 3)))

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
        bar, above, step = self.verticalScrollBar(), self._above(), self._step
        lowest = above + bottom - self.viewport().height()
        highest = top + above if top else 0
        bar.setValue(min(max(bar.value(), lowest + -lowest % step), highest))

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

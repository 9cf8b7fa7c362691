"""The drawn side of the pipeline view: systems of six rows in a scroll area."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout
from bpe_gui.ui.pipeline.painting import Picture, PipelinePainter, least_beside, lines_needed
from bpe_gui.ui.pipeline.sentences import lines_of_sheet, lines_of_tokens
from bpe_gui.ui.pipeline.shown import Shown
from bpe_gui.ui.theme.painting import draw_message
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.tokens.text_area import TextArea

_NOTHING = "Nothing to show yet: type or paste a text above."
_LEAST_GUTTER, _MOST_GUTTER = 110, 280
_GUTTER_PART = 0.26
"""Which part of the width is for what is said of the stages."""
_BELOW_NOTICE = 6


class PipelineCanvas(TextArea[ItemPlace]):
    """Shows a sheet. An item may be selected, one hovered, and the tokens of an id marked."""

    _layout: PipelineLayout

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("pipelineView", "Pipeline", parent)
        self._layout = PipelineLayout(self.font())
        self._current: ItemPlace | None = None
        self._marked = NO_TOKEN
        self._lines: list[str] = []
        self._notice = ""
        self._message = _NOTHING
        self._gutter = _LEAST_GUTTER
        ThemeFollower(self, self._take_colours)

    def sizeHint(self) -> QSize:
        return QSize(720, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 120)

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def shown(self) -> Shown | None:
        """What is in view, if anything is."""
        return self._layout.shown

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to lay open."""
        return self._layout.shown is None or not len(self._layout)

    @property
    def current(self) -> ItemPlace | None:
        """The selected item, if there is one."""
        return self._current

    @property
    def notice(self) -> str:
        """The sentence above the first system, if there is one."""
        return self._notice

    def set_shown(self, shown: Shown) -> None:
        """Show a sheet, or its tokens at another position.

        What is selected and in view stays so where the text is the same.
        """
        before = self._layout.shown
        anchor = self._anchor()
        self._layout.show(shown)
        self._current = self._followed(self._current, before)
        self.hovered = self._followed(self.hovered, before)
        if before is None or before.sheet is not shown.sheet:
            self._lines[:] = lines_of_sheet(shown.sheet)
            self._fit()
            if before is not None and before.sheet.text == shown.sheet.text:
                self._return_to(anchor)
        self._lines[Stage.TOKENS :] = lines_of_tokens(shown)
        self.viewport().update()

    def set_notice(self, notice: str) -> None:
        """Write a sentence above the first system, or none."""
        if notice != self._notice:
            self._notice = notice
            self._update_scroll_bar()
            self.viewport().update()

    def _take_colours(self, theme: Theme) -> None:
        self._painter = PipelinePainter(theme)
        self._background = QBrush(QColor(theme.panel))
        self._muted = QPen(QColor(theme.muted))

    def mark_token(self, token: int) -> None:
        """Make out all tokens with an id; NO_TOKEN for none."""
        if token != self._marked:
            self._marked = token
            self.viewport().update()

    def _followed(self, place: ItemPlace | None, before: Shown | None) -> ItemPlace | None:
        """Where an item is now, if that can be told."""
        shown = self._layout.shown
        if place is None or before is None or shown is None:
            return None
        old, items = before.items(place.stage), shown.items(place.stage)
        if before.sheet is shown.sheet:
            item = items.at(int(old.firsts[place.item]))
        elif before.sheet.text == shown.sheet.text:
            start = int(old.starts[place.item])
            held = np.flatnonzero((items.starts <= start) & (start < items.stops))
            item = int(held[0]) if len(held) else -1
        else:
            return None
        return ItemPlace(place.stage, item) if item >= 0 else None

    # -- geometry ------------------------------------------------------------------------------

    def _left(self) -> int:
        return self._gutter

    def _above(self) -> int:
        if not self._notice:
            return MARGIN
        return MARGIN + QFontMetrics(self._layout.fonts.small).height() + _BELOW_NOTICE

    def _below(self) -> int:
        return 0

    def _fit(self) -> None:
        """Give what is said of the stages its gutter, and the systems the rest of the width."""
        widest = scaled(_MOST_GUTTER, self.font())
        least = max(_LEAST_GUTTER, least_beside(self._layout))
        self._gutter = min(max(round(self._room() * _GUTTER_PART), least), widest)
        self._layout.make_room_beside(lines_needed(self._layout, self._gutter, self._lines))
        super()._fit()

    def _reveal(self, place: ItemPlace) -> None:
        """Scroll as little as is needed to see an item, with all stages if they have room."""
        layout = self._layout
        system = layout.system_of(layout.span_of(place)[0])
        top = layout.system_top(system)
        bottom = layout.row_top(system, Stage.IDS) + layout.fonts.row_height
        if bottom - top > self.viewport().height():
            top = layout.row_top(system, place.stage)
            bottom = top + layout.fonts.row_height
        self._scroll_to(top and top + MARGIN, bottom)

    def hover(self, place: ItemPlace | None) -> None:
        self._update_systems(self.hovered)
        self.hovered = place
        self._update_systems(place)

    def _update_systems(self, place: ItemPlace | None) -> None:
        """Paint the systems anew that show an item."""
        if place is None:
            return
        first, last = self._layout.span_of(place)
        top = self._layout.system_top(self._layout.system_of(first)) - self._top()
        bottom = self._layout.system_top(self._layout.system_of(last - 1) + 1) - self._top()
        self.viewport().update(0, top - 1, self.viewport().width(), bottom - top)

    def place_at(self, position: QPoint) -> ItemPlace | None:
        return self._layout.place_at(position.x() - self._gutter, position.y() + self._top())

    def _stage_at(self, position: QPoint) -> Stage | None:
        return self._layout.stage_at(position.y() + self._top())

    def item_center(self, place: ItemPlace) -> QPoint:
        """The middle of the first part of an item, in the viewport."""
        left, right, top = self._layout.rectangles_of(place)[0]
        y = top - self._top() + self._layout.fonts.row_height // 2
        return QPoint((left + right) // 2 + self._gutter, y)

    # -- events --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        width, height = self.viewport().width(), self.viewport().height()
        shown = self._layout.shown
        if shown is not None and len(self._layout):
            place = (self._layout, self._top(), self._gutter, self._lines)
            emphasis = (self._current, self.hovered, self._marked)
            area = event.rect()
            needed = range(area.top(), area.bottom() + 1)
            self._painter.paint(painter, Picture(*place, *emphasis), width, height, needed)
        else:
            painter.fillRect(self.viewport().rect(), self._background)
            draw_message(painter, self.viewport().rect(), self._message, self._muted)
        self._paint_notice(painter)
        painter.end()

    def _paint_notice(self, painter: QPainter) -> None:
        if self._notice:
            painter.setFont(self._layout.fonts.small)
            painter.setPen(self._muted)
            metrics = QFontMetrics(self._layout.fonts.small)
            room = self.viewport().width() - 2 * MARGIN
            said = metrics.elidedText(self._notice, Qt.TextElideMode.ElideRight, room)
            y = MARGIN // 2 + metrics.ascent() - self.verticalScrollBar().value()
            painter.drawText(MARGIN, y, said)

"""The pipeline view: a text on its way to ids, every stage under the one before."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QMenu

from bpe_gui.analysis.pipeline.stages import Merging, PipelineTrace, Stage, Status, same_tokens
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout, Shown
from bpe_gui.ui.pipeline.painting import (
    PipelinePens,
    PipelinePicture,
    least_beside,
    lines_needed,
)
from bpe_gui.ui.pipeline.sentences import (
    TITLES,
    describe,
    details_of,
    lines_of_tokens,
    lines_of_trace,
    reason_of,
)
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.painting import brush, draw_message, pen
from bpe_gui.ui.theme.text_size import resized, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.tokens.text_area import TextArea
from bpe_gui.ui.tokens.token_words import shown_characters, tooltip
from bpe_gui.ui.widgets.canvas import MOVES

MOST_CHARACTERS = 4000
"""Characters of a text that are traced."""

SECONDS = 1.0
"""How long matching may take."""
_PATIENCE_MILLISECONDS = 400
"""Time after which a notice says that the text is still being processed."""
_WORKING = "Still processing the text with the changed recipe…"
_NOTHING = "Nothing to show yet: type or paste a text above."
_SPLITTING = "Splitting the text…"
_LEAST_GUTTER, _MOST_GUTTER = 110, 280
_GUTTER_PART = 0.26
"""The share of the width for the titles of the stages and the lines about them."""
_BELOW_NOTICE = 6
_LONGEST_ENLARGED = 300
"""In characters."""
_ENLARGED = (1.3, 1.6, 2.0, 2.5, 3.0, 4.0)
"""How many times as large a short text may be written."""


class PipelineView(TextArea[ItemPlace]):
    """Shows all stages of the sample text.

    The item under the mouse is marked in all stages. A click selects; Left and Right go to the
    next item of a stage, Up and Down to the stage above or below, Home and End to the first and
    the last. Ctrl+C copies the stage of the selected item. Enter and a click choose a token.

    The text is traced in the background while the view is active. Merges and ids are those of
    the history if it was trained with the recipe.
    """

    room = QSize(720, 420)
    least_room = QSize(260, 120)
    tokenSelected = Signal(int)
    """The user has chosen a token of the run: its id."""

    _layout: PipelineLayout

    def __init__(self, sample_text: SampleText) -> None:
        super().__init__("pipelineView", "Pipeline")
        self.sample_text = sample_text
        self._recipe: Recipe | None = None
        self._history: History | None = None
        self._position = 0
        self._active = False
        self._stale = False
        self._layout = PipelineLayout(self.font())
        self.current: ItemPlace | None = None
        """The selected item."""
        self._marked = NO_TOKEN
        self._lines: list[str] = []
        self.notice = ""
        self._part = ""
        """The sentence above the first system."""
        self._gutter = _LEAST_GUTTER
        self._enlarged_for: object = None
        self._tracing = BackgroundTask(
            "pipeline", self, failure="Taking the text apart failed unexpectedly"
        )
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE_MILLISECONDS)
        self._late.timeout.connect(partial(self.set_notice, _WORKING))
        sample_text.changed.connect(self._ask)
        ThemeFollower(self, self._take_colours)
        self._update_description()

    # -- what is asked for -----------------------------------------------------------------------

    def set_recipe(self, recipe: Recipe) -> None:
        if recipe != self._recipe:
            self._recipe = recipe
            self._ask()

    def set_history(self, history: History | None) -> None:
        if history is not self._history:
            self._history = history
            self._position = 0
            self._ask()
            if history is None and not self._active and self.shown is not None:
                # What is traced when the view is in sight again may have another run.
                self.set_shown(Shown.of(self.shown.trace, None, 0))

    def show_position(self, position: int, moving: bool) -> None:
        self._position = position
        shown = self.shown
        if shown is None or shown.merging is None or shown.merging.history is not self._history:
            return
        there = shown.at(position)
        if not there.looks_like(shown):
            self.set_shown(there)
            self._update_description()

    def set_active(self, active: bool) -> None:
        """Trace the text while the view is in sight, and not else."""
        self._active = active
        if active and self._stale:
            self._ask()

    @property
    def up_to_date(self) -> bool:
        """Whether the recipe, the text and the run are shown as they are now."""
        return not self._stale and self._tracing.at_rest

    @Slot()
    def _ask(self) -> None:
        self._stale = True
        if self._recipe is None or not self._active:
            return
        self._stale = False
        self._tracing.ask(
            partial(traced, self._recipe, self.sample_text.text, self._history),
            self._on_traced,
            self._on_failed,
        )
        if not self._late.isActive():
            self._late.start()
        if self.shown is None:
            self._update_description()

    @Slot(object)
    def _on_traced(self, found: tuple[PipelineTrace, Merging | None]) -> None:
        self._late.stop()
        self.set_shown(Shown.of(*found, self._position))
        length = len(self.sample_text.text)
        notice = ""
        if length > MOST_CHARACTERS:
            notice = f"Showing the first {MOST_CHARACTERS:,} of {length:,} characters."
        self.set_notice(notice)
        self._update_description()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._late.stop()
        self.set_notice(sentence)
        self.describe(sentence)

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def shown(self) -> Shown | None:
        """The trace in view, if there is one."""
        return self._layout.shown

    @property
    def is_empty(self) -> bool:
        return self._layout.shown is None or not len(self._layout)

    @property
    def _said_while_empty(self) -> str:
        return _NOTHING if self.up_to_date or not self.sample_text.text else _SPLITTING

    def set_shown(self, shown: Shown) -> None:
        """Show a trace, or its tokens at another position.

        The selected item and the scroll position stay if the text is the same.
        """
        before = self._layout.shown
        anchor = self._anchor()
        self._layout.show(shown)
        self.current = self._followed(self.current, before)
        self.hovered = self._followed(self.hovered, before)
        if before is None or before.trace is not shown.trace:
            self._lines[:] = lines_of_trace(shown.trace)
            self._fit()
            if before is not None and before.trace.text == shown.trace.text:
                self._return_to(anchor)
        self._lines[Stage.TOKENS :] = lines_of_tokens(shown)
        self.viewport().update()

    def set_notice(self, notice: str) -> None:
        """Write a sentence above the first system, or none."""
        if notice != self.notice:
            self.notice = notice
            self._fit()
            self.viewport().update()

    def _take_colours(self, theme: Theme) -> None:
        self._pens = PipelinePens(theme)

    def mark_token(self, token: int) -> None:
        """Draw a ring around all tokens with an id; NO_TOKEN for none."""
        if token != self._marked:
            self._marked = token
            self.viewport().update()

    def _followed(self, place: ItemPlace | None, before: Shown | None) -> ItemPlace | None:
        """Return the item that now has the place of another one, if there is one."""
        shown = self._layout.shown
        if place is None or before is None or shown is None:
            return None
        old, items = before.items(place.stage), shown.items(place.stage)
        if before.trace is shown.trace:
            item = items.at(int(old.firsts[place.item]))
        elif before.trace.text == shown.trace.text:
            start = int(old.starts[place.item])
            held = np.flatnonzero((items.starts <= start) & (start < items.stops))
            item = int(held[0]) if len(held) else -1
        else:
            return None
        return ItemPlace(place.stage, item) if item >= 0 else None

    # -- geometry ------------------------------------------------------------------------------

    def _above(self) -> int:
        if not self._told:
            return 0
        return QFontMetrics(self._layout.fonts.small).height() + _BELOW_NOTICE

    @property
    def filled(self) -> float:
        """The part of the height that the systems take which are shown."""
        return self.viewport().height() / max(1, self.height() - self._header())

    @property
    def _told(self) -> str:
        """What is written above: a notice, or how much of the text a figure shows."""
        return self._part or self.notice

    def _part_in_view(self) -> str:
        """Tell an audience, which cannot scroll, how much of the text it sees."""
        layout, shown = self._layout, self._layout.shown
        self._part = ""
        room = self.room_for_rows()
        layout.set_width(room.width())
        if shown is None or not self.presents or layout.height <= room.height():
            return ""
        self._part = _WORKING  # any sentence takes its line
        system = layout.system_at(layout.whole_rows(self.room_for_rows().height()))
        raw = layout.items(Stage.RAW)
        place = int(np.searchsorted(raw.lasts, layout.columns(system).first, "right"))
        if not system or place >= len(raw):
            return ""
        before = shown.trace.text.encode("utf-8", "surrogatepass")[: int(raw.starts[place])]
        characters = len(before.decode("utf-8", "ignore"))
        return f"Showing {shown_characters(0, characters, len(self.sample_text.text))}."

    def _fit(self) -> None:
        self._layout.keeps_whole = self.presents
        self._enlarge()
        self._lay_out_beside()
        self._part = self._part_in_view()
        # Wide systems, and short texts, leave much of the height.
        self._layout.spread(self.room_for_rows().height())
        super()._fit()

    def _enlarge(self) -> None:
        """Write a short text larger, as far as it needs no more systems and no scrolling.

        An audience has its own size of text.
        """
        stays = self.presents or len(self.sample_text.text) > _LONGEST_ENLARGED
        trace = self.shown and self.shown.trace
        asked = trace, self.font(), self._room(), self.height(), self._above(), stays
        if (asked, self._layout.fonts) == self._enlarged_for:
            return
        self._write(1.0)
        systems, largest = len(self._layout), 1.0
        for factor in () if stays else _ENLARGED:
            self._write(factor)
            if len(self._layout) > systems or self.overflows:
                self._write(largest)
                break
            largest = factor
        self._enlarged_for = asked, self._layout.fonts

    def _write(self, factor: float) -> None:
        self._layout.set_font(resized(self.font(), factor))
        self._lay_out_beside()
        self._layout.set_width(self.room_for_rows().width())

    def _lay_out_beside(self) -> None:
        widest = scaled(_MOST_GUTTER, self._layout.fonts.body)
        least = max(_LEAST_GUTTER, least_beside(self._layout))
        self._gutter = min(max(round(self._room() * _GUTTER_PART), least), widest)
        self._layout.make_room_beside(lines_needed(self._layout, self._gutter, self._lines))
        self._layout.spread(0)

    def _reveal(self, place: ItemPlace) -> None:
        layout = self._layout
        system = layout.system_of(layout.span_of(place)[0])
        top = layout.system_top(system)
        bottom = layout.row_top(system, Stage.IDS) + layout.fonts.row_height
        if bottom - top > self.viewport().height():
            top = layout.row_top(system, place.stage)
            bottom = top + layout.fonts.row_height
        self._scroll_to(top, bottom)

    def hover(self, place: ItemPlace | None) -> None:
        self._update_systems(self.hovered)
        self.hovered = place
        self._update_systems(place)

    def _update_systems(self, place: ItemPlace | None) -> None:
        if place is None:
            return
        first, last = self._layout.span_of(place)
        top = self._layout.system_top(self._layout.system_of(first)) - self._top()
        bottom = self._layout.system_top(self._layout.system_of(last - 1) + 1) - self._top()
        self.viewport().update(0, top - 1, self.viewport().width(), bottom - top)

    def place_at(self, position: QPoint) -> ItemPlace | None:
        return self._layout.place_at(position.x() - self._gutter, position.y() + self._top())

    # -- events --------------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        if not self.is_empty:
            picture = PipelinePicture(
                painter,
                self._pens,
                self._layout,
                top=self._top(),
                gutter=self._gutter,
                lines=self._lines,
                current=self.current,
                hovered=self.hovered,
                marked=self._marked,
            )
            width, height = self.viewport().width(), self.viewport().height()
            picture.paint(width, height, range(area.top(), area.bottom() + 1))
        else:
            painter.fillRect(self.viewport().rect(), brush(self._theme.panel))
            said = self._said_while_empty
            draw_message(painter, self.viewport().rect(), said, pen(self._theme.muted))
        if self._told:
            painter.setFont(self._layout.fonts.small)
            painter.setPen(pen(self._theme.muted))
            metrics = QFontMetrics(self._layout.fonts.small)
            room = self.viewport().width() - 2 * MARGIN
            said = metrics.elidedText(self._told, Qt.TextElideMode.ElideRight, room)
            y = metrics.ascent() - self._above() - self._top()
            painter.drawText(MARGIN, y, said)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.select(self.place_at(event.position().toPoint()))
        self._choose()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_stage()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif event.key() in MOVES and len(self._layout):
            self._move(Qt.Key(event.key()))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.shown is None:
            return
        if event.reason() is not QContextMenuEvent.Reason.Keyboard:
            place = self.place_at(event.pos())
            if place is not None:
                self.select(place)
        menu = QMenu(self)
        action = menu.addAction(f"Copy {TITLES[self._stage()].lower()}")
        action.triggered.connect(self.copy_stage)
        menu.exec(event.globalPos())
        menu.deleteLater()

    # -- selecting -----------------------------------------------------------------------------

    @Slot()
    def copy_stage(self) -> None:
        """Copy the stage of the selected item, or the raw text."""
        shown = self.shown
        if shown is not None:
            QGuiApplication.clipboard().setText(text_of(shown, self._stage()))

    def _stage(self) -> Stage:
        return Stage.RAW if self.current is None else self.current.stage

    def select(self, place: ItemPlace | None) -> None:
        self.current = place
        self.viewport().update()
        self._update_description()
        if place is not None:
            self._reveal(place)

    def _choose(self) -> None:
        """Emit the selected token, if it is one of the run."""
        place, shown = self.current, self.shown
        if place is None or shown is None or shown.merging is None or place.stage < Stage.TOKENS:
            return
        token = int(shown.merged.ids[place.item])
        if token != NO_TOKEN:
            self.tokenSelected.emit(token)

    def _move(self, key: Qt.Key) -> None:
        if self.current is not None:
            self.select(self._layout.destination(self.current, key))
            return
        system = max(self._layout.system_at(self._top()), 0)
        first = self._layout.columns(system).first
        found = self._layout.items(Stage.RAW).within(first, first + 1)
        stage = Stage.RAW if found else Stage.NORMALIZED
        self.select(ItemPlace(stage, max(self._layout.items(stage).at(first), 0)))

    # -- speaking ------------------------------------------------------------------------------

    def tooltip_at(self, point: QPoint) -> str:
        shown, place = self.shown, self.place_at(point)
        stage = self._layout.stage_at(point.y() + self._top())
        lines = []
        if shown is not None and place is not None:
            lines = describe(shown, place.stage, place.item)
        elif shown is not None and stage is not None and point.x() < self._gutter:
            said = reason_of(shown, stage) or self._lines[stage]
            lines = [TITLES[stage], *filter(None, [said]), *details_of(shown.trace, stage)]
        return tooltip(lines) if lines else ""

    def _update_description(self) -> None:
        shown, place = self.shown, self.current
        if shown is None:
            said = self._said_while_empty
        elif place is not None:
            count = len(shown.items(place.stage))
            lines = describe(shown, place.stage, place.item)
            said = f"{TITLES[place.stage]}, {place.item + 1:,} of {count:,}: {'. '.join(lines)}"
        else:
            lines = [
                f"{title}: {(reason_of(shown, stage) or line).rstrip('.')}"
                for stage, title, line in zip(Stage, TITLES, self._lines, strict=True)
                if reason_of(shown, stage) or line
            ]
            said = f"{'. '.join(lines)}. The arrow keys go about."
        self.describe(said)


def text_of(shown: Shown, stage: Stage) -> str:
    """Return a stage as text: parts are visible, with spaces between them."""
    if stage is Stage.RAW:
        return shown.trace.text
    if stage is Stage.IDS:
        return " ".join(map(str, shown.own_ids.tolist())) if shown.has_ids else ""
    items = shown.items(stage)
    kept = [
        items.content(item) for item in np.flatnonzero(items.statuses != Status.DROPPED).tolist()
    ]
    if stage is Stage.NORMALIZED:
        return b"".join(kept).decode("utf-8")
    return " ".join(map(visible, kept))


def traced(
    recipe: Recipe, text: str, history: History | None, job: Job
) -> tuple[PipelineTrace, Merging | None]:
    """Trace the beginning of a text, and its merges if a run has the tokens of the recipe."""
    if history is not None and not same_tokens(recipe, history.recipe):
        history = None
    base = None if history is None else history.base
    with timeout(SECONDS, job.check):
        found = trace_pipeline(recipe, text[:MOST_CHARACTERS], base)
    if history is None or not found.reaches(Stage.TOKENS):
        return found, None
    return found, Merging(found, history)

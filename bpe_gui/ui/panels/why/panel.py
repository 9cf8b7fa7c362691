"""Why this pair: an explanation of the merge at the cursor."""

from __future__ import annotations

import re
from html import unescape
from math import ceil

from PySide6.QtCore import QSize, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QFontMetricsF, QShowEvent, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from bpe_gui.analysis.explain import Explanation
from bpe_gui.analysis.merge_facts import MergeFacts, merge_facts
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.why import wording
from bpe_gui.ui.panels.why.wording import (
    BAR,
    BELOW_SENTENCE,
    LABELS,
    MOST_BRIEF,
    WhyCard,
    why_empty,
)
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, resized, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.text_lines import RichText
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_MARGIN = 10
_COMPACT_MARGIN = 6
_LOW = 12
"""A panel on the stage of fewer lines shows a brief card."""
_COMPACT = 12
"""A panel of fewer lines shows fewer source words, and the count in the sentence only."""
_LABEL_GAP = 16
_SMALL, _TAG = re.compile("<small>(.*?)</small>"), re.compile("<[^>]*>")
"""Small text in HTML, and any sign of HTML."""
_SMALLER = 0.8
"""The size of small text in HTML, in that of other text."""


class WhyPanel(BasePanel):
    """Explains the merge that comes next at the position; where a run has ended, its last one.

    Facts of the history are shown at once, the rest when the queries have answered.
    """

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("whyPanel", "Why this pair", parts.parent)
        self._queries, self._frequencies = parts.queries, parts.frequencies
        self._moving = self._tells_last = False
        self._facts: MergeFacts | None = None
        self._selected: tuple[int, int] | None = None
        self._explanation: Explanation | None = None
        self._problem = ""
        self._html: tuple[str, QSize | None] = "", None
        self._switch: QFrame | None = None
        self._browser = self._make_browser()
        self.fill(self._browser, main=self._browser)
        FontFollower(self._browser, self._use_font)
        self._motion = parts.motion
        self._motion.ended.connect(self._show)
        ThemeFollower(self, self._take_colours)
        RoomFollower(self, self._draw)
        parts.frequencies.changed.connect(self._draw)
        parts.queries.explained.connect(self.set_explanation)
        parts.queries.failed.connect(self.set_problem)

    def _make_browser(self) -> RichText:
        browser = named(RichText(self), "whyText", "Why this pair")
        browser.setFrameShape(QFrame.Shape.NoFrame)
        browser.setOpenLinks(False)
        browser.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A bar that comes and goes has each card laid out twice, half the time of drawing it.
        browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        browser.verticalScrollBar().rangeChanged.connect(self._on_range)
        browser.verticalScrollBar().setEnabled(False)
        browser.document().setDocumentMargin(_MARGIN)
        browser.anchorClicked.connect(self._on_link)
        return browser

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._moving = False
        self._selected = self._explanation = None
        self._problem = ""
        self._find()
        self._draw()

    def show_position(self, position: int, moving: bool) -> None:
        """Show the merge that comes next at a position, or the last one of a run that has ended.

        After the step of one merge that merge stays, as the last, until other panels have
        animated it. While the cursor moves fast (`moving`) the card has only what the history
        tells, and the title says that the merge is passing.
        """
        if self._history is None:
            return
        self._position = position
        self._moving = moving
        self._show()

    @property
    def _is_seen(self) -> bool:
        """Whether the merge to the position is under way in other panels."""
        return self._motion.shows(self._position)

    def offer_switch(self, action: QAction) -> None:
        """Offer, in the corner, to explain the last merge instead of the next."""
        action.setIconText("Last")
        self._switch = QFrame(self)
        self._switch.setObjectName("tellSwitch")
        self._next, self._last = QToolButton(self._switch), QToolButton(self._switch)
        self._next.setText("Next")
        named(self._next, "tellNextButton", wording.NEXT, wording.NEXT_TIP).setCheckable(True)
        # Not by the action itself, which is off where a run has ended.
        self._last.setText(action.iconText())
        named(self._last, "tellLastButton", action.text().replace("&", ""), action.toolTip())
        self._last.setCheckable(True)
        for button in (self._next, self._last):
            # A click takes the keyboard from a field, in which Space would be typed.
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._next.clicked.connect(self._tell_next)
        self._last.clicked.connect(self._tell_last)
        action.changed.connect(self._show_choice)
        filled(QHBoxLayout(self._switch), self._next, self._last)
        self._action = action
        self._show_choice()
        RoomFollower(self, self._place_switch)
        self._browser.verticalScrollBar().valueChanged.connect(self._place_switch)
        self._place_switch()

    @Slot()
    def _tell_next(self) -> None:
        self._action.setChecked(False)
        self._show_choice()

    @Slot()
    def _tell_last(self) -> None:
        self._action.setChecked(True)
        self._show_choice()

    @Slot()
    def _show_choice(self) -> None:
        # Where the run has ended, no merge is the next.
        ended = self._facts is not None and not self._facts.ahead
        last = self._action.isChecked() or ended
        self._next.setChecked(not last)
        self._last.setChecked(last)
        self._next.setEnabled(self._action.isEnabled() and not ended)
        self._last.setEnabled(self._action.isEnabled())

    @Slot()
    def _place_switch(self) -> None:
        """Put the switch into the upper right corner of the card, where the title leaves room."""
        if self._switch is None:
            return
        self._switch.setVisible(not self.presents)
        self._switch.adjustSize()
        margin = self._browser.document().documentMargin()
        beside = self._browser.verticalScrollBar().sizeHint().width() + _MARGIN // 2
        line = self._browser.fontMetrics().height()
        # It is higher than its line; the next one is to be read.
        top = max(1, round(margin) + line - self._switch.height())
        top -= self._browser.verticalScrollBar().value()
        self._switch.move(self.width() - self._switch.width() - beside, top)

    @property
    def _corner(self) -> int:
        shown = self._switch is not None and not self.presents
        return self._switch.width() if self._switch is not None and shown else 0

    def select_token(self, token: int) -> None:
        self._selected = None
        self._draw()

    def select_pair(self, left: int, right: int) -> None:
        """Compare a pair with the one that is merged."""
        self._selected = left, right
        self._draw()

    def tell_last(self, last: bool) -> None:
        """Say that the merge that is shown has happened, or that it comes next."""
        self._tells_last = last
        self._draw()

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._draw()

    def _find(self) -> None:
        history, known = self._history, self._explanation
        position = self._position - self._is_seen
        self._facts = merge_facts(history, position) if history is not None else None
        if known is not None and (self._facts is None or not self._facts.fits(known)):
            self._explanation = None
        if self._switch is not None:
            self._show_choice()

    @Slot()
    def _show(self) -> None:
        self._find()
        history, facts = self._history, self._facts
        # What is replayed so fast cannot be read; a training is explained every few seconds.
        still = not self._moving or (history is not None and history.stopped is None)
        if facts is not None and self._explanation is None and still and self.isVisible():
            self._queries.explain(facts.step)  # may be answered at once
        self._draw()

    @Slot(object)
    def set_explanation(self, explanation: Explanation) -> None:
        """Show an explanation, if its merge is the one shown."""
        if self._facts is None or not self._facts.fits(explanation):
            return
        self._explanation = explanation
        self._problem = ""
        self._draw()

    @Slot(str)
    def set_problem(self, problem: str) -> None:
        """Show why the words cannot be searched, until another run is shown."""
        self._problem = problem
        self._draw()

    @Slot()
    def _draw(self) -> None:
        """Write the card, unless it is the same: what is selected stays selected."""
        html, spoken, shorter = self._written()
        written = html, self._browser.viewport().size() if shorter is not None else None
        if written == self._html:
            return
        self._html = written
        margin = _COMPACT_MARGIN if self._is_compact else _MARGIN
        self._browser.document().setDocumentMargin(margin)
        bar = self._browser.verticalScrollBar()
        place = bar.value()
        self._browser.setHtml(html)
        if shorter is not None:
            self._leave_out(shorter)
        self._place_switch()
        bar.setValue(place)
        self.setAccessibleDescription(spoken)
        self._browser.setAccessibleDescription(spoken)

    def _leave_out(self, card: WhyCard) -> None:
        """Write as many parts of a brief card as fit: an audience does not scroll."""
        room = self._browser.viewport().height()
        for most in range(MOST_BRIEF, 0, -1):
            if self._browser.document().size().height() <= room:
                return
            self._browser.setHtml(card.html(most))

    def _written(self) -> tuple[str, str, WhyCard | None]:
        """Return the card, what is spoken of it, and a brief card, which can be still shorter."""
        if self._history is not None and self._facts is not None:
            facts = self._facts
            card = WhyCard(
                self._history,
                facts,
                self._explanation,
                self._theme,
                self._label_width,
                self._problem,
                moving=self._moving,
                last=self._tells_last,
                now=self._is_seen,
                # An audience would see only the beginning of a whole card.
                brief=self.presents and self.height() < _LOW * self.fontMetrics().lineSpacing(),
                corner=self._corner if self._is_compact else None,
                frequencies=self._frequencies,
                bar_width=scaled(BAR, self._browser.font()),
                below_sentence=scaled(BELOW_SENTENCE, self._browser.font()),
                line_width=self._line_width(),
                width_of=self._width_of,
                selected=self._selected,
            )
            shorter = card if card.is_brief else None
            return card.html(), f"{card.title}. {card.sentence}", shorter
        message = why_empty(self._history)
        return f'<p style="color:{self._theme.muted}">{message}</p>', message, None

    def _width_of(self, html: str) -> float:
        """Return the pixels that a line of HTML takes in the font of the card.

        It is not laid out, which would take half a millisecond.
        """
        small = unescape(_TAG.sub("", "".join(_SMALL.findall(html))))
        other = unescape(_TAG.sub("", _SMALL.sub("", html)))
        return self._plain.horizontalAdvance(other) + self._smaller.horizontalAdvance(small)

    def _use_font(self) -> None:
        """Measure the labels, and what measures lines, in the font of the card."""
        font = self._browser.font()
        self._plain, self._smaller = QFontMetricsF(font), QFontMetricsF(resized(font, _SMALLER))
        widest = max(self._plain.horizontalAdvance(label) for label in LABELS)
        self._label_width = ceil(widest) + _LABEL_GAP

    def _line_width(self) -> int:
        """Return the pixels beside the labels, as if the bar to scroll by were in view."""
        bar = self._browser.verticalScrollBar().sizeHint().width()
        return self._browser.width() - self._label_width - bar - 2 * _MARGIN

    # -- events ----------------------------------------------------------------------------

    @Slot(int, int)
    def _on_range(self, least: int, most: int) -> None:
        """Disable a scroll bar without range: it is not drawn."""
        self._browser.verticalScrollBar().setEnabled(most > least)

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        self.tokenSelected.emit(int(link.path()))

    @property
    def _is_compact(self) -> bool:
        """Whether the beginning of a whole card would be in view, and the rest below it."""
        return self.height() < _COMPACT * self.fontMetrics().lineSpacing()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

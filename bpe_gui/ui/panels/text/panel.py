"""The text panel: a text to type, its tokens, and their ids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.errors import PatternError, PatternTimeoutError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels import jit
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.bpe.regexes import timeout
from bpe_gui.ui.panels.text import wording
from bpe_gui.ui.panels.text.token_view import (
    LONGEST_ENLARGED,
    TokenView,
    filling_scale,
    legible_scale,
    steady_scale,
)
from bpe_gui.ui.run.background import PATIENCE, BackgroundTask
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, Zoom
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.tokens.colours import legend
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.pace import DrawingPace, ReadingPace
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.text_lines import PlainText
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_SPACE = "\u00a0"
_ROWS = 11
"""Rows in the size of the panel that are in sight of a text that is too long to be seen whole."""


class Legend(QLabel):
    """Shows the steps of the scale in their colours, the least first; hidden if there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("colourLegend")
        self.setTextFormat(Qt.TextFormat.RichText)
        self._history: History | None = None
        ThemeFollower(self, self._write)

    def set_history(self, history: History | None) -> None:
        self._history = history
        self._write(theme_of(self))

    def _write(self, theme: Theme) -> None:
        steps = legend(theme.colour_by, self._history)
        fields = (
            f'<span style="background-color:{colour}; color:{theme.token_text}">'
            f"{_SPACE}{step.replace(' ', _SPACE)}{_SPACE}</span>"
            for colour, step in zip(theme.token_fills.scale, steps, strict=False)
        )
        self.setText("".join(fields))
        self.setAccessibleName(wording.colours_of(steps))
        self.setVisible(bool(steps))


_SMALLER = 0.9
"""By how much a text is made smaller until its tokens have room."""
_PADDING = 16
"""What a field needs around its lines, in pixels."""
_LEAST_PADDING = 12
"""That of the field in a low panel on the stage, where tokens need the height."""
_FRAME = 22
"""Pixels above and below what is in the panel, and between its halves."""
_LOW = 10
"""A panel on the stage of fewer lines shows no ids, and only the counts of tokens."""
_AT_ONCE = 50_000
"""Characters of a text that are tokenized within a frame."""
_SHOWN_UNSEEN = 50_000
"""Characters of a text that are also shown while the panel is hidden."""
_MERGES_AT_ONCE = 2_000
"""Merges of a run that are applied within some frames while the loops are interpreted."""


class TextPanel(Presentable, QWidget):
    """Shows the text of the user as tokens of a position, while they type.

    For any length of the text and any speed of the cursor, at most a third of the time goes
    into drawing: positions in between are left out, the last is always drawn. A long text is
    tokenized by a `task` on another thread.
    """

    idsShown = Signal(bool)
    """Whether the ids are asked for, when it changes."""
    tokenSelected = Signal(int)
    """The id of a token that the user clicked in the coloured text."""
    wordSelected = Signal(str)
    """The word at the caret, or of the token that was clicked, when it changes: as it is in the
    text, with the space that belongs to it; empty for none."""

    def __init__(self, parts: PanelParts) -> None:
        super().__init__(parts.parent)
        self.sample, self._frequencies = parts.sample_text, parts.frequencies
        self._history: History | None = None
        self._position = 0
        self._pair: tuple[int, int] | None = None
        self._moving = self._tells_last = False
        self._shown_position = 0
        self._typing = self._brief = False
        self.task = BackgroundTask("text panel", self)
        self._edited: EditedText | None = None
        """The tokens of the text; while the task is running, only its thread may touch them."""
        self._asked_text = ""
        self._copies = False
        self._problem = ""
        self._cut_ids: NDArray[np.int32] | None = None
        self._text = ""
        self._split: list[int] = []
        """The characters of the text that are shown as bytes, the first ones if it is long."""
        self._fits: tuple[object, float] = (None, inf)
        """A text with its room, and the largest size that its tokens have left it there."""
        self._fitting = False
        """Whether the size is that of a text that is still to be shown."""
        self._part = ""
        """The sentence on which part of the text is in view, of a picture that shows no more."""
        self._place = 0
        self.word = ""
        """The word at the caret, or the one that was clicked."""
        self._written_ids = ""
        self._not_in_corpus: tuple[int, list[str]] = 0, []
        self._drawing = DrawingPace(self)
        self._drawing.due.connect(self._refresh)
        self._pace = ReadingPace(self)
        self._pace.due.connect(self._write)
        self._editor = TextEditor()
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._view = TokenView(parts.motion)
        self._ids = PlainText()
        self._counts = SteadyLabel(wraps=True)
        self._colours = QPushButton("Colours")
        self._legend = Legend()
        self._show_ids = QPushButton("Ids")
        self._copy = QPushButton(wording.COPY_IDS)
        self._build()
        self._zoom = Zoom("textZoom", self, self._editor, self._view)
        RoomFollower(self._view, self._fill_room)
        self._view.verticalScrollBar().rangeChanged.connect(self._make_room)
        self._view.verticalScrollBar().rangeChanged.connect(self._write_part)
        self._view.verticalScrollBar().valueChanged.connect(self._write_part)
        self._editor.textChanged.connect(self._on_edited)
        self._view.tokenSelected.connect(self.tokenSelected)
        self._view.tokenSelected.connect(self._token_clicked)
        self._editor.cursorPositionChanged.connect(self._caret_moved)
        self._editor.document().documentLayout().documentSizeChanged.connect(self._fit_editor)
        self._copy.clicked.connect(self.copy_ids)
        self.sample.changed.connect(self._show_sample)
        self._frequencies.changed.connect(self._view.viewport().update)
        self._show_sample()

    def shown_cut(self) -> tuple[TokenizedText, History] | None:
        """Return the tokens that are shown and their run; None while the text is not tokenized."""
        return self._view.shown_cut()

    # -- what is shown ------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        self._history, self._pair = history, None
        self._legend.set_history(history)
        self._position = 0
        self._fits = None, inf
        self._fitting = True
        self._fill_room()
        self.task.drop()
        self._edited = None
        self._problem = ""
        self._typing = False
        self._refresh()
        self._find_word()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        """Tokenize with the merges before a position.

        While `moving`, counts and ids follow at 5 Hz, always both of what is shown in colour
        at that moment, and so they do while a long text is edited; a fifth of a second
        after the last change all is exact. If not `moving`, everything is exact at once, or when
        the tokens of a merge that is seen have joined.
        """
        if self._wait.holds_back(position):
            return
        self._position, self._moving = position, moving
        self._typing = False
        if moving and self._drawing.rest:
            self._drawing.ask()
        else:
            self._refresh()

    def select_token(self, token: int) -> None:
        """Mark where a token occurs in the text and bring one place into view."""
        self._pair = None
        self._view.select_token(token)

    def select_pair(self, left: int, right: int) -> None:
        """Mark where a pair occurs in the text instead of a token, and bring one place into view.

        Emits nothing.
        """
        self._view.select_token(NO_TOKEN)
        self._pair = left, right
        self._refresh()

    def mark_next(self, marks: bool) -> None:
        """Mark the tokens of the next merge, or do not tell which they are."""
        self._view.mark_next(marks)

    def tell_last(self, last: bool) -> None:
        """Say that the text is shown after the last merge, before which other panels are shown."""
        self._tells_last = last
        self._write_counts()

    @Slot(bool)
    def mark_word(self, marks: bool) -> None:
        """Mark the word that another panel explains, or mark none."""
        self._view.marks_word = marks
        self._view.viewport().update()

    def copy_ids(self) -> None:
        """Put all ids of the text on the clipboard, with spaces between them."""
        if self._drawing.waits:
            self._refresh()
        self._copies = self._being_cut
        if not self._copies:
            QGuiApplication.clipboard().setText(wording.ids_of(self._ids_of_tokens()))

    def offer_colours(self, actions: Sequence[QAction]) -> None:
        """Offer what the colours of tokens can depend on."""
        self._colours.menu().addActions(actions)
        self._leave_out()

    # -- building -----------------------------------------------------------------------

    def _build(self) -> None:
        named(self._editor, "sampleText", "Text").setPlaceholderText(wording.PLACEHOLDER)
        self._editor.setTabChangesFocus(True)
        counts = named(self._counts.label, "textCounts", tip=wording.WHY_COUNTED)
        counts.setTextFormat(Qt.TextFormat.PlainText)
        counts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(self._ids, "tokenIds", "Token ids").setReadOnly(True)
        self._ids.setTabChangesFocus(True)
        self._ids.hide()
        named(self._show_ids, "idsButton", tip=wording.IDS_TIP).setCheckable(True)
        self._show_ids.toggled.connect(self._leave_out)
        self._show_ids.toggled.connect(self.idsShown)
        named(self._colours, "coloursButton", tip=wording.COLOURS_TIP)
        self._colours.setMenu(QMenu(self))
        named(self._copy, "copyIdsButton", tip=wording.COPY_TIP)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("textSplitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._editor)
        self._below = self._cut_text()
        splitter.addWidget(self._below)
        splitter.setStretchFactor(0, 0)
        splitter.setStretchFactor(1, 1)
        filled(QVBoxLayout(self), splitter, margins=(8, 8, 8, 8))
        FontFollower(self, self._fit_lines)
        RoomFollower(self, self._leave_out)

    def _fit_lines(self) -> None:
        line = self.fontMetrics().lineSpacing()
        self._fit_editor()
        # A line of tokens, and two of what is counted in them, or one.
        self._whole_height = 4 * line + 2 * _PADDING
        least = 3 * line + 2 * _PADDING if self._brief else self._whole_height
        self._below.setMinimumHeight(least if self.presents else 0)
        self._ids.setFixedHeight(2 * line + _PADDING)

    @Slot()
    def _fit_editor(self) -> None:
        """Leave the typed text room for a line, on the stage for two if it has as many."""
        may_have_two = self.presents and not self._brief
        lines = min(2, int(self._editor.document().size().height())) if may_have_two else 1
        spacing = self._editor.fontMetrics().lineSpacing()
        padding = _LEAST_PADDING if self.presents and self._brief else _PADDING
        self._editor.setMinimumHeight(lines * spacing + 2 * padding)

    @Slot()
    def _leave_out(self) -> None:
        """Show the ids if they are asked for; hide most counts if low, on the stage also buttons.

        Counts of several lines would be cut where they have room for one.
        """
        asked = self._show_ids.isChecked()
        if self.presents:
            needed = _LOW * self.fontMetrics().lineSpacing()
        else:
            needed = self._editor.minimumHeight() + self._whole_height + _FRAME
            needed += self._ids.height() if asked else 0
        self._brief = self.height() < needed
        self._ids.setVisible(asked and not (self.presents and self._brief))
        self._show_ids.setVisible(not self.presents)
        self._copy.setVisible(not self.presents)
        self._colours.setVisible(not self.presents and not self._colours.menu().isEmpty())
        if self._counts.label.wordWrap() == self._brief:
            self._counts.set_wraps(not self._brief)
            self._fit_lines()
            self._write_counts()
        self._fit_editor()

    def _cut_text(self) -> QWidget:
        buttons = (self._colours, self._show_ids, self._copy)
        below = filled(
            QHBoxLayout(), self._counts, *buttons,
            stretched=self._counts, spacing=STYLED, margins=(2, 4, 0, 2),
        )  # fmt: skip
        for button in buttons:
            below.setAlignment(button, Qt.AlignmentFlag.AlignTop)
        whole = QWidget()
        parts = (self._view, self._legend, below, self._ids)
        filled(QVBoxLayout(whole), *parts, stretched=self._view, spacing=2)
        return whole

    @Slot()
    def _fill_room(self) -> None:
        font, room = self._zoom.font, self._view.room_for_rows()
        measure = partial(
            filling_scale, font=font, room=room,
            word_ends=self._marks_ends, presents=self.presents, whole_words=self.presents,
        )  # fmt: skip
        known, most = self._fits
        shown = self._text, self._split, font, room
        if shown != known:
            self._fits = shown, inf
            most = inf
        scale = min(most, steady_scale(measure, self._text, self._split))
        if scale <= 1:
            self._fits = shown, 1.0
        self._write_at(scale)

    def _write_at(self, scale: float) -> None:
        """Write the text so much larger, or as can be read if it is too long to be seen whole."""
        if scale <= 1 and not self.presents:
            scale = legible_scale(self.font(), self._view.room_for_rows(), _ROWS)
        self._zoom.set_extra(self._view, scale)

    @Slot()
    def _make_room(self) -> None:
        """Write smaller what is wider than its letters, as signs are that are drawn apart."""
        if self._fitting:
            return
        while self._view.overflows and self._fits[1] > 1:
            self._fits = self._fits[0], max(1.0, _SMALLER * self._zoom.extra(self._view))
            self._write_at(self._fits[1])

    @property
    def _marks_ends(self) -> bool:
        history = self._history
        return history is not None and history.recipe.end_of_word is not EndOfWord.NONE

    # -- when to draw -------------------------------------------------------------------

    @Slot()
    def _on_edited(self) -> None:
        # A burst of keystrokes is drawn once, after the events that are waiting now.
        self._typing = True
        self._drawing.ask()
        self._caret_moved()
        self.sample.set(self._editor.text())

    def showEvent(self, event: QShowEvent) -> None:
        """Show what was typed elsewhere while the panel was hidden."""
        super().showEvent(event)
        self._show_sample()

    @Slot()
    def _show_sample(self) -> None:
        """Show what was set or typed elsewhere; a long text only when it is looked at."""
        text = self.sample.text
        if text != self._editor.text() and (self.isVisible() or len(text) <= _SHOWN_UNSEEN):
            self._editor.setPlainText(text)
            self._typing = False
            self._refresh()
            self._caret_moved()

    @Slot()
    def _refresh(self) -> None:
        self._drawing.drop()
        clock = QElapsedTimer()
        clock.start()
        text = self._editor.text()
        if self._history is None:
            self._show_uncut(text)
        else:
            self._cut(text, self._history)
        self._ids.setPlaceholderText(wording.UNCUT if self._history is None else wording.IDS)
        self._note_cost(clock)

    def _note_cost(self, clock: QElapsedTimer) -> None:
        # Numbers follow what is seen; while much happens, no more often than one can read them.
        self._pace.ask(busy=self._moving or (self._typing and self._drawing.is_costly))
        self._drawing.note(clock.elapsed())

    def _cut(self, text: str, history: History) -> None:
        if self._problem and text == self._asked_text:
            return  # It is being tried, or was in vain.
        edited = self._edited if self.task.at_rest else None
        interpreted = edited is None and not jit.compiled_by_default()
        if len(text) > _AT_ONCE or (interpreted and len(history) > _MERGES_AT_ONCE):
            # What was cut before stays in view; what is being cut is followed by what is wanted.
            if not self._being_cut:
                self._ask(edited or EditedText(history, self._frequencies), text)
            return
        self.task.drop()
        self._copies = False
        self._edited = edited or EditedText(history, self._frequencies)
        try:
            with timeout(PATIENCE):
                cut = _cut_text(self._edited, text, self._position, self._pair)
        except PatternError as error:
            self._show_problem(text, as_sentence(error))
            if isinstance(error, PatternTimeoutError):
                self._ask(self._edited, text)
                self._problem = f"{as_sentence(error)} {wording.AGAIN}"
            return
        self._problem = ""
        self._draw(cut)

    def _ask(self, edited: EditedText, text: str) -> None:
        self._edited, self._asked_text, self._problem = edited, text, ""
        position, pair = self._position, self._pair
        self.task.ask(
            lambda job: _cut_text(edited, text, position, pair), self._on_cut, self._on_failed
        )

    @property
    def _being_cut(self) -> bool:
        return not self.task.at_rest and not self._problem

    def _on_cut(self, late: _Cut) -> None:
        clock = QElapsedTimer()
        clock.start()
        self._problem = ""
        self._draw(late)
        self._find_word()
        self._note_cost(clock)
        if self._copies:
            self.copy_ids()
        wanted = self._position, self._pair, self._editor.text()
        if (late.position, late.pair, self._text) != wanted:
            self._drawing.ask()

    def _on_failed(self, sentence: str) -> None:
        self._show_problem(self._asked_text, sentence)
        self._write()

    def _draw(self, cut: _Cut) -> None:
        assert self._history is not None
        self._set_text(cut.text.characters.text, cut.text.split[:LONGEST_ENLARGED].tolist())
        self._view.set_cut(cut.text, self._history, cut.position, cut.merging)
        self._view.mark_pair(cut.pair, cut.of_pair)
        self._fitting = False
        self._make_room()
        self._cut_ids, self._not_in_corpus = cut.text.ids, cut.not_in_corpus
        self._shown_position = cut.position
        if self._typing:
            self._view.show_character(self._place)

    def _show_problem(self, text: str, sentence: str) -> None:
        self._problem, self._asked_text = sentence, text
        self._show_uncut(text)

    def _show_uncut(self, text: str) -> None:
        self._cut_ids = None
        self._set_text(text)
        self._view.set_uncut(text)
        self._fitting = False

    def _set_text(self, text: str, split: Sequence[int] = ()) -> None:
        """Take the text that is shown, and the places of its characters that are in bytes."""
        if text != self._text or list(split) != self._split:
            self._text, self._split = text, list(split)
            self._fitting = True
            self._fill_room()

    # -- the word that is pointed at ----------------------------------------------------

    @Slot()
    def _caret_moved(self) -> None:
        """Find the word before the caret, or after white space the one behind it."""
        text, place = self._editor.text(), self._editor.caret()
        behind = place > 0 and (place == len(text) or not text[place - 1].isspace())
        self._place = place - 1 if behind else place
        if text == self._text:
            self._view.show_character(self._place)
            self._find_word()
        # Else the text is not tokenized yet; the word is found when it is.

    @Slot()
    def _token_clicked(self) -> None:
        # What was clicked is a place in the text that is drawn, if another is typed already.
        self._place = self._view.current_character()
        self._find_word()

    def _find_word(self) -> None:
        if self._being_cut:
            return  # It is looked for when the text is cut.
        first = last = 0
        if self._edited is not None and not self._problem:
            first, last = self._edited.word_span(self._place)
        word = self._text[first:last]
        # The only word needs no mark.
        self._view.mark_word(*(first, last) if word != self._text.strip() else (0, 0))
        if word != self.word:
            self.word = word
            self.wordSelected.emit(word)

    # -- counts and ids -----------------------------------------------------------------

    @Slot()
    def _write(self) -> None:
        self._find_word()
        self._write_counts()
        self._write_ids()

    @Slot()
    def _write_part(self) -> None:
        """Say anew which part of the text a picture shows."""
        if self._view.part_in_view() != self._part:
            self._write_counts()

    def _write_counts(self) -> None:
        self._part = self._view.part_in_view()
        if self._being_cut and self._asked_text != self._text:
            counts = f"{wording.counts_of(self._asked_text, None)}   tokenizing…"
        else:
            counts = wording.counts_of(
                self._text, self._cut_ids, brief=self._brief, marks_ends=self._marks_ends
            )
            tells = self._tells_last and self._cut_ids is not None and not self._brief
            if tells and self._shown_position:
                counts = f"{counts}   {wording.after_merge(self._shown_position)}"
            if self._says_not_in_corpus:
                counts = f"{counts}   {wording.not_in_corpus(*self._not_in_corpus)}"
        if self._problem:
            counts = self._problem if self._brief else f"{counts}   \n{self._problem}"
        elif self._part and not self._brief:
            counts = f"{counts}   \n{self._part}"
        self._counts.set_text(counts)

    @property
    def _says_not_in_corpus(self) -> bool:
        """Whether there are words to explain; in a film, the letters would be smaller from here."""
        films = self._view.is_pictured and not self.is_still
        tokenized = self._cut_ids is not None
        return tokenized and self._not_in_corpus[0] > 0 and not self._brief and not films

    def _ids_of_tokens(self) -> NDArray[np.int32]:
        if self._cut_ids is None or self._history is None:
            return np.empty(0, np.int32)
        return self._history.own_ids(self._cut_ids)

    def _write_ids(self) -> None:
        written = wording.first_ids_of(self._ids_of_tokens())
        if written != self._written_ids:
            self._written_ids = written
            self._ids.setPlainText(written)
        self._copy.setEnabled(bool(written))


class _Cut(NamedTuple):
    """A text as it is tokenized at a position, and which tokens the next merge puts together.

    pair: the one that is selected, if one is; of_pair: which tokens are in it.
    not_in_corpus: how many words take several tokens where every word of the corpus is a single
    one, and the first of these words.
    """

    position: int
    text: TokenizedText
    merging: NDArray[np.bool_]
    pair: tuple[int, int] | None
    of_pair: NDArray[np.bool_]
    not_in_corpus: tuple[int, list[str]]


def _cut_text(
    edited: EditedText, text: str, position: int, pair: tuple[int, int] | None
) -> _Cut:
    edited.edit(text)
    cut, merging = edited.cut(position), edited.merging(position)
    of_pair = edited.tokens_of(pair, position)
    split = edited.words_not_in_corpus(position, wording.MOST_SPLIT)
    return _Cut(position, cut, merging, pair, of_pair, split)

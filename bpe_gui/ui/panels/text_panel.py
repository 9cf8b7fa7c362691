"""The text panel: a text to type, how it is cut into tokens, and their ids."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.patterns import watched
from bpe_gui.bpe.recipe_error import PatternError, PatternTimeoutError
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.ui.late_work import PATIENCE
from bpe_gui.ui.panels.token_view import TokenView
from bpe_gui.ui.reading_pace import ReadingPace
from bpe_gui.ui.sentences import as_sentence
from bpe_gui.ui.steady_label import SteadyLabel
from bpe_gui.ui.theme import Theme
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.tokens.text_editor import TextEditor

DEFAULT_TEXT = (
    "newest snow settled low in widest rows\n"
    "In 1994 a short rule began to cut words. Где? 在哪里？ Everywhere 🙂"
)
"""What stands in the panel at first: a line in the letters of the smallest sample, and more."""

_PLACEHOLDER = "Type or paste any text, and watch it being cut into tokens"
_IDS_PADDING = 16
"""What the field of the ids needs around two lines of them."""
_IDS = "The ids of the tokens"
_UNCUT = "Not cut yet: train on a corpus, and each token gets a colour."
_SHOWN_IDS = 300
"""Laying out more of them would take longer than a frame lasts."""
_CHEAP_MILLISECONDS = 6
_SMALLEST_TEXT, _LARGEST_TEXT = 6.0, 60.0


class TextPanel(QWidget):
    """Shows a text of the user's, cut into the tokens of a position, as they type.

    However long the text is and however fast positions come, at most a third of the time
    goes into drawing them: what comes in between is left out, the last is always drawn.
    """

    tokenSelected = Signal(int)
    """The id of a token that the user clicked in the coloured text."""
    wordSelected = Signal(str)
    """The pre-tokenized word at the caret, or of the token that was clicked: when it changes.
    As it stands in the text, with the space that belongs to it; empty for none."""
    lateCutWanted = Signal(object)
    """A regex of the recipe takes longer than the window can wait: a function to be called on
    another thread, whose result `set_late_cut` takes, or `set_problem` why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._position = 0
        self._live = False
        self._typing = False
        self._trace: EditedText | None = None
        self._problem = ""
        self._problem_of = ""
        self._tokens: Tokens | None = None
        self._text = ""
        self._place = 0
        self._word = ""
        self._written_ids = ""
        self._cost = 0
        self._since_refresh = QElapsedTimer()
        self._later = self._single_shot(self._refresh)
        self._pace = ReadingPace(self)
        self._pace.due.connect(self._write)
        self._editor = TextEditor()
        self._view = TokenView()
        self._ids = QPlainTextEdit()
        self._counts = SteadyLabel(wraps=True)
        self._copy = QPushButton("Copy ids")
        self._build()
        self._set_text_size(self.font().pointSizeF() * 1.1)
        self._editor.textChanged.connect(self._edited)
        self._editor.zoomed.connect(self._zoom)
        self._view.zoomed.connect(self._zoom)
        self._view.tokenSelected.connect(self.tokenSelected)
        self._view.tokenSelected.connect(self._token_clicked)
        self._editor.cursorPositionChanged.connect(self._caret_moved)
        self._copy.clicked.connect(self.copy_ids)
        self.set_text(DEFAULT_TEXT)

    # -- what is shown ------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Cut with another run from its start, or not at all."""
        self._history = history
        self._position = 0
        self._trace = None
        self._problem = ""
        self._typing = False
        self._refresh()
        self._find_word()

    def show_position(self, position: int, live: bool) -> None:
        """Cut with the merges before a position.

        While `live`, counts and ids follow at 5 Hz, always both of what is shown in colour
        at that moment, and so they do while a long text is edited; a fifth of a second
        after the last change all is exact. If not `live`, everything is exact at once.
        """
        self._position, self._live = position, live
        self._typing = False
        wait = self._rest() if live else 0
        if wait:
            self._refresh_in(wait)
        else:
            self._refresh()

    @Slot(object)
    def set_late_cut(self, cut: EditedText) -> None:
        """Take what was asked for by `lateCutWanted`, if it is of the text as it is now."""
        if cut.history is self._history and cut.text == self._problem_of == self._text:
            self._trace, self._problem = cut, ""
            self._refresh()
            self._find_word()

    @Slot(str)
    def set_problem(self, sentence: str) -> None:
        """Say why the text that was asked for by `lateCutWanted` cannot be cut."""
        if self._problem:
            self._problem = sentence
            self._write()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._view.set_theme(theme)

    def select_token(self, token: int) -> None:
        """Mark where a token occurs in the text and bring one place into view."""
        self._view.select_token(token)

    def text(self) -> str:
        """The text as it stands in the editor, with `\\n` between lines."""
        return self._editor.text()

    def set_text(self, text: str) -> None:
        """Replace the text, and cut the new one at once."""
        self._editor.setPlainText(text)
        self._typing = False
        self._refresh()
        self._caret_moved()

    def copy_ids(self) -> None:
        """Put all ids of the text on the clipboard, with spaces between them."""
        self._refresh_if_late()
        QGuiApplication.clipboard().setText(_written(self._ids_of_tokens()))

    # -- building -----------------------------------------------------------------------

    def _single_shot(self, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    def _build(self) -> None:
        self._editor.setObjectName("sampleText")
        self._editor.setPlaceholderText(_PLACEHOLDER)
        self._editor.setAccessibleName("Text")
        self._editor.setTabChangesFocus(True)
        self._view.setObjectName("tokenView")
        counts = self._counts.label
        counts.setObjectName("textCounts")
        counts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._ids.setObjectName("tokenIds")
        self._ids.setReadOnly(True)
        self._ids.setAccessibleName("Token ids")
        self._ids.setTabChangesFocus(True)
        self._copy.setObjectName("copyIdsButton")
        self._copy.setToolTip("Copy the ids of all tokens of the text")
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._editor)
        splitter.addWidget(self._cut_text())
        splitter.addWidget(self._ids)
        for part, stretch in enumerate((2, 6, 1)):
            splitter.setStretchFactor(part, stretch)
        self._editor.setMinimumHeight(44)
        self._ids.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + _IDS_PADDING)
        splitter.setSizes([96, 300, 64])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(splitter)

    def _cut_text(self) -> QWidget:
        """The coloured text, what is counted in it, and the button for its ids."""
        below = QHBoxLayout()
        below.setContentsMargins(2, 4, 0, 2)
        below.addWidget(self._counts, 1)
        below.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._view, 1)
        column.addLayout(below)
        return whole

    @Slot(int)
    def _zoom(self, steps: int) -> None:
        self._set_text_size(self._view.font().pointSizeF() * 1.1**steps)

    def _set_text_size(self, points: float) -> None:
        font = self.font()
        font.setPointSizeF(min(max(points, _SMALLEST_TEXT), _LARGEST_TEXT))
        self._editor.setFont(font)
        self._view.setFont(font)

    # -- when to draw -------------------------------------------------------------------

    @Slot()
    def _edited(self) -> None:
        # A burst of keystrokes is drawn once, after the events that are waiting now.
        self._typing = True
        self._refresh_in(self._rest())
        self._caret_moved()

    def _rest(self) -> int:
        """Milliseconds until drawing again leaves two thirds of the time to the rest."""
        if self._cost <= _CHEAP_MILLISECONDS or not self._since_refresh.isValid():
            return 0
        return max(0, 2 * self._cost - self._since_refresh.elapsed())

    def _refresh_in(self, milliseconds: int) -> None:
        if not self._later.isActive() or self._later.remainingTime() > milliseconds:
            self._later.start(milliseconds)

    def _refresh_if_late(self) -> None:
        if self._later.isActive():
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """Cut the text as it is now and draw everything that has changed."""
        self._later.stop()
        clock = QElapsedTimer()
        clock.start()
        text = self._editor.text()
        if self._history is None:
            self._text, self._tokens, self._trace = text, None, None
            self._view.set_uncut(text)
        else:
            self._cut(text, self._history)
        self._ids.setPlaceholderText(_UNCUT if self._history is None else _IDS)
        # While much happens, no more often than one can read them.
        self._pace.ask(busy=self._live or (self._typing and self._cost > _CHEAP_MILLISECONDS))
        self._cost = clock.elapsed()
        self._since_refresh.start()

    def _cut(self, text: str, history: History) -> None:
        self._text = text
        if self._problem and text == self._problem_of:
            return  # It is being tried, or was in vain.
        if self._trace is None:
            self._trace = EditedText(history)
        try:
            with watched(PATIENCE):
                self._trace.edit(text)
        except PatternError as error:
            self._put_off(text, history, error)
            return
        self._problem = ""
        self._tokens = self._trace.tokens(self._position)
        self._view.set_tokens(text, self._tokens, history, self._position)
        if self._typing:
            self._view.show_character(self._place)

    def _put_off(self, text: str, history: History, error: PatternError) -> None:
        """Show the text uncut, and have it cut where nobody has to wait for it."""
        self._problem, self._problem_of = as_sentence(error), text
        self._tokens = None
        self._view.set_uncut(text)
        if isinstance(error, PatternTimeoutError):
            self._problem = f"{self._problem} It is being tried for longer."
            self.lateCutWanted.emit(partial(EditedText.of, history, text))

    # -- the word that is pointed at ----------------------------------------------------

    @Slot()
    def _caret_moved(self) -> None:
        """The caret is at the word before it, but after white space at the one that comes."""
        text, place = self._editor.text(), self._editor.caret()
        behind = place > 0 and (place == len(text) or not text[place - 1].isspace())
        self._place = place - 1 if behind else place
        if text == self._text:
            self._view.show_character(self._place)
            self._find_word()
        # Else the text is yet to be cut, and the word is looked for when that is told of.

    @Slot()
    def _token_clicked(self) -> None:
        # What was clicked is a place in the text that is drawn, if another is typed already.
        self._place = self._view.current_character()
        self._find_word()

    def _find_word(self) -> None:
        """The word of the text that is cut."""
        word = ""
        if self._trace is not None and not self._problem:
            word = self._trace.word_at(self._place)
        if word != self._word:
            self._word = word
            self.wordSelected.emit(word)

    # -- counts and ids -----------------------------------------------------------------

    @Slot()
    def _write(self) -> None:
        """Write counts and ids, and tell of the word at the caret where the text is new."""
        if self._typing:
            self._find_word()
        self._write_counts()
        self._write_ids()

    def _write_counts(self) -> None:
        size = len(self._text.encode("utf-8"))
        counts = [_counted(len(self._text), "character"), _counted(size, "byte")]
        if self._tokens is not None:
            tokens = len(self._tokens)
            counts.append(_counted(tokens, "token"))
            if tokens:
                counts.append(f"{size / tokens:.2f}\u00a0bytes\u00a0per\u00a0token")
            unknown = int(np.count_nonzero(self._tokens.ids == NO_TOKEN))
            if unknown:
                counts.append(f"{unknown:,}\u00a0not\u00a0in\u00a0the\u00a0alphabet")
        if self._problem:
            counts.append(f"\n{self._problem}")
        self._counts.set_text("   ".join(counts))

    def _ids_of_tokens(self) -> NDArray[np.int32]:
        return np.empty(0, np.int32) if self._tokens is None else self._tokens.ids

    def _write_ids(self) -> None:
        ids = self._ids_of_tokens()
        written = _written(ids[:_SHOWN_IDS])
        if len(ids) > _SHOWN_IDS:
            written += f" … and {len(ids) - _SHOWN_IDS:,} more: “Copy ids” copies all"
        if written != self._written_ids:
            self._written_ids = written
            self._ids.setPlainText(written)
        self._copy.setEnabled(len(ids) > 0)


def _counted(count: int, what: str) -> str:
    return f"{count:,}\u00a0{what}" if count == 1 else f"{count:,}\u00a0{what}s"


def _written(ids: NDArray[np.int32]) -> str:
    """Ids with spaces between them; a question mark where the vocabulary has no token."""
    return " ".join(map(str, ids.tolist())).replace(str(NO_TOKEN), "?")

"""A guessing game for an audience: which pair is merged next?"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.guess import wording
from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.game import (
    MOST_CANDIDATES,
    Given,
    Guesses,
    Question,
    question_at,
    replayed,
)
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.tokens.token_words import merge_name
from bpe_gui.ui.widgets.keyboard import KeyClaim
from bpe_gui.ui.widgets.labels import ElidingLabel, SteadyLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.workspaces.panel import BasePanel

_SHORT_MOVE_MILLISECONDS = 250
"""A movement that ends sooner leads from one question to the next without a word between."""
_LARGEST_TEXT = 36
"""Pixels of what is written around the board, for plain text."""
_LOW, _CLOSE = 13, 18
"""Heights of the panel, in heights of its text, from which it has buttons, and whole sentences."""
_SENTENCE_LINES = 3
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ANSWERS = tuple(Qt.Key(Qt.Key.Key_1 + index) for index in range(MOST_CANDIDATES))
_KEYS = _ENTER | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_R, *_ANSWERS}


class GuessPanel(BasePanel):
    """Covers the next merge, offers candidates and reveals the answer.

    The keys 1 to 4 answer, or Up and Down with Enter, or a click; R reveals without a guess.
    After that Enter goes on, and a number selects the newer token of its pair. A question
    that was answered in a run stays answered; each run has its own score, until it is reset.
    A low panel says less, beside its buttons; a lower one has none, and shows the score beside the
    question.
    """

    answered = Signal(int, bool)
    """A question was answered: its position, and whether the answer was right."""
    changed = Signal()
    """Answers were given or forgotten, or the questions are held back."""
    stepWanted = Signal()
    """The user wants the next question: the cursor is to go one merge on."""

    room = QSize(380, 440)
    least_room = QSize(280, 136)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("guessPanel", wording.TITLE, parent)
        self._moving = self._low = self._close = False
        self.is_held = False
        """Whether the next merge is covered without being asked for: see `hold`."""
        self._asks = True
        self._played: WeakKeyDictionary[History, Guesses] = WeakKeyDictionary()
        self._guesses = Guesses()
        self._title, self._beside = QLabel(self), ElidingLabel(self)
        self._sentence = QLabel(self, wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self._board = GuessBoard(self)
        self._board.candidateClicked.connect(self._answer)
        self._board.tokenClicked.connect(self.tokenSelected)
        self._foot = QWidget(self)
        self._row = QHBoxLayout(self._foot)
        self._score = SteadyLabel(self._foot)
        self._buttons: list[QPushButton] = []
        self._long_move = QTimer(self, singleShot=True, interval=_SHORT_MOVE_MILLISECONDS)
        self._long_move.timeout.connect(self._show)
        self._lay_out()
        self._show()
        self._fit()
        RoomFollower(self, self._fit)
        KeyClaim(self, _KEYS)

    def _lay_out(self) -> None:
        for label in (self._title, self._beside, self._sentence):
            label.setTextFormat(Qt.TextFormat.PlainText)
        quiet(self._beside)
        self._beside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # After the wrapping, which would have the layout ask for the height of each sentence.
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._sentence.setContentsMargins(10, 0, 10, 0)
        parts, margins = (self._title, self._beside), (10, 6, 10, 4)
        top = filled(QHBoxLayout(), *parts, stretched=self._beside, spacing=STYLED, margins=margins)
        named(self._score.label, "guessScore", "Score")
        # As high as the buttons, also while it is empty.
        self._score.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        score, margins = self._score, (10, 2, 10, 8)
        filled(self._row, score, stretched=score, spacing=6, margins=margins)
        self._reveal = self._button("guessReveal", wording.REVEAL, self.reveal)
        self._next = self._button("guessNext", wording.NEXT_QUESTION, self.stepWanted)
        self._anew = self._button("guessReset", wording.RESET, self.start_over)
        # The last one that Tab reaches.
        self._row.insertWidget(1, self._anew)
        self.fill(top, self._board, self._sentence, self._foot, main=self._board)

    def _button(self, name: str, words: tuple[str, str], clicked: object) -> QPushButton:
        text, tip = words
        button = named(QPushButton(text, self._foot), name, text, tip)
        # A click leaves the keys to the board.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    # -- what is shown --------------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._moving = False
        self._guesses = self._guesses_of(history) if history is not None else Guesses()
        self._show()

    def show_position(self, position: int, moving: bool) -> None:
        """Ask for the merge at a position. Raises IndexError outside 0..len(history).

        While the cursor moves fast (`moving`) nothing is asked; the next question comes when
        it stops.
        """
        if self._history is None:
            return
        if not 0 <= position <= len(self._history):
            raise IndexError(f"position {position} is outside 0..{len(self._history)}")
        self._position = position
        if not moving:
            self._moving = False
            self._show()
        elif not self._moving:
            self._moving = True
            self._long_move.start()
            self._enable()

    def select_token(self, token: int) -> None:
        self._board.select_token(token)

    def given(self, history: History) -> tuple[Given, ...]:
        """Return the answers in a run, in their order: positions, and the pairs guessed there."""
        return self._guesses_of(history).given

    def _guesses_of(self, history: History) -> Guesses:
        return self._played.setdefault(history, Guesses())

    @Slot(object, object)
    def carry(self, source: History, target: History) -> None:
        """Copy the answers of a run, with their score, to one that does its merges once more."""
        self._played[target] = self._guesses_of(source)

    def bring_back(self, history: History, given: Iterable[Given]) -> None:
        """Restore the answers that were given in a run, with their score.

        Pairs that were never offered there are left out.
        """
        self._played[history] = replayed(history, given)
        if history is self._history:
            self._guesses = self._played[history]
            self._show()
        self.changed.emit()

    def is_open(self, history: History | None, position: int) -> bool:
        """Return whether the question at a position is not answered yet, or is held back."""
        if history is None or self.is_held:
            return history is not None
        if not 0 <= position <= len(history) or self._guesses_of(history).is_revealed(position):
            return False
        return question_at(history, position) is not None

    def hold(self, held: bool) -> None:
        """Cover the next merge without asking for it, or ask for it."""
        if held != self.is_held:
            self.is_held = held
            self._show()
            self.changed.emit()

    def set_asks(self, asks: bool) -> None:
        """Show the whole question, or only its candidates while a tour asks and reveals."""
        self._asks = asks
        self._fit()

    @property
    def covers(self) -> bool:
        """Whether the next merge is being guessed, so that no other panel may show it."""
        return self.is_open(self._history, self._position)

    @property
    def _question(self) -> Question | None:
        return self._board.question

    @property
    def _revealed(self) -> bool:
        return self._guesses.is_revealed(self._position)

    @property
    def _is_covered(self) -> bool:
        """Whether a question is shown that can be answered now."""
        return self._question is not None and not self._revealed and not self._moving

    @property
    def guessed(self) -> int | None:
        """The index of the candidate that was guessed at the cursor; None if none was."""
        pair = self._guesses.guessed(self._position)
        if pair is None or self._question is None:
            return None
        return self._question.index_of(*pair)

    @Slot()
    def _show(self) -> None:
        self._long_move.stop()
        history, question = self._history, None
        if history is not None and not self._moving and not self.is_held:
            question = question_at(history, self._position)
        if history is not None and question is not None:
            pair = self._guesses.guessed(self._position)
            guessed = question.index_of(*pair) if pair is not None else None
            self._board.show_question(history, question, revealed=self._revealed, guessed=guessed)
        else:
            self._board.show_message(self._message)
        self._enable()
        self._anew.setVisible(self._guesses.any)
        self._write()

    @property
    def _message(self) -> str:
        if self.is_held:
            return wording.HELD
        return (
            wording.MOVING if self._moving else wording.no_question(self._history, self._position)
        )

    def _write(self) -> None:
        history, question, score = self._history, self._question, str(self._guesses.score)
        title = sentence = beside = ""
        if history is None or question is None:
            spoken = self._message
        elif self._revealed:
            title = wording.verdict(question, self.guessed)
            sentence = self._reason(history, question)
            beside = score if self._low else merge_name(question.position)
            spoken = wording.spoken_answer(history, question, self.guessed, score)
        else:
            fits = self._fits(wording.QUESTION, "")
            title = wording.QUESTION if fits else wording.SHORT_QUESTION
            sentence = wording.hint(question)
            beside = "" if self._low else merge_name(question.position)
            spoken = wording.spoken_question(history, question, self._board.current)
        self._title.setText(title)
        # The name of the merge is not worth a few of its letters.
        self._beside.setText(beside if self._fits(title, beside) else "")
        self._sentence.setText(sentence)
        # In little height not all of it is in sight.
        self._sentence.setToolTip(sentence)
        self.setAccessibleDescription(spoken)
        self._board.describe(spoken)
        self._write_score(sentence if self._in_one_line else "")

    def _fits(self, title: str, beside: str) -> bool:
        """Tell whether a title and what is beside it have room in one line."""
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        parts = [(self._title, title)]
        if beside:
            parts.append((self._beside, f"  {beside}"))
        needed = sum(QFontMetrics(part.font()).horizontalAdvance(text) for part, text in parts)
        return needed <= room

    @property
    def _in_one_line(self) -> bool:
        """Whether the sentence is beside the buttons, after the score."""
        return self._close and not self._foot.isHidden()

    def _reason(self, history: History, question: Question) -> str:
        sentence = wording.reason(history, question)
        label, wrap = self._sentence, Qt.TextFlag.TextWordWrap
        margins = label.contentsMargins()
        room = QRect(0, 0, self.width() - margins.left() - margins.right(), 0)
        needed = label.fontMetrics().boundingRect(room, wrap, sentence).height()
        fits = not self._close and needed <= label.height()
        return sentence if fits else wording.short_reason(history, question)

    def _write_score(self, sentence: str) -> None:
        score = self._guesses.score
        words, short = (
            " · ".join(filter(None, (text, sentence))) for text in (str(score), score.short)
        )
        room = self.width() - self._width_of(b for b in self._buttons if not b.isHidden())
        fits = self._score.label.fontMetrics().horizontalAdvance(words) <= room
        self._score.set_text(words if fits else short)
        self._score.label.setToolTip("" if fits else words)

    def _width_of(self, buttons: Iterable[QPushButton]) -> int:
        """Return the width that buttons take, with what is around them."""
        margins, spacing = self._row.contentsMargins(), self._row.spacing()
        widths = (button.sizeHint().width() + spacing for button in buttons)
        return margins.left() + margins.right() + sum(widths)

    def _enable(self) -> None:
        if any(button.hasFocus() for button in self._buttons):
            # A button that is switched off would pass the focus to another panel.
            self._board.setFocus()
        self._reveal.setEnabled(self._is_covered)
        can_go_on = (
            self._history is not None
            and not (self._is_covered or self._moving or self.is_held)
            and next_pair(self._history, self._position) is not None
        )
        self._next.setEnabled(can_go_on)
        self._next.setDefault(can_go_on)

    # -- playing --------------------------------------------------------------------------------

    @Slot(int)
    def _answer(self, index: int) -> None:
        question = self._question
        if question is None or not self._is_covered:
            return
        right = self._guesses.guess(question, index)
        self._show()
        self.changed.emit()
        self.answered.emit(question.position, right)

    @Slot()
    def reveal(self) -> None:
        """Give the answer without a guess. The score stays as it is."""
        if self._question is not None and not self._moving:
            self._guesses.reveal(self._question.position)
            self._show()
            self.changed.emit()

    @Slot()
    def start_over(self) -> None:
        """Forget what was answered in this run, and the score: for another audience."""
        self._guesses.clear()
        self._show()
        self.changed.emit()

    def choose(self, index: int) -> None:
        """Answer with a candidate by its number; later, select its newer token."""
        question = self._question
        if question is None or self._moving or index >= len(question.candidates):
            return
        if self._revealed:
            candidate = question.candidates[index]
            self.tokenSelected.emit(max(candidate.left, candidate.right))
        else:
            self._answer(index)

    def _enter(self) -> None:
        if self._next.isEnabled():
            self.stepWanted.emit()
        elif self._board.current is not None:
            self._answer(self._board.current)

    def _move(self, by: int) -> None:
        question, current = self._question, self._board.current
        if question is None or not self._is_covered:
            return
        last = len(question.candidates) - 1
        if current is None:
            current = -1 if by > 0 else last + 1
        self._board.current = max(0, min(current + by, last))
        self._board.viewport().update()
        self._write()

    # -- events ---------------------------------------------------------------------------------

    def is_played_by(self, event: QKeyEvent) -> bool:
        """Return whether a key is one of the game alone: a number, or R."""
        return _is_plain(event) and event.key() in (*_ANSWERS, Qt.Key.Key_R)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Play by the keyboard. A key held down counts once, except Up and Down."""
        key = event.key()
        if not _is_plain(event) or key not in _KEYS:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(1 if key == Qt.Key.Key_Down else -1)
        elif event.isAutoRepeat():
            event.accept()
        elif key in _ENTER:
            self._enter()
        elif key == Qt.Key.Key_R:
            self.reveal()
        else:
            self.choose(key - Qt.Key.Key_1)

    def _fit(self) -> None:
        """Let texts and buttons grow with the panel; keys do all that buttons do in a small one."""
        text = QFontInfo(self.font()).pixelSize()
        self._low, self._close = (self.height() < least * text for least in (_LOW, _CLOSE))
        font = self.title_font(_LARGEST_TEXT)
        for widget in (self._beside, self._sentence, self._score.label, *self._buttons):
            widget.setFont(font)
        lines = 1 if self._close else _SENTENCE_LINES
        self._sentence.setFixedHeight(lines * QFontMetrics(font).lineSpacing() + 4)
        bold = QFont(font)
        bold.setBold(True)
        self._title.setFont(bold)
        # As high without a text as with one, so that nothing moves.
        for label in (self._title, self._beside):
            label.setFixedHeight(QFontMetrics(bold).lineSpacing())
        # For all of them: one comes with the first guess.
        has_room = not self._low and self._width_of(self._buttons) <= self.width()
        self._foot.setVisible(self._asks and has_room)
        for part in (self._title, self._beside):
            part.setVisible(self._asks)
        self._sentence.setVisible(self._asks and not self._in_one_line)
        self._write()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._long_move.isActive():
            self._show()
        super().hideEvent(event)


def _is_plain(event: QKeyEvent) -> bool:
    allowed = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
    return not event.modifiers() & ~allowed

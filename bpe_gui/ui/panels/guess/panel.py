"""A guessing game for an audience: which pair is merged next?"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontInfo, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.guess import wording
from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.game import (
    MOST_CANDIDATES,
    Games,
    Given,
    Guesses,
    Question,
    question_at,
)
from bpe_gui.ui.panels.guess.wording import (
    HELD,
    MOVING,
    no_question,
    spoken_answer,
    spoken_question,
)
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.workspaces.panel import BasePanel

_SHORT_MOVE_MILLISECONDS = 250
"""A movement that ends sooner leads from one question to the next without a word between."""
_LARGEST_TEXT = 36
"""Pixels of the score and the buttons, for plain text."""
_LOW = 13
"""Heights of the text in that of the panel, from which on there is room for buttons."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ANSWERS = tuple(Qt.Key(Qt.Key.Key_1 + index) for index in range(MOST_CANDIDATES))
_KEYS = _ENTER | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_R, *_ANSWERS}


class GuessPanel(BasePanel):
    """The next merge is covered, candidates are offered, the answer is revealed.

    The keys 1 to 4 answer, or Up and Down with Enter, or a click; R reveals without a guess.
    After that Enter goes on, and a number selects the newer token of its pair. A question
    that was answered in a run stays so; each run has its own score, until it is started over.
    Where there is little height the board has that of the buttons, and tells the score.
    """

    answered = Signal(int, bool)
    """A question was answered: its position, and whether the answer was right."""
    changed = Signal()
    """Answers were given or forgotten, or the questions are held back."""
    stepWanted = Signal()
    """The user wants the next question: the cursor is to go one merge on."""
    tokenSelected = Signal(int)
    """The id of a token that the user selected in a revealed pair."""

    room = QSize(380, 440)
    least_room = QSize(280, 200)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("guessPanel", "Guess the next merge", parent)
        self._question: Question | None = None
        self._moving = self._held = False
        self._asks = True
        self._games = Games()
        self._guesses = Guesses()
        self._board = GuessBoard(self)
        self._board.setObjectName("guessBoard")
        self._board.candidateClicked.connect(self._answer)
        self._board.tokenClicked.connect(self.tokenSelected)
        self._board.resized.connect(self._scale)
        self._foot = QWidget(self)
        self._row = QHBoxLayout(self._foot)
        self._row.setSpacing(6)
        self._score = SteadyLabel(self._foot)
        self._score.label.setObjectName("guessScore")
        self._score.label.setAccessibleName("Score")
        # As high as the buttons: there is no text yet that would tell its height.
        self._score.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._row.addWidget(self._score, 1)
        self._buttons: list[QPushButton] = []
        self._reveal = self._button("guessReveal", wording.REVEAL, self.reveal)
        self._next = self._button("guessNext", wording.NEXT_QUESTION, self.stepWanted)
        self._anew = self._button("guessReset", wording.RESET, self.start_over)
        # Tab comes to it last.
        self._row.insertWidget(1, self._anew)
        self._long_move = QTimer(self, singleShot=True, interval=_SHORT_MOVE_MILLISECONDS)
        self._long_move.timeout.connect(self._show)
        self.fill(self._board, self._foot, main=self._board)
        self._scale()
        self._board.setAccessibleName(self.accessibleName())
        self._show()

    def _button(self, name: str, words: tuple[str, str], clicked: object) -> QPushButton:
        text, tip = words
        button = QPushButton(text, self._foot)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setToolTip(tip)
        # A click leaves the keys to the board.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    # -- what is shown --------------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Play with another run from its start, or with none."""
        super().set_history(history)
        self._moving = False
        self._guesses = self._games.of(history) if history is not None else Guesses()
        self._show()

    def show_position(self, position: int, moving: bool) -> None:
        """Ask for the merge at a position. Raises IndexError outside 0..len(history).

        While the cursor moves fast (`moving`) nothing is asked; the next question comes when
        it stands still.
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
        """Underline a token wherever it takes part in a pair. Emits nothing."""
        self._board.select_token(token)

    def given(self, history: History) -> tuple[Given, ...]:
        """The answers in a run, in their order: positions, and the pairs that were guessed."""
        return self._games.of(history).given

    @Slot(object, object)
    def carry(self, source: History, target: History) -> None:
        """Have the answers of a run, with their score, in one that does its merges once more."""
        self._games.carry(source, target)

    def bring_back(self, history: History, given: Iterable[Given]) -> None:
        """Take up the answers that were given in a run, with their score.

        What was never offered there is passed over.
        """
        self._games.bring_back(history, given)
        if history is self._history:
            self._guesses = self._games.of(history)
            self._show()
        self.changed.emit()

    def is_open(self, history: History | None, position: int) -> bool:
        """Whether a question at a position of a run is not answered yet, or is held back."""
        return history is not None and (self._held or self._games.is_open(history, position))

    def hold(self, held: bool) -> None:
        """Cover the next merge and ask for nothing yet, or ask for it."""
        if held != self._held:
            self._held = held
            self._show()
            self.changed.emit()

    def set_asks(self, asks: bool) -> None:
        """Put the question, or show its candidates alone: somebody else asks, and reveals."""
        self._board.set_asks(asks)
        self._asks = asks
        self._share()
        self._scale()

    @property
    def covers(self) -> bool:
        """Whether the next merge is being guessed, so that no other panel should tell it."""
        return self.is_open(self._history, self._position)

    @property
    def _revealed(self) -> bool:
        return self._guesses.is_revealed(self._position)

    @property
    def guessed(self) -> int | None:
        """The number of the candidate that was guessed at the cursor, from 0; None if none was."""
        pair = self._guesses.guessed(self._position)
        if pair is None or self._question is None:
            return None
        return self._question.index_of(*pair)

    @Slot()
    def _show(self) -> None:
        self._long_move.stop()
        history = self._history
        self._question = None
        if history is not None and not self._moving and not self._held:
            self._question = question_at(history, self._position)
        if history is not None and self._question is not None:
            self._board.show_question(
                history, self._question, revealed=self._revealed, guessed=self.guessed
            )
        else:
            self._board.show_message(self._message)
        self._enable()
        self._anew.setVisible(self._guesses.any)
        self._write_score()
        self._say()

    @property
    def _message(self) -> str:
        """Why nothing is asked."""
        if self._held:
            return HELD
        return MOVING if self._moving else no_question(self._history, self._position)

    def _write_score(self) -> None:
        """At the foot, in numbers alone where it is narrow; where there is none, on the board."""
        score, words = self._guesses.score, str(self._guesses.score)
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        for button in self._buttons:
            if not button.isHidden():
                room -= button.sizeHint().width() + self._row.spacing()
        fits = self._score.label.fontMetrics().horizontalAdvance(words) <= room
        self._score.set_text(words if fits else score.short)
        self._score.label.setToolTip("" if fits else words)
        self._board.show_score(words if self._foot.isHidden() else "")

    def _enable(self) -> None:
        covered = self._question is not None and not self._revealed and not self._moving
        if any(button.hasFocus() for button in self._buttons):
            # A button that is switched off would pass the focus to another panel.
            self._board.setFocus()
        self._reveal.setEnabled(covered)
        can_go_on = (
            self._history is not None
            and not (covered or self._moving or self._held)
            and next_pair(self._history, self._position) is not None
        )
        self._next.setEnabled(can_go_on)
        self._next.setDefault(can_go_on)

    def _say(self) -> None:
        """Tell screen readers what is shown, and nothing more."""
        history, question = self._history, self._question
        if history is None or question is None:
            text = self._message
        elif self._revealed:
            text = spoken_answer(history, question, self.guessed, str(self._guesses.score))
        else:
            text = spoken_question(history, question, self._board.current)
        for widget in (self, self._board):
            if widget.accessibleDescription() != text:
                widget.setAccessibleDescription(text)

    # -- playing --------------------------------------------------------------------------------

    @Slot(int)
    def _answer(self, index: int) -> None:
        question = self._question
        if question is None or self._revealed or self._moving:
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
            self.tokenSelected.emit(question.candidates[index].newer)
        else:
            self._answer(index)

    def _enter(self) -> None:
        """Answer with the current candidate, or go on to the next question."""
        if self._next.isEnabled():
            self.stepWanted.emit()
        elif self._board.current is not None:
            self._answer(self._board.current)

    def _move(self, by: int) -> None:
        question = self._question
        if question is None or self._revealed or self._moving:
            return
        last = len(question.candidates) - 1
        current = self._board.current
        if current is None:
            current = -1 if by > 0 else last + 1
        self._board.set_current(max(0, min(current + by, last)))
        self._say()

    # -- events ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the game before an action gets them."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_plain(event)
            and event.key() in _KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Play by the keyboard. A key held down counts once, but for Up and Down."""
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
        self._write_score()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._share()
            self._scale()

    def _share(self) -> None:
        """Let the buttons be seen where there is room for them; keys do all that they do."""
        has_room = self._asks and self.height() >= _LOW * QFontInfo(self.font()).pixelSize()
        if has_room is self._foot.isHidden():
            self._foot.setVisible(has_room)
            self._write_score()

    @Slot()
    def _scale(self) -> None:
        """Let the score and the buttons grow with the text above."""
        font = self.font()
        largest = min(self.height() // 22, self.width() // 26, scaled(_LARGEST_TEXT, font))
        font.setPixelSize(max(QFontInfo(font).pixelSize(), largest))
        for widget in (self._score.label, *self._buttons):
            if widget.font().pixelSize() != font.pixelSize():
                widget.setFont(font)
        margin = self._board.places.margin
        self._row.setContentsMargins(margin, 2, margin, max(8, self.height() // 45))
        self._write_score()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._long_move.isActive():
            self._show()
        super().hideEvent(event)


def _is_plain(event: QKeyEvent) -> bool:
    """Whether no key but Shift or that of the number pad is held with it."""
    allowed = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
    return not event.modifiers() & ~allowed

"""The board of the guessing game: the question with its candidates, to look at and to click."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.guess.game import Question
from bpe_gui.ui.panels.guess.layout import GuessLayout
from bpe_gui.ui.panels.guess.painter import GuessDrawing, Shown
from bpe_gui.ui.panels.guess.wording import tooltip
from bpe_gui.ui.theme.theme import ThemeFollower


class GuessBoard(QWidget):
    """Shows a question with its answer covered or revealed, or a message.

    The keyboard is the owner's: it moves `current`.
    """

    candidateClicked = Signal(int)
    """The index of the candidate that the user clicked, while the answer is covered."""
    resized = Signal()
    """Everything stands elsewhere now."""
    tokenClicked = Signal(int)
    """The id of the token that the user clicked, once the answer is revealed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._question: Question | None = None
        self._message = ""
        self._revealed = False
        self._guessed: int | None = None
        self._current: int | None = None
        self._hovered: int | None = None
        self._token = NO_TOKEN
        self._score = ""
        self._drawing = GuessDrawing(self.font())
        ThemeFollower(self, self._drawing.take_colours)
        self._layout = self._drawing.layout
        # It is not called opaque: alone in its panel, without the foot, it would leave nothing
        # of that to be seen, and what is not seen is not drawn for the cursor.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        """Room for large letters."""
        return QSize(380, 360)

    def minimumSizeHint(self) -> QSize:
        """The least in which all can be read."""
        return QSize(220, 140)

    @property
    def places(self) -> GuessLayout:
        """Where everything stands."""
        return self._layout

    # -- what is shown -------------------------------------------------------------------

    def show_message(self, message: str) -> None:
        """Show a sentence and no question."""
        self._message = message
        self._question = None
        self._hover(None)
        self._drawing.show(None, None)
        self.update()

    def show_question(
        self, history: History, question: Question, *, revealed: bool, guessed: int | None
    ) -> None:
        """Show a question; `guessed` is the candidate that was guessed, if one was."""
        if question != self._question or history is not self._history:
            self._drawing.show(history, question)
            self._current = None
            self._hover(None)
        self._history, self._question = history, question
        self._revealed, self._guessed = revealed, guessed
        if revealed:
            self._current = None
            # It was written for the covered question.
            QToolTip.hideText()
        self.update()

    def select_token(self, token: int) -> None:
        """Underline a token wherever it takes part in a pair. Emits nothing."""
        self._token = token
        self.update()

    def set_asks(self, asks: bool) -> None:
        """Put the question, or show its candidates alone: it is put elsewhere."""
        self._drawing.set_asks(asks)
        self.update()

    def show_score(self, score: str) -> None:
        """Tell a score beside each answer, or none, for that stands elsewhere."""
        if score != self._score:
            self._score = score
            self.update()

    @property
    def question(self) -> Question | None:
        """What it shows; None for a message."""
        return self._question

    @property
    def current(self) -> int | None:
        """The candidate that the keyboard has come to, None before it was used."""
        return self._current

    def set_current(self, index: int) -> None:
        """Move the keyboard to a candidate."""
        self._current = index
        self.update()

    # -- painting --------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the question, or the message."""
        painter = QPainter(self)
        if self._question is None:
            self._drawing.draw_message(painter, self.rect(), self._message)
        else:
            shown = Shown(
                revealed=self._revealed,
                guessed=self._guessed,
                current=self._current,
                hovered=self._hovered,
                focused=self.hasFocus(),
                token=self._token,
                score=self._score,
            )
            self._drawing.draw(painter, self.rect(), shown)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text to the room."""
        self._drawing.resize(self.width(), self.height())
        super().resizeEvent(event)
        self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        if event.type() == QEvent.Type.FontChange:
            self._drawing.set_font(self.font())
            self.update()
        super().changeEvent(event)

    # -- pointing ----------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Frame the candidate under the mouse."""
        self._hover(self._layout.row_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """No candidate is under the mouse any more."""
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, index: int | None) -> None:
        if index != self._hovered:
            self._hovered = index
            inside = index is not None
            shape = Qt.CursorShape.PointingHandCursor if inside else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Answer with the clicked candidate, or select a token of it."""
        index = self._layout.row_at(event.position())
        if event.button() is not Qt.MouseButton.LeftButton or index is None:
            super().mousePressEvent(event)
        elif not self._revealed:
            self.candidateClicked.emit(index)
        else:
            assert self._question is not None
            token = self._layout.token_at(index, event.position().x())
            newer = self._question.candidates[index].newer
            self.tokenClicked.emit(newer if token == NO_TOKEN else token)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second click of two is no answer to what the first has revealed."""
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Answer to hovering with the pair; with its count once the answer is given."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._layout.row_at(event.pos().toPointF())
            if index is None or self._question is None or self._history is None:
                QToolTip.hideText()
            else:
                text = tooltip(self._history, self._question, index, revealed=self._revealed)
                QToolTip.showText(event.globalPos(), f"<p>{escape(text)}</p>", self)
            return True
        return super().event(event)

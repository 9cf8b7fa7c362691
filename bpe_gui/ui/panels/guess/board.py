"""The board of the guessing game: the question with its candidates, to look at and to click.

Where it all stands is the business of `layout`. What costs time is built when the size,
the theme or the question changes.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.guess.game import Candidate, Question
from bpe_gui.ui.panels.guess.layout import GuessLayout, Row
from bpe_gui.ui.panels.guess.wording import (
    QUESTION,
    hint,
    merge_title,
    reason,
    short_hint,
    short_reason,
    tooltip,
    verdict,
)
from bpe_gui.ui.theme.painting import mixed, star
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.wrapped_text import fitted

_ON_THE_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ON_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTERED = int(Qt.AlignmentFlag.AlignCenter)


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
        self.places = GuessLayout(self.font())
        """Where everything stands."""
        self.current: int | None = None
        """The candidate that the keyboard has come to, None before it was used."""
        self._message = ""
        self._revealed = False
        self._guessed: int | None = None
        self._hovered: int | None = None
        self._token = NO_TOKEN
        self._score = ""
        self._sentences: dict[str, QTextLayout] = {}
        ThemeFollower(self, self._take_colours)
        # It is not called opaque: alone in its panel, without the foot, it would leave nothing
        # of that to be seen, and what is not seen is not drawn for the cursor.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(380, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 140)

    def _take_colours(self, theme: Theme) -> None:
        panel, muted, accent, error = (
            QColor(colour) for colour in (theme.panel, theme.muted, theme.accent, theme.error)
        )
        self._background = QBrush(panel)
        self._row = QBrush(QColor(theme.raised))
        self._bar = QBrush(mixed(muted, panel, 0.42))
        self._right_bar = QBrush(mixed(accent, panel, 0.45))
        self._text, self._muted = QPen(QColor(theme.text)), QPen(muted)
        self._accent, self._error = QPen(accent), QPen(error)
        self._accent_edge, self._error_edge = QPen(accent, 2), QPen(error, 2)
        self._edge = QPen(muted, 1.5)
        self._key_edge = QPen(QColor(theme.border), 1.5)
        self._plus = QBrush(muted)
        self._star_fill = QBrush(accent)
        self._cross = QPen(error, 3)
        self._thicken()

    def _thicken(self) -> None:
        """Let the edges grow with the text."""
        for pen in (self._accent_edge, self._error_edge):
            pen.setWidthF(max(2.0, self.places.size / 14))

    # -- what is shown -------------------------------------------------------------------

    def show_message(self, message: str) -> None:
        """Show a sentence and no question."""
        self._message = message
        self._show(None, None)

    def show_question(
        self, history: History, question: Question, *, revealed: bool, guessed: int | None
    ) -> None:
        """Show a question; `guessed` is the candidate that was guessed, if one was."""
        if question != self.places.question or history is not self.places.history:
            self._show(history, question)
        self._revealed, self._guessed = revealed, guessed
        if revealed:
            self.current = None
            # It was written for the covered question.
            QToolTip.hideText()
        self.update()

    def _show(self, history: History | None, question: Question | None) -> None:
        self.places.show(history, question)
        self._sentences.clear()
        self.current = None
        self._hover(None)
        self.update()

    def select_token(self, token: int) -> None:
        """Underline a token wherever it takes part in a pair. Emits nothing."""
        self._token = token
        self.update()

    def set_asks(self, asks: bool) -> None:
        """Put the question, or show its candidates alone: it is put elsewhere."""
        self.places.asks = asks
        self._fit()

    def show_score(self, score: str) -> None:
        """Tell a score beside each answer, or none, for that stands elsewhere."""
        if score != self._score:
            self._score = score
            self.update()

    def set_current(self, index: int) -> None:
        """Move the keyboard to a candidate."""
        self.current = index
        self.update()

    def _fit(self) -> None:
        """Fit everything to the room and the font."""
        self.places.fit(self.font(), self.width(), self.height())
        self._sentences.clear()
        self._thicken()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)
        self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    # -- painting --------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._background)
        question = self.places.question
        if question is None:
            self._draw_message(painter)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in range(len(self.places.rows)):
                self._draw_row(painter, question, index)
            if self.places.asks:
                self._draw_title(painter, question)
                self._draw_sentence(painter, question)
        painter.end()

    def _draw_message(self, painter: QPainter) -> None:
        margin = self.places.margin
        inner = self.rect().adjusted(margin, margin, -margin, -margin)
        sentence = self._fitted(self._message, inner, centered=True)
        painter.setPen(self._muted)
        height = sentence.boundingRect().height()
        sentence.draw(painter, QPointF(inner.left(), self.rect().center().y() - height / 2))

    def _draw_title(self, painter: QPainter, question: Question) -> None:
        layout = self.places
        title = verdict(question, self._guessed) if self._revealed else QUESTION
        painter.setFont(layout.title)
        painter.setPen(self._text)
        painter.drawText(layout.title_area, _ON_THE_LEFT, title)
        painter.setFont(layout.small)
        painter.setPen(self._muted)
        painter.drawText(layout.title_area, _ON_THE_RIGHT, self._beside_title(title, question))

    def _beside_title(self, title: str, question: Question) -> str:
        """The number of the merge; where there is little height the score, if it has room."""
        layout = self.places
        if layout.with_merge:
            return merge_title(question.position)
        room = layout.title_area.width() - layout.size
        room -= QFontMetrics(layout.title).horizontalAdvance(title)
        told = self._score if self._revealed else ""
        return told if QFontMetrics(layout.small).horizontalAdvance(told) <= room else ""

    def _draw_row(self, painter: QPainter, question: Question, index: int) -> None:
        row, candidate = self.places.rows[index], question.candidates[index]
        radius = self.places.radius
        wins = self._revealed and index == question.answer
        fails = self._revealed and index == self._guessed and not wins
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._row)
        painter.drawRoundedRect(row.area, radius, radius)
        if self._revealed:
            painter.setClipRect(row.bar)
            painter.setBrush(self._right_bar if wins else self._bar)
            painter.drawRoundedRect(row.area, radius, radius)
            painter.setClipping(False)
        self._draw_edge(painter, row, index, wins=wins, fails=fails)
        self._draw_key(painter, row, index, guessed=index == self._guessed)
        self._draw_pair(painter, row, candidate)
        if self._revealed:
            painter.setFont(self.places.number)
            painter.setPen(self._text)
            painter.drawText(row.number, _ON_THE_RIGHT, f"{candidate.count:,}")
        if wins:
            self._draw_star(painter, row)
        if fails:
            self._draw_cross(painter, row)

    def _draw_edge(
        self, painter: QPainter, row: Row, index: int, *, wins: bool, fails: bool
    ) -> None:
        if wins:
            painter.setPen(self._accent_edge)
        elif fails:
            painter.setPen(self._error_edge)
        elif index == self.current and not self._revealed:
            painter.setPen(self._accent_edge if self.hasFocus() else self._edge)
        elif index == self._hovered:
            painter.setPen(self._edge)
        else:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(row.area, self.places.radius, self.places.radius)

    def _draw_key(self, painter: QPainter, row: Row, index: int, *, guessed: bool) -> None:
        """The key that answers with this candidate; framed strongly if it was guessed."""
        painter.setBrush(self._background)
        painter.setPen(self._edge if guessed else self._key_edge)
        painter.drawRoundedRect(row.key, 4, 4)
        painter.setFont(self.places.small)
        painter.setPen(self._text if guessed else self._muted)
        painter.drawText(row.key, _CENTERED, str(index + 1))

    def _draw_pair(self, painter: QPainter, row: Row, candidate: Candidate) -> None:
        metrics = self.places.metrics
        middle = row.area.center().y()
        baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
        painter.setFont(self.places.pair)
        painter.setPen(self._text)
        painter.drawText(row.left_edge, baseline, row.left)
        painter.drawText(row.right_edge, baseline, row.right)
        arm = max(2, round(self.places.pair.pixelSize() * 0.16))
        thickness = max(1, arm // 2)
        side, y = 2 * arm + thickness, round(middle) - thickness // 2
        # Sharp on the pixels, as in the pair chart.
        painter.fillRect(row.plus - arm - thickness // 2, y, side, thickness, self._plus)
        painter.fillRect(row.plus - thickness // 2, y - arm, thickness, side, self._plus)
        painter.setPen(self._accent_edge)
        line = baseline + max(3, round(metrics.descent() * 0.7))
        gap = row.right_edge - row.plus
        if self._token == candidate.left:
            painter.drawLine(row.left_edge, line, row.plus - gap, line)
        if self._token == candidate.right:
            painter.drawLine(row.right_edge, line, row.right_end, line)

    def _draw_star(self, painter: QPainter, row: Row) -> None:
        painter.setPen(self._accent)
        painter.setBrush(self._star_fill)
        painter.translate(row.sign)
        painter.drawPolygon(star(self.places.pair.pixelSize() * 0.5))
        painter.translate(-row.sign)

    def _draw_cross(self, painter: QPainter, row: Row) -> None:
        reach = self.places.pair.pixelSize() * 0.3
        self._cross.setWidthF(max(2.0, reach * 0.4))
        painter.setPen(self._cross)
        x, y = row.sign.x(), row.sign.y()
        painter.drawLine(QPointF(x - reach, y - reach), QPointF(x + reach, y + reach))
        painter.drawLine(QPointF(x - reach, y + reach), QPointF(x + reach, y - reach))

    def _draw_sentence(self, painter: QPainter, question: Question) -> None:
        """Below the candidates: the keys, and later why the pair won."""
        history, close = self.places.history, self.places.close
        assert history is not None
        if self._revealed:
            text = (short_reason if close else reason)(history, question)
        else:
            text = (short_hint if close else hint)(question)
        area = self.places.sentence_area
        painter.setPen(self._text if self._revealed else self._muted)
        self._fitted(text, area).draw(painter, QPointF(area.topLeft()))

    def _fitted(self, text: str, area: QRect, *, centered: bool = False) -> QTextLayout:
        """A sentence laid out once for each question and size."""
        if text not in self._sentences:
            self._sentences[text] = fitted(
                text, self.places.font, area.width(), area.height(), centered=centered
            )
        return self._sentences[text]

    # -- pointing ----------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.places.row_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
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
        index, question = self.places.row_at(event.position()), self.places.question
        if event.button() is not Qt.MouseButton.LeftButton or index is None or question is None:
            super().mousePressEvent(event)
        elif not self._revealed:
            self.candidateClicked.emit(index)
        else:
            token = self.places.token_at(index, event.position().x())
            self.tokenClicked.emit(question.candidates[index].newer if token == NO_TOKEN else token)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the second click of two is no answer to what the first has revealed

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            history, question = self.places.history, self.places.question
            index = self.places.row_at(event.pos().toPointF())
            if index is None or question is None or history is None:
                QToolTip.hideText()
            else:
                text = tooltip(history, question, index, revealed=self._revealed)
                QToolTip.showText(event.globalPos(), f"<p>{escape(text)}</p>", self)
            return True
        return super().event(event)

"""How the guessing game is drawn: the question, the candidates, and what the answer adds.

Where it all stands is the business of `layout`. What costs time is built when the size,
the theme or the question changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextLayout,
)

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.guess.game import Candidate, Question
from bpe_gui.ui.panels.guess.layout import GuessLayout, Row
from bpe_gui.ui.panels.guess.wording import (
    QUESTION,
    hint,
    merge_title,
    reason,
    short_hint,
    short_reason,
    verdict,
)
from bpe_gui.ui.theme.painting import mixed, star
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.wrapped_text import fitted

_ON_THE_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ON_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTERED = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be drawn of a question.

    guessed: the candidate that was guessed, None if none was.
    current, hovered: the candidates under the keyboard and the mouse, None if there is none.
    token: underlined wherever it takes part in a pair.
    score: told beside the answer, if the board is the one to tell it.
    """

    revealed: bool
    guessed: int | None
    current: int | None
    hovered: int | None
    focused: bool
    token: int
    score: str


class GuessDrawing:
    """Draws one question, or a message, into a board of a given size."""

    def __init__(self, font: QFont) -> None:
        self._history: History | None = None
        self._sentences: dict[str, QTextLayout] = {}
        self.layout = GuessLayout(font)

    # -- what the drawing depends on ---------------------------------------------------

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
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

    def show(self, history: History | None, question: Question | None) -> None:
        """Draw another question from now on, or none."""
        self._history = history
        self.layout.show(history, question)
        self._sentences.clear()

    def set_font(self, font: QFont) -> None:
        """Write in another family."""
        self.layout.set_font(font)
        self._sentences.clear()

    def set_asks(self, asks: bool) -> None:
        """Put the question above the candidates, or have them alone."""
        self.layout.set_asks(asks)
        self._sentences.clear()

    def resize(self, width: int, height: int) -> None:
        """Fit everything to another size of the board."""
        self.layout.resize(width, height)
        self._sentences.clear()
        self._thicken()

    def _thicken(self) -> None:
        """Let the edges grow with the text."""
        for pen in (self._accent_edge, self._error_edge):
            pen.setWidthF(max(2.0, self.layout.size / 14))

    # -- drawing ---------------------------------------------------------------------------

    def draw_message(self, painter: QPainter, area: QRect, message: str) -> None:
        """Fill the board with a sentence."""
        painter.fillRect(area, self._background)
        margin = self.layout.margin
        inner = area.adjusted(margin, margin, -margin, -margin)
        sentence = self._fitted(message, inner, centered=True)
        painter.setPen(self._muted)
        height = sentence.boundingRect().height()
        sentence.draw(painter, QPointF(inner.left(), area.center().y() - height / 2))

    def draw(self, painter: QPainter, area: QRect, shown: Shown) -> None:
        """Draw the question, and the answer if it is given."""
        painter.fillRect(area, self._background)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(len(self.layout.rows)):
            self._draw_row(painter, index, shown)
        if self.layout.asks:
            self._draw_title(painter, shown)
            self._draw_sentence(painter, shown)

    @property
    def _question(self) -> Question:
        question = self.layout.question
        assert question is not None, "without a question a message is drawn"
        return question

    def _draw_title(self, painter: QPainter, shown: Shown) -> None:
        question, layout = self._question, self.layout
        title = verdict(question, shown.guessed) if shown.revealed else QUESTION
        painter.setFont(layout.title)
        painter.setPen(self._text)
        painter.drawText(layout.title_area, _ON_THE_LEFT, title)
        painter.setFont(layout.small)
        painter.setPen(self._muted)
        painter.drawText(layout.title_area, _ON_THE_RIGHT, self._beside_title(title, shown))

    def _beside_title(self, title: str, shown: Shown) -> str:
        """The number of the merge; where there is little height the score, if it has room."""
        layout = self.layout
        if layout.with_merge:
            return merge_title(self._question.position)
        room = layout.title_area.width() - layout.size
        room -= QFontMetrics(layout.title).horizontalAdvance(title)
        told = shown.score if shown.revealed else ""
        return told if QFontMetrics(layout.small).horizontalAdvance(told) <= room else ""

    def _draw_row(self, painter: QPainter, index: int, shown: Shown) -> None:
        row, candidate = self.layout.rows[index], self._question.candidates[index]
        radius = self.layout.radius
        wins = shown.revealed and index == self._question.answer
        fails = shown.revealed and index == shown.guessed and not wins
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._row)
        painter.drawRoundedRect(row.area, radius, radius)
        if shown.revealed:
            painter.setClipRect(row.bar)
            painter.setBrush(self._right_bar if wins else self._bar)
            painter.drawRoundedRect(row.area, radius, radius)
            painter.setClipping(False)
        self._draw_edge(painter, row, index, shown, wins=wins, fails=fails)
        self._draw_key(painter, row, index, guessed=index == shown.guessed)
        self._draw_pair(painter, row, candidate, shown.token)
        if shown.revealed:
            painter.setFont(self.layout.number)
            painter.setPen(self._text)
            painter.drawText(row.number, _ON_THE_RIGHT, f"{candidate.count:,}")
        if wins:
            self._draw_star(painter, row)
        if fails:
            self._draw_cross(painter, row)

    def _draw_edge(
        self, painter: QPainter, row: Row, index: int, shown: Shown, *, wins: bool, fails: bool
    ) -> None:
        if wins:
            painter.setPen(self._accent_edge)
        elif fails:
            painter.setPen(self._error_edge)
        elif index == shown.current and not shown.revealed:
            painter.setPen(self._accent_edge if shown.focused else self._edge)
        elif index == shown.hovered:
            painter.setPen(self._edge)
        else:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(row.area, self.layout.radius, self.layout.radius)

    def _draw_key(self, painter: QPainter, row: Row, index: int, *, guessed: bool) -> None:
        """The key that answers with this candidate; framed strongly if it was guessed."""
        painter.setBrush(self._background)
        painter.setPen(self._edge if guessed else self._key_edge)
        painter.drawRoundedRect(row.key, 4, 4)
        painter.setFont(self.layout.small)
        painter.setPen(self._text if guessed else self._muted)
        painter.drawText(row.key, _CENTERED, str(index + 1))

    def _draw_pair(self, painter: QPainter, row: Row, candidate: Candidate, token: int) -> None:
        metrics = self.layout.metrics
        middle = row.area.center().y()
        baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
        painter.setFont(self.layout.pair)
        painter.setPen(self._text)
        painter.drawText(row.left_edge, baseline, row.left)
        painter.drawText(row.right_edge, baseline, row.right)
        arm = max(2, round(self.layout.pair.pixelSize() * 0.16))
        thickness = max(1, arm // 2)
        side, y = 2 * arm + thickness, round(middle) - thickness // 2
        # Sharp on the pixels, as in the pair chart.
        painter.fillRect(row.plus - arm - thickness // 2, y, side, thickness, self._plus)
        painter.fillRect(row.plus - thickness // 2, y - arm, thickness, side, self._plus)
        painter.setPen(self._accent_edge)
        line = baseline + max(3, round(metrics.descent() * 0.7))
        gap = row.right_edge - row.plus
        if token == candidate.left:
            painter.drawLine(row.left_edge, line, row.plus - gap, line)
        if token == candidate.right:
            painter.drawLine(row.right_edge, line, row.right_end, line)

    def _draw_star(self, painter: QPainter, row: Row) -> None:
        painter.setPen(self._accent)
        painter.setBrush(self._star_fill)
        painter.translate(row.sign)
        painter.drawPolygon(star(self.layout.pair.pixelSize() * 0.5))
        painter.translate(-row.sign)

    def _draw_cross(self, painter: QPainter, row: Row) -> None:
        reach = self.layout.pair.pixelSize() * 0.3
        self._cross.setWidthF(max(2.0, reach * 0.4))
        painter.setPen(self._cross)
        x, y = row.sign.x(), row.sign.y()
        painter.drawLine(QPointF(x - reach, y - reach), QPointF(x + reach, y + reach))
        painter.drawLine(QPointF(x - reach, y + reach), QPointF(x + reach, y - reach))

    def _draw_sentence(self, painter: QPainter, shown: Shown) -> None:
        """Below the candidates: the keys, and later why the pair won."""
        assert self._history is not None
        close = self.layout.close
        if shown.revealed:
            text = (short_reason if close else reason)(self._history, self._question)
        else:
            text = (short_hint if close else hint)(self._question)
        area = self.layout.sentence_area
        painter.setPen(self._text if shown.revealed else self._muted)
        self._fitted(text, area).draw(painter, QPointF(area.topLeft()))

    def _fitted(self, text: str, area: QRect, *, centered: bool = False) -> QTextLayout:
        """A sentence laid out once for each question and size."""
        if text not in self._sentences:
            self._sentences[text] = fitted(
                text, self.layout.font, area.width(), area.height(), centered=centered
            )
        return self._sentences[text]

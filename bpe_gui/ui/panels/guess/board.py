"""The candidates of a question, to look at and to click.

Every candidate has its row before the answer is given, so nothing moves when it is.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.guess.game import MOST_CANDIDATES, Candidate, Question
from bpe_gui.ui.panels.guess.wording import TITLE, tooltip
from bpe_gui.ui.theme.painting import AT_RIGHT, CENTERED, NO_PEN, brush, mixed, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.box_pictures import PairPainter
from bpe_gui.ui.widgets.canvas import Canvas

_SMALLEST_TEXT, _LARGEST_TEXT = 11, 64
"""Sizes of the text in pixels, from the smallest panel to a full screen on stage."""
_WIDE = 18
"""Width of a board in heights of its text."""
_TEXT, _TALLEST_TEXT = 0.62, 0.8
"""The size of the text in a row, and its size at most, in heights of the row."""
_MARGIN = 9
_GAP = 6
"""Pixels beside the rows and between two of them."""


class GuessBoard(Canvas[int]):
    """Shows candidates with the answer covered or revealed, or a message.

    The panel has the keyboard and moves `current`, the candidate that Enter answers with.
    """

    room = QSize(380, 240)
    least_room = QSize(220, 60)
    # Where an opaque viewport fills its panel, the panel counts as hidden and is not drawn.
    opaque = False

    candidateClicked = Signal(int)
    """The index of the candidate that the user clicked, while the answer is covered."""
    tokenClicked = Signal(int)
    """The id of the token that the user clicked, once the answer is revealed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("guessBoard", TITLE, parent)
        self.question: Question | None = None
        self.areas: list[QRectF] = []
        """Where the rows are, in the viewport."""
        self.bars: list[QRectF] = []
        """As long as the count of each candidate is beside the most frequent one's."""
        self.current: int | None = None
        self._history: History | None = None
        self._revealed = False
        self._guessed: int | None = None
        self._token = NO_TOKEN
        self._pairs = PairPainter()
        ThemeFollower(self, self._take_colours)
        self._fit()
        RoomFollower(self.viewport(), self._fit)

    def _take_colours(self, theme: Theme) -> None:
        self._pairs.take_colours(theme)
        self._right_bar = QBrush(mixed(QColor(theme.accent), QColor(theme.panel), 0.45))

    # -- what is shown -------------------------------------------------------------------

    def show_message(self, message: str) -> None:
        self.message = message
        self._show(None, None)

    def show_question(
        self, history: History, question: Question, *, revealed: bool, guessed: int | None
    ) -> None:
        """Show a question; `guessed` is the candidate that was guessed, if one was."""
        if question != self.question or history is not self._history:
            self.message = ""
            self._show(history, question)
        self._revealed, self._guessed = revealed, guessed
        if revealed:
            self.current = None
            # It was written for the covered question.
            QToolTip.hideText()
        self.viewport().update()

    def _show(self, history: History | None, question: Question | None) -> None:
        self._history, self.question = history, question
        self.current = None
        self.hover(None)
        self._fit()

    def select_token(self, token: int) -> None:
        self._token = token
        self.viewport().update()

    def _fit(self) -> None:
        width, row = self.viewport().width(), self.viewport().height() / MOST_CANDIDATES
        around = min(QFontInfo(self.font()).pixelSize(), int(row * _TALLEST_TEXT))
        largest = min(scaled(_LARGEST_TEXT, self.font()), int(row * _TEXT), width // _WIDE)
        size = max(_SMALLEST_TEXT, around, largest)
        self._pairs.set_size(self.font(), size)
        self._small = QFont(self._pairs.font)
        self._small.setPixelSize(max(_SMALLEST_TEXT, round(size * 0.9)))
        history, candidates = self._history, self.question.candidates if self.question else ()
        greatest = max((candidate.count for candidate in candidates), default=1)
        counts = history.top(0).count.tolist() if history is not None else []
        # No later count is greater, so the columns are the same in the whole run.
        digits = len(f"{max(counts, default=greatest):,}")
        self.areas, self.bars = [], []
        for index, candidate in enumerate(candidates):
            area = QRectF(_MARGIN, index * row, width - 2 * _MARGIN, row - _GAP)
            self.areas.append(area)
            bar = (area.width() - size * 1.5) * candidate.count / greatest
            self.bars.append(QRectF(area.left(), area.top(), bar, area.height()))
        self._key = round(min((row - _GAP) * 0.66, size * 1.25))
        left = _MARGIN + self._key + round(size * 0.7)
        self._number_end = width - _MARGIN - round(size * 1.85)
        self._pairs.set_edges(left, self._number_end - round((digits + 0.5) * self._pairs.digit))
        self.viewport().update()

    # -- painting --------------------------------------------------------------------------

    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, brush(self._theme.panel))
        if self._history is not None and self.question is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, candidate in enumerate(self.question.candidates):
                self._draw_row(painter, self._history, index, candidate)

    def _draw_row(
        self, painter: QPainter, history: History, index: int, candidate: Candidate
    ) -> None:
        assert self.question is not None
        area, pairs = self.areas[index], self._pairs
        wins = self._revealed and index == self.question.answer
        guessed = self._revealed and index == self._guessed
        right = guessed and self.question.is_right(index)
        fails = guessed and not right
        painter.setPen(NO_PEN)
        painter.setBrush(brush(self._theme.raised))
        painter.drawRoundedRect(area, 6, 6)
        if self._revealed:
            painter.fillRect(self.bars[index], self._right_bar if wins else pairs.bar)
        self._draw_edge(painter, index, wins=wins or right, fails=fails)
        self._draw_key(painter, index)
        painter.setFont(pairs.font)
        pair = candidate.left, candidate.right
        pairs.draw_pair(painter, history, pair, area.top(), area.height(), token=self._token)
        if self._revealed:
            painter.setPen(pen(self._theme.text))
            painter.setFont(pairs.bold)
            end, top, height = self._number_end, round(area.top()), round(area.height())
            painter.drawText(0, top, end, height, AT_RIGHT, f"{candidate.count:,}")
        x, y = round(area.right() - pairs.size * 0.75), round(area.center().y())
        if wins:
            pairs.draw_star(painter, x, y)
        if fails:
            reach = round(pairs.size * 0.3)
            painter.setPen(pen(self._theme.error, 2))
            painter.drawLine(x - reach, y - reach, x + reach, y + reach)
            painter.drawLine(x - reach, y + reach, x + reach, y - reach)

    def _draw_edge(self, painter: QPainter, index: int, *, wins: bool, fails: bool) -> None:
        theme = self._theme
        if wins:
            painter.setPen(pen(theme.accent, 2))
        elif fails:
            painter.setPen(pen(theme.error, 2))
        elif index == self.current and not self._revealed:
            has_keyboard = self.hasFocus()
            painter.setPen(pen(theme.accent, 2) if has_keyboard else pen(theme.muted, 1.5))
        elif index == self.hovered:
            painter.setPen(pen(theme.muted, 1.5))
        else:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self.areas[index], 6, 6)

    def _draw_key(self, painter: QPainter, index: int) -> None:
        guessed, side = index == self._guessed, self._key
        left, top = _MARGIN + self._pairs.size // 4, self.areas[index].center().y() - side / 2
        painter.setBrush(brush(self._theme.panel))
        painter.setPen(pen(self._theme.muted if guessed else self._theme.border, 1.5))
        painter.drawRoundedRect(left, round(top), side, side, 4, 4)
        painter.setFont(self._small)
        painter.setPen(pen(self._theme.text if guessed else self._theme.muted))
        painter.drawText(left, round(top), side, side, CENTERED, str(index + 1))

    # -- mouse and keyboard ------------------------------------------------------------------

    def place_at(self, point: QPoint) -> int | None:
        found = (n for n, area in enumerate(self.areas) if area.contains(point.toPointF()))
        return next(found, None)

    def tooltip_at(self, point: QPoint) -> str:
        index = self.place_at(point)
        if self._history is None or self.question is None or index is None:
            return ""
        text = tooltip(self._history, self.question, index, revealed=self._revealed)
        return f"<p>{escape(text)}</p>"

    def takes(self, event: QKeyEvent) -> bool:
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.place_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or index is None:
            super().mousePressEvent(event)
        elif not self._revealed:
            self.candidateClicked.emit(index)
        elif self.question is not None:
            candidate = self.question.candidates[index]
            pair = candidate.left, candidate.right
            token = self._pairs.token_at(pair, event.position().x())
            self.tokenClicked.emit(max(pair) if token == NO_TOKEN else token)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the second click of two is no answer to what the first has revealed

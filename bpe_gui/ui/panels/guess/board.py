"""The board of the guessing game: the question with its candidates, to look at and to click.

Everything has its place before the answer is given, so nothing moves when it is. The text
grows with the board. Where that is low it is set close, rather than to be written smaller than
what is around the board. What costs time is built when the size, the theme or the question
changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.guess.game import MOST_CANDIDATES, Candidate, Question
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
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.cell_text import plainly
from bpe_gui.ui.widgets.wrapped_text import LINE, fitted

_SMALLEST_TEXT = 11
_LARGEST_TEXT = 64
"""Sizes of the text in pixels, from the smallest panel to a full screen on stage."""

_UNITS_HIGH = 16.5
_UNITS_WIDE = 23
"""A board of so many text heights has room for everything."""
_CLOSE_UNITS_HIGH = 9.2
"""And one of so many, where all stands close together."""
_SENTENCE_LINES, _NARROW_SENTENCE_LINES = 3, 4
_TITLE = 1.2
_TITLE_LINE = 1.6
"""Of the height of its text."""
_SMALL = 0.9
_TALLEST_ROW = 3.4
_PAIR, _PAIR_IN_LOW_ROW = 0.5, 0.7
"""Sizes in text heights; that of the pair in heights of its row, the tallest or a low one."""
_NUMBER_END = 1.85
_BAR_END = 1.5
_BESIDE = 4.0
"""Distances from the right edge of the row, and the room that a pair cannot take, in sizes of
its text."""
_LONGEST_NUMBER = 99_998
"""The title has room for merges up to this one, so it keeps its size in most runs."""
_LONGEST_LABEL = 100
"""Bytes that are laid out at all."""
_ON_THE_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ON_THE_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTERED = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate on the board; all numbers are pixels."""

    area: QRectF
    key: QRectF
    left: str
    right: str
    left_edge: int
    plus: int
    """Middle of the plus between the two tokens."""
    right_edge: int
    right_end: int
    number: QRectF
    sign: QPointF
    bar: QRectF
    """As long as the count of the candidate is beside that of the most frequent one."""


class GuessLayout:
    """Fits one question to a board of a given size. All sizes are pixels."""

    def __init__(self, font: QFont) -> None:
        self.history: History | None = None
        self.question: Question | None = None
        self.asks = True
        """Whether the board puts the question; not if that is done elsewhere."""
        self.rows: list[Row] = []
        self.fit(font, 280, 160)

    def show(self, history: History | None, question: Question | None) -> None:
        """Lay out another question from now on, or none."""
        self.history, self.question = history, question
        self._lay_out()

    def fit(self, font: QFont, width: int, height: int) -> None:
        """Fit everything to another size of the board, or another family."""
        self._family, self.width, self.height = font, width, height
        around = QFontInfo(self._family).pixelSize()
        self.close = height / _UNITS_HIGH < around
        """Whether there is little height: all is said in fewer words and lines."""
        if self.close:
            fitting = min(around, height / _CLOSE_UNITS_HIGH)
        else:
            fitting = min(height / _UNITS_HIGH, max(width / _UNITS_WIDE, around))
        largest = scaled(_LARGEST_TEXT, self._family)
        self.size = max(_SMALLEST_TEXT, min(largest, int(fitting)))
        self.smallest = max(_SMALLEST_TEXT, ceil(_SMALL * min(self.size, around)))
        """The size of text that is no longer written smaller to fit."""
        self.margin = max(8, round(self.size * 0.7))
        self.gap = max(3, self.size // (6 if self.close else 3))
        self.radius = 5 + self.size // 9
        self.font = self._sized(self.size)
        self.small = self._sized(max(self.smallest, round(self.size * _SMALL)))
        self.title = self._fitting_title()
        title = _TITLE_LINE * (1 if self.close else _TITLE) if self.asks else 0
        self._title_height = round(self.size * title)
        inner = height - 2 * (self.margin // 2) - self._title_height
        lines = _SENTENCE_LINES if width / _UNITS_WIDE >= self.size else _NARROW_SENTENCE_LINES
        lines = 1 if self.close else lines
        self._sentence_height = round(lines * LINE * self.size) + 4 if self.asks else 0
        tallest = self.size * _TALLEST_ROW
        room = (inner - self._sentence_height - self.gap) / MOST_CANDIDATES
        self._row_height = max(14.0, min(tallest, room))
        self._largest_pair = int(min(tallest * _PAIR, self._row_height * _PAIR_IN_LOW_ROW))
        self._set_pair_size(self._largest_pair)
        self._lay_out()

    def _fitting_title(self) -> QFont:
        """The question in one line, beside the number of the merge if both have room."""
        font = self._sized(round(self.size * (1 if self.close else _TITLE)), bold=True)
        whole = self.width - 2 * self.margin
        merge = QFontMetricsF(self.small).horizontalAdvance(merge_title(_LONGEST_NUMBER))
        needed = QFontMetricsF(font).horizontalAdvance(QUESTION)
        shared = whole - self.size - merge
        least = needed * self.smallest / font.pixelSize()
        self.with_merge = not self.close and least <= shared
        room = shared if self.with_merge else whole
        if needed > room:
            font.setPixelSize(max(self.smallest, int(font.pixelSize() * room / needed)))
        return font

    def _set_pair_size(self, size: int) -> None:
        self.pair = self._sized(max(self.smallest, size))
        self.number = QFont(self.pair)
        self.number.setBold(True)
        self.metrics = QFontMetricsF(self.pair)

    def _sized(self, size: int, *, bold: bool = False) -> QFont:
        font = plainly(self._family)
        font.setPixelSize(size)
        font.setBold(bold)
        return font

    @property
    def title_area(self) -> QRect:
        """Where the question stands, and the number of the merge."""
        inner = self.width - 2 * self.margin
        return QRect(self.margin, self.margin // 2, inner, self._title_height)

    @property
    def sentence_area(self) -> QRect:
        """Where it is said why the pair won, below the room for as many rows as there can be."""
        top = self.margin // 2 + self._title_height + MOST_CANDIDATES * self._row_height
        inner = self.width - 2 * self.margin
        top = round(top + self.gap / 2)
        height = max(self._sentence_height, self.height - top - self.margin // 2)
        return QRect(self.margin, top, inner, height)

    # -- laying out ------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.rows = []
        history, question = self.history, self.question
        if history is None or question is None:
            return
        greatest = max(candidate.count for candidate in question.candidates)
        # No later count is greater, so the tokens have the same room in the whole run.
        widest = f"{max(history.top(0).count.tolist(), default=greatest):,}"
        self._fit_pairs(history, question, widest)
        number_width = QFontMetricsF(self.number).horizontalAdvance(widest) + 2
        for index, candidate in enumerate(question.candidates):
            self.rows.append(self._row_of(index, candidate, greatest, number_width))

    def _fit_pairs(self, history: History, question: Question, number: str) -> None:
        """Write the pairs smaller where they would have to be cut, as far as can be read."""
        largest = self._largest_pair
        self._set_pair_size(largest)
        widest = max(
            self.metrics.horizontalAdvance(
                visible(history.token_bytes(candidate.left)[:_LONGEST_LABEL])
                + visible(history.token_bytes(candidate.right)[:_LONGEST_LABEL])
            )
            for candidate in question.candidates
        )
        # The key is as wide as the row is high; plus, number and sign grow with the text.
        room = self.width - 2 * self.margin - (self._row_height - self.gap)
        size = self.pair.pixelSize()
        needed = widest + QFontMetricsF(self.number).horizontalAdvance(number) + size * _BESIDE
        if needed > room:
            self._set_pair_size(min(largest, max(self.size, int(size * room / needed))))

    def _row_of(self, index: int, candidate: Candidate, greatest: int, number_width: float) -> Row:
        height, size = self._row_height, self.pair.pixelSize()
        top = self.margin // 2 + self._title_height + index * height
        area = QRectF(self.margin, top, self.width - 2 * self.margin, height - self.gap)
        side = min(area.height() * 0.66, size * 1.25)
        inset = (area.height() - side) / 2
        key = QRectF(area.left() + inset, top + inset, side, side)
        sign = QPointF(area.right() - size * 0.75, area.center().y())
        number_end = area.right() - size * _NUMBER_END
        number = QRectF(number_end - number_width, top, number_width, area.height())
        left_edge = round(key.right() + inset + size * 0.2)
        arm = size * 0.62
        room = number.left() - size * 0.5 - left_edge - 2 * arm
        left, right = self._labels(candidate, room)
        plus = round(left_edge + self.metrics.horizontalAdvance(left) + arm)
        right_edge = round(plus + arm)
        whole = area.width() - size * _BAR_END
        return Row(
            area=area,
            key=key,
            left=left,
            right=right,
            left_edge=left_edge,
            plus=plus,
            right_edge=right_edge,
            right_end=round(right_edge + self.metrics.horizontalAdvance(right)),
            number=number,
            sign=sign,
            bar=QRectF(area.left(), top, whole * candidate.count / greatest, area.height()),
        )

    def _labels(self, candidate: Candidate, room: float) -> tuple[str, str]:
        """Both tokens, cut at their outer ends if they have no room, so that the seam stays."""
        assert self.history is not None
        left_content = self.history.token_bytes(candidate.left)
        right_content = self.history.token_bytes(candidate.right)
        left = visible(left_content[-_LONGEST_LABEL:])
        right = visible(right_content[:_LONGEST_LABEL])
        left_width, right_width = map(self.metrics.horizontalAdvance, (left, right))
        if left_width + right_width > room or max(map(len, (left, right))) >= _LONGEST_LABEL:
            left_room = max(room / 2, room - right_width)
            right_room = max(room / 2, room - left_width)
            left = self.metrics.elidedText(left, Qt.TextElideMode.ElideLeft, left_room)
            right = self.metrics.elidedText(right, Qt.TextElideMode.ElideRight, right_room)
        return left, right

    def row_at(self, place: QPointF) -> int | None:
        """The candidate at a place of the board, None beside them."""
        for index, row in enumerate(self.rows):
            if row.area.contains(place):
                return index
        return None

    def token_at(self, index: int, x: float) -> int:
        """The token of a candidate at a place of its row, NO_TOKEN beside both."""
        assert self.question is not None
        row, candidate = self.rows[index], self.question.candidates[index]
        if row.left_edge <= x < row.plus:
            return candidate.left
        return candidate.right if row.plus <= x < row.right_end else NO_TOKEN


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

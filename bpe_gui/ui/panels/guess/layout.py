"""Where the parts of the guessing game stand on its board, and how large they are written.

Everything has its place before the answer is given, so nothing moves when it is. The text
grows with the board. Where that is low it stands close together, rather than to be written
smaller than what is around the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.guess.game import MOST_CANDIDATES, Candidate, Question
from bpe_gui.ui.panels.guess.wording import QUESTION, merge_title
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.cell_text import plainly
from bpe_gui.ui.widgets.wrapped_text import LINE

SMALLEST_TEXT = 11
LARGEST_TEXT = 64
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
        largest = scaled(LARGEST_TEXT, self._family)
        self.size = max(SMALLEST_TEXT, min(largest, int(fitting)))
        self.smallest = max(SMALLEST_TEXT, ceil(_SMALL * min(self.size, around)))
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

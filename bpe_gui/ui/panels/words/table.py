"""The table of the words: each with its count, and its tokens in boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from html import escape
from math import ceil
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import (
    QFontInfo,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from bpe_gui.analysis.word_list import Marked, WordList
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.exporting.tables import word_lines
from bpe_gui.ui.panels.words.rows import WordRow, cut_rows, merging, token_texts
from bpe_gui.ui.panels.words.wording import spoken
from bpe_gui.ui.run.corpus_queries import TokenFrequencies
from bpe_gui.ui.theme.painting import AT_RIGHT, pen, target_of
from bpe_gui.ui.theme.text_size import RoomFollower, resized
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS
from bpe_gui.ui.tokens.box_pictures import BoxPictures, Look
from bpe_gui.ui.tokens.colours import TokenColouring, fill_of
from bpe_gui.ui.tokens.token_words import token_lines, tooltip, visible_start
from bpe_gui.ui.widgets.motion import JOIN, MergeMotion
from bpe_gui.ui.widgets.tables import AnyIndex, Heading, PaintedTable, RowsModel, plainly

_FEW = 40
"""Up to that many words are shown all at once, if they fit, in large letters."""
_MEASURED = 60
"""How many of the most frequent words the columns are fitted to."""
_COMMON_WORD = "␣grandmothers,"
"""Of many words the most frequent ones are short; those that a merge touches are often so long."""
_NO_PLACE = -1

_SCALES = (2.2, 1.7, 1.35, 1.0)
"""Sizes of the text, times that of the font: the largest in which all words fit is taken."""
_NARROW = ((1.0, 0.5), (0.95, 0.4))
"""Sizes of the text and of the gaps where words would be cut: the first in which none is."""

_MARGIN = 12
_COLUMN_GAP = 18
_RADIUS = 4
_LEAST_BETWEEN = 8
"""Pixels; the last between the boxes of two rows that are close."""
_ROW = 2.35
_BOX = 1.6
_PADDING = 0.36
_GAP = 0.3
"""Heights and widths for a font of size 1."""
_WIDEST_WORD = 0.36
"""The part of the width that the words may take."""
_WIDEST_ON_STAGE = 0.27
"""That part for many words on the stage: more of their tokens are seen then."""
_MOST_BYTES = 60


class WordColumn(IntEnum):
    WORD = 0
    COUNT = 1
    TOKENS = 2


class WordsModel(RowsModel):
    """The rows of a `WordList`."""

    headings = tuple(Heading(column.name.lower()) for column in WordColumn)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words: WordList | None = None
        """What is shown, None before anything is."""

    def show(self, words: WordList | None) -> None:
        """Show other words, or the same in another order or at another position."""
        if words is not None and self.words is not None and len(words.rows) == self.rowCount():
            self.layoutAboutToBeChanged.emit()
            before, rows = self.persistentIndexList(), self.words.rows
            self.words = words
            after = [self._index_of(int(rows[index.row()]), index.column()) for index in before]
            self.changePersistentIndexList(before, after)
            self.layoutChanged.emit()
            return
        self.beginResetModel()
        self.words = words
        self.endResetModel()

    def _index_of(self, word: int, column: int) -> QModelIndex:
        assert self.words is not None
        found = np.flatnonzero(self.words.rows == word)
        return self.index(int(found[0]), column) if len(found) else QModelIndex()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows, in their order, as lines for a file; None before anything is shown."""
        shown = self.words
        return None if shown is None else word_lines(shown.corpus, shown.position, shown.rows)

    def cut_rows(self, first: int, last: int, marked: Marked | None = None) -> list[WordRow]:
        """Return the rows from `first` to before `last` with their tokens.

        Another merge may be `marked` than that of the words.
        """
        assert self.words is not None
        return cut_rows(self.words, first, last, marked=marked)

    def cut_row(self, row: int) -> WordRow:
        return self.cut_rows(row, row + 1)[0]

    def spoken(self, row: int) -> str:
        assert self.words is not None
        return spoken(self.words, self.cut_row(row))

    def count(self) -> int:
        return 0 if self.words is None else len(self.words.rows)

    def cells(self, row: int) -> Sequence[str]:
        assert self.words is not None
        word = self.cut_row(row)
        tokens = token_texts(self.words.corpus.history, word.tokens)
        return word.text, f"{word.count:,}", " ".join([*tokens, *([] if word.whole else ["…"])])


class Label(NamedTuple):
    """A token as it is written: its text, and the width of its box."""

    text: str
    width: int


class Box(NamedTuple):
    """A token in a row: where it is, and the number of its colour."""

    token: int
    left: int
    fill: int
    label: Label

    @property
    def right(self) -> int:
        return self.left + self.label.width


class WordsTable(PaintedTable):
    """Rows of a `WordsModel`, or the reason why there are none.

    Up, Down, Home and End move from word to word, Left and Right from token to token,
    Enter or a click selects a token, Ctrl+C copies the row.
    """

    tokenSelected = Signal(int)
    """The id of a token that the user clicked, or pressed Enter on."""

    def __init__(
        self,
        model: WordsModel,
        parent: QWidget,
        frequencies: TokenFrequencies,
        motion: MergeMotion,
    ) -> None:
        self._presents = False
        super().__init__(model, parent)
        self._frequencies = frequencies
        self._rows = model
        self._history: History | None = None
        self._colouring: TokenColouring | None = None
        self._token = NO_TOKEN
        self._pair: tuple[int, int] | None = None
        self._place = _NO_PLACE
        self._few: list[WordRow] = []
        self._measured: tuple[list[str], int] = [], 0
        self._count = 0
        self._labels: dict[int, Label] = {}
        self._pictures = BoxPictures(_RADIUS)
        self._motion = motion
        motion.progressed.connect(self.viewport().update)
        motion.ended.connect(self.viewport().update)
        self._position = 0
        self._moving = False
        self._words_width = self._count_width = 0
        self._set_scale(1.0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setMinimumSectionSize(1)
        self.viewport().setMouseTracking(True)
        ThemeFollower(self, self._pictures.take_colours)
        RoomFollower(self.viewport(), self._fit)
        frequencies.changed.connect(self.viewport().update)

    @property
    def presents(self) -> bool:  # type: ignore[override]
        """Whether an audience looks on, for whom rows fill the height."""
        return self._presents

    @presents.setter
    def presents(self, presents: bool) -> None:
        self._presents = presents
        self._fit()

    # -- what is shown ----------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        self._history = history
        self._colouring = None
        if history is not None:
            self._colouring = TokenColouring(history, self._frequencies)
        self._labels.clear()
        self._few = []
        self._count = 0
        self._token, self._pair = NO_TOKEN, None
        self._place = _NO_PLACE

    @property
    def few(self) -> bool:
        """Whether the words are so few that all of them are shown if they fit."""
        return bool(self._few)

    def fit_to(self, words: WordList) -> None:
        """Fit sizes to the words of a corpus, as they are before the first merge."""
        corpus = words.corpus
        counts = corpus.words.counts
        self._count = len(counts)
        greatest = int(counts.max()) if self._count else 0
        first = WordList(0, words.query, words.rows[:_MEASURED], 0, (), corpus)
        rows = cut_rows(first, 0, len(first.rows))
        self._few = rows if self._count <= _FEW else []
        measured = [row.text for row in rows]
        self._measured = measured if self._few else [*measured, _COMMON_WORD], greatest
        self._fit()

    def show_position(self, position: int, moving: bool) -> None:
        """Take the position that is wanted, and whether the cursor moves fast.

        Its words may still be looked for. Those that are shown frame no pair meanwhile, for
        other panels tell another merge, unless the cursor is `moving`.
        """
        self._position, self._moving = position, moving
        if not moving:
            self.viewport().update()

    def select_token(self, token: int) -> None:
        self._token, self._pair = token, None
        self.viewport().update()

    def select_pair(self, left: int, right: int) -> None:
        """Outline a pair wherever it occurs, instead of a token."""
        self._token, self._pair = NO_TOKEN, (left, right)
        self.viewport().update()

    # -- what the drawing depends on ---------------------------------------------------------

    def _set_scale(self, scale: float, loose: float = 1.0) -> None:
        """Write `scale` times as large as the font, with `loose` times the usual gaps."""
        self._margin, self._column_gap = round(_MARGIN * loose), round(_COLUMN_GAP * loose)
        self._labels.clear()
        self._body = plainly(resized(self.font(), scale))
        self._metrics = QFontMetrics(self._body)
        self._widest = self._metrics.horizontalAdvance("W")
        size = QFontInfo(self._body).pixelSize()
        self._row_height = max(round(size * _ROW), self._metrics.height() + 8)
        self._box_height = max(round(size * _BOX), self._metrics.height() + 2)
        padding = max(3, round(size * _PADDING * loose))
        self._pictures.set_fonts(
            self._body, self._body, self.font(), self._box_height, padding, 0
        )
        self._gap = max(3, round(size * _GAP * loose))
        words, greatest_count = self._measured
        widest = max((self._metrics.horizontalAdvance(word) for word in words), default=0)
        # Widths are rounded; a word that is a fraction too wide would be cut.
        self._words_width = widest + 1 if words else 0
        self._count_width = self._metrics.horizontalAdvance(f"{greatest_count:,}×")

    def _fit(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        if not self._count:
            self._set_scale(1.0)
        else:
            for scale in _SCALES if self._few else _SCALES[-1:]:
                self._set_scale(scale)
                has_height = len(self._few) * self._row_height <= height
                if has_height and self._few_fit(width):
                    break
            for narrow in _NARROW:
                if self._few_fit(width):
                    break
                self._set_scale(*narrow)
            if self.presents:
                self._fill_with_rows(height)
        self.verticalHeader().setDefaultSectionSize(self._row_height)
        columns = self.horizontalHeader()
        edges = (0, self._count_right - 1, self._tokens_left, width)
        for column in WordColumn:
            columns.resizeSection(column, max(1, edges[column + 1] - edges[column]))
        self.viewport().update()

    def _few_fit(self, width: int) -> bool:
        """Tell whether few words have the width for all their tokens.

        The first use of a font for rare characters is slow, so measuring stops at the first row
        that does not fit.
        """
        return all(self._needed_width(row) <= width for row in self._few)

    def _needed_width(self, row: WordRow) -> int:
        tokens = sum(self._label(token).width + self._gap for token in row.tokens)
        columns = self._words_width + self._count_width + 2 * self._column_gap + 2 * self._margin
        return max(columns + tokens + self._gap, round(self._words_width / _WIDEST_WORD))

    def _fill_with_rows(self, height: int) -> None:
        """If not all words fit, fill the height with whole rows, closer if one more fits then."""
        if self._count * self._row_height <= height:
            return
        rows = min(self._count, ceil(height / self._row_height))
        if height // rows < self._box_height + _LEAST_BETWEEN:
            rows -= 1
        if rows:
            self._row_height = height // rows

    # -- where things are ---------------------------------------------------------------------

    @property
    def _word_width(self) -> int:
        few = self._few or not self.presents
        share = _WIDEST_WORD if few else _WIDEST_ON_STAGE
        return min(self._words_width, round(self.viewport().width() * share))

    @property
    def _count_right(self) -> int:
        return self._margin + self._word_width + self._column_gap + self._count_width

    @property
    def _tokens_left(self) -> int:
        return self._count_right + self._column_gap + self._gap

    def _boxes(self, row: WordRow) -> list[Box]:
        """Return the boxes of a row: those of its tokens that fit; the only one is made to fit."""
        assert self._history is not None
        limit = self.viewport().width() - self._margin
        left, offset, fill = self._tokens_left, row.word, -1
        boxes: list[Box] = []
        for token in row.tokens:
            label = self._label(token)
            if left + label.width > limit and boxes:
                break
            # A colour by the place goes with the place in the word, so that merges leave it.
            wanted = offset % TOKEN_COLOURS
            fill = wanted if wanted != fill else (wanted + 1) % TOKEN_COLOURS
            seen = fill_of(self._colouring, token, self._theme.colour_by, fill)
            boxes.append(Box(token, left, seen, label))
            left += label.width + self._gap
            offset += len(self._history.token_bytes(token))
        hidden = len(row.tokens) - len(boxes)
        more = self._metrics.horizontalAdvance(f"+{hidden:,}") if hidden else 0
        while hidden and len(boxes) > 1 and boxes[-1].right + self._gap + more > limit:
            boxes.pop()
        if boxes:
            room = limit - (self._gap + more if hidden else 0) - boxes[0].left
            boxes[0] = boxes[0]._replace(label=self._fitted(boxes[0].label, room))
        return boxes

    @property
    def _slides(self) -> bool:
        """Whether the pairs of the next merge become one, or have, in the rows that are shown."""
        words, after = self._rows.words, self._position
        if words is None or words.query.marked is Marked.NONE:
            return False
        return words.position == after - 1 and self._motion.position == after

    @property
    def shown_position(self) -> int | None:
        """The position whose tokens are seen; None without words."""
        words = self._rows.words
        if words is None:
            return None
        return words.position + (self._slides and self._motion.share >= JOIN)

    def _slid(
        self, boxes: list[Box], merging: tuple[int, ...]
    ) -> tuple[list[Box], list[tuple[int, int]]]:
        """Move the pairs of the next merge together, and then show what is made of them.

        Return the boxes, and where each pair, or what it became, begins and ends.
        """
        assert self._history is not None
        token, share = int(self._history.new_id[self._position - 1]), self._motion.share
        made, shift = self._label(token), 0.0
        slid: list[Box] = []
        pairs: list[tuple[int, int]] = []
        places = iter(range(len(boxes)))
        for place in places:
            box = boxes[place]
            left = round(box.left - shift)
            if place not in merging or place + 1 == len(boxes):
                slid.append(box._replace(left=left))
                continue
            right = boxes[next(places)]
            shrinks = right.right - box.left - made.width
            if share < JOIN:
                closing = self._gap * share / JOIN
                shift += closing
                slid += [box._replace(left=left), right._replace(left=round(right.left - shift))]
                pairs.append((left, slid[-1].right))
            else:
                fill = fill_of(self._colouring, token, self._theme.colour_by, box.fill)
                slid.append(Box(token, left, fill, made))
                pairs.append((left, slid[-1].right))
                shift += self._gap + (shrinks - self._gap) * self._motion.share_joined
        return slid, pairs

    def _fitted(self, label: Label, room: int) -> Label:
        """Return a label, without the middle of its text if it is wider than there is room."""
        if label.width <= room:
            return label
        beside = label.width - self._pictures.advance(label.text)
        labels, middle = self._pictures.labels, Qt.TextElideMode.ElideMiddle
        text = labels.elided(label.text, middle, max(0, room - beside))
        return Label(text, self._pictures.width(text, ""))

    def _label(self, token: int) -> Label:
        label = self._labels.get(token)
        if label is None:
            label = self._labels[token] = self._make_label(token)
        return label

    def _make_label(self, token: int) -> Label:
        assert self._history is not None
        content, tail = self._history.token_bytes(token), ""
        if self._history.ends_word(token):
            content = content.removesuffix(END_OF_WORD.encode())
            tail = END_OF_WORD
        text = visible_start(content, _MOST_BYTES) + tail
        return Label(text, self._pictures.width(text, ""))

    def show_merge(self) -> None:
        """Scroll to the first word that holds the pair that is about to merge.

        Of endless words only the beginning is searched.
        """
        if self.verticalScrollBar().maximum():
            rows = self._rows.cut_rows(0, self._rows.rowCount())
            merging = next((place for place, row in enumerate(rows) if row.merging), 0)
            self.scrollTo(self._rows.index(merging, 0))

    # -- drawing ----------------------------------------------------------------------------

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw the rows, and a line under those that the marked merge is done in."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        current, width, line = self.currentIndex().row(), self.viewport().width(), self._line_above
        marked = Marked.NEXT if self._slides else None
        for row, word in enumerate(self._rows.cut_rows(rows.start, rows.stop, marked), rows.start):
            if row == current:
                self.draw_current(painter, top, height)
            if row == line:
                painter.setPen(pen(self._theme.border))
                painter.drawLine(self._margin, top, width - self._margin, top)
            self._draw_row(painter, top, word, self._place if row == current else _NO_PLACE)
            top += height

    @property
    def _line_above(self) -> int:
        """The row above which those end that the marked merge is done in."""
        words = self._rows.words
        return words.leading if words is not None and words.leading else _NO_PLACE

    def _draw_row(self, painter: QPainter, top: int, row: WordRow, place: int) -> None:
        baseline = top + (self._row_height + self._metrics.ascent() - self._metrics.descent()) // 2
        painter.setFont(self._body)
        painter.setPen(pen(self._theme.text))
        word, room = row.text, self._word_width
        # The widest character is rare; most words are known to fit without measuring them.
        if len(word) * self._widest > room:
            word = self._metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
        painter.drawText(self._margin, baseline, word)
        painter.setPen(self._muted)
        left, width = self._margin + room, self._count_right - self._margin - room
        painter.drawText(left, top, width, self._row_height, AT_RIGHT, f"{row.count:,}×")
        boxes = self._boxes(row)
        hidden = len(row.tokens) - len(boxes)
        if self._slides:
            boxes, pairs = self._slid(boxes, row.merging)
            tells = self._motion.goes_on
        else:
            inside = (first for first in row.merging if row.ends(first) < len(boxes))
            pairs = [(boxes[first].left, boxes[row.ends(first)].right) for first in inside]
            words = self._rows.words
            tells = self._moving or (words is not None and words.position == self._position)
        box_top = top + (self._row_height - self._box_height) // 2
        target = target_of(painter)
        for box in boxes:
            look = Look(box.label.text, "", box.fill)
            self._pictures.paint(painter, target, box.left, box_top, look)
        self._draw_outlines(painter, boxes, box_top, place)
        painter.setPen(pen(self._theme.accent, 2))
        for left, right in pairs if tells else ():
            self._draw_frame(painter, left, right, box_top)
        if hidden or not row.whole:
            left = boxes[-1].right + self._gap if boxes else self._tokens_left
            painter.setPen(self._muted)
            painter.setFont(self._body)
            painter.drawText(left, baseline, f"+{hidden:,}" if row.whole else "…")

    def _draw_outlines(self, painter: QPainter, boxes: list[Box], top: int, place: int) -> None:
        height = self._box_height
        if place >= 0 or self._token != NO_TOKEN:
            painter.setPen(pen(self._theme.text, 2))
            for number, box in enumerate(boxes):
                if box.token == self._token:
                    width = box.label.width
                    painter.drawRoundedRect(box.left, top, width, height, _RADIUS, _RADIUS)
                if number == place:
                    painter.drawLine(box.left, top + height + 3, box.right, top + height + 3)
        if self._pair is not None:
            painter.setPen(pen(self._theme.text, 2))
            for first in merging([box.token for box in boxes], self._pair):
                self._draw_frame(painter, boxes[first].left, boxes[first + 1].right, top)

    def _draw_frame(self, painter: QPainter, left: int, right: int, top: int) -> None:
        """Draw a frame around a pair of boxes."""
        width, height, radius = right - left + 4, self._box_height + 4, _RADIUS + 2
        painter.drawRoundedRect(left - 2, top - 2, width, height, radius, radius)

    # -- pointing and selecting ---------------------------------------------------------------

    def token_at(self, position: QPoint) -> int:
        """Return the token at a place of the viewport, NO_TOKEN if there is none."""
        row = self.rowAt(position.y())
        if row < 0:
            return NO_TOKEN
        for box in self._boxes(self._rows.cut_row(row)):
            if box.left <= position.x() < box.right:
                return box.token
        return NO_TOKEN

    def token_center(self, row: int, place: int) -> QPoint:
        """Return the middle of a token of a row, in the viewport."""
        box = self._boxes(self._rows.cut_row(row))[place]
        y = self.rowViewportPosition(row) + self._row_height // 2
        return QPoint((box.left + box.right) // 2, y)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Start with the first token of another word."""
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self._place = _NO_PLACE
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        token = self.token_at(event.position().toPoint())
        if token != NO_TOKEN and event.button() is Qt.MouseButton.LeftButton:
            self.tokenSelected.emit(token)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        inside = self.token_at(event.position().toPoint()) != NO_TOKEN
        shape = Qt.CursorShape.PointingHandCursor if inside else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.rowAt(event.pos().y())
            if row < 0:
                QToolTip.hideText()
                return True
            token, words = self.token_at(event.pos()), self._rows.words
            assert words is not None
            told = tooltip(token_lines(words.corpus.history, token)) if token != NO_TOKEN else ""
            told = told or f"<p>{escape(self._rows.spoken(row))}</p>"
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if not current.isValid():
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._move(current.row(), 1 if event.key() == Qt.Key.Key_Right else -1)
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            last = self._rows.rowCount() - 1
            self.selectRow(0 if event.key() == Qt.Key.Key_Home else last)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select_current(current.row())
        else:
            super().keyPressEvent(event)

    def _move(self, row: int, by: int) -> None:
        last = len(self._boxes(self._rows.cut_row(row))) - 1
        self._place = max(0, min(self._place + by, last))
        self.viewport().update()

    def _select_current(self, row: int) -> None:
        tokens = self._rows.cut_row(row).tokens
        if tokens:
            # The word may be cut into fewer by now.
            place = max(0, min(self._place, len(tokens) - 1))
            self.tokenSelected.emit(tokens[place])

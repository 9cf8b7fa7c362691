"""How a word is derived, as a table: its symbols, merge after merge, and its tokens at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QWidget

from bpe_gui.analysis.derivation import AppliedMerge, WordDerivation
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.exporting.tables import derivation_lines
from bpe_gui.progress import counted
from bpe_gui.ui.panels.derivation.wording import HEADINGS, IDS, SHORT_IDS, tokens_text
from bpe_gui.ui.run.corpus_queries import TokenFrequencies
from bpe_gui.ui.theme.painting import Target, pen, target_of
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import ThemeFollower, theme_of
from bpe_gui.ui.theme.token_palettes import TOKEN_COLOURS
from bpe_gui.ui.tokens.box_pictures import BoxPictures, Look, id_text
from bpe_gui.ui.tokens.colours import TokenColouring, fill_of, separated
from bpe_gui.ui.tokens.token_words import label, pair_text
from bpe_gui.ui.widgets.tables import LEFT, PaintedTable, RowsModel

_LONGEST_WORD = 64
_BEFORE_MERGE = 6
"""A long word is shown from that many tokens before the merge."""


class Column(IntEnum):
    RANK = 0
    """The number of the merge: encoding applies lower ones first."""
    PAIR = 1
    TOKENS = 2


class RowTokens(Struct, frozen=True):
    """The tokens of a row that are worth drawing, as columns.

    `colours` are indexes below 6, by the place where a token begins, no two neighbours
    alike. `new` is the index of the token that the row's merge made, -1 for none. `cut` is
    True if tokens before the first are left out. `own_ids` are those of the vocabulary.
    """

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    own_ids: tuple[int, ...]
    colours: tuple[int, ...]
    new: int
    cut: bool


class DerivationModel(RowsModel):
    """Rows for `WordDerivation`: symbols, merges at the cursor, tokens, then later merges."""

    headings = HEADINGS

    def __init__(self, parent: QObject, frequencies: TokenFrequencies) -> None:
        super().__init__(parent)
        self._frequencies = frequencies
        self.derivation: WordDerivation | None = None
        """The word that is shown."""
        self.colouring: TokenColouring | None = None
        """The fills of its tokens."""
        self._position = 0
        self.applied = 0
        """How many merges are applied at the cursor."""
        self._merges = 0

    # -- what is shown -------------------------------------------------------------------

    def set_derivation(self, derivation: WordDerivation | None, position: int) -> None:
        self.beginResetModel()
        self.derivation = derivation
        self.colouring = None
        if derivation is not None:
            self.colouring = TokenColouring(derivation.history, self._frequencies)
        self._count(position)
        self.endResetModel()

    def set_position(self, position: int, *, exact: bool = True) -> bool:
        """Follow the cursor, and return whether anything has changed.

        If not `exact`, later merges that have come since may be missing.
        """
        derivation = self.derivation
        if derivation is None:
            return False
        if exact or position > derivation.length:
            derivation.extend()
        before, merges = self.applied, len(derivation.steps)
        if merges != self._merges:
            # The rows before stay; new merges are last.
            self.beginInsertRows(QModelIndex(), self._merges + 2, merges + 1)
            self._merges = merges
            self.endInsertRows()
        self._count(position)
        if self.applied == before:
            return False
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, Column.TOKENS))
        return True

    def _count(self, position: int) -> None:
        self._position = position
        derivation = self.derivation
        self._merges = 0 if derivation is None else len(derivation.steps)
        self.applied = 0 if derivation is None else derivation.rows(position)

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return all rows as lines for a file, with all tokens; None without a word."""
        if self.derivation is None:
            return None
        # A list, because the word extends with later merges.
        return iter(list(derivation_lines(self.derivation, self._position)))

    @property
    def result_row(self) -> int:
        """The row of the tokens at the cursor."""
        return self.applied + 1

    def merges_at(self, row: int) -> int:
        """Return the number of merges applied in a row."""
        return row if row < self.result_row else row - 1

    def merge(self, row: int) -> AppliedMerge | None:
        """Return the merge of a row; None for the symbols and the result."""
        if self.derivation is None or row in (0, self.result_row):
            return None
        return self.derivation.merge(self.merges_at(row))

    def tokens(self, row: int) -> RowTokens:
        """Return the tokens of a row, around its merge if they are many."""
        assert self.derivation is not None
        return _row_tokens(self.derivation, self.merges_at(row), self.merge(row))

    # -- for Qt ----------------------------------------------------------------------------

    def count(self) -> int:
        return 0 if self.derivation is None else self._merges + 2

    def cells(self, row: int) -> tuple[str, str, str]:
        tokens = self.tokens(row)
        ids = tokens.own_ids if row == self.result_row else ()
        told = tokens_text(tokens.labels, ids, cut=tokens.cut)
        return self.rank(row), self.pair(row), told

    def rank(self, row: int) -> str:
        """Return the number of a row's merge, counted from one; empty if there is none."""
        merge = self.merge(row)
        return "" if merge is None else f"{merge.step + 1:,}"

    def pair(self, row: int) -> str:
        """Return the pair of a row's merge, or what the row before or after all merges has."""
        derivation, merge = self.derivation, self.merge(row)
        assert derivation is not None
        if merge is not None:
            history = derivation.history
            return pair_text(history, int(history.left[merge.step]), int(history.right[merge.step]))
        return IDS if row else counted(len(derivation.symbols), "token")


def _row_tokens(derivation: WordDerivation, merges: int, merge: AppliedMerge | None) -> RowTokens:
    first, ids = derivation.tokens(merges)
    begin = 0
    if merge is not None and len(first) > _LONGEST_WORD:
        begin = max(0, merge.place - _BEFORE_MERGE)
    first = first[begin : begin + 2 * _LONGEST_WORD]
    ids = ids[begin : begin + 2 * _LONGEST_WORD]
    colours = separated((first % TOKEN_COLOURS).astype(np.int8), first)
    shown = list(zip(ids.tolist(), first.tolist(), strict=True))
    return RowTokens(
        labels=tuple(label(derivation.content(*token)) for token in shown),
        ids=tuple(token for token, _ in shown),
        own_ids=tuple(derivation.history.own_ids(ids).tolist()),
        colours=tuple(colours.tolist()),
        new=-1 if merge is None else merge.place - begin,
        cut=begin > 0,
    )


SMALLEST_TEXT, LARGEST_TEXT = 12, 28
"""Sizes of the text in pixels, from the smallest panel to a full screen on stage."""

_LARGEST_SHOWN, _SMALLER = 40, 0.9
"""That of a short word in front of an audience, and the steps in which it is made smaller."""
_PADDING = 8
"""Pixels beside the text of a cell, for text of the plain size."""
_GAP = 3
"""Pixels between two boxes."""
_ROW_GAP, _LEAST_ROW_GAP = 6, 2
"""Pixels between the boxes of two rows, and where this shows one row more."""
_RADIUS = 5
_NOTE, _INSET = 0.74, 0.4
"""Sizes of an id, and of the space around a label, for a font of size 1."""
_WIDEST_CELL = 4000
_MEASURED_ROWS = 40
_BESIDE = (Column.RANK, Column.PAIR)
"""The columns before that of the boxes."""
_GIVING_WAY = (Column.PAIR, Column.RANK)
"""The same, the least important first."""


class DerivationTable(PaintedTable):
    """Rows of a `DerivationModel`, revealed one by one while it is played."""

    rowChosen = Signal(int, int)
    """A row that the user clicked, or pressed Enter on, and the token clicked or -1."""
    playWanted = Signal()
    """The user pressed Space."""

    def __init__(self, model: DerivationModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self.revealed: int | None = None
        """The last row that is shown; None if all are."""
        self._keeps_result = False
        self._token = NO_TOKEN
        self._boxes = BoxPictures(_RADIUS)
        self._set_text_size(SMALLEST_TEXT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        columns = self.horizontalHeader()
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(24)
        columns.setDefaultAlignment(LEFT)
        ThemeFollower(self, self._boxes.take_colours)
        self.fit()
        RoomFollower(self.viewport(), self.fit)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 80)

    # -- what is shown -------------------------------------------------------------------

    def set_message(self, message: str) -> None:
        super().set_message(message)
        self.horizontalHeader().setVisible(not message)

    def set_token(self, token: int) -> None:
        self._token = token
        self.viewport().update()

    def reveal(self, row: int | None) -> None:
        """Show the rows up to this one only; None shows all."""
        self.revealed = row
        self.viewport().update()

    def follow(self) -> None:
        """Fit the columns to the tokens at another position."""
        self._fit_columns()
        self._show_result()
        self.viewport().update()

    def keep_result(self, keep: bool) -> None:
        """Keep the resulting tokens in view, as on the stage, or not."""
        self._keeps_result = keep
        self._show_result()

    def _show_result(self) -> None:
        result, wanted = self._rows.result_row, self._keeps_result or self.presents
        if not wanted or self.revealed is not None or not self._rows.rowCount():
            return
        self.updateGeometries()
        whole = max(1, self.viewport().height() // self.row_height)
        self.verticalScrollBar().setValue(max(0, result - whole + 1) * self.row_height)

    def fit(self) -> None:
        """Find the text size at which all rows fit, and fit the columns to it."""
        rows = max(4, self._rows.rowCount() + 1)
        # Not by the viewport, whose height follows that of the header, and so the last size.
        size = int(self.contentsRect().height() / rows / 1.9)
        smallest, largest = (scaled(size, self.font()) for size in (SMALLEST_TEXT, LARGEST_TEXT))
        plain = max(smallest, min(largest, size, self.contentsRect().width() // 30))
        self._write_in(plain)
        if self.presents and self._has_all_columns():
            # A short word is as large as it fits.
            size = min(size, scaled(_LARGEST_SHOWN, self.font()))
            while size > plain:
                self._write_in(size)
                if self._has_all_columns():
                    break
                size = max(plain, int(_SMALLER * size))
            else:
                self._write_in(plain)
        style = f"QHeaderView::section {{ padding: 5px {self._padding}px; }}"
        if style != self.horizontalHeader().styleSheet():
            self.horizontalHeader().setStyleSheet(style)
        self._show_result()
        self.viewport().update()

    def _write_in(self, size: int) -> None:
        self._set_text_size(size)
        self.horizontalHeader().setFont(self._boxes.small)
        room = self.contentsRect().height() - self.horizontalHeader().sizeHint().height()
        gap = room // max(1, self._rows.rowCount()) - self._boxes.height
        gap = max(_LEAST_ROW_GAP, min(_ROW_GAP, gap))
        self.verticalHeader().setDefaultSectionSize(self._boxes.height + gap)
        self._fit_columns()

    def _has_all_columns(self) -> bool:
        return not any(map(self.isColumnHidden, _BESIDE))

    def _set_text_size(self, size: int) -> None:
        font = QFont(self.font())
        font.setPixelSize(size)
        self._padding = max(_PADDING, size // 3)
        small = QFont(font)
        small.setPixelSize(max(9, round(size * _NOTE)))
        inset = max(4, round(size * _INSET))
        self._boxes.set_fonts(
            font, small, self.font(), QFontMetrics(font).height() + 4, inset, inset
        )

    def _fit_columns(self) -> None:
        columns, room = self.horizontalHeader(), self._room()
        count = min(self._rows.rowCount(), _MEASURED_ROWS)
        pairs = [self._rows.pair(row) for row in range(count)]
        headings = self._boxes.small_metrics
        derivation = self._rows.derivation
        steps = [] if derivation is None else derivation.steps[-1:].tolist()
        greatest = max([99, *(step + 1 for step in steps)])
        widest, left = self._widest(), room
        for column, texts in ((Column.RANK, [f"{greatest:,}"]), (Column.PAIR, pairs)):
            title = HEADINGS[column].text
            # Pairs are cut rather than the boxes, which show them as well.
            most = max(room // 3, left - widest - 2 * self._padding)
            width = max(
                min(most, max(map(self._boxes.advance, texts), default=0) + 3),
                headings.horizontalAdvance(title) + headings.height() // 2,
            )
            columns.resizeSection(column, width + 2 * self._padding)
            left -= width + 2 * self._padding
        before = self._choose_columns(widest, room)
        columns.resizeSection(Column.TOKENS, max(room - before, widest))

    def _room(self) -> int:
        """Return the width for all columns, less that of the scroll bar if the rows need one.

        Not by the viewport: whether the bar is there follows from what is fitted, and would change
        that again, without end.
        """
        inside, rows = self.contentsRect(), self._rows.rowCount()
        height = self.horizontalHeader().sizeHint().height() + rows * self.row_height
        bar = self.verticalScrollBar().sizeHint().width() if height > inside.height() else 0
        return inside.width() - bar

    def _choose_columns(self, widest: int, room: int) -> int:
        """Hide columns until the boxes fit; return the width of the columns that are left.

        `widest` is the width of the boxes, `room` that of all columns. Boxes show the pair as well,
        so its column is hidden first; the numbers of merges only on the stage.
        """
        taken = {}
        for column in _BESIDE:
            self.setColumnHidden(column, False)
            taken[column] = self.columnWidth(column)
        for column in _GIVING_WAY:
            has_room = sum(taken.values()) + widest <= room
            if not has_room and (self.presents or column == Column.PAIR):
                self.setColumnHidden(column, True)
                del taken[column]
        return sum(taken.values())

    def _widest(self) -> int:
        if self._rows.rowCount() == 0:
            return 60
        rows = 0, self._rows.result_row
        ends = [self._placed(row, self._rows.tokens(row))[-1:] for row in rows]
        heading = self._boxes.small_metrics.horizontalAdvance(HEADINGS[Column.TOKENS].text)
        least = heading + self._padding if self.presents else 0
        widest = max((left + width for box in ends for left, width in box), default=0)
        widest = max(widest, least)
        return min(widest + _GAP + self._padding, _WIDEST_CELL)

    def _placed(self, row: int, tokens: RowTokens) -> list[tuple[int, int]]:
        with_ids = row == self._rows.result_row
        left = self._padding + (self._boxes.advance("… ") if tokens.cut else 0)
        places = []
        for text, token in zip(tokens.labels, tokens.own_ids, strict=True):
            width = self._boxes.width(text, id_text(token) if with_ids else "")
            places.append((left, width))
            left += width + _GAP
        return places

    # -- drawing -----------------------------------------------------------------------------

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        current = self.currentIndex()
        target = target_of(painter)
        last = rows.stop if self.revealed is None else min(rows.stop, self.revealed + 1)
        for row in range(rows.start, last):
            if current.isValid() and row == current.row():
                self.draw_current(painter, top, height)
            self._draw_row(painter, target, row, top, height)
            top += height

    def _draw_row(self, painter: QPainter, target: Target, row: int, top: int, height: int) -> None:
        result, pair = self._rows.result_row, self._rows.pair(row)
        baseline = (
            top + (height + self._boxes.metrics.ascent() - self._boxes.metrics.descent()) // 2
        )
        if row == result:
            painter.setPen(pen(self._theme.border))
            painter.drawLine(0, top, self.viewport().width(), top)
        painter.setFont(self._boxes.font)
        painter.setPen(pen(self._theme.text) if 0 < row < result else self._muted)
        if not self.isColumnHidden(Column.RANK):
            number = self._rows.rank(row)
            right = self.columnViewportPosition(Column.RANK) + self.columnWidth(Column.RANK)
            painter.drawText(right - self._padding - self._boxes.advance(number), baseline, number)
        if not self.isColumnHidden(Column.PAIR):
            room = self.columnWidth(Column.PAIR) - 2 * self._padding
            labels = self._boxes.labels
            if row == result and labels.width(pair) > room:
                pair = SHORT_IDS
            pair = labels.elided(pair, Qt.TextElideMode.ElideRight, room)
            left = self.columnViewportPosition(Column.PAIR) + self._padding
            labels.draw(painter, left, baseline, pair)
        self._draw_tokens(painter, target, row, top, baseline)

    def _draw_tokens(
        self, painter: QPainter, target: Target, row: int, top: int, baseline: int
    ) -> None:
        tokens, result = self._rows.tokens(row), self._rows.result_row
        column, end = self.columnViewportPosition(Column.TOKENS), self.viewport().width()
        colouring, by = self._rows.colouring, theme_of(self).colour_by
        box_top = top + (self.row_height - self._boxes.height) // 2
        if tokens.cut:
            painter.setPen(self._muted)
            painter.drawText(column + self._padding, baseline, "…")
        for index, (left, width) in enumerate(self._placed(row, tokens)):
            if column + left > end:
                return
            if column + left + width > 0:
                token = tokens.ids[index]
                look = Look(
                    tokens.labels[index],
                    id_text(tokens.own_ids[index]) if row == result else "",
                    -1 if row > result else fill_of(colouring, token, by, tokens.colours[index]),
                    index == tokens.new,
                    token == self._token != NO_TOKEN,
                    token == NO_TOKEN,
                )
                self._boxes.paint(painter, target, column + left, box_top, look)

    # -- mouse and keyboard --------------------------------------------------------------------

    def token_at(self, row: int, x: int) -> int:
        """Return the token in a row at a column of the viewport, NO_TOKEN beside the boxes."""
        x -= self.columnViewportPosition(Column.TOKENS)
        tokens = self._rows.tokens(row)
        for token, (left, width) in zip(tokens.ids, self._placed(row, tokens), strict=True):
            if left <= x < left + width:
                return token
        return NO_TOKEN

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            token = self.token_at(index.row(), event.position().toPoint().x())
            self.rowChosen.emit(index.row(), token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() == Qt.Key.Key_Space:
            self.playWanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            self.rowChosen.emit(current.row(), NO_TOKEN)
        else:
            super().keyPressEvent(event)

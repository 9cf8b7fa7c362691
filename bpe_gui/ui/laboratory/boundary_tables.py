"""The tables of the boundary panel: blocked pairs, and tokens across boundaries."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QFrame, QWidget

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.theme.painting import brush, mixed, pen
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, AnyIndex, CellText, PaintedTable, plainly

BOUNDARY = "▏"
"""The boundary in texts that are copied."""

_SPOKEN = Qt.ItemDataRole.AccessibleTextRole


class PairColumn(IntEnum):
    """The columns of the blocked pairs."""

    PAIR = 0
    BAR = 1
    TIMES = 2
    RANK = 3


class SuperwordColumn(IntEnum):
    """The columns of the tokens across boundaries."""

    MERGE = 0
    TOKEN = 1
    TIMES = 2
    EXAMPLE = 3


_PADDING = 8
"""Pixels at both sides of the text in a cell."""
_BOUNDARY = 3
"""Width of a boundary in pixels."""
_BESIDE = 5
_ROW_PADDING = 8
_LEAST_PAIR = 90
_SHARE_OF_PAIRS = 0.75
_LEAST_TOKEN, _LEAST_EXAMPLE = 80, 90


class BoundaryTable(PaintedTable):
    """Draws numbers at the right of their columns; two other columns share the rest of the width.

    main, other: these two columns; the other is hidden if it does not fit. numbers: the columns
        of numbers.
    """

    headers: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    main, other = 0, 0

    def __init__(self, name: str, spoken: str, parent: QWidget) -> None:
        """`name` is the object name, `spoken` what screen readers call it."""
        self._model = QStandardItemModel(0, len(self.headers))
        super().__init__(self._model, parent)
        self._model.setParent(self)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for column, (text, tip) in enumerate(zip(self.headers, self.tips, strict=True)):
            item = QStandardItem(text)
            item.setToolTip(tip)
            item.setTextAlignment(RIGHT if column in self.numbers else LEFT)
            self._model.setHorizontalHeaderItem(column, item)
        columns = self.horizontalHeader()
        columns.hide()  # until there are rows
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(1)
        FontFollower(self, self._take_font)

    def sizeHint(self) -> QSize:
        return QSize(300, 160)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 70)

    def _take_font(self) -> None:
        self._cell_font = plainly(self.font())
        self._metrics = QFontMetrics(self._cell_font)
        self._cell_text = CellText(self._metrics)
        self.width_of = self._metrics.horizontalAdvance
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + _ROW_PADDING)
        self._fit_columns()

    def header_width(self, column: int) -> int:
        return self.width_of(self.headers[column]) + 2 * _PADDING

    def main_width(self, rest: int) -> int:
        """Return the width of the main column, where numbers leave `rest` pixels for both."""
        raise NotImplementedError

    def _fit_columns(self) -> None:
        header, rest = self.horizontalHeader(), self.viewport().width()
        for column in self.numbers:
            cells = (self._cell(row, column) for row in range(self._model.rowCount()))
            needed = max(map(self.width_of, cells), default=0) + 2 * _PADDING
            width = max(self.header_width(column), needed)
            header.resizeSection(column, width)
            rest -= width
        main = max(1, self.main_width(rest))
        self.setColumnHidden(self.other, main >= rest)
        header.resizeSection(self.main, main)
        header.resizeSection(self.other, max(1, rest - main))

    def show_rows(self, rows: Sequence[tuple[Sequence[str], str]]) -> None:
        """Show other rows: the texts of the cells, and a sentence about each row.

        The current row stays the current one if there are as many rows as before.
        """
        if len(rows) != self._model.rowCount():
            self._model.setRowCount(0)
            for cells, _ in rows:
                self._model.appendRow([QStandardItem() for _ in cells])
        for row, (cells, sentence) in enumerate(rows):
            tip = f"<p>{escape(sentence)}</p>"
            for column, text in enumerate(cells):
                item = self._model.item(row, column)
                item.setText(text)
                item.setToolTip(tip)
            self._model.item(row, 0).setData(sentence, _SPOKEN)
        self.horizontalHeader().setVisible(bool(rows))
        self._fit_columns()
        self.viewport().update()

    def _cell(self, row: int, column: int) -> str:
        return self._model.item(row, column).text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.setAccessibleDescription(self._model.item(current.row(), 0).data(_SPOKEN))
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the first or the last row by Home and End."""
        rows = self._model.rowCount()
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and rows:
            self.selectRow(0 if event.key() == Qt.Key.Key_Home else rows - 1)
            return
        super().keyPressEvent(event)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        painter.setFont(self._cell_font)
        for row in rows:
            if row == self.currentIndex().row():
                self.draw_current(painter, top, height)
            baseline = top + (height + self._metrics.ascent() - self._metrics.descent()) // 2
            for column in self.numbers:
                text = self._cell(row, column)
                painter.setPen(self.number_pen(row, column))
                right = self.columnViewportPosition(column) + self.columnWidth(column) - _PADDING
                painter.drawText(right - self.width_of(text), baseline, text)
            self.draw_row(painter, row, top, height, baseline)
            top += height

    def number_pen(self, row: int, column: int) -> QPen:
        return self._muted

    def draw_row(self, painter: QPainter, row: int, top: int, height: int, baseline: int) -> None:
        """Draw the main column of a row and the other, if that is in view."""
        raise NotImplementedError

    def draw_boundary(
        self, painter: QPainter, middle: int, top: int, height: int, *, hollow: bool = False
    ) -> None:
        """Draw a boundary from top to bottom of a row; hollow if white space was dropped."""
        edges = ((-3, 1), (2, 1)) if hollow else ((-(_BOUNDARY // 2), _BOUNDARY),)
        for left, width in edges:
            painter.fillRect(middle + left, top + 3, width, height - 6, brush(self._theme.text))

    def end_of(self, text: str, width: int) -> str:
        """Return a text without its beginning if it is wider."""
        # Qt shortens a text that has just the width.
        fits = self.width_of(text) <= width
        return text if fits else self._metrics.elidedText(text, Qt.TextElideMode.ElideLeft, width)


@cache
def _bar_brushes(theme: Theme) -> tuple[QBrush, QBrush]:
    muted, panel = QColor(theme.muted), QColor(theme.panel)
    return QBrush(mixed(muted, panel, 0.55)), QBrush(mixed(muted, panel, 0.22))


class BlockedPairTable(BoundaryTable):
    """The blocked pairs, with bars. Click or Enter goes to one of the two tokens."""

    tokenSelected = Signal(int)
    """The user has clicked a token, or pressed Enter: the newer of the two tokens then."""

    headers = wording.PAIR_HEADERS
    tips = wording.PAIR_TIPS
    numbers = frozenset({PairColumn.TIMES, PairColumn.RANK})
    main, other = PairColumn.PAIR, PairColumn.BAR

    def __init__(self, parent: QWidget) -> None:
        self._found: BlockedPairs | None = None
        self._pairs: tuple[BlockedPair, ...] = ()
        self._labels: list[tuple[str, str]] = []
        self._greatest = 1
        self._widest = ""
        super().__init__("forbiddenTable", wording.PAIR_TABLE, parent)

    def show_nothing(self) -> None:
        """Show no pairs."""
        self._found, self._pairs, self._widest = None, (), ""
        self.show_rows(())

    def show_pairs(self, found: BlockedPairs, history: History, by: str) -> None:
        """Show the blocked pairs of a run; `by` names what blocks them."""
        self._found, self._pairs = found, found.pairs
        self._labels = [
            (label(history.token_bytes(pair.left)), label(history.token_bytes(pair.right)))
            for pair in found.pairs
        ]
        self._greatest = max((pair.count for pair in found.pairs), default=1)
        # Within a run the boundary does not move back and forth.
        texts = (text for labels in self._labels for text in labels)
        self._widest = max([self._widest, *texts], key=self.width_of)
        self.show_rows(
            [
                (
                    (
                        f" {BOUNDARY} ".join(labels),
                        f"{pair.within:,} within words" if pair.within else "",
                        wording.occurrences(pair),
                        wording.rank(found, pair),
                    ),
                    wording.explained(found, pair, history, by),
                )
                for pair, labels in zip(found.pairs, self._labels, strict=True)
            ]
        )

    def main_width(self, rest: int) -> int:
        least = max(_LEAST_PAIR, self.header_width(PairColumn.PAIR))
        needed = 2 * (self.width_of(self._widest) + _BESIDE + _PADDING)
        bars = self.header_width(PairColumn.BAR)
        if rest < least + bars:
            return rest
        return min(max(least, min(needed, round(rest * _SHARE_OF_PAIRS))), rest - bars)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw the rows, and a line beyond which bars are longer than that of the merged pair."""
        super().draw_rows(painter, rows, top, height)
        if self._found is None or self._found.winner is None:
            return
        length = self._length(self._found.winner[2])
        if length <= self.columnWidth(PairColumn.BAR) - _PADDING:
            place = round(self.columnViewportPosition(PairColumn.BAR) + length)
            painter.fillRect(place, top, 1, len(rows) * height, brush(self._theme.accent))

    def number_pen(self, row: int, column: int) -> QPen:
        if column == PairColumn.TIMES:
            return pen(self._theme.text)
        found = self._found
        won = found is not None and wording.is_winner(found, self._pairs[row])
        return pen(self._theme.accent) if won else self._muted

    def draw_row(self, painter: QPainter, row: int, top: int, height: int, baseline: int) -> None:
        pair = self._pairs[row]
        before, after = self._labels[row]
        middle = self.columnViewportPosition(PairColumn.PAIR) + self._boundary_place()
        room = self._boundary_place() - _PADDING - _BESIDE
        painter.setPen(pen(self._theme.text))
        before = self.end_of(before, room)
        painter.drawText(middle - _BESIDE - self.width_of(before), baseline, before)
        painter.drawText(middle + _BESIDE, baseline, self._cell_text.fit(after, room))
        self.draw_boundary(painter, middle, top, height, hollow=2 * pair.apart > pair.across)
        bar, inset = self.columnViewportPosition(PairColumn.BAR), height // 4
        across, end = round(self._length(pair.across)), round(self._length(pair.count))
        solid, pale = _bar_brushes(self._theme)
        painter.fillRect(bar, top + inset, across, height - 2 * inset, solid)
        painter.fillRect(bar + across, top + inset, end - across, height - 2 * inset, pale)

    def _length(self, count: int) -> float:
        return max(0, self.columnWidth(PairColumn.BAR) - _PADDING) * count / self._greatest

    def _boundary_place(self) -> int:
        return self.columnWidth(PairColumn.PAIR) // 2

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        row = self.rowAt(round(event.position().y()))
        if row < 0 or event.button() is not Qt.MouseButton.LeftButton:
            return
        pair, x = self._pairs[row], event.position().x()
        token = max(pair.left, pair.right)
        if x < self.columnWidth(PairColumn.PAIR):
            token = pair.left if x < self._boundary_place() else pair.right
        self.tokenSelected.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            pair = self._pairs[row]
            self.tokenSelected.emit(max(pair.left, pair.right))
            return
        super().keyPressEvent(event)


class SuperwordTable(BoundaryTable):
    """The tokens across boundaries, with an example of each."""

    headers = wording.SUPERWORD_HEADERS
    tips = wording.SUPERWORD_TIPS
    numbers = frozenset({SuperwordColumn.MERGE, SuperwordColumn.TIMES})
    main, other = SuperwordColumn.TOKEN, SuperwordColumn.EXAMPLE

    def __init__(self, parent: QWidget) -> None:
        self._tokens: tuple[SuperwordToken, ...] = ()
        self._parts: list[list[str]] = []
        super().__init__("crossingTable", wording.SUPERWORD_TABLE, parent)

    def show_tokens(self, tokens: tuple[SuperwordToken, ...]) -> None:
        self._tokens = tokens
        self._parts = [list(map(label, superword.parts)) for superword in tokens]
        self.show_rows(
            [
                (
                    (
                        f"{superword.step + 1:,}",
                        f" {BOUNDARY} ".join(parts),
                        f"{superword.occurrences:,}",
                        visible(superword.before + superword.content + superword.after),
                    ),
                    wording.superword_explained(superword),
                )
                for superword, parts in zip(tokens, self._parts, strict=True)
            ]
        )

    def main_width(self, rest: int) -> int:
        example = max(_LEAST_EXAMPLE, self.header_width(SuperwordColumn.EXAMPLE))
        needed = max(map(self._parts_width, self._parts), default=80) + 2 * _PADDING
        return rest if rest < _LEAST_TOKEN + example else min(needed, rest - example)

    def _parts_width(self, parts: Sequence[str]) -> int:
        between = (_BOUNDARY + 2 * _BESIDE) * (len(parts) - 1)
        return sum(map(self.width_of, parts)) + between

    def draw_row(self, painter: QPainter, row: int, top: int, height: int, baseline: int) -> None:
        """Draw the example, and the parts that fit, with a boundary between every two."""
        if not self.isColumnHidden(SuperwordColumn.EXAMPLE):
            self._draw_example(painter, self._tokens[row], baseline)
        left = self.columnViewportPosition(SuperwordColumn.TOKEN) + _PADDING
        end = left + self.columnWidth(SuperwordColumn.TOKEN) - 2 * _PADDING
        painter.setPen(pen(self._theme.text))
        for index, part in enumerate(self._parts[row]):
            if index:
                if left + _BOUNDARY + 2 * _BESIDE >= end:
                    return
                self.draw_boundary(painter, left + _BESIDE + _BOUNDARY // 2, top, height)
                left += _BOUNDARY + 2 * _BESIDE
            painter.drawText(left, baseline, self._cell_text.fit(part, end - left))
            left += self.width_of(part)

    def _draw_example(self, painter: QPainter, superword: SuperwordToken, baseline: int) -> None:
        left = self.columnViewportPosition(SuperwordColumn.EXAMPLE) + _PADDING
        room = self.columnWidth(SuperwordColumn.EXAMPLE) - 2 * _PADDING
        token = self._cell_text.fit(visible(superword.content), room)
        width = self.width_of(token)
        side = max(0, (room - width) // 2)
        before = self.end_of(visible(superword.before), side)
        after = self._cell_text.fit(visible(superword.after), side)
        painter.setPen(self._muted)
        painter.drawText(left + side - self.width_of(before), baseline, before)
        painter.drawText(left + side + width, baseline, after)
        painter.setPen(pen(self._theme.text))
        painter.drawText(left + side, baseline, token)

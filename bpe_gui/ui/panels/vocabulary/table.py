"""The table of the vocabulary: how it draws rows, and how its columns share the width."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QWidget

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.panels.vocabulary import wording
from bpe_gui.ui.panels.vocabulary.columns import BYTES, COLUMNS, COUNT, ID, NOW, PARENTS, TOKEN
from bpe_gui.ui.panels.vocabulary.model import VocabularyModel
from bpe_gui.ui.theme.painting import brush, pen
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.tokens.fonts import LabelFont
from bpe_gui.ui.widgets.tables import BEFORE_ARROW, CellText, PaintedTable, plainly

_ROW_PADDING = 8
_PADDING = 8
"""Pixels beside the text of a cell, for text of the plain size."""
_LEAST_BYTES, _MOST_BYTES = 3, 12
_LEAST_TEXT = "WWWWW"
"""The least that fits into a column of texts."""
_SHARE_OF_BYTES = 0.32
"""Of the width that numbers leave."""
_NUMBERS = tuple(place for place, column in enumerate(COLUMNS) if column.widest)
_GIVING_WAY = sorted(
    (place for place, column in enumerate(COLUMNS) if column.gives_way),
    key=lambda place: COLUMNS[place].gives_way,
)
"""Columns that are hidden in a narrow table, in this order."""


class VocabularyTable(PaintedTable):
    """Rows of a `VocabularyModel`, or the reason why there are none."""

    def __init__(self, model: VocabularyModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        columns = self.horizontalHeader()
        columns.setSectionsClickable(True)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicator(ID, Qt.SortOrder.AscendingOrder)
        columns.setMinimumSectionSize(24)
        columns.moveSection(columns.visualIndex(NOW), columns.visualIndex(PARENTS))
        self.fit()
        RoomFollower(self.viewport(), self._share_the_rest)

    def fit(self, greatest_count: int = 0, greatest_now: int = 0) -> None:
        """Fit the rows to the font, and the columns of numbers to what they have to hold.

        The counts are the greatest there are, at a merge and at any position.
        """
        self._cell_font = plainly(self.font())
        self._labels = LabelFont(self._cell_font)
        self._metrics = metrics = self._labels.metrics
        self._cell_text = CellText(metrics)
        self._padding = scaled(_PADDING, self._cell_font)
        style = f"QHeaderView::section {{ padding: 5px {self._padding}px; }}"
        if style != self.horizontalHeader().styleSheet():
            self.horizontalHeader().setStyleSheet(style)
        self._byte = max(metrics.horizontalAdvance(f"{digit}{digit} ") for digit in "09ABCDEF")
        self._space = metrics.horizontalAdvance(" ")
        self._ellipsis = metrics.horizontalAdvance("…")
        self.verticalHeader().setDefaultSectionSize(metrics.height() + _ROW_PADDING)
        texts = {
            column: max(COLUMNS[column].widest, COLUMNS[column].name + BEFORE_ARROW, key=len)
            for column in _NUMBERS
        }
        for column, greatest in ((COUNT, greatest_count), (NOW, greatest_now)):
            texts[column] = max(texts[column], f"{greatest:,}", key=len)
        short = max(wording.COUNT + BEFORE_ARROW, f"{greatest_count:,}", key=len)
        self._least_count = metrics.horizontalAdvance(short) + 2 * self._padding
        texts |= dict.fromkeys((TOKEN, PARENTS), _LEAST_TEXT)
        widths = {column: metrics.horizontalAdvance(text) for column, text in texts.items()}
        widths[BYTES] = _LEAST_BYTES * self._byte
        self._least = {column: width + 2 * self._padding for column, width in widths.items()}
        for column in _NUMBERS:
            self.horizontalHeader().resizeSection(column, self._least[column])
        self._share_the_rest()

    def minimumSizeHint(self) -> QSize:
        least = self.horizontalHeader().sizeHint().height() + self.row_height
        return QSize(super().minimumSizeHint().width(), least + 2 * self.frameWidth())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the keyboard without selecting the first token, as Qt's table would."""
        QAbstractScrollArea.focusInEvent(self, event)
        self.viewport().update()

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Return the index that a key leads to: the newest token if none is selected."""
        newest = self._rows.newest_row()
        to_the_top = action is QAbstractItemView.CursorAction.MoveHome
        if newest is None or to_the_top or self.currentIndex().isValid():
            return super().moveCursor(action, modifiers)
        return self._rows.index(newest, TOKEN)

    def _share_the_rest(self) -> None:
        width, shown = self.viewport().width(), set(self._least)
        if not self._rows.of_bytes:
            shown.remove(BYTES)  # they would only repeat the characters of the token
        for column in _GIVING_WAY:
            if sum(self._least[one] for one in shown) > width:
                shown.discard(column)
            self.setColumnHidden(column, column not in shown)
        columns, least = self.horizontalHeader(), self._least[TOKEN]
        # In the narrowest table, where "count now" is hidden, the other heading is shorter.
        narrow = sum(self._least[column] for column in shown) > width
        self._rows.name_count(wording.COUNT if narrow else COLUMNS[COUNT].name)
        count = self._least_count if narrow else self._least[COUNT]
        columns.resizeSection(COUNT, count)
        numbers = shown.intersection(_NUMBERS) - {COUNT}
        rest = width - count - sum(self._least[column] for column in numbers)
        if BYTES in shown:
            most = _MOST_BYTES * self._byte + 2 * self._padding
            in_hex = min(max(self._least[BYTES], int(rest * _SHARE_OF_BYTES)), most)
            in_hex = min(in_hex, rest - 2 * least)
            columns.resizeSection(BYTES, in_hex)
            rest -= in_hex
        token = max(least, rest // 2 if PARENTS in shown else rest)
        columns.resizeSection(TOKEN, token)
        if PARENTS in shown:
            columns.resizeSection(PARENTS, rest - token)

    def show_current(self, row: int | None) -> None:
        """Select a row, or none, without scrolling to it."""
        if row is None:
            self.selectionModel().clear()
            return
        scrolls = self.hasAutoScroll()
        self.setAutoScroll(False)
        flag = QItemSelectionModel.SelectionFlag
        index = self._rows.index(row, TOKEN)
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        self.setAutoScroll(scrolls)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw the rows, with other colours for the newest token and the selected row."""
        painter.setFont(self._cell_font)
        current = self.currentIndex()
        selected = current.row() if current.isValid() else -1
        newest = self._rows.newest_row()
        if selected in rows:
            place = top + (selected - rows.start) * height
            selection = brush(self._theme.selection)
            painter.fillRect(0, place, self.viewport().width(), height, selection)
        baseline = top + (height + self._metrics.ascent() - self._metrics.descent()) // 2
        plain, special = [], []
        for row in rows:
            cells = (baseline + (row - rows.start) * height, self._rows.cells(row))
            if row == selected:
                special.append((pen(self._theme.token_text), cells))
            elif row == newest:
                special.append((pen(self._theme.accent), cells))
            else:
                plain.append(cells)
        # Column by column, for each change of the pen takes time.
        for column in range(len(COLUMNS)):
            if self.isColumnHidden(column):
                continue
            painter.setPen(pen(self._theme.text) if column == TOKEN else self._muted)
            self._draw_column(painter, column, plain)
            for colour, cells in special:
                painter.setPen(colour)
                self._draw_column(painter, column, [cells])

    def _draw_column(
        self, painter: QPainter, column: int, rows: list[tuple[int, tuple[str, ...]]]
    ) -> None:
        left = self.columnViewportPosition(column) + self._padding
        room = self.columnWidth(column) - 2 * self._padding
        on_the_right = column in _NUMBERS
        cell_text = self._cell_text
        for baseline, texts in rows:
            text = texts[column]
            if column == BYTES:
                painter.drawText(left, baseline, self._fit_bytes(text, room))
                continue
            if text.endswith(END_OF_WORD):
                cut = self._labels.elided(text, Qt.TextElideMode.ElideRight, room)
                self._labels.draw(painter, left, baseline, cut)
                continue
            if not on_the_right:
                painter.drawText(left, baseline, cell_text.fit(text, room))
                continue
            number = text[0].isdigit()
            used = cell_text.number_width(text) if number else self._metrics.horizontalAdvance(text)
            painter.drawText(left + room - used, baseline, text)

    def _fit_bytes(self, text: str, room: int) -> str:
        """Return as many whole bytes as fit, the same number in all rows, with an ellipsis."""
        # Three characters for each byte, of which the last has no space after it.
        if (len(text) + 1) // 3 * self._byte - self._space <= room:
            return text
        return f"{text[: max(0, room - self._ellipsis) // self._byte * 3]}…"

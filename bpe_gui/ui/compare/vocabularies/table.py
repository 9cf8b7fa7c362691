"""The tokens of a vocabulary as a painted table."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent

from bpe_gui.encodings.vocabularies.query import ANY_REASON, Answer, Column
from bpe_gui.encodings.vocabularies.suspicious import Reason
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.theme.painting import pen
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.tables import (
    LEFT,
    RIGHT,
    CellText,
    Heading,
    PaintedTable,
    RowsModel,
    plainly,
)

_ROW_PADDING, _PADDING = 3, 8
_NUMBERS = (Column.ID, Column.BYTES, Column.USES)
_USUAL = {
    Column.ID: "200,000", Column.TOKEN: "representation", Column.BYTES: "bytes __",
    Column.KIND: "space-initial", Column.SCRIPTS: "Devanagari", Column.USES: "in text __",
    Column.OTHER_ID: "in the other __", Column.WHY: "incomplete UTF-8",
}  # fmt: skip
"""What fits into each column: its heading with room for an arrow, or what it usually has."""
_GIVING_WAY = (Column.SCRIPTS, Column.WHY, Column.USES, Column.KIND)
"""Columns that are hidden in a narrow table, in this order."""
_GIVING_WAY_TO_REASONS = (Column.SCRIPTS, Column.KIND, Column.BYTES, Column.USES)
"""The same where only suspicious tokens are listed."""
_REASONS = frozenset((ANY_REASON, *map(str, Reason)))
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TokensModel(RowsModel):
    """The rows of an answer; none without one."""

    headings = tuple(
        Heading(wording.HEADINGS[one], wording.TIPS[one], RIGHT if one in _NUMBERS else LEFT)
        for one in Column
    )
    spoken_column = Column.TOKEN

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answer: Answer | None = None

    def show(self, answer: Answer | None) -> None:
        self.beginResetModel()
        self.answer = answer
        self.endResetModel()

    def count(self) -> int:
        return 0 if self.answer is None else len(self.answer.rows)

    def cells(self, row: int) -> tuple[str, ...]:
        assert self.answer is not None
        return wording.cells(self.answer, int(self.answer.rows[row]))

    def tip(self, row: int, column: int) -> str:
        assert self.answer is not None
        return wording.tip(self.answer, int(self.answer.rows[row]))

    def spoken(self, row: int) -> str:
        return ", ".join(filter(None, self.cells(row)))

    def lines(self) -> list[list[object]]:
        """Return headings and rows for a file."""
        made: list[list[object]] = [list(wording.HEADINGS.values())]
        made += (list(self.cells(row)) for row in range(self.rowCount()))
        return made


class TokensTable(PaintedTable):
    """Rows of a `TokensModel`; a click on a heading sorts."""

    tokenOpened = Signal(int)
    """The row in the vocabulary of a token that was double-clicked, or Enter pressed on. While no
    row of the table is current, Enter takes the first one."""

    def __init__(self, model: TokensModel) -> None:
        super().__init__(model)
        self._tokens = model
        self.setObjectName("tokensTable")
        self.setAccessibleName("Tokens of the vocabulary")
        columns = self.horizontalHeader()
        columns.setSectionsClickable(True)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicator(Column.ID, Qt.SortOrder.AscendingOrder)
        columns.setMinimumSectionSize(24)
        columns.setStretchLastSection(False)
        self._least: dict[Column, int] = {}
        model.modelReset.connect(self._share_width)
        FontFollower(self, self._fit)

    def _fit(self) -> None:
        self._cell_font = plainly(self.font())
        self._metrics = QFontMetrics(self._cell_font)
        self._cell_text = CellText(self._metrics)
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + _ROW_PADDING)
        self.horizontalHeader().setFixedHeight(self._metrics.height() + _PADDING)
        self._least = {
            column: self._cell_text.room_for(text) + 2 * _PADDING
            for column, text in _USUAL.items()
        }
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        answer = self._tokens.answer
        shown = set(Column)
        if answer is None or answer.other_ids is None:
            shown.discard(Column.OTHER_ID)
        width = self.viewport().width()
        suspicious = answer is not None and not _REASONS.isdisjoint(answer.query.filters)
        for column in _GIVING_WAY_TO_REASONS if suspicious else _GIVING_WAY:
            if sum(self._least[one] for one in shown) > width:
                shown.discard(column)
        rest = max(0, width - sum(self._least[one] for one in shown))
        growing = [c for c in (Column.TOKEN, Column.OTHER_ID, Column.WHY) if c in shown]
        for column in Column:
            self.setColumnHidden(column, column not in shown)
            extra = rest // len(growing) if column in growing else 0
            if column in shown:
                self.horizontalHeader().resizeSection(column, self._least[column] + extra)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw the rows, column by column: to change the pen takes time."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        if current in rows:
            self.draw_current(painter, top + (current - rows.start) * height, height)
        metrics = self._metrics
        baseline = top + (height + metrics.ascent() - metrics.descent()) // 2
        texts = [self._tokens.cells(row) for row in rows]
        for column in Column:
            if self.isColumnHidden(column):
                continue
            theme = self._theme
            painter.setPen(pen(theme.text if column is Column.TOKEN else theme.muted))
            left = self.columnViewportPosition(column) + _PADDING
            room = self.columnWidth(column) - 2 * _PADDING
            for number, cells in enumerate(texts):
                text = self._cell_text.fit(cells[column], room)
                place = left
                if column in _NUMBERS:
                    place += room - metrics.horizontalAdvance(text)
                painter.drawText(place, baseline + number * height, text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        answer = self._tokens.answer
        if event.key() in _ENTER and answer is not None and len(answer.rows):
            if not self.currentIndex().isValid():
                self.setCurrentIndex(self._tokens.index(0, Column.ID))
            self.tokenOpened.emit(int(answer.rows[self.currentIndex().row()]))
            return
        super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(event.position().toPoint().y())
        if row >= 0 and self._tokens.answer is not None:
            self.tokenOpened.emit(int(self._tokens.answer.rows[row]))

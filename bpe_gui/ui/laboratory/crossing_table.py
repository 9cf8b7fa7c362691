"""The table of the tokens that training without walls learns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.visible import visible
from bpe_gui.ui.laboratory.wall_models import CrossingColumn, CrossingModel
from bpe_gui.ui.laboratory.walled_table import BESIDE_WALL, PADDING, WALL, WalledTable
from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.tokens.token_words import label

_LEAST_TOKEN, _LEAST_EXAMPLE = 80, 90


class CrossingTable(WalledTable):
    """The tokens across walls, with an example of each."""

    def __init__(self, model: CrossingModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self.setObjectName("crossingTable")
        self.setAccessibleName("Tokens that training without the wall learns")
        self.set_theme(DARK)
        self.fit()

    def follow(self) -> None:
        """Fit the columns to other tokens."""
        self.fit_columns()
        self.viewport().update()

    def fit_columns(self) -> None:
        """Numbers get what they need, tokens as well if they can, examples the rest."""
        columns = self.horizontalHeader()
        rest = self.viewport().width()
        rows = range(self._rows.rowCount())
        for column in (CrossingColumn.MERGE, CrossingColumn.TIMES):
            header = self.model().headerData(column, Qt.Orientation.Horizontal)
            texts = [self._rows.cell(row, column) for row in rows]
            width = max(map(self.width_of, [header, *texts])) + 2 * PADDING
            columns.resizeSection(column, width)
            rest -= width
        widths = [self._parts_width(self._parts(row)) for row in rows]
        needed = max(widths, default=80) + 2 * PADDING
        # A token has the first claim: what has no room for an example is without.
        header = self.model().headerData(CrossingColumn.EXAMPLE, Qt.Orientation.Horizontal)
        example = max(_LEAST_EXAMPLE, self.width_of(header) + 2 * PADDING)
        token = min(needed, rest - example)
        if rest < _LEAST_TOKEN + example:
            token = max(1, rest)
        self.setColumnHidden(CrossingColumn.EXAMPLE, token >= rest)
        columns.resizeSection(CrossingColumn.TOKEN, token)
        columns.resizeSection(CrossingColumn.EXAMPLE, max(1, rest - token))

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each token with its walls, how often it would be made, and where."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            baseline = self.baseline(top, height)
            painter.setPen(self._muted)
            for column in (CrossingColumn.MERGE, CrossingColumn.TIMES):
                self.draw_number(painter, column, baseline, self._rows.cell(row, column))
            self._draw_token(painter, row, top, height)
            if not self.isColumnHidden(CrossingColumn.EXAMPLE):
                self._draw_example(painter, row, baseline)
            top += height

    def _parts(self, row: int) -> list[str]:
        return [label(part) for part in self._rows.crossing(row).parts]

    def _parts_width(self, parts: Sequence[str]) -> int:
        between = (WALL + 2 * BESIDE_WALL) * (len(parts) - 1)
        return sum(map(self.width_of, parts)) + between

    def _draw_token(self, painter: QPainter, row: int, top: int, height: int) -> None:
        """The parts as far as there is room, a wall between each two."""
        baseline = self.baseline(top, height)
        left = self.columnViewportPosition(CrossingColumn.TOKEN) + PADDING
        end = left + self.columnWidth(CrossingColumn.TOKEN) - 2 * PADDING
        painter.setPen(self._text)
        for index, part in enumerate(self._parts(row)):
            if index:
                if left + WALL + 2 * BESIDE_WALL >= end:
                    return
                middle = left + BESIDE_WALL + WALL // 2
                self.draw_wall(painter, middle, top, height, hollow=False)
                left += WALL + 2 * BESIDE_WALL
            text = self._cell_text.fit(part, end - left)
            painter.drawText(left, baseline, text)
            left += self.width_of(text)

    def _draw_example(self, painter: QPainter, row: int, baseline: int) -> None:
        """The token where it first would be, in the middle of its text."""
        crossing = self._rows.crossing(row)
        left = self.columnViewportPosition(CrossingColumn.EXAMPLE) + PADDING
        room = self.columnWidth(CrossingColumn.EXAMPLE) - 2 * PADDING
        token = self._cell_text.fit(visible(crossing.content), room)
        side = max(0, (room - self.width_of(token)) // 2)
        before = self._metrics.elidedText(
            visible(crossing.before), Qt.TextElideMode.ElideLeft, side
        )
        painter.setPen(self._muted)
        painter.drawText(left + side - self.width_of(before), baseline, before)
        painter.setPen(self._text)
        painter.drawText(left + side, baseline, token)
        painter.setPen(self._muted)
        left += side + self.width_of(token)
        painter.drawText(left, baseline, self._cell_text.fit(visible(crossing.after), side))

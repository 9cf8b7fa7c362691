"""The table of the pairs that walls keep apart."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.boundaries import BlockedPair
from bpe_gui.ui.laboratory.wall_models import ForbiddenModel, PairColumn
from bpe_gui.ui.laboratory.wall_sentences import is_winner, standing, stands
from bpe_gui.ui.laboratory.walled_table import BESIDE_WALL, PADDING, WalledTable
from bpe_gui.ui.theme.theme import DARK

_LEAST_PAIR, _LEAST_BAR = 90, 40
_SHARE_OF_PAIRS = 0.75


class ForbiddenTable(WalledTable):
    """The pairs that are kept apart, with bars. Click or Enter goes to one of the two tokens."""

    tokenSelected = Signal(int)
    """The token that was clicked, or else the newer of the two."""

    def __init__(self, model: ForbiddenModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self._greatest = 1
        self._widest = 0
        self.setObjectName("forbiddenTable")
        self.setAccessibleName("Pairs that the split keeps apart")
        self.set_theme(DARK)
        self.fit()

    def follow(self) -> None:
        """Fit pairs and bars to other pairs."""
        found = self._rows.found
        pairs = found.pairs if found is not None else ()
        self._greatest = max((pair.count for pair in pairs), default=1)
        labels = (self._rows.token_label(t) for pair in pairs for t in (pair.left, pair.right))
        # Within a run the wall does not move back and forth.
        least = self._widest if pairs else 0
        self._widest = max([least, *map(self.width_of, labels)])
        self.fit_columns()
        self.viewport().update()

    def fit_columns(self) -> None:
        """Numbers get what they need, the pairs as well if they can, the bars the rest."""
        found = self._rows.found
        counts = [stands(pair) for pair in found.pairs] if found is not None else []
        ranks = [standing(found, pair) for pair in found.pairs] if found is not None else []
        columns = self.horizontalHeader()
        rest = self.viewport().width()
        for column, texts in ((PairColumn.TIMES, counts), (PairColumn.RANK, ranks)):
            header = self.model().headerData(column, Qt.Orientation.Horizontal)
            width = max(map(self.width_of, [header, *texts])) + 2 * PADDING
            columns.resizeSection(column, width)
            rest -= width
        needed = 2 * (self._widest + BESIDE_WALL + PADDING)
        header = self.model().headerData(PairColumn.PAIR, Qt.Orientation.Horizontal)
        least = max(_LEAST_PAIR, self.width_of(header) + 2 * PADDING)
        pair = max(least, min(needed, rest - _LEAST_BAR, round(rest * _SHARE_OF_PAIRS)))
        if rest < least + _LEAST_BAR:
            pair = max(1, rest)
        self.setColumnHidden(PairColumn.BAR, pair >= rest)
        columns.resizeSection(PairColumn.PAIR, pair)
        columns.resizeSection(PairColumn.BAR, max(1, rest - pair))

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each pair with its wall, its bar and its numbers; then the line of the winner."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        first = top
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            self._draw_pair(painter, self._rows.pair(row), top, height)
            top += height
        self._draw_winner(painter, first, top)

    def _draw_pair(self, painter: QPainter, pair: BlockedPair, top: int, height: int) -> None:
        found = self._rows.found
        assert found is not None
        baseline = self.baseline(top, height)
        left, width = self.columnViewportPosition(PairColumn.PAIR), self.wall_place()
        room = width - PADDING - BESIDE_WALL
        painter.setPen(self._text)
        text = self._elided(self._rows.token_label(pair.left), room, at_left=True)
        wall = left + width
        painter.drawText(wall - BESIDE_WALL - self.width_of(text), baseline, text)
        text = self._elided(self._rows.token_label(pair.right), room, at_left=False)
        painter.drawText(wall + BESIDE_WALL, baseline, text)
        self.draw_wall(painter, wall, top, height, hollow=2 * pair.apart > pair.across)
        self.draw_number(painter, PairColumn.TIMES, baseline, stands(pair))
        painter.setPen(self._accent if is_winner(found, pair) else self._muted)
        self.draw_number(painter, PairColumn.RANK, baseline, standing(found, pair))
        if not self.isColumnHidden(PairColumn.BAR):
            bar = self.columnViewportPosition(PairColumn.BAR)
            across, within = self._length(pair.across), self._length(pair.within)
            inset = height // 4
            for start, length, brush in (
                (0.0, across, self._bar),
                (across, within, self._pale),
            ):
                self._place.setRect(bar + start, top + inset, length, height - 2 * inset)
                painter.fillRect(self._place, brush)

    def _draw_winner(self, painter: QPainter, top: int, bottom: int) -> None:
        """What reaches beyond this line is more frequent than the pair that is merged."""
        found = self._rows.found
        if found is None or found.winner is None or self.isColumnHidden(PairColumn.BAR):
            return
        length = self._length(found.winner[2])
        if length <= self.columnWidth(PairColumn.BAR) - PADDING:
            place = round(self.columnViewportPosition(PairColumn.BAR) + length)
            painter.fillRect(place, top, 1, bottom - top, self._accent_brush)

    def _length(self, count: int) -> float:
        return (self.columnWidth(PairColumn.BAR) - PADDING) * count / self._greatest

    def wall_place(self) -> int:
        """Where the wall stands in the column of the pairs."""
        return self.columnWidth(PairColumn.PAIR) // 2

    def _elided(self, text: str, room: int, *, at_left: bool) -> str:
        """What is nearest to the wall stays."""
        if self.width_of(text) <= room:
            return text
        side = Qt.TextElideMode.ElideLeft if at_left else Qt.TextElideMode.ElideRight
        return self._metrics.elidedText(text, side, room)

    # -- selecting -----------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the row the current one, and select the token under the mouse."""
        super().mousePressEvent(event)
        row = self.rowAt(round(event.position().y()))
        if row < 0 or event.button() is not Qt.MouseButton.LeftButton:
            return
        pair, x = self._rows.pair(row), event.position().x()
        token = max(pair.left, pair.right)
        if x < self.columnWidth(PairColumn.PAIR):
            token = pair.left if x < self.wall_place() else pair.right
        self.tokenSelected.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the newer token of the current pair."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            pair = self._rows.pair(row)
            self.tokenSelected.emit(max(pair.left, pair.right))
            return
        super().keyPressEvent(event)

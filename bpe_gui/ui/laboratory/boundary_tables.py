"""The tables of the boundary panel: blocked pairs, and tokens across boundaries."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from bpe_gui.analysis.boundaries import BlockedPair
from bpe_gui.analysis.visible import visible
from bpe_gui.ui.laboratory.boundary_rows import (
    BlockedPairModel,
    PairColumn,
    SuperwordColumn,
    SuperwordModel,
)
from bpe_gui.ui.laboratory.boundary_wording import is_winner, standing, stands
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.cell_text import CellText, plainly
from bpe_gui.ui.widgets.painted_table import PaintedTable

AnyIndex = QModelIndex | QPersistentModelIndex

_PADDING = 8
"""At both sides of what stands in a cell, in pixels."""
_BOUNDARY = 3
"""Width of a boundary in pixels."""
_BESIDE = 5
_ROW_PADDING = 8
_LEAST_PAIR, _LEAST_BAR = 90, 40
_SHARE_OF_PAIRS = 0.75
_LEAST_TOKEN, _LEAST_EXAMPLE = 80, 90


class BoundaryTable(PaintedTable):
    """A table with one current row, in which boundaries can be drawn."""

    rowDescribed = Signal(str)
    """What there is to say of the row that has become the current one."""

    def __init__(
        self, model: BlockedPairModel | SuperwordModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, parent)
        self._spoken = model.spoken
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        columns = self.horizontalHeader()
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(1)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._place = QRectF()
        ThemeFollower(self, self._take_colours)

    def sizeHint(self) -> QSize:
        """Room for some rows."""
        return QSize(300, 160)

    def minimumSizeHint(self) -> QSize:
        """The least that shows two rows."""
        return QSize(120, 70)

    def _take_colours(self, theme: Theme) -> None:
        panel, muted, accent = (QColor(c) for c in (theme.panel, theme.muted, theme.accent))
        self._text = QPen(QColor(theme.text))
        self._accent = QPen(accent)
        self._accent_brush = QBrush(accent)
        self._marked = QBrush(QColor(theme.raised))
        self._boundary_brush = QBrush(QColor(theme.text))
        self._bar = QBrush(mixed(muted, panel, 0.55))
        self._pale = QBrush(mixed(muted, panel, 0.22))

    def fit(self) -> None:
        """Fit rows and columns to the font and the room."""
        self._cell_font = plainly(self.font())
        self._metrics = QFontMetrics(self._cell_font)
        self._cell_text = CellText(self._metrics)
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + _ROW_PADDING)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Share the room among the columns."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another room."""
        super().resizeEvent(event)
        self.fit_columns()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Say what the current row is about."""
        super().currentChanged(current, previous)
        if current.isValid():
            self.rowDescribed.emit(self._spoken(current.row()))
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer to hovering with the whole row in words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.rowAt(event.pos().y())
            text = f"<p>{escape(self._spoken(row))}</p>" if row >= 0 else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the first or the last row."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.model().rowCount():
            last = self.model().rowCount() - 1
            self.selectRow(0 if event.key() == Qt.Key.Key_Home else last)
            return
        super().keyPressEvent(event)

    # -- drawing -----------------------------------------------------------------------------

    def width_of(self, text: str) -> int:
        """Pixels that a text takes."""
        return self._metrics.horizontalAdvance(text)

    def draw_current(self, painter: QPainter, top: int, height: int) -> None:
        """Lift the current row from the background, and frame it if it has the keyboard."""
        width = self.viewport().width()
        painter.fillRect(0, top, width, height, self._marked)
        if self.hasFocus():
            painter.setPen(self._accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(0, top, width - 1, height - 1)

    def draw_boundary(
        self, painter: QPainter, middle: int, top: int, height: int, *, hollow: bool
    ) -> None:
        """A boundary from top to bottom of a row; hollow if white space was dropped."""
        edge, inset = self._boundary_brush, 3
        if hollow:
            painter.fillRect(middle - 3, top + inset, 1, height - 2 * inset, edge)
            painter.fillRect(middle + 2, top + inset, 1, height - 2 * inset, edge)
        else:
            left = middle - _BOUNDARY // 2
            painter.fillRect(left, top + inset, _BOUNDARY, height - 2 * inset, edge)

    def draw_number(self, painter: QPainter, column: int, baseline: int, text: str) -> None:
        """A text at the right of its column."""
        right = self.columnViewportPosition(column) + self.columnWidth(column) - _PADDING
        painter.drawText(right - self.width_of(text), baseline, text)

    def baseline(self, top: int, height: int) -> int:
        """Where the text of a row stands."""
        return top + (height + self._metrics.ascent() - self._metrics.descent()) // 2


class BlockedPairTable(BoundaryTable):
    """The pairs that are kept apart, with bars. Click or Enter goes to one of the two tokens."""

    tokenSelected = Signal(int)
    """The token that was clicked, or else the newer of the two."""

    def __init__(self, model: BlockedPairModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self._greatest = 1
        self._widest = 0
        self.setObjectName("forbiddenTable")
        self.setAccessibleName("Pairs that the split keeps apart")
        self.fit()

    def follow(self) -> None:
        """Fit pairs and bars to other pairs."""
        found = self._rows.found
        pairs = found.pairs if found is not None else ()
        self._greatest = max((pair.count for pair in pairs), default=1)
        labels = (self._rows.token_label(t) for pair in pairs for t in (pair.left, pair.right))
        # Within a run the boundary does not move back and forth.
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
            width = max(map(self.width_of, [header, *texts])) + 2 * _PADDING
            columns.resizeSection(column, width)
            rest -= width
        needed = 2 * (self._widest + _BESIDE + _PADDING)
        header = self.model().headerData(PairColumn.PAIR, Qt.Orientation.Horizontal)
        least = max(_LEAST_PAIR, self.width_of(header) + 2 * _PADDING)
        pair = max(least, min(needed, rest - _LEAST_BAR, round(rest * _SHARE_OF_PAIRS)))
        if rest < least + _LEAST_BAR:
            pair = max(1, rest)
        self.setColumnHidden(PairColumn.BAR, pair >= rest)
        columns.resizeSection(PairColumn.PAIR, pair)
        columns.resizeSection(PairColumn.BAR, max(1, rest - pair))

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each pair with its boundary, its bar and its numbers; then the line of the winner."""
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
        left, width = self.columnViewportPosition(PairColumn.PAIR), self.boundary_place()
        room = width - _PADDING - _BESIDE
        painter.setPen(self._text)
        text = self._elided(self._rows.token_label(pair.left), room, at_left=True)
        edge = left + width
        painter.drawText(edge - _BESIDE - self.width_of(text), baseline, text)
        text = self._elided(self._rows.token_label(pair.right), room, at_left=False)
        painter.drawText(edge + _BESIDE, baseline, text)
        self.draw_boundary(painter, edge, top, height, hollow=2 * pair.apart > pair.across)
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
        if length <= self.columnWidth(PairColumn.BAR) - _PADDING:
            place = round(self.columnViewportPosition(PairColumn.BAR) + length)
            painter.fillRect(place, top, 1, bottom - top, self._accent_brush)

    def _length(self, count: int) -> float:
        return (self.columnWidth(PairColumn.BAR) - _PADDING) * count / self._greatest

    def boundary_place(self) -> int:
        """Where the boundary is in the column of the pairs."""
        return self.columnWidth(PairColumn.PAIR) // 2

    def _elided(self, text: str, room: int, *, at_left: bool) -> str:
        """Keep what is nearest to the boundary."""
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
            token = pair.left if x < self.boundary_place() else pair.right
        self.tokenSelected.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the newer token of the current pair."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            pair = self._rows.pair(row)
            self.tokenSelected.emit(max(pair.left, pair.right))
            return
        super().keyPressEvent(event)


class SuperwordTable(BoundaryTable):
    """The tokens across boundaries, with an example of each."""

    def __init__(self, model: SuperwordModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self.setObjectName("crossingTable")
        self.setAccessibleName("Tokens that training without the wall learns")
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
        for column in (SuperwordColumn.MERGE, SuperwordColumn.TIMES):
            header = self.model().headerData(column, Qt.Orientation.Horizontal)
            texts = [self._rows.cell(row, column) for row in rows]
            width = max(map(self.width_of, [header, *texts])) + 2 * _PADDING
            columns.resizeSection(column, width)
            rest -= width
        widths = [self._parts_width(self._parts(row)) for row in rows]
        needed = max(widths, default=80) + 2 * _PADDING
        # A token has the first claim: what has no room for an example is without.
        header = self.model().headerData(SuperwordColumn.EXAMPLE, Qt.Orientation.Horizontal)
        example = max(_LEAST_EXAMPLE, self.width_of(header) + 2 * _PADDING)
        token = min(needed, rest - example)
        if rest < _LEAST_TOKEN + example:
            token = max(1, rest)
        self.setColumnHidden(SuperwordColumn.EXAMPLE, token >= rest)
        columns.resizeSection(SuperwordColumn.TOKEN, token)
        columns.resizeSection(SuperwordColumn.EXAMPLE, max(1, rest - token))

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each token with its boundaries, how often it would be made, and where."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            baseline = self.baseline(top, height)
            painter.setPen(self._muted)
            for column in (SuperwordColumn.MERGE, SuperwordColumn.TIMES):
                self.draw_number(painter, column, baseline, self._rows.cell(row, column))
            self._draw_token(painter, row, top, height)
            if not self.isColumnHidden(SuperwordColumn.EXAMPLE):
                self._draw_example(painter, row, baseline)
            top += height

    def _parts(self, row: int) -> list[str]:
        return [label(part) for part in self._rows.superword(row).parts]

    def _parts_width(self, parts: Sequence[str]) -> int:
        between = (_BOUNDARY + 2 * _BESIDE) * (len(parts) - 1)
        return sum(map(self.width_of, parts)) + between

    def _draw_token(self, painter: QPainter, row: int, top: int, height: int) -> None:
        """The parts as far as there is room, a boundary between each two."""
        baseline = self.baseline(top, height)
        left = self.columnViewportPosition(SuperwordColumn.TOKEN) + _PADDING
        end = left + self.columnWidth(SuperwordColumn.TOKEN) - 2 * _PADDING
        painter.setPen(self._text)
        for index, part in enumerate(self._parts(row)):
            if index:
                if left + _BOUNDARY + 2 * _BESIDE >= end:
                    return
                middle = left + _BESIDE + _BOUNDARY // 2
                self.draw_boundary(painter, middle, top, height, hollow=False)
                left += _BOUNDARY + 2 * _BESIDE
            text = self._cell_text.fit(part, end - left)
            painter.drawText(left, baseline, text)
            left += self.width_of(text)

    def _draw_example(self, painter: QPainter, row: int, baseline: int) -> None:
        """The token where it first would be, in the middle of its text."""
        superword = self._rows.superword(row)
        left = self.columnViewportPosition(SuperwordColumn.EXAMPLE) + _PADDING
        room = self.columnWidth(SuperwordColumn.EXAMPLE) - 2 * _PADDING
        token = self._cell_text.fit(visible(superword.content), room)
        side = max(0, (room - self.width_of(token)) // 2)
        before = self._metrics.elidedText(
            visible(superword.before), Qt.TextElideMode.ElideLeft, side
        )
        painter.setPen(self._muted)
        painter.drawText(left + side - self.width_of(before), baseline, before)
        painter.setPen(self._text)
        painter.drawText(left + side, baseline, token)
        painter.setPen(self._muted)
        left += side + self.width_of(token)
        painter.drawText(left, baseline, self._cell_text.fit(visible(superword.after), side))

"""The tables of the boundary panel: blocked pairs, and tokens across boundaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from html import escape
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
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

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.cell_text import CellText, plainly
from bpe_gui.ui.widgets.painted_table import PaintedTable

AnyIndex = QModelIndex | QPersistentModelIndex

BOUNDARY = "▏"
"""The boundary in texts that are copied."""

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_TIP = int(Qt.ItemDataRole.ToolTipRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class BoundaryModel(QAbstractTableModel):
    """Rows of texts: one for each cell, and one that tells the whole row."""

    def __init__(
        self, headers: tuple[str, ...], tips: tuple[str, ...], numbers: frozenset[int]
    ) -> None:
        super().__init__()
        self.cells: Sequence[Sequence[str]] = ()
        self.spoken: Callable[[int], str] = str
        self._headers = {_DISPLAY: headers, _TIP: tips}
        self._numbers = numbers

    def show(self, cells: Sequence[Sequence[str]], spoken: Callable[[int], str]) -> None:
        """Show other rows. The current one stays the current one if there are as many as before."""
        same = len(cells) == len(self.cells)
        if not same:
            self.beginResetModel()
        self.cells, self.spoken = cells, spoken
        if not same:
            self.endResetModel()
        elif cells:
            self.dataChanged.emit(self.index(0, 0), self.index(len(cells) - 1, len(cells[0]) - 1))

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.cells)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._headers[_DISPLAY])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == _ALIGNMENT and section in self._numbers:
            return _RIGHT
        return self._headers[role][section] if role in self._headers else None

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        if role == _ALIGNMENT:
            return _RIGHT if index.column() in self._numbers else None
        if role == _SPOKEN and index.column() == 0:
            return self.spoken(index.row())
        return self.cells[index.row()][index.column()] if role in (_DISPLAY, _SPOKEN) else None


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
"""At both sides of what stands in a cell, in pixels."""
_BOUNDARY = 3
"""Width of a boundary in pixels."""
_BESIDE = 5
_ROW_PADDING = 8
_LEAST_PAIR, _LEAST_BAR = 90, 40
_SHARE_OF_PAIRS = 0.75
_LEAST_TOKEN, _LEAST_EXAMPLE = 80, 90


class BoundaryTable(PaintedTable):
    """A table with one current row, in which boundaries can be drawn.

    main, other: the two columns that share the width which the numbers leave.
    """

    headers: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    """The columns that are aligned right."""
    main, other = 0, 0

    def __init__(self, name: str, spoken: str, parent: QWidget) -> None:
        """`name` is the object name, `spoken` what screen readers call it."""
        self._model = BoundaryModel(self.headers, self.tips, self.numbers)
        super().__init__(self._model, parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        columns = self.horizontalHeader()
        columns.hide()  # until there are rows
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(1)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._place = QRectF()
        ThemeFollower(self, self._take_colours)

    def sizeHint(self) -> QSize:
        return QSize(300, 160)

    def minimumSizeHint(self) -> QSize:
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
        """Fit rows and columns to the font and the width."""
        self._cell_font = plainly(self.font())
        self._metrics = QFontMetrics(self._cell_font)
        self._cell_text = CellText(self._metrics)
        self.verticalHeader().setDefaultSectionSize(self._metrics.height() + _ROW_PADDING)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Share the width among the columns."""

    def share(self, least: int, least_other: int, needed: Callable[[int], int]) -> None:
        """Give numbers what they need, the main column as well if it can, the other the rest.

        Where there is less room than both need at `least`, the main one has all of it; `needed`
        tells what it needs of some pixels.
        """
        header, rest = self.horizontalHeader(), self.viewport().width()
        for column in self.numbers:
            texts = [self.headers[column], *(cells[column] for cells in self._model.cells)]
            width = max(map(self.width_of, texts)) + 2 * _PADDING
            header.resizeSection(column, width)
            rest -= width
        main = max(1, rest)
        if rest >= least + least_other:
            main = min(needed(rest), rest - least_other)
        self.setColumnHidden(self.other, main >= rest)
        header.resizeSection(self.main, main)
        header.resizeSection(self.other, max(1, rest - main))

    def show_rows(self, cells: Sequence[Sequence[str]], spoken: Callable[[int], str]) -> None:
        """Show the texts of other rows; `spoken` tells a row in words."""
        self._model.show(cells, spoken)
        self.horizontalHeader().setVisible(bool(cells))
        self.fit_columns()
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.setAccessibleDescription(self._model.spoken(current.row()))
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.rowAt(event.pos().y())
            text = f"<p>{escape(self._model.spoken(row))}</p>" if row >= 0 else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the first or the last row."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and len(self._model.cells):
            last = len(self._model.cells) - 1
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

    def draw_number(self, painter: QPainter, row: int, column: int, baseline: int) -> None:
        """The text of a cell at the right of its column."""
        text = self._model.cells[row][column]
        right = self.columnViewportPosition(column) + self.columnWidth(column) - _PADDING
        painter.drawText(right - self.width_of(text), baseline, text)

    def baseline(self, top: int, height: int) -> int:
        """Where the text of a row stands."""
        return top + (height + self._metrics.ascent() - self._metrics.descent()) // 2


class BlockedPairTable(BoundaryTable):
    """The blocked pairs, with bars. Click or Enter goes to one of the two tokens."""

    tokenSelected = Signal(int)
    """The token that was clicked, or else the newer of the two."""

    headers = wording.PAIR_HEADERS
    tips = wording.PAIR_TIPS
    numbers = frozenset({PairColumn.TIMES, PairColumn.RANK})
    main, other = PairColumn.PAIR, PairColumn.BAR

    def __init__(self, parent: QWidget) -> None:
        super().__init__("forbiddenTable", wording.PAIR_TABLE, parent)
        self._found: BlockedPairs | None = None
        self._pairs: tuple[BlockedPair, ...] = ()
        self._labels: list[tuple[str, str]] = []
        self._greatest = 1
        self._widest = 0
        self.fit()

    def show_nothing(self) -> None:
        """Show no pairs."""
        self._found, self._pairs, self._widest = None, (), 0
        self.show_rows((), str)

    def show_pairs(self, found: BlockedPairs, history: History, by: str) -> None:
        """Show the blocked pairs of a run; `by` names what blocks them."""
        self._found, self._pairs = found, found.pairs
        self._labels = [
            (label(history.token_bytes(pair.left)), label(history.token_bytes(pair.right)))
            for pair in found.pairs
        ]
        self._greatest = max((pair.count for pair in found.pairs), default=1)
        # Within a run the boundary does not move back and forth.
        widths = (self.width_of(text) for labels in self._labels for text in labels)
        self._widest = max([self._widest, *widths])
        cells = [
            (
                f" {BOUNDARY} ".join(labels),
                f"{pair.within:,} within words" if pair.within else "",
                wording.occurrences(pair),
                wording.rank(found, pair),
            )
            for pair, labels in zip(found.pairs, self._labels, strict=True)
        ]
        self.show_rows(cells, lambda row: wording.explained(found, found.pairs[row], history, by))

    def fit_columns(self) -> None:
        least = max(_LEAST_PAIR, self.width_of(self.headers[PairColumn.PAIR]) + 2 * _PADDING)
        needed = 2 * (self._widest + _BESIDE + _PADDING)
        part = _SHARE_OF_PAIRS
        self.share(least, _LEAST_BAR, lambda rest: max(least, min(needed, round(rest * part))))

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each pair with its boundary, its bar and its numbers; then the line of the winner."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        first = top
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            self._draw_pair(painter, row, top, height)
            top += height
        self._draw_winner(painter, first, top)

    def _draw_pair(self, painter: QPainter, row: int, top: int, height: int) -> None:
        found, pair = self._found, self._pairs[row]
        assert found is not None
        before, after = self._labels[row]
        baseline = self.baseline(top, height)
        left, width = self.columnViewportPosition(PairColumn.PAIR), self.boundary_place()
        room = width - _PADDING - _BESIDE
        painter.setPen(self._text)
        text = self._elided(before, room, at_left=True)
        edge = left + width
        painter.drawText(edge - _BESIDE - self.width_of(text), baseline, text)
        text = self._elided(after, room, at_left=False)
        painter.drawText(edge + _BESIDE, baseline, text)
        self.draw_boundary(painter, edge, top, height, hollow=2 * pair.apart > pair.across)
        self.draw_number(painter, row, PairColumn.TIMES, baseline)
        painter.setPen(self._accent if wording.is_winner(found, pair) else self._muted)
        self.draw_number(painter, row, PairColumn.RANK, baseline)
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
        found = self._found
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
        pair, x = self._pairs[row], event.position().x()
        token = max(pair.left, pair.right)
        if x < self.columnWidth(PairColumn.PAIR):
            token = pair.left if x < self.boundary_place() else pair.right
        self.tokenSelected.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the newer token of the current pair."""
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
        super().__init__("crossingTable", wording.SUPERWORD_TABLE, parent)
        self._tokens: tuple[SuperwordToken, ...] = ()
        self._parts: list[list[str]] = []
        self.fit()

    def show_tokens(self, tokens: tuple[SuperwordToken, ...]) -> None:
        """Show other tokens, or none."""
        self._tokens = tokens
        self._parts = [list(map(label, superword.parts)) for superword in tokens]
        cells = [
            (
                f"{superword.step + 1:,}",
                f" {BOUNDARY} ".join(parts),
                f"{superword.occurrences:,}",
                visible(superword.before + superword.content + superword.after),
            )
            for superword, parts in zip(tokens, self._parts, strict=True)
        ]
        self.show_rows(cells, lambda row: wording.superword_explained(tokens[row]))

    def fit_columns(self) -> None:
        needed = max(map(self._parts_width, self._parts), default=80) + 2 * _PADDING
        # A token has the first claim: an example is left out if it does not fit.
        header = self.width_of(self.headers[SuperwordColumn.EXAMPLE])
        example = max(_LEAST_EXAMPLE, header + 2 * _PADDING)
        self.share(_LEAST_TOKEN, example, lambda rest: needed)

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Each token with its boundaries, how often it would be made, and where."""
        painter.setFont(self._cell_font)
        current = self.currentIndex().row()
        for row in rows:
            if row == current:
                self.draw_current(painter, top, height)
            baseline = self.baseline(top, height)
            painter.setPen(self._muted)
            for column in self.numbers:
                self.draw_number(painter, row, column, baseline)
            self._draw_token(painter, row, top, height)
            if not self.isColumnHidden(SuperwordColumn.EXAMPLE):
                self._draw_example(painter, row, baseline)
            top += height

    def _parts_width(self, parts: Sequence[str]) -> int:
        between = (_BOUNDARY + 2 * _BESIDE) * (len(parts) - 1)
        return sum(map(self.width_of, parts)) + between

    def _draw_token(self, painter: QPainter, row: int, top: int, height: int) -> None:
        """The parts as far as there is room, a boundary between each two."""
        baseline = self.baseline(top, height)
        left = self.columnViewportPosition(SuperwordColumn.TOKEN) + _PADDING
        end = left + self.columnWidth(SuperwordColumn.TOKEN) - 2 * _PADDING
        painter.setPen(self._text)
        for index, part in enumerate(self._parts[row]):
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
        superword = self._tokens[row]
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

"""The table of the words: fitting, drawing, and moving among the tokens of a word."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from bpe_gui.analysis.word_list import WordList, WordSort
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.words.model import AnyIndex, WordColumn, WordsModel
from bpe_gui.ui.panels.words.painter import SCALES, WordDrawing
from bpe_gui.ui.panels.words.rows import WordRow, cut_rows
from bpe_gui.ui.panels.words.wording import described
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.widgets.painted_table import PaintedTable

_FEW = 40
"""So many words are worth trying to show them all, in large letters."""
_MEASURED = 60
"""The columns are fitted to so many of the most frequent words."""
_COMMON_WORD = "␣everything"
"""Of many words the most frequent ones are short; those that a merge touches are often so long."""
_NO_PLACE = -1


class WordsTable(PaintedTable):
    """Rows of a `WordsModel`, or the reason why there are none.

    Up, Down, Home and End move from word to word, Left and Right from token to token,
    Enter or a click selects a token, Ctrl+C copies the row.
    """

    presents = False
    """Whether an audience looks on."""
    tokenSelected = Signal(int)
    """The id of a token that the user clicked, or pressed Enter on."""

    def __init__(self, model: WordsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._rows = model
        self._token = NO_TOKEN
        self._place = _NO_PLACE
        self._few: list[WordRow] = []
        self._measured: tuple[list[str], int] = [], 0
        self._count = 0
        self._drawing = WordDrawing(self.font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setMinimumSectionSize(1)
        self.viewport().setMouseTracking(True)
        ThemeFollower(self, self._drawing.take_colours)

    # -- what is shown ----------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Draw the tokens of another run."""
        self._drawing.set_history(history)
        self._few = []
        self._count = 0
        self._token = NO_TOKEN
        self._place = _NO_PLACE

    @property
    def few(self) -> bool:
        """Whether the words are so few that all of them are shown, if there is room."""
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

    def select_token(self, token: int) -> None:
        """Outline a token wherever it occurs. Emits nothing."""
        self._token = token
        self.viewport().update()

    def _fit(self) -> None:
        """Take the largest letters in which all words can be seen, if they are few."""
        drawing, viewport = self._drawing, self.viewport()
        drawing.width = viewport.width()
        if self._count:
            for scale in SCALES if self._few else SCALES[-1:]:
                drawing.set_scale(scale)
                drawing.make_room(*self._measured)
                widest = max((drawing.needed_width(row) for row in self._few), default=0)
                if widest <= drawing.width and (
                    len(self._few) * drawing.row_height <= viewport.height()
                ):
                    break
            if self.presents:
                drawing.fill_with_rows(viewport.height(), self._count)
        self.verticalHeader().setDefaultSectionSize(drawing.row_height)
        columns = self.horizontalHeader()
        edges = (0, drawing.count_right - 1, drawing.tokens_left, drawing.width)
        for column in WordColumn:
            columns.resizeSection(column, max(1, edges[column + 1] - edges[column]))
        viewport.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._drawing.set_font(self.font())
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # -- drawing ----------------------------------------------------------------------------

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw the rows, and a line under those that the next merge is done in."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        current = self.currentIndex().row()
        line = self._line_above()
        for row, word in enumerate(self._rows.cut_rows(rows.start, rows.stop), rows.start):
            if row == current:
                self._drawing.draw_background(painter, top, self.hasFocus())
            if row == line:
                self._drawing.draw_line(painter, top)
            place = self._place if row == current else _NO_PLACE
            self._drawing.draw_row(painter, top, word, token=self._token, place=place)
            top += height

    def _line_above(self) -> int:
        """The row above which those end that the next merge is done in."""
        words = self._rows.words
        if words is None or words.query.sort is not WordSort.TOUCHED:
            return _NO_PLACE
        return words.touched if words.touched else _NO_PLACE

    # -- pointing and selecting ---------------------------------------------------------------

    def token_at(self, position: QPoint) -> int:
        """The token at a place of the viewport, NO_TOKEN if there is none."""
        row = self.rowAt(position.y())
        if row < 0:
            return NO_TOKEN
        for box in self._drawing.place(self._rows.cut_row(row)).boxes:
            if box.left <= position.x() < box.right:
                return box.token
        return NO_TOKEN

    def token_center(self, row: int, place: int) -> QPoint:
        """The middle of a token of a row, in the viewport."""
        box = self._drawing.place(self._rows.cut_row(row)).boxes[place]
        y = self.rowViewportPosition(row) + self._drawing.row_height // 2
        return QPoint((box.left + box.right) // 2, y)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Begin anew with the tokens of another word."""
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
        """Answer to hovering with the token, or the whole row."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.rowAt(event.pos().y())
            if row < 0:
                QToolTip.hideText()
                return True
            token, words = self.token_at(event.pos()), self._rows.words
            assert words is not None
            text = self._rows.spoken(row) if token == NO_TOKEN else described(words, token)
            QToolTip.showText(event.globalPos(), f"<p>{escape(text)}</p>", self)
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
        last = len(self._drawing.place(self._rows.cut_row(row)).boxes) - 1
        self._place = max(0, min(self._place + by, last))
        self.viewport().update()

    def _select_current(self, row: int) -> None:
        tokens = self._rows.cut_row(row).tokens
        if tokens:
            # The word may be cut into fewer by now.
            place = max(0, min(self._place, len(tokens) - 1))
            self.tokenSelected.emit(tokens[place])

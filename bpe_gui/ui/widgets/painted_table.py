"""A table that paints its own rows: the base of the tables of words, tokens and steps.

Qt asks a Python model for seven things for each cell it draws, which takes 30 ms a frame
with a screen full of rows. Drawn here, row by row, it takes three. Selecting, scrolling,
resizing columns, the keyboard and screen readers are Qt's, and so is the model.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from bpe_gui.ui.theme.painting import brush, draw_message, pen
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.row_table import RowTable


class PaintedTable(RowTable):
    """Rows that are drawn here, or the reason why there are none.

    Ctrl+C copies the current row. A subclass draws in `draw_rows`.
    """

    presents = False
    """Whether an audience looks on."""

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._message = ""
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        # All of it is painted here: Qt need not paint what lies behind.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.horizontalHeader().setHighlightSections(False)
        ThemeFollower(self, self._take_theme)

    # -- what is shown -----------------------------------------------------------------------

    def _take_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._muted = pen(theme.muted)

    def set_message(self, message: str) -> None:
        if message != self._message:
            self._message = message
            self.viewport().update()

    # -- drawing -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = event.rect()
        painter.fillRect(area, brush(self._theme.panel))
        count = self.model().rowCount()
        if count == 0:
            painter.setFont(self.font())
            draw_message(painter, self.viewport().rect(), self._message, self._muted)
        else:
            height = self.row_height
            first = max(0, self.rowAt(area.top()))
            top = self.rowViewportPosition(first)
            last = min(count, first + (area.bottom() - top) // height + 1, self.rows_in_view.stop)
            self.draw_rows(painter, range(first, last), top, height)
        painter.end()

    def draw_rows(self, painter: QPainter, rows: range, top: int, height: int) -> None:
        """Draw these rows, the first at `top`, each `height` pixels high.

        The background is there already. Nothing more is drawn, unless a subclass does.
        """

    def draw_current(self, painter: QPainter, top: int, height: int) -> None:
        """Draw the ground of the current row, and a bar before it where it has the keyboard."""
        painter.fillRect(0, top, self.viewport().width(), height, brush(self._theme.raised))
        if self.hasFocus():
            painter.fillRect(0, top, 3, height, brush(self._theme.accent))

    # -- keys --------------------------------------------------------------------------------

    def keyboardSearch(self, search: str) -> None:
        """Leave typed letters to the field above the table.

        Qt would ask for the text of every row, which takes seconds where there are many.
        """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy) and current.isValid():
            columns = range(self.model().columnCount())
            cells = [current.siblingAtColumn(column).data() for column in columns]
            QGuiApplication.clipboard().setText("\t".join(cells))
            return
        super().keyPressEvent(event)

"""The line at the bottom of the stage: how far the run is, and what was merged last."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.merge_wording import merge_text
from bpe_gui.ui.widgets.pace import ReadingPace

_THICK = 0.12
"""Height of the bar as a share of that of the letters."""
_LINE = 1.3
"""Height of the line of words as a share of that of the letters."""
_ALIGNMENT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NO_RUN = "Open a corpus to see its merges."


class StageLine(QWidget):
    """A thin bar, and below it the position with the merge as words.

    While the cursor moves fast the words follow at 5 Hz, and the bar in each frame.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stageLine")
        self._history: History | None = None
        self._position = 0
        self._bar = _Bar()
        self._words = _Words()
        self._words.setObjectName("stageWords")
        self._pace = ReadingPace(self)
        self._pace.due.connect(self._write)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._words)

    @property
    def text(self) -> str:
        """What is written, in full."""
        return self._words.full_text

    def show_position(self, history: History | None, position: int, moving: bool) -> None:
        """Tell of another position of a run, or of none."""
        self._history, self._position = history, position
        end = len(history) if history is not None else 0
        self._bar.set_share(position / end if end else 0.0)
        self._pace.ask(busy=moving)

    @Slot()
    def _write(self) -> None:
        self._words.show_text(line_text(self._history, self._position))
        self.setAccessibleName(self._words.full_text)


def line_text(history: History | None, position: int) -> str:
    """Position, number of merges, and the merge before the position as words."""
    if history is None:
        return _NO_RUN
    return f"{position:,} / {len(history):,}   {merge_text(history, position)}"


class _Words(QWidget):
    """One line of text, cut where the screen ends; it asks for no width."""

    def __init__(self) -> None:
        super().__init__()
        self.full_text = ""
        self._cut = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self.full_text:
            self.full_text = text
            self._fit()

    def sizeHint(self) -> QSize:
        """One line high; any width will do."""
        return QSize(1, round(self.fontMetrics().height() * _LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the text to the room there is."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Cut the text anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the line."""
        painter = QPainter(self)
        painter.drawText(self.rect(), _ALIGNMENT, self._cut)

    def _fit(self) -> None:
        elide = Qt.TextElideMode.ElideRight
        self._cut = self.fontMetrics().elidedText(self.full_text, elide, self.width())
        self.update()


class _Bar(QWidget):
    """How much of the run lies before the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self._size = QSize()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._take_colours()

    def sizeHint(self) -> QSize:
        """A thin line."""
        return QSize(1, max(2, round(self.fontMetrics().height() * _THICK)))

    def changeEvent(self, event: QEvent) -> None:
        """Take other colours, or another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._take_colours()
        elif event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def _take_colours(self) -> None:
        self._done, self._rest = self.palette().accent(), self.palette().button()
        self.update()

    def set_share(self, share: float) -> None:
        """Fill it to a share of its length, from 0 to 1."""
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both parts."""
        painter = QPainter(self)
        width, height = self.width(), self.height()
        done = round(self._share * width)
        painter.fillRect(0, 0, done, height, self._done)
        painter.fillRect(done, 0, width - done, height, self._rest)

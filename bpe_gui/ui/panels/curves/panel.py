"""The curves of a run: Zipf's law, bytes per token, tokens left, lengths of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPalette
from PySide6.QtWidgets import QLabel, QStackedLayout, QWidget

from bpe_gui.bpe.history import History

if TYPE_CHECKING:
    from bpe_gui.ui.panels.curves.board import CurveBoard

_NOTHING_LOADED = "Open a corpus to see the curves of its training."


class Curves(QWidget):
    """Four plots of (history, position), or why there are none.

    The plots are made when they are first looked at: loading their library takes as long as
    a quarter of the program's start.
    """

    positionSelected = Signal(int)
    """The position after the merge that the user has clicked on a curve."""
    tokenSelected = Signal(int)
    """The token that the clicked merge makes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("curves")
        self.setAccessibleName("Curves")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._history: History | None = None
        self._made: CurveBoard | None = None
        self._message = message = QLabel(_NOTHING_LOADED, self)
        message.setProperty("quiet", True)
        message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        message.setWordWrap(True)
        message.setContentsMargins(16, 8, 16, 8)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(message)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def sizeHint(self) -> QSize:
        """Room for one plot."""
        return QSize(420, 300)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a curve with its axes."""
        return QSize(280, 150)

    @property
    def board(self) -> CurveBoard:
        """The plots."""
        if self._made is None:
            from bpe_gui.ui.panels.curves.board import CurveBoard

            self._made = CurveBoard(self)
            self._made.positionSelected.connect(self.positionSelected)
            self._made.tokenSelected.connect(self.tokenSelected)
            self._made.set_history(self._history)
            self._pages.addWidget(self._made)
            self._pages.setCurrentIndex(0 if self._history is None else 1)
        return self._made

    def show_curve(self, number: int) -> None:
        """Have a curve in view, from 0."""
        self.board.show_curve(number)

    def area_of(self, number: int) -> QRect:
        """Where a curve stands in the panel's pixels; alone it has all the room."""
        return self.board.area_of(number).translated(self.board.pos())

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none."""
        self._history = history
        in_view = history is not None and not self.visibleRegion().isEmpty()
        if self._made is not None or in_view:
            self.board.set_history(history)
            self._pages.setCurrentIndex(0 if history is None else 1)

    def show_position(self, position: int, live: bool) -> None:
        """Draw another position: at once, or while it moves within a few frames."""
        if self._history is not None:
            self.board.show_position(position, live)

    def settle(self) -> None:
        """Draw at once what else would be drawn within a few frames."""
        if self._made is not None:
            self._made.settle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say what the curves show."""
        told = _NOTHING_LOADED if self._history is None else self.board.told
        self.setAccessibleDescription(told)
        super().focusInEvent(event)

    def select_token(self, token: int) -> None:
        """The curves show merges, not tokens: nothing changes."""

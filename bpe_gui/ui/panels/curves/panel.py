"""The curves of a run: Zipf's law, bytes per token, tokens left, lengths of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFocusEvent, QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QStackedLayout, QTabBar, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves.series import BytesPerToken, TokensLeft, WinningCounts
from bpe_gui.ui.panels.curves.wording import LENGTHS, NOTHING_LOADED
from bpe_gui.ui.theme.text_size import RoomFollower, resized, scaled
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.motion import JoinWait
from bpe_gui.ui.widgets.naming import centred, named
from bpe_gui.ui.widgets.pace import ReadingPace
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

if TYPE_CHECKING:
    from bpe_gui.ui.panels.curves.plot import HistoryPlot

_SERIES = (WinningCounts(), BytesPerToken(), TokensLeft())
_GRID_SIZE = (620, 420)
_TABS_SIZE = (580, 380)
"""From the first size on all plots are shown at once, below the second one at a time."""
_TABS_ON_STAGE = 0.9
"""The size of the names of the curves in front of an audience, as a share of that of the text."""
_PLOTS_A_FRAME = 2
_FRAME_MILLISECONDS = 16


class CurvesPanel(BasePanel):
    """Four plots of (history, position), or why there are none.

    A large panel shows them side by side, a small one in tabs. While the position moves, two
    are drawn each frame and the numbers in their headlines change five times a second; once
    it rests, everything is exact.

    The plots are made when they are first looked at: loading their library takes as long as
    a quarter of the program's start.
    """

    room = QSize(420, 300)
    least_room = QSize(280, 150)

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("curves", "Curves", parts.parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._wait = JoinWait(parts.motion, self)
        self._wait.joined.connect(self.show_position)
        self._made: tuple[HistoryPlot, ...] = ()
        self._stale: list[HistoryPlot] = []
        self._in_grid = False
        self._timer = QTimer(self, singleShot=True, interval=_FRAME_MILLISECONDS)
        self._timer.timeout.connect(self._draw_some)
        self._values = ReadingPace(self)
        self._values.due.connect(self._update_text)
        message = centred(named(QLabel(NOTHING_LOADED, self), "curvesMessage"))
        message.setContentsMargins(16, 8, 16, 8)
        self._board = QWidget(self)
        tabs = QTabBar(self._board, drawBase=False, expanding=False)
        self._tabs = named(tabs, "curveTabs")
        self._grid = QGridLayout()
        self._lay_out()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(message)
        self._pages.addWidget(self._board)
        RoomFollower(self, self._choose_arrangement)

    def _lay_out(self) -> None:
        # Where text is large, names are cut rather than out of sight.
        self._tabs.setUsesScrollButtons(False)
        self._tabs.setElideMode(Qt.TextElideMode.ElideRight)
        names = (*((series.name, series.title) for series in _SERIES), LENGTHS)
        for name, title in names:
            self._tabs.setTabToolTip(self._tabs.addTab(name), title)
        self._tabs.currentChanged.connect(self._arrange)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        parts, margins = (self._tabs, self._grid), (0, 0, 0, 4)
        filled(QVBoxLayout(self._board), *parts, stretched=self._grid, margins=margins)

    @property
    def plots(self) -> tuple[HistoryPlot, ...]:
        """The plots, in the order of their tabs."""
        if not self._made:
            from bpe_gui.ui.panels.curves.plot import CurvePlot, LengthPlot

            self._made = (*(CurvePlot(s, self._board) for s in _SERIES), LengthPlot(self._board))
            for index, plot in enumerate(self._made):
                self._grid.addWidget(plot, index // 2, index % 2)
                plot.positionSelected.connect(self._on_selected)
                plot.presents = self.presents
                plot.set_history(self._history)
                # A film's window sets its font, and a new plot does not inherit it.
                plot.setFont(QFont())
            self._arrange()
        return self._made

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        if self._made or (history is not None and not self.visibleRegion().isEmpty()):
            for plot in self.plots:
                plot.set_history(history)
            self._pages.setCurrentIndex(0 if history is None else 1)
            self._refresh()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        """Draw another position: at once, or while it moves within a few frames."""
        if self._history is None or self._wait.holds_back(position):
            return
        self._position = position
        self._pages.setCurrentIndex(1)
        shown = self._shown()
        if not moving:
            self._refresh()
        elif shown:
            waiting = [plot for plot in self._stale if plot in shown]
            self._stale = waiting + [plot for plot in shown if plot not in waiting]
            self._draw_some()

    def show_curve(self, number: int) -> None:
        self._tabs.setCurrentIndex(number)

    def area_of(self, number: int) -> QRect:
        """Return the area of a curve in the panel's pixels."""
        return self.plots[number].geometry() if self._in_grid else self.rect()

    def _shown(self) -> list[HistoryPlot]:
        if not self.isVisible():
            return []
        return list(self.plots) if self._in_grid else [self.plots[self._tabs.currentIndex()]]

    def _refresh(self) -> None:
        self._timer.stop()
        self._stale = []
        if self._history is not None:
            for plot in self._shown():
                plot.draw(self._position)
            self._values.ask(busy=False)

    @Slot()
    def _draw_some(self) -> None:
        """Draw the plots that have waited longest; the timer calls it again while any wait."""
        for plot in self._stale[:_PLOTS_A_FRAME]:
            plot.draw(self._position)
        del self._stale[:_PLOTS_A_FRAME]
        self._values.ask(busy=True)
        if self._stale:
            self._timer.start()

    @Slot()
    def _update_text(self) -> None:
        if self._history is not None:
            for plot in self._shown():
                plot.update_value()

    # -- layout ----------------------------------------------------------------------------

    @Slot()
    def _arrange(self) -> None:
        if not self._made:
            return
        current = self._tabs.currentIndex()
        self._tabs.setVisible(not self._in_grid)
        for index, plot in enumerate(self._made):
            plot.show_title(self._in_grid)
            plot.setVisible(self._in_grid or index == current)
        for index in range(2):
            used = self._in_grid
            self._grid.setRowStretch(index, 1 if used or index == current // 2 else 0)
            self._grid.setColumnStretch(index, 1 if used or index == current % 2 else 0)
        self._refresh()

    def _choose_arrangement(self) -> None:
        """Change between tabs and a grid, at different sizes each way so that nothing flickers."""
        self._tabs.setFont(resized(self.font(), _TABS_ON_STAGE if self.presents else 1))
        sizes = _TABS_SIZE if self._in_grid else _GRID_SIZE
        width, height = (scaled(size, self.font()) for size in sizes)
        in_grid = self.width() >= width and self.height() >= height
        if in_grid != self._in_grid:
            self._in_grid = in_grid
            self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._made:
            self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        told = " ".join(
            f"{plot.accessibleName()}: {plot.accessibleDescription()}." for plot in self._shown()
        )
        self.setAccessibleDescription(NOTHING_LOADED if self._history is None else told)
        super().focusInEvent(event)

    # -- selecting -------------------------------------------------------------------------

    @Slot(int)
    def _on_selected(self, position: int) -> None:
        assert self._history is not None
        self.positionSelected.emit(position)
        if 0 < position <= self._position:
            self.tokenSelected.emit(int(self._history.new_id[position - 1]))

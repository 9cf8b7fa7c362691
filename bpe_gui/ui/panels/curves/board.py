"""The four curves of a run, and how they are laid out and kept up with the cursor."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QTabBar, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.curves.plots import CurvePlot, HistoryPlot, LengthPlot
from bpe_gui.ui.panels.curves.series import BytesPerToken, TokensLeft, WinningCounts
from bpe_gui.ui.theme.text_size import scaled

_GRID_SIZE = (620, 420)
_TABS_SIZE = (580, 380)
"""From the first size on all plots are shown at once, below the second one at a time."""

_PLOTS_A_FRAME = 2
_FRAME_MILLISECONDS = 16
_VALUES_EVERY_MILLISECONDS = 200
_MOVING_MILLISECONDS = 50


class CurveBoard(QWidget):
    """Four plots of (history, position): side by side where there is room, else in tabs.

    While the position moves, two plots are drawn each frame and the numbers in their
    headlines change five times a second; where it comes to rest, all is exact.
    """

    positionSelected = Signal(int)
    """The position after the merge that the user has clicked on a curve."""
    tokenSelected = Signal(int)
    """The token that the clicked merge makes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._position = 0
        self._stale: list[HistoryPlot] = []
        self._untold = False
        self._values_clock = QElapsedTimer()
        self._values_clock.start()
        self._last_shown = QElapsedTimer()
        self._timer = QTimer(self, interval=_FRAME_MILLISECONDS)
        self._timer.timeout.connect(self._catch_up)
        series = (WinningCounts(), BytesPerToken(), TokensLeft())
        self.plots: tuple[HistoryPlot, ...] = (*(CurvePlot(s, self) for s in series), LengthPlot())
        self._tabs = QTabBar(self)
        self._tabs.setObjectName("curveTabs")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        # Where text is large, names are cut rather than out of sight.
        self._tabs.setUsesScrollButtons(False)
        self._tabs.setElideMode(Qt.TextElideMode.ElideRight)
        for plot, name in zip(
            self.plots, (*(s.name for s in series), LengthPlot.name), strict=True
        ):
            self._tabs.setTabToolTip(self._tabs.addTab(name), plot.accessibleName())
            plot.positionSelected.connect(self._selected)
        self._tabs.currentChanged.connect(self._arrange)
        self._in_grid = False
        self._lay_out()
        self._arrange()

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 4)
        outer.setSpacing(0)
        outer.addWidget(self._tabs)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        for index, plot in enumerate(self.plots):
            grid.addWidget(plot, index // 2, index % 2)
        for index in range(2):
            grid.setRowStretch(index, 1)
            grid.setColumnStretch(index, 1)
        self._grid = grid
        outer.addLayout(grid, 1)

    # -- what is shown -------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none."""
        self._history = history
        self._position = 0
        self._last_shown.invalidate()
        for plot in self.plots:
            plot.set_history(history)
        self._refresh()

    def show_position(self, position: int, live: bool) -> None:
        """Draw another position: at once, or while it moves within a few frames."""
        if self._history is None:
            return
        self._position = position
        # Scrubbing comes as fast as training does; the first move of a run is drawn at once.
        clock = self._last_shown
        moving = clock.isValid() and clock.elapsed() < _MOVING_MILLISECONDS
        clock.start()
        if not live and not moving:
            self._refresh()
            return
        waiting = [plot for plot in self._stale if plot in self._shown()]
        self._stale = waiting + [plot for plot in self._shown() if plot not in waiting]
        self._untold = True
        self._draw_some()

    def settle(self) -> None:
        """Draw at once what else would be drawn within a few frames."""
        self._refresh()

    def show_curve(self, number: int) -> None:
        """Have a curve in view, from 0."""
        self._tabs.setCurrentIndex(number)

    def area_of(self, number: int) -> QRect:
        """Where a curve stands in the board's pixels; alone it has all the room."""
        return self.plots[number].geometry() if self._in_grid else self.rect()

    @property
    def told(self) -> str:
        """What the plots that can be seen say of the position."""
        return " ".join(
            f"{plot.accessibleName()}: {plot.accessibleDescription()}." for plot in self._shown()
        )

    def _shown(self) -> list[HistoryPlot]:
        """The plots that the user can see now."""
        if not self.isVisible():
            return []
        return list(self.plots) if self._in_grid else [self.plots[self._tabs.currentIndex()]]

    def _refresh(self) -> None:
        """Draw all that can be seen, and its values, now."""
        self._timer.stop()
        self._stale = []
        self._untold = False
        if self._history is None:
            return
        for plot in self._shown():
            plot.draw(self._position)
            plot.tell()

    def _draw_some(self) -> None:
        """Draw the plots that have waited longest; go on by the timer while any wait."""
        for plot in self._stale[:_PLOTS_A_FRAME]:
            plot.draw(self._position)
        del self._stale[:_PLOTS_A_FRAME]
        if self._untold and self._values_clock.elapsed() >= _VALUES_EVERY_MILLISECONDS:
            self._values_clock.restart()
            self._untold = bool(self._stale)
            for plot in self._shown():
                plot.tell()
        if not self._stale and not self._untold:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _catch_up(self) -> None:
        self._draw_some()

    # -- layout ----------------------------------------------------------------------------

    @Slot()
    def _arrange(self) -> None:
        """Show all plots or the one of the current tab, as there is room."""
        current = self._tabs.currentIndex()
        self._tabs.setVisible(not self._in_grid)
        for index, plot in enumerate(self.plots):
            plot.show_title(self._in_grid)
            plot.setVisible(self._in_grid or index == current)
        for index in range(2):
            used = self._in_grid
            self._grid.setRowStretch(index, 1 if used or index == current // 2 else 0)
            self._grid.setColumnStretch(index, 1 if used or index == current % 2 else 0)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Change between tabs and a grid, with some reluctance so that nothing flickers."""
        super().resizeEvent(event)
        self._choose_arrangement()

    def changeEvent(self, event: QEvent) -> None:
        """Larger text needs more room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._choose_arrangement()

    def _choose_arrangement(self) -> None:
        sizes = _TABS_SIZE if self._in_grid else _GRID_SIZE
        width, height = (scaled(size, self.font()) for size in sizes)
        in_grid = self.width() >= width and self.height() >= height
        if in_grid != self._in_grid:
            self._in_grid = in_grid
            self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was not drawn while hidden."""
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is drawn unseen."""
        self._timer.stop()
        super().hideEvent(event)

    # -- selecting -------------------------------------------------------------------------

    @Slot(int)
    def _selected(self, position: int) -> None:
        assert self._history is not None
        self.positionSelected.emit(position)
        if 0 < position <= self._position:
            self.tokenSelected.emit(int(self._history.new_id[position - 1]))

"""Show one of the workspaces: Explore with its docks, Compare, or Laboratory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QMenuBar,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from bpe_gui.ui.theme.text_size import FontFollower, resized
from bpe_gui.ui.theme.theme import directly_in
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea


class WorkspaceId(IntEnum):
    """The workspaces, in the order of their tabs."""

    EXPLORE = 0
    COMPARE = 1
    LABORATORY = 2


LAYOUT_VERSION = 1
"""Raise it when docks or bars get other names: then the stored layout is refused."""


class Workspaces(QObject):
    """Shows the docks, or another view instead, by tabs in the menu bar or by keys.

    The docks keep their places.
    """

    barsShown = Signal(bool)
    """Whether the bars of the run are in view now."""
    changed = Signal()
    """Another workspace has come into view, or parts of others are on the stage."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        views: Mapping[WorkspaceId, QWidget],
        choices: Sequence[QAction],
        steady: Sequence[QWidget],
        bars: Sequence[QWidget] = (),
    ) -> None:
        """`views` are the workspaces other than Explore; `choices` are the actions of all.

        `steady` are bars and docks that no change of workspace shows or hides. `bars` are of the
        run: workspaces can do without them, see `show_bars`.
        """
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._steady = steady
        self._bars = bars
        self._without_bars: frozenset[WorkspaceId] = frozenset()
        self._docked = QByteArray()
        self.shown = WorkspaceId.EXPLORE
        """The workspace in view."""
        self._presented: frozenset[WorkspaceId] = frozenset()
        self._stack = QStackedWidget(window)
        self._rooms = {place: ShrinkableScrollArea(view) for place, view in views.items()}
        for room in self._rooms.values():
            room.setFont(resized(window.font()))  # else it would follow the window unseen
            self._stack.addWidget(room)
        window.setCentralWidget(self._stack)
        self._stack.hide()
        self._group = QActionGroup(self)
        self._actions = choices
        for action in self._actions:
            self._group.addAction(action)
        choices[WorkspaceId.EXPLORE].setChecked(True)
        self._group.triggered.connect(self._on_action)
        self.tabs = named(_Tabs(window), "workspaceTabs", "Workspaces")
        self.tabs.setDrawBase(False)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for place, action in zip(WorkspaceId, self._actions, strict=True):
            self.tabs.addTab(place.name.title())
            self.tabs.setTabToolTip(place, action.toolTip())
        window.menuBar().setCornerWidget(self.tabs)
        self.tabs.currentChanged.connect(self._show)
        FontFollower(window, self._follow_font)
        # Many docks move at once.
        self._tending = QTimer(self, singleShot=True, interval=0)
        self._tending.timeout.connect(self._tend_tabs_of_docks)
        for dock in docks.values():
            dock.dockLocationChanged.connect(self._tend_soon)
        self._tend_soon()

    def in_sight(self, place: WorkspaceId) -> bool:
        """Tell whether a workspace is in view, or parts of it are on the stage."""
        return place is self.shown or place in self._presented

    def show_bars(self, place: WorkspaceId, shown: bool) -> None:
        """Set whether the bars of the run are shown in a workspace."""
        without = self._without_bars - {place} if shown else self._without_bars | {place}
        if without != self._without_bars:
            self._without_bars = without
            self._tend_bars()

    def _tend_bars(self) -> None:
        shown = self.shown not in self._without_bars
        focused = QApplication.focusWidget()
        if focused is not None and not shown and any(b.isAncestorOf(focused) for b in self._bars):
            focused.clearFocus()  # Qt would give it to whatever is next
        for bar in self._bars:
            if bar.isVisibleTo(self._window) != shown:
                bar.setVisible(shown)
        self.barsShown.emit(shown)

    def present(self, places: Iterable[WorkspaceId]) -> None:
        """Set the workspaces of which parts are on the stage."""
        self._presented = frozenset(places)
        self.changed.emit()

    def arrangement(self) -> QByteArray:
        """Return the places of the docks of Explore, in view or not, as `saveState` does."""
        if self.shown is WorkspaceId.EXPLORE:
            return self._window.saveState(LAYOUT_VERSION)
        return self._docked

    def arrange(self, arrangement: QByteArray) -> None:
        """Show Explore, and move its docks; nothing changes if Qt refuses."""
        self.explore()
        self._window.restoreState(arrangement, LAYOUT_VERSION)
        self._tend_soon()

    def show_place(self, place: WorkspaceId) -> None:
        """Show one of the workspaces."""
        self.tabs.setCurrentIndex(place)

    def _follow_font(self) -> None:
        """Write in the size of the window in the workspace in view: the others are large, and take
        it when they are shown.
        """
        if (room := self._rooms.get(self.shown)) is not None:
            room.setFont(resized(self._window.font()))

    @Slot()
    def _tend_soon(self) -> None:
        self._tending.start()

    @Slot()
    def _tend_tabs_of_docks(self) -> None:
        """Name the tabs that Qt makes of docks, and take the focus from those that are hidden.

        Qt keeps these out of sight.
        """
        exploring = self.shown is WorkspaceId.EXPLORE
        policy = Qt.FocusPolicy.TabFocus if exploring else Qt.FocusPolicy.NoFocus
        for bar in directly_in(self._window):
            if isinstance(bar, QTabBar):
                bar.setFocusPolicy(policy)
                bar.setAccessibleName("Panels")

    @Slot()
    def explore(self) -> None:
        self.tabs.setCurrentIndex(WorkspaceId.EXPLORE)

    @Slot()
    def compare(self) -> None:
        self.tabs.setCurrentIndex(WorkspaceId.COMPARE)

    @Slot()
    def laboratory(self) -> None:
        self.tabs.setCurrentIndex(WorkspaceId.LABORATORY)

    @Slot(object)
    def _on_action(self, action: QAction) -> None:
        self.tabs.setCurrentIndex(self._actions.index(action))

    @Slot(int)
    def _show(self, index: int) -> None:
        """Replace one workspace by the other, in one go."""
        place = WorkspaceId(index)
        self._actions[place].setChecked(True)
        if place is self.shown:
            return
        self._window.setUpdatesEnabled(False)
        focused = QApplication.focusWidget()
        steady = [(widget, widget.isVisibleTo(self._window)) for widget in self._steady]
        if self.shown is WorkspaceId.EXPLORE:
            self._docked = self._window.saveState(LAYOUT_VERSION)
            for dock in self._docks.values():
                dock.hide()
        self.shown = place
        exploring = place is WorkspaceId.EXPLORE
        if exploring:
            self._stack.hide()
            self._window.restoreState(self._docked, LAYOUT_VERSION)
        else:
            self._follow_font()
            self._stack.setCurrentWidget(self._rooms[place])
            self._stack.show()
        for widget, visible in steady:
            widget.setVisible(visible)
        self._tend_bars()
        self._tend_tabs_of_docks()
        for dock in self._docks.values():
            dock.toggleViewAction().setEnabled(exploring)
        hidden = focused is not None and not focused.isVisibleTo(self._window)
        # Qt has given the focus to something that nobody chose.
        if hidden and (focused := QApplication.focusWidget()) is not None:
            focused.clearFocus()
        self._window.setUpdatesEnabled(True)
        self.changed.emit()


class _Tabs(QTabBar):
    """Tabs at the end of the menu bar, which asks for their size only once."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        bar = self.parentWidget()
        resized = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if resized and isinstance(bar, QMenuBar):
            bar.setCornerWidget(self)


class DockTitle(QWidget):
    """Writes the title of a dock in the font of the window, elided if there is no room.

    The one that Qt draws keeps the font of the start. This one never makes a panel wider. The label
    is in a layout, which keeps its size: Qt asks for it thousands of times until the first frame.
    """

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._label = ElidingLabel(self, textFormat=Qt.TextFormat.PlainText)
        self._label.setObjectName("dockTitle")
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        filled(QHBoxLayout(self), self._label)
        dock.setTitleBarWidget(self)
        dock.windowTitleChanged.connect(self._follow)
        self._follow(dock.windowTitle())

    @Slot(str)
    def _follow(self, title: str) -> None:
        self._label.setText(title)
        self._label.setToolTip(title)

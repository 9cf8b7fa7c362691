"""Which of the workspaces fills the window: Explore with its docks, or Compare."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QToolBar, QWidget

from bpe_gui.ui.actions import Actions

_NAMES = ("Explore", "Compare")
_EXPLORE, _COMPARE = range(2)


class Workspaces(QObject):
    """Shows the docks, or the compare view in their place, by tabs in the menu bar or by keys.

    The docks come back as they stood.
    """

    changed = Signal(bool)
    """Compare has come into view, or (False) Explore has."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        compare: QWidget,
        actions: Actions,
        steady: QToolBar,
    ) -> None:
        """`steady` is a bar that no change of workspace shows or hides."""
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._compare = compare
        self._steady = steady
        self._left: QByteArray | None = None
        window.setCentralWidget(compare)
        compare.hide()
        self._group = QActionGroup(self)
        self._actions = (actions.explore, actions.compare)
        for action in self._actions:
            self._group.addAction(action)
        actions.explore.setChecked(True)
        # The layout is that of Explore. This comes first, before the docks are put back.
        actions.reset_layout.triggered.connect(self.explore)
        self._group.triggered.connect(self._on_action)
        self._tabs = QTabBar()
        self._tabs.setObjectName("workspaceTabs")
        self._tabs.setDrawBase(False)
        self._tabs.setAccessibleName("Workspaces")
        self._tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for index, action in enumerate(self._actions):
            self._tabs.addTab(_NAMES[index])
            self._tabs.setTabToolTip(index, action.toolTip())
        window.menuBar().setCornerWidget(self._tabs)
        self._tabs.currentChanged.connect(self._show)

    @property
    def comparing(self) -> bool:
        """Whether Compare is in view."""
        return self._left is not None

    def _skip_tabs_of_docks(self) -> None:
        """Keep the focus from tabs of docks that are hidden: Qt leaves them out of sight."""
        policy = Qt.FocusPolicy.NoFocus if self.comparing else Qt.FocusPolicy.TabFocus
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=direct):
            bar.setFocusPolicy(policy)

    @Slot()
    def explore(self) -> None:
        """Show Explore."""
        self._tabs.setCurrentIndex(_EXPLORE)

    @Slot()
    def compare(self) -> None:
        """Show Compare."""
        self._tabs.setCurrentIndex(_COMPARE)

    @Slot(object)
    def _on_action(self, action: QAction) -> None:
        self._tabs.setCurrentIndex(self._actions.index(action))

    @Slot(int)
    def _show(self, index: int) -> None:
        """Put one workspace in the place of the other, in one go."""
        self._actions[index].setChecked(True)
        if (index == _COMPARE) == self.comparing:
            return
        self._window.setUpdatesEnabled(False)
        steady = self._steady.isVisibleTo(self._window)
        if self._left is None:
            self._left = self._window.saveState()
            for dock in self._docks.values():
                dock.hide()
            self._compare.show()
        else:
            self._compare.hide()
            self._window.restoreState(self._left)
            self._left = None
        self._steady.setVisible(steady)
        self._skip_tabs_of_docks()
        for dock in self._docks.values():
            dock.toggleViewAction().setEnabled(not self.comparing)
        self._window.setUpdatesEnabled(True)
        self.changed.emit(self.comparing)

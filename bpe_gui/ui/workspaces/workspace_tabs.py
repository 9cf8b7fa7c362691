"""The tabs of the workspaces, at the end of the menu bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QTabBar, QToolButton, QWidget


class WorkspaceTabs(QWidget):
    """Tabs; where menus and tabs have no room beside each other, a button that lists them."""

    def __init__(self, names: Sequence[str], actions: Sequence[QAction], bar: QMenuBar) -> None:
        """The names stand on the tabs, `actions` in the list."""
        super().__init__(bar)
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("workspaceTabs")
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("Workspaces")
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button = QToolButton(self)
        self.button.setObjectName("workspaceButton")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setToolTip("Go to another workspace")
        menu = QMenu(self.button)
        menu.addActions(list(actions))
        self.button.setMenu(menu)
        self.button.hide()
        for index, (name, action) in enumerate(zip(names, actions, strict=True)):
            self.tabs.addTab(name)
            self.tabs.setTabToolTip(index, action.toolTip())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.tabs)
        row.addWidget(self.button)
        self.tabs.currentChanged.connect(self._name)
        self._name(self.tabs.currentIndex())
        bar.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """That of what is shown."""
        return (self.tabs if self.button.isHidden() else self.button).sizeHint()

    def event(self, event: QEvent) -> bool:
        """Take the room for what is shown now: the bar asks for it once, and not again."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            bar = self._bar
            if bar is not None and bar.cornerWidget() is self:
                self._fit()
                bar.setCornerWidget(self)
        return handled

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow another width, and another font."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.Show):
            self._fit()
        return False

    @Slot(int)
    def _name(self, index: int) -> None:
        name = self.tabs.tabText(index)
        self.button.setText(f"{name} ▾")
        self.button.setAccessibleName(f"Workspace: {name}")

    @property
    def _bar(self) -> QMenuBar | None:
        """The bar that it stands in, asked for anew: within a resize, what fails is a crash."""
        bar = self.parentWidget()
        return bar if isinstance(bar, QMenuBar) else None

    def _fit(self) -> None:
        bar = self._bar
        if bar is None or not bar.actions():
            return
        menus = sum(bar.actionGeometry(action).width() for action in bar.actions())
        gaps = bar.actionGeometry(bar.actions()[0]).x() * (len(bar.actions()) + 1)
        tight = menus + gaps + self.tabs.sizeHint().width() > bar.width()
        self.tabs.setVisible(not tight)
        self.button.setVisible(tight)

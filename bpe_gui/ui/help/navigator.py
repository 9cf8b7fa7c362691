"""Go to the parts of the window that pages of the help are about."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.context.context import Context, all_parts, reveal
from bpe_gui.ui.widgets.keyboard import in_order
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId


def navigation_targets() -> list[PanelSpec | PartSpec]:
    """Return the parts that one can go to by name."""
    return [spec for spec in all_parts() if spec.help_page]


class Navigator(QObject):
    """Has an action for every part of the window, which shows it and gives it the keyboard."""

    went = Signal()
    """The keyboard is where one wanted to go."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._group = QActionGroup(self)
        self._group.setExclusive(False)
        for spot in navigation_targets():
            action = self._group.addAction(spot.title)
            action.setObjectName(f"show{spot.widget[0].upper()}{spot.widget[1:]}Action")
            action.setData(spot)
            action.setStatusTip("Show it, and give it the keyboard")
            set_keywords(action, f"show panel {spot.keywords}")
        self._group.triggered.connect(self._on_action)

    @property
    def actions(self) -> list[QAction]:
        """Return an action for every target, in their order."""
        return self._group.actions()

    def go(self, spot: PanelSpec | PartSpec) -> None:
        """Bring a part of the window into view and give it the keyboard."""
        if spot.workspace is not None:
            self._context.workspaces.show_place(spot.workspace)
        # The laboratory is made when it is first seen, so its parts are looked for now.
        widget = self._context.window.findChild(QWidget, spot.widget)
        if widget is None:
            return
        reveal(widget)
        if spot.workspace is WorkspaceId.COMPARE and not widget.isVisible():
            actions = self._context.actions
            for alone in (actions.lanes_alone, actions.numbers_alone):
                alone.setChecked(False)
        if not focus_within(widget):
            focus_tabs_of(widget)
        self.went.emit()

    @Slot(QAction)
    def _on_action(self, action: QAction) -> None:
        self.go(action.data())


def focus_tabs_of(widget: QWidget) -> None:
    """Give the keyboard to the tabs that lead to a widget."""
    outer = widget.parentWidget()
    while outer is not None and not isinstance(outer, QTabWidget):
        outer = outer.parentWidget()
    if outer is not None:
        outer.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)


def focus_within(widget: QWidget) -> bool:
    """Give the keyboard to a widget, or to the first within it that takes it, if one does."""
    for candidate in in_order(widget):
        wants = candidate.focusPolicy() & Qt.FocusPolicy.TabFocus
        if wants and candidate.isVisible() and candidate.isEnabled():
            candidate.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
    return False

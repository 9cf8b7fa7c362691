"""The parts of the window that one can go to, and which page of the help is about each."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QTabWidget, QWidget

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.explore import registry
from bpe_gui.ui.widgets.tab_order import in_order
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

_COMPARE, _LABORATORY = WorkspaceId.COMPARE, WorkspaceId.LABORATORY


class NavigationTarget(NamedTuple):
    """A part of the window, by the object name of its widget.

    workspace: where it stands; None where it stands in all of them. page: of the help.
    keywords: words that others may call it by.
    """

    name: str
    title: str
    workspace: WorkspaceId | None
    page: str
    keywords: str


_ELSEWHERE = tuple(NavigationTarget(*target) for target in (
    ("compareText", "The text that is compared", _COMPARE, "lanes", "type input sample"),
    ("laneView", "Lanes of tokens", _COMPARE, "lanes", "tokens rows coloured text"),
    ("differenceCard", "Why the encodings differ", _COMPARE, "differences",
     "explain reason disagree"),
    ("metricsTable", "Numbers of each encoding, in a table", _COMPARE, "numbers",
     "statistics metrics fertility parity entropy count"),
    ("metricBars", "Numbers of each encoding, as bars", _COMPARE, "bars",
     "statistics metrics chart"),
    ("languageBars", "Languages", _COMPARE, "languages",
     "language cost parity tax multilingual scripts"),
    ("mergeCurves", "Numbers over the merges", _COMPARE, "merge-curves",
     "graph plot chart compression"),
    ("recipeEditor", "Recipe editor", _LABORATORY, "recipe-editor",
     "regex pattern split normalize normalization special tokens alphabet settings"),
    ("laboratoryText", "Sample text of the laboratory", _LABORATORY, "laboratory", "type input"),
    ("pipelineView", "Pipeline", _LABORATORY, "pipeline",
     "stages steps normalize split pre-tokenization"),
    ("wallPanel", "Merges blocked by the split", _LABORATORY, "boundaries",
     "pattern split boundary"),
    ("lockstepPanel", "Two recipes in lockstep", _LABORATORY, "lockstep",
     "two side compare slope"),
    ("trainingBar", "Corpus and recipe", None, "corpus",
     "vocabulary size number merges preset settings"),
    ("playerBar", "Player and timeline", None, "player", "speed position scrub slider history"),
))  # fmt: skip


def navigation_targets() -> tuple[NavigationTarget, ...]:
    """All of them. A part within another comes to it first, by the names of its parents."""
    panels = (
        NavigationTarget(spec.dock, spec.title, WorkspaceId.EXPLORE, spec.help_page, spec.keywords)
        for spec in registry.PANELS
    )
    return (*panels, *_ELSEWHERE)


class Navigator(QObject):
    """Holds an action for each navigation target, which shows it and gives it the keyboard."""

    went = Signal()
    """The keyboard is where one wanted to go."""

    def __init__(self, window: QMainWindow, workspaces: Workspaces, actions: Actions) -> None:
        super().__init__(window)
        self._window = window
        self._workspaces = workspaces
        self._actions = actions
        self._group = QActionGroup(self)
        self._group.setExclusive(False)
        for spot in navigation_targets():
            action = self._group.addAction(spot.title)
            action.setObjectName(f"show{spot.name[0].upper()}{spot.name[1:]}Action")
            action.setData(spot)
            action.setStatusTip("Show it, and give it the keyboard")
            set_keywords(action, f"show panel {spot.keywords}")
        self._group.triggered.connect(self._on_action)

    @property
    def actions(self) -> list[QAction]:
        """An action for each spot, in the order of these."""
        return self._group.actions()

    def go(self, spot: NavigationTarget) -> None:
        """Bring a part of the window into view and give it the keyboard."""
        if spot.workspace is not None:
            self._workspaces.show_place(spot.workspace)
        # The laboratory is made when it is first seen, so its parts are looked for now.
        widget = self._window.findChild(QWidget, spot.name)
        if widget is None:
            return
        bring_into_view(widget)
        if spot.workspace is WorkspaceId.COMPARE and not widget.isVisible():
            for alone in (self._actions.lanes_alone, self._actions.numbers_alone):
                alone.setChecked(False)
        if not focus_within(widget):
            focus_tabs_of(widget)
        self.went.emit()

    @Slot(QAction)
    def _on_action(self, action: QAction) -> None:
        self.go(action.data())


def bring_into_view(widget: QWidget) -> None:
    """Raise the docks and choose the tabs that a widget stands in."""
    inner: QWidget | None = widget
    while inner is not None:
        outer = inner.parentWidget()
        if isinstance(inner, QDockWidget):
            inner.show()
            inner.raise_()
        if isinstance(outer, QStackedWidget) and isinstance(outer.parentWidget(), QTabWidget):
            tabs = outer.parentWidget()
            assert isinstance(tabs, QTabWidget)
            tabs.setCurrentWidget(inner)
        inner = outer


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

"""The panels of a window that can be exported, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.ui.context.panel_spec import PanelSpec
from bpe_gui.ui.context.workspaces import WorkspaceId
from bpe_gui.ui.explore import registry

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow


@dataclass(frozen=True, eq=False)
class ExportPanel:
    """A part of the window, what it is called, and where it is found.

    `name` is for the command line, `title` for people. `find` gives the widget, which may be
    made only then. `dock` is the name of its dock in Explore, `tabs` gives the tabs that it
    stands in elsewhere.
    """

    name: str
    title: str
    place: WorkspaceId
    find: Callable[[], QWidget]
    dock: str = ""
    tabs: Callable[[], QTabWidget] | None = None
    made: Callable[[], bool] = lambda: True

    @property
    def is_made(self) -> bool:
        """Whether there is such a widget already."""
        return self.made()

    @property
    def widget(self) -> QWidget:
        """What is painted."""
        return self.find()


WINDOW = "window"
"""The name of all panels together, as they stand in the window."""
TIMELINE = "timeline"
_NUMBERS = (
    ("metrics", "The table of numbers", "table"),
    ("bars", "The numbers as bars", "bars"),
    ("languages", "Languages", "languages"),
    ("merge-curves", "Numbers over the merges", "curves"),
)
_BENCH = (
    ("pipeline", "Pipeline", "pipeline"),
    ("wall", "What the wall forbids", "boundaries"),
    ("lockstep", "Two recipes in lockstep", "lockstep"),
)


def panel_names() -> tuple[str, ...]:
    """What `panels_of` finds in every window, known before there is one."""
    return (
        *(spec.name for spec in registry.PANELS),
        TIMELINE,
        *("lanes", "numbers"),
        *(name for name, _, _ in _NUMBERS),
        *(name for name, _, _ in _BENCH),
        *("recipe", WINDOW),
    )


def animated() -> dict[str, PanelSpec]:
    """The panels that follow the cursor, by name."""
    return {spec.name: spec for spec in registry.PANELS if spec.follows}


def panels_of(window: MainWindow) -> Mapping[str, ExportPanel]:
    """Every panel of a window that can be exported, by name."""
    timeline = window.player_bar.timeline
    found = [
        *(
            ExportPanel(
                spec.name,
                spec.title,
                WorkspaceId.EXPLORE,
                partial(window.workspace.in_dock, spec),
                spec.dock,
            )
            for spec in registry.PANELS
        ),
        ExportPanel(TIMELINE, "Timeline", WorkspaceId.EXPLORE, lambda: timeline),
        *_of_compare(window),
        *_of_laboratory(window),
        ExportPanel(WINDOW, "The whole window", window.workspaces.shown, lambda: window),
    ]
    return {panel.name: panel for panel in found}


def _field(owner: object, name: str) -> Callable[[], QWidget]:
    """What gives a widget that is a field of something."""
    return partial(getattr, owner, name)


def _of_compare(window: MainWindow) -> list[ExportPanel]:
    compare, numbers = window.compare, window.compare.numbers
    place = WorkspaceId.COMPARE
    return [
        ExportPanel("lanes", "Lanes", place, lambda: compare.lanes),
        ExportPanel("numbers", "Numbers", place, lambda: numbers),
        *(
            ExportPanel(name, title, place, _field(numbers, field), tabs=lambda: numbers.tabs)
            for name, title, field in _NUMBERS
        ),
    ]


def _of_laboratory(window: MainWindow) -> list[ExportPanel]:
    place, laboratory = WorkspaceId.LABORATORY, window.laboratory

    def find(field: str) -> QWidget:
        found: QWidget = getattr(laboratory.view, field)
        return found

    return [
        *(
            ExportPanel(
                name,
                title,
                place,
                partial(find, field),
                tabs=lambda: laboratory.view.tabs,
                made=lambda: laboratory.has_view,
            )
            for name, title, field in _BENCH
        ),
        ExportPanel(
            "recipe", "Recipe", place, partial(find, "editor"), made=lambda: laboratory.has_view
        ),
    ]


def bring_into_view(window: MainWindow, panel: ExportPanel) -> None:
    """Let a panel be seen, so that it is drawn for the position; at once if it already is.

    What it shows may still be under way: panels are drawn on the frame clock.
    """
    if panel.name == WINDOW:
        return
    if panel.name != TIMELINE:
        window.workspaces.show_place(panel.place)
    if panel.dock:
        dock = window.workspace.docks[panel.dock]
        dock.show()
        dock.raise_()
    if panel.tabs is not None:
        panel.tabs().setCurrentWidget(panel.widget)


def way_back(window: MainWindow) -> Callable[[], None]:
    """What brings the window back to what is in view now, whatever has been brought there."""
    workspaces, docks = window.workspaces, window.workspace.docks.values()
    place, arrangement = workspaces.shown, workspaces.arrangement()
    hidden = [dock for dock in docks if dock.isHidden()]
    in_front = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
    tabs = [window.compare.numbers.tabs]
    if window.laboratory.has_view:
        tabs.append(window.laboratory.view.tabs)
    chosen = [(one, one.currentIndex()) for one in tabs]

    def go_back() -> None:
        for one, index in chosen:
            one.setCurrentIndex(index)
        workspaces.show_place(place)
        if place is not WorkspaceId.EXPLORE:
            if workspaces.arrangement() != arrangement:
                workspaces.arrange(arrangement)
                workspaces.show_place(place)
            return
        for dock in hidden:
            dock.hide()
        for dock in in_front:
            dock.raise_()

    return go_back

"""The panels of a window that can be exported, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct
from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.context.context import PARTS, Context, reveal
from bpe_gui.ui.explore import registry
from bpe_gui.ui.workspaces.panel_spec import Lines, PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

WINDOW = "window"
"""The name of the whole window."""
TIMELINE = "timeline"
_NO_RUN = "there is no run yet"
_PARTS = [part for part in PARTS if part.exported]


class ExportPanel(Struct, frozen=True, eq=False):
    """A part of the window, its names, and how to find it.

    name: for the command line; title: for people.
    find: returns the widget that is painted, and makes it if need be; is_made: whether it exists.
    dock: the name of its dock in Explore.
    emptiness: why it has nothing to show, as the end of a sentence; empty if it has something.
        A panel may be empty only until it is in view.
    at_rest: whether it waits for nothing.
    tables: as in `PanelSpec`; tells_next: whether they name merges after the cursor.
    """

    name: str
    title: str
    place: WorkspaceId
    find: Callable[[], QWidget]
    dock: str = ""
    is_made: bool = True
    emptiness: Callable[[], str] = lambda: ""
    at_rest: Callable[[], bool] = lambda: True
    tables: Mapping[str, Callable[[], Lines | None]] = {}
    tells_next: bool = False

    @property
    def widget(self) -> QWidget:
        return self.find()


def panel_names() -> tuple[str, ...]:
    """Return the names of what `panels_of` finds in every window."""
    return (
        *(spec.name for spec in registry.PANELS), TIMELINE, *(part.name for part in _PARTS), WINDOW,
    )  # fmt: skip


def name_of(asked: str) -> str:
    """Return the name of the panel that has this name or title, or what was asked for if none has.

    >>> name_of("Pair frequencies"), name_of("Words"), name_of("xyz")
    ('pairs', 'words', 'xyz')
    """
    titles = {spec.title.casefold(): spec.name for spec in registry.PANELS}
    titles |= {part.title.casefold(): part.name for part in _PARTS}
    return titles.get(asked.casefold(), asked)


def animated() -> dict[str, PanelSpec]:
    """Return the panels that follow the cursor, by name."""
    return {spec.name: spec for spec in registry.PANELS if spec.follows}


def panels_of(context: Context) -> dict[str, ExportPanel]:
    """Return every panel of a window that can be exported, by name."""
    player, timeline, window = context.player, context.timeline, context.window

    def without_run() -> str:
        return _NO_RUN if player.history is None else ""

    found = [
        *(_panel(context, spec, without_run) for spec in registry.PANELS),
        ExportPanel(
            TIMELINE, "Timeline", WorkspaceId.EXPLORE, lambda: timeline, emptiness=without_run
        ),
        *(_part(context, part) for part in _PARTS),
    ]

    def all_rest() -> bool:
        return all(panel.at_rest() for panel in found if panel.is_made and panel.widget.isVisible())

    place = context.workspaces.shown
    whole = ExportPanel(WINDOW, "The whole window", place, lambda: window, at_rest=all_rest)
    return {panel.name: panel for panel in (*found, whole)}


def _panel(context: Context, spec: PanelSpec, without_run: Callable[[], str]) -> ExportPanel:
    return ExportPanel(
        spec.name,
        spec.title,
        WorkspaceId.EXPLORE,
        partial(context.explore.in_dock, spec),
        spec.dock,
        emptiness=lambda: without_run() or spec.emptiness(context.explore.panel(spec.name)),
        at_rest=lambda: context.explore.scheduler.up_to_date and context.explore.at_rest,
        tables={
            title: partial(lambda take: take(context.explore.panel(spec.name)), take)
            for title, take in spec.tables.items()
        },
        tells_next=spec.tells_next,
    )


def _part(context: Context, part: PartSpec) -> ExportPanel:
    assert part.workspace is not None, "no bar is exported by itself"
    held = context.late_views[part.workspace]
    return ExportPanel(
        part.name,
        part.title,
        part.workspace,
        lambda: part.find(held.view),
        is_made=held.has_view,
        emptiness=lambda: part.emptiness(held.view),
        at_rest=lambda: part.at_rest(held.view),
        tables={
            title: partial(lambda take: take(held.view), take)
            for title, take in part.tables.items()
        },
        tells_next=part.tells_next,
    )


def why_not_told(actions: Actions) -> str:
    """Say why merges after the cursor must not be shown; empty if they may be."""
    if not actions.guess.isChecked():
        return ""
    return "The next merge is being guessed, and this would tell it; end the guessing first."


def bring_into_view(context: Context, panel: ExportPanel) -> None:
    """Show a panel, so that it is drawn for the position in the next frame."""
    if panel.name == WINDOW:
        return
    if panel.name != TIMELINE:
        context.workspaces.show_place(panel.place)
    reveal(panel.widget)


def way_back(context: Context) -> Callable[[], None]:
    """Return what restores the present view of the window, whatever is shown meanwhile."""
    workspaces, docks = context.workspaces, context.explore.docks.values()
    place, arrangement = workspaces.shown, workspaces.arrangement()
    hidden = [dock for dock in docks if dock.isHidden()]
    in_front = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
    tabs = context.window.findChildren(QTabWidget)
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

"""The parts of a window, for what concerns many of them: sessions, exports, tours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QTabWidget, QWidget

from bpe_gui.ui.compare import parts as compare_parts
from bpe_gui.ui.compare.controller import CompareController
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.laboratory import parts as laboratory_parts
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.run_control import RunControl
from bpe_gui.ui.run.run_status import RunStatus
from bpe_gui.ui.settings.view_state import ViewState
from bpe_gui.ui.theme.choices import ColouringChoice, PaletteChoice, ThemeChoice
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.workspaces.late_view import LateView
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.compare.view import CompareView


class Context(RunContext, frozen=True, eq=False):
    """The parts of a window; a part that needs but two or three of these is given just them.

    window: parent of dialogs, and what is shown and painted as a whole.
    """

    window: QMainWindow
    status: RunStatus
    timeline: Timeline
    run_control: RunControl
    workspaces: Workspaces
    explore: ExploreView
    compare_controller: CompareController
    laboratory: Laboratory
    theme_choice: ThemeChoice
    palette_choice: PaletteChoice
    colouring_choice: ColouringChoice
    view_state: ViewState

    @property
    def late_views(self) -> dict[WorkspaceId, LateView[Any]]:
        """Compare and the laboratory."""
        return {
            WorkspaceId.COMPARE: self.compare_controller, WorkspaceId.LABORATORY: self.laboratory,
        }  # fmt: skip

    @property
    def compare(self) -> CompareView:
        """The compare view, made for whoever first needs it."""
        return self.compare_controller.view


PARTS = (*compare_parts.PARTS, *laboratory_parts.PARTS)
"""The parts of Compare and of the laboratory."""


def all_parts() -> tuple[PanelSpec | PartSpec, ...]:
    """Return every panel, part and bar of the window, known before there is one."""
    return (*registry.PANELS, *PARTS, *registry.BARS)


def find_part(spec: PanelSpec | PartSpec, context: Context) -> QWidget:
    """Return the widget of a panel, or of a part of a view, which is made for it if need be."""
    if isinstance(spec, PanelSpec):
        return context.explore.in_dock(spec)
    assert spec.workspace is not None, "a bar is in no workspace"
    return spec.find(context.late_views[spec.workspace].view)


def reveal(widget: QWidget) -> None:
    """Raise the docks and choose the tabs that a widget is in."""
    while (outer := widget.parentWidget()) is not None:
        if isinstance(widget, QDockWidget):
            widget.show()
            widget.raise_()
        if isinstance(outer, QStackedWidget) and isinstance(
            tabs := outer.parentWidget(), QTabWidget
        ):
            tabs.setCurrentWidget(widget)
        widget = outer

"""All parts of the window, each from where it is declared."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QStackedWidget, QTabWidget, QWidget

from bpe_gui.ui.compare import parts as compare_parts
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.explore import registry
from bpe_gui.ui.laboratory import parts as laboratory_parts
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec

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

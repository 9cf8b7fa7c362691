"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.curves.panel import Curves
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> Curves:
    return Curves(parts.parent)


CURVES = PanelSpec(
    name="curves",
    title="Curves",
    make=_make,
    area=(1, 1),
    refresh=RefreshInterval(0.1, 0.1),
    help_page="curves",
    keywords="graph plot chart zipf length compression",
    dock="curvesDock",
    tour_places={"curves": ""},
    choices=("curveTabs",),
    tells_next=True,
)

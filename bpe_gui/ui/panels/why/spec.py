"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.why.panel import WhyPanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> WhyPanel:
    panel, queries = WhyPanel(parts.parent), parts.queries
    panel.explanationWanted.connect(queries.explain)
    queries.explained.connect(panel.set_explanation)
    queries.failed.connect(panel.set_problem)
    return panel


WHY = PanelSpec(
    name="why",
    title="Why this pair",
    make=_make,
    area=(0, 1),
    # As soon as merges come, what is to come next is another one.
    refresh=RefreshInterval(0.0, 2.0),
    help_page="why",
    keywords="explain reason tie count",
    dock="whyDock",
    tour_places={"why": ""},
    tells_next=True,
)

"""Why this pair is merged, in one card."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

WHY = PanelSpec(
    name="why",
    title="Why this pair",
    load=loader("bpe_gui.ui.panels.why.panel", "WhyPanel"),
    area=(1, 1),
    # With every merge, the next one is another.
    refresh=RefreshInterval(0.0, 2.0),
    keywords="explain reason tie count",
    tour_places={"why": ""},
    tells_next=True,
    explains=True,
)

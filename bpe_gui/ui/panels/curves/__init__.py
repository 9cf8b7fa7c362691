"""Curves over the merges of a run."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

CURVES = PanelSpec(
    name="curves",
    title="Curves",
    load=loader("bpe_gui.ui.panels.curves.panel", "CurvesPanel"),
    area=(0, 1),
    refresh=RefreshInterval(0.1, 0.1),
    keywords="graph plot chart zipf length compression",
    choices=("curveTabs",),
    tells_next=True,
)

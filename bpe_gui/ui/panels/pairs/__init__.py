"""The most frequent pairs as bars."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

PAIRS = PanelSpec(
    name="pairs",
    title="Pair frequencies",
    load=loader("bpe_gui.ui.panels.pairs.panel", "PairChart"),
    area=(1, 0),
    refresh=RefreshInterval(0.05, 0.05),
    keywords="chart bars counts histogram bigrams candidates",
    dock="pairDock",
    tour_places={"pairs": ""},
    tables={"The most frequent pairs": lambda panel: panel.lines()},
    tells_next=True,
    explains=True,
)

"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> PairChart:
    return PairChart(parts.parent)


PAIRS = PanelSpec(
    name="pairs",
    title="Pair frequencies",
    make=_make,
    area=(0, 0),
    refresh=RefreshInterval(0.05, 0.05),
    help_page="pairs",
    keywords="chart bars counts histogram bigrams candidates",
    dock="pairDock",
    tour_places={"pairs": ""},
    tables={"The most frequent pairs": PairChart.lines},
    tells_next=True,
)

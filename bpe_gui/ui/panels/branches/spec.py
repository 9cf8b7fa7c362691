"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.branches.panel import BranchesPanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> BranchesPanel:
    panel, queries = BranchesPanel(parts.parent), parts.queries
    panel.comparisonWanted.connect(queries.compare)
    queries.compared.connect(panel.set_comparison)
    return panel


BRANCHES = PanelSpec(
    name="branches",
    title="What if",
    make=_make,
    # There both the chart, where branches are made, and the token clicked stay in view.
    area=(2, 0),
    refresh=RefreshInterval(0.5, 0.5),
    help_page="what-if",
    keywords="branch experiment alternatives",
    dock="branchesDock",
    tour_places={"what if": ""},
    choices=("comparedBranch",),
    tables={
        "The branches": BranchesPanel.lines,
        "The tokens of the branches": BranchesPanel.token_lines,
    },
    tells_next=True,
    follows=False,
)

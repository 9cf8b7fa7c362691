"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.token.panel import TokenTree
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> TokenTree:
    panel, queries = TokenTree(parts.parent), parts.queries
    panel.scaffoldingWanted.connect(queries.find_scaffolding)
    queries.scaffoldingFound.connect(panel.set_scaffolding)
    return panel


def _emptiness(panel: TokenTree) -> str:
    return "no token is selected, and none has been made yet" if panel.is_empty else ""


TOKEN = PanelSpec(
    name="tree",
    title="The selected token",
    make=_make,
    area=(2, 1),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="token",
    keywords="tree parents children node",
    dock="treeDock",
    tour_places={"tree": ""},
    choices=("treeCanvas",),
    emptiness=_emptiness,
    tells_next=True,
)

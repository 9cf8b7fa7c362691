"""A token, the tree of its merges, and what is made of it."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

_EMPTY = "no token is selected, and none has been made yet"


TOKEN = PanelSpec(
    name="tree",
    title="The selected token",
    load=loader("bpe_gui.ui.panels.token.panel", "TokenPanel"),
    area=(0, 1),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="token",
    keywords="tree parents children node life count residue scaffolding left",
    tour_places={"tree": ""},
    choices=("treeCanvas", "tokenTabs"),
    emptiness=lambda panel: _EMPTY if panel.is_empty else "",
    tells_next=True,
)

"""Where in the corpus a token or a pair occurs, with the text around it."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

CONCORDANCE = PanelSpec(
    name="concordance",
    title="Concordance",
    load=loader("bpe_gui.ui.panels.concordance.panel", "ConcordancePanel"),
    area=(1, 2),
    refresh=RefreshInterval(0.5, 0.5),
    keywords="where occurs context kwic keyword corpus places occurrences token pair",
    tells_next=True,
    follows=False,
    emptiness=lambda panel: panel.emptiness,
)

"""How a word is tokenized, merge by merge."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

DERIVATION = PanelSpec(
    name="derivation",
    title="How a word is tokenized",
    load=loader("bpe_gui.ui.panels.derivation.panel", "DerivationPanel"),
    area=(0, 1),
    refresh=RefreshInterval(0.2, 0.2),
    keywords="merges segmentation steps explain derivation",
    tour_places={"cutting": ""},
    emptiness=lambda panel: "" if panel.word else "no word is chosen",
    tables={"The merges of the word": lambda panel: panel.model.lines()},
    tells_next=True,
)

"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.derivation.panel import DerivationPanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> DerivationPanel:
    return DerivationPanel(parts.parent)


def _emptiness(panel: DerivationPanel) -> str:
    return "" if panel.word() else "no word is chosen"


DERIVATION = PanelSpec(
    name="derivation",
    title="How a word is tokenized",
    make=_make,
    area=(1, 1),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="derivation",
    keywords="merges segmentation steps explain derivation",
    dock="derivationDock",
    tour_places={"cutting": ""},
    emptiness=_emptiness,
    tables={"The merges of the word": lambda panel: panel.model.lines()},
    tells_next=True,
)

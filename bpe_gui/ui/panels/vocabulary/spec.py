"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.vocabulary.panel import Vocabulary
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> Vocabulary:
    return Vocabulary(parts.parent)


VOCABULARY = PanelSpec(
    name="vocabulary",
    title="Vocabulary",
    make=_make,
    area=(2, 0),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="vocabulary",
    keywords="tokens list ids table",
    dock="vocabularyDock",
    tour_places={"vocabulary": ""},
    choices=("vocabularySearch", "vocabularyTable", "followNewest"),
    tables={"The vocabulary": lambda panel: panel.model.lines()},
)

"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.text.panel import TextPanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> TextPanel:
    return TextPanel(parts.sample_text, parts.parent)


def _emptiness(panel: TextPanel) -> str:
    return "" if panel.sample.text else "there is no text"


TEXT = PanelSpec(
    name="text",
    title="Text",
    make=_make,
    area=(1, 0),
    refresh=RefreshInterval(0.05, 0.05),
    help_page="text",
    keywords="sample type tokenize encode colours ids input",
    dock="textDock",
    tour_places={
        "text": "", "typed text": "sampleText", "tokens": "tokenView", "ids": "tokenIds"
    },
    choices=("textSplitter", "sampleText", "tokenView", "tokenIds", "textZoom"),
    emptiness=_emptiness,
)

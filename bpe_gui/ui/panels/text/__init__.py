"""A text as coloured tokens, and as one types it."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

TEXT = PanelSpec(
    name="text",
    title="Your text",
    load=loader("bpe_gui.ui.panels.text.panel", "TextPanel"),
    area=(0, 0),
    refresh=RefreshInterval(0.05, 0.05),
    keywords="sample type tokenize encode colours ids input",
    tour_places={"text": "", "typed text": "sampleText", "tokens": "tokenView", "ids": "idsButton"},
    choices=("textSplitter", "sampleText", "tokenView", "idsButton", "tokenIds", "textZoom"),
    emptiness=lambda panel: "" if panel.sample.text else "there is no text",
)

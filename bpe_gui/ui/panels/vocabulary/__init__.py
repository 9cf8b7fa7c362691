"""The table of all tokens."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

VOCABULARY = PanelSpec(
    name="vocabulary",
    title="Vocabulary",
    load=loader("bpe_gui.ui.panels.vocabulary.panel", "VocabularyPanel"),
    area=(1, 2),
    refresh=RefreshInterval(0.2, 0.2),
    keywords="tokens list ids table frequency count filter residue",
    choices=("vocabularySearch", "vocabularyTable", "followNewest", "vocabularyFilter"),
    tables={"The vocabulary": lambda panel: panel.model.lines()},
)

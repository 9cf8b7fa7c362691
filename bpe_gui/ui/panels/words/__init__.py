"""The words of the corpus as they are tokenized."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

WORDS = PanelSpec(
    name="words",
    title="Words",
    load=loader("bpe_gui.ui.panels.words.panel", "WordsPanel"),
    area=(0, 1),
    refresh=RefreshInterval(2.0, 2.0),
    keywords="counts segmentation frequencies corpus",
    choices=("wordsSearch", "wordsOrder"),
    tables={"The words": lambda panel: panel.model.lines()},
)

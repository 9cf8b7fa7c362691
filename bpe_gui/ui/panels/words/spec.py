"""What is known of the panel before its modules are loaded."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import MakePanel, PanelSpec, RefreshInterval


def _load() -> MakePanel:
    from bpe_gui.ui.panels.words.panel import WordsPanel

    return WordsPanel


WORDS = PanelSpec(
    name="words",
    explains=True,
    title="Words",
    load=_load,
    area=(0, 1),
    refresh=RefreshInterval(2.0, 2.0),
    keywords="counts segmentation frequencies corpus",
    choices=("wordsSearch", "wordsOrder"),
    tables={"The words": lambda panel: panel.model.lines()},
)

"""The panel's entry in the registry: how it is made, where it stands, what it is called."""

from __future__ import annotations

from bpe_gui.ui.panels.words.panel import WordsPanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval


def _make(parts: PanelParts) -> WordsPanel:
    panel, queries = WordsPanel(parts.parent), parts.queries
    panel.wordsWanted.connect(queries.cut_words)
    queries.wordsCut.connect(panel.set_words)
    queries.failed.connect(panel.set_problem)
    return panel


WORDS = PanelSpec(
    name="words",
    title="Words",
    make=_make,
    area=(1, 1),
    refresh=RefreshInterval(2.0, 2.0),
    help_page="words",
    keywords="counts segmentation frequencies corpus",
    dock="wordsDock",
    tour_places={"words": ""},
    choices=("wordsSearch", "wordsOrder"),
    tables={"The words": lambda panel: panel.model.lines()},
)

"""What panels are made with that are in no window."""

from __future__ import annotations

from bpe_gui.ui.run.corpus_queries import CorpusQueries, TokenFrequencies
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.workspaces.panel_spec import PanelParts


def parts(
    queries: CorpusQueries | None = None,
    sample: SampleText | None = None,
    motion: MergeMotion | None = None,
) -> PanelParts:
    """Make the parts of a panel of its own; without `queries` nothing is answered."""
    queries = queries or CorpusQueries()
    frequencies = TokenFrequencies(queries)
    return PanelParts(
        None, sample or SampleText(), queries, frequencies, motion or MergeMotion(None)
    )

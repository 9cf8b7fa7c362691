"""The panels of Explore, and the bars. A new panel is its folder in `panels` and a line here.

Docks, the stage, exports, tours, the help and `bpe-gui render` know panels from here. Only the
list in `bpe-gui render --help`, which needs no Qt, is written by hand: `render_arguments.PANELS`.
"""

from __future__ import annotations

from bpe_gui.ui.panels.branches.spec import BRANCHES
from bpe_gui.ui.panels.concordance.spec import CONCORDANCE
from bpe_gui.ui.panels.curves.spec import CURVES
from bpe_gui.ui.panels.derivation.spec import DERIVATION
from bpe_gui.ui.panels.pairs.spec import PAIRS
from bpe_gui.ui.panels.space_time.spec import SPACE_TIME
from bpe_gui.ui.panels.text.spec import TEXT
from bpe_gui.ui.panels.token.spec import TOKEN
from bpe_gui.ui.panels.vocabulary.spec import VOCABULARY
from bpe_gui.ui.panels.why.spec import WHY
from bpe_gui.ui.panels.words.spec import WORDS
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec

PANELS: tuple[PanelSpec, ...] = (
    PAIRS,
    WHY,
    TEXT,
    WORDS,
    TOKEN,
    SPACE_TIME,
    CURVES,
    DERIVATION,
    VOCABULARY,
    CONCORDANCE,
    BRANCHES,
)
"""In the order in which menus list them."""


BARS: tuple[PartSpec, ...] = (
    PartSpec(
        "corpus", "Corpus and recipe", None, "trainingBar",
        help_page="corpus", keywords="vocabulary size number merges preset settings",
        tour_places={
            "corpus": "corpusBox", "recipe": "presetBox", "vocabulary size": "vocabSizeBox",
            "train": "trainButton",
        },
        exported=False,
    ),
    PartSpec(
        "player", "Player and timeline", None, "playerBar",
        help_page="player", keywords="speed position scrub slider history",
        tour_places={"timeline": "timeline"}, exported=False,
    ),
)  # fmt: skip
"""The bars that every workspace has."""

"""The panels of Explore, and the bars. A new panel is its folder in `panels`, which declares it in
its `__init__`, and a line here.

Docks, the stage, exports, tours, the help and `bpe-gui render` know panels from here. Only the
list in `bpe-gui render --help`, which needs no Qt, is written by hand: `render_arguments.PANELS`.
"""

from __future__ import annotations

from bpe_gui.ui.panels.branches import BRANCHES
from bpe_gui.ui.panels.concordance import CONCORDANCE
from bpe_gui.ui.panels.curves import CURVES
from bpe_gui.ui.panels.derivation import DERIVATION
from bpe_gui.ui.panels.pairs import PAIRS
from bpe_gui.ui.panels.space_time import SPACE_TIME
from bpe_gui.ui.panels.text import TEXT
from bpe_gui.ui.panels.token import TOKEN
from bpe_gui.ui.panels.vocabulary import VOCABULARY
from bpe_gui.ui.panels.why import WHY
from bpe_gui.ui.panels.words import WORDS
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

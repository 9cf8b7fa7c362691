"""The panels of Explore. A new one is its folder in `panels` and a line here.

Docks, the stage, exports, tours, the help and `bpe-gui render` know panels from here.
"""

from __future__ import annotations

from bpe_gui.ui.panels.branches.panel import BRANCHES
from bpe_gui.ui.panels.curves.panel import CURVES
from bpe_gui.ui.panels.derivation.panel import DERIVATION
from bpe_gui.ui.panels.pairs.panel import PAIRS
from bpe_gui.ui.panels.text.panel import TEXT
from bpe_gui.ui.panels.token.panel import TOKEN
from bpe_gui.ui.panels.vocabulary.panel import VOCABULARY
from bpe_gui.ui.panels.why.panel import WHY
from bpe_gui.ui.panels.words.panel import WORDS
from bpe_gui.ui.workspaces.panel_spec import PanelSpec

PANELS: tuple[PanelSpec, ...] = (
    PAIRS,
    WHY,
    TEXT,
    WORDS,
    CURVES,
    DERIVATION,
    VOCABULARY,
    BRANCHES,
    TOKEN,
)
"""In the order in which menus list them."""


def named(name: str) -> PanelSpec | None:
    """The panel of that name; None if it is none of Explore."""
    return next((spec for spec in PANELS if spec.name == name), None)


def of_place(place: str) -> PanelSpec | None:
    """The panel of what a tour points to; None for places that are in no panel of Explore.

    >>> of_place("ids").dock
    'textDock'
    """
    return next((spec for spec in PANELS if place in spec.tour_places), None)

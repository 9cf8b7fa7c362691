"""The branches of a run, and what each merge would have been without another."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

BRANCHES = PanelSpec(
    name="branches",
    title="What if",
    load=loader("bpe_gui.ui.panels.branches.panel", "BranchesPanel"),
    # There both the chart, where branches are made, and the token clicked stay in view.
    area=(1, 2),
    refresh=RefreshInterval(0.5, 0.5),
    help_page="what-if",
    keywords="branch experiment alternatives",
    choices=("comparedBranch",),
    tables={
        "The branches": lambda panel: panel.lines(),
        "The tokens of the branches": lambda panel: panel.token_lines(),
    },
    tells_next=True,
    follows=False,
    emptiness=lambda panel: panel.emptiness,
)

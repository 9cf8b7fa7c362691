"""The text across and the run downwards: which merge removed each boundary."""

from __future__ import annotations

from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval, loader

SPACE_TIME = PanelSpec(
    name="spacetime",
    title="Space and time",
    load=loader("bpe_gui.ui.panels.space_time.panel", "SpaceTimePanel"),
    area=(0, 1),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="space-time",
    keywords="boundary boundaries lines still picture sentence eight strips history",
    dock="spaceTimeDock",
    choices=("spaceTimeView",),
    emptiness=lambda panel: "" if panel.has_text else "there is no text",
    tells_next=True,
)

"""Puts a tour together with the parts of the window that it drives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from bpe_gui.ui.session.snapshot import apply_look, apply_selection, layout_of
from bpe_gui.ui.tour.scene_setting import SceneSetting
from bpe_gui.ui.tour.targets import Targets
from bpe_gui.ui.tour.touring import Touring
from bpe_gui.ui.tour.window_snapshot import WindowSnapshot

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow


def make_touring(window: MainWindow) -> Touring:
    """The guided tours of a window whose other parts are there."""
    setting = SceneSetting(
        window.training, window.run_control, window.player, window.controls,
        window.sample_text, window.compare, window.explore.clock, window,
    )
    targets = Targets(
        window.explore, window.compare, window.laboratory, window.player_bar, window.controls,
        window.actions_,
    )
    former = WindowSnapshot(
        window, window.run_control, window.player, window.controls, window.sample_text,
        window.compare, window.workspaces, window.explore.clock, partial(_capture, window),
        partial(_restore, window),
    )

    return Touring(
        window, window.player, window.branches, window.explore, window.compare_controller,
        window.message_bar, window.actions_,
        setting=setting, targets=targets, former=former, workspaces=window.workspaces,
    )


_KEPT = ("theme", "palette", "draft")
"""What a tour leaves as it is, and so does its end: the user may have changed it meanwhile."""


def _capture(window: MainWindow) -> dict[str, Any]:
    """What is looked at in a window, as its session has it."""
    layout = {name: value for name, value in layout_of(window.context).items() if name not in _KEPT}
    return {**layout, "lockstep": window.laboratory_controller.runs.shown}


def _restore(window: MainWindow, layout: Mapping[str, Any]) -> None:
    """Have a window look as it was captured; the run is there."""
    apply_look(window.context, layout)
    if (lockstep := layout.get("lockstep")) and lockstep != window.laboratory_controller.runs.shown:
        window.laboratory_controller.bring_back_lockstep(lockstep)
    apply_selection(window.context, layout)

"""Puts a tour together with the parts of the window that it drives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDockWidget

from bpe_gui.ui.tour.scene_lanes import SceneLanes
from bpe_gui.ui.tour.scene_setting import SceneSetting
from bpe_gui.ui.tour.targets import Targets
from bpe_gui.ui.tour.tour_layout import TourLayout
from bpe_gui.ui.tour.touring import Touring
from bpe_gui.ui.tour.window_snapshot import WindowSnapshot

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow


def make_touring(window: MainWindow) -> Touring:
    """The guided tours of a window whose other parts are there."""
    lanes = SceneLanes(
        window.compare, window.controls, window.player, window.explore, window.sample_text,
        window,
    )
    setting = SceneSetting(
        window.training, window.run_control, window.branches, window.player, window.controls,
        window.sample_text, lanes, window,
    )
    targets = Targets(
        window.explore, window.compare, window.laboratory, window.player_bar, window.controls,
        window.actions_,
    )
    former = WindowSnapshot(
        window, window.run_control, window.branches, window.player, window.controls,
        window.sample_text, window.compare, window.explore, window.workspaces,
        window.view_state, window.actions_,
    )

    def room(dock: QDockWidget) -> TourLayout:
        docks = window.explore.docks
        return TourLayout(window, dock, docks, window.workspaces)

    return Touring(
        window, window.player, window.branches, window.explore, window.compare_controller,
        window.message_bar, window.actions_,
        setting=setting, lanes=lanes, targets=targets, former=former,
        room=room,
    )

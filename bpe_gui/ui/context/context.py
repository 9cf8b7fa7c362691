"""The parts of a window, for what concerns many of them: sessions, exports, tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QMainWindow

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare.controller import CompareController
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.run_control import RunControl
from bpe_gui.ui.run.run_status import RunStatus
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.training import Training
from bpe_gui.ui.settings.view_state import ViewState
from bpe_gui.ui.theme.choices import ColouringChoice, PaletteChoice, ThemeChoice
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.workspaces.late_view import LateView
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.compare.view import CompareView


@dataclass(frozen=True, eq=False)
class Context:
    """The parts of a window; a part that needs but two or three of these is given just them.

    window: parent of dialogs, and what is shown and painted as a whole.
    """

    window: QMainWindow
    actions: Actions
    message_bar: MessageBar
    status: RunStatus
    training: Training
    player: Player
    timeline: Timeline
    sample_text: SampleText
    controls: Controls
    branches: Branches
    run_control: RunControl
    workspaces: Workspaces
    explore: ExploreView
    compare_controller: CompareController
    laboratory: Laboratory
    theme_choice: ThemeChoice
    palette_choice: PaletteChoice
    colouring_choice: ColouringChoice
    view_state: ViewState

    @property
    def late_views(self) -> dict[WorkspaceId, LateView[Any]]:
        """Compare and the laboratory."""
        return {
            WorkspaceId.COMPARE: self.compare_controller, WorkspaceId.LABORATORY: self.laboratory,
        }  # fmt: skip

    @property
    def compare(self) -> CompareView:
        """The compare view, made for whoever first needs it."""
        return self.compare_controller.view

"""Connect the compare view with the rest of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.run.branches import ORIGINAL, Branches, BranchesSnapshot
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.past_runs import PastRuns
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.workspaces.late_view import LateView
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.compare.view import CompareView


class CompareController(LateView["CompareView"]):
    """Gives the compare view the run in view, and as lanes the runs that make way."""

    def __init__(
        self,
        actions: Actions,
        player: Player,
        sample_text: SampleText,
        controls: Controls,
        messages: MessageBar,
        parent: QWidget,
    ) -> None:
        super().__init__(WorkspaceId.COMPARE, parent)
        self._actions = actions
        self._player = player
        self._sample_text = sample_text
        self._controls = controls
        self._messages = messages
        actions.add_encoding.triggered.connect(self._show_add_menu)
        actions.measure.triggered.connect(self._ask_what_to_measure)
        actions.measure_folder.triggered.connect(self._ask_which_folder_to_measure)
        actions.save_report.triggered.connect(self._save_report)
        for action in (actions.lanes_alone, actions.numbers_alone):
            action.toggled.connect(self._have_view)
        actions.try_again.setEnabled(False)

    def join(
        self,
        workspaces: Workspaces,
        branches: Branches,
        past: PastRuns,
        select_token: Callable[[int], None],
    ) -> None:
        """Connect with the window; `select_token` shows a token of the run in view everywhere."""
        self._branches = branches
        self._select_token = select_token
        self.follow(workspaces)
        self._player.loaded.connect(self._on_moved)
        self._player.moved.connect(self._on_moved)
        past.kept.connect(self._keep)

    def make_view(self) -> CompareView:
        """Make the view, with the run in view."""
        # Its many modules are loaded when they are needed, not with the window.
        from bpe_gui.ui.compare.view import CompareView

        view = CompareView(
            self._actions, self._sample_text, self._controls, self._messages, self
        )
        view.add_menu.offer_branches(self._branches)
        view.add_menu.here.triggered.connect(self._add_here)
        view.wanted.connect(self._workspaces.compare)
        view.tokenSelected.connect(self._select_token)
        view.differences.card.positionSelected.connect(self._player.scrub)
        # The frame scheduler tells only what is new.
        view.set_history(self._player.history)
        view.comparison.set_position(self._player.position)
        view.comparison.lanesChanged.connect(self._on_lanes)
        return view

    @Slot(int)
    def show_token_page(self, token: int) -> None:
        """Open the page of a token of the run in view at the cursor."""
        from bpe_gui.encodings.ours import TrainedEncoding

        history = self._player.history
        if history is not None:
            encoding = TrainedEncoding(history, self._player.position, name="the run at the cursor")
            self.view.show_token_page(encoding, token)

    @Slot()
    def _on_lanes(self) -> None:
        comparison = self.view.comparison
        needed = comparison.follows_run or not comparison.lanes
        self._workspaces.show_bars(WorkspaceId.COMPARE, needed)

    @Slot()
    def _have_view(self) -> None:
        """Have the view made: it follows the actions from then on."""
        self.view  # noqa: B018

    @Slot()
    def _show_add_menu(self) -> None:
        self.view.show_add_menu()

    @Slot()
    def _save_report(self) -> None:
        self.view.save_report()

    @Slot()
    def _ask_what_to_measure(self) -> None:
        self.view.ask_what_to_measure()

    @Slot()
    def _ask_which_folder_to_measure(self) -> None:
        self.view.ask_which_folder_to_measure()

    # -- a panel of the frame scheduler --------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        if self._view is not None:
            self._view.set_history(history)

    def show_position(self, position: int, moving: bool) -> None:
        """Go to the cursor."""
        if self._view is not None:
            self._view.show_position(position, moving)

    def select_token(self, token: int) -> None:
        """Do nothing: the lanes do not mark the selected token."""

    # -- following the window ------------------------------------------------------------------

    @Slot()
    def _add_here(self) -> None:
        """Add the run at the cursor, which the view may not have drawn yet."""
        self.view.set_history(self._player.history)
        self.view.comparison.at_positions([self._player.position])

    @Slot()
    def _on_moved(self) -> None:
        """Follow the cursor out of sight, too: the numbers may be exported."""
        if self._view is not None and not self._workspaces.in_sight(WorkspaceId.COMPARE):
            self._view.set_history(self._player.history)
            self._view.comparison.set_position(self._player.position)

    @Slot(object)
    def _keep(self, run: BranchesSnapshot) -> None:
        """Compare what has made way, too."""
        from bpe_gui.encodings.ours import TrainedEncoding

        comparison, corpus = self.view.comparison, run.corpus
        for branch in run.all:
            history = branch.history
            if corpus is None or not len(history) or comparison.holds(history):
                continue
            name = f"{history.recipe.name} recipe on {corpus.name}"
            if branch.name != ORIGINAL:
                name = f"{name}, {branch.name}"
            name = comparison.add(TrainedEncoding(history, name=name)).name
            merges = counted(len(history), "merge")
            self._messages.show_success(
                f"The last run, with its {merges}, is kept under Runs, and in Compare as “{name}”."
            )

    def take_dropped(self, paths: Sequence[str]) -> list[str]:
        """Add encodings as lanes; if Compare is in view, also compare on texts.

        Returns the texts to train on.
        """
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.load import encodings_among

        encodings, texts = encodings_among(paths)
        if encodings:
            self._workspaces.compare()
        for path in encodings:
            self.view.add_menu.add_path(path)
        if texts and self._workspaces.shown is WorkspaceId.COMPARE:
            self.view.take_texts(texts)
            return []
        return texts

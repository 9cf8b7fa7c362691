"""Connect the compare view with the rest of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.progress import counted
from bpe_gui.ui.run.branches import ORIGINAL, BranchesSnapshot
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.past_runs import PastRuns
from bpe_gui.ui.widgets.message_bar import RUN
from bpe_gui.ui.workspaces.late_view import LateView
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.compare.view import CompareView


class CompareController(LateView["CompareView"]):
    """Gives the compare view the run in view, and as lanes the runs that make way."""

    saveWanted = Signal(object)
    """The TrainedEncoding of a lane that is to be saved."""
    exploreWanted = Signal(object)
    """The Encoding of a lane that is to be shown in Explore."""

    def __init__(self, run: RunContext, parent: QWidget) -> None:
        super().__init__(WorkspaceId.COMPARE, run, parent)
        actions = run.actions
        for signal, do in (
            (actions.add_encoding.triggered, lambda: self.view.show_add_menu()),
            (actions.measure.triggered, lambda: self.view.ask_what_to_measure()),
            (actions.measure_folder.triggered, lambda: self.view.ask_which_folder_to_measure()),
            (actions.save_report.triggered, lambda: self.view.save_report()),
            # The view follows them from when it is made.
            (actions.lanes_alone.toggled, lambda: self.view),
            (actions.numbers_alone.toggled, lambda: self.view),
        ):
            signal.connect(partial(self._begin, do))
        actions.try_again.setEnabled(False)

    def _begin(self, do: Callable[[], object], *_: object) -> None:
        self._run.when_loaded(do)

    def join(
        self, workspaces: Workspaces, past: PastRuns, select_token: Callable[[int], None]
    ) -> None:
        """Connect with the window; `select_token` shows a token of the run in view everywhere."""
        self._select_token = select_token
        self.follow(workspaces)
        self._run.player.loaded.connect(self._on_moved)
        self._run.player.moved.connect(self._on_moved)
        self._past = past
        past.set_marking(self._is_marked)
        past.kept.connect(self._keep)
        past.removed.connect(self._release)

    def make_view(self) -> CompareView:
        # Its many modules are loaded when they are needed, not with the window.
        from bpe_gui.ui.compare.view import CompareView

        view, player = CompareView(self._run, self), self._run.player
        view.add_menu.here.triggered.connect(self._add_here)
        view.wanted.connect(self._workspaces.compare)
        view.saveWanted.connect(self.saveWanted)
        view.exploreWanted.connect(self.exploreWanted)
        view.tokenSelected.connect(self._select_token)
        view.differences.card.positionSelected.connect(player.scrub)
        # The frame scheduler tells only what is new.
        view.set_history(player.history)
        view.comparison.set_position(player.position)
        view.comparison.lanesChanged.connect(self._on_lanes)
        return view

    @Slot(int)
    def show_token_page(self, token: int) -> None:
        """Open the page of a token of the run in view at the cursor."""
        from bpe_gui.encodings.ours import TrainedEncoding

        player = self._run.player
        if player.history is not None:
            name = "the run at the cursor"
            encoding = TrainedEncoding(player.history, player.position, name=name)
            self.view.show_token_page(encoding, token)

    @Slot()
    def _on_lanes(self) -> None:
        comparison = self.view.comparison
        needed = comparison.follows_run or not comparison.lanes
        self._workspaces.show_bars(WorkspaceId.COMPARE, needed)

    @Slot()
    def _add_here(self) -> None:
        """Add the run at the cursor, which the view may not have drawn yet."""
        self.view.set_history(self._run.player.history)
        self.view.comparison.at_positions([self._run.player.position])

    @Slot()
    def _on_moved(self) -> None:
        """Follow the cursor out of sight, too: the numbers may be exported."""
        if self._view is not None and not self._workspaces.in_sight(WorkspaceId.COMPARE):
            self._view.set_history(self._run.player.history)
            self._view.comparison.set_position(self._run.player.position)

    def _is_marked(self, run: BranchesSnapshot) -> bool:
        """Tell whether the user has marked a lane that a run has got by itself."""
        if self._view is None:
            return False
        comparison = self._view.comparison
        lanes = [lane for branch in run.all for lane in comparison.of_run(branch.history)]
        return any(comparison.is_marked(lane) for lane in lanes)

    @Slot()
    def _release(self) -> None:
        """Remove the lanes of runs that are gone."""
        if self._view is not None:
            kept = (branch for _, run in self._past.named for branch in run.all)
            branches = (*self._run.branches.all, *kept)
            self._view.comparison.release(branch.history for branch in branches)

    @Slot(object, list)
    def _keep(self, run: BranchesSnapshot, gone: list[str]) -> None:
        """Compare what has made way, too, and no longer what has made room for it."""
        from bpe_gui.encodings.ours import TrainedEncoding
        from bpe_gui.ui.compare.comparison import Lane

        self._release()
        comparison, corpus = self.view.comparison, run.corpus
        room = "".join(f" “{title}”, the oldest there, is not kept any longer." for title in gone)
        for branch in run.all:
            history = branch.history
            if corpus is None or not len(history) or comparison.of_run(history):
                continue
            name = f"{history.recipe.name} recipe on {corpus.name}"
            if branch.name != ORIGINAL:
                name = f"{name}, {branch.name}"
            lane = Lane(name, TrainedEncoding(history), goes=True)
            name = comparison.append(lane).name
            merges = counted(len(history), "merge")
            self._run.message_bar.tell_success(
                RUN,
                f"The last run, with its {merges}, is kept under Runs, and in Compare as “{name}”."
                + room,
            )

    def add_encodings(self, specs: Sequence[str]) -> None:
        """Add encodings as lanes, and show them; a split may follow the name of a rank file."""
        self._workspaces.compare()
        for spec in specs:
            self.view.add_menu.add_path(spec)

    def take_dropped(self, paths: Sequence[str]) -> list[str]:
        """Add encodings as lanes; if Compare is in view, also compare on texts.

        Returns the texts to train on.
        """
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.load import encodings_among

        encodings, texts = encodings_among(paths)
        if encodings:
            self.add_encodings(encodings)
        if texts and self._workspaces.shown is WorkspaceId.COMPARE:
            self.view.take_texts(texts)
            return []
        return texts

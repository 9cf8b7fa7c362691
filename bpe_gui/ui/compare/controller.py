"""Connects the compare view with the rest of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.run.branches import ORIGINAL, Branches, BranchesSnapshot
from bpe_gui.ui.run.past_runs import PastRuns
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces


class CompareController(QObject):
    """Gives the compare view the runs, those that make way as lanes, and takes dropped files."""

    def __init__(
        self,
        view: CompareView,
        workspaces: Workspaces,
        player: Player,
        branches: Branches,
        past: PastRuns,
        messages: MessageBar,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._workspaces = workspaces
        self._player = player
        self._messages = messages
        view.add_menu.offer_branches(branches)
        view.add_menu.here.triggered.connect(self._add_here)
        view.wanted.connect(workspaces.compare)
        workspaces.changed.connect(self._follow)
        player.loaded.connect(self._on_moved)
        player.moved.connect(self._on_moved)
        past.kept.connect(self._keep)

    @Slot()
    def _add_here(self) -> None:
        """Add the run at the cursor, which the view may not have drawn yet."""
        self._view.set_history(self._player.history)
        self._view.comparison.at_positions([self._player.position])

    @Slot()
    def _follow(self) -> None:
        """Tell the view whether it is in sight."""
        self._view.set_active(self._workspaces.in_sight(WorkspaceId.COMPARE))

    @Slot()
    def _on_moved(self) -> None:
        """Follow the cursor out of sight, too: the numbers may be exported."""
        if not self._workspaces.in_sight(WorkspaceId.COMPARE):
            self._view.set_history(self._player.history)
            self._view.comparison.set_position(self._player.position)

    @property
    def text(self) -> str:
        """The compared text."""
        return self._view.comparison.text

    @Slot(object)
    def _keep(self, run: BranchesSnapshot) -> None:
        """Compare what has made way, too."""
        comparison = self._view.comparison
        corpus = run.corpus
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
                f"The run before is kept with its {merges}: “Runs” shows it again, and it is a "
                f"lane in Compare, “{name}”, whose menu can save it."
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
            self._view.add_menu.add_path(path)
        if texts and self._workspaces.shown is WorkspaceId.COMPARE:
            self._view.take_texts(texts)
            return []
        return texts

"""The compare view within the window: its runs, its text, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.branches import Branch
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.run.branches import ORIGINAL, Branches
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces


class CompareController(QObject):
    """Passes on between the compare view and the rest of the window."""

    kept = Signal(str)
    """A run that has made way for another stands among the lanes now; a sentence that says so."""

    def __init__(
        self,
        view: CompareView,
        workspaces: Workspaces,
        player: Player,
        branches: Branches,
        controls: Controls,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._workspaces = workspaces
        self._player = player
        self._branches = branches
        self._controls = controls
        self._keeps = True
        view.add_menu.offer_runs(self._runs)
        view.add_menu.here.triggered.connect(self._add_here)
        view.wanted.connect(workspaces.compare)
        workspaces.changed.connect(self._follow)
        player.loaded.connect(self._on_moved)
        player.moved.connect(self._on_moved)
        branches.madeWay.connect(self._keep)
        controls.changed.connect(self._read_as_chosen)

    def _runs(self) -> Sequence[tuple[str, History]]:
        return [(branch.name, branch.history) for branch in self._branches.all]

    @Slot()
    def _add_here(self) -> None:
        """Add the run where the cursor is, which the view may be about to draw only."""
        self._view.set_history(self._player.history)
        self._view.comparison.at_positions([self._player.position])

    @Slot()
    def _follow(self) -> None:
        """Have the text, and cut it, while somebody looks on."""
        self._view.set_active(self._workspaces.in_sight(WorkspaceId.COMPARE))

    @Slot()
    def _on_moved(self) -> None:
        """Follow the cursor where nobody looks on, too: the numbers are exported from anywhere."""
        if not self._workspaces.in_sight(WorkspaceId.COMPARE):
            self._view.set_history(self._player.history)
            self._view.comparison.set_position(self._player.position)

    @Slot()
    def _read_as_chosen(self) -> None:
        """Files are read in one way, be it to train on them or to compare."""
        self._view.source.options = self._controls.options

    @property
    def text(self) -> str:
        """The text that is compared."""
        return self._view.comparison.text

    def set_keeping(self, keeps: bool) -> None:
        """Whether runs that make way for others become lanes, as they do at first."""
        self._keeps = keeps

    @Slot(list, object)
    def _keep(self, branches: list[Branch], corpus: Corpus) -> None:
        """What was trained is not lost when another run begins: it becomes a lane."""
        comparison = self._view.comparison
        for branch in branches if self._keeps else ():
            history = branch.history
            if not len(history) or comparison.holds(history):
                continue
            name = f"{history.recipe.name} recipe on {corpus.name}"
            if branch.name != ORIGINAL:
                name = f"{name}, {branch.name}"
            name = comparison.add(TrainedEncoding(history, name=name)).name
            merges = counted(len(history), "merge")
            self.kept.emit(
                f"The run before is kept with its {merges} as a lane in Compare, “{name}”; its "
                "menu there can save it."
            )

    def take_dropped(self, paths: Sequence[str]) -> list[str]:
        """Compare encodings; where Compare is in view, compare on a text or measure several.

        Returns the texts that are to be trained on.
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

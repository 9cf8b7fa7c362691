"""The compare view within the window: its runs, its text, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.history import History
from bpe_gui.ui.branches import Branches
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.panels.text_panel import TextPanel
from bpe_gui.ui.workspaces import Place, Workspaces


class Comparing(QObject):
    """Passes on between the compare view and the rest of the window."""

    corpusDropped = Signal(list)
    """Paths that hold no encoding: texts to train on."""

    def __init__(
        self,
        view: CompareView,
        workspaces: Workspaces,
        branches: Branches,
        text_panel: TextPanel,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._workspaces = workspaces
        self._branches = branches
        self._text_panel = text_panel
        view.add_menu.offer_runs(self._runs)
        view.wanted.connect(workspaces.compare)
        workspaces.left.connect(self._on_left)
        workspaces.changed.connect(self._on_workspace)

    def _runs(self) -> Sequence[tuple[str, History]]:
        return [(branch.name, branch.history) for branch in self._branches.all]

    @Slot(int)
    def _on_left(self, place: int) -> None:
        """One's own text is the same in all workspaces."""
        own = self._view.source.own
        if place == Place.COMPARE and own != self._text_panel.text():
            self._text_panel.set_text(own)

    @Slot(int)
    def _on_workspace(self, place: int) -> None:
        comparing = place == Place.COMPARE
        if comparing:
            self._view.source.set_own(self._text_panel.text())
        self._view.set_active(comparing)

    @Slot(list)
    def take_dropped(self, paths: Sequence[str]) -> None:
        """Compare encodings; compare on a text, measure several, or train on them.

        Which of it is told by what the files hold, and by the workspace that is in view.
        """
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.opening import encodings_among

        encodings, texts = encodings_among(paths)
        if encodings:
            self._workspaces.compare()
        for path in encodings:
            self._view.add_menu.add_path(path)
        if not texts:
            return
        if self._workspaces.shown is not Place.COMPARE:
            self.corpusDropped.emit(texts)
        elif len(texts) == 1 and not Path(texts[0]).is_dir():
            self._view.source.show_file(Path(texts[0]))
        else:
            self._view.measure(texts)

"""The laboratory within the window: its text and its run."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.branches import Branches
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.panels.text_panel import TextPanel
from bpe_gui.ui.player import Player
from bpe_gui.ui.workspaces import Place, Workspaces


class Experimenting(QObject):
    """Passes on between the laboratory and the rest of the window."""

    def __init__(
        self,
        laboratory: Laboratory,
        workspaces: Workspaces,
        branches: Branches,
        player: Player,
        text_panel: TextPanel,
    ) -> None:
        super().__init__(laboratory)
        self._laboratory = laboratory
        self._branches = branches
        self._text_panel = text_panel
        workspaces.left.connect(self._on_left)
        workspaces.changed.connect(self._on_workspace)
        player.loaded.connect(self._on_loaded)

    @Slot()
    def _on_loaded(self) -> None:
        """Another run is in view."""
        shown, corpus = self._branches.shown, self._branches.corpus
        if shown is None or corpus is None:
            self._laboratory.set_run(None)
        else:
            self._laboratory.set_run(Run(corpus, shown.words, shown.history))

    @Slot(int)
    def _on_left(self, place: int) -> None:
        """One's own text is the same in all workspaces."""
        text = self._laboratory.text()
        if place == Place.LABORATORY and text != self._text_panel.text():
            self._text_panel.set_text(text)

    @Slot(int)
    def _on_workspace(self, place: int) -> None:
        active = place == Place.LABORATORY
        if active:
            self._laboratory.set_text(self._text_panel.text())
        self._laboratory.set_active(active)

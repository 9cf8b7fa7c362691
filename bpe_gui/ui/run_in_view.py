"""Tells the laboratory of the run in view, with what it was trained on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.branches import Branches
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.player import Player


class RunInView(QObject):
    """Passes on each run that the player shows."""

    def __init__(self, laboratory: Laboratory, branches: Branches, player: Player) -> None:
        super().__init__(laboratory)
        self._laboratory = laboratory
        self._branches = branches
        player.loaded.connect(self._on_loaded)

    @Slot()
    def _on_loaded(self) -> None:
        shown, corpus = self._branches.shown, self._branches.corpus
        if shown is None or corpus is None:
            self._laboratory.set_run(None)
        else:
            self._laboratory.set_run(Run(corpus, shown.words, shown.history))

"""Tells the laboratory of the run in view, with what it was trained on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.training import Phase, Training


class RunInView(QObject):
    """Passes on each run that the player shows, and which corpus is read for the next one."""

    def __init__(
        self, laboratory: Laboratory, branches: Branches, player: Player, training: Training
    ) -> None:
        super().__init__(laboratory)
        self._laboratory = laboratory
        self._branches = branches
        self._training = training
        player.loaded.connect(self._on_loaded)
        training.changed.connect(self._on_phase)

    @Slot()
    def _on_phase(self) -> None:
        corpus = self._training.corpus
        reads = self._training.phase in (Phase.WAITING, Phase.READING)
        self._laboratory.set_reading(corpus.name if reads and corpus is not None else "")

    @Slot()
    def _on_loaded(self) -> None:
        shown, corpus = self._branches.shown, self._branches.corpus
        if shown is None or corpus is None:
            self._laboratory.set_run(None)
        else:
            self._laboratory.set_run(Run(corpus, shown.words, shown.history))

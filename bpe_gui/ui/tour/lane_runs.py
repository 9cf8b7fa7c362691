"""Trains what a tour compares: presets that are not the run in view, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.run.training import Phase, Training


@dataclass(frozen=True)
class WantedRun:
    """A recipe to be trained to its end on a corpus."""

    corpus: Corpus
    recipe: Recipe


class LaneRuns(QObject):
    """Keeps what it has trained, so that a page that is seen again is there at once."""

    done = Signal()
    """All that was asked for last is there."""
    failed = Signal(str)
    """One of them cannot be trained; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[WantedRun, History] = {}
        self._waiting: list[WantedRun] = []
        self._training: Training | None = None

    def history(self, wanted: WantedRun) -> History | None:
        """The run that was asked for, None if it is not there yet."""
        return self._known.get(wanted)

    def ask(self, wanted: Sequence[WantedRun]) -> None:
        """Train what is not there yet; `done` or `failed` answers, maybe before this returns."""
        if self._training is not None:
            self._training.stop()
        self._waiting = [run for run in wanted if run not in self._known]
        self._go_on()

    def drop(self) -> None:
        """Want nothing any more, and forget what was trained."""
        self._waiting.clear()
        self._known.clear()
        if self._training is not None:
            self._training.stop()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self.drop()
        if self._training is not None:
            self._training.close()

    def _go_on(self) -> None:
        if not self._waiting:
            self.done.emit()
            return
        if self._training is None:
            # The thread begins with the first question: few tours ask one.
            self._training = Training(self)
            self._training.changed.connect(self._on_changed)
            self._training.failed.connect(self._on_failed)
        run = self._waiting[0]
        self._training.prepare(run.corpus, run.recipe, train=True)

    @Slot()
    def _on_changed(self) -> None:
        training = self._training
        if training is None or training.phase is not Phase.FINISHED or not self._waiting:
            return
        assert training.history is not None, "what has finished has a history"
        self._known[self._waiting.pop(0)] = training.history
        self._go_on()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._waiting.clear()
        self.failed.emit(sentence)

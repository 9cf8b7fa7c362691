"""Trains several recipes on one corpus at once, and compares what they learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.analysis.compare_runs import Lockstep, lockstep
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.training import Phase, Training

_COMPARE_EVERY_MILLISECONDS = 200
"""How often runs are compared while they grow."""


@dataclass(eq=False)
class Lane:
    """One recipe: the training that does it, or a history that was there already."""

    corpus: Corpus
    recipe: Recipe
    training: Training | None = None
    known: History | None = None

    @property
    def history(self) -> History | None:
        """What has been learned so far; None while the corpus is read."""
        return self.training.history if self.training is not None else self.known

    @property
    def busy(self) -> bool:
        """Whether it is being trained, or about to be."""
        return self.training is not None and self.training.busy

    @property
    def finished(self) -> bool:
        """Whether its recipe has stopped it."""
        history = self.history
        return history is not None and history.stopped is not None

    def does(self, corpus: Corpus, recipe: Recipe) -> bool:
        """Whether it trains, or has trained, this recipe on this corpus."""
        return self.corpus is corpus and self.recipe == recipe and (self.busy or self.finished)


class LockstepRuns(QObject):
    """Each recipe has a training thread of its own. All of it is for the GUI thread."""

    changed = Signal()
    """A run has begun, or ended, or has got on."""
    compared = Signal(object)
    """A Lockstep of all runs, as far as they have got."""
    failed = Signal(str)
    """A run has ended with an error; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lanes: list[Lane] = []
        self._spare: list[Training] = []
        self._corpus: Corpus | None = None
        self._watched = False
        self._stale = False
        self._comparing = BackgroundTask(
            "lockstep", self, failure="The recipes could not be compared"
        )
        self._comparing.rested.connect(self._on_rested)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_COMPARE_EVERY_MILLISECONDS)
        self._later.timeout.connect(self._compare)

    @property
    def busy(self) -> bool:
        """Whether any recipe is being trained."""
        return any(lane.busy for lane in self.lanes)

    @property
    def comparing(self) -> bool:
        """Whether `compared` is still to tell of what the runs are now."""
        return not self._comparing.at_rest or self._later.isActive()

    def watch(self) -> None:
        """Compare from now on: somebody looks."""
        self._watched = True
        self._compare()

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Another corpus is in view: what was trained on the one before is forgotten."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self.clear()

    def train(self, corpus: Corpus, recipes: Sequence[Recipe], in_view: History | None) -> None:
        """Train recipes at once; what is trained already, or just being trained, is kept.

        So is the run in view, if it is one of them and has come to its end.
        """
        before, self.lanes = self.lanes, []
        for recipe in recipes:
            lane = next((lane for lane in before if lane.does(corpus, recipe)), None)
            if lane is not None:
                before.remove(lane)
            elif in_view is not None and _is_done(in_view, recipe):
                lane = Lane(corpus, recipe, known=in_view)
            else:
                lane = Lane(corpus, recipe)
            self.lanes.append(lane)
        for lane in before:
            self._give_back(lane)
        for lane in self.lanes:
            if lane.training is None and lane.known is None:
                lane.training = self._training()
                lane.training.prepare(corpus, lane.recipe, train=True)
        self._compare()
        self.changed.emit()

    def adopt(self, corpus: Corpus, histories: Sequence[History]) -> None:
        """Compare runs that were trained on a corpus before; none of them grows."""
        self._drop_lanes()
        self.lanes = [Lane(corpus, known.recipe, known=known) for known in histories]
        self._compare()
        self.changed.emit()

    def cancel(self) -> None:
        """End the training; what has been learned stays."""
        for lane in self.lanes:
            if lane.training is not None:
                lane.training.cancel()

    def clear(self) -> None:
        """Forget what is being trained, and what was."""
        self._drop_lanes()
        self._later.stop()
        self.changed.emit()

    def close(self) -> None:
        """End all threads; returns when they have ended."""
        self._later.stop()
        self._drop_lanes()
        for training in self._spare:
            training.close()
        self._comparing.close()

    def _drop_lanes(self) -> None:
        for lane in self.lanes:
            self._give_back(lane)
        self.lanes = []

    def _training(self) -> Training:
        """A training that has nothing to do."""
        if self._spare:
            return self._spare.pop()
        training = Training(self)
        training.changed.connect(self._on_changed)
        training.progressed.connect(self._on_progressed)
        training.failed.connect(self.failed)
        return training

    def _give_back(self, lane: Lane) -> None:
        if lane.training is not None:
            lane.training.stop()
            self._spare.append(lane.training)

    # -- comparing -------------------------------------------------------------------------------

    @property
    def shown(self) -> tuple[History, ...]:
        """The runs that are compared; none as long as one of them has yet to begin."""
        found = tuple(lane.history for lane in self.lanes if lane.history is not None)
        return found if len(found) == len(self.lanes) else ()

    @Slot()
    def _compare(self) -> None:
        """Compare, unless that is under way: then again afterwards."""
        self._later.stop()
        wanted = self._watched and bool(self.shown)
        self._stale = wanted and not self._comparing.at_rest
        if wanted and not self._stale:
            work = partial(_compared, self.shown)
            self._comparing.ask(work, self._on_compared, self._on_failed)

    @Slot(object)
    def _on_compared(self, found: Lockstep) -> None:
        if tuple(found.histories) == self.shown:
            self.compared.emit(found)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.failed.emit(sentence)

    @Slot()
    def _on_rested(self) -> None:
        if self._stale:
            self._compare()

    @Slot()
    def _on_changed(self) -> None:
        # What ends is compared at once, whatever is under way.
        self._compare()
        self.changed.emit()

    @Slot()
    def _on_progressed(self) -> None:
        if not self._later.isActive():
            self._later.start()
        self.changed.emit()


def _compared(histories: tuple[History, ...], job: Job) -> Lockstep:
    return lockstep(histories)


def _is_done(history: History, recipe: Recipe) -> bool:
    """Whether a run is what training a recipe comes to."""
    done = history.stopped is not None and not history.interventions
    return done and history.recipe == recipe


def progress_of(lane: Lane) -> str:
    """How far a recipe is, in a few words."""
    name, training, history = lane.recipe.name, lane.training, lane.history
    if training is None or training.phase is Phase.FINISHED:
        return f"{name} is done"
    if training.phase is Phase.WAITING:
        return f"{name} waits for the training loops to be compiled"
    if history is None:
        return f"{name} is read" if training.busy else f"{name} has stopped"
    to_go = training.merges_to_go
    of = f" of {len(history) + to_go:,}" if to_go is not None else ""
    return f"{name} has {len(history):,}{of} merges"

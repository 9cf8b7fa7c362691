"""The training thread as the window sees it: one run at a time, and what it is doing."""

from __future__ import annotations

from enum import StrEnum
from time import monotonic

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History, Intervention
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.run.worker import Job, TrainingWorker


class Phase(StrEnum):
    """What the run is doing."""

    IDLE = "idle"
    """There is no run: nothing was begun, or it failed or was stopped."""
    WAITING = "waiting"
    """The kernels are still being compiled."""
    READING = "reading"
    """The corpus is read and its words counted."""
    PREPARED = "prepared"
    """The words are counted; no merge has been asked for."""
    TRAINING = "training"
    FINISHED = "finished"
    """The recipe has stopped the run."""


class Training(QObject):
    """Owns the training thread and the current run. All of it is for the GUI thread."""

    changed = Signal()
    """The phase, or whether the run is paused, has changed."""
    progressed = Signal()
    """Bytes have been read or merges done."""
    prepared = Signal(object)
    """A new History stands at position 0."""
    failed = Signal(str)
    """The run ended with an error; one sentence for the user."""
    _submitted = Signal(object)
    """A Job is to be done, on the thread of the worker."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.phase = Phase.IDLE
        self.paused = False
        self.history: History | None = None
        self.words: WordCounts | None = None
        self.bytes_read = 0
        self.corpus_size: int | None = None
        self._job: Job | None = None
        self._recipe: Recipe | None = None
        self.wanted = False
        """Whether the run is to be trained to its end."""
        self._speed = SpeedMeter()
        self._thread = QThread()
        self._thread.setObjectName("training")
        self._worker = worker = TrainingWorker()
        worker.moveToThread(self._thread)
        self._thread.started.connect(worker.give_way)
        self._submitted.connect(worker.run)
        worker.waiting.connect(self._on_waiting)
        worker.reading.connect(self._on_reading)
        worker.prepared.connect(self._on_prepared)
        worker.grown.connect(self._on_grown)
        worker.halted.connect(self._on_halted)
        worker.wentOn.connect(self._on_went_on)
        worker.failed.connect(self._on_failed)
        self._thread.start()

    @property
    def recipe(self) -> Recipe | None:
        """The recipe of the current run."""
        return self._recipe if self._job is not None else None

    @property
    def corpus(self) -> Corpus | None:
        """The corpus of the current run."""
        return self._job.corpus if self._job is not None else None

    @property
    def reading(self) -> str:
        """The name of the corpus that is being read, or is about to be; empty for none."""
        corpus = self.corpus if self.phase in (Phase.WAITING, Phase.READING) else None
        return corpus.name if corpus is not None else ""

    def serves(self, corpus: Corpus) -> bool:
        """Whether the current run reads that very corpus."""
        return self._job is not None and self._job.corpus is corpus

    @property
    def busy(self) -> bool:
        """Whether work is going on, or would but for a pause."""
        if self.phase in (Phase.WAITING, Phase.READING):
            return True
        return self.phase is Phase.TRAINING

    @property
    def merges_a_second(self) -> float:
        """How fast merges come, over the last second or so; 0 if none do."""
        return self._speed.value

    @property
    def merges_to_go(self) -> int | None:
        """How many merges the recipe asks for yet; None if it sets no such bound."""
        recipe = self.recipe
        if self.history is None or recipe is None:
            return None
        done = len(self.history)
        bounds = []
        if recipe.vocabulary_size is not None:
            bounds.append(recipe.vocabulary_size - self.history.vocabulary_size(done))
        if recipe.merges is not None:
            bounds.append(recipe.merges - done)
        return max(0, min(bounds)) if bounds else None

    def prepare(
        self,
        corpus: Corpus,
        recipe: Recipe,
        *,
        train: bool = False,
        merges: int = 0,
        interventions: tuple[Intervention, ...] = (),
        words: WordCounts | None = None,
    ) -> None:
        """Begin a new run: count the corpus, and train at once if asked to.

        Without `train`, so many `merges` are done at once and no more. `interventions` make
        it a what-if branch. With its `words` the corpus is not read, and need not be there.
        """
        self.stop()
        self._job, self._recipe = Job(corpus, recipe, interventions, words), recipe
        self.wanted = train
        self._begin_with(None, None)
        if train:
            self._job.orders.train()
        elif merges:
            self._job.orders.step(merges)
        self._enter(Phase.READING)
        self._submitted.emit(self._job)

    def adopt(self, words: WordCounts | None, history: History | None) -> None:
        """Have a run that was recorded before stand here, or none; nothing is under way.

        To go on with it, its merges have to be done once more.
        """
        self.stop()
        self._begin_with(words, history)
        if history is None:
            self._enter(Phase.IDLE)
        else:
            self._enter(Phase.PREPARED if history.stopped is None else Phase.FINISHED)

    def _begin_with(self, words: WordCounts | None, history: History | None) -> None:
        self.words, self.history = words, history
        self.bytes_read = 0
        self.corpus_size = None
        self._speed.restart(len(history) if history is not None else 0)

    def train(self) -> None:
        """Go on with the run, if there is one that can."""
        self._order_merges(None)

    def step(self, merges: int = 1) -> None:
        """Do one merge, or so many, if there is a run that can."""
        self._order_merges(merges)

    def go_on(self, recipe: Recipe, *, merges: int | None = None) -> bool:
        """Train on by a recipe that stops later, so many merges or to its end; False if it cannot.

        Nothing is read or merged again. It can while the run of the same corpus stands here.
        """
        before, stands = self.recipe, self.phase in (Phase.PREPARED, Phase.FINISHED)
        if self._job is None or before is None or not stands:
            return False
        if recipe == before or not recipe.goes_on_from(before):
            return False
        self._recipe = recipe
        self._job.orders.go_on(recipe)
        self.phase = Phase.PREPARED
        self._order_merges(merges)
        return True

    def pause(self) -> None:
        """Hold the run where it is."""
        if self._job is not None and self.busy and not self.paused:
            self._job.orders.pause()
            self.paused = True
            self.changed.emit()

    def cancel(self) -> None:
        """End the work under way. A run that has merges can go on later; others are given up."""
        if self.phase is Phase.TRAINING and self._job is not None:
            self._job.orders.withdraw()
            self.wanted = False
            self._enter(Phase.PREPARED)
        elif self.busy:
            self.stop()

    def stop(self) -> None:
        """End the run; what it has learnt stays in the history."""
        if self._job is not None:
            self._job.orders.stop()
            self._job = None
            self._enter(Phase.IDLE)

    def close(self) -> None:
        """End the run and the thread; returns when that has ended."""
        self.stop()
        self._thread.quit()
        self._thread.wait()

    def _order_merges(self, merges: int | None) -> None:
        """Have so many merges done, None for all."""
        if self._job is None or self.phase is Phase.FINISHED:
            return
        if merges is None:
            self._job.orders.train()
        else:
            self._job.orders.step(merges)
        self.wanted = merges is None
        if self.history is not None:
            self._speed.restart(len(self.history))
            self._enter(Phase.TRAINING if self.wanted else Phase.PREPARED)
        else:
            self._enter(self.phase)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.paused = False
        self.changed.emit()

    @Slot(object)
    def _on_waiting(self, job: Job) -> None:
        if job is self._job:
            self.phase = Phase.WAITING
            self.changed.emit()

    @Slot(object, object)
    def _on_reading(self, job: Job, bytes_read: int) -> None:
        if job is not self._job:
            return
        self.bytes_read = bytes_read
        self.corpus_size = job.corpus.size
        if self.phase is not Phase.READING:
            self.phase = Phase.READING
            self.changed.emit()
        self.progressed.emit()

    @Slot(object, object, object)
    def _on_prepared(self, job: Job, words: WordCounts, history: History) -> None:
        if job is not self._job:
            return
        self.words = words
        self.history = history
        self._speed.restart(0)
        self.prepared.emit(history)
        self.phase = Phase.TRAINING if self.wanted else Phase.PREPARED
        self.changed.emit()

    @Slot(object, int, int)
    def _on_grown(self, job: Job, begin: int, end: int) -> None:
        if job is self._job:
            self._speed.note(end)
            self.progressed.emit()

    @Slot(object, object)
    def _on_halted(self, job: Job, recipe: Recipe) -> None:
        if job is self._job and recipe is self._recipe:
            self._enter(Phase.FINISHED)

    @Slot(object)
    def _on_went_on(self, job: Job) -> None:
        if job is self._job:
            self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: Job, message: str) -> None:
        if job is self._job:
            self._job = None
            self._enter(Phase.IDLE)
            self.failed.emit(message)


_LEAST_SECONDS = 0.1
"""A shorter time says nothing of the speed."""


class SpeedMeter:
    """Merges a second, over windows of about half a second."""

    def __init__(self) -> None:
        self.value = 0.0
        self._since = 0.0
        self._from = 0

    def restart(self, merges: int) -> None:
        """Begin anew at that many merges."""
        self.value = 0.0
        self._since = monotonic()
        self._from = merges

    def note(self, merges: int) -> None:
        """There are now that many merges."""
        elapsed = monotonic() - self._since
        if elapsed < _LEAST_SECONDS:
            return
        self.value = (merges - self._from) / elapsed
        if elapsed >= 0.5:
            self._since, self._from = monotonic(), merges

"""Training in the background: count a corpus, merge, and report often enough for every frame."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from threading import Condition
from time import monotonic
from weakref import WeakValueDictionary

from msgspec import Struct, field

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import Intervention
from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from bpe_gui.ui.run.background import Job, TaskError

SMALL_CORPUS = 20_000
"""Bytes up to which training does not wait for compiled kernels: interpreted ones will do."""

_REPORT_EVERY = 1 / 60
"""Seconds between two reports of merges at least: a frame."""
_REPORT_READING_EVERY = 1 / 120
"""The same while a corpus is read: less, for a block that ends a moment too early would bring its
report a whole block later."""
_SLICE = 0.005
"""Seconds that a call of the trainer is meant to take: the time to answer a pause."""

COUNTING_THREADS = max(1, min(4, os.cpu_count() or 1) - 1)
"""Threads that count the corpus in a training: one processor is left to the window."""
_NO_MEMORY = (
    "There is not enough memory for this corpus; use a smaller one, or a recipe that splits it "
    "into words."
)


class TrainingControl:
    """Pause, resume, step and stop one run; every method may be called on any thread.

    A run reads and counts its corpus unless it is paused, and merges as long as it has an allowance
    of merges. A new run may count but not merge.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._held = False
        self._stopped = False
        self._allowance = 0
        self._recipe: Recipe | None = None

    def train(self) -> None:
        """Go on, as far as the recipe goes."""
        self.step(sys.maxsize)

    def step(self, merges: int) -> None:
        """Do this number of merges, or none, then wait."""
        with self._changed:
            self._held = False
            self._allowance = merges
            self._changed.notify_all()

    def go_on(self, recipe: Recipe) -> None:
        """Have another recipe stop the run; merges have to be allowed as well."""
        with self._changed:
            self._recipe = recipe
            self._changed.notify_all()

    def pause(self) -> None:
        """Pause, also while reading."""
        with self._changed:
            self._held = True
            self._changed.notify_all()

    def stop(self) -> None:
        """End the run for good."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def may_read(self) -> bool:
        """Wait while the run is paused; returns False if it is to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or not self._held)
            return not self._stopped

    def allowed_merges(self) -> int:
        """Wait until a merge is allowed; returns how many are, 0 if the run is to end."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (not self._held and self._allowance > 0)
            )
            return 0 if self._stopped else self._allowance

    def new_recipe(self, *, wait: bool) -> Recipe | None:
        """Take the recipe by which the run is to go on; None if there is none, or it is to end."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._stopped or self._recipe is not None)
            recipe, self._recipe = self._recipe, None
            return None if self._stopped else recipe

    def merges_at_once(self) -> int:
        """Return how many merges are allowed now, without waiting."""
        with self._changed:
            return 0 if self._stopped or self._held else self._allowance

    def spend(self, merges: int) -> None:
        """Subtract merges that were done from the allowance."""
        with self._changed:
            if self._allowance != sys.maxsize:
                self._allowance = max(0, self._allowance - merges)


class TrainingRun(Struct, frozen=True):
    """A training run to be done.

    words: those of the corpus if they are known; then it is not read.
    """

    corpus: Corpus
    recipe: Recipe
    interventions: tuple[Intervention, ...] = ()
    words: WordCounts | None = None
    control: TrainingControl = field(default_factory=TrainingControl)


class Phase(StrEnum):
    """What the run is doing."""

    IDLE = "idle"
    """There is no run: nothing was begun, or it failed or was stopped."""
    WAITING = "waiting"
    """The kernels are still being compiled."""
    READING = "reading"
    """The corpus is read and its words counted, and then their pairs."""
    PREPARED = "prepared"
    """The words are counted; no merge has been asked for."""
    TRAINING = "training"
    FINISHED = "finished"
    """The recipe has stopped the run."""


class TrainingWorker:
    """Does training runs, one after another, on the thread of a `BackgroundTask`."""

    def __init__(self) -> None:
        self._counted: WeakValueDictionary[object, WordCounts] = WeakValueDictionary()
        self._last: WordCounts | None = None

    def do(self, run: TrainingRun, job: Job) -> None:
        """Do a run until its recipe or its control stops it.

        The job reports every phase with what is known then: WAITING; READING with the bytes so
        far, and alone as soon as the words are known; PREPARED with the WordCounts and the History;
        TRAINING with the merges so far, or alone when the run goes on by another recipe; FINISHED
        with the recipe that stopped it.
        Raises Cancelled, TaskError, ValueError and OSError.
        """
        try:
            self._wait_for_kernels(run, job)
            words = self._count(run, job)
            job.report((Phase.READING,))
            trainer = Trainer(
                words, run.recipe, interventions=run.interventions, check=job.check
            )
            job.report((Phase.PREPARED, words, trainer.history))
            try:
                self._train(trainer, run.control, job)
            finally:
                trainer.history.give_back_rows()
        except MemoryError:
            raise TaskError(_NO_MEMORY) from None

    def _wait_for_kernels(self, run: TrainingRun, job: Job) -> None:
        size = run.corpus.find_size(job.check) if run.words is None else len(run.words.text)
        if compiled_by_default() or (size is not None and size <= SMALL_CORPUS):
            return
        job.report((Phase.WAITING,))
        job.wait_for_kernels()
        # A pipe may have nothing to read for long: that is not the kernels' fault.
        job.report((Phase.READING, 0))

    def _count(self, run: TrainingRun, job: Job) -> WordCounts:
        """Count the words of the corpus, unless they are those of the run before, or in use."""
        if run.words is not None:
            return run.words
        key = run.corpus, run.recipe.split, run.recipe.normalizers
        self._last = self._counted.get(key)  # there may be no room for others
        if self._last is not None:
            return self._last

        def report(bytes_read: int) -> None:
            if job.is_due(_REPORT_READING_EVERY):
                job.report((Phase.READING, bytes_read))

        words = count_corpus(
            run.corpus,
            run.recipe,
            progress=report,
            cancelled=lambda: not run.control.may_read(),
            threads=COUNTING_THREADS,
        )
        self._last = self._counted[key] = words
        return words

    def _train(self, trainer: Trainer, control: TrainingControl, job: Job) -> None:
        portion = 1
        reported = 0
        while True:
            if trainer.finished:
                reported = self._report_growth(trainer, job, reported)
                job.report((Phase.FINISHED, trainer.history.recipe))
            recipe = control.new_recipe(wait=trainer.finished)
            if recipe is not None:
                trainer.go_on(recipe)
                job.report((Phase.TRAINING,))
                continue
            if trainer.finished:
                return
            allowed = control.merges_at_once()
            if allowed == 0:
                reported = self._report_growth(trainer, job, reported)
                if control.allowed_merges() == 0:
                    return
                continue  # a recipe may have come as well
            begin = monotonic()
            control.spend(trainer.advance(min(portion, allowed)))
            elapsed = monotonic() - begin
            if elapsed < _SLICE / 2:
                portion = min(2 * portion, 4096)
            elif elapsed > _SLICE:
                portion = max(1, portion // 2)
            if job.is_due(_REPORT_EVERY):
                reported = self._report_growth(trainer, job, reported)

    def _report_growth(self, trainer: Trainer, job: Job, reported: int) -> int:
        merges = len(trainer.history)
        if merges > reported:
            job.report((Phase.TRAINING, merges))
        return merges

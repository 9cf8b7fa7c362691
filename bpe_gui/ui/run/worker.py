"""The training thread: counts a corpus, merges, obeys, and reports at most 60 times a second."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic
from weakref import WeakValueDictionary

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import Intervention
from bpe_gui.bpe.kernels.jit import compiled_by_default, wait_until_loaded
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from bpe_gui.ui.run.background import give_way
from bpe_gui.ui.widgets.sentences import as_sentence

SMALL_CORPUS = 20_000
"""Bytes that are trained on at once, with interpreted kernels if the others are not ready."""

_REPORT_EVERY = 1 / 60
_SLICE = 0.005
"""Seconds that a call of the trainer is meant to take: the time to answer a pause."""

_COUNTING_THREADS = max(1, min(4, os.cpu_count() or 1) - 1)
"""One processor is left to the window."""


class TrainingControl:
    """Pause, resume, step and stop for one run; every method may be called on any thread.

    A run reads and counts its corpus unless it is held, and merges as long as it has an
    allowance of merges. A new run may count but not merge.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._held = False
        self._stopped = False
        self._allowance = 0
        self._recipe: Recipe | None = None

    def train(self) -> None:
        """Go on, as far as the recipe goes."""
        self._give(sys.maxsize)

    def step(self, merges: int = 1) -> None:
        """Do a single merge, or so many, then wait."""
        self._give(merges)

    def go_on(self, recipe: Recipe) -> None:
        """Have the run stop where another recipe says; merges have to be allowed as well."""
        with self._changed:
            self._recipe = recipe
            self._changed.notify_all()

    def withdraw(self) -> None:
        """Do no more of the merges that were allowed, until others are."""
        self._give(0)

    def pause(self) -> None:
        """Wait, also in the middle of reading."""
        with self._changed:
            self._held = True
            self._changed.notify_all()

    def stop(self) -> None:
        """End the run; nothing revives it."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _give(self, merges: int) -> None:
        with self._changed:
            self._held = False
            self._allowance = merges
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stopped

    def may_read(self) -> bool:
        """Wait while the run is held; returns False if it is to end."""
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
        """How many merges are allowed now, without waiting."""
        with self._changed:
            return 0 if self._stopped or self._held else self._allowance

    def spend(self, merges: int) -> None:
        """Take merges that were done off the allowance."""
        with self._changed:
            if self._allowance != sys.maxsize:
                self._allowance = max(0, self._allowance - merges)


@dataclass(frozen=True)
class Job:
    """One training run to be done."""

    corpus: Corpus
    recipe: Recipe
    interventions: tuple[Intervention, ...] = ()
    words: WordCounts | None = None
    """Those of the corpus, if they are known; then it is not read."""
    orders: TrainingControl = field(default_factory=TrainingControl)


class TrainingWorker(QObject):
    """Runs jobs one after another, on the thread that it lives in."""

    waiting = Signal(object)
    """The job's kernels are still being compiled."""
    reading = Signal(object, object)
    """The job has read so many bytes (an int, which may exceed 32 bits)."""
    prepared = Signal(object, object, object)
    """The job's words are counted: the WordCounts, and its History at position 0."""
    grown = Signal(object, int, int)
    """The job's history has merges begin to end that it had not before."""
    halted = Signal(object, object)
    """The job's run has stopped by this Recipe; `history.stopped` says why."""
    wentOn = Signal(object)
    """The job's run, which had stopped or was held, goes on by another recipe."""
    failed = Signal(object, str)
    """The job ended with an error; one sentence for the user."""

    def __init__(self) -> None:
        super().__init__()
        self._last_report = 0.0
        self._counted: WeakValueDictionary[object, WordCounts] = WeakValueDictionary()
        self._last: WordCounts | None = None

    @Slot()
    def give_way(self) -> None:
        """Let the window's thread go first where both want the same processor."""
        give_way()

    @Slot(object)
    def run(self, job: Job) -> None:
        """Do a job until its recipe stops it or its orders do."""
        try:
            self._run(job)
        except Cancelled:
            return
        except MemoryError:
            self.failed.emit(
                job,
                "There is not enough memory for this corpus; use a smaller one, or a recipe "
                "that splits it into words.",
            )
        except (ValueError, OSError) as error:
            self.failed.emit(job, as_sentence(error))
        except Exception as error:  # the window lives on whatever a run dies of
            self.failed.emit(
                job,
                f"Training failed unexpectedly ({type(error).__name__}: {error}); try again, "
                "and report it if it comes back.",
            )
            raise

    def _run(self, job: Job) -> None:
        self._wait_for_kernels(job)
        words = self._count(job)
        trainer = Trainer(words, job.recipe, interventions=job.interventions)
        self.prepared.emit(job, words, trainer.history)
        self._train(job, trainer)

    def _wait_for_kernels(self, job: Job) -> None:
        def check() -> None:
            if job.orders.stopped:
                raise Cancelled

        size = job.corpus.find_size(check) if job.words is None else len(job.words.text)
        if compiled_by_default() or (size is not None and size <= SMALL_CORPUS):
            return
        self.waiting.emit(job)
        while not wait_until_loaded(0.02):
            check()
        # A pipe may have nothing to read for long: that is not the kernels' fault.
        self.reading.emit(job, 0)

    def _count(self, job: Job) -> WordCounts:
        """The corpus's words; not read again if they are those of the run before, or kept."""
        if job.words is not None:
            return job.words
        key = job.corpus, job.recipe.split, job.recipe.normalizers
        self._last = self._counted.get(key)  # there may be no room for others
        if self._last is not None:
            return self._last

        def report(bytes_read: int) -> None:
            if self._is_time():
                self.reading.emit(job, bytes_read)

        words = count_corpus(
            job.corpus,
            job.recipe,
            progress=report,
            cancelled=lambda: not job.orders.may_read(),
            threads=_COUNTING_THREADS,
        )
        self._last = self._counted[key] = words
        return words

    def _train(self, job: Job, trainer: Trainer) -> None:
        portion = 1
        reported = 0
        while True:
            if trainer.finished:
                reported = self._report_growth(job, trainer, reported)
                self.halted.emit(job, trainer.history.recipe)
            recipe = job.orders.new_recipe(wait=trainer.finished)
            if recipe is not None:
                trainer.go_on(recipe)
                self.wentOn.emit(job)
                continue
            if trainer.finished:
                return
            allowed = job.orders.merges_at_once()
            if allowed == 0:
                reported = self._report_growth(job, trainer, reported)
                if job.orders.allowed_merges() == 0:
                    return
                continue  # a recipe may have come as well
            begin = monotonic()
            job.orders.spend(trainer.advance(min(portion, allowed)))
            elapsed = monotonic() - begin
            if elapsed < _SLICE / 2:
                portion = min(2 * portion, 4096)
            elif elapsed > _SLICE:
                portion = max(1, portion // 2)
            if self._is_time():
                reported = self._report_growth(job, trainer, reported)

    def _report_growth(self, job: Job, trainer: Trainer, reported: int) -> int:
        """Tell of the merges since the last report; returns how many are told of now."""
        merges = len(trainer.history)
        if merges > reported:
            self.grown.emit(job, reported, merges)
        return merges

    def _is_time(self) -> bool:
        """Whether enough time has passed since the last report, which this one then is."""
        now = monotonic()
        if now - self._last_report < _REPORT_EVERY:
            return False
        self._last_report = now
        return True

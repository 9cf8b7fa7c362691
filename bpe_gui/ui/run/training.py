"""Train one run at a time in the background, and know what it is doing."""

from __future__ import annotations

from functools import partial
from time import monotonic
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from bpe_gui.analysis.time_left import time_left
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History, Intervention
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.worker import Phase, TrainingRun, TrainingWorker


class Training(QObject):
    """Owns the current run, which is trained in the background."""

    changed = Signal()
    """The phase, or whether the run is paused, has changed."""
    progressed = Signal()
    """Bytes have been read or merges done."""
    prepared = Signal(object)
    """There is a new History, at position 0."""
    failed = Signal(str)
    """The run ended with an error; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.phase = Phase.IDLE
        self.paused = False
        self.history: History | None = None
        self.words: WordCounts | None = None
        self.bytes_read = 0
        self.is_counted = False
        """Whether the words of the run are known, so that nothing is left to be read."""
        self.corpus_size: int | None = None
        self._run: TrainingRun | None = None
        self._recipe: Recipe | None = None
        self.wanted = False
        """Whether the run is to be trained to its end."""
        self.likely_encodings: tuple[str, ...] = ()
        """In which encodings the corpus may be written that could not be read last."""
        self._seconds: WeakKeyDictionary[History, float] = WeakKeyDictionary()
        self._since: float | None = None
        self.speed = SpeedMeter()
        """How fast merges come, over the last second or so."""
        self._worker = TrainingWorker()
        self._task = BackgroundTask(
            "training",
            self,
            expected=(ValueError, OSError),
            failure="Training failed unexpectedly",
            gives_way=True,
        )

    @property
    def recipe(self) -> Recipe | None:
        """The recipe of the current run."""
        return self._recipe if self._run is not None else None

    @property
    def corpus(self) -> Corpus | None:
        """The corpus of the current run."""
        return self._run.corpus if self._run is not None else None

    @property
    def seconds(self) -> float | None:
        """How long the run took that has been trained to its end, with what was read for it.

        None for one that was paused, or trained in parts.
        """
        return None if self.history is None else self._seconds.get(self.history)

    @property
    def reading(self) -> str:
        """The name of the corpus that is being read, or is about to be; empty for none."""
        corpus = self.corpus if self.phase in (Phase.WAITING, Phase.READING) else None
        return corpus.name if corpus is not None else ""

    def reading_or(self, sentence: str) -> str:
        """Say what is being read; a sentence instead if nothing is."""
        return f"Reading {self.reading} …" if self.reading else sentence

    @property
    def busy(self) -> bool:
        """Whether work is going on, or would but for a pause."""
        return self.phase in (Phase.WAITING, Phase.READING, Phase.TRAINING)

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

        Without `train`, only this number of `merges` is done at once. `interventions` make it a
        what-if branch. With its `words` the corpus is not read, and need not exist.
        """
        self.stop()
        self._run = run = TrainingRun(corpus, recipe, interventions, words)
        self._recipe = recipe
        self.wanted = train
        self._begin_with(None, None)
        self.is_counted = words is not None
        self._since = monotonic() if train else None
        if train:
            run.control.train()
        elif merges:
            run.control.step(merges)
        self._enter(Phase.READING)
        work = partial(self._worker.do, run)
        self._task.ask(work, failed=self._on_failed, progress=self._on_report)

    def adopt(self, words: WordCounts | None, history: History | None) -> None:
        """Take over a run that was recorded before, or none; nothing is under way then.

        To go on with it, its merges have to be done again.
        """
        self.stop()
        self._begin_with(words, history)
        if history is None:
            self._enter(Phase.IDLE)
        else:
            self._enter(Phase.PREPARED if history.stopped is None else Phase.FINISHED)

    def _begin_with(self, words: WordCounts | None, history: History | None) -> None:
        self.words, self.history = words, history
        self._since = None
        self.bytes_read = 0
        self.corpus_size = None
        self.speed.restart(len(history) if history is not None else 0)

    def train(self) -> None:
        """Go on with the run, if there is one that can."""
        self._order_merges(None)

    def step(self, merges: int = 1) -> None:
        """Do this number of merges, if there is a run that can."""
        self._order_merges(merges)

    def go_on(self, recipe: Recipe, *, merges: int | None = None) -> bool:
        """Train on by a recipe that stops later, to its end or this many merges, if possible.

        Nothing is read or merged again. Returns False for a run that was adopted, or is under way.
        """
        before, stands = self.recipe, self.phase in (Phase.PREPARED, Phase.FINISHED)
        if self._run is None or before is None or not stands:
            return False
        if recipe == before or not recipe.goes_on_from(before):
            return False
        self._recipe = recipe
        self._run.control.go_on(recipe)
        self.phase = Phase.PREPARED
        self._order_merges(merges)
        return True

    def pause(self) -> None:
        """Hold the run where it is."""
        if self._run is not None and self.busy and not self.paused:
            self._run.control.pause()
            self._since = None
            self.paused = True
            self.changed.emit()

    def cancel(self) -> None:
        """End the work under way. A run that has merges can go on later; others are dropped."""
        if self.phase is Phase.TRAINING and self._run is not None:
            self._run.control.step(0)
            self.wanted = False
            self._enter(Phase.PREPARED)
        elif self.busy:
            self.stop()

    def stop(self) -> None:
        """End the run; its merges stay in the history."""
        if self._run is not None:
            self._run.control.stop()
            self._task.drop()
            self._run = None
            self._enter(Phase.IDLE)

    def _order_merges(self, merges: int | None) -> None:
        if self._run is None or self.phase is Phase.FINISHED:
            return
        if merges is None:
            self._run.control.train()
        else:
            self._run.control.step(merges)
        self.wanted = merges is None
        if not self.paused:
            untrained = self.history is None or not len(self.history)
            self._since = monotonic() if self.wanted and untrained else None
        if self.history is not None:
            self.speed.restart(len(self.history))
            self._enter(Phase.TRAINING if self.wanted else Phase.PREPARED)
        else:
            self._enter(self.phase)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.paused = False
        self.changed.emit()

    def _on_report(self, report: tuple[object, ...]) -> None:
        match report:
            case (Phase.WAITING,):
                self.phase = Phase.WAITING
                self.changed.emit()
            case (Phase.READING,):
                self.is_counted = True
                self.progressed.emit()
            case (Phase.READING, int(bytes_read)):
                self._on_reading(bytes_read)
            case (Phase.PREPARED, WordCounts() as words, History() as history):
                self.words, self.history = words, history
                self.speed.restart(0)
                self.prepared.emit(history)
                self.phase = Phase.TRAINING if self.wanted else Phase.PREPARED
                self.changed.emit()
            case (Phase.TRAINING, int(merges)):
                self.speed.note(merges)
                self.progressed.emit()
            case (Phase.TRAINING,):
                self.changed.emit()
            case (Phase.FINISHED, recipe) if recipe is self._recipe:
                if self._since is not None and self.history is not None:
                    self._seconds[self.history] = monotonic() - self._since
                self._enter(Phase.FINISHED)

    def _on_reading(self, bytes_read: int) -> None:
        assert self._run is not None
        self.bytes_read = bytes_read
        self.corpus_size = self._run.corpus.size
        if self.phase is not Phase.READING:
            self.phase = Phase.READING
            self.changed.emit()
        self.progressed.emit()

    def _on_failed(self, message: str) -> None:
        self.likely_encodings = self.corpus.likely_encodings if self.corpus is not None else ()
        self._run = None
        self._enter(Phase.IDLE)
        self.failed.emit(message)


_LEAST_SECONDS = 0.1
"""A shorter time says nothing of the speed."""


class SpeedMeter:
    """Measures merges a second, over windows of about half a second."""

    def __init__(self) -> None:
        self.value = 0.0
        self._since = 0.0
        self._from = 0
        self._measured = (0, 0, 0.0)
        """The merges from which and up to which it was measured, and the seconds between."""

    def restart(self, merges: int) -> None:
        """Begin again at a number of merges."""
        self.value = 0.0
        self._since = monotonic()
        self._from = merges
        self._measured = (merges, merges, 0.0)

    def note(self, merges: int) -> None:
        """Note the number of merges now."""
        elapsed = monotonic() - self._since
        if elapsed < _LEAST_SECONDS:
            return
        self.value = (merges - self._from) / elapsed
        self._measured = (self._from, merges, elapsed)
        if elapsed >= 0.5:
            self._since, self._from = monotonic(), merges

    def seconds_left(self, history: History, merges: int) -> float | None:
        """Estimate the seconds until a run has this many merges; None if it is too early."""
        begin, end, seconds = self._measured
        return time_left(history.count[:end], merges, begin, seconds)

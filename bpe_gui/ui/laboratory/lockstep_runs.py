"""Train several recipes on one corpus at once, and compare what they learn."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.analysis.compare_runs import Lockstep, lockstep
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.training import Phase, Training

_COMPARE_EVERY_MILLISECONDS = 200
"""How often runs are compared while they grow."""


class RecipeRun(Struct, eq=False):
    """Hold a recipe with its training, or with a history that was there already."""

    corpus: Corpus
    recipe: Recipe
    training: Training | None = None
    known: History | None = None

    @property
    def history(self) -> History | None:
        """The history so far; None while the corpus is read."""
        return self.training.history if self.training is not None else self.known

    @property
    def busy(self) -> bool:
        """Whether it is being trained, or about to be."""
        return self.training is not None and self.training.busy

    @property
    def finished(self) -> bool:
        """Whether the training has come to its end."""
        history = self.history
        return history is not None and history.stopped is not None

    def does(self, corpus: Corpus, recipe: Recipe) -> bool:
        """Tell whether it trains, or has trained, this recipe on this corpus."""
        return self.corpus is corpus and self.recipe == recipe and (self.busy or self.finished)


class LockstepRuns(QObject):
    """Trains every recipe on a thread, and compares the runs while they grow."""

    changed = Signal()
    """A run has begun, grown or ended."""
    compared = Signal(object)
    """A Lockstep of all runs as they are now."""
    failed = Signal(str)
    """A run has ended with an error: one sentence."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: list[RecipeRun] = []
        self._spare: list[Training] = []
        self._corpus: Corpus | None = None
        self._watched = False
        self._stale = False
        self._comparing = BackgroundTask(
            "lockstep", self, failure="The recipes could not be compared"
        )
        self._comparing.rested.connect(self._on_rested)
        self._later = QTimer(self, singleShot=True, interval=_COMPARE_EVERY_MILLISECONDS)
        self._later.timeout.connect(self._compare)

    @property
    def busy(self) -> bool:
        """Whether any recipe is being trained."""
        return any(run.busy for run in self.all)

    @property
    def comparing(self) -> bool:
        """Whether `compared` is still to be emitted for the runs as they are now."""
        return not self._comparing.at_rest or self._later.isActive()

    def watch(self) -> None:
        """Compare from now on: there is a panel to show it."""
        self._watched = True
        self._compare()

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Drop all runs if the corpus in view is another one."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self.clear()

    def train(self, corpus: Corpus, recipes: Sequence[Recipe], in_view: History | None) -> None:
        """Train recipes at once, but for those whose run is there or under way.

        The run in view is taken as well, if it has come to its end with one of the recipes.
        """
        before, self.all = self.all, []
        for recipe in recipes:
            run = next((run for run in before if run.does(corpus, recipe)), None)
            if run is not None:
                before.remove(run)
            elif in_view is not None and _is_done(in_view, recipe):
                run = RecipeRun(corpus, recipe, known=in_view)
            else:
                run = RecipeRun(corpus, recipe)
            self.all.append(run)
        for run in before:
            self._give_back(run)
        for run in self.all:
            if run.training is None and run.known is None:
                run.training = self._training()
                run.training.prepare(corpus, run.recipe, train=True)
        self._compare()
        self.changed.emit()

    def adopt(self, corpus: Corpus, histories: Sequence[History]) -> None:
        """Compare runs that were trained before."""
        self._drop_all()
        self.all = [RecipeRun(corpus, known.recipe, known=known) for known in histories]
        self._compare()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the training; the runs stay as they are."""
        for run in self.all:
            if run.training is not None:
                run.training.cancel()

    def clear(self) -> None:
        """Drop all runs."""
        self._drop_all()
        self._later.stop()
        self.changed.emit()

    def _drop_all(self) -> None:
        for run in self.all:
            self._give_back(run)
        self.all = []

    def _training(self) -> Training:
        if self._spare:
            return self._spare.pop()
        training = Training(self)
        training.changed.connect(self._on_changed)
        training.progressed.connect(self._on_progressed)
        training.failed.connect(self.failed)
        return training

    def _give_back(self, run: RecipeRun) -> None:
        if run.training is not None:
            run.training.adopt(None, None)  # else it would keep the words and the history
            self._spare.append(run.training)

    @property
    def shown(self) -> tuple[History, ...]:
        """The runs that are compared; none until every one has begun."""
        found = tuple(run.history for run in self.all if run.history is not None)
        return found if len(found) == len(self.all) else ()

    @Slot()
    def _compare(self) -> None:
        """Compare the runs, or again if that is under way."""
        self._later.stop()
        wanted = self._watched and bool(self.shown)
        self._stale = wanted and not self._comparing.at_rest
        if wanted and not self._stale:
            shown = self.shown
            self._comparing.ask(
                lambda job: lockstep(shown), self._on_compared, self.failed.emit
            )

    @Slot(object)
    def _on_compared(self, found: Lockstep) -> None:
        if tuple(found.histories) == self.shown:
            self.compared.emit(found)

    @Slot()
    def _on_rested(self) -> None:
        if self._stale:
            self._compare()

    @Slot()
    def _on_changed(self) -> None:
        # Do not wait for the timer: this may be the end of a run.
        self._compare()
        self.changed.emit()

    @Slot()
    def _on_progressed(self) -> None:
        if not self._later.isActive():
            self._later.start()
        self.changed.emit()


def _is_done(history: History, recipe: Recipe) -> bool:
    """Tell whether a run is the whole training of a recipe."""
    done = history.stopped is not None and not history.interventions
    return done and history.recipe == recipe


def progress_of(run: RecipeRun) -> str:
    """Return in a few words how far a recipe is."""
    name, training, history = run.recipe.name, run.training, run.history
    if training is None or training.phase is Phase.FINISHED:
        return f"{name} is done"
    if training.phase is Phase.WAITING:
        return f"{name} waits for the training loops to be compiled"
    if history is None:
        return f"{name} is read" if training.busy else f"{name} has stopped"
    to_go = training.merges_to_go
    of = f" of {len(history) + to_go:,}" if to_go is not None else ""
    return f"{name} has {len(history):,}{of} merges"

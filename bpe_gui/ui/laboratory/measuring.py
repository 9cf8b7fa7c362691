"""Measures a recipe on the beginning of the corpus, in the background."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.analysis.corpus_beginning import Beginning, read_corpus_beginning
from bpe_gui.analysis.forecast import Estimate, measure
from bpe_gui.analysis.recipe_warnings import RecipeWarning, WarningKind, recipe_warnings
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels.jit import compiled_by_default, wait_until_loaded
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.widgets.sentences import as_sentence

_AFTER = 500
"""Milliseconds without another change after which is measured."""

_THREADS = max(1, min(4, os.cpu_count() or 1) - 1)
"""As many as count the corpus when it is trained on."""

_READ_ONCE = (
    "This corpus can be read only once, so that nothing can be measured before it is trained on."
)


@dataclass(frozen=True, eq=False)
class TrainingEstimate:
    """What is to be expected of training a recipe on a corpus.

    estimate: None if it could not be measured; then `problem` says why, in one sentence.
    """

    corpus: Corpus
    estimate: Estimate | None
    warnings: tuple[RecipeWarning, ...] = ()
    problem: str = ""


class _Measurer:
    """Measures one recipe after another, and reads the beginning of a corpus once."""

    def __init__(self) -> None:
        self._read: tuple[Corpus, Beginning | None] | None = None

    def measure(self, corpus: Corpus, recipe: Recipe, job: Job) -> TrainingEstimate:
        """Measure a recipe on a corpus."""
        cancelled = job.is_cancelled
        if self._read is None or self._read[0] is not corpus:
            # Before all else: without a corpus that can be read no kernel is ever loaded.
            self._read = (corpus, read_corpus_beginning(corpus, cancelled))
        if not compiled_by_default():
            # What is interpreted, or read while the compiler works, says nothing of the speed.
            while not wait_until_loaded(0.02):
                job.check()
            self._read = (corpus, read_corpus_beginning(corpus, cancelled))
        beginning = self._read[1]
        if beginning is None:
            return TrainingEstimate(corpus, None, problem=_READ_ONCE)
        try:
            measured = measure(beginning, recipe, cancelled, threads=_THREADS)
            warnings = recipe_warnings(recipe, measured, cancelled)
        except RecipeError as error:
            return TrainingEstimate(corpus, None, problem=as_sentence(error))
        return TrainingEstimate(corpus, measured.estimate, (*warnings, *_not_saved(recipe)))


def _not_saved(recipe: Recipe) -> tuple[RecipeWarning, ...]:
    """What keeps all that is trained with a recipe from being saved for other programs."""
    # The library is loaded when it is needed, not with the window.
    from bpe_gui.encodings.base import ExportError
    from bpe_gui.encodings.save import check_recipe, format_named

    try:
        check_recipe(recipe, format_named("tokenizer.json"))
    except ExportError as error:
        sentence = f"what is trained cannot be saved in that format: {error}"
        return (RecipeWarning(WarningKind.NOT_SAVED, "", sentence),)
    return ()


class Measuring(QObject):
    """Measures what is asked for last, once it rests; all before it is cancelled."""

    begun = Signal()
    """Something is about to be measured."""
    measured = Signal(object)
    """The TrainingEstimate of what was asked for last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._corpus: Corpus | None = None
        self._recipe: Recipe | None = None
        self._done: tuple[Corpus, Recipe] | None = None
        self._active = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AFTER)
        self._later.timeout.connect(self._submit)
        self._measurer = _Measurer()
        self._task = BackgroundTask(
            "measuring recipes",
            self,
            expected=(ValueError, OSError),
            failure="Measuring failed unexpectedly",
            gives_way=True,
        )

    @property
    def busy(self) -> bool:
        """Whether something is being measured, or about to be."""
        return self._later.isActive() or not self._task.at_rest

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Measure on another corpus, or on none."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self._restart()

    def set_recipe(self, recipe: Recipe | None) -> None:
        """Measure another recipe, or none."""
        if recipe != self._recipe:
            self._recipe = recipe
            self._restart()

    def set_active(self, active: bool) -> None:
        """Measure while somebody looks on, and else not."""
        self._active = active
        self._restart()

    def close(self) -> None:
        """Give up what is under way and end the thread; returns when it has ended."""
        self._active = False
        self._restart()
        self._task.close()

    def _restart(self) -> None:
        """Give up what is no longer asked for, and measure soon what is."""
        self._later.stop()
        self._task.drop()
        wanted = self._wanted()
        if wanted is not None and wanted != self._done:
            self._done = None
            self._later.start()
            self.begun.emit()

    def _wanted(self) -> tuple[Corpus, Recipe] | None:
        if not self._active or self._corpus is None or self._recipe is None:
            return None
        return self._corpus, self._recipe

    @Slot()
    def _submit(self) -> None:
        wanted = self._wanted()
        if wanted is not None:
            self._task.ask(partial(self._measurer.measure, *wanted), self._on_done, self._on_failed)

    @Slot(object)
    def _on_done(self, found: TrainingEstimate) -> None:
        self._done = self._wanted()
        self.measured.emit(found)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        assert self._corpus is not None
        self._on_done(TrainingEstimate(self._corpus, None, problem=sentence))

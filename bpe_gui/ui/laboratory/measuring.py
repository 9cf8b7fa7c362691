"""Measures a recipe on the beginning of the corpus, on a thread of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, get_native_id

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from bpe_gui.analysis.corpus_beginning import Beginning, read_corpus_beginning
from bpe_gui.analysis.forecast import Estimate, measure
from bpe_gui.analysis.recipe_warnings import RecipeWarning, WarningKind, recipe_warnings
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.kernels.jit import compiled_by_default, wait_until_loaded
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.widgets.sentences import as_sentence

_AFTER = 500
"""Milliseconds without another change after which is measured."""
_NICENESS = 10

_THREADS = max(1, min(4, os.cpu_count() or 1) - 1)
"""As many as count the corpus when it is trained on."""

_READ_ONCE = (
    "This corpus can be read only once, so that nothing can be measured before it is trained on."
)


@dataclass(frozen=True, eq=False)
class MeasureRequest:
    """A recipe, and the corpus that it is to be trained on."""

    corpus: Corpus
    recipe: Recipe
    cancelled: Event = field(default_factory=Event)


@dataclass(frozen=True, eq=False)
class TrainingEstimate:
    """What is to be expected of training a recipe on a corpus.

    estimate: None if it could not be measured; then `problem` says why, in one sentence.
    """

    corpus: Corpus
    estimate: Estimate | None
    warnings: tuple[RecipeWarning, ...] = ()
    problem: str = ""


class MeasureWorker(QObject):
    """Does requests one after another; the beginning of a corpus is read once."""

    done = Signal(object, object)
    """A MeasureRequest and its Outlook, None if it was cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self._read: tuple[Corpus, Beginning | None] | None = None

    @Slot()
    def give_way(self) -> None:
        """Let the window's thread and a training go first."""
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)

    @Slot(object)
    def measure(self, request: MeasureRequest) -> None:
        """Measure, unless it was cancelled in the meantime."""
        found: TrainingEstimate | None = None
        try:
            found = self._measure(request)
        except Cancelled:
            found = None
        except MemoryError:
            found = TrainingEstimate(
                request.corpus, None, problem="There is not enough memory to measure this recipe."
            )
        except (ValueError, OSError) as error:
            found = TrainingEstimate(request.corpus, None, problem=as_sentence(error))
        except Exception as error:  # the window lives on whatever a recipe does
            found = TrainingEstimate(
                request.corpus,
                None,
                problem=f"Measuring failed unexpectedly ({type(error).__name__}: {error}); report "
                "it if it comes back.",
            )
            raise
        finally:
            self.done.emit(request, found)

    def _measure(self, request: MeasureRequest) -> TrainingEstimate:
        cancelled = request.cancelled.is_set
        if self._read is None or self._read[0] is not request.corpus:
            # Before all else: without a corpus that can be read no kernel is ever loaded.
            self._read = (request.corpus, read_corpus_beginning(request.corpus, cancelled))
        if not compiled_by_default():
            self._wait_until_loaded(cancelled)
            self._read = (request.corpus, read_corpus_beginning(request.corpus, cancelled))
        beginning = self._read[1]
        if beginning is None:
            return TrainingEstimate(request.corpus, None, problem=_READ_ONCE)
        try:
            measured = measure(beginning, request.recipe, cancelled, threads=_THREADS)
            warnings = recipe_warnings(request.recipe, measured, cancelled)
        except RecipeError as error:
            return TrainingEstimate(request.corpus, None, problem=as_sentence(error))
        warnings = (*warnings, *_not_saved(request.recipe))
        return TrainingEstimate(request.corpus, measured.estimate, warnings)

    def _wait_until_loaded(self, cancelled: Callable[[], bool]) -> None:
        """What is interpreted, or read while the compiler works, says nothing of the speed."""
        while not wait_until_loaded(0.02):
            if cancelled():
                raise Cancelled


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
    """Owns the thread: what is asked for last is measured, all before it is cancelled."""

    begun = Signal()
    """Something is about to be measured."""
    measured = Signal(object)
    """The Outlook of what was asked for last."""

    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._corpus: Corpus | None = None
        self._recipe: Recipe | None = None
        self._done: tuple[Corpus, Recipe] | None = None
        self._request: MeasureRequest | None = None
        self._active = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AFTER)
        self._later.timeout.connect(self._submit)
        self._thread = QThread()
        self._thread.setObjectName("measuring recipes")
        self._worker = MeasureWorker()
        self._worker.moveToThread(self._thread)
        self._thread.started.connect(self._worker.give_way)
        self._submitted.connect(self._worker.measure)
        self._worker.done.connect(self._on_done)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something is being measured, or about to be."""
        return self._later.isActive() or self._request is not None

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
        self._thread.quit()
        self._thread.wait()

    def _restart(self) -> None:
        """Give up what is no longer asked for, and measure soon what is."""
        self._later.stop()
        if self._request is not None:
            self._request.cancelled.set()
            self._request = None
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
            self._request = MeasureRequest(*wanted)
            self._submitted.emit(self._request)

    @Slot(object, object)
    def _on_done(self, request: MeasureRequest, outlook: TrainingEstimate | None) -> None:
        if request is self._request:
            self._request = None
            self._done = (request.corpus, request.recipe)
            self.measured.emit(outlook)

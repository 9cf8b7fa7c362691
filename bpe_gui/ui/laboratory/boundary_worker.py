"""The thread that finds out what the walls between words forbid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.analysis.boundaries import BlockedPairs, Boundaries
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.superwords import Superwords, learn_superwords
from bpe_gui.analysis.word_bigrams import count_words_and_bigrams
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.kernels.jit import compiled_by_default, wait_until_loaded
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.run.corpus_queries import MOST_BYTES
from bpe_gui.ui.run.worker import SMALL_CORPUS
from bpe_gui.ui.widgets.sentences import as_sentence

_REPORT_EVERY = 0.1
"""Seconds between two reports of progress."""

_NO_MEMORY = "There is not enough memory to look at what stands beside the words of this corpus."


@dataclass(frozen=True, eq=False)
class Watched:
    """A run whose walls are looked at, or a recipe of which there is none yet (None).

    `dropped` is set when nobody asks any more.
    """

    corpus: Corpus
    recipe: Recipe
    run: Run | None
    dropped: Event = field(default_factory=Event)


class BoundaryWorker(QObject):
    """Answers what the walls of a run forbid, in the background.

    The corpus is read once more with the first question. Of the questions for a position one
    is being answered and the newest waits.
    """

    reading = Signal(object)
    """So many bytes (an int) of the corpus have been read."""
    begun = Signal(object)
    """The words of a recipe without a run are counted: a Run before its first merge."""
    forbidden = Signal(object)
    """A BlockedPairs that was asked for."""
    learning = Signal(int)
    """So many merges have been done without the wall."""
    learnt = Signal(object)
    """The Superwords that was asked for."""
    failed = Signal(str)
    """A question cannot be answered; one sentence for the user."""

    _wall_asked = Signal(object, int)
    _tokens_asked = Signal(object)
    _forgotten = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watched: Watched | None = None
        self._position: int | None = None
        self._looking = False
        self._thread = QThread()
        self._thread.setObjectName("walls")
        self._worker = WallWorker()
        self._worker.moveToThread(self._thread)
        self._wall_asked.connect(self._worker.look)
        self._tokens_asked.connect(self._worker.learn)
        self._forgotten.connect(self._worker.forget)
        self._worker.reading.connect(self._on_reading)
        self._worker.begun.connect(self._on_begun)
        self._worker.forbidden.connect(self._on_forbidden)
        self._worker.learning.connect(self._on_learning)
        self._worker.learnt.connect(self._on_learnt)
        self._worker.failed.connect(self._on_failed)

    def set_run(self, run: Run | None) -> None:
        """Speak of another run, or of none. What was asked about the last one is dropped."""
        self._watch(Watched(run.corpus, run.history.recipe, run) if run is not None else None)

    def set_recipe(self, corpus: Corpus, recipe: Recipe) -> None:
        """Speak of what a recipe does before its first merge; `begun` tells its words."""
        # Where it would stop does not matter before it begins.
        self._watch(Watched(corpus, recipe.with_changes(vocabulary_size=None, merges=None), None))

    def _watch(self, watched: Watched | None) -> None:
        if self._watched is not None:
            self._watched.dropped.set()
        self._watched = watched
        self._position = None
        self._looking = False
        if self._thread.isRunning():
            self._forgotten.emit()

    def ask(self, position: int) -> None:
        """Ask what is forbidden at a position: `forbidden` or `failed` answers."""
        self._position = position
        self._ask()

    def ask_for_tokens(self) -> None:
        """Ask what would be learnt without the wall: `learnt` or `failed` answers."""
        if self._watched is not None:
            self._begin()
            self._tokens_asked.emit(self._watched)

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self.set_run(None)
        self._thread.quit()
        self._thread.wait()

    def _begin(self) -> None:
        """Start the thread with the first question: nobody may ever ask one."""
        if not self._thread.isRunning():
            self._thread.start(QThread.Priority.LowPriority)

    def _ask(self) -> None:
        if self._watched is not None and self._position is not None and not self._looking:
            self._begin()
            self._looking = True
            self._wall_asked.emit(self._watched, self._position)
            self._position = None

    @Slot(object, object)
    def _on_reading(self, watched: Watched, bytes_read: int) -> None:
        if watched is self._watched:
            self.reading.emit(bytes_read)

    @Slot(object, object)
    def _on_begun(self, watched: Watched, run: Run) -> None:
        if watched is self._watched:
            self.begun.emit(run)

    @Slot(object, object)
    def _on_forbidden(self, watched: Watched, found: BlockedPairs | None) -> None:
        if watched is not self._watched:
            return
        self._looking = False
        self._ask()
        if found is not None:
            self.forbidden.emit(found)

    @Slot(object, int)
    def _on_learning(self, watched: Watched, merges: int) -> None:
        if watched is self._watched:
            self.learning.emit(merges)

    @Slot(object, object)
    def _on_learnt(self, watched: Watched, found: Superwords) -> None:
        if watched is self._watched:
            self.learnt.emit(found)

    @Slot(object, str)
    def _on_failed(self, watched: Watched, message: str) -> None:
        if watched is self._watched:
            self.failed.emit(message)


class _TooLongError(ValueError):
    """The words cannot be looked through in reasonable time; one sentence for the user."""


def _check_size(words: WordCounts) -> None:
    size = len(words.text)
    if size > MOST_BYTES:
        raise _TooLongError(
            f"The words of this corpus hold {size / 1e6:,.0f} MB, too much to look through "
            f"(at most {MOST_BYTES // 10**6} MB); choose a recipe that splits the text "
            "into shorter words, or a smaller corpus."
        )


class WallWorker(QObject):
    """Keeps the walls of one run, on the thread that it lives in."""

    reading = Signal(object, object)
    """A run, and how many bytes of its corpus have been read."""
    begun = Signal(object, object)
    """A recipe without a run, and the Run that it begins."""
    forbidden = Signal(object, object)
    """A run, and the BlockedPairs asked for, None if there is none."""
    learning = Signal(object, int)
    """A run, and how many merges have been done without the wall."""
    learnt = Signal(object, object)
    """A run, and its Superwords."""
    failed = Signal(object, str)
    """A run, and why a question about it cannot be answered."""

    def __init__(self) -> None:
        super().__init__()
        self._watched: Watched | None = None
        self._wall: Boundaries | None = None
        self._last_report = 0.0

    @Slot()
    def forget(self) -> None:
        """Give back the memory that a run took."""
        self._watched = None
        self._wall = None

    @Slot(object, int)
    def look(self, watched: Watched, position: int) -> None:
        """Find out what is forbidden at a position."""
        answer = None
        try:
            wall = self._wall_of(watched)
            wall.extend()
            if position <= wall.length:
                answer = wall.blocked_pairs(position)
        except Cancelled:
            self.forget()
        except MemoryError:
            self.failed.emit(watched, _NO_MEMORY)
        except (ValueError, OSError) as error:
            self.failed.emit(watched, as_sentence(error))
        finally:
            # Also after an error: the next question must not wait for this answer.
            self.forbidden.emit(watched, answer)

    @Slot(object)
    def learn(self, watched: Watched) -> None:
        """Find out what would be learnt without the wall."""

        def report(merges: int) -> None:
            if self._is_time():
                self.learning.emit(watched, merges)

        try:
            self._wait_for_kernels(watched)
            found = learn_superwords(
                *(watched.corpus, watched.recipe),
                progress=report,
                cancelled=watched.dropped.is_set,
            )
        except Cancelled:
            return
        except MemoryError:
            self.failed.emit(watched, _NO_MEMORY)
        except (ValueError, OSError) as error:
            self.failed.emit(watched, as_sentence(error))
        else:
            self.learnt.emit(watched, found)

    def _wall_of(self, watched: Watched) -> Boundaries:
        """The walls of a run; those of the last one are kept."""
        if self._watched is not watched or self._wall is None:
            self.forget()
            self._wait_for_kernels(watched)
            self._wall = self._built(watched)
            self._watched = watched
        return self._wall

    def _built(self, watched: Watched) -> Boundaries:
        if watched.run is not None:
            _check_size(watched.run.words)
        cancelled = watched.dropped.is_set
        words, bigrams = count_words_and_bigrams(
            *(watched.corpus, watched.recipe), progress=self._told(watched), cancelled=cancelled
        )
        run = watched.run or self._begin(watched, words)
        return Boundaries(SegmentedCorpus(run.words, run.history, cancelled=cancelled), bigrams)

    def _begin(self, watched: Watched, words: WordCounts) -> Run:
        """Tell of a run before its first merge, of a recipe of which there is none."""
        _check_size(words)
        run = Run(watched.corpus, words, Trainer(words, watched.recipe).history)
        self.begun.emit(watched, run)
        return run

    def _told(self, watched: Watched) -> Callable[[int], None]:
        """Tells how many bytes have been read, now and then."""

        def report(bytes_read: int) -> None:
            if self._is_time():
                self.reading.emit(watched, bytes_read)

        return report

    def _wait_for_kernels(self, watched: Watched) -> None:
        """Small corpora are looked at with the interpreted kernels, as they are trained on."""
        def check() -> None:
            if watched.dropped.is_set():
                raise Cancelled

        size = watched.corpus.find_size(check)
        if size is not None and size <= SMALL_CORPUS:
            return
        while not compiled_by_default() and not wait_until_loaded(0.02):
            check()

    def _is_time(self) -> bool:
        """Whether enough time has passed since the last report, which this one then is."""
        now = monotonic()
        if now - self._last_report < _REPORT_EVERY:
            return False
        self._last_report = now
        return True

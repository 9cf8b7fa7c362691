"""What is known by now of the boundaries of a split, and what is being found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.analysis.boundaries import BlockedPairs, Boundaries
from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.superwords import Superwords, learn_superwords
from bpe_gui.analysis.word_bigrams import count_words_and_bigrams
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.kernels.jit import compiled_by_default, wait_until_loaded
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.progress import megabytes
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.corpus_queries import MOST_BYTES, TooLongError
from bpe_gui.ui.run.worker import SMALL_CORPUS

_REPORT_EVERY = 0.1
"""Seconds between two reports of progress."""

_ASK_EVERY_MILLISECONDS = 400
"""How often another position is asked about while the cursor moves fast."""

_DRAFT_MILLISECONDS = 300
"""How long the edited recipe rests before its boundaries are looked at."""


@dataclass(eq=False)
class _Subject:
    """A run, or a recipe before its first merge, and its boundaries. All is for the thread.

    The corpus is read once more with the first question. `dropped`, which is for every thread,
    is set when nobody asks any more.
    """

    corpus: Corpus
    recipe: Recipe
    run: Branch | None
    dropped: Event = field(default_factory=Event)
    boundaries: Boundaries | None = None

    def blocked_pairs(self, position: int, job: Job) -> BlockedPairs | None:
        """Find the pairs that are blocked at a position; None if the run is not as far."""
        if self.boundaries is None:
            self._wait_for_kernels()
            self.boundaries = self._find_boundaries(job)
        self.boundaries.extend()
        if position > self.boundaries.length:
            return None
        return self.boundaries.blocked_pairs(position)

    def superwords(self, job: Job) -> Superwords:
        """Learn the tokens that there would be without boundaries."""
        self._wait_for_kernels()
        return learn_superwords(
            *(self.corpus, self.recipe),
            progress=_reports(job, "{}: merge {:,}.".format, wording.LEARNING),
            cancelled=self.dropped.is_set,
        )

    def _find_boundaries(self, job: Job) -> Boundaries:
        if self.run is not None:
            _check_size(self.run.words)
        cancelled = self.dropped.is_set
        doing = wording.READING if self.run is not None else wording.SPLITTING
        words, bigrams = count_words_and_bigrams(
            *(self.corpus, self.recipe),
            progress=_reports(job, self._how_far, doing),
            cancelled=cancelled,
        )
        if self.run is None:
            _check_size(words)
            self.run = Branch(self.recipe.name, words, Trainer(words, self.recipe).history)
        return Boundaries(
            SegmentedCorpus(self.run.words, self.run.history, cancelled=cancelled), bigrams
        )

    def _how_far(self, doing: str, bytes_read: int) -> str:
        size = self.corpus.size
        of = f" of {megabytes(size)}" if size is not None else ""
        return f"{doing}: {megabytes(bytes_read)}{of}."

    def _wait_for_kernels(self) -> None:
        """Small corpora are looked at with the interpreted kernels, as they are trained on."""
        size = self.corpus.find_size(self._check)
        if size is not None and size <= SMALL_CORPUS:
            return
        while not compiled_by_default() and not wait_until_loaded(0.02):
            self._check()

    def _check(self) -> None:
        if self.dropped.is_set():
            raise Cancelled


def _check_size(words: WordCounts) -> None:
    size = len(words.text)
    if size > MOST_BYTES:
        raise TooLongError(
            f"The words of this corpus hold {size / 1e6:,.0f} MB, too much to look through "
            f"(at most {MOST_BYTES // 10**6} MB); choose a recipe that splits the text "
            "into shorter words, or a smaller corpus."
        )


def _reports(job: Job, say: Callable[[str, int], str], doing: str) -> Callable[[int], None]:
    """What tells how far a job is, now and then."""
    last = 0.0

    def report(count: int) -> None:
        nonlocal last
        now = monotonic()
        if now - last >= _REPORT_EVERY:
            last = now
            job.report(say(doing, count))

    return report


class BoundarySearch(QObject):
    """Looks at the boundaries of the run in view at its position, or of the edited recipe at
    its start.

    blocked, superwords: what was found out, None as long as it was not. The second is looked
    for after the first, and is the same at every position. Of the questions for a position one
    is being answered and the newest waits.
    problem: why there is no more, one sentence; empty if nothing is wrong.
    stopped: whether the user gave it up.
    """

    changed = Signal()
    """Anything of this is new."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.blocked: BlockedPairs | None = None
        self.superwords: Superwords | None = None
        self.problem = ""
        self.stopped = False
        self.draft: Recipe | None = None
        """The edited recipe."""
        self.of_draft = False
        """Whether its boundaries are looked at, and not those of the run in view."""
        self._run: Branch | None = None
        self._corpus: Corpus | None = None
        self._begun: Branch | None = None
        self._position = 0
        self._asked: int | None = None
        self._looking = False
        self._progress = ""
        self._in_sight = False
        self._subject: _Subject | None = None
        self._task = BackgroundTask(
            "boundaries",
            self,
            expected=(ValueError, OSError),
            failure="The boundaries could not be looked at",
            gives_way=True,
        )
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_ASK_EVERY_MILLISECONDS)
        self._later.timeout.connect(self._ask)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_DRAFT_MILLISECONDS)
        self._settling.timeout.connect(self.begin)

    # -- what is looked at -------------------------------------------------------------------

    @property
    def recipe(self) -> Recipe | None:
        """Whose boundaries are looked at, if there is a corpus."""
        if self._run is None:
            return None
        return self.draft if self.of_draft else self._run.history.recipe

    @property
    def run(self) -> Branch | None:
        """The run that is spoken of; None while the edited recipe has none yet."""
        return self._begun if self.of_draft else self._run

    @property
    def has_run_in_view(self) -> bool:
        """Whether there is a run in view, and with it a corpus."""
        return self._run is not None

    @property
    def has_boundaries(self) -> bool:
        """Whether there is a recipe, and one that splits."""
        return self.recipe is not None and self.recipe.split != "none"

    @property
    def busy(self) -> bool:
        """Whether something is being found out that takes a while."""
        if not self.has_boundaries or self.stopped or self.problem:
            return False
        return self.blocked is None or self.superwords is None

    @property
    def doing(self) -> str:
        """What goes on while it is busy, one sentence."""
        if self._progress:
            return self._progress
        if self.blocked is not None:
            return f"{wording.LEARNING}…"
        return f"{wording.READING if self.run is not None else wording.SPLITTING}…"

    # -- what is asked for -------------------------------------------------------------------

    def set_run(self, run: Branch | None, corpus: Corpus | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        same = corpus is not None and corpus is self._corpus
        self._run, self._corpus, self._position = run, corpus, 0
        if not (same and self.of_draft):
            self.begin()

    def set_draft(self, recipe: Recipe) -> None:
        """Another recipe is edited; look at it if that is what is looked at."""
        self.draft = recipe
        if self.of_draft:
            self._settling.start()
        self.changed.emit()

    def set_position(self, position: int, moving: bool) -> None:
        """Look at a position of the run. While the cursor moves fast, not at every one."""
        self._position = position
        if self.of_draft:
            return
        if not moving:
            self._ask()
        elif not self._later.isActive():
            self._later.start()

    def set_in_sight(self, in_sight: bool) -> None:
        """Somebody looks on, or nobody: then nothing more is asked."""
        self._in_sight = in_sight
        if in_sight:
            self._ask()
        else:
            self._later.stop()

    @Slot(bool)
    def turn_to_draft(self, of_draft: bool) -> None:
        """Look at the boundaries of the edited recipe, or at those of the run in view."""
        self.of_draft = of_draft
        self.begin()

    @Slot()
    def begin(self) -> None:
        """Forget what was found out, and begin again if somebody looks."""
        self._drop()
        self.stopped = False
        self.problem = ""
        self.blocked = None
        self.superwords = None
        self._progress = ""
        self._asked = None
        self._settling.stop()
        self._begun = None
        run, corpus = self._run, self._corpus
        if run is not None and corpus is not None:
            if self.of_draft and self.draft is not None:
                # Where it would stop does not matter before it begins.
                recipe = self.draft.with_changes(vocabulary_size=None, merges=None)
                self._subject = _Subject(corpus, recipe, None)
            else:
                self._subject = _Subject(corpus, run.history.recipe, run)
        self._ask()
        self.changed.emit()

    def stop(self) -> None:
        """Give up what goes on."""
        self.stopped = True
        self._drop()
        self.changed.emit()

    def close(self) -> None:
        """End what goes on in the background."""
        self._drop()
        self._settling.stop()
        self._task.close()

    def _drop(self) -> None:
        """Ask nothing more, and give back the memory that it took."""
        self._later.stop()
        self._looking = False
        self._task.drop()
        if self._subject is not None:
            self._subject.dropped.set()
            self._subject = None

    @Slot()
    def _ask(self) -> None:
        self._later.stop()
        if not self.has_boundaries or self._subject is None or self.problem or not self._in_sight:
            return
        position = 0 if self.of_draft else self._position
        if position != self._asked and not self._looking:
            first, self._asked, self._looking = self._asked is None, position, True
            self._submit(partial(self._subject.blocked_pairs, position), self._on_blocked)
            if first:
                self._submit(self._subject.superwords, self._on_learned)

    def _submit(self, work: Callable[[Job], Any], done: Callable[[Any], object]) -> None:
        self._task.ask_too(work, done, self._on_failed, self._on_progress)

    # -- answers -----------------------------------------------------------------------------

    @Slot(object)
    def _on_blocked(self, found: BlockedPairs | None) -> None:
        assert self._subject is not None
        self._looking = False
        if found is not None:
            self.blocked = found
            self._begun = self._subject.run
            self._progress = ""
            self.changed.emit()
        self._ask()

    @Slot(object)
    def _on_learned(self, found: Superwords) -> None:
        self.superwords = found
        self._progress = ""
        self.changed.emit()

    @Slot(object)
    def _on_progress(self, doing: str) -> None:
        self._progress = doing
        self.changed.emit()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._task.drop()
        self.problem = problem
        self.changed.emit()

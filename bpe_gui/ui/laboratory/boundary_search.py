"""Search for the pairs that a split blocks, on the thread of a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic

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
from bpe_gui.ui.run.background import Job
from bpe_gui.ui.run.corpus_queries import MOST_BYTES, TooLongError
from bpe_gui.ui.run.worker import SMALL_CORPUS

_REPORT_EVERY = 0.1
"""Seconds between two reports of progress."""


@dataclass(eq=False)
class Subject:
    """A run, or a recipe before its first merge, and what was found of its boundaries.

    run: None before a recipe has been counted. boundaries: counted with the first question.
    dropped: set when nobody waits any more; both threads use it.
    The window's thread keeps the rest: the position that was `asked`, whether it is `asking`,
    what was `blocked` and `learned`, the `progress`, and why the search is `waiting` for the
    user: a problem, or that the user has stopped it.
    """

    corpus: Corpus
    recipe: Recipe
    run: Branch | None
    dropped: Event = field(default_factory=Event)
    boundaries: Boundaries | None = None
    asked: int | None = None
    asking: bool = False
    blocked: BlockedPairs | None = None
    learned: Superwords | None = None
    progress: str = ""
    waiting: str = ""

    @property
    def is_split(self) -> bool:
        """Whether the recipe splits the text: else there are no boundaries."""
        return self.recipe.split != "none"

    @property
    def goes_on(self) -> bool:
        """Whether something is still to be found."""
        found = self.blocked is not None and self.learned is not None
        return self.is_split and not self.waiting and not found

    def blocked_pairs(self, position: int, job: Job) -> BlockedPairs | None:
        """Find the pairs that are blocked at a position; None if the run is not as far."""
        boundaries = self.boundaries
        if boundaries is None:
            self._wait_for_kernels()
            boundaries = self.boundaries = self._find_boundaries(job)
        boundaries.extend()
        if position > boundaries.length:
            return None
        return boundaries.blocked_pairs(position)

    def superwords(self, job: Job) -> Superwords:
        """Learn the tokens that training without boundaries learns first."""
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
        """Wait until the kernels are compiled; a small corpus needs none, as in training."""
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
    """Return a function that reports how far a job is, ten times a second at most."""
    last = 0.0

    def report(count: int) -> None:
        nonlocal last
        now = monotonic()
        if now - last >= _REPORT_EVERY:
            last = now
            job.report(say(doing, count))

    return report

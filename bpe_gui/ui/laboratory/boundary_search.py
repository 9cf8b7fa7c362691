"""Looks at the boundaries of a split, on the thread of a task."""

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

"""Questions about the words of the corpus and its tokens, answered in the background.

About few words they are answered at once: a thread would answer a frame or two later.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.branches import compare
from bpe_gui.analysis.explain import Explanation, explain, explain_next, forbidden_pairs
from bpe_gui.analysis.token_life import is_counted, symbol_counts, token_uses
from bpe_gui.analysis.word_list import QueriedCorpus, WordList, WordOrder, WordQuery
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.words import WordCounts, check_of
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError

MOST_BYTES = 40_000_000
"""The largest unique words of a corpus that are segmented: it takes five to twenty seconds (the
longest if all is one word), and 24 bytes of memory a symbol."""
_MOST_BYTES_AT_ONCE = 100_000
"""The bytes of all different words about which a question is answered at once, in a millisecond or
two."""
_BEGIN_AFTER = 0.016
"""Seconds from a question until work on it begins. Questions are asked while a frame is drawn,
which would wait for the interpreter again and again if another thread worked meanwhile."""


def check_size(words: WordCounts) -> None:
    """Raise TaskError for words that would take too long to segment."""
    size = len(words.text)
    if size > MOST_BYTES:
        raise TaskError(
            f"The words of this corpus hold {size / 1e6:,.0f} MB, too much to look through "
            f"(at most {MOST_BYTES // 10**6} MB); choose a recipe that splits the text into "
            "shorter words, or a smaller corpus."
        )


class CorpusQueries(QObject):
    """Answers questions about the words of the current run.

    A question replaces one of its kind that waits, but not one that is being answered. The words
    are segmented for the first question: a window that shows no explanations pays nothing.
    """

    explained = Signal(object)
    """An Explanation that was asked for."""
    wordsCut = Signal(object)
    """A WordList that was asked for."""
    symbolsCounted = Signal(object, object)
    """A history that was asked about, and how often each symbol occurs before its first merge."""
    forbiddenCounted = Signal(object, int, object)
    """A history and a position that were asked about, and how often each forbidden pair occurs."""
    compared = Signal(object, object, object)
    """Two histories that were asked about, and their BranchComparison."""
    failed = Signal(str)
    """A question cannot be answered; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run: _QueriedRun | None = None
        self.corpus: Corpus | None = None
        """The corpus of the run, if it is at hand."""
        self._last: dict[str, Job] = {}
        """The last question of every kind, by the signal that answers it."""
        self.task = BackgroundTask(
            "corpus queries", self, failure="The words of this corpus cannot be looked through"
        )

    def set_run(
        self, words: WordCounts | None, history: History | None, corpus: Corpus | None = None
    ) -> None:
        """Answer for another run, or for none. Questions about the last one are dropped.

        `corpus` is what the words were counted in, if it is at hand.
        """
        self._drop_run()
        self.corpus = corpus
        if words is not None and history is not None:
            self._run = _QueriedRun(words, history)

    def _drop_run(self) -> None:
        for job in self._last.values():
            job.cancel()
        # Jobs that are kept keep the run that they were about.
        self._last.clear()
        self._run = None

    @Slot(int)
    def explain(self, step: int) -> None:
        """Ask why a merge was done: `explained` answers. The first may still be to come."""
        at_once = self._run is not None and self._run.is_quick and step < self._run.length
        self._ask("explained", partial(_QueriedRun.explain, step=step), at_once=at_once)

    @Slot(int, object)
    def cut_words(self, position: int, query: WordQuery) -> None:
        """Ask for the words at a position: `wordsCut` answers."""
        question = partial(_QueriedRun.words_at, position=position, query=query)
        self._ask("wordsCut", question, at_once=self._run is not None and self._run.is_quick)

    @Slot()
    def count_symbols(self) -> None:
        """Ask how often each symbol occurs before the first merge: `symbolsCounted` answers."""
        self._ask("symbolsCounted", _QueriedRun.symbols)

    @Slot(int)
    def count_forbidden(self, position: int) -> None:
        """Ask how often the pairs that are forbidden at a position occur there.

        `forbiddenCounted` answers.
        """
        self._ask("forbiddenCounted", partial(_QueriedRun.forbidden, position=position))

    @Slot(object, object)
    def compare(self, first: History, second: History) -> None:
        """Ask how two histories of one corpus differ: `compared` answers."""
        told = partial(self.compared.emit, first, second)
        self.task.ask_too(lambda job: compare(first, second), told, self.failed.emit)

    def _ask(self, answer: str, question: _Question, *, at_once: bool = False) -> None:
        """Ask a question soon; `answer` names the signal that answers it.

        It is answered `at_once` if the run is not in use by another.
        """
        if self._run is None:
            return
        if at_once and self.task.at_rest:
            self._on_answer(answer, self._run, question(self._run))
            return
        last = self._last.get(answer)
        if last is not None and not last.begun:
            last.cancel()
        self._last[answer] = self.task.ask_too(
            partial(_answered, question, self._run, monotonic() + _BEGIN_AFTER),
            partial(self._on_answer, answer, self._run),
            partial(self._on_failed, self._run),
        )

    def _on_answer(self, answer: str, run: _QueriedRun, result: tuple[Any, ...] | None) -> None:
        if result is not None and run is self._run:
            getattr(self, answer).emit(*result)

    def _on_failed(self, run: _QueriedRun, problem: str) -> None:
        if run is self._run:
            self.failed.emit(problem)


class _QueriedRun:
    """A run and its words as they are segmented; its methods belong to the background."""

    def __init__(self, words: WordCounts, history: History) -> None:
        self.job: Job | None = None
        """The question that is being answered."""
        self._words = words
        self._history = history
        self._segmented: QueriedCorpus | None = None
        self._order: WordOrder | None = None

    @property
    def length(self) -> int:
        """The number of merges that its words are segmented by."""
        return 0 if self._segmented is None else self._segmented.length

    @property
    def is_quick(self) -> bool:
        """Whether its words are few, and segmented by all merges so far."""
        done = self._segmented is not None and self.length == len(self._history)
        return done and len(self._words.text) <= _MOST_BYTES_AT_ONCE

    def explain(self, step: int) -> tuple[Explanation] | None:
        """Explain a merge, or the one that would come next."""
        corpus = self._corpus()
        if 0 <= step < corpus.length:
            return (explain(corpus, step),)
        if step != corpus.length:
            return None
        found = explain_next(self._words, self._history.until(step))
        return None if found is None else (found,)

    def words_at(self, position: int, query: WordQuery) -> tuple[WordList] | None:
        """Sort and filter the words as they are at a position."""
        corpus = self._corpus()
        if not 0 <= position <= corpus.length:
            return None
        if self._order is None:
            self._order = WordOrder(corpus)
        return (self._order.answer(position, query),)

    def symbols(self) -> tuple[History, NDArray[np.int64]] | None:
        """Count the symbols before the first merge; None if there are too many."""
        if len(self._words.text) > MOST_BYTES:
            return None
        check = check_of(self._is_cancelled)
        return self._history, symbol_counts(self._words, self._history.recipe, check)

    def forbidden(self, position: int) -> tuple[History, int, dict[tuple[int, int], int]] | None:
        """Count the pairs that are forbidden at a position."""
        corpus = self._corpus()
        if not 0 <= position <= corpus.length:
            return None
        pairs = corpus.pairs(position)
        counts = dict.fromkeys(forbidden_pairs(self._history, position), 0)
        for left, right in counts:
            at = np.flatnonzero((pairs.left == left) & (pairs.right == right))
            counts[left, right] = int(pairs.count[at].sum())
        return self._history, position, counts

    def _corpus(self) -> QueriedCorpus:
        """Segment the words by all merges so far.

        Raises TaskError if that would take too long, Cancelled if no answer is wanted.
        """
        check_size(self._words)
        if self._segmented is None:
            self._segmented = QueriedCorpus(
                self._words, self._history, cancelled=self._is_cancelled
            )
        self._segmented.extend()
        return self._segmented

    def _is_cancelled(self) -> bool:
        return self.job is not None and self.job.is_cancelled()


_Question = Callable[[_QueriedRun], tuple[Any, ...] | None]
"""Gives the arguments of the signal that answers it; None if it has no answer."""


def _answered(
    question: _Question, run: _QueriedRun, begins: float, job: Job
) -> tuple[Any, ...] | None:
    """Answer a question at a time, unless another has replaced it by then."""
    sleep(max(0.0, begins - monotonic()))
    job.begin()
    run.job = job
    return question(run)


_STEPS = 6
"""Steps of a scale."""


class TokenFrequencies(QObject):
    """Counts the tokens of a run at the cursor in the background, while that is wanted.

    What is known of an earlier position is given until the counts of the next one are there.
    """

    changed = Signal()
    """Some token has another step."""

    def __init__(self, queries: CorpusQueries, parent: QObject | None = None) -> None:
        """`queries` count the symbols before the first merge."""
        super().__init__(parent)
        self.task = BackgroundTask("token frequencies", self)
        self._queries = queries
        self._wanted = False
        self._history: History | None = None
        self._position = 0
        self._symbols: NDArray[np.int64] | None = None
        self._counted: tuple[History | None, int, bool] = (None, 0, False)
        """The run and the position that the steps are of, and whether its symbols are counted."""
        self._steps: NDArray[np.int8] | None = None
        queries.symbolsCounted.connect(self._take_symbols)

    def set_wanted(self, wanted: bool) -> None:
        """Count from now on, or no more."""
        self._wanted = wanted
        self._count()

    def show_position(self, history: History | None, position: int) -> None:
        if history is not self._history:
            self._history, self._symbols = history, None
            self._counted, self._steps = (None, 0, False), None
        self._position = position
        self._count()

    def steps(self, history: History) -> NDArray[np.int8] | None:
        """Return the steps of the tokens of a run, by their ids; None while nobody knows them.

        Tokens that are made later than at the position are not among them.
        """
        return self._steps if self._counted[0] is history else None

    def _count(self) -> None:
        """Count what is wanted now; what is being counted is finished first."""
        history, position, symbols = self._history, self._position, self._symbols
        if not self._wanted or history is None:
            return
        wanted = history, position, symbols is not None
        if wanted == self._counted:
            return
        if symbols is None and self._counted[0] is not history:
            self._queries.count_symbols()
        if self.task.at_rest:

            def work(job: Job) -> NDArray[np.int8] | None:
                return frequency_steps(history, position, symbols)

            self.task.ask(work, partial(self._take, wanted))

    def _take(self, of: tuple[History, int, bool], steps: NDArray[np.int8] | None) -> None:
        if of[0] is self._history:
            known, self._steps = self._steps, steps
            self._counted = of
            if steps is None or known is None or not np.array_equal(steps, known):
                self.changed.emit()
        self._count()

    @Slot(object, object)
    def _take_symbols(self, history: History, counts: NDArray[np.int64]) -> None:
        if history is self._history:
            self._symbols = counts
            self._count()


def frequency_steps(
    history: History, position: int, symbol_counts: NDArray[np.int64] | None
) -> NDArray[np.int8] | None:
    """Find the step of each token of the vocabulary at a position, indexed by id.

    symbol_counts: how often each symbol occurs before the first merge; without them, symbols have
    the first step. Returns None for a run without the counts of a corpus.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("es", 90), ("e", 20)], preset("raw"))
    >>> trainer = Trainer(words, preset("raw").with_changes(merges=1))
    >>> trainer.advance(1)
    1
    >>> frequency_scale(trainer.history)
    [2, 4, 9, 20, 40]
    >>> counts = np.array([110, 90])  # e, s
    >>> frequency_steps(trainer.history, 0, counts).tolist()
    [5, 5]
    >>> frequency_steps(trainer.history, 1, counts).tolist()
    [4, 0, 5]
    """
    if not is_counted(history):
        return None
    counts = token_uses(history, position).left
    base = len(history.base)
    counts[:base] = 0 if symbol_counts is None else counts[:base] + symbol_counts
    return np.searchsorted(frequency_scale(history), counts, "right").astype(np.int8)


def frequency_scale(history: History) -> list[int]:
    """Return the least count of the second and the later steps of the scale of a run.

    They are about as many times as large as each other as makes the step after the last one begin
    with the frequency of the first merge's pair, rounded to one digit, and never equal.
    """
    greatest = int(max(history.top(0).count, default=1))
    least = [0]
    for step in range(1, _STEPS):
        count = greatest ** (step / _STEPS)
        digits = 10 ** (len(str(round(count))) - 1)
        least.append(max(least[-1] + 1, round(count / digits) * digits))
    return least[1:]

"""The thread that looks through the words of the corpus, for the views that explain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from bpe_gui.analysis.branches import BranchComparison, compare
from bpe_gui.analysis.explain import Explanation, explain, taken_over_by
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.word_list import QueriedCorpus, WordList, WordOrder, WordQuery
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts

MOST_BYTES = 40_000_000
"""Of unique words, so much can be looked through for the first time in some five to twenty
seconds (the longest where it is all one word), with 24 bytes of memory for each symbol. It ends
early, between two words, if nobody waits for it any more."""
_BEGIN_AFTER = 16
"""Milliseconds from a question until it is looked into. It comes while a frame is drawn, which
would wait for the interpreter again and again if another thread worked meanwhile."""
_NO_MEMORY = "There is not enough memory to look through the words of this corpus."


@dataclass(frozen=True, eq=False)
class Run:
    """The words that are trained on, and what has been learnt of them."""

    words: WordCounts
    history: History
    dropped: Event = field(default_factory=Event)
    """Set when nobody asks about the run any more."""


class CorpusQueries(QObject):
    """Answers questions about the words of the current run, in the background.

    Of each kind of question one is being answered and the newest waits; one that waits is
    forgotten when another comes. The words are first looked through when a question is
    asked: a window that shows no explanations pays nothing.
    """

    explained = Signal(object)
    """An Explanation that was asked for."""
    words_cut = Signal(object)
    """A WordList that was asked for."""
    scaffolding_found = Signal(int, object)
    """A token that was asked about, and the merge that took it over, or None."""
    compared = Signal(object, object, object)
    """Two histories that were asked about, and their BranchComparison."""
    failed = Signal(str)
    """A question cannot be answered; one sentence for the user."""
    rested = Signal()
    """The last question has been answered, and none waits."""

    _comparison_asked = Signal(object, object)
    _merge_asked = Signal(object, int)
    _words_asked = Signal(object, int, object)
    _scaffolding_asked = Signal(object, int, int)
    _forgotten = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._step: int | None = None
        self._explaining = False
        self._words: tuple[int, WordQuery] | None = None
        self._listing = False
        self._token: tuple[int, int] | None = None
        self._looking = False
        self._comparing = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_BEGIN_AFTER)
        self._soon.timeout.connect(self._go_on)
        self._thread = QThread()
        self._thread.setObjectName("corpus queries")
        self._worker = QueryWorker()
        self._worker.moveToThread(self._thread)
        self._merge_asked.connect(self._worker.explain)
        self._words_asked.connect(self._worker.list_words)
        self._scaffolding_asked.connect(self._worker.find_scaffolding)
        self._worker.scaffolding_found.connect(self._on_scaffolding)
        self._comparison_asked.connect(self._worker.compare)
        self._worker.compared.connect(self._on_compared)
        self._forgotten.connect(self._worker.forget)
        self._worker.explained.connect(self._on_explained)
        self._worker.listed.connect(self._on_listed)
        self._worker.failed.connect(self._on_failed)
        self._thread.start()

    def set_run(self, words: WordCounts | None, history: History | None) -> None:
        """Speak of another run, or of none. What was asked about the last one is dropped."""
        self._drop_run()
        if words is not None and history is not None:
            self._run = Run(words, history)
        self._step = None
        self._words = None
        self._token = None
        self._forgotten.emit()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._soon.stop()
        self._drop_run()
        self._thread.quit()
        self._thread.wait()

    def _drop_run(self) -> None:
        if self._run is not None:
            self._run.dropped.set()
        self._run = None

    @Slot(int)
    def explain(self, step: int) -> None:
        """Ask why a merge was done: `explained` answers. The first may still be to come."""
        self._step = step
        self._ask_soon()

    @Slot(int, object)
    def cut_words(self, position: int, query: WordQuery) -> None:
        """Ask for the words at a position: `words_cut` answers."""
        self._words = (position, query)
        self._ask_soon()

    @Slot(int, int)
    def find_scaffolding(self, token: int, position: int) -> None:
        """Ask which merge took a token over: `scaffolding_found` answers."""
        self._token = (token, position)
        self._ask_soon()

    @Slot(object, object)
    def compare(self, first: History, second: History) -> None:
        """Ask how two histories of one corpus differ: `compared` answers."""
        self._comparing += 1
        self._comparison_asked.emit(first, second)

    @property
    def at_rest(self) -> bool:
        """Whether no question is being answered."""
        answering = self._explaining or self._listing or self._looking or self._comparing
        return not (answering or self._soon.isActive())

    def _ask_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _ask(self) -> None:
        """Send the questions that wait, if none of their kind is being answered."""
        if self._run is None:
            return
        if self._words is not None and not self._listing:
            self._listing = True
            self._words_asked.emit(self._run, *self._words)
            self._words = None
        if self._step is not None and not self._explaining:
            self._explaining = True
            self._merge_asked.emit(self._run, self._step)
            self._step = None
        if self._token is not None and not self._looking:
            self._looking = True
            self._scaffolding_asked.emit(self._run, *self._token)
            self._token = None

    @Slot(object, int, object)
    def _on_scaffolding(self, run: Run, token: int, step: int | None) -> None:
        self._looking = False
        if run is self._run and token >= 0:
            self.scaffolding_found.emit(token, step)
        self._go_on()

    @Slot(object, object)
    def _on_explained(self, run: Run, explanation: Explanation | None) -> None:
        self._explaining = False
        if run is self._run and explanation is not None:
            self.explained.emit(explanation)
        self._go_on()

    @Slot(object, object)
    def _on_listed(self, run: Run, words: WordList | None) -> None:
        self._listing = False
        if run is self._run and words is not None:
            self.words_cut.emit(words)
        self._go_on()

    @Slot(object, object, object)
    def _on_compared(
        self, first: History, second: History, comparison: BranchComparison | None
    ) -> None:
        self._comparing -= 1
        if comparison is not None:
            self.compared.emit(first, second, comparison)
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        """Go on with the questions that wait; a question has been answered, say."""
        self._ask()
        if self.at_rest:
            self.rested.emit()

    @Slot(object, str)
    def _on_failed(self, run: Run, message: str) -> None:
        if run is self._run:
            self.failed.emit(message)


class TooLongError(ValueError):
    """The words cannot be looked through in reasonable time; one sentence for the user."""


class QueryWorker(QObject):
    """Keeps the segmented corpus of one run, on the thread that it lives in."""

    explained = Signal(object, object)
    """A run, and the Explanation of the merge asked for, None if there is none."""
    listed = Signal(object, object)
    """A run, and the WordList asked for, None if there is none."""
    scaffolding_found = Signal(object, int, object)
    """A run, the token asked about (-1: no answer), and the merge that took it over, or None."""
    compared = Signal(object, object, object)
    """Two histories, and their BranchComparison, None if it failed."""
    failed = Signal(object, str)
    """A run of which the words cannot be looked through, and why."""

    def __init__(self) -> None:
        super().__init__()
        self._run: Run | None = None
        self._corpus: QueriedCorpus | None = None
        self._order: WordOrder | None = None

    @Slot()
    def forget(self) -> None:
        """Give back the memory that a run took."""
        self._run = None
        self._corpus = None
        self._order = None

    @Slot(object, int)
    def explain(self, run: Run, step: int) -> None:
        """Explain a merge, or the first one that is to come."""
        answer = None
        try:
            with self._telling_problems(run):
                corpus = self._corpus_of(run)
                if 0 <= step < corpus.length:
                    answer = explain(corpus, step)
                elif step == 0:
                    answer = first_merge(run)
        finally:
            # Also after an error: the next question must not wait for this answer.
            self.explained.emit(run, answer)

    @Slot(object, object)
    def compare(self, first: History, second: History) -> None:
        """Compare two branches."""
        answer = None
        try:
            answer = compare(first, second)
        finally:
            self.compared.emit(first, second, answer)

    @Slot(object, int, object)
    def list_words(self, run: Run, position: int, query: WordQuery) -> None:
        """Sort and filter the words as they are at a position."""
        answer = None
        try:
            with self._telling_problems(run):
                corpus = self._corpus_of(run)
                if 0 <= position <= corpus.length:
                    if self._order is None:
                        self._order = WordOrder(corpus)
                    answer = self._order.answer(position, query)
        finally:
            self.listed.emit(run, answer)

    @Slot(object, int, int)
    def find_scaffolding(self, run: Run, token: int, position: int) -> None:
        """Find out whether a token lives on only within others, and since which merge."""
        answered, step = -1, None
        try:
            with self._telling_problems(run):
                corpus = self._corpus_of(run)
                if 0 <= position <= corpus.length:
                    if token < run.history.vocabulary_size(position):
                        step = taken_over_by(corpus, token, position)
                    answered = token
        finally:
            self.scaffolding_found.emit(run, answered, step)

    @contextmanager
    def _telling_problems(self, run: Run) -> Iterator[None]:
        """Where the words of a run cannot be looked through, tell why, and go on after it."""
        try:
            yield
        except Cancelled:
            self.forget()
        except MemoryError:
            self.failed.emit(run, _NO_MEMORY)
        except TooLongError as error:
            self.failed.emit(run, str(error))

    def _corpus_of(self, run: Run) -> QueriedCorpus:
        """The corpus of a run, with all merges that there are by now.

        Raises TooLongError if looking through it would take too long, Cancelled
        if nobody waits for it any more.
        """
        size = len(run.words.text)
        if size > MOST_BYTES:
            raise TooLongError(
                f"The words of this corpus hold {size / 1e6:,.0f} MB, too much to look through "
                f"(at most {MOST_BYTES // 10**6} MB); choose a preset that splits "
                "the text into words, or a smaller corpus."
            )
        if self._run is not run or self._corpus is None:
            self.forget()
            self._corpus = QueriedCorpus(run.words, run.history, cancelled=run.dropped.is_set)
            self._run = run
        self._corpus.extend()
        return self._corpus


def first_merge(run: Run) -> Explanation | None:
    """The explanation of the first merge before it is done; None if none will be."""
    history = run.history
    trainer = Trainer(run.words, history.recipe, interventions=history.interventions)
    trainer.advance(1)
    if not len(trainer.history):
        return None
    return explain(SegmentedCorpus(run.words, trainer.history), 0)

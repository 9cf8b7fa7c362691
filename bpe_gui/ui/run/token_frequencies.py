"""How often each token occurs in the corpus at the cursor, as steps of a scale."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.token_life import is_counted, token_uses
from bpe_gui.bpe.history import History
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.corpus_queries import CorpusQueries

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

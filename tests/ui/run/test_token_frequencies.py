"""How often each token occurs at the cursor, counted in the background."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.run.corpus_queries import (
    CorpusQueries,
    TokenFrequencies,
    frequency_scale,
    frequency_steps,
)
from tests.ui.histories import invented
from tests.ui.panels.stories import four_words_run

Run = tuple[WordCounts, History]


@pytest.fixture
def run() -> Run:
    """The four words, and a whole run of them."""
    return four_words_run()


@pytest.fixture
def frequencies(teller: CorpusQueries, run: Run) -> Iterator[TokenFrequencies]:
    """The frequencies of the run, wanted at the start."""
    words, history = run
    teller.set_run(words, history)
    frequencies = TokenFrequencies(teller, teller)
    frequencies.show_position(history, 0)
    frequencies.set_wanted(True)
    yield frequencies
    frequencies.task.close()


def test_steps_are_those_of_the_counts_in_the_corpus(
    qtbot: QtBot, run: Run, frequencies: TokenFrequencies
) -> None:
    words, history = run
    corpus = SegmentedCorpus(words, history)
    for position in range(len(history) + 1):
        frequencies.show_position(history, position)
        counts = corpus.token_counts(position)
        least = np.array(frequency_scale(history))
        wanted = [sum(least <= count) for count in counts.tolist()]

        def as_wanted(wanted: list[int] = wanted) -> bool:
            steps = frequencies.steps(history)
            return steps is not None and steps.tolist() == wanted

        qtbot.waitUntil(as_wanted)


def test_only_what_is_wanted_is_counted(
    qtbot: QtBot, run: Run, frequencies: TokenFrequencies
) -> None:
    _, history = run
    qtbot.waitUntil(lambda: frequencies.steps(history) is not None and frequencies.task.at_rest)
    known = frequencies.steps(history)
    frequencies.set_wanted(False)
    frequencies.show_position(history, 5)
    assert frequencies.task.at_rest
    assert frequencies.steps(history) is known
    with qtbot.waitSignal(frequencies.changed):
        frequencies.set_wanted(True)
    assert frequencies.steps(invented(3)) is None


def test_the_cursor_is_caught_up_with(
    qtbot: QtBot, run: Run, frequencies: TokenFrequencies
) -> None:
    _, history = run
    for position in range(len(history) + 1):
        frequencies.show_position(history, position)
    size = history.vocabulary_size(len(history))

    def is_last() -> bool:
        steps = frequencies.steps(history)
        return steps is not None and len(steps) == size

    qtbot.waitUntil(is_last)


def test_a_scale_rises() -> None:
    for merges in (1, 10, 1_000):
        least = frequency_scale(invented(merges))
        assert all(low < high for low, high in pairwise((0, *least)))
    assert frequency_steps(invented(20), 20, None) is not None

"""Curves over the merges: at each position what measuring there gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.curves import MetricsOverMerges, metrics_over_merges, spread_positions
from bpe_gui.analysis.metrics import metrics_of
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import corpora, recipes, texts, trained


def everywhere(history: History) -> np.ndarray:
    return np.arange(len(history) + 1)


def or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


@given(corpus=corpora, recipe=recipes(), text=texts, as_text=st.booleans())
def test_equal_the_metrics_at_each_position(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, as_text: bool
) -> None:
    history = trained(corpus, recipe).history
    curves = metrics_over_merges(history, text, everywhere(history), specials_as_text=as_text)
    trace = StepwiseEncoding(history, text, specials_as_text=as_text)
    for position in range(len(history) + 1):
        tokens = trace.tokens(position)
        size = history.vocabulary_size(position)
        unknown = {token: history.bytes_in_text(token) for token in recipe.unknown_ids}
        expected = metrics_of(text, tokens, size, unknown)
        assert curves.tokens[position] == expected.tokens
        assert curves.unknowns[position] == expected.unknowns
        assert curves.vocabulary_used[position] == expected.vocabulary_used
        assert curves.vocabulary_size[position] == size
        assert or_none(curves.renyi_efficiency[position]) == pytest.approx(
            expected.renyi_efficiency
        )
        assert or_none(curves.bytes_per_token[position]) == expected.bytes_per_token
        assert or_none(curves.characters_per_token[position]) == expected.characters_per_token
        assert curves.words.words == expected.words
        assert curves.words.unspaced_words == expected.unspaced_words
        assert or_none(curves.words.tokens_per_word[position]) == expected.tokens_per_word
        assert or_none(curves.words.whole_share[position]) == expected.whole_share
        assert or_none(curves.used_share[position]) == expected.used_share


@given(corpus=corpora, recipe=recipes())
def test_the_tokens_of_the_corpus_are_in_its_history(
    corpus: list[tuple[str, int]], recipe: Recipe
) -> None:
    words = WordCounts.from_pairs(corpus, recipe)
    history = trained(corpus, recipe).history
    segmented = SegmentedCorpus(words, history)
    for position in range(len(history) + 1):
        assert history.tokens[position] == segmented.token_counts(position).sum()


def small() -> History:
    return trained([("low lower lowest", 3)], preset("gpt2").with_changes(merges=5)).history


def test_some_positions_are_those_of_all() -> None:
    history = small()
    text = "lower and lower"
    every = metrics_over_merges(history, text, everywhere(history))
    some = metrics_over_merges(history, text, np.array([1, 4]))
    assert some.tokens.tolist() == every.tokens[[1, 4]].tolist()
    assert some.words.whole_words.tolist() == every.words.whole_words[[1, 4]].tolist()


@pytest.mark.parametrize("positions", [[-1], [6], [0, 99]])
def test_positions_that_do_not_exist(positions: list[int]) -> None:
    with pytest.raises(IndexError, match=r"outside 0\.\.5"):
        metrics_over_merges(small(), "low", np.array(positions))


def test_no_text_and_no_positions() -> None:
    empty = metrics_over_merges(small(), "", np.array([0, 3]))
    assert empty.tokens.tolist() == [0, 0]
    assert np.isnan(empty.bytes_per_token).all()
    assert np.isnan(empty.renyi_efficiency).all()
    none: MetricsOverMerges = metrics_over_merges(small(), "low", np.array([], np.int64))
    assert len(none.tokens) == 0


def test_can_be_given_up() -> None:
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) == 3

    with pytest.raises(Cancelled):
        metrics_over_merges(small(), "lower", np.arange(6), cancelled=cancelled)
    assert len(asked) == 3


@given(length=st.integers(0, 100_000), count=st.integers(2, 300))
def test_positions_are_spread_over_all_the_merges(length: int, count: int) -> None:
    positions = spread_positions(length, count)
    assert positions[0] == 0
    assert positions[-1] == length
    assert len(positions) <= count
    assert (np.diff(positions) > 0).all()

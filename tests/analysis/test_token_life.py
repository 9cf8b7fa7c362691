"""The life of every token against a count of all words at every position."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.token_life import (
    is_counted,
    is_residue,
    residues,
    symbol_counts,
    token_life,
    token_uses,
)
from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes


def history_of(corpus: list[tuple[str, int]], recipe: Recipe) -> History:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe, compiled=False), recipe, compiled=False)
    trainer.advance(10_000)
    return trainer.history


def counted(corpus: list[tuple[str, int]], recipe: Recipe) -> list[Counter[int]]:
    """How often each token occurs at every position: merged and counted word by word."""
    weights: dict[tuple[str, ...], int] = {}
    for document, count in corpus:
        for word in oracle.words_of(document, recipe):
            spelled = oracle.symbols_of(word, recipe)
            weights[spelled] = weights.get(spelled, 0) + count
    run = oracle.train(corpus, recipe)
    words = [[run.vocabulary.index(symbol) for symbol in word] for word in weights]
    found = []
    for step in range(len(run.merges) + 1):
        counts: Counter[int] = Counter()
        for word, weight in zip(words, weights.values(), strict=True):
            for token in word:
                counts[token] += weight
        found.append(counts)
        if step < len(run.merges):
            for word in words:
                oracle.merge(word, *run.merges[step])
    return found


@given(corpus=corpora, recipe=recipes())
def test_equals_a_count_of_all_words_at_every_position(
    corpus: list[tuple[str, int]], recipe: Recipe
) -> None:
    history = history_of(corpus, recipe)
    expected = counted(corpus, recipe)
    symbols = np.array([expected[0][token] for token in range(len(history.base))], np.int64)
    words = WordCounts.from_pairs(corpus, recipe, compiled=False)
    assert symbol_counts(words, recipe).tolist() == symbols.tolist()
    for token in range(history.vocabulary_size(len(history))):
        life = token_life(history, token, symbols)
        seen = [life.count_at(position) for position in range(len(history) + 1)]
        assert seen == [counts[token] for counts in expected]
        steps, taken = life.consumers
        assert taken.tolist() == sorted(taken.tolist(), reverse=True)
        assert life.total is not None
        assert life.total - taken.sum() == expected[-1][token]
        assert all(token in (history.left[step], history.right[step]) for step in steps)
    for position, counts in enumerate(expected):
        left = token_uses(history, position).left
        left[: len(symbols)] += symbols
        assert left.tolist() == [counts[token] for token in range(len(left))]


@given(corpus=corpora, recipe=recipes())
def test_a_residue_is_what_hardly_occurs_any_more(
    corpus: list[tuple[str, int]], recipe: Recipe
) -> None:
    history = history_of(corpus, recipe)
    expected = counted(corpus, recipe)
    for position in range(len(history) + 1):
        found = residues(history, position)
        tokens = int(history.tokens[position])
        assert len(found) == history.vocabulary_size(position)
        for token in range(len(found)):
            life = token_life(history, token).until(position)
            made = life.total if token >= len(history.base) else None
            rare = bool(made) and is_residue(expected[position][token], made, tokens)
            assert found[token] == rare


def test_in_a_large_corpus_a_residue_may_occur_more_than_ten_times() -> None:
    for frequent, expected in ((90_000_000, ["es"]), (9_000, [])):
        history = history_of([("est", frequent), ("es", 50)], preset("raw").with_changes(merges=2))
        found = residues(history, 2).nonzero()[0].tolist()
        assert [history.id_to_token(token) for token in found] == expected


def test_agrees_with_the_segmented_corpus() -> None:
    words = WordCounts.from_pairs(FOUR_WORDS, preset("whitespace"))
    trainer = Trainer(words, preset("whitespace"))
    trainer.advance(10_000)
    corpus = SegmentedCorpus(words, trainer.history)
    symbols = corpus.token_counts(0)
    for position in range(corpus.length + 1):
        for token, count in enumerate(corpus.token_counts(position).tolist()):
            assert token_life(trainer.history, token, symbols).count_at(position) == count


def test_a_symbol_has_a_count_only_if_the_corpus_was_asked() -> None:
    history = history_of(FOUR_WORDS, preset("whitespace"))
    e = history.base.texts.index("e")
    assert token_life(history, e).count_at(0) is None
    assert token_life(history, e).total is None
    assert token_life(history, e).changes[0] == -9


def test_counts_of_64_bits() -> None:
    many = 2**56
    recipe = preset("raw").with_changes(merges=2, vocabulary_size=None)
    history = history_of([("est", many), ("es", many // 8)], recipe)
    es = int(history.new_id[0])
    assert token_life(history, es).counts.tolist() == [many + many // 8, many // 8]
    assert not residues(history, 2)[es]


def test_foreign_merges_have_no_counts() -> None:
    recipe = preset("raw")
    history = History.from_merges(recipe, BaseVocabulary.of(recipe, "low"), [(0, 1, 3)])
    assert not is_counted(history)
    assert not residues(history, 1).any()
    assert is_counted(history_of(FOUR_WORDS, preset("whitespace")))


def test_unknown_tokens_and_positions_are_refused() -> None:
    history = history_of(FOUR_WORDS, preset("whitespace"))
    with pytest.raises(IndexError):
        token_life(history, 10_000)
    with pytest.raises(IndexError):
        residues(history, len(history) + 1)

"""Tokens are spelled when they are asked for, whatever they are made of."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import corpora, recipes


def run_of(corpus: list[tuple[str, int]], recipe: Recipe) -> History:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe), recipe)
    trainer.advance(1000)
    return trainer.history


@given(corpora, recipes(), st.randoms(use_true_random=False))
def test_a_token_is_what_its_parents_are_together(
    corpus: list[tuple[str, int]], recipe: Recipe, random: object
) -> None:
    """In whatever order they are asked for: what is known is used."""
    run = run_of(corpus, recipe)
    tokens = list(range(run.vocabulary_size(len(run))))
    random.shuffle(tokens)  # type: ignore[attr-defined]
    for token in tokens:
        text, content = run.id_to_token(token), run.token_bytes(token)
        parents = run.parents(token)
        if parents is not None:
            left, right = parents
            assert text == run.id_to_token(left) + run.id_to_token(right)
            assert content == run.token_bytes(left) + run.token_bytes(right)


@given(corpora, recipes(), st.integers(0, 12), st.booleans())
def test_the_beginning_of_a_token_is_that_of_its_bytes(
    corpus: list[tuple[str, int]], recipe: Recipe, size: int, known: bool
) -> None:
    """Whether it has been spelled before or not."""
    run = run_of(corpus, recipe)
    for token in range(run.vocabulary_size(len(run))):
        if known:
            run.token_bytes(token)
        begins = run.beginning(token, size)
        assert begins == run.token_bytes(token)[:size]


def test_the_beginning_of_a_long_token_takes_no_more_than_itself() -> None:
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=20)
    run = run_of([("a" * (1 << 20), 1)], recipe)
    token = run.vocabulary_size(len(run)) - 1
    tracemalloc.start()
    assert run.beginning(token, 100) == b"a" * 100
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000


def test_a_token_that_doubles_takes_little_more_than_itself() -> None:
    size = 1 << 20
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=20)
    run = run_of([("a" * size, 1)], recipe)
    token = run.vocabulary_size(len(run)) - 1
    tracemalloc.start()
    content = run.token_bytes(token)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert content == b"a" * size
    assert most < 4 * size

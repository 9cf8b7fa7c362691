"""Where the merges of an encoding differ from what a corpus would have chosen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.taken_over import chosen_otherwise
from bpe_gui.bpe.recipe import preset
from tests import oracle
from tests.bpe.test_inherited import any_order, corpora
from tests.bpe.test_trainer import trained


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12), corpora)
def test_it_is_what_the_oracle_counts(
    pairs: list[tuple[int, int]], corpus: list[tuple[str, int]]
) -> None:
    inherited = any_order("ab", pairs, 0)
    recipe = preset("raw").with_changes(vocabulary_size=None, inherited=inherited)
    run = oracle.train(corpus, recipe)
    differing, absent, first = 0, 0, {}
    for step in range(len(inherited)):
        ranked = run.positions[step].pairs
        merged = run.merges[step][:2]
        count = next((pair[2] for pair in ranked if pair[:2] == merged), 0)
        absent += count == 0
        if ranked and ranked[0][2] > count:
            differing += 1
            first.setdefault(ranked[0][:2], (step, *ranked[0]))
    found = chosen_otherwise(trained(corpus, recipe, compiled=False).history, 3)
    assert (found.given, found.differing, found.absent) == (len(inherited), differing, absent)
    assert found.first == tuple(first.values())[:3]


def test_a_run_of_its_own_has_none() -> None:
    history = trained([("abab", 1)], preset("raw"), compiled=False).history
    assert chosen_otherwise(history, 3).given == 0

"""What merges change among the most frequent pairs, against a count of all pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.pair_changes import Kind, PairChange, pair_changes
from bpe_gui.bpe.history import TOP
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_equals_a_comparison_of_two_counts(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    words = WordCounts.from_pairs(corpus, recipe, compiled=False)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(10_000)
    history, run = trainer.history, oracle.train(corpus, recipe)
    position = data.draw(st.integers(0, len(history)))
    changes = pair_changes(history, position)
    if position == 0:
        assert changes == {}
        return
    before, now = (
        {(left, right): count for left, right, count in run.positions[at].pairs[:TOP]}
        for at in (position - 1, position)
    )
    token = int(history.new_id[position - 1])
    for pair, count in now.items():
        change = changes.pop(pair, None)
        if pair not in before:
            assert change == (PairChange(Kind.NEW, count) if token in pair else None)
        elif count < before[pair]:
            assert change == PairChange(Kind.FELL, before[pair] - count)
        else:
            was, ranks = list(before), list(now)
            overtaken = tuple(
                one for one in ranks[ranks.index(pair) + 1 :]
                if one in before and was.index(one) < was.index(pair)
            )  # fmt: skip
            rose = PairChange(Kind.ROSE, len(overtaken), overtaken)
            assert change == (rose if overtaken else None)
            assert all(now[one] < before[one] for one in overtaken)
    assert changes == {}


def test_positions_outside_are_refused() -> None:
    words = WordCounts.from_pairs(FOUR_WORDS, preset("whitespace"))
    history = Trainer(words, preset("whitespace"), compiled=False).history
    with pytest.raises(IndexError, match="outside"):
        pair_changes(history, 1)

"""What-if branches against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.intervention import Decision, Intervention, InterventionError
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes


def branch(
    corpus: list[tuple[str, int]], recipe: Recipe, interventions: list[Intervention]
) -> Trainer:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe), recipe, interventions=interventions)
    while trainer.advance(5) == 5:
        pass
    return trainer


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_equals_the_oracle(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    interventions: list[Intervention] = []
    for _ in range(data.draw(st.integers(1, 3))):
        history = branch(corpus, recipe, interventions).history
        # At one step several pairs may be forbidden, and at last one forced.
        begin = max((i.step + (i.decision is Decision.FORCE) for i in interventions), default=0)
        if begin >= len(history):
            break
        step = data.draw(st.integers(begin, len(history) - 1))
        top = history.top(step)
        if not len(top):
            break
        place = data.draw(st.integers(0, len(top) - 1))
        decision = data.draw(st.sampled_from(list(Decision)))
        # A rare pair may be forced only if the recipe lets it be merged.
        if decision is Decision.FORCE and top.count[place] < recipe.min_frequency:
            continue
        interventions.append(
            Intervention(step, decision, int(top.left[place]), int(top.right[place]))
        )
    run = oracle.train(corpus, recipe, interventions)
    found = branch(corpus, recipe, interventions).history
    merges = zip(found.left.tolist(), found.right.tolist(), found.new_id.tolist(), strict=True)
    assert list(merges) == run.merges
    assert found.tokens.tolist() == [position.tokens for position in run.positions]
    for index, position in enumerate(run.positions):
        top = found.top(index)
        shown = zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
        assert list(shown) == position.pairs[:20]


def test_without_the_winner_the_next_one_wins() -> None:
    recipe = preset("whitespace")
    history = branch(FOUR_WORDS, recipe, []).history
    winner = Intervention(0, Decision.FORBID, int(history.left[0]), int(history.right[0]))
    other = branch(FOUR_WORDS, recipe, [winner]).history
    assert (other.text(int(other.left[0])), other.text(int(other.right[0]))) == ("s", "t")


def test_a_pair_that_does_not_compete_is_refused() -> None:
    with pytest.raises(InterventionError, match="not among the 20 most frequent"):
        branch(FOUR_WORDS, preset("whitespace"), [Intervention(0, Decision.FORCE, 0, 0)])

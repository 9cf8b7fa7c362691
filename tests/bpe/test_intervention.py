"""What-if branches against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import Decision, History, Intervention, InterventionError
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.test_trainer import (
    FOUR_WORDS,
    corpora,
    marked_corpora,
    marked_recipes,
    recipes,
)


def branch(
    corpus: list[tuple[str, int]], recipe: Recipe, interventions: list[Intervention]
) -> Trainer:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe), recipe, interventions=interventions)
    while trainer.advance(5) == 5:
        pass
    return trainer


def assert_equals_oracle(
    corpus: list[tuple[str, int]], recipe: Recipe, interventions: list[Intervention]
) -> None:
    run = oracle.train(corpus, recipe, interventions)
    found = branch(corpus, recipe, interventions).history
    merges = zip(found.left.tolist(), found.right.tolist(), found.new_id.tolist(), strict=True)
    assert list(merges) == run.merges
    assert found.tokens.tolist() == [position.tokens for position in run.positions]
    for index, position in enumerate(run.positions):
        top = found.top(index)
        shown = zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
        assert list(shown) == position.pairs[:20]


Row = tuple[int, int, list[int], list[int], list[int]]


def row_of(history: History, position: int) -> Row:
    """All that can be read about a position."""
    top = history.top(position)
    return (
        int(history.tokens[position]),
        int(history.distinct[position]),
        top.left.tolist(),
        top.right.tolist(),
        top.count.tolist(),
    )


@given(
    corpus=corpora | marked_corpora, recipe=recipes() | marked_recipes(), data=st.data()
)
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
    assert_equals_oracle(corpus, recipe, interventions)


def test_without_the_winner_the_next_one_wins() -> None:
    recipe = preset("whitespace")
    history = branch(FOUR_WORDS, recipe, []).history
    winner = Intervention(0, Decision.FORBID, int(history.left[0]), int(history.right[0]))
    other = branch(FOUR_WORDS, recipe, [winner]).history
    assert (other.id_to_token(int(other.left[0])), other.id_to_token(int(other.right[0]))) == (
        "s",
        "t",
    )


def test_a_pair_that_does_not_compete_is_refused() -> None:
    with pytest.raises(InterventionError, match="not among the 20 most frequent"):
        branch(FOUR_WORDS, preset("whitespace"), [Intervention(0, Decision.FORCE, 0, 0)])


def test_a_step_before_the_first_is_refused() -> None:
    with pytest.raises(InterventionError, match="step -1 is before the first merge"):
        Intervention(-1, Decision.FORCE, 0, 1)


def test_a_decision_for_a_step_that_the_run_does_not_get_to_changes_nothing() -> None:
    recipe = preset("whitespace")
    history = branch(FOUR_WORDS, recipe, []).history
    decided = [Intervention(10**12, Decision.FORCE, 0, 1)]
    other = branch(FOUR_WORDS, recipe, decided).history
    assert other.equals(history)
    assert other.stopped is history.stopped


@pytest.mark.parametrize("end", ["followed", "refused"])
def test_no_row_changes_once_it_can_be_read(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """Another thread may read as soon as merges are committed; here that very moment is taken."""
    recipe = preset("whitespace")
    decided: list[Intervention] = []
    for step in (2, 5):
        history = branch(FOUR_WORDS, recipe, decided).history
        pair = int(history.left[step]), int(history.right[step])
        decided.append(Intervention(step, Decision.FORBID, *pair))
    if end == "refused":
        decided.append(Intervention(5, Decision.FORBID, 0, 0))
    seen: list[Row] = []

    def commit(history: History, merges: int) -> None:
        committed(history, merges)
        seen.extend(row_of(history, position) for position in range(len(seen), len(history) + 1))

    committed = History.commit
    monkeypatch.setattr(History, "commit", commit)
    words = WordCounts.from_pairs(FOUR_WORDS, recipe)
    trainer = Trainer(words, recipe, interventions=decided)
    if end == "refused":
        with pytest.raises(InterventionError):
            trainer.advance(100)
    trainer.advance(100)
    history = trainer.history
    assert len(history) > 5
    assert seen == [row_of(history, position) for position in range(len(history) + 1)]
    for each in decided[:2]:
        _, _, left, right, _ = seen[each.step]
        assert (each.left, each.right) not in list(zip(left, right, strict=True))

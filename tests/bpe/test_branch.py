"""Branches and how they are compared."""

from __future__ import annotations

from bpe_gui.bpe.branch import Branch, compare, sentence
from bpe_gui.bpe.intervention import Decision, Intervention
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import FOUR_WORDS

RECIPE = preset("whitespace")


def trained(interventions: tuple[Intervention, ...] = ()) -> Branch:
    words = WordCounts.from_pairs(FOUR_WORDS, RECIPE)
    trainer = Trainer(words, RECIPE, interventions=interventions)
    trainer.advance(100)
    return Branch("run", words, trainer.history, interventions)


def winner_at(branch: Branch, step: int, decision: Decision) -> Intervention:
    history = branch.history
    return Intervention(step, decision, int(history.left[step]), int(history.right[step]))


def test_a_branch_parts_where_it_was_decided_otherwise() -> None:
    trunk = trained()
    other = trained(trunk.then(winner_at(trunk, 1, Decision.FORBID)))
    comparison = compare(trunk.history, other.history)
    assert comparison.parts_at == 1
    assert comparison.only_first > 0
    assert comparison.only_second > 0
    assert "part at merge 2." in sentence(comparison, "trunk", "branch")


def test_equal_runs_do_not_part() -> None:
    comparison = compare(trained().history, trained().history)
    assert comparison.parts_at is None
    assert (comparison.only_first, comparison.only_second) == (0, 0)
    assert "are the same" in sentence(comparison, "a", "b")


def test_a_branch_of_a_branch_forgets_what_was_decided_later() -> None:
    trunk = trained()
    late = winner_at(trunk, 5, Decision.FORBID)
    branch = trained(trunk.then(late))
    early = winner_at(trunk, 2, Decision.FORBID)
    assert branch.then(early) == (early,)
    later = winner_at(branch, 6, Decision.FORBID)
    assert branch.then(later) == (late, later)

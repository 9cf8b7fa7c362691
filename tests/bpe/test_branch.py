"""Branches and how they are compared."""

from __future__ import annotations

from bpe_gui.bpe.branch import Branch, compare, decided_text, sentence
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
    return Branch("run", words, trainer.history)


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


def test_several_decisions_at_one_step() -> None:
    trunk = trained()
    history = trunk.history
    top = history.top(3)
    pairs = list(zip(top.left.tolist(), top.right.tolist(), strict=True))
    forbid, force = Decision.FORBID, Decision.FORCE
    first = trained(trunk.then(Intervention(3, forbid, *pairs[0])))
    both = trained(first.then(Intervention(3, forbid, *pairs[1])))
    assert [i.left for i in both.history.interventions] == [pairs[0][0], pairs[1][0]]
    forced = trained(both.then(Intervention(3, force, *pairs[2])))
    assert len(forced.history.interventions) == 3
    assert forced.history.next_pair(3) == pairs[2]
    other = forced.then(Intervention(3, force, *pairs[3]))
    assert [i.decision for i in other] == [forbid, forbid, force]
    assert (other[-1].left, other[-1].right) == pairs[3]
    after_all = forced.then(Intervention(3, forbid, *pairs[2]))
    assert [i.decision for i in after_all] == [forbid] * 3


def test_what_was_decided_is_said() -> None:
    history = trained().history
    decided = winner_at(trained(), 0, Decision.FORBID)
    assert decided_text(history, decided) == "without e + s at merge 1"

"""Branches and how they are compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.branches import Branch, compare, decided_text, sentence
from bpe_gui.bpe.history import Decision, Intervention
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes

RECIPE = preset("whitespace")


def run(words: WordCounts, recipe: Recipe, interventions: tuple[Intervention, ...]) -> Branch:
    trainer = Trainer(words, recipe, interventions=interventions, compiled=False)
    trainer.advance(10_000)
    return Branch("run", words, trainer.history)


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
    made = {other.history.token_bytes(token) for token in other.history.new_id.tolist()}
    assert comparison.first_tokens
    assert not made & {trunk.history.token_bytes(token) for token in comparison.first_tokens}
    assert "differ from merge 2 on." in sentence(comparison, "trunk", "branch")


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


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_what_a_branch_shares_is_the_same(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    words = WordCounts.from_pairs(corpus, recipe)
    trunk, decisions = run(words, recipe, ()), list(Decision)
    for _ in range(3):
        history = trunk.history
        step = data.draw(st.integers(0, len(history)))
        top = history.top(step)
        if not len(top):
            return
        place = data.draw(st.integers(0, len(top) - 1))
        pair = int(top.left[place]), int(top.right[place])
        intervention = Intervention(step, data.draw(st.sampled_from(decisions)), *pair)
        shared = trunk.shared(intervention)
        branch = run(words, recipe, trunk.then(intervention))
        assert step <= shared <= len(history) or trunk.history.interventions
        for ours, theirs in (
            (history.left, branch.history.left),
            (history.right, branch.history.right),
        ):
            assert ours[:shared].tolist() == theirs[:shared].tolist()
        trunk = branch


def test_what_is_never_merged_changes_nothing_when_it_is_forbidden() -> None:
    trunk = trained()
    history = trunk.history
    merged = set(zip(history.left.tolist(), history.right.tolist(), strict=True))
    top = history.top(1)
    never = [
        pair
        for pair in zip(top.left.tolist(), top.right.tolist(), strict=True)
        if pair not in merged
    ]
    assert never
    assert trunk.shared(Intervention(1, Decision.FORBID, *never[0])) == len(history)
    assert trunk.shared(Intervention(1, Decision.FORCE, *never[0])) == 1
    late = winner_at(trunk, 6, Decision.FORBID)
    assert trunk.shared(Intervention(1, Decision.FORBID, late.left, late.right)) == 6


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


def test_a_decision_that_a_run_has_not_got_to_is_told_by_ids() -> None:
    trunk = trained()
    decided = Intervention(3, Decision.FORBID, 12, 7)
    words, history = trunk.words, trunk.history
    short = Trainer(words, RECIPE, interventions=(decided,)).history
    assert decided_text(history, decided) != decided_text(short, decided)
    assert decided_text(short, decided) == "without token 12 + token 7 at merge 4"

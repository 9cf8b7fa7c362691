"""What the history alone tells of a merge, at once; the words are looked through later."""

from __future__ import annotations

from typing import cast

from msgspec import Struct

from bpe_gui.analysis.explain import TIE_BREAKERS, Change, Explanation, forbidden_pairs, sentence
from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.analysis.visible import visible_quote
from bpe_gui.bpe.history import TOP, History, StopReason
from bpe_gui.bpe.recipe import Ties


class MergeFacts(Struct, frozen=True):
    """One merge, done or about to be done, at a position.

    step: the merge, counted from 0; it makes `new_id` of `left` and `right`.
    ahead: whether the position is the one before the merge, else it is the one after it.
    done: whether the merge is in the history. If not, no token has the id `new_id` yet.
    runner_up: the most frequent other pair, None if there was none.
    tied: the other pairs with the same count, in the order of the rule for ties, as far as
        they are known; `all_tied` tells whether that is all of them.
    forced: somebody chose this pair, though the counts led with another.
    tokens: how many tokens the corpus had before and after, None if it is not done.
    stopped: why the run ended, if it ended with this merge.
    given: the name of the encoding that it was taken over from; empty if it was trained.
    """

    step: int
    left: int
    right: int
    new_id: int
    count: int
    ahead: bool
    done: bool
    runner_up: Change | None
    tied: tuple[tuple[int, int], ...]
    all_tied: bool
    ties: Ties
    forced: bool
    tokens: tuple[int, int] | None
    stopped: StopReason | None
    given: str = ""

    def title(self, *, moving: bool = False, last: bool = False, now: bool = False) -> str:
        """Tell which merge this is, and whether it is still to come.

        In motion (`moving`) the cursor may be elsewhere by the time this is read. `last` tells
        that the cursor is behind the merge, though the position that was asked about is not; `now`
        that the merge is under way.
        """
        when = "Next" if self.ahead and not last else "Last"
        when = "On the way" if moving else "Now" if now else when
        return f"{when}: merge {self.step + 1:,}"

    def fits(self, explanation: Explanation) -> bool:
        """Tell whether an explanation is about this merge."""
        told = (explanation.step, explanation.left, explanation.right, explanation.new_id)
        own = (self.step, self.left, self.right, self.new_id)
        return (*told, explanation.count) == (*own, self.count)


def merge_facts(history: History, position: int) -> MergeFacts | None:
    """Return the merge that comes next at a position; where a run has ended, its last one.

    None if there is no such merge.
    """
    step = position
    pair = next_pair(history, step)
    if pair is None and position > 0:
        step = position - 1
        pair = next_pair(history, step)
    if pair is None:
        return None
    done = step < len(history)
    given = history.encoding_of(step) if done else ""
    top = history.top(step)
    ranked = list(zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True))
    others = [Change(*row) for row in ranked if row[:2] != pair]
    count = int(history.count[step]) if done else int(top.count[0])
    return MergeFacts(
        step=step,
        left=pair[0],
        right=pair[1],
        new_id=int(history.new_id[step]) if done else history.merged_id(step, *pair),
        count=count,
        ahead=step == position,
        done=done,
        runner_up=others[0] if others else None,
        tied=tuple((other.left, other.right) for other in others if other.amount == count),
        all_tied=len(ranked) < TOP or ranked[-1][2] < count,
        ties=history.recipe.ties,
        forced=not given and ranked[0][:2] != pair,
        tokens=(int(history.tokens[step]), int(history.tokens[step + 1])) if done else None,
        stopped=history.stopped if step + 1 == len(history) else None,
        given=given,
    )


def merge_sentence(history: History, facts: MergeFacts, explanation: Explanation | None) -> str:
    """Return the merge in one sentence that can be read aloud.

    Without an explanation it tells what the history knows; that is the same but where more
    pairs are tied than the history ranks.
    """
    if explanation is None:
        explanation = Explanation(
            step=facts.step,
            left=facts.left,
            right=facts.right,
            new_id=facts.new_id,
            count=facts.count,
            shares=(),
            runner_up=facts.runner_up,
            tied=facts.tied,
            ties=facts.ties,
            lost=(),
            gained=(),
            saved=0,
            stopped=None,
            forced=facts.forced,
            forbidden=len(forbidden_pairs(history, facts.step)),
            given=facts.given,
        )
        if not facts.all_tied and not facts.forced and not facts.given:
            return _with_unknown_ties(history, facts)
    return sentence(explanation, cast(History, Contents(history, facts)))


def _with_unknown_ties(history: History, facts: MergeFacts) -> str:
    contents = Contents(history, facts)
    left, right, new = (
        f"“{contents.shown(token)}”" for token in (facts.left, facts.right, facts.new_id)
    )
    times = "once" if facts.count == 1 else f"{facts.count:,} times"
    rule = TIE_BREAKERS[facts.ties]
    return (
        f"{left} and {right} are neighbours {times} in the corpus, as often as at least "
        f"{len(facts.tied):,} other pairs; the tie is broken by {rule}, so they become {new}."
    )


class Contents:
    """What tokens stand for, also the one that a merge is about to make."""

    def __init__(self, history: History, facts: MergeFacts) -> None:
        self._history = history
        self._facts = facts

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token. Raises IndexError for one that there is not."""
        facts = self._facts
        if token == facts.new_id and not facts.done:
            return self._history.token_bytes(facts.left) + self._history.token_bytes(facts.right)
        return self._history.token_bytes(token)

    def shown(self, token: int) -> str:
        """Return a token as it is shown."""
        return visible_quote(self.token_bytes(token))

"""Branches of a run: the same corpus and recipe, with other decisions from some step on."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct

from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.words import WordCounts
from bpe_gui.progress import counted


class BranchState(StrEnum):
    """What becomes of a branch just now."""

    TRAINING = "training"
    PAUSED = "paused"
    FINISHED = "finished"
    """The recipe has stopped it."""
    STOPPED = "stopped"
    """It could be trained on, but is not: another one is, or none."""


class Branch(Struct, eq=False, weakref=True):
    """A run that can be gone back to, under a name that may be changed.

    The run without interventions is a branch like any other, the trunk.
    """

    name: str
    words: WordCounts
    history: History

    def then(self, intervention: Intervention) -> tuple[Intervention, ...]:
        """Return the decisions of a branch from this one: those before the step, and the new one.

        At one step several pairs may be forbidden, but only one forced: the last. A pair
        that was forbidden there may be forced after all, and the other way round.
        """
        decided = (intervention.left, intervention.right)
        kept = [
            earlier
            for earlier in self.history.interventions
            if earlier.step < intervention.step
            or (
                earlier.step == intervention.step
                and (earlier.left, earlier.right) != decided
                and (earlier.decision, intervention.decision) != (Decision.FORCE, Decision.FORCE)
            )
        ]
        return (*kept, intervention)

    def shared(self, intervention: Intervention) -> int:
        """Find the last position up to which a branch with one more decision is the same as this.

        A pair that is forbidden may have been merged much later, or never; what was decided
        at that step or later and is not decided any more counts as if it changed something.
        """
        kept = self.then(intervention)
        ends = [earlier.step for earlier in self.history.interventions if earlier not in kept]
        step, length = intervention.step, len(self.history)
        if intervention.decision is Decision.FORCE:
            ends.append(step)
        else:
            # The run may go on growing meanwhile.
            left, right = self.history.left[step:length], self.history.right[step:length]
            merged = np.flatnonzero((left == intervention.left) & (right == intervention.right))
            ends += (merged[:1] + step).tolist()
        return min(ends, default=length)


def decided_text(history: History, intervention: Intervention) -> str:
    """Write a decision in a few words, with the history that it was made for.

    A run that has not got to it yet, or was ended before, may not know the tokens: they are
    called by their ids.
    """
    tokens = (intervention.left, intervention.right)
    if max(tokens) < history.vocabulary_size(len(history)):
        pair = visible_pair(*(history.token_bytes(token) for token in tokens))
    else:
        pair = " + ".join(f"token {token}" for token in tokens)
    verb = "without" if intervention.decision is Decision.FORBID else "with"
    return f"{verb} {pair} at merge {intervention.step + 1:,}"


NAMED = 60
"""So many of the tokens that only one of two branches has are named."""


class BranchComparison(Struct, frozen=True):
    """How two histories of one corpus differ, after as many merges as both have done.

    parts_at: the first step at which they merge different pairs, None if one is the
        beginning of the other.
    only_first, only_second: how many merged tokens one has and the other lacks.
    first_tokens, second_tokens: the ids of the first of those, each in its own history, in
        the order of their merges; at most NAMED.
    bytes_per_token: of the corpus, of both.
    """

    merges: int
    parts_at: int | None
    only_first: int
    only_second: int
    first_tokens: tuple[int, ...]
    second_tokens: tuple[int, ...]
    bytes_per_token: tuple[float, float]


def compare(first: History, second: History) -> BranchComparison:
    """Compare two histories at the last position that both have."""
    merges = min(len(first), len(second))
    differ = np.flatnonzero(
        (first.left[:merges] != second.left[:merges])
        | (first.right[:merges] != second.right[:merges])
    )
    made = [
        {history.token_bytes(token): token for token in history.new_id[:merges].tolist()}
        for history in (first, second)
    ]
    only_first, only_second = _lacking(made[0], made[1]), _lacking(made[1], made[0])
    per_token = [
        history.corpus_bytes / max(1, int(history.tokens[merges])) for history in (first, second)
    ]
    return BranchComparison(
        merges=merges,
        parts_at=int(differ[0]) if len(differ) else None,
        only_first=len(only_first),
        only_second=len(only_second),
        first_tokens=tuple(only_first[:NAMED]),
        second_tokens=tuple(only_second[:NAMED]),
        bytes_per_token=(per_token[0], per_token[1]),
    )


def _lacking(made: dict[bytes, int], other: dict[bytes, int]) -> list[int]:
    return [token for content, token in made.items() if content not in other]


def sentence(comparison: BranchComparison, first: str, second: str) -> str:
    """Write the comparison in words, with the names of both branches."""
    merges = counted(comparison.merges, "merge")
    if comparison.parts_at is None:
        return f"“{first}” and “{second}” are the same for their first {merges}."
    return (
        f"“{first}” and “{second}” differ from merge {comparison.parts_at + 1:,} on. After "
        f"{merges} the first has {counted(comparison.only_first, 'token')} that the second lacks, "
        f"and the second has {comparison.only_second:,} that the first lacks."
    )

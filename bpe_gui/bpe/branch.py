"""Branches of a run: the same corpus and recipe, with other decisions from some step on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bpe_gui.bpe.history import History
from bpe_gui.bpe.intervention import Intervention
from bpe_gui.bpe.words import WordCounts


@dataclass(eq=False)
class Branch:
    """A run that can be gone back to, under a name that may be changed.

    The run without interventions is a branch like any other, the trunk.
    """

    name: str
    words: WordCounts
    history: History
    interventions: tuple[Intervention, ...] = field(default=())

    def then(self, intervention: Intervention) -> tuple[Intervention, ...]:
        """The decisions of a branch from this one: those before the step, and the new one."""
        kept = [
            earlier
            for earlier in self.interventions
            if earlier.step < intervention.step
            or (earlier.step == intervention.step and earlier.decision != intervention.decision)
        ]
        return (*kept, intervention)


@dataclass(frozen=True, slots=True)
class BranchComparison:
    """How two histories of one corpus differ.

    parts_at: the first step at which they merge different pairs, None if one is the
        beginning of the other.
    only_first, only_second: how many merged tokens one has and the other lacks, after as
        many merges as both have done.
    bytes_per_token: of the corpus, of both, after as many merges.
    """

    merges: int
    parts_at: int | None
    only_first: int
    only_second: int
    bytes_per_token: tuple[float, float]


def compare(first: History, second: History) -> BranchComparison:
    """Compare two histories at the last position that both have."""
    merges = min(len(first), len(second))
    differ = np.flatnonzero(
        (first.left[:merges] != second.left[:merges])
        | (first.right[:merges] != second.right[:merges])
    )
    made = [
        {history.content(token) for token in history.new_id[:merges].tolist()}
        for history in (first, second)
    ]
    per_token = [
        history.corpus_bytes / max(1, int(history.tokens[merges])) for history in (first, second)
    ]
    return BranchComparison(
        merges=merges,
        parts_at=int(differ[0]) if len(differ) else None,
        only_first=len(made[0] - made[1]),
        only_second=len(made[1] - made[0]),
        bytes_per_token=(per_token[0], per_token[1]),
    )


def sentence(comparison: BranchComparison, first: str, second: str) -> str:
    """The comparison in words, with the names of both branches."""
    if comparison.parts_at is None:
        return f"{first} and {second} are the same for their first {comparison.merges:,} merges."
    one, other = comparison.bytes_per_token
    return (
        f"{first} and {second} part at merge {comparison.parts_at + 1:,}. After "
        f"{comparison.merges:,} merges {comparison.only_first:,} tokens are only in {first} and "
        f"{comparison.only_second:,} only in {second}; {one:.4f} and {other:.4f} bytes per token."
    )

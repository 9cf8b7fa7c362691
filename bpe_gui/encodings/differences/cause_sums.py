"""The differences of two encodings on a text, kind by kind, and summed by their causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bpe_gui.encodings.base import turn_of_all
from bpe_gui.encodings.differences.alignment import Alignment
from bpe_gui.encodings.differences.causes import Cause, sentence
from bpe_gui.encodings.differences.find_causes import causes, counted_cause
from bpe_gui.encodings.differences.kinds import kinds_of


@dataclass(frozen=True, slots=True)
class ExplainedKind:
    """Hold a kind of differences of two encodings and its cause; see `counted_cause`.

    places: how many differences. more_tokens: how many more tokens the second encoding has in all
    of them. content: the bytes of its text.
    """

    content: bytes
    places: int
    more_tokens: int
    cause: Cause


@dataclass(slots=True)
class CauseSum:
    """Sum the differences of two encodings that are counted for the same kind of cause.

    places: how many differences. more_tokens: how many more tokens the second encoding has there.
    example: the text of its costliest kind; said: the cause of that in a sentence.
    """

    title: str
    example: bytes
    said: str
    places: int = 0
    more_tokens: int = 0


def explained_kinds(
    alignment: Alignment, progress: Callable[[int, int], object] = lambda done, total: None
) -> Iterator[ExplainedKind]:
    """Explain each kind of the differences of two lanes once, those that cost most tokens first.

    progress: called with how many kinds are done, and how many there are; may raise to give up.
    """
    kinds = kinds_of(alignment)
    costs = kinds.costs(0, 1)
    encodings = [cut.encoding for cut in alignment.cuts]
    order = np.lexsort((-kinds.counts, -np.abs(costs))).tolist()
    for done, kind in enumerate(order, 1):
        progress(done, len(order))
        with turn_of_all(encodings):
            found = causes(alignment, int(kinds.firsts[kind]), 0, 1)
        cause = counted_cause(found, int(costs[kind]))
        yield ExplainedKind(
            kinds.text(kind), int(kinds.counts[kind]), int(costs[kind]), cause
        )


def sum_causes(kinds: Iterable[ExplainedKind], names: Sequence[str]) -> tuple[CauseSum, ...]:
    """Sum kinds by their causes, the most tokens first. names: of the two encodings."""
    sums: dict[str, CauseSum] = {}
    for kind in kinds:
        title = kind.cause.title
        if title not in sums:
            sums[title] = CauseSum(title, kind.content, sentence(kind.cause, names))
        sums[title].places += kind.places
        sums[title].more_tokens += kind.more_tokens
    return tuple(sorted(sums.values(), key=lambda one: (-abs(one.more_tokens), -one.places)))

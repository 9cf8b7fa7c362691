"""The differences of two encodings on a text, kind by kind, and summed by their causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from bpe_gui.encodings.base import turn_of_all
from bpe_gui.encodings.differences.alignment import Alignment
from bpe_gui.encodings.differences.causes import Cause, NotExplained, sentence
from bpe_gui.encodings.differences.find_causes import causes, counted_cause
from bpe_gui.encodings.differences.kinds import kinds_of

_MOST_EXPLAINED = 20_000
"""Kinds of differences that are explained, which takes up to a millisecond each. Encodings that
split text have fewer, even on megabytes; one that does not may have a kind for each sentence."""


class ExplainedKind(Struct, frozen=True):
    """Hold a kind of differences of two encodings and its cause; see `counted_cause`.

    places: how many differences. more_tokens: how many more tokens the second encoding has in all
    of them. content: the bytes of its text.
    """

    content: bytes
    places: int
    more_tokens: int
    cause: Cause


class CauseSum(Struct):
    """Sum the differences of two encodings that are counted for the same kind of cause.

    places: how many differences. uneven: in how many of these the second encoding has more tokens
    or fewer, not as many. more_tokens: how many more it has in those where it has more.
    fewer_tokens: how many fewer it has in those where it has fewer.
    examples: the text and the cause, in a sentence, of the kind of differences that adds most
    tokens, then of the one that saves most; of any kind if none does either.
    """

    title: str
    places: int = 0
    uneven: int = 0
    more_tokens: int = 0
    fewer_tokens: int = 0
    examples: tuple[tuple[bytes, str], ...] = ()


def explained_kinds(
    alignment: Alignment, progress: Callable[[int, int], object] = lambda done, total: None
) -> Iterator[ExplainedKind]:
    """Explain each kind of the differences of two lanes once, those that cost most tokens first.

    The cause of those behind the first `_MOST_EXPLAINED` is NotExplained.
    progress: called with how many kinds are done, and how many there are; may raise to give up.
    """
    kinds = kinds_of(alignment)
    costs = kinds.costs(0, 1)
    encodings = [cut.encoding for cut in alignment.cuts]
    order = np.lexsort((-kinds.counts, -np.abs(costs))).tolist()
    for done, kind in enumerate(order, 1):
        progress(done, len(order))
        difference = int(kinds.firsts[kind])
        if done > _MOST_EXPLAINED:
            place = int(alignment.starts[difference]), int(alignment.ends[difference])
            cause: Cause = NotExplained(1, 0, *place, explained=_MOST_EXPLAINED)
        else:
            with turn_of_all(encodings):
                found = causes(alignment, difference, 0, 1)
            cause = counted_cause(found, int(costs[kind]))
        yield ExplainedKind(
            kinds.text(kind), int(kinds.counts[kind]), int(costs[kind]), cause
        )


def sum_causes(kinds: Iterable[ExplainedKind], names: Sequence[str]) -> tuple[CauseSum, ...]:
    """Sum kinds by their causes, the most tokens first, whether they are added or saved.

    kinds: those that cost most tokens come first. names: of the two encodings.
    """
    sums: dict[str, CauseSum] = {}
    for kind in kinds:
        title = kind.cause.title
        one = sums.setdefault(title, CauseSum(title))
        adds, saves = kind.more_tokens > 0, kind.more_tokens < 0
        if not one.examples or (adds and not one.more_tokens) or (saves and not one.fewer_tokens):
            example = kind.content, sentence(kind.cause, names)
            one.examples = (example, *one.examples) if adds else (*one.examples, example)
        one.places += kind.places
        one.uneven += kind.places if adds or saves else 0
        one.more_tokens += max(kind.more_tokens, 0)
        one.fewer_tokens += max(-kind.more_tokens, 0)
    return tuple(
        sorted(sums.values(), key=lambda one: (-one.more_tokens - one.fewer_tokens, -one.places))
    )

"""Explain every difference of an alignment in sentences, for lists that have a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from bpe_gui.encodings.differences.alignment import Alignment, align
from bpe_gui.encodings.differences.causes import BY_WEIGHT, Cause, sentence
from bpe_gui.encodings.differences.contexts import contexts_of
from bpe_gui.encodings.differences.find_causes import SegmentCauses, effect_on_second
from bpe_gui.encodings.differences.kinds import agreement, kinds_of
from bpe_gui.encodings.differences.segments import MAX_LENGTH
from bpe_gui.encodings.differences.surroundings import Surroundings

_FIRST, _OTHER = "\0", "\1"
"""Placeholders for the names of two lanes. Sentences write control characters out, as ‹SOH›."""


class LaneCause(Struct, frozen=True):
    """Hold why a lane differs from the first: the title of the cause, a sentence, and its effect.

    effect: 1 if by such a cause alone the lane has more tokens or as many, -1 if it has fewer or as
        many, else 0.
    """

    lane: int
    title: str
    sentence: str
    effect: int


class _Said(Struct, frozen=True):
    """Hold a cause as a sentence, with placeholders for the names of the lanes."""

    weight: int
    title: str
    sentence: str
    effect: int


class _AllSaid(Struct, frozen=True, eq=False):
    """Hold all causes of a difference of two lanes, the most important first, equal ones once."""

    causes: tuple[_Said, ...]


class ExplainedDifferences:
    """Say why the other lanes of an alignment differ from the first, difference by difference.

    names: of the lanes, for the sentences. check: called every now and then while that is
        prepared, which takes seconds for a megabyte; may raise to give up.
    """

    def __init__(
        self,
        alignment: Alignment,
        names: Sequence[str],
        check: Callable[[], object] = lambda: None,
    ) -> None:
        check()
        self._agreement = agreement(alignment).T
        others = range(1, len(alignment.cuts))
        self._pairs = [_TwoLanes(alignment, lane, check) for lane in others]
        self._names = names
        self._named: dict[tuple[int, str], str] = {}
        self._known: dict[tuple[object, ...], tuple[LaneCause, ...]] = {}

    def causes(self, difference: int) -> tuple[LaneCause, ...]:
        """List the causes of all lanes, in the order of `by_weight(groups(...))`.

        Returns the same object again where it can.
        """
        groups: dict[int, list[int]] = {}
        for lane, found in enumerate(self._agreement[difference].tolist()):
            groups.setdefault(found, []).append(lane)
        others = [
            (lane, self._pairs[lane - 1].causes(difference))
            for lanes in sorted(groups.values(), key=lambda lanes: (-len(lanes), lanes))
            for lane in (lanes if lanes[0] else ())
        ]
        key = tuple(others)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._causes(others)
        return self._known[key]

    def _causes(self, others: Sequence[tuple[int, _AllSaid]]) -> tuple[LaneCause, ...]:
        alike: dict[_Said, list[int]] = {}
        for lane, found in others:
            for said in found.causes:
                alike.setdefault(said, []).append(lane)
        return tuple(
            LaneCause(lane, said.title, self._sentence(lane, said.sentence), said.effect)
            for said, lanes in sorted(alike.items(), key=lambda item: item[0].weight)
            for lane in lanes
        )

    def _sentence(self, lane: int, said: str) -> str:
        """Put the names of the lanes into a sentence."""
        key = lane, said
        if key not in self._named:
            if len(self._named) >= _MOST_KNOWN:
                self._named.clear()
            names = {ord(_FIRST): self._names[0], ord(_OTHER): self._names[lane]}
            self._named[key] = said.translate(names)
        return self._named[key]


_MOST_KNOWN = 100_000


class _TwoLanes:
    """Explain the differences between the first lane and another one."""

    def __init__(
        self, alignment: Alignment, lane: int, check: Callable[[], object]
    ) -> None:
        check()
        both = align(alignment.text, [alignment.cuts[0], alignment.cuts[lane]])
        starts, ends = both.starts, both.ends
        near = np.minimum(alignment.ends, alignment.starts + MAX_LENGTH)
        within = starts.searchsorted(alignment.starts), starts.searchsorted(near)
        self._within = np.stack(within, axis=1)
        surroundings = Surroundings(both, check)
        check()
        contexts = contexts_of(both, starts, ends, surroundings, check)
        check()
        alike = kinds_of(both).of_difference, surroundings.numbers(starts, ends), contexts
        check()
        self._segments = np.stack([*alike, starts, ends], axis=1)
        self._causes = SegmentCauses(both, 0, 1)
        self._said: dict[Cause, _Said] = {}
        self._known: dict[tuple[int, ...], tuple[list[list[Cause]], _AllSaid]] = {}

    def causes(self, difference: int) -> _AllSaid:
        """List all causes of a difference; returns the same object again where it can."""
        first, after = self._within[difference].tolist()
        segments = self._segments[first:after].tolist()
        found = [self._causes.find(*segment) for segment in segments]
        key = tuple(map(id, found))
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            each = dict.fromkeys(self._say(cause) for causes in found for cause in causes)
            said = _AllSaid(tuple(sorted(each, key=lambda said: said.weight)))
            self._known[key] = found, said  # what was found is kept, so that its id stays its own
        return self._known[key][1]

    def _say(self, cause: Cause) -> _Said:
        """Put a cause into a sentence, once."""
        said = self._said.get(cause)
        if said is None:
            if len(self._said) >= _MOST_KNOWN:
                self._said.clear()
            weight, written = BY_WEIGHT.index(type(cause)), sentence(cause, (_FIRST, _OTHER))
            said = _Said(weight, cause.title, written, effect_on_second(cause))
            self._said[cause] = said
        return said

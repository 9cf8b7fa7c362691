"""Finds why two encodings tokenize a text differently: all causes, by importance.

Two lanes are compared in the segments between borders that both have, whatever the other lanes of
an alignment do. One rule per step of tokenization looks for its causes: unknown text, byte
fallback, special tokens, normalization, the split, the merges, spaces. Every cause is true of the
two lanes at that place; if a library does not tell enough, the cause is `NotKnown`.

If a step before the merges differs, the merges are done again over what both would read without
that step, and their causes say so (`Cause.read`). This needs two lanes that merge pairs, whose
merges tell how they tokenize the text as it is, and no markers of words' ends. What other models
would do with another text is not known: there the cause is the model, besides the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import TypeVar

import numpy as np
from msgspec import Struct

from bpe_gui.encodings.base import Model
from bpe_gui.encodings.differences.alignment import Alignment
from bpe_gui.encodings.differences.causes import (
    BY_WEIGHT,
    ByteFallback,
    Cause,
    DroppedText,
    NotKnown,
    SplitBoundary,
    Unknown,
    sentence,
)
from bpe_gui.encodings.differences.merge_paths import by_borders, by_tokens
from bpe_gui.encodings.differences.redone_merges import remaining_causes
from bpe_gui.encodings.differences.rules import (
    added_space,
    changed_text,
    dropped_text,
    end_of_word_markers,
    fallback_bytes,
    normalized_parts,
    special_tokens,
    split_boundaries,
    unknown_text,
)
from bpe_gui.encodings.differences.segments import MAX_LENGTH, LaneSegment, SegmentPair

_MOST_WORDS = 100_000
"""Words of two lanes whose causes are known."""


def causes(alignment: Alignment, difference: int, first: int, second: int) -> tuple[Cause, ...]:
    """Find why two lanes differ in a difference, the most important cause first.

    Returns no cause if they agree. The causes do not depend on the other lanes. A difference of
    several lanes may contain several differences of two of them: the result has the causes of all
    that begin near its start.

    >>> from bpe_gui.bpe.history import BaseVocabulary, History
    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.encodings.differences.alignment import CachedEncoder, align
    >>> from bpe_gui.encodings.ours import TrainedEncoding
    >>> base = BaseVocabulary.of(preset("raw"), "low")
    >>> run = TrainedEncoding(History.from_merges(preset("raw"), base, [(0, 1, 3)]))
    >>> cuts = [CachedEncoder(encoding).encode("low") for encoding in (run, run.at(0))]
    >>> [type(cause).__name__ for cause in causes(align("low", cuts), 0, 0, 1)]
    ['MissingMerge']
    """
    found: dict[Cause, None] = {}
    for pair in _pairs(alignment, difference, first, second):
        found |= dict.fromkeys(_causes_in(pair)[0])
    return tuple(sorted(found, key=lambda cause: BY_WEIGHT.index(type(cause))))


def counted_cause(found: Sequence[Cause], more_tokens: int) -> Cause:
    """Choose the cause that the tokens of a difference between lanes 0 and 1 are counted for.

    That is the most important one that does not point the other way. How many tokens each of
    several causes brings about is not known; but a split, say, cannot be why the lane that splits
    needs fewer. If all point the other way, it is the most important one.

    found: the causes, the most important first. more_tokens: how many more tokens lane 1 has than
        lane 0; below 0 for fewer.
    """
    return found[counted_place([effect_on_second(cause) for cause in found], more_tokens)]


def effect_on_second(cause: Cause) -> int:
    """Tell how the cause of a difference between lanes 0 and 1 points: see `Cause.effect`; 1 if by
    it lane 1 has more tokens.
    """
    return cause.effect if cause.lane == 1 else -cause.effect


def counted_place(effects: Sequence[int], more_tokens: int) -> int:
    """Find the place of the cause that `counted_cause` chooses among causes with some effects.

    >>> counted_place([-1, 0, 1], 5), counted_place([-1, 0, 1], -5), counted_place([-1, -1], 5)
    (1, 0, 0)
    """
    points_right = (place for place, it in enumerate(effects) if it * more_tokens >= 0)
    return next(points_right, 0)


def _pairs(alignment: Alignment, difference: int, first: int, second: int) -> Iterator[SegmentPair]:
    """Yield the segments of a difference in which two lanes differ."""
    start, end = int(alignment.starts[difference]), int(alignment.ends[difference])
    if {first, second} == {*range(len(alignment.cuts))}:
        yield SegmentPair(alignment, first, second, start, end)  # only they can differ there
        return
    both = alignment.borders[first, start : end + 1] & alignment.borders[second, start : end + 1]
    for begin, stop in pairwise((np.flatnonzero(both) + start).tolist()):
        if begin - start < MAX_LENGTH and not alignment.agree(first, second, begin, stop):
            yield SegmentPair(alignment, first, second, begin, stop)


def lane_names(alignment: Alignment) -> tuple[str, ...]:
    """Name the lanes, with a number where several encodings have the same name."""
    names = [cut.encoding.name for cut in alignment.cuts]
    return tuple(
        f"{name} (lane {lane + 1})" if names.count(name) > 1 else name
        for lane, name in enumerate(names)
    )


class Reason(Struct, frozen=True):
    """Hold the causes, one per lane and all alike, by which lanes differ from the reference."""

    causes: tuple[Cause, ...]
    lanes: tuple[int, ...]


class Group(Struct, frozen=True):
    """Hold lanes that agree in a difference, and the reasons why they differ from the reference.

    Lanes with the same tokens may have them for different reasons; every reason is listed once,
    the most important first. The group of the reference itself has none.
    """

    lanes: tuple[int, ...]
    reasons: tuple[Reason, ...]


def by_weight(found: Iterable[Group]) -> list[Reason]:
    """List the reasons of all groups, the most important first; ties are in the groups' order.

    What holds for lanes of several groups is one reason.
    """
    alike: dict[tuple[int, str], list[Reason]] = {}
    for reason in (reason for group in found for reason in group.reasons):
        alike.setdefault(_said(reason.causes[0], reason.lanes[0]), []).append(reason)
    return [
        Reason(
            tuple(cause for reason in those for cause in reason.causes),
            tuple(lane for reason in those for lane in reason.lanes),
        )
        for _, those in sorted(alike.items(), key=lambda item: item[0][0])
    ]


def _said(cause: Cause, lane: int) -> tuple[int, str]:
    """Return the weight of a cause, and what is said of a lane and the reference without names."""
    reference = cause.other if cause.lane == lane else cause.lane
    said = sentence(cause, {reference: "the reference", lane: "the lane"})
    return BY_WEIGHT.index(type(cause)), said


def groups(alignment: Alignment, difference: int, reference: int) -> tuple[Group, ...]:
    """Group all lanes in a difference: the reference's group first, then the largest."""
    found = alignment.groups(difference)
    own = next(lanes for lanes in found if reference in lanes)
    others = (lanes for lanes in found if lanes != own)
    return (
        Group(own, ()),
        *(Group(lanes, _reasons(alignment, difference, reference, lanes)) for lanes in others),
    )


def _reasons(
    alignment: Alignment, difference: int, reference: int, lanes: Sequence[int]
) -> tuple[Reason, ...]:
    """Find the causes of lanes, and group those with the same sentence."""
    by_sentence: dict[tuple[int, str], dict[int, Cause]] = {}
    for lane in lanes:
        for cause in causes(alignment, difference, reference, lane):
            by_sentence.setdefault(_said(cause, lane), {}).setdefault(lane, cause)
    by_weight = sorted(by_sentence.items(), key=lambda item: item[0][0])
    return tuple(Reason(tuple(found.values()), tuple(found)) for _, found in by_weight)


class SegmentCauses:
    """Find the causes in segments of two lanes, those in equal ones once.

    Causes of equal segments are equal except for their places, unless merges are done again over
    the words around, or something around the segment matters that `_around` does not have; see
    `Surroundings`. Those of equal words are equal too, see `contexts_of`.
    """

    def __init__(self, alignment: Alignment, first: int, second: int) -> None:
        self._lanes = alignment, first, second
        self._alike: dict[int, list[Cause]] = {}
        self._near: dict[tuple[int, int], list[Cause]] = {}
        self._around: dict[tuple[int, Hashable], list[Cause]] = {}
        self._of_words: dict[int, list[Cause]] = {}

    def find(self, kind: int, near: int, context: int, start: int, end: int) -> list[Cause]:
        """Find the causes in a segment in which the lanes differ; their places may be others.

        kind: the same number for segments with the same text, tokens and words. near: the same
        number for those of a kind with the same text around as far as normalization depends on it.
        context: the same number for those with the same words around. The latter two are negative
        if that is not known.
        """
        if (found := self._alike.get(kind)) is not None:
            return found
        if (found := self._near.get((kind, near))) is not None:
            return found
        if (found := self._of_words.get(context)) is not None:
            return found
        pair = SegmentPair(*self._lanes, start, end)
        key = kind, _around(pair)
        if (found := self._around.get(key)) is None:
            found, reach = _causes_in(pair)
            if any(0x80 <= byte < 0xC0 for byte in pair.data_at_ends):
                reach = max(reach, _Reach.WORDS)
            if reach == _Reach.AROUND:
                if pair.same_bytes and key[1] == ():
                    self._alike[kind] = found
                    return found
                self._around[key] = found
            elif reach == _Reach.WORDS and context >= 0:
                _keep(self._of_words, context, found)
                return found
            else:
                return found
        if near >= 0:
            _keep(self._near, (kind, near), found)
        return found


_Key = TypeVar("_Key")


def _keep(known: dict[_Key, list[Cause]], key: _Key, found: list[Cause]) -> None:
    if len(known) >= _MOST_WORDS:
        known.clear()
    known[key] = found


class _Reach(IntEnum):
    """Tell what causes depend on beside the segment itself: what `_around` has, the words around
    it, or more."""

    AROUND = 0
    WORDS = 1
    MORE = 2


def _around(pair: SegmentPair) -> Hashable:
    """Collect what causes depend on of the text around the segment, if no merge is done again.

    That is what text is dropped, and, if normalization may matter, what it changes.
    """
    first, second = pair.sides
    dropped = [
        cause.by_normalization
        for cause in pair.apply(dropped_text)
        if isinstance(cause, DroppedText)
    ]
    if pair.is_normalized_alike:
        return tuple(dropped)
    text, begin = first.cut.text, first.characters[0][0]
    changed = [
        [(part.start - begin, part.end - begin, part.made, text[part.start : part.end + 1])
         for part in side.changed_parts]
        for side in (first, second)
    ]  # fmt: skip
    return tuple(dropped), *map(tuple, changed)


def _causes_in(pair: SegmentPair) -> tuple[list[Cause], _Reach]:
    """Find all causes in a segment, and tell what they depend on.

    Fallback bytes of ASCII are no cause beside others: each character has one token anyway.
    """
    found, reach = _all_causes_in(pair)
    weighty = [it for it in found if not (isinstance(it, ByteFallback) and it.text.isascii())]
    return [it for it in weighty or found if not _is_part_of_others(it, found)], reach


def _is_part_of_others(cause: Cause, found: Sequence[Cause]) -> bool:
    """Tell whether another cause says that the lane removes a longer text around this one."""
    return isinstance(cause, DroppedText) and any(
        isinstance(it, DroppedText)
        and (it.lane, it.by_normalization) == (cause.lane, cause.by_normalization)
        and cause.text in it.text
        and cause.text != it.text
        for it in found
    )


def _all_causes_in(pair: SegmentPair) -> tuple[list[Cause], _Reach]:
    """Do as `_causes_in`, with all fallback bytes."""
    found = [*pair.apply(unknown_text), *pair.apply(special_tokens), *normalized_parts(pair)]
    reach = _Reach.AROUND
    if not found and not pair.same_bytes and any(side.changes_text for side in pair.sides):
        # Text that one lane adds may belong to a token of the next segment.
        reach = _Reach.MORE
        equal = pair.with_same_bytes()
        pair = equal or pair
        if equal:
            found = [*pair.apply(unknown_text), *pair.apply(special_tokens)]
        else:
            found = pair.apply(changed_text)[:1]
    for rule in (fallback_bytes, split_boundaries, dropped_text, end_of_word_markers):
        found += pair.apply(rule)
    if not found:
        found = [*by_tokens(pair)] or pair.apply(added_space)
        return found or [_unexplained(*pair.sides)], reach
    if any(side.encoding.model is not Model.BPE for side in pair.sides):
        contents, others = ([token.content for token in side.tokens] for side in pair.sides)
        if contents == others:
            return found, reach  # the same tokens, for another part of the text
        return [*found, *([*by_tokens(pair)] or by_borders(pair))], reach
    if any(token.closes for side in pair.sides for token in side.tokens):
        return [*found, *by_tokens(pair)], reach  # merges with markers are not done again
    split = {it.lane for it in found if isinstance(it, SplitBoundary)}
    hypothetical = remaining_causes(pair, split)
    return [*found, *(by_tokens(pair) if hypothetical is None else hypothetical)], max(
        reach, _Reach.WORDS
    )


def _unexplained(one: LaneSegment, other: LaneSegment) -> Cause:
    """Make the cause for a segment in which no rule finds anything."""
    mine, theirs = (sum(token.unknown for token in side.tokens) for side in (one, other))
    if mine and theirs:
        return Unknown(*one.against(other), text=one.text, tokens=mine, others=theirs)
    return NotKnown(*one.against(other), text=one.text)

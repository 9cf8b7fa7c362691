"""Explanation of why two encodings tokenize a text differently: all causes, by importance.

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

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import (
    Encoding,
    Model,
    RankedMerge,
    marks_ends_of_words,
    splits_merged_pieces,
)
from bpe_gui.encodings.differences.alignment import Alignment, Cut
from bpe_gui.encodings.differences.causes import (
    BY_WEIGHT,
    AddedSpace,
    ByteFallback,
    Cause,
    DroppedSpace,
    EndOfWordMarker,
    Fact,
    MergedToken,
    MergeOrder,
    MissingMerge,
    ModelKind,
    Normalization,
    NotKnown,
    SpecialToken,
    SplitBoundary,
    Unknown,
    sentence,
)
from bpe_gui.encodings.greedy_merging import merged_tokens
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.regex_words import (
    AROUND,
    SPACES,
    Normalize,
    leading_spaces,
    may_be_composed,
)

_MAX_WIDER = 12
"""Neighbouring segments on either side that are added if the cause may be in one of them."""

MAX_LENGTH = 400
"""Bytes and characters from the start of a difference in which causes are looked for. Differences
are longer only if a lane makes much of the text one token, an unknown one for example."""


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


def _pairs(alignment: Alignment, difference: int, first: int, second: int) -> Iterator[_Pair]:
    """Yield the segments of a difference in which two lanes differ."""
    start, end = int(alignment.starts[difference]), int(alignment.ends[difference])
    both = alignment.borders[first, start : end + 1] & alignment.borders[second, start : end + 1]
    for begin, stop in pairwise((np.flatnonzero(both) + start).tolist()):
        if begin - start < MAX_LENGTH and not alignment.agree(first, second, begin, stop):
            yield _Pair(alignment, first, second, begin, stop)


def lane_names(alignment: Alignment) -> tuple[str, ...]:
    """Name the lanes, with a number where several encodings have the same name."""
    names = [cut.encoding.name for cut in alignment.cuts]
    return tuple(
        f"{name} (lane {lane + 1})" if names.count(name) > 1 else name
        for lane, name in enumerate(names)
    )


@dataclass(frozen=True, slots=True)
class Reason:
    """Hold the causes, one per lane and all alike, by which lanes differ from the reference."""

    causes: tuple[Cause, ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Hold lanes that agree in a difference, and the reasons why they differ from the reference.

    Lanes with the same tokens may have them for different reasons; every reason is listed once,
    the most important first. The group of the reference itself has none.
    """

    lanes: tuple[int, ...]
    reasons: tuple[Reason, ...]


def by_weight(found: Iterable[Group]) -> list[Reason]:
    """List the reasons of all groups, the most important first; ties are in the groups' order."""
    reasons = (reason for group in found for reason in group.reasons)
    return sorted(reasons, key=lambda reason: BY_WEIGHT.index(type(reason.causes[0])))


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
            said = sentence(cause, {reference: "the reference", lane: "the lane"})
            key = BY_WEIGHT.index(type(cause)), said
            by_sentence.setdefault(key, {}).setdefault(lane, cause)
    by_weight = sorted(by_sentence.items(), key=lambda item: item[0][0])
    return tuple(Reason(tuple(found.values()), tuple(found)) for _, found in by_weight)


class SegmentCauses:
    """Find the causes in segments of two lanes, those in equal ones once.

    Causes of equal segments are equal except for their places, unless merges are done again over
    the words around, or something around the segment matters that `_Pair.around` does not have.
    """

    def __init__(self, alignment: Alignment, first: int, second: int) -> None:
        self._lanes = alignment, first, second
        self._alike: dict[int, list[Cause]] = {}
        self._around: dict[tuple[int, Hashable], list[Cause]] = {}

    def find(self, kind: int, start: int, end: int) -> list[Cause]:
        """Find the causes in a segment in which the lanes differ; their places may be others.

        kind: the same number for segments with the same text, tokens and words.
        """
        if (found := self._alike.get(kind)) is not None:
            return found
        pair = _Pair(*self._lanes, start, end)
        key = kind, pair.around()
        if (found := self._around.get(key)) is not None:
            return found
        found, is_known = _causes_in(pair)
        if is_known and not any(0x80 <= byte < 0xC0 for byte in pair.data_at_ends):
            if pair.same_bytes and key[1] == ():
                self._alike[kind] = found
            else:
                self._around[key] = found
        return found


def _causes_in(pair: _Pair) -> tuple[list[Cause], bool]:
    """Find all causes in a segment, and tell whether `_Pair.around` has all of the text and of the
    tokens around it that they depend on.
    """
    found = [*pair.apply(_unknown), *pair.apply(_special), *_normalization(pair)]
    is_known = True
    if not found and not pair.same_bytes and any(side.changes_text for side in pair.sides):
        # Text that one lane adds may belong to a token of the next segment.
        is_known = False
        equal = next((it for it in islice(pair.wider(), _MAX_WIDER) if it.same_bytes), None)
        pair = equal or pair
        if equal:
            found = [*pair.apply(_unknown), *pair.apply(_special)]
        else:
            found = pair.apply(_changed_text)[:1]
    found += _later_causes(pair)
    if not found:
        return [*_by_tokens(pair)] or [_unexplained(*pair.sides)], is_known
    if any(side.encoding.model is not Model.BPE for side in pair.sides):
        return [*found, *([*_by_tokens(pair)] or _by_borders(pair))], is_known
    if any(token.closes for side in pair.sides for token in side.tokens):
        return [*found, *_by_tokens(pair)], is_known  # merges with markers are not done again
    split = {it.lane for it in found if isinstance(it, SplitBoundary)}
    hypothetical = _hypothetical(pair, split)
    return [*found, *(_by_tokens(pair) if hypothetical is None else hypothetical)], False


def _later_causes(pair: _Pair) -> list[Cause]:
    """Find the causes behind normalization that no merge explains."""
    rules = (_fallback, _split, _dropped, _end_of_word)
    return [cause for rule in rules for cause in pair.apply(rule)]


# -- two lanes in a segment ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """Describe a token of a segment.

    start, end, characters: the bytes and characters of the text that it covers.
    content: its bytes, empty if it is unknown. closes: whether it ends with an end-of-word marker.
    """

    id: int
    start: int
    end: int
    characters: range
    content: bytes
    special: bool
    unknown: bool
    closes: bool


class _Side:
    """Hold one of two lanes between two borders, and its tokens there.

    places: the indexes of its tokens in the lane.
    content: the bytes of its known tokens.
    """

    def __init__(self, alignment: Alignment, lane: int, start: int, end: int) -> None:
        self.lane, self.start, self.end = lane, start, end
        self.alignment, self.data = alignment, alignment.data
        self.text = self.data[start:end]
        self.cut = cut = alignment.cuts[lane]
        self.encoding: Encoding = cut.encoding
        self.places = cut.range_within(start, end)
        self.tokens = _tokens_of(cut, self.places)
        self.known = [token for token in self.tokens if not token.unknown]
        self.content = b"".join([token.content for token in self.known])

    @cached_property
    def spaceless(self) -> bytes:
        """Return the bytes of its known tokens without spaces."""
        return self.content.replace(b" ", b"")

    @cached_property
    def unknown(self) -> set[int]:
        """Collect the byte offsets that its unknown tokens cover."""
        return _bytes_of(token for token in self.tokens if token.unknown)

    @cached_property
    def covered(self) -> set[int]:
        """Collect the byte offsets that its tokens cover."""
        return _bytes_of(self.tokens)

    def against(self, other: _Side) -> tuple[int, int, int, int]:
        """Return the first four fields of a `Cause` of this lane against another."""
        return self.lane, other.lane, self.start, self.end

    def fact(self, token: int) -> Fact:
        """Describe a token of the lane and the merge that made it."""
        merge = self.encoding.merge(token)
        return Fact(self.lane, token, merge.rank if merge is not None else None)

    @cached_property
    def changes_text(self) -> bool:
        """Tell whether the bytes of its known tokens differ from the text that they cover."""
        return self.content != bytes(self.data[at] for at in sorted(self.covered - self.unknown))

    @cached_property
    def characters(self) -> list[tuple[int, int]]:
        """List the first characters that overlap the segment: their indexes and byte offsets."""
        byte = next(at for at in range(self.start, -1, -1) if self.data[at] & 0xC0 != 0x80)
        index = int(self.alignment.characters[byte])
        found: list[tuple[int, int]] = []
        while byte < self.end and len(found) < MAX_LENGTH:
            found.append((index, byte))
            byte += len(self.cut.text[index].encode())
            index += 1
        return found

    @cached_property
    def changed_parts(self) -> list[ChangedPart]:
        """Find what normalization changes, except special tokens and the spelling of spaces."""
        text, first, last = self.cut.text, self.characters[0][0], self.characters[-1][0]
        specials = {at for token in self.tokens if token.special for at in token.characters}
        return [
            part
            for part in changed_parts(text, first, last + 1, _normalizer(self.encoding))
            if part.made.replace("▁", " ") != text[part.start : part.end]
            and specials.isdisjoint(range(part.start, part.end))
        ]


_MOST_TOKENS = 100_000
_described: WeakKeyDictionary[Cut, dict[int, _Token]] = WeakKeyDictionary()
"""Tokens of a text, at most `_MOST_TOKENS` of each lane: neighbours are looked at again and again.
"""


def _tokens_of(cut: Cut, places: range) -> list[_Token]:
    """Describe tokens of a lane, given by their indexes."""
    known = _described.get(cut)
    if known is None or len(known) > _MOST_TOKENS:
        known = _described[cut] = {}
    found = []
    for place in places:
        token = known.get(place)
        if token is None:
            tokens = cut.tokens
            token = known[place] = _Token(
                int(tokens.ids[place]),
                int(tokens.starts[place]),
                int(tokens.ends[place]),
                range(int(tokens.char_starts[place]), int(tokens.char_ends[place])),
                cut.content(place),
                bool(cut.special[place]),
                bool(cut.unknown[place]),
                bool(cut.closes[place]),
            )
        found.append(token)
    return found


def _bytes_of(tokens: Iterable[_Token]) -> set[int]:
    """Collect the byte offsets of the text that some tokens cover."""
    return {place for token in tokens for place in range(token.start, token.end)}


class _Pair:
    """Hold two lanes between two borders that both have.

    same_bytes: whether the tokens of both have the same bytes.
    """

    def __init__(self, alignment: Alignment, first: int, second: int, start: int, end: int) -> None:
        self._whole = alignment, first, second
        self.start, self.end = start, end
        self.sides = _Side(alignment, first, start, end), _Side(alignment, second, start, end)
        self.same_bytes = self.sides[0].content == self.sides[1].content

    def apply(self, rule: Callable[[_Side, _Side], Iterable[Cause]]) -> list[Cause]:
        """Apply a rule to the first lane against the second, and the other way round."""
        first, second = self.sides
        return [*rule(first, second), *rule(second, first)]

    @property
    def data_at_ends(self) -> bytes:
        """Return the bytes behind both borders; within a character they continue it."""
        data = self._whole[0].data
        return data[self.start : self.start + 1] + data[self.end : self.end + 1]

    def around(self) -> Hashable:
        """Collect what causes depend on of the text around the segment, if no merge is done again.

        That is what becomes of white space, and, if the bytes differ, what normalization changes.
        """
        first, second = self.sides
        dropped = [
            cause.by_normalization
            for cause in self.apply(_dropped)
            if isinstance(cause, DroppedSpace)
        ]
        if self.same_bytes:
            return tuple(dropped)
        text, begin = first.cut.text, first.characters[0][0]
        changed = [
            [(part.start - begin, part.end - begin, part.made, text[part.start : part.end + 1])
             for part in side.changed_parts]
            for side in (first, second)
        ]  # fmt: skip
        return tuple(dropped), *map(tuple, changed)

    def wider(self) -> Iterator[_Pair]:
        """Extend the segment by one more neighbour on either side, again and again."""
        alignment, first, second = self._whole
        borders = alignment.borders[first], alignment.borders[second]
        start, end, last = self.start, self.end, len(alignment.data)
        while start > 0 or end < last:
            start, end = max(start - 1, 0), min(end + 1, last)
            while not (borders[0][start] and borders[1][start]):
                start -= 1
            while not (borders[0][end] and borders[1][end]):
                end += 1
            yield _Pair(*self._whole, start, end)

    def with_words(self) -> _Pair:
        """Extend the segment to the words around it, as far as they are near."""
        alignment, first, second = self._whole
        low, high = max(self.start - AROUND, 0), min(self.end + AROUND, len(alignment.data))
        begins = {0, len(alignment.data)}
        for side in self.sides:
            if len(side.cut.special_places):
                starts, ends = side.cut.special_spans
                low = max([low, *ends[(ends > low) & (ends <= self.start)].tolist()])
                high = min([high, *starts[(starts < high) & (starts >= self.end)].tolist()])
        of_words = [_words_between(side.cut, low, high) for side in self.sides]
        begins |= of_words[0] & of_words[1]
        borders = alignment.borders
        both = borders[first, low : high + 1] & borders[second, low : high + 1]
        places = (np.flatnonzero(both) + low).tolist()
        before = [place for place in places if place <= self.start]
        after = [place for place in places if place >= self.end]
        start = max(begins.intersection(before), default=before[0])
        return _Pair(*self._whole, start, min(begins.intersection(after), default=after[-1]))


# -- rules, one for each step of tokenization ------------------------------------------------


def _unknown(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find text that is unknown to one only, or that has more unknown tokens in one."""
    for run in _runs(
        token
        for token in one.tokens
        if token.unknown and not other.unknown.issuperset(range(token.start, token.end))
    ):
        start, end = run[0].start, run[-1].end
        others = sum(it.unknown and it.start < end and start < it.end for it in other.tokens)
        anywhere = one.encoding.token_to_id(one.data[start : run[0].end]) is None
        text, tokens = one.data[start:end], len(run)
        yield Unknown(
            *one.against(other), text=text, anywhere=anywhere, tokens=tokens, others=others
        )
    if one.unknown == other.unknown:
        text = bytes(one.data[place] for place in sorted(one.unknown))
        for covers in (True, False):
            tokens, others = (
                sum(token.unknown and (token.start < token.end) == covers for token in it.tokens)
                for it in (one, other)
            )
            if tokens > others:
                text = text if covers else b""
                yield Unknown(*one.against(other), text=text, tokens=tokens, others=others)


def _runs(tokens: Iterable[_Token]) -> list[list[_Token]]:
    """Group tokens that directly follow each other."""
    runs: list[list[_Token]] = []
    for token in tokens:
        if runs and runs[-1][-1].end >= token.start:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _special(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find texts that are a special token in one only."""
    spans = {(token.start, token.end) for token in other.tokens if token.special}
    for token in one.tokens:
        if token.special and (token.start, token.end) not in spans:
            text, as_text = one.data[token.start : token.end], other.cut.specials_as_text
            yield SpecialToken(*one.against(other), text=text, token=token.id, as_text=as_text)


def _fallback(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find characters that one encodes as single bytes, and the other does not.

    They are no cause where the other encodes all text there as single bytes too, or has a special
    token.
    """
    cut, found = one.cut, list[int]()
    alike = {(token.start, token.end, token.content) for token in other.tokens}
    for place, token in zip(one.places, one.tokens, strict=True):
        if (token.start, token.end, token.content) in alike:
            continue
        character = cut.fallback_bytes(place)
        if not character or character[0] in found:
            continue
        start, end = cut.tokens.starts[character[0]], cut.tokens.ends[character[-1]]
        facing = [it for it in other.tokens if it.start < end and start < it.end]
        if not any(it.special for it in facing) and not (
            facing
            and all(
                other.encoding.is_fallback_byte(it.id)
                or (it.content and not it.content.strip(b" "))
                for it in facing
            )
        ):
            found += character
    for run in np.split(found, np.flatnonzero(np.diff(found) != 1) + 1) if found else ():
        text = cut.content(run[0], run[-1] + 1)
        yield ByteFallback(
            *one.against(other), text=text, tokens=tuple(cut.tokens.ids[run].tolist())
        )


def _normalization(pair: _Pair) -> Iterator[Cause]:
    """Find parts of the text that the two normalize differently."""
    if pair.same_bytes:
        return
    first, second = pair.sides
    compared: list[ChangedPart] = []
    for one, other in ((first, second), (second, first)):
        for part in one.changed_parts:
            if part in other.changed_parts or part in compared:
                continue
            facing = [
                it for it in other.changed_parts if it.meets(part) and it not in one.changed_parts
            ]
            compared += facing
            start, end = part.start, part.end
            if facing:
                start, end = min(start, facing[0].start), max(end, facing[0].end)
            text = one.cut.text
            made = (text[start : it.start] + it.made + text[it.end : end] for it in (part, *facing))
            source, after = text[start:end].encode(), text[end : end + 1].encode()
            yield _change(one, other, source, after, *(it.encode() for it in islice(made, 2)))


def _changed_text(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find the first text for which the tokens of one have other bytes."""
    if one.changes_text and other.changes_text:
        yield _change(one, other, one.text, b"", one.content, other.content)
    elif one.changes_text:
        own = np.flatnonzero(one.alignment.borders[one.lane, one.start : one.end + 1]) + one.start
        parts = (_Side(one.alignment, one.lane, *segment) for segment in pairwise(own.tolist()))
        part = next(part for part in parts if part.changes_text)
        after = one.cut.text[part.characters[-1][0] + 1 :][:1].encode()
        yield _change(one, other, part.text, after, part.content)


def _change(
    one: _Side, other: _Side, source: bytes, after: bytes, made: bytes, theirs: bytes | None = None
) -> Cause:
    """Choose the cause for a text that one changes to `made`, and the other to `theirs`.

    after: the text that follows. theirs: None if the other leaves the text unchanged.
    """
    where = one.against(other)
    for added, before in ((made.removesuffix(source), source), (made.removeprefix(source), b"")):
        is_space = not added.decode("utf-8", "replace").strip(SPACES)
        if theirs is None and is_space and len(added) == len(made) - len(source) > 0:
            return AddedSpace(*where, text=added, after=before or after)
    if theirs is None and not made and source.decode("utf-8", "replace").isspace():
        return DroppedSpace(*where, text=source, by_normalization=True)
    return Normalization(*where, source=source, made=made, after=after, other_made=theirs)


def _split(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find tokens of the other that one's pre-tokenization splits."""
    words = one.cut.words
    if words is None:
        return
    same_bytes = one.content == other.content
    for token in other.tokens[:MAX_LENGTH]:
        size = len(one.data[token.start : token.end].strip())
        if token.special or not (same_bytes or len(token.content.strip()) in (0, size)):
            continue  # normalization may have changed the place where the word begins
        low, high = words.searchsorted((token.start + 1, token.end))
        if low == high:
            continue
        parts = tuple(
            one.data[start:end]
            for start, end in pairwise((token.start, *words[low:high].tolist(), token.end))
            if not one.covered.isdisjoint(range(start, end))
        )
        if len(parts) > 1:
            facts = () if token.unknown else (other.fact(token.id),)
            yield SplitBoundary(*one.against(other), parts=parts, facts=facts)


def _dropped(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find white space that one drops and the other keeps."""
    text, normalized = one.cut.text, _normalizer(one.encoding)
    for index, byte in one.characters:
        character = text[index]
        if character.isspace() and byte in other.covered and byte not in one.covered:
            before, after = text[max(index - AROUND, 0) : index], text[index + 1 : index + AROUND]
            removed = normalized(before + after) == normalized(before + character + after)
            yield DroppedSpace(
                *one.against(other), text=character.encode(), by_normalization=removed
            )


def _end_of_word(one: _Side, other: _Side) -> Iterator[Cause]:
    """Find end-of-word markers that only one has, or has as a separate symbol."""
    if any(token.unknown and token.start == token.end for token in one.tokens + other.tokens):
        return
    mine, theirs = ([it for it in side.known if it.closes] for side in (one, other))
    if len(mine) > len(theirs) and one.spaceless == other.spaceless:
        yield EndOfWordMarker(*one.against(other), text=one.text)
    elif len(mine) == len(theirs) and marks_ends_of_words(other.encoding):
        alone = [_marked(one.encoding, token.id) for token in mine if not token.content]
        if alone and other.encoding.marked_token_to_id(alone[0]) is None:
            yield EndOfWordMarker(*one.against(other), text=one.text, alone=True)


# -- tokens, and the merges behind them ------------------------------------------------------


class _Node(NamedTuple):
    """Place a token in a path: it has the bytes from `start` to `end` of `_Path.data`."""

    token: int
    start: int
    end: int

    def moved(self, by: int) -> _Node:
        """Shift the token by a number of bytes."""
        return _Node(self.token, self.start + by, self.end + by)

    def meets(self, other: _Node) -> bool:
        """Tell whether two tokens overlap."""
        return self.start < other.end and other.start < self.end

    def is_within(self, other: _Node) -> bool:
        """Tell whether it is a proper part of another."""
        return self != other and other.start <= self.start and self.end <= other.end


@dataclass(frozen=True, slots=True)
class _Facts:
    """Hold what an encoding told about its tokens: their bytes, by how they are compared; merges.
    """

    contents: dict[tuple[Callable[[Encoding, int], bytes], int], bytes] = field(
        default_factory=dict
    )
    merges: dict[int, RankedMerge | None] = field(default_factory=dict)


_facts: WeakKeyDictionary[Encoding, _Facts] = WeakKeyDictionary()


def _facts_of(encoding: Encoding) -> _Facts:
    found = _facts.get(encoding)
    if found is None:
        found = _facts[encoding] = _Facts()
    return found


class _Path:
    """Hold the known tokens of a lane, and the merges that made them.

    content: the bytes of a token to compare: with the end-of-word marker, without it, or without
        spaces.
    data: the contents of all tokens, concatenated. All offsets below are in it.
    borders: the offsets between tokens.
    words: where words begin, with the byte offset in the text.
    settled: borders of special tokens and of fallback bytes, which no merge explains.
    rewritten: borders of tokens whose content is not the text that they cover.
    hypothetical: `data` if the lane does not produce it but would; see `_HypotheticalPath`.
    """

    hypothetical: bytes | None = None

    def __init__(self, side: _Side, content: Callable[[Encoding, int], bytes]) -> None:
        self.side, self.encoding, self._content = side, side.encoding, content
        self._facts = _facts_of(side.encoding)
        self.nodes: dict[_Node, range] = {}
        self.words: dict[int, int] = {}
        self.settled: set[int] = set()
        self.rewritten: set[int] = set()
        begins = _words_between(side.cut, side.start, side.end)
        end, before = 0, side.start
        for token in side.known:
            start, end = end, end + len(self.content(token.id))
            self.nodes[_Node(token.id, start, end)] = range(token.start, token.end)
            if before < token.start in begins:
                self.words[start] = token.start
            if token.special or self.encoding.is_fallback_byte(token.id):
                self.settled |= {*range(start, end + 1)}
            if token.content != side.data[token.start : token.end]:
                self.rewritten |= {start, end}
            before = token.start
        self.data = b"".join(self.content(token.id) for token in side.known)
        self.borders = {node.end for node in self.nodes} - {0, end}

    def content(self, token: int) -> bytes:
        """Return the bytes of a token to compare."""
        key = self._content, token
        found = self._facts.contents.get(key)
        if found is None:
            found = self._facts.contents[key] = self._content(self.encoding, token)
        return found

    def merge(self, token: int) -> RankedMerge | None:
        """Find the merge that made a token; None if it is not known."""
        merges = self._facts.merges
        if token not in merges:
            merges[token] = self.encoding.merge(token)
        return merges[token]

    def find(self, content: bytes) -> int | None:
        """Find the token with this content; None if there is none."""
        if self._content is _marked and marks_ends_of_words(self.encoding):
            return self.encoding.marked_token_to_id(content)
        found = self.encoding.token_to_id(content)
        spaced = found is None and self._content is _spaceless
        return self.encoding.token_to_id(b" " + content) if spaced else found

    def covering(self, start: int, end: int) -> _Node | None:
        """Find the token that contains all bytes between two offsets; None if there is none."""
        return next((node for node in self.nodes if node.start <= start and end <= node.end), None)

    def parts(self, node: _Node) -> tuple[RankedMerge, _Node, _Node] | None:
        """Find the merge that made a token, and its two parts; None if it is not known."""
        merge = self.merge(node.token)
        if merge is None:
            return None
        middle = node.start + len(self.content(merge.left))
        if middle + len(self.content(merge.right)) != node.end:
            return None
        return merge, _Node(merge.left, node.start, middle), _Node(merge.right, middle, node.end)

    def merges_at(self, start: int, end: int) -> Iterator[tuple[RankedMerge, _Node, list[_Node]]]:
        """Walk down the merges that made the token around some bytes, the last merge first.

        Yields the merge, the token that it made, and its two parts, as long as one of the two
        contains the bytes.
        """
        node = self.covering(start, end)
        while node is not None and (made := self.parts(node)) is not None:
            merge, *both = made
            yield merge, node, both
            node = next((it for it in both if it.start <= start and end <= it.end), None)

    def joined_over(self, place: int) -> list[_Node]:
        """Find the tokens that were joined over an offset, the last first; none at a border.

        The last in the list is that by whose merge the border at the offset vanished.
        """
        node = self.covering(place - 1, place + 1)
        parts = (part for _, _, both in self.merges_at(place - 1, place + 1) for part in both)
        return [] if node is None else [node, *(it for it in parts if it.start < place < it.end)]

    def is_made(self, node: _Node) -> bool:
        """Tell whether a token exists at its place, or existed before later merges."""
        return node in self.nodes or self.taker(node) is not None

    def taker(self, node: _Node) -> tuple[RankedMerge, _Node] | None:
        """Find the merge that used a token up, and the token that it made; None if none did."""
        merges = self.merges_at(node.start, node.end)
        return next(((merge, made) for merge, made, both in merges if node in both), None)

    def merged(self, token: int, merge: RankedMerge | None = None) -> MergedToken:
        """Describe a token and the merge that made it for a cause."""
        shown = _plain if self._content is _spaceless else self._content
        content = shown(self.encoding, token)
        if merge is None:
            return MergedToken(token, content)
        parts = shown(self.encoding, merge.left), shown(self.encoding, merge.right)
        return MergedToken(token, content, merge.rank, parts)


class _HypotheticalPath(_Path):
    """Hold the tokens that a lane would have if it normalized and split the text as the other.

    Its nodes include unknown text, as NO_TOKEN.
    """

    def __init__(self, side: _Side, read: bytes, nodes: Iterable[_Node]) -> None:
        self.side, self.encoding, self._content = side, side.encoding, _marked
        self._facts = _facts_of(side.encoding)
        self.nodes = {node: range(node.start, node.end) for node in nodes}
        self.words, self.rewritten = {}, set()
        unknown = (text for node, text in self.nodes.items() if node.token == NO_TOKEN)
        self.settled = {place for text in unknown for place in text[1:]}
        self.data = self.hypothetical = read
        self.borders = {node.end for node in self.nodes} - {0, len(read)}

    def parts(self, node: _Node) -> tuple[RankedMerge, _Node, _Node] | None:
        """Find the merge that made a token, and its two parts; None if it is not known."""
        return None if node.token == NO_TOKEN else super().parts(node)


def _marked(encoding: Encoding, token: int) -> bytes:
    """Return the bytes of a token with its end-of-word marker, as merges see it."""
    if marks_ends_of_words(encoding):
        return encoding.marked_token_bytes(token)
    return encoding.token_bytes(token)


def _plain(encoding: Encoding, token: int) -> bytes:
    return encoding.token_bytes(token)


def _spaceless(encoding: Encoding, token: int) -> bytes:
    return encoding.token_bytes(token).replace(b" ", b"")


def _by_tokens(pair: _Pair) -> Iterator[Cause]:
    """Find why two lanes with the same bytes have different borders."""
    if pair.sides[0].spaceless != pair.sides[1].spaceless:
        return
    for content in (_marked, _plain) if pair.same_bytes else (_spaceless,):
        paths = [_Path(side, content) for side in pair.sides]
        if paths[0].data == paths[1].data:
            break
    yield from _by_paths(paths, orders=content is _marked)


def _by_paths(paths: Sequence[_Path], *, orders: bool) -> Iterator[Cause]:
    """Find why two paths over the same bytes have different borders, border by border.

    orders: whether to compare the order of merges that both have.
    """
    missing: list[tuple[_Path, _Path, _Node]] = []
    in_order: dict[frozenset[bytes], Cause] = {}
    places = (paths[0].borders ^ paths[1].borders) - paths[0].settled - paths[1].settled
    for place in sorted(places):
        joined, other = paths if place in paths[1].borders else reversed(paths)
        over = joined.joined_over(place)
        whole, goal = over[0], over[-1]
        text = joined.nodes[whole]
        if text.start < other.words.get(place, text.start) < text.stop:
            continue  # the split is the cause
        if any(path.encoding.model is not Model.BPE for path in paths):
            yield _by_models(joined, other, whole)
            return
        known = [other.find(joined.content(node.token)) for node in over]
        if None in known:
            missing.append((joined, other, over[known.index(None)]))
        if orders and known[-1] is not None:
            for cause in _prevented(other, joined, _Node(known[-1], goal.start, goal.end)):
                if isinstance(cause, MergeOrder):
                    # Either lane may have missed what the other did: it is one cause.
                    both = frozenset((cause.done.content, cause.wanted.content))
                    in_order.setdefault(both, cause)
                else:
                    yield cause
    yield from in_order.values()
    for joined, other, goal in dict.fromkeys(missing):
        if not any(goal.is_within(it) for path, _, it in missing if path is joined):
            yield _missing(joined, other, goal)


def _by_models(joined: _Path, other: _Path, whole: _Node | None) -> Cause:
    """Explain a border of two models that do not both merge pairs: a token that one lacks.

    whole: None for an unknown token, which is a cause by itself.
    """
    candidates: list[tuple[_Path, _Path, _Node]] = []
    if whole is not None:
        candidates = [(joined, other, whole), *((other, joined, node) for node in other.nodes)]
    one, other, node = next(
        (it for it in candidates if it[1].find(it[0].content(it[2].token)) is None),
        (joined, other, None),
    )
    return ModelKind(
        *one.side.against(other.side),
        models=(one.encoding.model, other.encoding.model),
        lacks=None if node is None else one.merged(node.token).content,
        facts=() if node is None else (one.side.fact(node.token),),
    )


def _missing(joined: _Path, other: _Path, goal: _Node) -> Cause:
    """Explain a token that one lane makes and the other lacks, as it lacks others before it."""
    mine, theirs, position = joined.encoding, other.encoding, None
    if isinstance(mine, TrainedEncoding) and isinstance(theirs, TrainedEncoding):
        position = theirs.position if mine.history is theirs.history else None
    way: dict[int, RankedMerge | None] = {}
    waiting = [goal.token]
    while waiting:
        token = waiting.pop()
        merge = way[token] = joined.merge(token)
        if merge is not None:
            waiting += {merge.left, merge.right} - way.keys()
    lacks = [
        joined.merged(token, merge)
        for token, merge in way.items()
        if other.find(joined.content(token)) is None
    ]
    missing = tuple(sorted(lacks, key=lambda made: -1 if made.rank is None else made.rank))
    facts = (Fact(joined.side.lane, made.token, made.rank) for made in (missing[0], missing[-1]))
    return MissingMerge(
        *joined.side.against(other.side),
        missing=missing,
        other_position=position,
        read=joined.hypothetical,
        facts=tuple(dict.fromkeys(facts)),
    )


def _prevented(one: _Path, joined: _Path, goal: _Node) -> Iterator[Cause]:
    """Find what prevented a lane from making a token that it has and that the other made here."""
    where, node = one.side.against(joined.side), goal
    while (made := one.parts(node)) is not None:
        wanted, left, right = made
        undone = next((part for part in (left, right) if not one.is_made(part)), None)
        if undone is not None:
            node = undone
            continue
        takers = [taker for part in (left, right) if (taker := one.taker(part)) is not None]
        done, taken = min(takers, key=lambda taker: taker[0].rank, default=(wanted, node))
        if any(taken.start < place < taken.end for place in joined.words):
            return  # the split prevented it, which is another cause
        if done.rank < wanted.rank:
            told = (Fact(one.side.lane, it.token, merge.rank)
                    for it, merge in ((taken, done), (node, wanted)))  # fmt: skip
            yield MergeOrder(
                *where,
                goal=one.content(goal.token),
                done=one.merged(taken.token, done),
                wanted=one.merged(node.token, wanted),
                read=one.hypothetical,
                facts=tuple(told),
            )
        elif not takers and left.end in one.rewritten:
            # Both parts were there and no merge used them: a word begins with the second.
            parts = (one.content(left.token), one.content(right.token))
            token = joined.find(one.content(goal.token))
            facts = () if token is None else (joined.side.fact(token),)
            yield SplitBoundary(*where, parts=parts, facts=facts)
        return


# -- differences that would remain if the steps before the merges were equal ------------------


def _hypothetical(pair: _Pair, split: Collection[int]) -> list[Cause] | None:
    """Find why two lanes would still differ if both normalized and split the text alike.

    Changes that only one makes are undone, and word boundaries that only one has are removed where
    the other would merge across. split: the lanes whose split is already a cause.
    Returns None if a lane's merges are not known well enough to tell its tokens.
    """
    window = pair.with_words()
    sides = window.sides
    if pair.end - pair.start > MAX_LENGTH or not all(map(_is_merged_by_rank, sides)):
        return None
    read, places = _unchanged(window)
    words = [_hypothetical_words(window, side, places) for side in sides]
    first = places[pair.start - window.start]
    here = _Node(NO_TOKEN, first, max(places[pair.end - window.start], first + 1))
    found: list[Cause] = []
    crossed = True
    while crossed:
        crossed = False
        tokens = [_tokenize(it.encoding, read, words[at]) for at, it in enumerate(sides)]
        for at, it in enumerate(sides):
            if not _is_merged_so(it.encoding, read, words[at], tokens[at]):
                return None
        begins = [sorted(those) for those in words]
        for lane, node in [(at, node) for at in (0, 1) if words[at] for node in tokens[1 - at]]:
            low = bisect_right(begins[lane], node.start)
            within = begins[lane][low : bisect_left(begins[lane], node.end, low)]
            if not within or node.token == NO_TOKEN:
                continue
            crossed = True
            words[lane].difference_update(within)
            one, other = pair.sides[lane], pair.sides[1 - lane]
            if node.meets(here) and one.lane not in split:
                parts = pairwise((node.start, *within, node.end))
                found.append(
                    SplitBoundary(
                        *one.against(other),
                        parts=tuple(read[start:end] for start, end in parts),
                        read=read[node.start : node.end],
                        facts=(other.fact(node.token),),
                    )
                )
    borders = [{0, *(node.end for node in those)} for those in tokens]
    for start, end in pairwise(sorted(borders[0] & borders[1])):
        segment = _Node(NO_TOKEN, start, end)
        if segment.meets(here):
            paths = []
            for side, those in zip(pair.sides, tokens, strict=True):
                nodes = (node.moved(-start) for node in those if node.meets(segment))
                paths.append(_HypotheticalPath(side, read[start:end], nodes))
            found += _by_paths(paths, orders=True)
    return found


def _tokenize(encoding: Encoding, read: bytes, words: Iterable[int]) -> list[_Node]:
    """Tokenize words, given by the offsets at which they begin."""
    nodes: list[_Node] = []
    for start, end in pairwise(sorted({0, *words, len(read)})):
        place = start
        for token, size in merged_tokens(encoding, read[start:end]):
            nodes.append(_Node(token, place, place + size))
            place += size
    return nodes


def _is_merged_so(
    encoding: Encoding, read: bytes, words: Iterable[int], nodes: Sequence[_Node]
) -> bool:
    """Tell whether no piece that is split again in the end takes part in the merges of words."""
    if not splits_merged_pieces(encoding):
        return True
    starts: set[int] = set()
    for start, end in pairwise(sorted({0, *words, len(read)})):
        text = read[start:end].decode("utf-8", "surrogateescape")
        for place in encoding.merged_starts(text):
            starts.add(start + len(text[:place].encode("utf-8", "surrogateescape")))
    return starts == {node.start for node in nodes}


def _is_merged_by_rank(side: _Side) -> bool:
    """Tell whether the merges of a lane explain its tokens, none with an end-of-word marker."""
    begins, before = _words_between(side.cut, side.start, side.end), side.start
    runs: list[list[_Token]] = [[]]
    for token in side.tokens:
        if token.closes:
            return False
        if token.special or token.unknown or side.encoding.is_fallback_byte(token.id):
            runs.append([])
            continue
        if before < token.start in begins:
            runs.append([])
        runs[-1].append(token)
        before = token.start
    return all(
        [token.id for token in run]
        == [token for token, _ in merged_tokens(side.encoding, b"".join(it.content for it in run))]
        for run in runs
    )


def _unchanged(pair: _Pair) -> tuple[bytes, list[int]]:
    """Normalize the text only by changes that both lanes make.

    Returns the result, and the offset in it of every byte of the text and of its end.
    """
    first, second = pair.sides
    text = first.cut.text[first.characters[0][0] : first.characters[-1][0] + 1]
    alike: dict[int, ChangedPart] = {}
    part: ChangedPart | None
    if all(_normalizer(side.encoding)(text) != text for side in pair.sides):  # parts take long
        for part in first.changed_parts:
            if part in second.changed_parts:
                added = alike[part.start].made if part.start in alike else ""
                alike[part.start] = ChangedPart(part.start, part.end, added + part.made)
    covered, read, places, stop = first.covered | second.covered, b"", [], 0
    size = pair.end - pair.start
    if not alike and len(covered) == size <= MAX_LENGTH:
        return first.text, list(range(size + 1))
    for index, byte in first.characters:
        character = first.cut.text[index]
        begin, end = max(byte, pair.start), min(byte + len(character.encode()), pair.end)
        source = made = first.data[begin:end]
        if (part := alike.get(index)) is not None:
            made = part.made.encode() + (source if part.end == index else b"")
            stop = part.end
        elif index < stop or (character.isspace() and begin not in covered):
            made = b""
        places += [len(read) + (place if made == source else 0) for place in range(end - begin)]
        read += made
    return read, [*places, len(read)]


def _hypothetical_words(pair: _Pair, side: _Side, places: Sequence[int]) -> set[int]:
    """Find where a lane would begin words in the result of `_unchanged`.

    Words that begin only because the lane drops the text before them do not count; within its
    special tokens the words of the other count.
    """
    (other,) = (it for it in pair.sides if it is not side)
    begins = _words_between(side.cut, pair.start, pair.end)
    begins -= {place for place in begins if place - 1 in other.covered - side.covered}
    spans = {(token.start, token.end) for token in other.tokens if token.special}
    for token in side.tokens:
        if token.special and (token.start, token.end) not in spans:
            begins -= {token.start, token.end}
            begins |= _words_between(other.cut, token.start, token.end + 1)
    return {places[place - pair.start] for place in begins}


def _words_between(cut: Cut, start: int, end: int) -> set[int]:
    """Find where words begin between two byte offsets; none if the encoding does not tell."""
    if cut.words is None:
        return set()
    low, high = cut.words.searchsorted((start, end))
    return set(cut.words[low:high].tolist())


def _by_borders(pair: _Pair) -> Iterator[Cause]:
    """Find differences of the models if not both merge pairs and their bytes differ.

    The models are a cause if borders in the text differ that neither the split nor special tokens
    explain, or if one normalizes the text to something that the other has no token for.
    """
    paths = [_Path(side, _spaceless) for side in pair.sides]
    special = _bytes_of(token for side in pair.sides for token in side.tokens if token.special)
    for one, other in (paths, paths[::-1]):
        side, lanes = other.side, (one.side.lane, other.side.lane)
        mine, theirs = side.alignment.borders[lanes, pair.start : pair.end]
        for place in (np.flatnonzero(theirs & ~mine) + pair.start).tolist():
            if place in special or place in _words_between(side.cut, place, place + 1):
                continue
            node = next((it for it, text in one.nodes.items() if place in text), None)
            yield _by_models(one, other, node)
            return
    for one, other in (paths, paths[::-1]):
        for node, text in one.nodes.items():
            if (
                other.side.changes_text
                and (other.side.unknown | special).isdisjoint(text)
                and other.find(one.content(node.token)) is None
            ):
                yield _by_models(one, other, node)
                return


def _unexplained(one: _Side, other: _Side) -> Cause:
    """Make the cause for a segment in which no rule finds anything."""
    mine, theirs = (sum(token.unknown for token in side.tokens) for side in (one, other))
    if mine and theirs:
        return Unknown(*one.against(other), text=one.text, tokens=mine, others=theirs)
    return NotKnown(*one.against(other), text=one.text)


# -- what normalization changes --------------------------------------------------------------


_MOST_NORMALIZED = 50_000
_normalized: WeakKeyDictionary[Encoding, dict[str, str]] = WeakKeyDictionary()
"""What encodings normalize texts to, at most `_MOST_NORMALIZED` of each."""


def _normalizer(encoding: Encoding) -> Normalize:
    """Normalize texts as an encoding does, and remember the results."""
    known = _normalized.get(encoding)
    if known is None or len(known) > _MOST_NORMALIZED:
        known = _normalized[encoding] = {}

    def normalize(text: str) -> str:
        found = known.get(text)
        if found is None:
            found = known[text] = encoding.normalized(text)
        return found

    return normalize


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """Describe a change by normalization: characters `start` to `end` become `made`.

    `start` equals `end` if text is inserted; `made` is empty if text is removed.
    """

    start: int
    end: int
    made: str

    def meets(self, other: ChangedPart) -> bool:
        """Tell whether two changes overlap, or both insert text at the same place.

        >>> added, changed = ChangedPart(0, 0, " "), ChangedPart(0, 1, "fi")
        >>> changed.meets(added), added.meets(added)
        (False, True)
        """
        overlap = self.start < other.end and other.start < self.end
        return overlap or (self.start, self.end) == (other.start, other.end)


def changed_parts(text: str, start: int, end: int, normalize: Normalize) -> list[ChangedPart]:
    """Find what normalization changes between two characters of a text, in order.

    A library tells the result of normalization, but seldom which part of it comes from where; if
    it does, it attributes a composed letter to its base only. So the text is divided wherever the
    part before is normalized as it is within the whole. Changes that overlap the range are whole,
    and insertions at its borders are included. Only the text near the range is normalized.

    >>> changed_parts("an Ibis", 0, 7, str.lower)
    [ChangedPart(start=3, end=4, made='i')]
    """
    first, last = max(start - AROUND, 0), min(end + AROUND, len(text))
    parts = (
        ChangedPart(first + part.start, first + part.end, part.made)
        for part in _parts(text[first:last], start - first, end - first, normalize)
    )
    return [
        part
        for part in parts
        if (part.start < end and part.end > start) or part.start == part.end == start
    ]


def _parts(text: str, first: int, last: int, normalize: Normalize) -> Iterator[ChangedPart]:
    """Find the changes of a text that overlap some of its characters, and perhaps others."""
    whole = normalize(text)
    if whole == text:
        return
    borders = _borders_of_characters(text, whole, normalize)
    if borders is None:
        borders = _borders(text, whole, first, last, normalize)
    changed: list[tuple[int, int, int, int]] = []
    for (start, made_start), (end, made_end) in pairwise(borders):
        if text[start:end] == whole[made_start:made_end]:
            continue
        # Neighbours are one change, but for spaces and what is added before the text.
        if changed and changed[-1][1] == start and text[start:end].strip():
            first, _, made_first, _ = changed[-1]
            if text[first:start].strip():
                changed.pop()
                start, made_start = first, made_first
        changed.append((start, end, made_start, made_end))
    for start, end, made_start, made_end in changed:
        yield _narrowed(start, text[start:end], whole[made_start:made_end])


def _borders_of_characters(
    text: str, whole: str, normalize: Normalize
) -> list[tuple[int, int]] | None:
    """Find where each character begins, in a text and in what normalization makes of it.

    Returns None if a character does not become one character whatever is around it. Only ASCII is
    looked at, where asking once for each kind of character tells that.
    """
    if len(whole) != len(text) or not text.isascii():
        return None
    made = {character: normalize(character) for character in set(text)}
    if any(len(one) != 1 for one in made.values()):
        return None
    if "".join(map(made.__getitem__, text)) != whole:
        return None
    return [(place, place) for place in range(len(text) + 1)]


def _borders(
    text: str, whole: str, first: int, last: int, normalize: Normalize
) -> list[tuple[int, int]]:
    """Find where a text can be divided, and what normalization makes of it likewise.

    Only borders around some of its characters are looked for, as far as something unchanged is
    between two of them on either side: changes beyond that have no part in those here.
    """
    near = _NEAR
    while True:
        low, high = max(first - near, 0), min(last + near, len(text))
        while low and text[low - 1].isspace():
            low -= 1
        borders = _borders_between(text, whole, low, high, normalize)
        unchanged = [
            (start, end)
            for (start, made_start), (end, made_end) in pairwise(borders)
            if text[start:end] == whole[made_start:made_end]
        ]
        begins = not low or any(end <= first for _, end in unchanged)
        if begins and (high == len(text) or any(start >= last for start, _ in unchanged)):
            return borders
        near *= 2


_NEAR = 3
"""Characters on either side in which something unchanged is looked for first."""


def _borders_between(
    text: str, whole: str, low: int, high: int, normalize: Normalize
) -> list[tuple[int, int]]:
    """Find the borders between two places; the character before `low` is no white space."""
    borders: list[tuple[int, int]] = []
    if low == 0:
        borders = [(0, 0)]
        if (own := leading_spaces(text, normalize)) is not None:
            added = len(whole) - len(whole.lstrip(SPACES)) - own
            borders += [(0, added)] * (added > 0)
    for place in range(max(low, 1), min(high + 1, len(text))):
        made = normalize(text[:place])
        rest = whole[len(made) :]
        if text[place - 1].isspace() or text[place].isspace():
            rest = rest.lstrip(SPACES)  # white space may be removed at the ends of a text
        if whole.startswith(made) and normalize(text[place:]).endswith(rest):
            size = len(made)
            before = borders[-1] if borders else (low - 1, 0)
            if text[before[0] : place].isspace() and size <= before[1]:
                # What was removed at the end of this part is there in the whole.
                size = before[1] + whole.startswith(tuple(SPACES), before[1])
            borders.append((place, size))
    if high == len(text):
        borders.append((len(text), len(whole)))
    return borders


def _narrowed(start: int, source: str, made: str) -> ChangedPart:
    """Shorten a change by the equal characters at its start and end; marks stay with letters."""
    end = start + len(source)
    while source and made and source[-1] == made[-1] and not may_be_composed(source[-1]):
        source, made, end = source[:-1], made[:-1], end - 1
    while source and made and source[0] == made[0] and not _has_marks(source, made):
        source, made, start = source[1:], made[1:], start + 1
    return ChangedPart(start, end, made)


def _has_marks(source: str, made: str) -> bool:
    """Tell whether a mark follows the first character of either text."""
    return any(len(text) > 1 and may_be_composed(text[1]) for text in (source, made))

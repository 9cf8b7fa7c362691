"""Two lanes between two borders that both have, and their tokens there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from bpe_gui.encodings.base import Encoding, normalizes_parts
from bpe_gui.encodings.differences.alignment import Alignment, Cut
from bpe_gui.encodings.differences.causes import Cause, Fact
from bpe_gui.encodings.differences.changed_parts import (
    ChangedPart,
    cached_normalizer,
    changed_parts,
)
from bpe_gui.encodings.regex_words import AROUND, Normalize

MAX_LENGTH = 400
"""Bytes and characters from the start of a difference in which causes are looked for. Differences
are longer only if a lane makes much of the text one token, an unknown one for example."""


class SegmentToken(Struct, frozen=True):
    """Describe a token of a segment.

    start, end, characters: the bytes and characters of the text that it covers.
    content: its bytes, empty if it is unknown. closes: whether it ends with an end-of-word marker.
    special: whether it is found before the text is split, as special and added tokens are; added:
        whether it is one of the latter.
    """

    id: int
    start: int
    end: int
    characters: range
    content: bytes
    special: bool
    added: bool
    unknown: bool
    closes: bool

    def is_same_special(self, other: SegmentToken) -> bool:
        """Tell whether two special tokens are one, with more or less of the white space beside it.
        """
        overlap = self.start < other.end and other.start < self.end
        return overlap and self.content == other.content


class LaneSegment:
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
        self.content = b"".join(
            [
                # The white space that a special token takes is a part of it.
                self._written(token) if token.special else token.content
                for token in self.known
            ]
        )

    def _written(self, token: SegmentToken) -> bytes:
        """Return the text of a special or added token, normalized if it was before it was found."""
        written = self.data[token.start : token.end]
        if not self._is_found_normalized(token):
            return written
        normalize = cached_normalizer(self.encoding, is_first=False)
        return normalize(written.decode("utf-8")).encode("utf-8")

    def _is_found_normalized(self, token: SegmentToken) -> bool:
        return normalizes_parts(self.encoding) and self.encoding.is_found_normalized(token.id)

    @cached_property
    def spaceless(self) -> bytes:
        """Return the bytes of its known tokens without spaces."""
        return self.content.replace(b" ", b"")

    @cached_property
    def unknown(self) -> set[int]:
        """Collect the byte offsets that its unknown tokens cover."""
        return bytes_of(token for token in self.tokens if token.unknown)

    @cached_property
    def covered(self) -> set[int]:
        """Collect the byte offsets that its tokens cover."""
        return bytes_of(self.tokens)

    def against(self, other: LaneSegment) -> tuple[int, int, int, int]:
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
        specials = {
            at
            for token in self.tokens
            if token.special and not self._is_found_normalized(token)
            for at in token.characters
        }
        return [
            part
            for part in self._changed_between(first, last + 1)
            if part.made.replace("▁", " ") != text[part.start : part.end]
            # Nothing is put in before a special token, either, that begins a text.
            and specials.isdisjoint(range(part.start, max(part.end, part.start + 1)))
        ]

    def _changed_between(self, first: int, end: int) -> Iterator[ChangedPart]:
        """Find what normalization changes between two characters, part by part."""
        begins, stops = self.cut.normalized_parts.T
        within = slice(int(stops.searchsorted(first)), int(begins.searchsorted(end, "right")))
        for begin, stop in self.cut.normalized_parts[within].tolist():
            normalize = cached_normalizer(self.encoding, is_first=not begin)
            low, high = max(first, begin), min(end, stop)
            near = max(low - AROUND, begin)
            text = self.cut.text[near : min(high + AROUND, stop)]  # a part may be all of the text
            for part in changed_parts(text, low - near, high - near, normalize):
                yield ChangedPart(near + part.start, near + part.end, part.made)

    def part_around(self, index: int) -> tuple[str, str, Normalize]:
        """Return what is near a character before and behind it in the part that is normalized by
        itself, and how it is.
        """
        parts, text = self.cut.normalized_parts, self.cut.text
        begin, stop = parts[int(parts[:, 0].searchsorted(index, "right")) - 1].tolist()
        before = text[max(index - AROUND, begin) : index]
        after = text[index + 1 : min(index + AROUND, max(stop, index + 1))]
        return before, after, cached_normalizer(self.encoding, is_first=not begin)


_MAX_WIDER = 12
"""Neighbouring segments on either side that are added if the cause may be in one of them."""
_MOST_TOKENS = 100_000

_described: WeakKeyDictionary[Cut, dict[int, SegmentToken]] = WeakKeyDictionary()
"""Tokens of a text, at most `_MOST_TOKENS` of each lane: neighbours are looked at again and again.
"""


def _tokens_of(cut: Cut, places: range) -> list[SegmentToken]:
    """Describe tokens of a lane, given by their indexes."""
    known = _described.get(cut)
    if known is None or len(known) > _MOST_TOKENS:
        known = _described[cut] = {}
    found = []
    for place in places:
        token = known.get(place)
        if token is None:
            tokens = cut.tokens
            token = known[place] = SegmentToken(
                int(tokens.ids[place]),
                int(tokens.starts[place]),
                int(tokens.ends[place]),
                range(int(tokens.char_starts[place]), int(tokens.char_ends[place])),
                cut.content(place),
                bool(cut.special[place] or cut.added[place]),
                bool(cut.added[place]),
                bool(cut.unknown[place]),
                bool(cut.closes[place]),
            )
        found.append(token)
    return found


def bytes_of(tokens: Iterable[SegmentToken]) -> set[int]:
    """Collect the byte offsets of the text that some tokens cover."""
    return {place for token in tokens for place in range(token.start, token.end)}


class SegmentPair:
    """Hold two lanes between two borders that both have.

    same_bytes: whether the tokens of both have the same bytes.
    """

    def __init__(self, alignment: Alignment, first: int, second: int, start: int, end: int) -> None:
        self._whole = alignment, first, second
        self.start, self.end = start, end
        self.sides = (
            LaneSegment(alignment, first, start, end),
            LaneSegment(alignment, second, start, end),
        )
        self.same_bytes = self.sides[0].content == self.sides[1].content

    @property
    def is_normalized_alike(self) -> bool:
        """Tell whether normalization cannot be a cause: no token is unknown, and the bytes of all
        are the same.
        """
        return self.same_bytes and not any(side.unknown for side in self.sides)

    def apply(self, rule: Callable[[LaneSegment, LaneSegment], Iterable[Cause]]) -> list[Cause]:
        """Apply a rule to the first lane against the second, and the other way round."""
        first, second = self.sides
        return [*rule(first, second), *rule(second, first)]

    @property
    def data_at_ends(self) -> bytes:
        """Return the bytes behind both borders; within a character they continue it."""
        data = self._whole[0].data
        return data[self.start : self.start + 1] + data[self.end : self.end + 1]

    def with_same_bytes(self) -> SegmentPair | None:
        """Extend the segment by one more neighbour on either side, again and again, until the
        tokens of both have the same bytes; None if `_MAX_WIDER` on a side do not suffice.
        """
        alignment, first, second = self._whole
        borders = alignment.borders[first], alignment.borders[second]
        start, end, last = self.start, self.end, len(alignment.data)
        for _ in range(_MAX_WIDER):
            if start == 0 and end == last:
                break
            start, end = max(start - 1, 0), min(end + 1, last)
            while not (borders[0][start] and borders[1][start]):
                start -= 1
            while not (borders[0][end] and borders[1][end]):
                end += 1
            one, other = (_content_between(side.cut, start, end) for side in self.sides)
            if one is None or other is None or one == other:
                pair = SegmentPair(*self._whole, start, end)
                if pair.same_bytes:
                    return pair
        return None

    def with_words(self) -> SegmentPair:
        """Extend the segment to the words around it, as far as they are near."""
        return SegmentPair(*self._whole, *self._word_borders)

    @cached_property
    def _word_borders(self) -> tuple[int, int]:
        """Find where the words around the segment begin and end."""
        alignment, first, second = self._whole
        low, high = max(self.start - AROUND, 0), min(self.end + AROUND, len(alignment.data))
        for side in self.sides:
            if len(side.cut.special_places):
                starts, ends = side.cut.special_spans
                at = int(ends.searchsorted(self.start, "right"))
                low = max([low, *ends[max(at - 1, 0) : at].tolist()])
                at = int(starts.searchsorted(self.end))
                high = min([high, *starts[at : at + 1].tolist()])
        of_words = [words_between(side.cut, low, high) for side in self.sides]
        borders = alignment.borders
        both = borders[first, low : high + 1] & borders[second, low : high + 1]
        places = (np.flatnonzero(both) + low).tolist()
        before = [place for place in places if place <= self.start]
        after = [place for place in places if place >= self.end]

        def nearest(begins: set[int]) -> tuple[int, int]:
            """Find the borders of both, among these and the ends of the text, that are nearest."""
            begins |= {0, len(alignment.data)}
            start = max(begins.intersection(before), default=before[0])
            return start, min(begins.intersection(after), default=after[-1])

        if not all(of_words):
            # A lane without words keeps its tokens, and none of them crosses a border of both, so
            # what is beyond a word of the other does not matter.
            near = nearest(of_words[0] or of_words[1] or {*places})
            if self._reads_text(*near):
                return near
        return nearest(of_words[0] & of_words[1])

    def _reads_text(self, start: int, end: int) -> bool:
        """Tell whether the tokens of both lanes between two borders have the bytes of the text."""
        text = self._whole[0].data[start:end]
        places = ((side.cut, side.cut.range_within(start, end)) for side in self.sides)
        return all(cut.content(those.start, those.stop) == text for cut, those in places)


def _content_between(cut: Cut, start: int, end: int) -> bytes | None:
    """Return the bytes of the known tokens between two borders; None if one may be special.

    It is `LaneSegment.content`, without describing each token.
    """
    places = cut.range_within(start, end)
    low, high = cut.special_places.searchsorted((places.start, places.stop))
    return None if low < high else cut.content(places.start, places.stop)


def words_between(cut: Cut, start: int, end: int) -> set[int]:
    """Find where words begin between two byte offsets; none if the encoding does not tell."""
    if cut.words is None:
        return set()
    low, high = cut.words.searchsorted((start, end))
    return set(cut.words[low:high].tolist())

"""Differences that would remain if the steps before the merges were equal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, splits_merged_pieces
from bpe_gui.encodings.differences.causes import Cause, SplitBoundary
from bpe_gui.encodings.differences.changed_parts import ChangedPart, cached_normalizer
from bpe_gui.encodings.differences.merge_paths import HypotheticalPath, Node, by_paths
from bpe_gui.encodings.differences.segments import (
    MAX_LENGTH,
    LaneSegment,
    SegmentPair,
    SegmentToken,
    words_between,
)
from bpe_gui.encodings.greedy_merging import merged_tokens


def remaining_causes(pair: SegmentPair, split: Collection[int]) -> list[Cause] | None:
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
    shared = [
        (places[start - window.start], places[end - window.start])
        for token, same in _shared_specials(*sides)
        for start, end in [_within_both(token, same)]
    ]
    first = places[pair.start - window.start]
    here = Node(NO_TOKEN, first, max(places[pair.end - window.start], first + 1))
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
        segment = Node(NO_TOKEN, start, end)
        if segment.meets(here) and not any(low <= start and end <= high for low, high in shared):
            paths = []
            for side, those in zip(pair.sides, tokens, strict=True):
                nodes = (node.moved(-start) for node in those if node.meets(segment))
                paths.append(HypotheticalPath(side, read[start:end], nodes))
            found += by_paths(paths, orders=True)
    return found


def _tokenize(encoding: Encoding, read: bytes, words: Iterable[int]) -> list[Node]:
    """Tokenize words, given by the offsets at which they begin."""
    nodes: list[Node] = []
    for start, end in pairwise(sorted({0, *words, len(read)})):
        place = start
        for token, size in merged_tokens(encoding, read[start:end]):
            nodes.append(Node(token, place, place + size))
            place += size
    return nodes


def _is_merged_so(
    encoding: Encoding, read: bytes, words: Iterable[int], nodes: Sequence[Node]
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


def _is_merged_by_rank(side: LaneSegment) -> bool:
    """Tell whether the merges of a lane explain its tokens, none with an end-of-word marker."""
    begins, before = words_between(side.cut, side.start, side.end), side.start
    runs: list[list[SegmentToken]] = [[]]
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


def _unchanged(pair: SegmentPair) -> tuple[bytes, list[int]]:
    """Normalize the text only by changes that both lanes make.

    Returns the result, and the offset in it of every byte of the text and of its end.
    """
    first, second = pair.sides
    text = first.cut.text[first.characters[0][0] : first.characters[-1][0] + 1]
    alike: dict[int, ChangedPart] = {}
    part: ChangedPart | None
    # Parts take long.
    if all(cached_normalizer(side.encoding)(text) != text for side in pair.sides):
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


def _hypothetical_words(pair: SegmentPair, side: LaneSegment, places: Sequence[int]) -> set[int]:
    """Find where a lane would begin words in the result of `_unchanged`.

    Words that begin only because the lane drops the text before them do not count; within its
    special tokens the words of the other count. A special token of both lanes is without the white
    space that only one of them takes.
    """
    (other,) = (it for it in pair.sides if it is not side)
    begins = words_between(side.cut, pair.start, pair.end)
    begins -= {place for place in begins if place - 1 in other.covered - side.covered}
    spans = {(token.start, token.end) for token in other.tokens if token.special}
    for token in side.tokens:
        if token.special and (token.start, token.end) not in spans:
            begins -= {token.start, token.end}
            begins |= words_between(other.cut, token.start, token.end + 1)
    for token, same in _shared_specials(side, other):
        begins.update(_within_both(token, same))
    return {places[place - pair.start] for place in begins}


def _shared_specials(
    one: LaneSegment, other: LaneSegment
) -> Iterator[tuple[SegmentToken, SegmentToken]]:
    """Find special tokens that both lanes have at a place, with more or less white space."""
    theirs = [token for token in other.tokens if token.special]
    for token in one.tokens:
        if token.special:
            yield from ((token, it) for it in theirs if it.is_same_special(token))


def _within_both(token: SegmentToken, same: SegmentToken) -> tuple[int, int]:
    return max(token.start, same.start), min(token.end, same.end)

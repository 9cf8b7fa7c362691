"""Explains different borders of the same bytes by the merges, or the models, behind the tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct, field

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, Model, RankedMerge, marks_ends_of_words
from bpe_gui.encodings.differences.causes import (
    Cause,
    Fact,
    MergedToken,
    MergeOrder,
    MissingMerge,
    ModelKind,
    SplitBoundary,
)
from bpe_gui.encodings.differences.segments import LaneSegment, SegmentPair, bytes_of, words_between
from bpe_gui.encodings.ours import TrainedEncoding


class Node(NamedTuple):
    """Place a token in a path: it has the bytes from `start` to `end` of `MergePath.data`."""

    token: int
    start: int
    end: int

    def moved(self, by: int) -> Node:
        """Shift the token by a number of bytes."""
        return Node(self.token, self.start + by, self.end + by)

    def meets(self, other: Node) -> bool:
        """Tell whether two tokens overlap."""
        return self.start < other.end and other.start < self.end

    def is_within(self, other: Node) -> bool:
        """Tell whether it is a proper part of another."""
        return self != other and other.start <= self.start and self.end <= other.end


_Compared = tuple[Callable[[Encoding, int], bytes], int]
"""How the bytes of a token are compared, and the token."""


class _Facts(Struct, frozen=True):
    """Hold what an encoding told about its tokens, by how their bytes are compared.

    lacks: what another encoding lacks on the way to a token; see `MergePath.lacks`.
    """

    contents: dict[_Compared, bytes] = {}
    merges: dict[int, RankedMerge | None] = {}
    halves: dict[_Compared, tuple[RankedMerge, int] | None] = {}
    latest: dict[int, tuple[int, int]] = {}
    lacks: WeakKeyDictionary[Encoding, dict[_Compared, tuple[MergedToken, ...]]] = field(
        default_factory=WeakKeyDictionary
    )


_facts: WeakKeyDictionary[Encoding, _Facts] = WeakKeyDictionary()


def _facts_of(encoding: Encoding) -> _Facts:
    found = _facts.get(encoding)
    if found is None:
        found = _facts[encoding] = _Facts()
    return found


class MergePath:
    """Hold the known tokens of a lane, and the merges that made them.

    content: the bytes of a token to compare: with the end-of-word marker, without it, or without
        spaces.
    data: the contents of all tokens, concatenated. All offsets below are in it.
    borders: the offsets between tokens.
    words: where words begin, with the byte offset in the text.
    settled: borders of special tokens and of fallback bytes, which no merge explains.
    rewritten: borders of tokens whose content is not the text that they cover.
    hypothetical: `data` if the lane does not produce it but would; see `HypotheticalPath`.
    """

    hypothetical: bytes | None = None

    def __init__(self, side: LaneSegment, content: Callable[[Encoding, int], bytes]) -> None:
        self.side, self.encoding, self._content = side, side.encoding, content
        self._facts = _facts_of(side.encoding)
        self.nodes: dict[Node, range] = {}
        self.words: dict[int, int] = {}
        self.settled: set[int] = set()
        self.rewritten: set[int] = set()
        begins = words_between(side.cut, side.start, side.end)
        end, before = 0, side.start
        for token in side.known:
            start, end = end, end + len(self.content(token.id))
            self.nodes[Node(token.id, start, end)] = range(token.start, token.end)
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

    def way_to(self, token: int) -> dict[int, RankedMerge | None]:
        """Collect the tokens that a token was made from, itself included, and their merges."""
        way: dict[int, RankedMerge | None] = {}
        waiting = [token]
        while waiting:
            here = waiting.pop()
            merge = way[here] = self.merge(here)
            if merge is not None:
                waiting += {merge.left, merge.right} - way.keys()
        return way

    def latest(self, token: int) -> tuple[int, int]:
        """Find which of the tokens on the way to a token has the highest rank, and that rank; -1
        if no merge is known.

        Before this merge there is no such token, even if its own merge has a lower rank.
        """
        found = self._facts.latest.get(token)
        if found is None:
            way = self.way_to(token).items()
            ranks = {it: merge.rank for it, merge in way if merge is not None}
            found = max(ranks.items(), key=lambda item: item[1], default=(token, -1))
            self._facts.latest[token] = found
        return found

    def find(self, content: bytes) -> int | None:
        """Find the token with this content; None if there is none."""
        if self._content is marked_bytes and marks_ends_of_words(self.encoding):
            return self.encoding.marked_token_to_id(content)
        found = self.encoding.token_to_id(content)
        spaced = found is None and self._content is _spaceless
        return self.encoding.token_to_id(b" " + content) if spaced else found

    def covering(self, start: int, end: int) -> Node | None:
        """Find the token that contains all bytes between two offsets; None if there is none."""
        return next((node for node in self.nodes if node.start <= start and end <= node.end), None)

    def parts(self, node: Node) -> tuple[RankedMerge, Node, Node] | None:
        """Find the merge that made a token, and its two parts; None if it is not known."""
        key = self._content, node.token
        if key not in self._facts.halves:
            merge = self.merge(node.token)
            size = 0 if merge is None else len(self.content(merge.left))
            self._facts.halves[key] = None if merge is None else (merge, size)
        halves = self._facts.halves[key]
        if halves is None:
            return None
        merge, size = halves
        middle = node.start + size
        if middle + len(self.content(merge.right)) != node.end:
            return None
        return merge, Node(merge.left, node.start, middle), Node(merge.right, middle, node.end)

    def merges_at(self, start: int, end: int) -> Iterator[tuple[RankedMerge, Node, list[Node]]]:
        """Walk down the merges that made the token around some bytes, the last merge first.

        Yields the merge, the token that it made, and its two parts, as long as one of the two
        contains the bytes.
        """
        node = self.covering(start, end)
        while node is not None and (made := self.parts(node)) is not None:
            merge, *both = made
            yield merge, node, both
            node = next((it for it in both if it.start <= start and end <= it.end), None)

    def joined_over(self, place: int) -> list[Node]:
        """Find the tokens that were joined over an offset, the last first; none at a border.

        The last in the list is that by whose merge the border at the offset vanished.
        """
        node = self.covering(place - 1, place + 1)
        parts = (part for _, _, both in self.merges_at(place - 1, place + 1) for part in both)
        return [] if node is None else [node, *(it for it in parts if it.start < place < it.end)]

    def is_made(self, node: Node) -> bool:
        """Tell whether a token exists at its place, or existed before later merges."""
        return node in self.nodes or self.taker(node) is not None

    def taker(self, node: Node) -> tuple[RankedMerge, Node] | None:
        """Find the merge that used a token up, and the token that it made; None if none did."""
        merges = self.merges_at(node.start, node.end)
        return next(((merge, made) for merge, made, both in merges if node in both), None)

    def merged(self, token: int, merge: RankedMerge | None = None) -> MergedToken:
        """Describe a token and the merge that made it for a cause."""
        content = self._shown(token)
        if merge is None:
            return MergedToken(token, content)
        parts = self._shown(merge.left), self._shown(merge.right)
        return MergedToken(token, content, merge.rank, parts)

    def _shown(self, token: int) -> bytes:
        return _plain(self.encoding, token) if self._content is _spaceless else self.content(token)

    def lacks(self, other: MergePath, token: int) -> tuple[MergedToken, ...]:
        """List the tokens on the way to a token that another lane lacks, in the order of merges.

        Merges of the same rank, as of equal scores, make the shorter token first.
        """
        of_other = self._facts.lacks.setdefault(other.encoding, {})
        key = self._content, token
        if key not in of_other:
            found = [
                self.merged(it, merge)
                for it, merge in self.way_to(token).items()
                if other.find(self.content(it)) is None
            ]
            found.sort(key=lambda it: (-1 if it.rank is None else it.rank, len(it.content)))
            of_other[key] = tuple(found)
        return of_other[key]


class HypotheticalPath(MergePath):
    """Hold the tokens that a lane would have if it normalized and split the text as the other.

    Its nodes include unknown text, as NO_TOKEN.
    """

    def __init__(self, side: LaneSegment, read: bytes, nodes: Iterable[Node]) -> None:
        self.side, self.encoding, self._content = side, side.encoding, marked_bytes
        self._facts = _facts_of(side.encoding)
        self.nodes = {node: range(node.start, node.end) for node in nodes}
        self.words, self.rewritten = {}, set()
        unknown = (text for node, text in self.nodes.items() if node.token == NO_TOKEN)
        self.settled = {place for text in unknown for place in text[1:]}
        self.data = self.hypothetical = read
        self.borders = {node.end for node in self.nodes} - {0, len(read)}

    def parts(self, node: Node) -> tuple[RankedMerge, Node, Node] | None:
        """Find the merge that made a token, and its two parts; None if it is not known."""
        return None if node.token == NO_TOKEN else super().parts(node)


def marked_bytes(encoding: Encoding, token: int) -> bytes:
    """Return the bytes of a token with its end-of-word marker, as merges see it."""
    if marks_ends_of_words(encoding):
        return encoding.marked_token_bytes(token)
    return encoding.token_bytes(token)


def _plain(encoding: Encoding, token: int) -> bytes:
    return encoding.token_bytes(token)


def _spaceless(encoding: Encoding, token: int) -> bytes:
    return encoding.token_bytes(token).replace(b" ", b"")


def by_tokens(pair: SegmentPair) -> Iterator[Cause]:
    """Find why two lanes with the same bytes have different borders."""
    if pair.sides[0].spaceless != pair.sides[1].spaceless:
        return
    for content in (marked_bytes, _plain) if pair.same_bytes else (_spaceless,):
        paths = [MergePath(side, content) for side in pair.sides]
        if paths[0].data == paths[1].data:
            break
    yield from by_paths(paths, orders=content is marked_bytes)


def by_paths(paths: Sequence[MergePath], *, orders: bool) -> Iterator[Cause]:
    """Find why two paths over the same bytes have different borders, border by border.

    orders: whether to compare the order of merges that both have.
    """
    gaps = [*_gaps(paths)]
    if gaps and any(path.encoding.model is not Model.BPE for path in paths):
        joined, other, over = gaps[0]
        yield by_models(joined, other, over[0])
        return
    missing: list[tuple[MergePath, MergePath, Node]] = []
    unexplained: dict[tuple[MergePath, MergePath], None] = {}
    found: list[Cause] = []
    for joined, other, over in gaps:
        known = [other.find(joined.content(node.token)) for node in over]
        if None in known:
            missing.append((joined, other, over[known.index(None)]))
        if orders and known[-1] is not None:
            causes = [*_prevented(other, joined, over[-1]._replace(token=known[-1]))]
            found += causes
            if not causes:
                unexplained[joined, other] = None
    if not missing and not any(isinstance(cause, MergeOrder) for cause in found):
        for joined, other in unexplained:
            found += _prevented_further_left(joined, other)
    in_order: dict[frozenset[bytes], Cause] = {}
    for cause in found:
        if isinstance(cause, MergeOrder):
            # Either lane may have missed what the other did.
            in_order.setdefault(frozenset((cause.done.content, cause.wanted.content)), cause)
        else:
            yield cause
    yield from in_order.values()
    for joined, other, goal in dict.fromkeys(missing):
        if not any(goal.is_within(it) for path, _, it in missing if path is joined):
            yield _missing(joined, other, goal)


def _gaps(paths: Sequence[MergePath]) -> Iterator[tuple[MergePath, MergePath, list[Node]]]:
    """Find borders that one path has, and no split makes: the path without it, the one with it,
    and the tokens of the former that were joined over the border, the last first.
    """
    places = (paths[0].borders ^ paths[1].borders) - paths[0].settled - paths[1].settled
    for place in sorted(places):
        joined, other = paths if place in paths[1].borders else reversed(paths)
        over = joined.joined_over(place)
        text = joined.nodes[over[0]]
        if not text.start < other.words.get(place, text.start) < text.stop:
            yield joined, other, over


def _prevented_further_left(joined: MergePath, other: MergePath) -> Iterator[MergeOrder]:
    """Find merges that the same merge further left prevented, where the other lane does not do
    that one.
    """
    for node in other.nodes:
        if (token := joined.find(other.content(node.token))) is not None:
            for cause in _prevented(joined, other, node._replace(token=token)):
                if isinstance(cause, MergeOrder):
                    yield cause


def by_models(joined: MergePath, other: MergePath, whole: Node | None) -> Cause:
    """Explain a border of two models that do not both merge pairs: a token that one lacks.

    whole: None for an unknown token, which is a cause by itself.
    """
    candidates: list[tuple[MergePath, MergePath, Node]] = []
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


def _missing(joined: MergePath, other: MergePath, goal: Node) -> Cause:
    """Explain a token that one lane makes and the other lacks, as it lacks others before it."""
    mine, theirs, position = joined.encoding, other.encoding, None
    if isinstance(mine, TrainedEncoding) and isinstance(theirs, TrainedEncoding):
        position = theirs.position if mine.history is theirs.history else None
    missing = joined.lacks(other, goal.token)
    facts = (Fact(joined.side.lane, made.token, made.rank) for made in (missing[0], missing[-1]))
    return MissingMerge(
        *joined.side.against(other.side),
        missing=missing,
        other_position=position,
        read=joined.hypothetical,
        facts=tuple(dict.fromkeys(facts)),
    )


def _prevented(one: MergePath, joined: MergePath, goal: Node) -> Iterator[Cause]:
    """Find what prevented a lane from making a token that it has and that the other made here."""
    where, node = one.side.against(joined.side), goal
    while (made := one.parts(node)) is not None:
        wanted, left, right = made
        undone = next((part for part in (left, right) if not one.is_made(part)), None)
        if undone is not None:
            node = undone
            continue
        takers = [
            (*taker, other)
            for part, other in ((left, right), (right, left))
            if (taker := one.taker(part)) is not None
        ]
        done, taken, other = min(
            takers,
            key=lambda it: (one.latest(it[1].token)[1], it[0].rank),
            default=(wanted, node, node),
        )
        if any(taken.start < place < taken.end for place in joined.words):
            return  # the split prevented it, which is another cause
        late, rank = one.latest(other.token)
        in_order = done.rank < wanted.rank
        if in_order or (takers and rank > one.latest(taken.token)[1]):
            told = [(taken.token, done.rank), (node.token, wanted.rank)]
            told += [] if in_order else [(late, rank)]
            yield MergeOrder(
                *where,
                goal=one.content(goal.token),
                done=one.merged(taken.token, done),
                wanted=one.merged(node.token, wanted),
                late=None if in_order else one.merged(late, one.merge(late)),
                read=one.hypothetical,
                facts=tuple(Fact(one.side.lane, *it) for it in told),
            )
        elif not takers and left.end in one.rewritten:
            # Both parts were there and no merge used them: a word begins with the second.
            parts = (one.content(left.token), one.content(right.token))
            token = joined.find(one.content(goal.token))
            facts = () if token is None else (joined.side.fact(token),)
            yield SplitBoundary(*where, parts=parts, facts=facts)
        return


def by_borders(pair: SegmentPair) -> Iterator[Cause]:
    """Find differences of the models if not both merge pairs and their bytes differ.

    The models are a cause if borders in the text differ that neither the split nor special tokens
    explain, or if one normalizes the text to something that the other has no token for.
    """
    paths = [MergePath(side, _spaceless) for side in pair.sides]
    special = bytes_of(token for side in pair.sides for token in side.tokens if token.special)
    for one, other in (paths, paths[::-1]):
        side, lanes = other.side, (one.side.lane, other.side.lane)
        mine, theirs = side.alignment.borders[lanes, pair.start : pair.end]
        for place in (np.flatnonzero(theirs & ~mine) + pair.start).tolist():
            if place in special or place in words_between(side.cut, place, place + 1):
                continue
            if side.data[place] & 0xC0 == 0x80:
                continue  # parts of characters say nothing about models of characters
            node = next((it for it, text in one.nodes.items() if place in text), None)
            yield by_models(one, other, node)
            return
    for one, other in (paths, paths[::-1]):
        for node, text in one.nodes.items():
            content = one.content(node.token)
            if (
                other.side.changes_text
                and (other.side.unknown | special).isdisjoint(text)
                and other.find(content) is None
                and content.decode("utf-8", "ignore").encode() == content
            ):
                yield by_models(one, other, node)
                return

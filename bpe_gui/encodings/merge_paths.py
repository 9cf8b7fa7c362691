"""How two byte-pair encodings came to cut the same bytes differently, merge by merge.

Both begin with the same bytes in the same word. Where one has joined what the other has not,
either the other lacks a token on the way there, or it was led elsewhere by a merge that came
first. Both can be read off the merges that made the tokens that stand there, for encoding
applies merges by rank, lowest first, and left to right among equals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_gui.encodings.base import Encoding, MarksEndsOfWords, Merge


@dataclass(frozen=True, slots=True)
class Node:
    """A token at a place: it stands for the bytes from `start` to `end` of what was read."""

    token: int
    start: int
    end: int


class Path:
    """The tokens of one encoding over a stretch, and the merges that led to them.

    `marked` says that markers of words' ends count as bytes, for encodings that tell them.
    `read` is what the tokens stand for.
    """

    def __init__(self, encoding: Encoding, ids: Sequence[int], *, marked: bool) -> None:
        self.encoding = encoding
        self._teller = encoding if marked and isinstance(encoding, MarksEndsOfWords) else None
        self.nodes: list[Node] = []
        parts = [self.content(token) for token in ids]
        end = 0
        for token, part in zip(ids, parts, strict=True):
            self.nodes.append(Node(token, end, end + len(part)))
            end += len(part)
        self.read = b"".join(parts)

    def content(self, token: int) -> bytes:
        """The bytes of a token."""
        if self._teller is not None:
            return self._teller.marked_content(token)
        return self.encoding.content(token)

    def find(self, content: bytes) -> int | None:
        """The token that stands for some bytes."""
        if self._teller is not None:
            return self._teller.find_marked(content)
        return self.encoding.find(content)

    def covering(self, start: int, end: int) -> Node | None:
        """The token that holds all of some bytes."""
        return next((node for node in self.nodes if node.start <= start and end <= node.end), None)

    def parts(self, node: Node) -> tuple[Merge, Node, Node] | None:
        """The merge that made a token and its two parts; None where that is not known."""
        merge = self.encoding.merge(node.token)
        if merge is None:
            return None
        middle = node.start + len(self.content(merge.left))
        if middle + len(self.content(merge.right)) != node.end:
            return None
        return merge, Node(merge.left, node.start, middle), Node(merge.right, middle, node.end)

    def joined_at(self, place: int) -> Node | None:
        """The token by whose merge the border at a place vanished.

        If the merges within a token are not known, that token. None if there is a border.
        """
        node = self.covering(place - 1, place + 1)
        while node is not None and (made := self.parts(node)) is not None:
            _, left, right = made
            if left.end == place:
                break
            node = left if place < left.end else right
        return node

    def is_made(self, wanted: Node) -> bool:
        """Whether a token stood at a place before all merges were done, or stands there still."""
        node = self.covering(wanted.start, wanted.end)
        while node is not None and node != wanted:
            made = self.parts(node)
            if made is None:
                return False
            _, left, right = made
            node = next(
                (n for n in (left, right) if n.start <= wanted.start and wanted.end <= n.end),
                None,
            )
        return node is not None

    def made_into(self, part: Node) -> tuple[Merge, Node] | None:
        """The merge that took a token which stood at a place, and what it made of it."""
        node = self.covering(part.start, part.end)
        while node is not None and (made := self.parts(node)) is not None:
            merge, left, right = made
            if part in (left, right):
                return merge, node
            node = left if part.end <= left.end else right
        return None


def border_between(joined: Path, other: Path) -> int | None:
    """The first place at which the other path has a border and this one has none."""
    ends = {0, *(node.end for node in joined.nodes)}
    return next((node.end for node in other.nodes if node.end not in ends), None)


@dataclass(frozen=True, slots=True)
class Missing:
    """The first token on the way to another that an encoding does not have.

    token, merge: as the one that has it knows it; `merge` None if it is not told.
    goal: the token that the way leads to.
    """

    token: int
    merge: Merge | None
    goal: int


def first_missing(goal: Node, path: Path, other: Path) -> Missing:
    """The earliest merge behind a token that another encoding, which lacks it, lacks."""
    found = Missing(goal.token, path.encoding.merge(goal.token), goal.token)
    seen: set[int] = set()
    waiting = [goal.token]
    while waiting:
        token = waiting.pop()
        merge = path.encoding.merge(token)
        if token in seen or merge is None:
            continue
        seen.add(token)
        waiting += (merge.right, merge.left)
        is_earlier = found.merge is not None and merge.rank < found.merge.rank
        if is_earlier and other.find(path.content(token)) is None:
            found = Missing(token, merge, goal.token)
    return found


@dataclass(frozen=True, slots=True)
class LedElsewhere:
    """Why an encoding does not arrive at a token that it has.

    wanted: the merge that was not done, though both its parts stood there.
    done: the merge of lower rank that took one of them away; `made` is what it made.
    """

    goal: int
    wanted: Merge
    wanted_token: int
    done: Merge
    made: int


def led_elsewhere(goal: Node, path: Path) -> LedElsewhere | None:
    """What kept an encoding from making a token at a place; None where that cannot be told.

    `goal` is a token of the path's encoding.
    """
    node = goal
    while (made := path.parts(node)) is not None:
        wanted, left, right = made
        undone = next((part for part in (left, right) if not path.is_made(part)), None)
        if undone is not None:
            node = undone
            continue
        takers = [taker for part in (left, right) if (taker := path.made_into(part)) is not None]
        if not takers:
            return None
        done, taken = min(takers, key=lambda taker: taker[0].rank)
        if done.rank >= wanted.rank:
            return None
        return LedElsewhere(goal.token, wanted, node.token, done, taken.token)
    return None

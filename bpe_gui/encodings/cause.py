"""What is said of a place where two encodings differ, and what it is said from."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.visible import visible_beginning
from bpe_gui.encodings.alignment import Alignment
from bpe_gui.encodings.base import Encoding, MarksEndsOfWords, Read, TellsWhatItReads

_SPELLED_OUT = 6
"""Characters of which a sentence names the code points."""


class CauseKind(StrEnum):
    """Why two encodings cut a text differently. The value is a title."""

    SPECIAL_TOKEN = "special token"
    UNKNOWN_CHARACTER = "unknown character"
    NORMALIZATION = "normalization"
    """The text is changed before it is cut: by a normalizer, or a space put before it."""
    SPLIT_PATTERN = "split pattern"
    MODEL = "model"
    END_OF_WORD = "end-of-word marker"
    MERGE_MISSING = "missing merge"
    MERGE_ORDER = "order of merges"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something of a cause to click on: a token of a lane, and the merge that made it.

    rank: counted from 0; None for a token that no merge made, or where it is not told.
    """

    lane: int
    token: int
    rank: int | None = None


FIRST, SECOND = "\x01", "\x02"
"""Stand for the names of two lanes in a sentence; visible text has no such characters."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why two lanes differ.

    sentence: one plain sentence that can be read aloud; it counts merges from 1.
    pattern: the sentence with FIRST and SECOND for the names of the lanes that were asked for,
        in that order, so that it can be seen whether the same holds for others.
    lane, other: the lanes, in the order in which the sentence first speaks of them.
    start, end: the stretch of the text, in bytes, between two borders that both lanes have.
    """

    kind: CauseKind
    sentence: str
    lane: int
    other: int
    start: int
    end: int
    facts: tuple[Fact, ...] = ()
    pattern: str = ""

    def named(self, first: str, second: str) -> Cause:
        """With the names of the two lanes in the sentence that stands for all such lanes.

        >>> cause = Cause(CauseKind.MERGE_MISSING, f"{SECOND} has no “a”, as {FIRST}.", 0, 1, 0, 1)
        >>> cause.named("left", "right").sentence
        'right has no “a”, as left.'
        """
        pattern = self.sentence
        names = {FIRST: first, SECOND: second}
        sentence = "".join(names.get(character, character) for character in pattern)
        return replace(self, sentence=sentence, pattern=pattern)


def quoted(content: bytes) -> str:
    """A token or a piece of text within a sentence."""
    return f"“{visible_beginning(content)}”"


def told_apart(one: bytes, other: bytes) -> tuple[str, str]:
    """Two pieces of text within a sentence, with their code points if they may look the same.

    >>> told_apart(b"\\xc3\\xa9", b"e\\xcc\\x81")[1].split(maxsplit=1)[1]
    '(U+0065 U+0301)'
    """
    texts = [content.decode("utf-8", "replace") for content in (one, other)]
    forms = {unicodedata.normalize("NFKC", text) for text in texts}
    if len(forms) > 1 or max(map(len, texts)) > _SPELLED_OUT:
        return quoted(one), quoted(other)
    points = [" ".join(f"U+{ord(character):04X}" for character in text) for text in texts]
    return f"{quoted(one)} ({points[0]})", f"{quoted(other)} ({points[1]})"


class Side:
    """One of two lanes, and what it makes of the stretch that is to be explained.

    name: FIRST or SECOND, for sentences.
    places: the indexes of its tokens there; ids, starts, ends: theirs, as lists.
    content: what they stand for; covered: which bytes of the stretch they cover.
    """

    def __init__(self, alignment: Alignment, lane: int, name: str, start: int, end: int) -> None:
        self.alignment = alignment
        self.lane = lane
        self.name = name
        self.start = start
        self.end = end
        self.cut = alignment.cuts[lane]
        self.encoding = self.cut.encoding
        self.places = self.cut.within(start, end)
        self.content = alignment.content(lane, self.places)
        self.ids: list[int] = self.cut.tokens.ids[self.places].tolist()
        self.starts: list[int] = self.cut.tokens.starts[self.places].tolist()
        self.ends: list[int] = self.cut.tokens.ends[self.places].tolist()
        self.covered = alignment.covered(lane, start, end)

    @cached_property
    def read(self) -> Read | None:
        """What it makes of the stretch before its merges; None if it does not tell."""
        if not isinstance(self.encoding, TellsWhatItReads):
            return None
        as_text = self.cut.specials_as_text
        return self.encoding.read(self.cut.text, self.start, self.end, specials_as_text=as_text)

    def written(self, index: int) -> bytes:
        """The bytes of the text that a token covers."""
        return self.alignment.data[self.starts[index] : self.ends[index]]

    def those(self, chosen: NDArray[np.bool_]) -> list[int]:
        """Which of the tokens here are among some of the lane's."""
        found: list[int] = np.flatnonzero(chosen[self.places]).tolist()
        return found

    @property
    def known_ids(self) -> list[int]:
        """The tokens that stand for something."""
        unknown = self.cut.unknown[self.places].tolist()
        return [
            token for token, is_unknown in zip(self.ids, unknown, strict=True) if not is_unknown
        ]

    @property
    def covered_text(self) -> bytes:
        """The stretch of the text without what it drops."""
        return np.frombuffer(self.text, np.uint8)[self.covered].tobytes()

    @property
    def text(self) -> bytes:
        """The stretch of the text."""
        return self.alignment.data[self.start : self.end]

    def unknown_bytes(self) -> NDArray[np.bool_]:
        """Which bytes of the stretch are unknown."""
        unknown = np.zeros(self.end - self.start, np.bool_)
        for index in self.those(self.cut.unknown):
            unknown[self.starts[index] - self.start : self.ends[index] - self.start] = True
        return unknown

    def reads(self, *, told: bool) -> bytes:
        """What it makes of the stretch: as it tells, or as its known tokens have it."""
        return self.read.data if told and self.read is not None else self.content

    def changes_text(self, *, told: bool) -> bool:
        """Whether what it reads, or what its known tokens stand for, is not the text there."""
        if told and self.read is not None:
            return self.read.data != self.covered_text
        known = self.covered & ~self.unknown_bytes()
        return self.content != np.frombuffer(self.text, np.uint8)[known].tobytes()

    def fact(self, token: int) -> Fact:
        """A token of the lane, with the merge that made it."""
        merge = self.encoding.merge(token)
        return Fact(self.lane, token, merge.rank if merge is not None else None)

    def cause(self, kind: CauseKind, other: Side, sentence: str, *facts: Fact) -> Cause:
        """A cause that speaks of this lane first."""
        return Cause(kind, sentence, self.lane, other.lane, self.start, self.end, facts)


def unknown_to(side: Side, content: bytes) -> str:
    """What is said of something that a lane has no token for, here or anywhere."""
    encoding: Encoding = side.encoding
    if encoding.find(content) is None:
        return f"is unknown to {side.name}, which has no token for it"
    if isinstance(encoding, MarksEndsOfWords):
        where = "before" if encoding.find_marked(content) is None else "at"
        return f"is unknown to {side.name} {where} the end of a word"
    return f"is unknown to {side.name} at this place"

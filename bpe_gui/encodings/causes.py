"""The causes of differences between two encodings, as values and in words.

`differences.causes` finds them. A cause speaks of two lanes by their numbers, so that it can be
compared, counted and tested; `sentence` is the one place where a cause is put into English.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from bpe_gui.analysis.visible import isolated, visible_beginning
from bpe_gui.encodings.base import Model
from bpe_gui.progress import counted

_SPELLED_OUT = 6
"""Characters of which a sentence names the code points."""

_MOST_PARTS = 6
"""Parts of a token that a sentence names."""

_ALGORITHMS = {
    Model.BPE: "merges pairs by their rank",
    Model.WORDPIECE: "takes the longest piece that fits, from left to right",
    Model.UNIGRAM: "takes the most probable pieces of a word as a whole",
    Model.WORD_LEVEL: "has tokens for whole words only",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A token that a cause speaks of, and the merge that made it, counted from 0, if one did."""

    lane: int
    token: int
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that `lane` does and `other` does not, so that their tokens differ.

    title: what such causes are called.
    start, end: a stretch between two borders that both have, in bytes of the text.
    read: what both would read without the other causes, if it holds of that, not of the text.
    """

    title: ClassVar[str]
    lane: int
    other: int
    start: int
    end: int
    _: KW_ONLY
    read: bytes | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Cause):
    """The lane has no token for a text, or has more unknown tokens for it than the other.

    text: empty for what the lane itself adds, such as a marker of the end of a word.
    anywhere: whether it has no token for the text at any other place either.
    tokens, others: how many unknown tokens there are in the lane and in the other.
    """

    title = "unknown"
    text: bytes
    anywhere: bool = True
    tokens: int
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteFallback(Cause):
    """The lane has no token for characters, and takes a token for each of their bytes.

    tokens: those that the other does not have there.
    """

    title = "byte fallback"
    text: bytes
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialToken(Cause):
    """A text is a special token in the lane; `as_text` if the other reads such as text."""

    title = "special token"
    text: bytes
    token: int
    as_text: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalization(Cause):
    """The lane changes `source`, which `after` follows, into `made`; each may be empty.

    other_made: what the other changes it into; None if it leaves it as it is.
    """

    title = "normalization"
    source: bytes
    made: bytes
    after: bytes = b""
    other_made: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitBoundary(Cause):
    """The lane splits what is one token of the other into parts before it looks for tokens."""

    title = "split"
    parts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKind(Cause):
    """Not both merge pairs, and their tokens differ; `lacks`: a token that the other lacks."""

    title = "model"
    models: tuple[Model, Model]
    lacks: bytes | None = None


@dataclass(frozen=True, slots=True)
class MergedToken:
    """A token, and the merge of two parts that made it (rank None: it is not known)."""

    token: int
    content: bytes
    rank: int | None = None
    parts: tuple[bytes, bytes] = (b"", b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOrder(Cause):
    """Both have the token `goal`; the lane does `done` before `wanted`, which leads there."""

    title = "merge order"
    goal: bytes
    done: MergedToken
    wanted: MergedToken


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingMerge(Cause):
    """The lane has tokens, in the order of their merges, of which the other has none.

    other_position: where the other is the same run before these merges, its position.
    """

    title = "missing merge"
    missing: tuple[MergedToken, ...]
    other_position: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfWord(Cause):
    """The lane marks the end of a word; `alone` if both do, the lane by a symbol by itself."""

    title = "end-of-word marker"
    text: bytes
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedSpace(Cause):
    """The lane drops white space, by normalization or where it splits the text."""

    title = "dropped space"
    text: bytes
    by_normalization: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSpace(Cause):
    """The lane puts a space, however it writes it, before `after`."""

    title = "added space"
    text: bytes
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class NotKnown(Cause):
    """What is known of the two does not tell why they differ."""

    title = "not known"
    text: bytes


BY_WEIGHT: tuple[type[Cause], ...] = (
    *(Unknown, ByteFallback, SpecialToken, Normalization, SplitBoundary, ModelKind),
    *(MergeOrder, MissingMerge, EndOfWord, DroppedSpace, AddedSpace, NotKnown),
)
"""All kinds of causes, the heaviest first."""


def sentence(cause: Cause, names: Sequence[str] | Mapping[int, str]) -> str:
    """Say a cause in one sentence that can be read aloud; merges are counted from 1.

    names: of the lanes, by their numbers.

    >>> sentence(ByteFallback(1, 0, 5, 8, text=b"low", tokens=(1, 2, 3)), ["gpt", "llama"])
    'llama has no token for “low” and falls back to its 3 bytes.'
    """
    one, other = names[cause.lane], names[cause.other]
    reads = "" if cause.read is None else f"If both read {_quoted(cause.read)}, "
    match cause:
        case Unknown(text=b""):
            added = counted(cause.tokens, "unknown token")
            return f"{one} adds {added} where the text has nothing; {other} has {cause.others}."
        case Unknown(others=0):
            where = ", which has no token for it" if cause.anywhere else " at this place"
            return f"{_quoted(cause.text)} is unknown to {one}{where}; {other} knows it."
        case Unknown() if cause.tokens != cause.others:
            tokens = f"{counted(cause.tokens, 'unknown token')} in {one}, {cause.others} in {other}"
            return f"{_quoted(cause.text)} is {tokens}."
        case Unknown():
            return f"Another part of {_quoted(cause.text)} is unknown to {one} than to {other}."
        case ByteFallback():
            size = counted(len(cause.text), "byte")
            return f"{one} has no token for {_quoted(cause.text)} and falls back to its {size}."
        case SpecialToken():
            what = "special tokens" if cause.as_text else "it"
            return (
                f"{_quoted(cause.text)} is a special token in {one}; {other} reads {what} as text."
            )
        case Normalization(other_made=None):
            return f"{_change(one, cause, cause.made)}; {other} leaves it as it is."
        case Normalization():
            change = _change(other, cause, cause.other_made or b"")
            return f"{_change(one, cause, cause.made)}; {change}."
        case SplitBoundary():
            *parts, last = map(_quoted, cause.parts[:_MOST_PARTS])
            more = " …" if len(cause.parts) > _MOST_PARTS else ""
            return (
                f"{reads}{one} splits {_quoted(b''.join(cause.parts))} into {', '.join(parts)} and "
                f"{last}{more} before any merge; {other} has it in one token."
            )
        case ModelKind():
            does = [_ALGORITHMS[model] for model in cause.models]
            if does[0] == does[1]:
                said = f"{one} and {other} are both {cause.models[0]} models"
            else:
                said = f"{one} {does[0]}; {other} {does[1]}"
            lacks = "" if cause.lacks is None else f"; {other} has no token {_quoted(cause.lacks)}"
            return f"{said}{lacks}."
        case MergeOrder():
            return (
                f"{reads}{one} merges {_merge(cause.done)}, before it could merge "
                f"{_merge(cause.wanted)}; so it does not reach {_quoted(cause.goal)} as {other} "
                "does."
            )
        case MissingMerge():
            return _missing(cause, one, other)
        case EndOfWord(alone=True):
            return (
                f"In {_quoted(cause.text)} {one} has the end-of-word marker as a symbol by "
                f"itself, {other} joined to the last character."
            )
        case EndOfWord():
            return (
                f"{one} marks the end of a word in {_quoted(cause.text)}, and the marker takes "
                f"part in its merges; {other} has no marker there."
            )
        case DroppedSpace():
            step = "during normalization" if cause.by_normalization else "where it splits the text"
            return f"{one} removes {_quoted(cause.text)} {step}; {other} keeps it."
        case AddedSpace():
            return f"{_puts(one, cause.text, cause.after)}; {other} does not."
        case NotKnown():
            return f"Why {one} and {other} differ in {_quoted(cause.text)} is not known."
    raise TypeError(f"{type(cause).__name__} is no kind of cause")


def _quoted(content: bytes) -> str:
    """A token or a text within a sentence."""
    return f"“{isolated(visible_beginning(content))}”"


def _missing(cause: MissingMerge, one: str, other: str) -> str:
    first, last, more = cause.missing[0], cause.missing[-1], len(cause.missing) - 1
    if first.rank is None:
        return f"{one} has a token {_quoted(first.content)}; {other} has none."
    way = f", on the way to {_quoted(last.content)}" if more else ""
    if cause.other_position is not None:
        lacks = f"{other} does not have it yet at merge {cause.other_position:,}"
    else:
        lacks = f"{other} has no {_quoted(first.content)}"
    return f"{one} merges {_merge(first)}{way}; {lacks}."


def _merge(made: MergedToken) -> str:
    left, right = map(_quoted, made.parts)
    rank = "" if made.rank is None else f" at merge {made.rank + 1:,}"
    return f"{left} and {right} into {_quoted(made.content)}{rank}"


def _puts(name: str, text: bytes, after: bytes) -> str:
    where = f"before {_quoted(after)}" if after else "at the end"
    return f"{name} puts {_quoted(text)} {where}"


def _change(name: str, cause: Normalization, made: bytes) -> str:
    """What a lane makes of a text during normalization."""
    if not cause.source:
        return _puts(name, made, cause.after)
    if not made:
        return f"{name} removes {_quoted(cause.source)} during normalization"
    return "{} changes {} to {}".format(name, *_told_apart(cause.source, made))


def _told_apart(one: bytes, other: bytes) -> tuple[str, str]:
    """Two texts within a sentence, with their code points if they may look the same.

    >>> _told_apart(b"\\xc3\\xa9", b"e\\xcc\\x81")[1].split(maxsplit=1)[1]
    '(U+0065 U+0301)'
    """
    texts = [content.decode("utf-8", "replace") for content in (one, other)]
    if len({unicodedata.normalize("NFKC", text) for text in texts}) > 1:
        return _quoted(one), _quoted(other)
    first, second = (f"{_quoted(text.encode())} ({_code_points(text)})" for text in texts)
    return first, second


def _code_points(text: str) -> str:
    """The code points of a text; of many the first."""
    points = [f"U+{ord(character):04X}" for character in text[:_SPELLED_OUT]]
    return " ".join(points) + " …" * (len(text) > _SPELLED_OUT)

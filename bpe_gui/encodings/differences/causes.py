"""Causes of differences between two encodings: typed values, and their English sentences.

`differences.causes` finds them. A cause refers to two lanes by their numbers, so that causes can be
compared, counted and tested; `sentence` is the only place that puts them into English.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache, singledispatch
from typing import ClassVar

from msgspec import Struct

from bpe_gui.analysis.visible import isolated, visible_quote
from bpe_gui.encodings.base import Model
from bpe_gui.progress import counted

_MAX_CODE_POINTS = 6
"""Characters whose code points a sentence names."""

_MAX_PARTS = 6
"""Parts of a token that a sentence names."""

_ALGORITHMS = {
    Model.BPE: "merges pairs by their rank",
    Model.WORDPIECE: "takes the longest piece that fits, from left to right",
    Model.UNIGRAM: "takes the most probable pieces of a word as a whole",
    Model.WORD_LEVEL: "has tokens for whole words only",
    Model.LONGEST_MATCH: "takes the longest token that fits, from left to right",
}


class Fact(Struct, frozen=True):
    """Name a token that a cause involves, and the merge that made it, from 0, if one did."""

    lane: int
    token: int
    rank: int | None = None


class Cause(Struct, frozen=True):
    """Say what `lane` does and `other` does not, so that their tokens differ.

    title: the name of this kind of cause.
    effect: 1 if by such a cause alone the lane has more tokens than the other or as many, -1 if it
        has fewer or as many; 0 if that depends on more than the cause.
    start, end: the bytes of the text concerned, between two borders that both lanes have.
    read: what both would read without the other causes, if the cause holds of that, not of the
        text itself.
    """

    title: ClassVar[str]
    effect: ClassVar[int] = 0
    lane: int
    other: int
    start: int
    end: int
    read: bytes | None = None
    facts: tuple[Fact, ...] = ()


class Unknown(Cause, frozen=True, kw_only=True):
    """State that the lane has no token for a text, or more unknown tokens for it than the other.

    text: empty if the lane itself adds the unknown text, such as a marker of the end of a word.
    anywhere: whether the text has no token at any other place either.
    falls_back: whether the other has no token for it either, and one for each of its bytes.
    changed: whether the other normalizes it to something else, of which its tokens are.
    tokens, others: the unknown tokens of the lane and of the other.
    """

    title = "unknown"
    text: bytes
    anywhere: bool = True
    falls_back: bool = False
    changed: bool = False
    tokens: int
    others: int


class ByteFallback(Cause, frozen=True, kw_only=True):
    """State that the lane has no token for characters, and one token for each of their bytes.

    text: the characters as the lane reads them, after its normalization.
    tokens: the tokens of their bytes.
    """

    title = "byte fallback"
    effect = 1
    text: bytes
    tokens: tuple[int, ...]


class SpecialToken(Cause, frozen=True, kw_only=True):
    """State that a text is a special token in the lane only.

    as_text: whether the other was asked to read special tokens as text.
    added: whether it is an added token in the other, which is not special.
    """

    title = "special token"
    text: bytes
    token: int
    as_text: bool
    added: bool = False


class AddedToken(Cause, frozen=True, kw_only=True):
    """State that only the lane finds an added token, not special, before it splits the text."""

    title = "added token"
    text: bytes
    token: int


class Normalization(Cause, frozen=True, kw_only=True):
    """State that the lane normalizes `source`, which `after` follows, to `made`.

    Each of the three may be empty. other_made: what the other normalizes `source` to; None if it
    leaves it unchanged.
    """

    title = "normalization"
    source: bytes
    made: bytes
    after: bytes = b""
    other_made: bytes | None = None


class SplitBoundary(Cause, frozen=True, kw_only=True):
    """State that the lane's pre-tokenization splits one token of the other into these parts."""

    title = "split"
    effect = 1
    parts: tuple[bytes, ...]


class ModelKind(Cause, frozen=True, kw_only=True):
    """State that at least one of the two is no BPE model, and that their tokens differ.

    lacks: a token of the lane that the other does not have; None if there is none.
    """

    title = "model"
    models: tuple[Model, Model]
    lacks: bytes | None = None


class MergedToken(Struct, frozen=True):
    """Describe a token and the merge of two parts that made it; rank None if it is not known."""

    token: int
    content: bytes
    rank: int | None = None
    parts: tuple[bytes, bytes] = (b"", b"")


class MergeOrder(Cause, frozen=True, kw_only=True):
    """State that the lane merges `done` first, which prevents `wanted` on the way to `goal`.

    Both lanes have the token `goal`, but only the other reaches it here.
    late: a part of `wanted` that is made only after `done`, if the rank of `wanted` is not above
        that of `done`: the ranks are not in the order in which tokens can be made.
    """

    title = "merge order"
    effect = 1
    goal: bytes
    done: MergedToken
    wanted: MergedToken
    late: MergedToken | None = None


class MissingMerge(Cause, frozen=True, kw_only=True):
    """State that the lane has tokens, in the order of their merges, that the other lacks.

    other_position: the position of the other if it is the same run before these merges, else None.
    """

    title = "missing merge"
    effect = -1
    missing: tuple[MergedToken, ...]
    other_position: int | None = None


class EndOfWordMarker(Cause, frozen=True, kw_only=True):
    """State that the lane marks the end of a word.

    alone: whether both do, but only the lane has the marker as a separate symbol.
    """

    title = "end-of-word marker"
    text: bytes
    alone: bool = False


class DroppedText(Cause, frozen=True, kw_only=True):
    """State that the lane drops text, mostly white space, by normalization or where it splits.

    by_both: whether the normalization of the other removes it as well, but the other counts it to
        a token beside it.
    """

    title = "dropped text"
    text: bytes
    by_normalization: bool
    by_both: bool = False


class AddedSpace(Cause, frozen=True, kw_only=True):
    """State that the lane adds a space (" " or "▁") before `after`."""

    title = "added space"
    text: bytes
    after: bytes


class NotKnown(Cause, frozen=True, kw_only=True):
    """State that nothing known about the two lanes explains why they differ."""

    title = "not known"
    text: bytes


class NotExplained(Cause, frozen=True, kw_only=True):
    """State that there are more kinds of differences than are explained, and this is one more."""

    title = "not explained"
    explained: int


BY_WEIGHT: tuple[type[Cause], ...] = (
    *(Unknown, ByteFallback, SpecialToken, AddedToken, Normalization, SplitBoundary),
    *(ModelKind, MergeOrder, MissingMerge, EndOfWordMarker, DroppedText, AddedSpace, NotKnown),
    NotExplained,
)
"""All kinds of causes, the most important first."""


def sentence(cause: Cause, names: Sequence[str] | Mapping[int, str]) -> str:
    """Put a cause into one sentence that can be read aloud; merges are counted from 1.

    names: the names of the lanes, by number.

    >>> sentence(ByteFallback(1, 0, 5, 8, text=b"low", tokens=(1, 2, 3)), ["gpt", "llama"])
    'llama has no token for “low” and falls back to its 3 bytes; gpt does not.'
    """
    return _say(cause, names[cause.lane], names[cause.other])


@singledispatch
def _say(cause: Cause, one: str, other: str) -> str:
    """Say what lane `one` does and lane `other` does not."""
    raise TypeError(f"{type(cause).__name__} is no kind of cause")


@_say.register
def _(cause: Unknown, one: str, other: str) -> str:
    text = _quoted(cause.text)
    if not cause.text:
        added = counted(cause.tokens, "unknown token")
        verb = "stands" if cause.tokens == 1 else "stand"
        return f"{one} adds {added} that {verb} for no text; {other} adds {cause.others}."
    if not cause.others:
        where = ", which has no token for it" if cause.anywhere else " at this place"
        does = "changes it during normalization" if cause.changed else "knows it"
        does = "falls back to its bytes" if cause.falls_back else does
        return f"{text} is unknown to {one}{where}; {other} {does}."
    if cause.tokens != cause.others:
        tokens = counted(cause.tokens, "unknown token")
        return f"{text} is {tokens} in {one}, {cause.others} in {other}."
    return f"Different parts of {text} are unknown to {one} and to {other}."


@_say.register
def _(cause: ByteFallback, one: str, other: str) -> str:
    size = counted(len(cause.text), "byte")
    text = _quoted(cause.text)
    return f"{one} has no token for {text} and falls back to its {size}; {other} does not."


@_say.register
def _(cause: SpecialToken, one: str, other: str) -> str:
    said = f"{_quoted(cause.text)} is a special token in {one}"
    if cause.added:
        return f"{said}; in {other} it is an added token that is not special."
    what = "special tokens" if cause.as_text else "it"
    return f"{said}; {other} reads {what} as text."


@_say.register
def _(cause: AddedToken, one: str, other: str) -> str:
    text = _quoted(cause.text)
    return f"{one} has the added token {text} and finds it before any merge; {other} does not."


@_say.register
def _(cause: Normalization, one: str, other: str) -> str:
    change = f"{other} leaves it as it is"
    if cause.other_made is not None:
        change = _change(other, cause, cause.other_made)
    return f"{_change(one, cause, cause.made)}; {change}."


@_say.register
def _(cause: SplitBoundary, one: str, other: str) -> str:
    *parts, last = map(_quoted, cause.parts[:_MAX_PARTS])
    more = " …" if len(cause.parts) > _MAX_PARTS else ""
    return (
        f"{_reads(cause)}{one} splits {_quoted(b''.join(cause.parts))} into {', '.join(parts)} and "
        f"{last}{more} before any merge; {other} has it in one token."
    )


@_say.register
def _(cause: ModelKind, one: str, other: str) -> str:
    does = [_ALGORITHMS[model] for model in cause.models]
    said = f"{one} {does[0]}; {other} {does[1]}"
    if does[0] == does[1]:
        said = f"{one} and {other} are both {cause.models[0]} models"
    lacks = "" if cause.lacks is None else f"; {other} has no token {_quoted(cause.lacks)}"
    return f"{said}{lacks}."


@_say.register
def _(cause: MergeOrder, one: str, other: str) -> str:
    before = f"could merge {_merge(cause.wanted)}; so it does"
    if cause.late is not None:
        before = f"merges {_merge(cause.late)}; so it cannot merge {_merge(cause.wanted)} and does"
    return (
        f"{_reads(cause)}{one} merges {_merge(cause.done)}, before it {before} not reach "
        f"{_quoted(cause.goal)} as {other} does."
    )


@_say.register
def _(cause: MissingMerge, one: str, other: str) -> str:
    first, last, more = cause.missing[0], cause.missing[-1], len(cause.missing) - 1
    if first.rank is None:
        return f"{one} has a token {_quoted(first.content)}; {other} has none."
    way = f", on the way to {_quoted(last.content)}" if more else ""
    lacks = f"{other} has no {_quoted(first.content)}"
    if cause.other_position is not None:
        lacks = f"{other} does not have it yet at merge {cause.other_position:,}"
    return f"{one} merges {_merge(first)}{way}; {lacks}."


@_say.register
def _(cause: EndOfWordMarker, one: str, other: str) -> str:
    text = _quoted(cause.text)
    if cause.alone:
        return (
            f"In {text} {one} has the end-of-word marker as a separate symbol, {other} joined to "
            "the last character."
        )
    return (
        f"{one} marks the end of a word in {text}, and the marker takes part in its merges; "
        f"{other} has no marker there."
    )


@_say.register
def _(cause: DroppedText, one: str, other: str) -> str:
    step = "during normalization" if cause.by_normalization else "where it splits the text"
    does = "counts it to the token beside it" if cause.by_both else "keeps it"
    return f"{one} removes {_quoted(cause.text)} {step}; {other} {does}."


@_say.register
def _(cause: AddedSpace, one: str, other: str) -> str:
    return f"{_adds(one, cause.text, cause.after)}; {other} does not."


@_say.register
def _(cause: NotKnown, one: str, other: str) -> str:
    return f"It is not known why {one} and {other} differ in {_quoted(cause.text)}."


@_say.register
def _(cause: NotExplained, one: str, other: str) -> str:
    kinds = counted(cause.explained, "kind")
    return f"Only the causes of the {kinds} of differences with most tokens are found."


def _reads(cause: Cause) -> str:
    """Begin a sentence on a text that neither reads as it is."""
    return "" if cause.read is None else f"If both read {_quoted(cause.read)}, "


@lru_cache(maxsize=10_000)
def _quoted(content: bytes) -> str:
    """Quote a token or a text within a sentence."""
    return f"“{isolated(visible_quote(content))}”"


def _merge(made: MergedToken) -> str:
    left, right = map(_quoted, made.parts)
    rank = "" if made.rank is None else f" at merge {made.rank + 1:,}"
    return f"{left} and {right} into {_quoted(made.content)}{rank}"


def _adds(name: str, text: bytes, after: bytes) -> str:
    where = f"before {_quoted(after)}" if after else "at the end"
    return f"{name} adds {_quoted(text)} {where}"


def _change(name: str, cause: Normalization, made: bytes) -> str:
    """Say what a lane normalizes a text to."""
    if not cause.source:
        return _adds(name, made, cause.after)
    if not made:
        return f"{name} removes {_quoted(cause.source)} during normalization"
    source, result = _distinguishable(cause.source, made)
    return f"{name} changes {source} to {result}"


def _distinguishable(one: bytes, other: bytes) -> tuple[str, str]:
    """Quote two texts, with their code points if they may look the same.

    >>> _distinguishable(b"\\xc3\\xa9", b"e\\xcc\\x81")[1].split(maxsplit=1)[1]
    '(U+0065 U+0301)'
    """
    texts = [content.decode("utf-8", "replace") for content in (one, other)]
    if len({unicodedata.normalize("NFKC", text) for text in texts}) > 1:
        return _quoted(one), _quoted(other)
    first, second = (f"{_quoted(text.encode())} ({_code_points(text)})" for text in texts)
    return first, second


def _code_points(text: str) -> str:
    """List the first code points of a text."""
    points = [f"U+{ord(character):04X}" for character in text[:_MAX_CODE_POINTS]]
    return " ".join(points) + " …" * (len(text) > _MAX_CODE_POINTS)

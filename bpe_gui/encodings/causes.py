"""Why two encodings cut the same text differently, as far as it can be known.

The reasons are looked for in the order in which an encoding does its work: special tokens are
taken out of the text, some characters have no token, the text is normalized and cut into
words, and then merges join what stands within a word. The first that is found is the cause,
and what its sentence says is true of the two encodings at that place. Where nothing is found,
because a library does not tell, the sentence says that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bpe_gui.encodings.alignment import Alignment
from bpe_gui.encodings.base import Encoding, MarksEndsOfWords, Model
from bpe_gui.encodings.cause import FIRST, SECOND, Cause, CauseKind, Fact, Side, quoted
from bpe_gui.encodings.merge_causes import by_merges

_HOW = {
    Model.BPE: "merging pairs by their rank",
    Model.WORDPIECE: "taking the longest piece that fits, from left to right",
    Model.UNIGRAM: "looking for the most probable pieces of a word as a whole",
    Model.WORD_LEVEL: "with tokens for whole words only",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some lanes that agree differ from the reference: for each the cause, of one pattern."""

    causes: tuple[Cause, ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes that agree in a difference, and why they differ from the reference.

    Lanes that cut alike may do so for different reasons; each of them is told once. The group
    of the reference itself has none.
    """

    lanes: tuple[int, ...]
    reasons: tuple[Reason, ...]


def groups(alignment: Alignment, difference: int, reference: int) -> tuple[Group, ...]:
    """All lanes in a difference, those that agree with the reference first, then the most."""
    found = alignment.groups(difference)
    own = next(lanes for lanes in found if reference in lanes)
    return (
        Group(own, ()),
        *(
            Group(lanes, _reasons(alignment, difference, reference, lanes))
            for lanes in found
            if lanes != own
        ),
    )


def _reasons(
    alignment: Alignment, difference: int, reference: int, lanes: Sequence[int]
) -> tuple[Reason, ...]:
    """Why lanes differ from the reference, those for which it is the same together."""
    alike: dict[tuple[CauseKind, str], list[tuple[int, Cause]]] = {}
    for lane in lanes:
        found = cause(alignment, difference, reference, lane)
        if found is not None:
            alike.setdefault((found.kind, found.pattern), []).append((lane, found))
    return tuple(
        Reason(tuple(found for _, found in those), tuple(lane for lane, _ in those))
        for those in alike.values()
    )


def cause(alignment: Alignment, difference: int, first: int, second: int) -> Cause | None:
    """Why two lanes differ in a difference: at the first place in it at which they do.

    None if these two agree there.
    """
    start, end = int(alignment.starts[difference]), int(alignment.ends[difference])
    both = alignment.borders[first, start : end + 1] & alignment.borders[second, start : end + 1]
    borders = (np.flatnonzero(both) + start).tolist()
    for begin, stop in pairwise(borders):
        if not alignment.agree(first, second, begin, stop):
            sides = (
                Side(alignment, first, FIRST, begin, stop),
                Side(alignment, second, SECOND, begin, stop),
            )
            return _explained(*sides).named(*_names(alignment, first, second))
    return None


def _names(alignment: Alignment, *lanes: int) -> list[str]:
    """Names that tell lanes apart."""
    names = [alignment.cuts[lane].encoding.name for lane in lanes]
    if len(set(names)) == len(names):
        return names
    return [f"{name} (lane {lane + 1})" for name, lane in zip(names, lanes, strict=True)]


def _explained(first: Side, second: Side) -> Cause:
    """The first reason that is found."""
    for rule in (_special, _unknown, _left_out, _reading):
        found = rule(first, second) or rule(second, first)
        if found is not None:
            return found
    crossings = [c for c in (_crossing(first, second), _crossing(second, first)) if c is not None]
    if crossings:
        return min(crossings, key=lambda crossing: crossing[0])[1]
    if (first.encoding.model, second.encoding.model) != (Model.BPE, Model.BPE):
        return _models(first, second)
    return by_merges(first, second)


def _special(one: Side, other: Side) -> Cause | None:
    """One has a special token where the other has none."""
    spans = {(other.starts[i], other.ends[i]) for i in other.those(other.cut.special)}
    for index in one.those(one.cut.special):
        if (one.starts[index], one.ends[index]) not in spans:
            what = (
                "reads special tokens as text"
                if other.cut.specials_as_text
                else "does not take it for one"
            )
            return one.cause(
                CauseKind.SPECIAL_TOKEN,
                other,
                f"{quoted(one.written(index))} is a special token in {one.name}; "
                f"{other.name} {what}.",
                Fact(one.lane, one.ids[index]),
            )
    return None


def _unknown(one: Side, other: Side) -> Cause | None:
    """Something is unknown to one that is not, or not all of it, to the other."""
    others = other.unknown_bytes()
    for index in one.those(one.cut.unknown):
        within = others[one.starts[index] - one.start : one.ends[index] - one.start]
        text = one.written(index)
        if not text or within.all():
            continue
        contrast = (
            f"{other.name} finds only a part of it unknown"
            if within.any()
            else f"{other.name} knows it"
        )
        return one.cause(
            CauseKind.UNKNOWN_CHARACTER,
            other,
            f"{_unknown_to(one, text)}; {contrast}.",
            Fact(one.lane, one.ids[index]),
        )
    return _unknown_in_number(one, other)


def _unknown_in_number(one: Side, other: Side) -> Cause | None:
    """What is unknown to both is more tokens in one: bytes, say, or with a marker."""
    kind = CauseKind.UNKNOWN_CHARACTER
    counts, markers = [], []
    for side in (one, other):
        unknown = side.those(side.cut.unknown)
        counts.append(sum(bool(side.written(index)) for index in unknown))
        markers.append(len(unknown) - counts[-1])
    if counts[0] > counts[1] > 0:
        sentence = (
            f"What is unknown in {quoted(one.text)} is {counts[0]:,} tokens in {one.name} and "
            f"{counts[1]:,} in {other.name}."
        )
        return one.cause(kind, other, sentence)
    if markers[0] > markers[1] and isinstance(one.encoding, MarksEndsOfWords):
        sentence = (
            f"{one.name} marks an end of a word in {quoted(one.text)}, and the marker is unknown "
            f"to it; {other.name} has no such token there."
        )
        return one.cause(kind, other, sentence)
    return None


def _unknown_to(side: Side, text: bytes) -> str:
    encoding: Encoding = side.encoding
    if encoding.find(text) is None:
        return f"{quoted(text)} is unknown to {side.name}, which has no token for it"
    if isinstance(encoding, MarksEndsOfWords):
        where = "before" if encoding.find_marked(text) is None else "at"
        return f"{quoted(text)} is unknown to {side.name} {where} the end of a word"
    return f"{quoted(text)} is unknown to {side.name} at this place"


def _left_out(one: Side, other: Side) -> Cause | None:
    """One drops a character that the other keeps."""
    dropped = np.flatnonzero(other.covered & ~one.covered)
    if not len(dropped):
        return None
    data, place = one.alignment.data, one.start + int(dropped[0])
    before = len(data[:place].decode("utf-8", "ignore"))
    text = one.cut.text
    character = text[before]
    holder = next(i for i in range(len(other.ids)) if other.starts[i] <= place < other.ends[i])
    keeps = f"{other.name} keeps it, in {quoted(other.written(holder))}"
    fact = Fact(other.lane, other.ids[holder])
    shown = quoted(character.encode("utf-8"))
    without = text[:before] + text[before + 1 :]
    if one.encoding.normalized(without) == one.encoding.normalized(text):
        return one.cause(
            CauseKind.NORMALIZATION,
            other,
            f"{one.name} takes {shown} out of the text before it is cut; {keeps}.",
            fact,
        )
    if character.isspace() and one.cut.words is not None:
        return one.cause(
            CauseKind.SPLIT_PATTERN,
            other,
            f"{one.name} drops {shown} where it cuts the text into words; {keeps}.",
            fact,
        )
    return one.cause(
        CauseKind.NOT_KNOWN,
        other,
        f"{one.name} has nothing for {shown} and does not tell why; {keeps}.",
        fact,
    )


def _reading(one: Side, other: Side) -> Cause | None:
    """The tokens of one stand for something else than the text, and than those of the other."""
    if one.content == other.content or not one.changes_text():
        return None
    if other.changes_text():
        sentence = (
            f"{one.name} reads {quoted(one.text)} as "
            f"{quoted(one.content)}, {other.name} as {quoted(other.content)}."
        )
        return one.cause(CauseKind.NORMALIZATION, other, sentence)
    alignment = one.alignment
    own = np.flatnonzero(alignment.borders[one.lane, one.start : one.end + 1]) + one.start
    for start, end in pairwise(own.tolist()):
        part = Side(alignment, one.lane, one.name, start, end)
        if part.changes_text():
            sentence = (
                f"{one.name} reads {quoted(alignment.data[start:end])} as "
                f"{quoted(part.content)}; {other.name} leaves it as it is."
            )
            return one.cause(
                CauseKind.NORMALIZATION, other, sentence, *(part.fact(i) for i in part.ids)
            )
    return None


def _crossing(one: Side, other: Side) -> tuple[int, Cause] | None:
    """A word of one begins within a token of the other; and where."""
    words = one.cut.words
    if words is None:
        return None
    for index, (start, end) in enumerate(zip(other.starts, other.ends, strict=True)):
        found = int(np.searchsorted(words, start, side="right"))
        if found < len(words) and words[found] < end:
            place = int(words[found])
            left, right = one.alignment.data[start:place], one.alignment.data[place:end]
            return place, one.cause(
                CauseKind.SPLIT_PATTERN,
                other,
                f"{one.name} cuts between {quoted(left)} and {quoted(right)} before any merge; "
                f"the token {quoted(other.written(index))} of {other.name} reaches across.",
                other.fact(other.ids[index]),
            )
    return None


def _models(one: Side, other: Side) -> Cause:
    """Not both merge pairs, so there are no merges to compare."""
    models = [f"{side.encoding.model} model" for side in (one, other)]
    if one.encoding.model is other.encoding.model:
        begin = f"{one.name} and {other.name} are {models[0]}s, {_HOW[one.encoding.model]}"
    else:
        begin = (
            f"{one.name} is a {models[0]}, {_HOW[one.encoding.model]}; "
            f"{other.name} is a {models[1]}, {_HOW[other.encoding.model]}"
        )
    for side, lacking in ((one, other), (other, one)):
        for token in side.ids:
            content = side.encoding.content(token)
            if content and lacking.encoding.find(content) is None:
                lack = f"; {lacking.name} has no token {quoted(content)}"
                return one.cause(CauseKind.MODEL, other, f"{begin}{lack}.", side.fact(token))
    return one.cause(CauseKind.MODEL, other, f"{begin}.")

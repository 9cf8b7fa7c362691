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
from bpe_gui.encodings.base import Model, TellsWhatItReads
from bpe_gui.encodings.cause import (
    FIRST,
    SECOND,
    Cause,
    CauseKind,
    Fact,
    Side,
    quoted,
    unknown_to,
)
from bpe_gui.encodings.merge_causes import by_merges, marker_bytes
from bpe_gui.encodings.read_causes import RULES, first_crossing, widened

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
            begin, stop = widened(alignment, (first, second), begin, stop)
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
    for rule in (_special, _unknown, _left_out, *RULES):
        found = rule(first, second) or rule(second, first)
        if found is not None:
            return found
    crossing = first_crossing(first, second)
    if crossing is not None:
        return crossing
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
            f"{quoted(text)} {unknown_to(one, text)}; {contrast}.",
            Fact(one.lane, one.ids[index]),
        )
    return None


def _left_out(one: Side, other: Side) -> Cause | None:
    """One drops a character that the other keeps."""
    data = one.alignment.data
    for dropped in np.flatnonzero(other.covered & ~one.covered).tolist():
        place = one.start + dropped
        before = len(data[:place].decode("utf-8", "ignore"))
        # A token may reach across what the other drops as well.
        if data[place] & 0xC0 != 0x80 and not _normalizes_away(other, before, place):
            return _drops(one, other, before, place)
    return None


def _drops(one: Side, other: Side, before: int, place: int) -> Cause:
    """One has nothing for the character that begins at a byte; `before` stand so many."""
    character = one.cut.text[before]
    holder = next(i for i in range(len(other.ids)) if other.starts[i] <= place < other.ends[i])
    keeps = f"{other.name} keeps it, in {quoted(other.written(holder))}"
    fact = Fact(other.lane, other.ids[holder])
    shown = quoted(character.encode("utf-8"))
    if _normalizes_away(one, before, place):
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


def _normalizes_away(side: Side, index: int, place: int) -> bool:
    """Whether it is by normalization that nothing is left of a character, which is told, or
    inferred from the text without it."""
    encoding, text = side.encoding, side.cut.text
    if isinstance(encoding, TellsWhatItReads):
        as_text = side.cut.specials_as_text
        return encoding.normalizes_away(text, place, specials_as_text=as_text)
    return encoding.normalized(text[:index] + text[index + 1 :]) == encoding.normalized(text)


def _models(one: Side, other: Side) -> Cause:
    """Not both merge pairs, so there are no merges to compare."""
    marks, others = sorted((one, other), key=marker_bytes, reverse=True)
    if one.content == other.content and marker_bytes(marks) > marker_bytes(others):
        sentence = (
            f"{marks.name} marks an end of a word in {quoted(marks.text)}; {others.name} has no "
            "mark there."
        )
        return marks.cause(CauseKind.END_OF_WORD, others, sentence)
    models = [f"{side.encoding.model} model" for side in (one, other)]
    if one.encoding.model is other.encoding.model:
        begin = f"{one.name} and {other.name} are {models[0]}s, {_HOW[one.encoding.model]}"
    else:
        begin = (
            f"{one.name} is a {models[0]}, {_HOW[one.encoding.model]}; "
            f"{other.name} is a {models[1]}, {_HOW[other.encoding.model]}"
        )
    for side, lacking in ((one, other), (other, one)):
        for token in side.known_ids:
            content = side.encoding.content(token)
            if content and lacking.encoding.find(content) is None:
                lack = f"; {lacking.name} has no token {quoted(content)}"
                return one.cause(CauseKind.MODEL, other, f"{begin}{lack}.", side.fact(token))
    return one.cause(CauseKind.MODEL, other, f"{begin}.")

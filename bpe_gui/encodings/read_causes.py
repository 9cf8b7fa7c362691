"""The part that what is read has in a difference: normalization, and where words begin.

Encodings of ours tell what they read, also where normalization puts in what stands nowhere in
the text; of others there is what their tokens stand for.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bpe_gui.encodings.alignment import Alignment
from bpe_gui.encodings.base import MarksEndsOfWords, TellsWhatItReads
from bpe_gui.encodings.cause import (
    Cause,
    CauseKind,
    Fact,
    Side,
    quoted,
    told_apart,
    unknown_to,
)
from bpe_gui.encodings.changed_parts import ChangedPart, changed_parts


def widened(alignment: Alignment, lanes: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    """A stretch between two borders that both lanes have, made so long that they have them in
    what they read too: a token may join what was put in at such a place with what follows."""
    tellers = [
        (cut, cut.encoding)
        for cut in (alignment.cuts[lane] for lane in lanes)
        if isinstance(cut.encoding, TellsWhatItReads)
    ]

    def is_joined(place: int) -> bool:
        return any(
            encoding.joins_put_in(cut.text, place, specials_as_text=cut.specials_as_text)
            for cut, encoding in tellers
        )

    both = np.flatnonzero(alignment.borders[list(lanes)].all(axis=0))
    before = both[: np.searchsorted(both, start, side="right")].tolist()
    after = both[np.searchsorted(both, end) :].tolist()
    return (
        next(place for place in reversed(before) if not is_joined(place)),
        next(place for place in after if not is_joined(place)),
    )


def _read_alike(one: Side, other: Side) -> bool:
    """Whether both tell what they read, and it is the same."""
    return one.read is not None and other.read is not None and one.read.data == other.read.data


def _reading(one: Side, other: Side) -> Cause | None:
    """One reads something else than the text, and than the other."""
    both_tell = one.read is not None and other.read is not None
    return _changed(one, other, told=True) if both_tell else None


def _contents(one: Side, other: Side) -> Cause | None:
    """The tokens of one stand for something else than the text, and than those of the other."""
    return _changed(one, other, told=False)


def _changed(one: Side, other: Side, *, told: bool) -> Cause | None:
    mine, theirs = one.reads(told=told), other.reads(told=told)
    if mine == theirs or not one.changes_text(told=told):
        return None
    found = _changed_part(one, other)
    if found is not None:
        return found
    if other.changes_text(told=told):
        sentence = (
            f"{one.name} reads {quoted(one.text)} as {quoted(mine)}, {other.name} as "
            f"{quoted(theirs)}."
        )
        return one.cause(CauseKind.NORMALIZATION, other, sentence)
    alignment = one.alignment
    own = np.flatnonzero(alignment.borders[one.lane, one.start : one.end + 1]) + one.start
    for start, end in pairwise(own.tolist()):
        part = Side(alignment, one.lane, one.name, start, end)
        if part.changes_text(told=told):
            what = _change(one.name, part.text, part.reads(told=told), part.text)
            sentence = f"{what}; {other.name} leaves it as it is."
            return one.cause(
                CauseKind.NORMALIZATION, other, sentence, *(part.fact(i) for i in part.known_ids)
            )
    return None


def _changed_part(one: Side, other: Side) -> Cause | None:
    """The first part of a stretch that normalization changes in one, and not so in the other."""
    text, data = one.cut.text, one.alignment.data
    start = len(data[: one.start].decode("utf-8", "ignore"))
    end = start + len(one.text.decode("utf-8", "replace"))
    mine, theirs = (
        changed_parts(text, start, end, side.encoding.normalized) for side in (one, other)
    )
    part = next((part for part in mine if part not in theirs), None)
    if part is None:
        return None
    others = [it for it in theirs if it.start <= part.end and part.start <= it.end]
    contrast = _part_change(other, others[0]) if others else f"{other.name} leaves it as it is"
    sentence = f"{_part_change(one, part)}; {contrast}."
    return one.cause(CauseKind.NORMALIZATION, other, sentence, *map(one.fact, one.known_ids))


def _part_change(side: Side, part: ChangedPart) -> str:
    text = side.cut.text
    source, after = text[part.start : part.end], text[part.end : part.end + 1]
    return _change(side.name, *(it.encode("utf-8") for it in (source, part.made, after)))


def _change(name: str, source: bytes, made: bytes, after: bytes) -> str:
    """What a lane does to a part of the text before it cuts it; `after` follows on the part."""
    if made.endswith(source) and (not source or made.startswith(b" ")):
        put_in = made.removesuffix(source)
        where = f"before {quoted(after)}" if after else "at the end"
        return f"{name} puts {quoted(put_in)} in {where}"
    if not made:
        return f"{name} takes {quoted(source)} out of the text before it is cut"
    return "{} reads {} as {}".format(name, *told_apart(source, made))


def _unknown_part(one: Side, other: Side) -> Cause | None:
    """A part of what both read is unknown to one alone."""
    if one.read is None or other.read is None or one.read.data != other.read.data:
        return None
    unknown = np.flatnonzero(one.read.unknown & ~other.read.unknown)
    if not len(unknown):
        return None
    token = int(one.read.token[unknown[0]])
    part = np.frombuffer(one.read.data, np.uint8)[one.read.token == token].tobytes()
    return one.cause(
        CauseKind.UNKNOWN_CHARACTER,
        other,
        f"{quoted(part)}, made of {quoted(one.text)}, {unknown_to(one, part)}; {other.name} "
        "knows it.",
        Fact(one.lane, one.ids[token]),
    )


def _unknown_in_number(one: Side, other: Side) -> Cause | None:
    """What is unknown to both is more tokens in one: bytes, say, or with a marker."""
    kind = CauseKind.UNKNOWN_CHARACTER
    counts, markers = [], []
    for side in (one, other):
        unknown = side.those(side.cut.unknown)
        is_marker = [not side.written(index) for index in unknown]
        markers.append(side.read.unknown_markers if side.read else sum(is_marker))
        counts.append(len(unknown) - markers[-1])
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


RULES = (_reading, _unknown_part, _contents, _unknown_in_number)
"""What is asked of the two in turn, one after another; the first cause that is found is it."""


def first_crossing(first: Side, second: Side) -> Cause | None:
    """The first place at which a word of one begins within a token of the other."""
    rule = _crossing_in_read if _read_alike(first, second) else _crossing
    found = [c for c in (rule(first, second), rule(second, first)) if c is not None]
    return min(found, key=lambda crossing: crossing[0])[1] if found else None


def _crossing_in_read(one: Side, other: Side) -> tuple[int, Cause] | None:
    assert one.read is not None, "it tells"
    assert other.read is not None, "it tells"
    token, data = other.read.token, other.read.data
    within = np.flatnonzero(one.read.begins_word[1:] & (token[1:] == token[:-1])) + 1
    if not len(within):
        return None
    place = int(within[0])
    start, end = (int(np.searchsorted(token, token[place], side)) for side in ("left", "right"))
    return place, _cut_between(one, other, data[start:place], data[place:end], int(token[place]))


def _crossing(one: Side, other: Side) -> tuple[int, Cause] | None:
    words = one.cut.words
    if words is None:
        return None
    data = one.alignment.data
    for index, (start, end) in enumerate(zip(other.starts, other.ends, strict=True)):
        found = int(np.searchsorted(words, start, side="right"))
        if found < len(words) and words[found] < end:
            place = int(words[found])
            return place, _cut_between(one, other, data[start:place], data[place:end], index)
    return None


def _cut_between(one: Side, other: Side, left: bytes, right: bytes, token: int) -> Cause:
    return one.cause(
        CauseKind.SPLIT_PATTERN,
        other,
        f"{one.name} cuts between {quoted(left)} and {quoted(right)} before any merge; "
        f"the token {quoted(left + right)} of {other.name} reaches across.",
        other.fact(other.ids[token]),
    )

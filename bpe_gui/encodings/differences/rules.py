"""Rules that find causes of a difference, one for each step of tokenization before the merges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import numpy as np

from bpe_gui.encodings.base import marks_ends_of_words
from bpe_gui.encodings.differences.causes import (
    AddedSpace,
    AddedToken,
    ByteFallback,
    Cause,
    DroppedText,
    EndOfWordMarker,
    Normalization,
    SpecialToken,
    SplitBoundary,
    Unknown,
)
from bpe_gui.encodings.differences.changed_parts import ChangedPart
from bpe_gui.encodings.differences.merge_paths import marked_bytes
from bpe_gui.encodings.differences.segments import (
    MAX_LENGTH,
    LaneSegment,
    SegmentPair,
    SegmentToken,
)
from bpe_gui.encodings.regex_words import SPACES


def unknown_text(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find text that is unknown to one only, or that has more unknown tokens in one.

    It is no cause where the other has a special token, which is none of that text.
    """
    special = {place for it in other.tokens if it.special for place in range(it.start, it.end)}
    for run in _runs(
        token
        for token in one.tokens
        if token.unknown
        and not (places := set(range(token.start, token.end))) <= other.unknown
        and not places.isdisjoint(other.covered)  # what the other drops it does not know
        and not places <= special
    ):
        start, end = run[0].start, run[-1].end
        others = sum(it.unknown and it.start < end and start < it.end for it in other.tokens)
        anywhere = one.encoding.token_to_id(one.data[start : run[0].end]) is None
        facing = [it for it in other.tokens if it.start < end and start < it.end]
        read = b"".join(it.content for it in facing).replace(b" ", b"")
        yield Unknown(
            *one.against(other),
            text=one.data[start:end],
            anywhere=anywhere,
            falls_back=all(other.encoding.is_fallback_byte(it.id) for it in facing),
            changed=not others and one.data[start:end].replace(b" ", b"") not in read,
            tokens=len(run),
            others=others,
        )
    if one.unknown == other.unknown:
        text = bytes(one.data[place] for place in sorted(one.unknown))
        for covers in (True, False):
            tokens, others = (
                sum(token.unknown and (token.start < token.end) == covers for token in it.tokens)
                for it in (one, other)
            )
            if tokens > others:
                text = text if covers else b""
                yield Unknown(*one.against(other), text=text, tokens=tokens, others=others)


def _runs(tokens: Iterable[SegmentToken]) -> list[list[SegmentToken]]:
    """Group tokens that directly follow each other."""
    runs: list[list[SegmentToken]] = []
    for token in tokens:
        if runs and runs[-1][-1].end >= token.start:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def special_tokens(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find texts that are a special token, or an added one, in one only."""
    where = one.against(other)
    for token in one.tokens:
        same = same_special(token, other) if token.special else None
        if token.added and same is None:
            yield AddedToken(*where, text=token.content, token=token.id)
        elif token.special and not token.added and (same is None or same.added):
            yield SpecialToken(
                *where,
                text=one.data[token.start : token.end],
                token=token.id,
                as_text=other.cut.specials_as_text,
                added=same is not None,
            )


def same_special(token: SegmentToken, other: LaneSegment) -> SegmentToken | None:
    """Find the special or added token of the other lane that is the same; None if there is none."""
    return next((it for it in other.tokens if it.special and it.is_same_special(token)), None)


def fallback_bytes(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find characters that one encodes as single bytes, and the other does not.

    They are no cause where the other encodes all text there as single bytes too, or has a special
    token.
    """
    cut, found = one.cut, list[int]()
    alike = {(token.start, token.end, token.content) for token in other.tokens}
    for place, token in zip(one.places, one.tokens, strict=True):
        if (token.start, token.end, token.content) in alike:
            continue
        character = cut.fallback_bytes(place)
        if not character or character[0] in found:
            continue
        start, end = cut.tokens.starts[character[0]], cut.tokens.ends[character[-1]]
        facing = [it for it in other.tokens if it.start < end and start < it.end]
        if not any(it.special for it in facing) and not (
            facing
            and all(
                other.encoding.is_fallback_byte(it.id)
                or (it.content and not it.content.strip(b" "))
                for it in facing
            )
        ):
            found += character
    for run in np.split(found, np.flatnonzero(np.diff(found) != 1) + 1) if found else ():
        text = cut.content(run[0], run[-1] + 1)
        yield ByteFallback(
            *one.against(other), text=text, tokens=tuple(cut.tokens.ids[run].tolist())
        )


def normalized_parts(pair: SegmentPair) -> Iterator[Cause]:
    """Find parts of the text that the two normalize differently.

    White space that a lane changes to other white space and drops where it splits is no such part,
    nor white space that one removes and the other drops.
    """
    if pair.is_normalized_alike:
        return
    first, second = pair.sides
    compared: list[ChangedPart] = []
    for one, other in ((first, second), (second, first)):
        parts, others = _kept_parts(one), _kept_parts(other)
        for part in parts:
            if part in others or part in compared or _adds_likewise(other, part):
                continue
            if not part.made and _is_dropped_space(other, part):
                continue
            facing = [it for it in others if it.meets(part) and it not in parts]
            compared += facing
            start, end = part.start, part.end
            if facing:
                start, end = min(start, facing[0].start), max(end, facing[0].end)
            text = one.cut.text
            made = (text[start : it.start] + it.made + text[it.end : end] for it in (part, *facing))
            source, after = text[start:end].encode(), text[end : end + 1].encode()
            yield _change(one, other, source, after, *(it.encode() for it in islice(made, 2)))


def _kept_parts(one: LaneSegment) -> list[ChangedPart]:
    """List the changed parts but white space that stays white space and has no token."""
    return [
        part
        for part in one.changed_parts
        if not (part.made.isspace() and _is_dropped_space(one, part))
    ]


def _is_dropped_space(side: LaneSegment, part: ChangedPart) -> bool:
    """Tell whether a part is white space that no token of a lane covers."""
    byte_of = dict(side.characters)
    return side.cut.text[part.start : part.end].isspace() and all(
        index in byte_of and byte_of[index] not in side.covered
        for index in range(part.start, part.end)
    )


def _adds_likewise(other: LaneSegment, part: ChangedPart) -> bool:
    """Tell whether the tokens of the other have the space that a part puts in, added by a later
    step.
    """
    added = part.made.replace("▁", " ").encode()
    if part.start < part.end or added.strip(b" "):
        return False
    contents = [it.content for it in other.tokens if it.characters.start == part.start]
    size = max(map(len, contents), default=0)
    source = other.cut.text[part.start : part.start + size].encode()
    return any(
        content == (added + source)[: len(content)] != source[: len(content)]
        for content in contents
    )


def changed_text(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find the first text for which the tokens of one have other bytes, if the other covers it."""
    if one.changes_text and other.changes_text:
        yield _change(one, other, one.text, b"", one.content, other.content)
    elif one.changes_text:
        own = np.flatnonzero(one.alignment.borders[one.lane, one.start : one.end + 1]) + one.start
        parts = (LaneSegment(one.alignment, one.lane, *ends) for ends in pairwise(own.tolist()))
        part = next(part for part in parts if part.changes_text)
        if part.text.isspace() and other.covered.isdisjoint(range(part.start, part.end)):
            return  # the other drops it, which is the cause
        behind = part.characters[-1][0] + 1
        after = one.cut.text[behind : behind + 1].encode()
        yield _change(one, other, part.text, after, part.content)


def _change(
    one: LaneSegment,
    other: LaneSegment,
    source: bytes,
    after: bytes,
    made: bytes,
    theirs: bytes | None = None,
) -> Cause:
    """Choose the cause for a text that one changes to `made`, and the other to `theirs`.

    after: the text that follows. theirs: None if the other leaves the text unchanged.
    """
    where = one.against(other)
    for added, before in ((made.removesuffix(source), source), (made.removeprefix(source), b"")):
        is_space = not added.decode("utf-8", "replace").strip(SPACES)
        if theirs is None and is_space and len(added) == len(made) - len(source) > 0:
            return AddedSpace(*where, text=added, after=before or after)
    if theirs is None and not made and source.decode("utf-8", "replace").isspace():
        return DroppedText(*where, text=source, by_normalization=True)
    return Normalization(*where, source=source, made=made, after=after, other_made=theirs)


def split_boundaries(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find tokens of the other that one's pre-tokenization splits.

    Where a word begins only because a token that the other lacks is found there, that is the cause.
    """
    words = one.cut.words
    if words is None:
        return
    lacked = {
        place
        for token in one.tokens
        if token.special and same_special(token, other) is None
        for place in (token.start, token.end)
    }
    same_bytes = one.content == other.content
    for token in other.tokens[:MAX_LENGTH]:
        size = len(one.data[token.start : token.end].strip())
        takes_space = token.special and len(token.content) < token.end - token.start
        if token.special and not (takes_space and same_special(token, one)):
            continue
        if not (same_bytes or len(token.content.strip()) in (0, size)):
            continue  # normalization may have changed the place where the word begins
        low, high = words.searchsorted((token.start + 1, token.end))
        within = [place for place in words[low:high].tolist() if place not in lacked]
        if not within:
            continue
        parts = tuple(
            one.data[start:end]
            for start, end in pairwise((token.start, *within, token.end))
            if not one.covered.isdisjoint(range(start, end))
        )
        if len(parts) > 1:
            facts = () if token.unknown else (other.fact(token.id),)
            yield SplitBoundary(*one.against(other), parts=parts, facts=facts)


def dropped_text(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find text that one drops and the other keeps.

    Only white space if normalization removes it, as `normalized_parts` finds other characters, or
    if the encoding does not tell its words.
    """
    text, runs = one.cut.text, list[tuple[int, int, bool]]()
    for index, byte in one.characters:
        if byte in other.covered and byte not in one.covered:
            removed = _is_removed(one, index)
            is_space = text[index].isspace() or text[index] in SPACES
            if not is_space and (removed or one.cut.words is None):
                continue
            start = index
            if runs and runs[-1][1:] == (index, removed):
                start, _, _ = runs.pop()
            runs.append((start, index + 1, removed))
    for start, end, removed in runs:
        yield DroppedText(
            *one.against(other),
            text=text[start:end].encode(),
            by_normalization=removed,
            by_both=removed and all(_is_removed(other, index) for index in range(start, end)),
        )


def added_space(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find a space that one adds and has a token for, where the other has no token at all."""
    for token in one.known:
        if token.start == token.end and token.content == b" " and not other.tokens:
            index = int(one.alignment.characters[token.start])
            after = one.cut.text[index : index + 1].encode()
            yield AddedSpace(*one.against(other), text=token.content, after=after)


def _is_removed(side: LaneSegment, index: int) -> bool:
    """Tell whether normalization makes the same of a text with and without a character."""
    before, after, normalized = side.part_around(index)
    return normalized(before + after) == normalized(before + side.cut.text[index] + after)


def end_of_word_markers(one: LaneSegment, other: LaneSegment) -> Iterator[Cause]:
    """Find end-of-word markers that only one has, or has as a separate symbol."""
    if any(token.unknown and token.start == token.end for token in one.tokens + other.tokens):
        return
    mine, theirs = ([it for it in side.known if it.closes] for side in (one, other))
    if len(mine) > len(theirs) and one.spaceless == other.spaceless:
        yield EndOfWordMarker(*one.against(other), text=one.text)
    elif len(mine) == len(theirs) and marks_ends_of_words(other.encoding):
        alone = [marked_bytes(one.encoding, token.id) for token in mine if not token.content]
        if alone and other.encoding.marked_token_to_id(alone[0]) is None:
            yield EndOfWordMarker(*one.against(other), text=one.text, alone=True)

"""Which parts of a text normalization changes, and to what, found by asking for more of it.

A library tells what it makes of a text, seldom where each part of it came from; and where it
does, a composed letter comes from its base alone. So the text is cut wherever what is before
is normalized as it is within the whole: between two such places stands a part that is
normalized by itself, a single character or a letter with its marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_AROUND = 24
"""Characters of the text on either side that are looked at as well."""

Normalize = Callable[[str], str]
"""What is made of a text."""


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A part of a text that normalization changes: characters `start` to `end`, to `made`.

    Nothing that it changes is empty where something is put in, and made is empty where
    something is taken out.
    """

    start: int
    end: int
    made: str


def changed_parts(text: str, start: int, end: int, normalize: Normalize) -> list[ChangedPart]:
    """What normalization changes between two characters of a text, in order.

    Parts that reach into the stretch are there whole; what is put in at its borders is there.
    The text may be long: only what is near the stretch is normalized.

    >>> changed_parts("an Ibis", 0, 7, str.lower)
    [ChangedPart(start=3, end=4, made='i')]
    """
    first, last = max(start - _AROUND, 0), min(end + _AROUND, len(text))
    parts = (
        ChangedPart(first + part.start, first + part.end, part.made)
        for part in _parts(text[first:last], normalize)
    )
    return [part for part in parts if (part.start < end and part.end > start) or _at(part, start)]


def composed_end(text: str, place: int, normalize: Normalize) -> int:
    """Where the marks end that begin at a character and become one with what is before them.

    The place itself if nothing there does.

    >>> import unicodedata
    >>> composed_end("cafe\\u0301s", 4, lambda text: unicodedata.normalize("NFC", text))
    5
    """
    end = place
    while place and end < len(text) and _may_be_composed(text[end]):
        first = max(place - _AROUND, 0)
        head, tail = text[first:end], text[end : end + 1]
        whole = normalize(head + tail)
        if whole in (normalize(head) + normalize(tail), normalize(head)):
            break
        end += 1
    return end


def _may_be_composed(character: str) -> bool:
    """Whether a character may become one with the one before: marks, vowels of Hangul."""
    return unicodedata.category(character)[0] == "M" or "\u1161" <= character <= "\u11ff"


def _at(part: ChangedPart, start: int) -> bool:
    """Whether something is put in at the start of a stretch."""
    return part.start == part.end == start


def _parts(text: str, normalize: Normalize) -> Iterator[ChangedPart]:
    whole = normalize(text)
    borders = [(0, 0)]
    for place in range(1, len(text)):
        made = normalize(text[:place])
        rest = whole[len(made) :]
        if whole.startswith(made) and normalize(text[place:]).endswith(rest):
            borders.append((place, len(made)))
    borders.append((len(text), len(whole)))
    changed = [
        (one, other)
        for one, other in pairwise(borders)
        if text[one[0] : other[0]] != whole[one[1] : other[1]]
    ]
    # What is taken out at the end of one part may be put in again as the next begins.
    while changed:
        (start, made_start), stop = changed.pop(0)
        while changed and changed[0][0] == stop:
            stop = changed.pop(0)[1]
        source, made = text[start : stop[0]], whole[made_start : stop[1]]
        if source != made:
            yield _narrowed(start, source, made)


def _narrowed(start: int, source: str, made: str) -> ChangedPart:
    """A part without the characters that it has as it begins and ends.

    A mark stays with its letter.
    """
    end = start + len(source)
    while source and made and source[-1] == made[-1] and not _may_be_composed(source[-1]):
        source, made, end = source[:-1], made[:-1], end - 1
    while source and made and source[0] == made[0] and not _continued(source, made):
        source, made, start = source[1:], made[1:], start + 1
    return ChangedPart(start, end, made)


def _continued(source: str, made: str) -> bool:
    """Whether marks follow on what two texts begin with."""
    return any(len(text) > 1 and _may_be_composed(text[1]) for text in (source, made))

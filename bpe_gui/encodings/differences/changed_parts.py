"""Finds which parts of a text normalization changes, and into what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from weakref import WeakKeyDictionary

from msgspec import Struct

from bpe_gui.encodings.base import Encoding, normalizes_parts
from bpe_gui.encodings.regex_words import AROUND, SPACES, Normalize, leading_spaces, may_be_composed

_MOST_NORMALIZED = 50_000

_normalized: WeakKeyDictionary[Encoding, dict[tuple[str, bool], str]] = WeakKeyDictionary()
"""What encodings normalize texts to, at most `_MOST_NORMALIZED` of each."""


def cached_normalizer(encoding: Encoding, *, is_first: bool = True) -> Normalize:
    """Normalize texts as an encoding does, and remember the results.

    is_first: whether it is the beginning of a text, and not behind a special token.
    """
    known = _normalized.get(encoding)
    if known is None or len(known) > _MOST_NORMALIZED:
        known = _normalized[encoding] = {}

    def normalize(text: str) -> str:
        found = known.get((text, is_first))
        if found is None:
            if is_first or not normalizes_parts(encoding):
                found = encoding.normalized(text)
            else:
                found = encoding.normalized_part(text)
            known[text, is_first] = found
        return found

    return normalize


class ChangedPart(Struct, frozen=True):
    """Describe a change by normalization: characters `start` to `end` become `made`.

    `start` equals `end` if text is inserted; `made` is empty if text is removed.
    """

    start: int
    end: int
    made: str

    def meets(self, other: ChangedPart) -> bool:
        """Tell whether two changes overlap, or both insert text at the same place.

        >>> added, changed = ChangedPart(0, 0, " "), ChangedPart(0, 1, "fi")
        >>> changed.meets(added), added.meets(added)
        (False, True)
        """
        overlap = self.start < other.end and other.start < self.end
        return overlap or (self.start, self.end) == (other.start, other.end)


def changed_parts(text: str, start: int, end: int, normalize: Normalize) -> list[ChangedPart]:
    """Find what normalization changes between two characters of a text, in order.

    A library tells the result of normalization, but seldom which part of it comes from where; if
    it does, it attributes a composed letter to its base only. So the text is divided wherever the
    part before is normalized as it is within the whole. Changes that overlap the range are whole,
    and insertions at its borders are included. Only the text near the range is normalized.

    >>> changed_parts("an Ibis", 0, 7, str.lower)
    [ChangedPart(start=3, end=4, made='i')]
    """
    first, last = max(start - AROUND, 0), min(end + AROUND, len(text))
    parts = (
        ChangedPart(first + part.start, first + part.end, part.made)
        for part in _parts(text[first:last], start - first, end - first, normalize)
    )
    return [
        part
        for part in parts
        if (part.start < end and part.end > start) or part.start == part.end == start
    ]


def _parts(text: str, first: int, last: int, normalize: Normalize) -> Iterator[ChangedPart]:
    """Find the changes of a text that overlap some of its characters, and perhaps others."""
    whole = normalize(text)
    if whole == text:
        return
    borders = _borders_of_characters(text, whole, normalize)
    if borders is None:
        borders = _borders(text, whole, first, last, normalize)
    changed: list[tuple[int, int, int, int]] = []
    borders = _with_spaces_behind_words(text, whole, borders)
    for (start, made_start), (end, made_end) in pairwise(borders):
        if text[start:end] == whole[made_start:made_end]:
            continue
        # Neighbours are one change, but for spaces and what is added before the text.
        if changed and changed[-1][1] == start and text[start:end].strip():
            first, _, made_first, _ = changed[-1]
            if text[first:start].strip():
                changed.pop()
                start, made_start = first, made_first
        changed.append((start, end, made_start, made_end))
    for start, end, made_start, made_end in changed:
        yield _narrowed(start, text[start:end], whole[made_start:made_end])


def _with_spaces_behind_words(
    text: str, whole: str, borders: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Move borders from behind a space that belongs to the word before to before that space.

    A space at the end of a part may be added, as at the end of a text, or be the first of the white
    space that follows, of which then no other is left.
    """
    found = list(borders)
    for number in range(1, len(borders) - 1):
        place, made = borders[number]
        end, made_end = borders[number + 1]
        is_space = whole[made - 1 : made] in (*SPACES,) and not text[place - 1].isspace()
        if is_space and made == made_end and text[place:end].isspace():
            found[number] = place, made - 1
    return found


def _borders_of_characters(
    text: str, whole: str, normalize: Normalize
) -> list[tuple[int, int]] | None:
    """Find where each character begins, in a text and in what normalization makes of it.

    Returns None if that is not each character by itself, or if one is removed. Spaces may be put
    before.
    """
    before = normalize("x")
    added = len(before) - 1
    if not before.endswith("x") or before[:added].strip(SPACES):
        return None
    made: dict[str, str] = {}
    for character in set(text):
        both = normalize(f"x{character}")
        if len(both) <= len(before) or not both.startswith(before):
            return None
        made[character] = both[len(before) :]
    if whole != before[:added] + "".join([made[character] for character in text]):
        return None
    places = accumulate([len(made[character]) for character in text], initial=added)
    borders = [*enumerate(places)]
    return [(0, 0), *borders] if added else borders


def _borders(
    text: str, whole: str, first: int, last: int, normalize: Normalize
) -> list[tuple[int, int]]:
    """Find where a text can be divided, and what normalization makes of it likewise.

    Only borders around some of its characters are looked for, as far as something unchanged is
    between two of them on either side: changes beyond that have no part in those here.
    """
    near = _NEAR
    while True:
        low, high = max(first - near, 0), min(last + near, len(text))
        while low and text[low - 1].isspace():
            low -= 1
        borders = _borders_between(text, whole, low, high, normalize)
        unchanged = [
            (start, end)
            for (start, made_start), (end, made_end) in pairwise(borders)
            if text[start:end] == whole[made_start:made_end]
        ]
        begins = not low or any(end <= first for _, end in unchanged)
        if begins and (high == len(text) or any(start >= last for start, _ in unchanged)):
            return borders
        near *= 2


_NEAR = 3
"""Characters on either side in which something unchanged is looked for first."""


def _borders_between(
    text: str, whole: str, low: int, high: int, normalize: Normalize
) -> list[tuple[int, int]]:
    """Find the borders between two places; the character before `low` is no white space."""
    borders: list[tuple[int, int]] = []
    if low == 0:
        borders = [(0, 0)]
        if (own := leading_spaces(text, normalize)) is not None:
            added = len(whole) - len(whole.lstrip(SPACES)) - own
            borders += [(0, added)] * (added > 0)
    for place in range(max(low, 1), min(high + 1, len(text))):
        made = normalize(text[:place])
        rest = whole[len(made) :]
        if text[place - 1].isspace() or text[place].isspace():
            rest = rest.lstrip(SPACES)  # white space may be removed at the ends of a text
        if whole.startswith(made) and normalize(text[place:]).endswith(rest):
            size = len(made)
            before = borders[-1] if borders else (low - 1, 0)
            if text[before[0] : place].isspace() and size <= before[1]:
                # What was removed at the end of this part is there in the whole.
                size = before[1] + whole.startswith(tuple(SPACES), before[1])
            borders.append((place, size))
    if high == len(text):
        borders.append((len(text), len(whole)))
    return borders


def _narrowed(start: int, source: str, made: str) -> ChangedPart:
    """Shorten a change by the equal characters at its start and end; marks stay with letters."""
    end = start + len(source)
    while source and made and source[-1] == made[-1] and not may_be_composed(source[-1]):
        source, made, end = source[:-1], made[:-1], end - 1
    while source and made and source[0] == made[0] and not _has_marks(source, made):
        source, made, start = source[1:], made[1:], start + 1
    return ChangedPart(start, end, made)


def _has_marks(source: str, made: str) -> bool:
    """Tell whether a mark follows the first character of either text."""
    return any(len(text) > 1 and may_be_composed(text[1]) for text in (source, made))

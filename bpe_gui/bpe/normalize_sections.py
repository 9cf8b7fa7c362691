"""Normalization of many short texts at once: the documents of a corpus.

A text that begins with what a recipe puts before each document is not normalized as part of a
longer one. To normalize each by itself takes some 0.1 ms, however short it is. Steps that look at
no more than one character, and at the beginning of a text, are done here on all of them together.
"""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.normalize import (
    Normalized,
    normalize_aligned,
    points_of,
    text_of,
)
from bpe_gui.bpe.recipe import Normalizer, Prepend, PrependOnce, Replace, put_before

FIRST, LATER, REST, AS_IT_IS = range(4)
"""Kinds of sections: a section begins a document, comes behind a special token, is the rest of a
document that began elsewhere, or is not normalized."""


def normalize_sections(
    text: str,
    ends: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    steps: tuple[Normalizer, ...],
) -> tuple[Normalized, NDArray[np.int64]]:
    """Normalize the sections of a text as `normalize_aligned` does each of them by itself.

    `ends` are the characters at which they end, and come back as those of the normalized text.
    Nothing is put before the rest of a document.

    >>> ends, kinds = np.array([2, 3]), np.array([FIRST, FIRST], np.uint8)
    >>> made, made_ends = normalize_sections("a b", ends, kinds, (Prepend("_"),))
    >>> made.text, made_ends.tolist(), made.starts.tolist()
    ('_a _b', [3, 5], [0, 0, 1, 2, 2, 3])
    """
    changes = [_change(step) for step in steps]
    known = [change for change in changes if change is not None]
    if len(known) < len(changes):
        return _each(text, ends, kinds, steps)
    done = _Sections(points_of(text), np.arange(len(text)), np.arange(1, len(text) + 1), ends)
    for change in known:
        done = change.on(done, kinds)
    size = len(text)
    normalized = Normalized(
        text_of(done.points), np.append(done.starts, size), np.append(done.stops, size)
    )
    return normalized, done.ends


def _each(
    text: str,
    ends: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    steps: tuple[Normalizer, ...],
) -> tuple[Normalized, NDArray[np.int64]]:
    """Do as `normalize_sections` with any steps, one section after another."""
    without = tuple(step for step in steps if not isinstance(step, Prepend))
    texts, starts, stops = [], [], []
    begin, is_same = 0, True
    for end, kind in zip(ends.tolist(), kinds.tolist(), strict=True):
        wanted = {REST: without, AS_IT_IS: ()}.get(kind, steps)
        made = normalize_aligned(text[begin:end], wanted, is_first=kind == FIRST)
        is_same = is_same and made.starts is None
        columns = made.columns()
        texts.append(made.text)
        starts.append(columns[0][:-1] + begin)
        stops.append(columns[1][:-1] + begin)
        begin = end
    if is_same:
        return Normalized(text, None), ends
    last = np.array([len(text)], np.int64)
    normalized = Normalized(
        "".join(texts), np.concatenate([*starts, last]), np.concatenate([*stops, last])
    )
    return normalized, np.cumsum([len(made) for made in texts], dtype=np.int64)


# -- Steps on all sections together ---------------------------------------------------------------


class _Sections(Struct, frozen=True):
    """Hold characters, the characters of the source that each came from, and ends of sections."""

    points: NDArray[np.uint32]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ends: NDArray[np.int64]


class _ReplaceCharacter(Struct, frozen=True):
    """Write one character for another, as a `Replace` of that character does."""

    old: int
    new: int

    def on(self, found: _Sections, kinds: NDArray[np.uint8]) -> _Sections:
        """Replace it in all sections that are normalized."""
        replaced = found.points == self.old
        untouched = np.flatnonzero(kinds == AS_IT_IS)
        begins = np.append(0, found.ends[:-1])[: len(found.ends)]
        for begin, end in zip(begins[untouched], found.ends[untouched], strict=True):
            replaced[begin:end] = False
        points = np.where(replaced, np.uint32(self.new), found.points)
        return _Sections(points, found.starts, found.stops, found.ends)


class _PutBefore(Struct, frozen=True):
    """Put a character before sections.

    unless_there: not before those that begin with it. only_first: only where a document begins.
    """

    character: int
    unless_there: bool
    only_first: bool

    def on(self, found: _Sections, kinds: NDArray[np.uint8]) -> _Sections:
        """Put it before the sections that are not empty."""
        begins = np.append(0, found.ends[:-1])[: len(found.ends)]
        chosen = (found.ends > begins) & ((kinds == FIRST) | (kinds == LATER))
        if self.only_first:
            chosen &= kinds == FIRST
        if self.unless_there:
            chosen[chosen] = found.points[begins[chosen]] != self.character
        places = begins[chosen]
        sources = found.starts[places]
        return _Sections(
            np.insert(found.points, places, np.uint32(self.character)),
            np.insert(found.starts, places, sources),
            np.insert(found.stops, places, sources),
            found.ends + np.cumsum(chosen),
        )


def _change(step: Normalizer) -> _ReplaceCharacter | _PutBefore | None:
    """Return what does a step on all sections together; None if nothing does."""
    if isinstance(step, Replace) and len(step.by) == 1:
        if step == put_before(step.by):
            return _PutBefore(ord(step.by), unless_there=True, only_first=False)
        old = step.pattern.removeprefix("\\")
        if len(old) == 1 and step.pattern == (old if step.pattern == " " else re.escape(old)):
            return _ReplaceCharacter(ord(old), ord(step.by))
    if isinstance(step, Prepend) and len(step.text) == 1:
        once = isinstance(step, PrependOnce)
        return _PutBefore(ord(step.text), unless_there=once, only_first=once)
    return None

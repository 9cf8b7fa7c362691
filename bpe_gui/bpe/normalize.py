"""Normalization: what is done to a text before it is cut into words.

A recipe lists its steps, and `normalize` runs them, one after the other. Those that have a
name do the same to each document wherever it is cut (see `bpe_gui.bpe.streaming`):

- `bert-clean`: what `clean_text` of Hugging Face's BertNormalizer does. Control and
  format characters, private use and U+FFFD vanish, each white space becomes a space;
- `bert-chinese`: what its `handle_chinese_chars` does: a space before and after each
  CJK ideograph;
- `nfc`, `nfd`, `nfkc`, `nfkd`: Unicode's normalization forms, as `unicodedata` of the running
  Python has them;
- `remove-mn`: nonspacing marks (category Mn, as `unicodedata` has it) vanish, those that
  stand alone: do `nfd` first to take the accents off composed letters;
- `strip-accents`: all marks (categories Mn, Mc and Me) vanish, those that stand alone. Hugging
  Face's StripAccents does the same with the marks of an older Unicode;
- `lowercase`, and `strip`, which looks for the ends of a document: see `bpe_gui.bpe.text_edits`,
  as for the two that are no names, `Prepend` and `Replace`.

`normalize_aligned` tells in addition which source characters each character came from.

A stream may be normalized piece by piece, but for `strip`, `Prepend` and `Replace`. If each
piece begins with an ASCII character, the results join up to what the whole text gives: no
step looks across the start of an ASCII character. So it is exact to cut before an ASCII white
space and between two ASCII characters. A cut anywhere else may keep marks from being ordered,
or from being composed with what is before them.

Every step takes any str, also one with lone surrogates (they stay as they are).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe import text_edits, unicode_forms
from bpe_gui.bpe.aligned_text import CODE_POINTS, Normalized, points_of, text_of
from bpe_gui.bpe.recipe import Normalizer, Prepend, Replace

_REMOVED_BY_BERT = (
    # Control characters (Cc), but for tab, newline and carriage return.
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    # Format characters (Cf) as the library's tables have them: those that Unicode took in
    # later (U+08E2, U+0890, U+110CD, U+13430...) are not among them.
    *((0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F)),
    *((0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064)),
    *((0x2066, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    # Private use (Co), and the replacement character.
    *((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD), (0xFFFD, 0xFFFD)),
)
"""First and last code points of the ranges that `bert-clean` drops."""

_SPACES_OF_BERT = (
    *((0x09, 0x0A), (0x0D, 0x0D), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
"""The ranges that `bert-clean` turns into a space."""

_IDEOGRAPHS_OF_BERT = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    # The gap U+2B820..U+2B91F is the library's.
    *((0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)
"""The ranges that `bert-chinese` puts spaces around."""

_MAY_BE_MARKS = (range(0x20000), range(0xE0000, 0xF0000))
"""Where marks can be: the other planes hold ideographs, private use, nothing."""

ALL_MARKS = ("Mn", "Mc", "Me")
"""Unicode's categories of marks."""

_KEEP, _REMOVE, _TO_SPACE, _SURROUND = range(4)
"""What is done to one character; the tables below hold one of these per code point."""


def normalize(text: str, steps: tuple[Normalizer, ...]) -> str:
    """Run the steps, in that order.

    Raises ValueError for an unknown name, PatternError for a regex that takes too long.

    >>> normalize("naïve", ("nfd", "remove-mn"))
    'naive'
    """
    for step in steps:
        text = _change(step)(text)
    return text


def normalize_aligned(text: str, steps: tuple[Normalizer, ...]) -> Normalized:
    """As `normalize`, and say where each character came from.

    >>> normalize_aligned("naïve", ("nfd",)).origins.tolist()
    [0, 1, 2, 2, 3, 4, 5]
    """
    done = Normalized(text, None)
    for made in aligned_steps(text, steps):
        done = made.after(done)
    return done


def aligned_steps(text: str, steps: tuple[Normalizer, ...]) -> Iterator[Normalized]:
    """What the steps make one after another, each told of what the step before it made.

    >>> [made.text for made in aligned_steps(" Naïve", ("strip", "lowercase"))]
    ['Naïve', 'naïve']
    """
    for step in steps:
        made = _aligned_change(step)(text)
        yield made
        text = made.text


def _change(step: Normalizer) -> Callable[[str], str]:
    if isinstance(step, Replace):
        return partial(text_edits.replace, pattern=step.pattern, by=step.by)
    if isinstance(step, Prepend):
        return partial(text_edits.prepend, before=step.text)
    return _known(STEPS, step)


def _aligned_change(step: Normalizer) -> Callable[[str], Normalized]:
    if isinstance(step, Replace):
        return partial(text_edits.replace_aligned, pattern=step.pattern, by=step.by)
    if isinstance(step, Prepend):
        return partial(text_edits.prepend_aligned, before=step.text)
    return _known(_ALIGNED, step)


def bert_clean(text: str) -> str:
    """Drop control characters, make each white space a space; as Hugging Face does it."""
    if text.isascii():
        return text.translate(_ascii_cleaning())
    points = points_of(text)
    actions = _cleaning()[points]
    return text_of(_clean(points, actions, actions != _REMOVE))


def bert_chinese(text: str) -> str:
    """Put a space before and after each CJK ideograph; as Hugging Face does it."""
    if text.isascii():
        return text
    points = points_of(text)
    surrounded = _surrounding()[points] == _SURROUND
    return text_of(_surround(points, surrounded)[0]) if surrounded.any() else text


def remove_mn(text: str) -> str:
    """Drop the nonspacing marks, category Mn."""
    return _without_marks(text, ("Mn",))


def strip_accents(text: str) -> str:
    """Drop all marks, categories Mn, Mc and Me."""
    return _without_marks(text, ALL_MARKS)


def marks(categories: tuple[str, ...] = ALL_MARKS) -> list[int]:
    """The code points of all marks of some categories, as `unicodedata` has them."""
    return np.flatnonzero(_marks(categories) == _REMOVE).tolist()


def _without_marks(text: str, categories: tuple[str, ...]) -> str:
    if text.isascii():
        return text
    points = points_of(text)
    kept = _marks(categories)[points] == _KEEP
    return text if kept.all() else text_of(points[kept])


STEPS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "bert-clean": bert_clean,
        "bert-chinese": bert_chinese,
        "nfc": partial(unicode_forms.normal_form, form="NFC"),
        "nfd": partial(unicode_forms.normal_form, form="NFD"),
        "nfkc": partial(unicode_forms.normal_form, form="NFKC"),
        "nfkd": partial(unicode_forms.normal_form, form="NFKD"),
        "remove-mn": remove_mn,
        "strip-accents": strip_accents,
        "lowercase": text_edits.lowercase,
        "strip": text_edits.strip,
    }
)
"""The steps by the names that recipes use."""

_T = TypeVar("_T")


def _known(steps: Mapping[str, _T], name: str) -> _T:
    try:
        return steps[name]
    except KeyError:
        raise ValueError(
            f"unknown normalizer {name!r}; the known ones are {', '.join(STEPS)}"
        ) from None


# -- the same steps with origins ---------------------------------------------------------


def _bert_clean_aligned(text: str) -> Normalized:
    points = points_of(text)
    actions = _cleaning()[points]
    if not actions.any():
        return Normalized(text, None)
    kept = actions != _REMOVE
    return Normalized(text_of(_clean(points, actions, kept)), _kept_origins(kept))


def _bert_chinese_aligned(text: str) -> Normalized:
    points = points_of(text)
    surrounded = _surrounding()[points] == _SURROUND
    if not surrounded.any():
        return Normalized(text, None)
    made, origins = _surround(points, surrounded)
    stops = origins + 1
    # The spaces are put in: one stands before the ideograph, one after it.
    middles = np.flatnonzero(surrounded[origins])[1::3]
    stops[middles - 1] -= 1
    origins[middles + 1] += 1
    size = len(points)
    return Normalized(text_of(made), np.append(origins, size), np.append(stops, size))


def _without_marks_aligned(text: str, categories: tuple[str, ...]) -> Normalized:
    kept = _marks(categories)[points_of(text)] == _KEEP
    if kept.all():
        return Normalized(text, None)
    return Normalized(_without_marks(text, categories), _kept_origins(kept))


_ALIGNED: Mapping[str, Callable[[str], Normalized]] = {
    "bert-clean": _bert_clean_aligned,
    "bert-chinese": _bert_chinese_aligned,
    "nfc": partial(unicode_forms.aligned, form="NFC"),
    "nfd": partial(unicode_forms.aligned, form="NFD"),
    "nfkc": partial(unicode_forms.aligned, form="NFKC"),
    "nfkd": partial(unicode_forms.aligned, form="NFKD"),
    "remove-mn": partial(_without_marks_aligned, categories=("Mn",)),
    "strip-accents": partial(_without_marks_aligned, categories=ALL_MARKS),
    "lowercase": text_edits.lowercase_aligned,
    "strip": text_edits.strip_aligned,
}


# -- on arrays of code points ------------------------------------------------------------


def _clean(
    points: NDArray[np.uint32], actions: NDArray[np.uint8], kept: NDArray[np.bool_]
) -> NDArray[np.uint32]:
    """The code points that are kept, with a space for those whose action says so."""
    spaced = np.where(actions == _TO_SPACE, np.uint32(0x20), points)
    return spaced if kept.all() else spaced[kept]


def _surround(
    points: NDArray[np.uint32], surrounded: NDArray[np.bool_]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Put spaces around some of the characters; the result and its origins (no last entry)."""
    lengths = np.where(surrounded, 3, 1)
    origins = np.repeat(np.arange(len(points)), lengths)
    made = points[origins]
    middles = (np.cumsum(lengths) - 2)[surrounded]
    made[middles - 1] = 0x20
    made[middles + 1] = 0x20
    return made, origins


def _kept_origins(kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Origins when only some of the characters stay."""
    return np.append(np.flatnonzero(kept), len(kept))


# -- tables, made when first needed --------------------------------------------------------


def _table(ranges: tuple[tuple[int, int], ...], action: int) -> NDArray[np.uint8]:
    table = np.full(CODE_POINTS, _KEEP, np.uint8)
    for first, last in ranges:
        table[first : last + 1] = action
    return table


@cache
def _cleaning() -> NDArray[np.uint8]:
    return _table(_REMOVED_BY_BERT, _REMOVE) | _table(_SPACES_OF_BERT, _TO_SPACE)


@cache
def _ascii_cleaning() -> dict[int, str | None]:
    changes: dict[int, str | None] = {_REMOVE: None, _TO_SPACE: " "}
    actions = _cleaning()[:0x80].tolist()
    return {point: changes[action] for point, action in enumerate(actions) if action != _KEEP}


@cache
def _surrounding() -> NDArray[np.uint8]:
    return _table(_IDEOGRAPHS_OF_BERT, _SURROUND)


@cache
def _marks(categories: tuple[str, ...]) -> NDArray[np.uint8]:
    table = np.full(CODE_POINTS, _KEEP, np.uint8)
    for points in _MAY_BE_MARKS:
        marks = [point for point in points if unicodedata.category(chr(point)) in categories]
        table[marks] = _REMOVE
    return table

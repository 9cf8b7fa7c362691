"""Normalization: what is done to a text before it is cut into words.

A recipe names its steps; `STEPS` holds a function `str -> str` for each name, and
`normalize` runs several, one after the other:

- `bert-clean`: what `clean_text` of Hugging Face's BertNormalizer does. Control and
  format characters, private use and U+FFFD vanish, each white space becomes a space;
- `bert-chinese`: what its `handle_chinese_chars` does: a space before and after each
  CJK ideograph;
- `nfd`: Unicode's canonical decomposition, as `unicodedata` of the running Python has it;
- `remove-mn`: nonspacing marks (category Mn, as `unicodedata` has it) vanish, those that
  stand alone: do `nfd` first to take the accents off composed letters.

`normalize_aligned` tells in addition which source character each character came from.

A stream may be normalized piece by piece. If each piece begins with an ASCII character,
the results join up to what the whole text gives: no step looks across the start of an
ASCII character. So it is exact to cut before an ASCII white space and between two ASCII
characters. A cut anywhere else may keep `nfd` from ordering the marks around it.

Every step takes any str, also one with lone surrogates (they stay as they are).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

_CODE_POINTS = 0x110000

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
"""Where nonspacing marks can be: the other planes hold ideographs, private use, nothing."""

_KEEP, _REMOVE, _TO_SPACE, _SURROUND = range(4)
"""What is done to one character; the tables below hold one of these per code point."""

_PART = 1 << 16
"""Characters decomposed in one call: short enough that other threads hardly wait for it."""

_ASCII = re.compile("[\\x00-\\x7f]")


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalized text, and where its characters came from.

    `origins[i]` is the index in the source text of the character that made character i
    (for a space put beside an ideograph: the ideograph). It has `len(text) + 1` entries,
    the last is the length of the source. It is None if nothing changed. The entries
    ascend, except where `nfd` put combining marks into another order.
    """

    text: str
    origins: NDArray[np.int64] | None


def normalize(text: str, names: tuple[str, ...]) -> str:
    """Run the named steps, in that order. Raises ValueError for an unknown name.

    >>> normalize("naïve", ("nfd", "remove-mn"))
    'naive'
    """
    for name in names:
        text = _known(name)(text)
    return text


def normalize_aligned(text: str, names: tuple[str, ...]) -> Normalized:
    """As `normalize`, and say where each character came from.

    >>> normalize_aligned("naïve", ("nfd",)).origins.tolist()
    [0, 1, 2, 2, 3, 4, 5]
    """
    origins: NDArray[np.int64] | None = None
    for name in names:
        _known(name)
        step = _ALIGNED[name](text)
        if step.origins is not None:
            origins = step.origins if origins is None else origins[step.origins]
        text = step.text
    return Normalized(text, origins)


def bert_clean(text: str) -> str:
    """Drop control characters, make each white space a space; as Hugging Face does it."""
    if text.isascii():
        return text.translate(_ascii_cleaning())
    points = _points(text)
    actions = _cleaning()[points]
    return _text(_clean(points, actions, actions != _REMOVE))


def bert_chinese(text: str) -> str:
    """Put a space before and after each CJK ideograph; as Hugging Face does it."""
    if text.isascii():
        return text
    points = _points(text)
    surrounded = _surrounding()[points] == _SURROUND
    return _text(_surround(points, surrounded)[0]) if surrounded.any() else text


def nfd(text: str) -> str:
    """Canonical decomposition, for instance é as e and U+0301."""
    if len(text) <= _PART:
        return unicodedata.normalize("NFD", text)
    return "".join([unicodedata.normalize("NFD", part) for part in _parts(text)])


def remove_mn(text: str) -> str:
    """Drop the nonspacing marks, category Mn."""
    if text.isascii():
        return text
    points = _points(text)
    kept = _marks()[points] == _KEEP
    return text if kept.all() else _text(points[kept])


STEPS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "bert-clean": bert_clean,
        "bert-chinese": bert_chinese,
        "nfd": nfd,
        "remove-mn": remove_mn,
    }
)
"""The steps by the names that recipes use."""


def _known(name: str) -> Callable[[str], str]:
    try:
        return STEPS[name]
    except KeyError:
        raise ValueError(
            f"unknown normalizer {name!r}; the known ones are {', '.join(STEPS)}"
        ) from None


# -- the same steps with origins ---------------------------------------------------------


def _bert_clean_aligned(text: str) -> Normalized:
    points = _points(text)
    actions = _cleaning()[points]
    if not actions.any():
        return Normalized(text, None)
    kept = actions != _REMOVE
    return Normalized(_text(_clean(points, actions, kept)), _kept_origins(kept))


def _bert_chinese_aligned(text: str) -> Normalized:
    points = _points(text)
    surrounded = _surrounding()[points] == _SURROUND
    if not surrounded.any():
        return Normalized(text, None)
    made, origins = _surround(points, surrounded)
    return Normalized(_text(made), np.append(origins, len(points)))


def _nfd_aligned(text: str) -> Normalized:
    """Decompose character by character, then order the marks as Unicode's algorithm does."""
    if unicodedata.is_normalized("NFD", text):
        return Normalized(text, None)
    points = _points(text)
    kinds, kind = _kinds(points)
    decomposed = [unicodedata.normalize("NFD", chr(point)) for point in kinds]
    lengths = np.array([len(made) for made in decomposed], np.int64)[kind]
    origins = np.repeat(np.arange(len(points)), lengths)
    # The made characters, kind by kind in one row; each source character takes its slice.
    row = _points("".join(decomposed))
    row_starts = np.cumsum([0, *map(len, decomposed)])[kind]
    made_starts = np.cumsum(lengths) - lengths
    made = row[np.arange(len(origins)) + np.repeat(row_starts - made_starts, lengths)]
    order = _canonical_order(made)
    return Normalized(_text(made[order]), np.append(origins[order], len(points)))


def _remove_mn_aligned(text: str) -> Normalized:
    points = _points(text)
    kept = _marks()[points] == _KEEP
    if kept.all():
        return Normalized(text, None)
    return Normalized(_text(points[kept]), _kept_origins(kept))


_ALIGNED: Mapping[str, Callable[[str], Normalized]] = {
    "bert-clean": _bert_clean_aligned,
    "bert-chinese": _bert_chinese_aligned,
    "nfd": _nfd_aligned,
    "remove-mn": _remove_mn_aligned,
}


# -- on arrays of code points ------------------------------------------------------------


def _points(text: str) -> NDArray[np.uint32]:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(
        np.uint32, copy=False
    )


def _text(points: NDArray[np.uint32]) -> str:
    """The inverse of `_points`."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


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


def _kinds(points: NDArray[np.uint32]) -> tuple[list[int], NDArray[np.int64]]:
    """The distinct code points in order, and for each character the index of its own.

    As `np.unique` with its inverse, but without sorting: many times faster here.
    """
    present = np.zeros(_CODE_POINTS, np.bool_)
    present[points] = True
    kinds = np.flatnonzero(present)
    index = np.empty(_CODE_POINTS, np.int64)
    index[kinds] = np.arange(len(kinds))
    return kinds.tolist(), index[points]


def _canonical_order(points: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The order that sorts each run of combining marks by class and keeps equals in place."""
    kinds, kind = _kinds(points)
    classes = np.array([unicodedata.combining(chr(point)) for point in kinds], np.int64)[kind]
    if not ((classes[:-1] > classes[1:]) & (classes[1:] > 0)).any():
        return np.arange(len(points))
    # A starter (class 0) begins a run, is its smallest and so stays at its head.
    runs = np.cumsum(classes == 0)
    return np.lexsort((classes, runs))


def _parts(text: str) -> Iterator[str]:
    """Cut a text before ASCII characters into parts of `_PART` characters or a bit more."""
    start = 0
    while start < len(text):
        found = _ASCII.search(text, start + _PART)
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end


# -- tables, made when first needed --------------------------------------------------------


def _table(ranges: tuple[tuple[int, int], ...], action: int) -> NDArray[np.uint8]:
    table = np.full(_CODE_POINTS, _KEEP, np.uint8)
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
def _marks() -> NDArray[np.uint8]:
    table = np.full(_CODE_POINTS, _KEEP, np.uint8)
    for points in _MAY_BE_MARKS:
        table[[point for point in points if unicodedata.category(chr(point)) == "Mn"]] = _REMOVE
    return table

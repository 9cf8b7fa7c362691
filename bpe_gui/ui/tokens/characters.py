"""Properties of the characters of a text, independent of tokens.

Everything is computed for whole texts with numpy, so that 100 kB cost milliseconds: the kind
of a code point is in a table that is filled when code points are first met.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.words import distinct_keys

_UNKNOWN = 255
_ALL = 0x110000


class CodePointTable:
    """One small number (0 to 254) for each code point, found when it is first met."""

    def __init__(self, find: Callable[[int], int]) -> None:
        self._find = find
        self._values: NDArray[np.uint8] = np.full(_ALL, _UNKNOWN, np.uint8)

    def __call__(self, codes: NDArray[np.integer]) -> NDArray[np.uint8]:
        """Return the number of each code point."""
        values = self._values[codes]
        missing = values == _UNKNOWN
        if missing.any():
            for code in distinct_keys(codes[missing]).tolist():
                self._values[code] = self._find(code)
            values = self._values[codes]
        return values


class Kind(IntEnum):
    """How a character is drawn."""

    PLAIN = 0
    """Looks the same next to any character: its place follows from widths alone."""
    SPACE = 1
    TAB = 2
    NEWLINE = 3
    NAMED = 4
    """Invisible or ambiguous: shown by its name."""
    SHAPED = 5
    """Its look or its place depends on its neighbours: Hebrew, Arabic, Thai, emoji ..."""
    EXTENDS = 6
    """Sits on the character before it: an accent, a vowel sign, a skin tone."""
    JOINS = 7
    """Invisible, changes how its neighbours look: zero-width joiner, variation selector."""
    FLAG = 8
    """Half of a flag: a regional indicator."""


# Ranges in which a character looks the same in every company and runs left to right.
_PLAIN = (
    *((0x21, 0x7E), (0xA1, 0xAC), (0xAE, 0x2FF), (0x370, 0x482), (0x48A, 0x58F)),
    *((0x10A0, 0x10FF), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E)),
    *((0x2070, 0x20CF), (0x2100, 0x22FF), (0x2400, 0x25FF), (0x2E80, 0x2FFF)),
    *((0x3001, 0x3029), (0x3030, 0x3098), (0x309B, 0x312F), (0x3190, 0x4DBF)),
    *((0x4E00, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF01, 0xFF9F)),
)
_JOINERS = ((0x200C, 0x200D), (0xFE00, 0xFE0F), (0xE0020, 0xE007F), (0xE0100, 0xE01EF))
_SKIN_TONES = (0x1F3FB, 0x1F3FF)
_FLAGS = (0x1F1E6, 0x1F1FF)
_BLANK_LETTERS = frozenset({0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800})
_NAMED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"})


def _kind(code: int) -> Kind:
    if code in (0x20, 0x09, 0x0A):
        return {0x20: Kind.SPACE, 0x09: Kind.TAB, 0x0A: Kind.NEWLINE}[code]
    if any(first <= code <= last for first, last in _JOINERS):
        return Kind.JOINS
    category = unicodedata.category(chr(code))
    if category in ("Mn", "Mc", "Me") or _SKIN_TONES[0] <= code <= _SKIN_TONES[1]:
        return Kind.EXTENDS
    if code in _BLANK_LETTERS or category in _NAMED_CATEGORIES:
        return Kind.NAMED
    if _FLAGS[0] <= code <= _FLAGS[1]:
        return Kind.FLAG
    if any(first <= code <= last for first, last in _PLAIN):
        return Kind.PLAIN
    return Kind.SHAPED


kinds_of = CodePointTable(_kind)
"""The kind of each code point."""

_OTHER, _TO_THE_RIGHT, _TO_THE_LEFT, _TURNS = range(4)


def _direction(code: int) -> int:
    bidirectional = unicodedata.bidirectional(chr(code))
    if bidirectional == "L":
        return _TO_THE_RIGHT
    if bidirectional in ("R", "AL"):
        return _TO_THE_LEFT
    # Arabic digits turn what is between them, and these controls what comes after.
    return _TURNS if bidirectional in ("AN", "RLE", "RLO", "RLI") else _OTHER


_directions_of = CodePointTable(_direction)


def codes_of(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text without unpaired surrogates."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


class Characters:
    """A text as columns, one row per character.

    `codes` are the code points, `kinds` say how each is drawn (`Kind`), `byte_starts` has
    the offset of each character in the UTF-8 bytes and, last, their number. `text` may not
    hold unpaired surrogates: UnicodeEncodeError.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8")
        self.codes = codes_of(text)
        self.kinds = kinds_of(self.codes)
        self.byte_starts = self._byte_starts()
        self.spaces: NDArray[np.bool_] = (self.kinds >= Kind.SPACE) & (self.kinds <= Kind.NEWLINE)
        self.before_spaces, self.after_spaces = self._around_spaces()
        self.newlines = np.flatnonzero(self.kinds == Kind.NEWLINE)
        directions = _directions_of(self.codes)
        self._leftward = np.flatnonzero(directions >= _TO_THE_LEFT)
        self._backwards = self._backwards_paragraphs(directions)
        self.always_apart: NDArray[np.bool_] = (self.kinds == Kind.TAB) | (self.kinds == Kind.NAMED)
        self._shaped = np.zeros(len(self.codes) + 1, np.int32)
        np.cumsum(self.kinds >= Kind.SHAPED, out=self._shaped[1:])
        self.dependent = np.flatnonzero(self.kinds >= Kind.EXTENDS)
        self.cluster_starts = self._cluster_starts()

    def __len__(self) -> int:
        return len(self.codes)

    def is_shaped(self, first: int, last: int) -> bool:
        """Return whether any of these characters has to be placed by the text engine."""
        return bool(self._shaped[first] != self._shaped[last])

    def turns(self, first: int, last: int) -> bool:
        """Return whether any of these characters could run, or make others run, to the left."""
        place = int(np.searchsorted(self._leftward, first))
        return place < len(self._leftward) and bool(self._leftward[place] < last)

    def turning(self, edges: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return `turns` of the characters between any two neighbouring edges."""
        return np.diff(np.searchsorted(self._leftward, edges)) > 0

    def is_backwards(self, character: int) -> bool:
        """Return whether the paragraph of a character runs to the left like its first letter."""
        if not len(self._leftward):
            return False
        return bool(self._backwards[np.searchsorted(self.newlines, character)])

    def _backwards_paragraphs(self, directions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        backwards = np.zeros(len(self.newlines) + 1, np.bool_)
        if len(self._leftward):
            letters = np.flatnonzero((directions == _TO_THE_RIGHT) | (directions == _TO_THE_LEFT))
            of, first = np.unique(np.searchsorted(self.newlines, letters), return_index=True)
            backwards[of] = directions[letters[first]] == _TO_THE_LEFT
        return backwards

    def _around_spaces(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Mark the places where a run of spaces begins, and where any space ends."""
        before = np.zeros(len(self) + 1, bool)
        after = np.zeros(len(self) + 1, bool)
        before[:-1] = after[1:] = self.spaces
        before &= ~after
        return before, after

    def _byte_starts(self) -> NDArray[np.int64]:
        starts = np.zeros(len(self.codes) + 1, np.int64)
        lengths = (
            1
            + (self.codes >= 0x80).astype(np.int64)
            + (self.codes >= 0x800)
            + (self.codes >= 0x10000)
        )
        np.cumsum(lengths, out=starts[1:])
        return starts

    def _cluster_starts(self) -> NDArray[np.bool_]:
        """Mark the places where a row may begin without splitting a cluster."""
        starts = np.ones(len(self.codes) + 1, bool)
        kinds = self.kinds
        torn = np.flatnonzero((kinds == Kind.EXTENDS) | (kinds == Kind.JOINS))
        starts[torn] = False
        joined = torn[self.codes[torn] == 0x200D] + 1
        joined = joined[joined < len(kinds)]
        starts[joined[kinds[joined] >= Kind.SHAPED]] = False
        flags = np.flatnonzero(kinds == Kind.FLAG)
        if len(flags):
            run = np.concatenate(([True], np.diff(flags) != 1))
            place = np.arange(len(flags)) - np.maximum.accumulate(
                np.where(run, np.arange(len(flags)), 0)
            )
            starts[flags[place % 2 == 1]] = False
        starts[0] = starts[-1] = True
        return starts

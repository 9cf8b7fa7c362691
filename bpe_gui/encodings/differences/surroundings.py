"""Numbers for what is around segments of two lanes as far as normalization depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.encodings.differences.alignment import Alignment, Cut
from bpe_gui.encodings.differences.changed_parts import cached_normalizer, changed_parts
from bpe_gui.encodings.differences.kinds import hashes
from bpe_gui.encodings.differences.segments import MAX_LENGTH
from bpe_gui.encodings.regex_words import AROUND, Normalize

UNLIKE = -1
"""The number of a segment that is not compared with others."""

_UNIT = regex.compile(r"\s+|[\w\p{M}]+|[^\s\w\p{M}]")
_BETWEEN = regex.compile(r"[^\s\w\p{M}]")
_FRAME = "x"
"""A letter before and behind a unit that is normalized by itself, for the ends of a text differ."""
_MARGIN = 4 * (AROUND + 1)
"""Bytes that have all characters around on which normalization may depend."""
_AT_ONCE, _FEWEST = 2048, 8
"""Units that are looked at together: at first, and at the least."""


class Surroundings:
    """Number what is around segments of two lanes.

    A text is divided into units: white space, words, and single characters between. Where each
    lane normalizes a stretch of text to what it normalizes the units to one by one, and leaves the
    single characters as they are, what changes in a segment depends on its units only, and on the
    character behind them. What a lane leaves out is looked at between the two characters beside it.
    """

    def __init__(
        self, alignment: Alignment, check: Callable[[], object] = lambda: None
    ) -> None:
        """Look at the units of a text.

        check: called for each different unit and whatever is normalized; may raise to give up.
        """
        self._check = check
        self._data = np.frombuffer(alignment.data, np.uint8)
        units = _UNIT.findall(alignment.text)
        known: dict[str, int] = {}
        self._which = np.array([known.setdefault(unit, len(known)) for unit in units], np.int64)
        sizes = np.array([len(unit.encode()) for unit in known], np.int64)
        self._borders = np.append(0, np.cumsum(sizes[self._which]))
        is_wrong = np.zeros(len(units), np.bool_)
        changes = np.zeros(len(units), np.bool_)
        for cut in alignment.cuts:
            lane = _LaneUnits(cut, list(known), self._which, units, check)
            is_wrong |= lane.is_wrong
            changes |= lane.changes
        self._wrong, self._changes = (np.append(0, np.cumsum(it)) for it in (is_wrong, changes))
        self._dropped, self._removed = _dropped(alignment, check)

    def numbers(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number segments, the same for those with the same text and what matters around it.

        `UNLIKE` where that is not known.
        """
        size = len(self._data)
        found = np.full(len(starts), UNLIKE, np.int64)
        is_known = (starts > _MARGIN) & (ends < size - _MARGIN) & (ends - starts <= MAX_LENGTH)
        places = np.flatnonzero(is_known)
        starts, ends = starts[places], ends[places]
        low, high = self._units(starts - _MARGIN, ends + _MARGIN)
        right = self._wrong[low] == self._wrong[high]
        places, starts, ends = places[right], starts[right], ends[right]
        low, high = self._units(starts, ends)
        first, after = self._borders[low], self._borders[high]
        drops = self._dropped.searchsorted(starts), self._dropped.searchsorted(ends)
        matters = (self._changes[low] < self._changes[high]) | (drops[0] < drops[1])
        behind = self._data[after]
        size_behind = 1 + (behind >= 0xC0) + (behind >= 0xE0) + (behind >= 0xF0)
        after = after + np.where(self._changes[high - 1] < self._changes[high], size_behind, 0)
        first, after = np.where(matters, first, starts), np.where(matters, after, starts)
        self._check()
        text = hashes((first, after), starts, (np.arange(size), self._data))
        self._check()
        text ^= hashes(drops, starts, (self._dropped, self._removed)) * np.uint64(3)
        found[places] = (text >> np.uint64(1)).astype(np.int64)
        return found

    def _units(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find the first unit that overlaps each range, and the one after the last."""
        return self._borders.searchsorted(starts, "right") - 1, self._borders.searchsorted(ends)


class _LaneUnits:
    """Hold what a lane's normalization makes of each unit of a text.

    is_wrong: where text around a unit is not normalized unit by unit. changes: where a unit is not
        left as it is.
    """

    def __init__(
        self,
        cut: Cut,
        kinds: Sequence[str],
        which: NDArray[np.int64],
        units: Sequence[str],
        check: Callable[[], object],
    ) -> None:
        self._check = check
        self._units, self._which, self._kinds = units, which, kinds
        self._made: dict[int, str | None] = {}
        self.is_wrong = np.zeros(len(units), np.bool_)
        self.changes = np.zeros(len(units), np.bool_)
        self._normalize: Normalize = cut.encoding.normalized
        self._normalize_unit = cached_normalizer(cut.encoding)
        if len(cut.normalized_parts) > 1:
            self.is_wrong[:] = True  # parts may be normalized otherwise than the first
            return
        self._before = self._normalize(_FRAME)
        both = self._normalize(_FRAME + _FRAME)
        self._behind = both[len(self._before) :]
        if not both.startswith(self._before) or not self._behind:
            self.is_wrong[:] = True
            return
        for low in range(0, len(units), _AT_ONCE):
            self._compare(low, min(low + _AT_ONCE, len(units)))

    def _compare(self, low: int, high: int) -> None:
        """Compare what some units become together, and one by one."""
        first, after = max(low - 2, 0), min(high + 2, len(self._units))
        text = "".join(self._units[first:after])
        self._check()
        whole = self._inner(text)
        if whole == text:
            return
        kinds = self._which[first:after].tolist()
        made = [self._make(kind) for kind in kinds]
        if whole is not None and None not in made and whole == "".join(filter(None, made)):
            changed = [it != self._kinds[kind] for it, kind in zip(made, kinds, strict=True)]
            self.changes[first:after] |= changed
        elif high - low <= _FEWEST:
            self.is_wrong[low:high] = True
        else:
            middle = (low + high) // 2
            self._compare(low, middle)
            self._compare(middle, high)

    def _make(self, kind: int) -> str | None:
        """Normalize a kind of unit; None if that adds text at one of its ends, or if it changes a
        single character that may be between two words.
        """
        if kind not in self._made:
            self._check()
            unit = self._kinds[kind]
            made = self._inner(unit)
            if made != unit and _BETWEEN.fullmatch(unit):
                made = None
            if made is not None and made not in (unit, unit.lower()):
                parts = changed_parts(
                    f"{_FRAME}{unit}{_FRAME}", 1, 1 + len(unit), self._normalize_unit
                )
                ends = (1, 1 + len(unit))
                if any(part.start == part.end and part.start in ends for part in parts):
                    made = None
            self._made[kind] = made
        return self._made[kind]

    def _inner(self, text: str) -> str | None:
        """Normalize a text between two letters; None if they do not become what they are alone."""
        whole = self._normalize(f"{_FRAME}{text}{_FRAME}")
        size = len(whole) - len(self._behind)
        if size < len(self._before) or not whole.startswith(self._before):
            return None
        return whole[len(self._before) : size] if whole.endswith(self._behind) else None


def _dropped(
    alignment: Alignment, check: Callable[[], object]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the bytes at which characters begin that only one of two lanes has no token for.

    Returns the bytes, and for each a number of the lane and of whether its normalization makes the
    same of the text without the character.
    """
    data = np.frombuffer(alignment.data, np.uint8)
    covered = []
    for cut in alignment.cuts:
        begun, ended = (
            np.bincount(places, minlength=len(data) + 1)
            for places in (cut.tokens.starts, cut.tokens.ends)
        )
        covered.append(np.cumsum(begun - ended)[:-1] > 0)
    places = np.flatnonzero((covered[0] != covered[1]) & (data & 0xC0 != 0x80))
    text = np.frombuffer(alignment.text.encode("utf-32-le"), np.uint32).astype(np.int64)
    index = alignment.characters[places]
    around = [text[np.clip(index + by, 0, len(text) - 1)] for by in (-1, 0, 1)]
    lanes = covered[0][places].astype(np.int64)
    # Three code points and a lane in one number: rows take ten times as long to sort.
    rows = np.zeros(len(places), np.int64)
    for column in around:
        rows = rows << 21 | column
    check()
    rows, which = np.unique(rows << 1 | lanes, return_inverse=True)
    code_points = (rows[:, np.newaxis] >> np.array([43, 22, 1])) & 0x1FFFFF
    lanes = rows & 1
    alike = np.column_stack([code_points, lanes])
    removed = np.array([*_removed(alignment.cuts, alike, check)], np.int64)
    return places, (2 * lanes + removed)[which]


def _removed(
    cuts: Sequence[Cut], rows: NDArray[np.int64], check: Callable[[], object]
) -> Iterator[bool]:
    """Tell whether the character between two others makes no difference to a lane.

    rows: the code points of the three, and the lane.
    """
    for before, character, behind, lane in rows.tolist():
        check()
        normalize = cuts[lane].encoding.normalized
        ends = _FRAME + chr(before), chr(behind) + _FRAME
        yield normalize("".join(ends)) == normalize(chr(character).join(ends))

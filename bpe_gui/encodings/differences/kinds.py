"""Groups of differences that are alike: the same text, tokenized by every lane in the same way.

A long text has a hundred thousand differences, but only some thousand kinds. Grouping them takes
numpy only; causes are looked for once per kind, where it first occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.encodings.base import turn_of_all
from bpe_gui.encodings.differences.alignment import Alignment, Cut, align
from bpe_gui.encodings.differences.causes import Cause
from bpe_gui.encodings.differences.find_causes import causes, counted_cause

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_SHIFT = np.uint64(29)


class DifferenceKinds(Struct, frozen=True, eq=False):
    """Hold the kinds of the differences of an alignment, the most frequent first.

    of_difference: the kind of every difference.
    firsts: the first difference of every kind. counts: the differences of every kind.
    tokens: shape (kinds, lanes): how many tokens every lane has in one difference of a kind.
    """

    alignment: Alignment
    of_difference: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]
    tokens: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)

    def text(self, kind: int) -> bytes:
        """Return the text of a kind."""
        first = self.firsts[kind]
        return self.alignment.data[int(self.alignment.starts[first]) : self.alignment.ends[first]]

    def costs(self, first: int, second: int) -> NDArray[np.int64]:
        """Count how many more tokens the second lane has than the first, in all of every kind."""
        return (self.tokens[:, second] - self.tokens[:, first]) * self.counts

    def next(self, kind: int, after: int) -> int:
        """Find the next difference of a kind after another one; after the last, the first."""
        places = np.flatnonzero(self.of_difference == kind)
        found = int(np.searchsorted(places, after, side="right"))
        return int(places[found % len(places)])


def kinds_of(alignment: Alignment) -> DifferenceKinds:
    """Group the differences of an alignment; ties are in the order of the text.

    Differences are alike if they have the same text, and every lane has the same tokens at the
    same places in it, and begins words at the same places.

    >>> from bpe_gui.bpe.history import BaseVocabulary, History
    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.encodings.differences.alignment import CachedEncoder, align
    >>> from bpe_gui.encodings.ours import TrainedEncoding
    >>> base = BaseVocabulary.of(preset("raw"), "low")
    >>> run = TrainedEncoding(History.from_merges(preset("raw"), base, [(0, 1, 3)]))
    >>> text = "lowlow"
    >>> cuts = [CachedEncoder(encoding).encode(text) for encoding in (run, run.at(0))]
    >>> found = kinds_of(align(text, cuts))
    >>> found.counts.tolist(), found.costs(0, 1).tolist(), found.of_difference.tolist()
    ([2], [2], [0, 0])
    """
    starts, ends = alignment.starts, alignment.ends
    if not len(starts):
        none = np.empty(0, np.int64)
        return DifferenceKinds(
            alignment, none, none, none, np.empty((0, len(alignment.cuts)), np.int64)
        )
    data = np.frombuffer(alignment.data, np.uint8)
    places = np.arange(len(data))
    columns = [hashes((starts, ends), starts, (places, data))]
    counts = []
    for cut in alignment.cuts:
        first, after = tokens_within(cut, starts, ends)
        counts.append(after - first)
        tokens = cut.tokens
        sizes = tokens.ends - tokens.starts
        columns.append(hashes((first, after), starts, (tokens.starts, tokens.ids, sizes)))
        if cut.words is not None and len(cut.words):
            begun = (
                np.searchsorted(cut.words, starts, "right"), np.searchsorted(cut.words, ends)
            )  # fmt: skip
            columns.append(hashes(begun, starts, (cut.words,)))
    _, firsts, of_difference, amounts = np.unique(
        mixed(columns), return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((firsts, -amounts))
    places_of = np.empty(len(order), np.int64)
    places_of[order] = np.arange(len(order))
    firsts = firsts[order]
    tokens_of = np.stack(counts, axis=1)[firsts]
    return DifferenceKinds(
        alignment, places_of[of_difference], firsts, amounts[order], tokens_of
    )


class KindList(Struct, frozen=True, eq=False):
    """The kinds of differences between a lane and others, each other in its turn.

    lanes: the names: of the one first. kinds: of each other. other, kind: the places of each row
    in `kinds`, and in that; rows of the most tokens are first.
    """

    lanes: tuple[str, ...]
    kinds: tuple[DifferenceKinds, ...]
    other: NDArray[np.int64]
    kind: NDArray[np.int64]
    counts: NDArray[np.int64]
    costs: NDArray[np.int64]

    def causes(self, row: int) -> tuple[Cause, ...]:
        """Find why the lanes differ where the kind of a row first occurs: first the cause that it
        counts for, then all, the most important first.
        """
        kinds = self.kinds[self.other[row]]
        with turn_of_all(cut.encoding for cut in kinds.alignment.cuts):
            found = causes(kinds.alignment, int(kinds.firsts[self.kind[row]]), 0, 1)
        return counted_cause(found, int(self.costs[row])), *found


def list_kinds(text: str, cuts: Sequence[Cut], check: Callable[[], object]) -> KindList:
    """Group the differences between the first lane and all others."""
    own, *others = cuts
    kinds = []
    with turn_of_all(cut.encoding for cut in cuts):
        for cut in others:
            check()
            kinds.append(kinds_of(align(text, [own, cut])))
    other = np.repeat(np.arange(len(kinds)), list(map(len, kinds)))
    kind = np.concatenate([np.arange(len(one)) for one in kinds])
    counts = np.concatenate([one.counts for one in kinds])
    costs = np.concatenate([one.costs(0, 1) for one in kinds])
    order = np.lexsort((-counts, -np.abs(costs)))
    columns = (column[order] for column in (other, kind, counts, costs))
    return KindList(tuple(cut.encoding.name for cut in cuts), tuple(kinds), *columns)


def agreement(alignment: Alignment) -> NDArray[np.uint64]:
    """Hash what lanes are compared by in every difference, shape (lanes, differences).

    Two lanes agree in a difference if their hashes there are equal; see `Alignment.agree`.
    """
    starts, ends = alignment.starts, alignment.ends
    found = np.empty((len(alignment.cuts), len(starts)), np.uint64)
    for lane, cut in enumerate(alignment.cuts):
        within = tokens_within(cut, starts, ends)
        first, after = (cut.offsets[at] for at in within)
        columns = [hashes((first, after), first, (np.arange(len(cut.contents)), cut.contents))]
        # Where tokens begin, and where the text is in some token: all that their places tell.
        begun = np.bincount(cut.tokens.starts, minlength=len(alignment.data) + 1)
        depth = np.cumsum(begun - np.bincount(cut.tokens.ends, minlength=len(begun)))
        for places in map(np.flatnonzero, (alignment.borders[lane], depth[:-1] > 0)):
            there = np.searchsorted(places, starts), np.searchsorted(places, ends)
            columns.append(hashes(there, starts, (places,)))
        columns.append((within[1] - within[0]).astype(np.uint64))
        for flags in (cut.special, cut.unknown):
            total = np.append(0, np.cumsum(flags))
            columns.append((total[within[1]] > total[within[0]]).astype(np.uint64))
        found[lane] = mixed(columns)
    return found


def mixed(columns: Iterable[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Hash the entries of each row of some columns of hashes."""
    first, *others = columns
    found: NDArray[np.uint64] = first * _FACTORS[1]
    for column in others:
        found = (found ^ found >> _SHIFT ^ column) * _FACTORS[1]
    return found


def tokens_within(
    cut: Cut, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the tokens between pairs of borders, as `Cut.within` does for one pair.

    Returns the first token of each, and the one after its last.
    """
    tokens = cut.tokens
    # An empty token belongs to the text before it.
    before = np.where(starts > 0, np.searchsorted(tokens.ends, starts, "right"), 0)
    first = np.maximum(np.searchsorted(tokens.starts, starts), before)
    return first, np.maximum(np.searchsorted(tokens.ends, ends, "right"), first)


def hashes(
    ranges: tuple[NDArray[np.int64], NDArray[np.int64]],
    origins: NDArray[np.int64],
    columns: Sequence[NDArray[np.int64] | NDArray[np.int32] | NDArray[np.uint8]],
) -> NDArray[np.uint64]:
    """Hash the entries of each range; the first column is relative to the range's origin.

    With 64 bits it is practically certain that equal hashes are of equal entries.
    """
    first, after = ranges
    sizes = after - first
    total = int(sizes.sum())
    hashes = np.zeros(len(first), np.uint64)
    if not total:
        return hashes
    owner = np.repeat(np.arange(len(first)), sizes)
    begins = np.cumsum(sizes) - sizes
    entries = np.arange(total) - np.repeat(begins - first, sizes)
    mixed = (columns[0][entries] - origins[owner]).astype(np.uint64) * _FACTORS[0]
    for column, factor in zip(columns[1:], _FACTORS[1:], strict=False):
        mixed ^= mixed >> _SHIFT
        mixed = (mixed + column[entries].astype(np.uint64) + np.uint64(1)) * factor
    mixed ^= mixed >> _SHIFT
    mixed *= _FACTORS[1]
    mixed ^= mixed >> _SHIFT
    filled = np.flatnonzero(sizes)
    hashes[filled] = np.add.reduceat(mixed, begins[filled])
    hashes *= _FACTORS[2]
    hashes += sizes.astype(np.uint64)
    return hashes

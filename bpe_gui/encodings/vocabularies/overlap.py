"""What vocabularies have in common, by the bytes of their tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.token_properties import SCRIPTS
from bpe_gui.encodings.base import Model
from bpe_gui.encodings.vocabularies.vocabulary import Check, Vocabulary, encode_each_within

NO_SCRIPT = "none"
"""Tokens without letters: digits, punctuation, white space, bytes."""


def share_text(share: float, places: int = 3) -> str:
    """Write a share of 0 to 1 with some decimal places; one below 1 is not written as 1.

    >>> share_text(0.5), share_text(0.9996), share_text(1.0), share_text(0.997, 2)
    ('0.500', '0.999', '1.000', '0.99')
    """
    return f"{share if share == 1 else min(share, 1 - 10**-places):.{places}f}"


class Shares(Struct, frozen=True):
    """Count the tokens of two vocabularies: those that both have, and those of one alone."""

    both: int
    only_one: int
    only_other: int

    @property
    def all(self) -> int:
        """Count the tokens that at least one has."""
        return self.both + self.only_one + self.only_other

    @property
    def jaccard(self) -> float:
        """Divide the tokens of both by all; 1 if there are none.

        >>> Shares(both=2, only_one=1, only_other=1).jaccard
        0.5
        """
        return self.both / self.all if self.all else 1.0


class Overlap(Struct, frozen=True, eq=False):
    """Compare two vocabularies by the bytes of their ordinary tokens.

    How files write them does not matter, nor do markers of words; tokens of the same bytes are one,
    with the id that text has. Special tokens are left out.

    both: the rows of the tokens that both have, of shape (tokens, 2), in the order of the ids of
        `one`. only_one, only_other: the rows of the others, ascending.
    """

    one: Vocabulary
    other: Vocabulary
    both: NDArray[np.int64]
    only_one: NDArray[np.int64]
    only_other: NDArray[np.int64]

    @property
    def shares(self) -> Shares:
        """Count all tokens."""
        return Shares(*self.sizes)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Count the tokens of both, of `one` alone, and of `other` alone."""
        return len(self.both), len(self.only_one), len(self.only_other)

    def swapped(self) -> Overlap:
        """Compare the same two the other way round."""
        both = self.both[np.argsort(self.both[:, 1]), ::-1]
        return Overlap(self.other, self.one, both, self.only_other, self.only_one)

    def ids(self) -> NDArray[np.int64]:
        """Return the ids of the tokens that both have, of shape (tokens, 2)."""
        return np.stack((self.one.ids[self.both[:, 0]], self.other.ids[self.both[:, 1]]), axis=1)

    def by_script(self) -> dict[str, Shares]:
        """Count the tokens of each script, most tokens first; one of several counts for each.

        The key of tokens without a letter is `NO_SCRIPT`. Scripts without tokens are left out.
        """
        bits = [
            self.one.properties.scripts[self.both[:, 0]],
            self.one.properties.scripts[self.only_one],
            self.other.properties.scripts[self.only_other],
        ]
        found = {
            name: Shares(*(int(np.count_nonzero(b & (1 << bit))) for b in bits))
            for bit, name in enumerate(SCRIPTS)
        }
        found[NO_SCRIPT] = Shares(*(int(np.count_nonzero(b == 0)) for b in bits))

        found = {name: shares for name, shares in found.items() if shares.all}
        return dict(sorted(found.items(), key=lambda pair: -pair[1].all))

    def by_length(self) -> dict[int, Shares]:
        """Count the tokens of each length in bytes, the shortest first."""
        counts = [
            np.bincount(self.one.properties.lengths[self.both[:, 0]]),
            np.bincount(self.one.properties.lengths[self.only_one]),
            np.bincount(self.other.properties.lengths[self.only_other]),
        ]
        longest = max(map(len, counts))
        table = np.stack([np.pad(count, (0, longest - len(count))) for count in counts], axis=1)
        return {n: Shares(*table[n].tolist()) for n in np.flatnonzero(table.any(axis=1)).tolist()}

    def weighted_jaccard(self, uses: NDArray[np.int64], other_uses: NDArray[np.int64]) -> float:
        """Compare how often a text uses each token, as a share of its tokens: the sum of the lesser
        shares by the sum of the greater ones.

        uses, other_uses: how often each token is used, by row; see `count_uses`. Special and
        unknown tokens do not count. Returns 1 if nothing is used.
        """
        one, other = _by_content(self.one, uses), _by_content(self.other, other_uses)
        total, other_total = sum(one.values()) or 1, sum(other.values()) or 1
        lesser = greater = 0
        for content in one.keys() | other.keys():
            # Whole numbers: their sums do not depend on the order, which sets change.
            pair = one.get(content, 0) * other_total, other.get(content, 0) * total
            lesser, greater = lesser + min(pair), greater + max(pair)
        return lesser / greater if greater else 1.0

    def used_share(self, uses: NDArray[np.int64]) -> float:
        """Return the share of the tokens of a text, as `one` tokenizes it, that `other` has too.

        uses: how often each token of `one` is used, by row. Returns 1 if none is used.
        """
        used = _by_content(self.one, uses)
        total = sum(used.values())
        shared = sum(n for content, n in used.items() if content in self.other.ordinary)
        return shared / total if total else 1.0


def _by_content(vocabulary: Vocabulary, uses: NDArray[np.int64]) -> dict[bytes, int]:
    """Add up the uses of ordinary tokens with the same bytes; those that are not used are left out.
    """
    found: dict[bytes, int] = {}
    used = (uses > 0) & ~vocabulary.special & (vocabulary.properties.lengths > 0)
    for row in np.flatnonzero(used).tolist():
        content = vocabulary.contents[row]
        found[content] = found.get(content, 0) + int(uses[row])
    return found


def overlap(one: Vocabulary, other: Vocabulary) -> Overlap:
    """Compare two vocabularies."""
    ours, theirs = one.ordinary, other.ordinary
    both = sorted((row, theirs[content]) for content, row in ours.items() if content in theirs)
    return Overlap(
        one,
        other,
        np.array(both, np.int64).reshape(-1, 2),
        _sorted_rows(row for content, row in ours.items() if content not in theirs),
        _sorted_rows(row for content, row in theirs.items() if content not in ours),
    )


def _sorted_rows(rows: Iterable[int]) -> NDArray[np.int64]:
    return np.sort(np.fromiter(rows, np.int64))


def jaccard_matrix(
    vocabularies: Sequence[Vocabulary], check: Check | None = None
) -> NDArray[np.float64]:
    """Compute the Jaccard index of each pair of vocabularies; 1 on the diagonal."""
    size = len(vocabularies)
    found = np.ones((size, size))
    for i, one in enumerate(vocabularies):
        for j in range(i):
            if check is not None:
                check()
            ours, theirs = one.ordinary.keys(), vocabularies[j].ordinary.keys()
            both = len(ours & theirs)
            every = len(ours) + len(theirs) - both
            found[i, j] = found[j, i] = both / every if every else 1.0
    return found


# -- Covering one vocabulary by another ---------------------------------------------------------


class Needed(Struct, frozen=True, eq=False):
    """Tell what the second of two vocabularies would need to have all tokens of the first.

    rows: the rows of the tokens in the first; those that the text uses most come first, else in the
        order of ids.
    parts: as which tokens the second writes each now, by ids; none for parts of characters, which
        are no text.
    uses: how often the text has each.
    merges: how many merges would make them: one each if two tokens are joined to it that are there
        or made before, else also those that join its parts from left to right. As many as are
        enough, perhaps fewer are; None if it does not merge.
    """

    rows: NDArray[np.int64]
    parts: list[list[int]]
    uses: NDArray[np.int64]
    merges: int | None

    @property
    def written(self) -> tuple[int, int]:
        """Count the uses of these tokens, and the tokens that the second writes for them alone.

        Those that it writes nothing for are left out.
        """
        sizes = np.array(list(map(len, self.parts)), np.int64)
        return int(self.uses[sizes > 0].sum()), int((self.uses * sizes).sum())


def needed(
    found: Overlap, uses: NDArray[np.int64] | None = None, check: Check | None = None
) -> Needed:
    """Find what `found.other` would need to cover `found.one`.

    uses: how often a text uses the tokens of `found.one`, by row.
    """
    one, other = found.one, found.other
    counts = np.zeros(len(one), np.int64) if uses is None else uses
    rows = found.only_one[np.argsort(-counts[found.only_one], kind="stable")]
    texts = [_text(one.contents[row]) for row in rows.tolist()]
    parts = encode_each_within(other.encoding, texts, check)
    merges = None
    if other.encoding.model is Model.BPE:
        wanted = {
            one.contents[row]: ids for row, ids in zip(rows.tolist(), parts, strict=True)
        }
        merges = _count_merges(wanted, other.ordinary, other.encoding.token_bytes, check)
    return Needed(rows, parts, counts[rows], merges)


def _count_merges(
    wanted: Mapping[bytes, Sequence[int]],
    known: Collection[bytes],
    token_bytes: Callable[[int], bytes],
    check: Check | None = None,
) -> int:
    """Count merges that make tokens of known ones, shorter ones first.

    wanted: the ids that each token is written with now; none if it is unknown.

    >>> letters = [b"a", b"b", b"c"]
    >>> _count_merges({b"ab": [0, 1], b"cab": [2, 0, 1]}, letters, letters.__getitem__)
    2
    >>> _count_merges({b"cab": [2, 0, 1]}, letters, letters.__getitem__)
    2
    """
    there = set(known)
    for number, content in enumerate(sorted(wanted, key=len)):
        if check is not None and number % 1024 == 0:
            check()
        for place in range(1, len(content)):
            if content[:place] in there and content[place:] in there:
                break
        else:
            joined = b""
            for token in wanted[content]:
                joined += token_bytes(token) if token >= 0 else b""
                if joined:
                    there.add(joined)
        there.add(content)
    return len(there) - len(known)


def _text(content: bytes) -> str:
    """Decode a token; an incomplete one is no text."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return ""

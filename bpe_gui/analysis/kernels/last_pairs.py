"""The two tokens of which each token of ranks is made in the end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Integer, Ints, Kernel, Longs, within_kernels

_NONE = 1 << 40


class RankedTokens(NamedTuple):
    """Hold the bytes of different tokens, numbered by their ranks.

    contents: the bytes, one token after another. starts: where the bytes of each begin, and where
        those of the last end. slots: the numbers of the tokens where a search for their bytes meets
        them, -1 where it ends; a power of two, and at least twice as many as tokens.
    """

    contents: Bytes
    starts: Longs
    slots: Ints

    @classmethod
    def of(cls, tokens: list[bytes], compiled: bool | None = None) -> RankedTokens:
        """Number tokens, the lowest rank first."""
        starts = np.zeros(len(tokens) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, tokens), np.int64, len(tokens)), out=starts[1:])
        contents = np.frombuffer(b"".join(tokens), np.uint8)
        slots = np.full(1 << max(2 * len(tokens), 1).bit_length(), -1, np.int32)
        ranked = cls(contents, starts, slots)
        _enter.form(compiled)(ranked)
        return ranked


def last_pairs(tokens: list[bytes], *, compiled: bool | None = None) -> tuple[Ints, Ints]:
    """Find the two tokens that become each token where its bytes are merged by the ranks alone.

    tokens: different ones, the lowest rank first; every byte of a token is one, too. Returns their
    places, or -1 for tokens of one byte and those whose bytes are not merged to two tokens.

    >>> lefts, rights = last_pairs([b"l", b"o", b"w", b"lo", b"low", b"owl"], compiled=False)
    >>> lefts.tolist(), rights.tolist()
    ([-1, -1, -1, 0, 3, -1], [-1, -1, -1, 1, 2, -1])
    """
    ranked = RankedTokens.of(tokens, compiled)
    lefts, rights = (np.full(len(tokens), -1, np.int32) for _ in range(2))
    longest = max(map(len, tokens), default=0)
    bounds, ranks = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    _find.form(compiled)(ranked, bounds, ranks, lefts, rights)
    return lefts, rights


@within_kernels
def _hash(contents: Bytes, start: Integer, end: Integer) -> Integer:
    found = np.int64(end - start)
    for place in range(start, end):
        found = ((found ^ np.int64(contents[place])) * 0x01000193) & 0xFFFFFFFF
    return found ^ (found >> 15)


@within_kernels
def _number_of(tokens: RankedTokens, start: Integer, end: Integer) -> Integer:
    """Find the token with the bytes between two places; `_NONE` if there is none."""
    contents, starts, slots = tokens.contents, tokens.starts, tokens.slots
    mask = len(slots) - 1
    slot = _hash(contents, start, end) & mask
    size = end - start
    while True:
        number = np.int64(slots[slot])
        if number < 0:
            return _NONE
        begin = np.int64(starts[number])
        same = np.int64(starts[number + 1]) - begin == size
        at = 0
        while same and at < size:
            same = contents[begin + at] == contents[start + at]
            at += 1
        if same:
            return number
        slot = (slot + 1) & mask


def _enter_kernel(tokens: RankedTokens) -> None:
    """Enter all tokens into their slots."""
    contents, starts, slots = tokens.contents, tokens.starts, tokens.slots
    mask = len(slots) - 1
    for number in range(len(starts) - 1):
        slot = _hash(contents, np.int64(starts[number]), np.int64(starts[number + 1])) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = number


def _find_kernel(
    tokens: RankedTokens, bounds: Longs, ranks: Longs, lefts: Ints, rights: Ints
) -> None:
    """Write the last pair of each token.

    bounds, ranks: room for where the parts of a token begin, and for the rank of each with the
    next; one more than the longest token has bytes.
    """
    for token in range(len(lefts)):
        start, end = np.int64(tokens.starts[token]), np.int64(tokens.starts[token + 1])
        parts = end - start
        for place in range(parts + 1):
            bounds[place] = start + place
        if parts > 2:
            for place in range(parts - 1):
                ranks[place] = _number_of(tokens, start + place, start + place + 2)
        while parts > 2:
            best = np.int64(0)
            for place in range(1, parts - 1):
                if ranks[place] < ranks[best]:
                    best = np.int64(place)
            if ranks[best] == _NONE:
                break
            parts -= 1
            for place in range(best + 1, parts + 1):
                bounds[place] = bounds[place + 1]
            for place in range(best + 1, parts - 1):
                ranks[place] = ranks[place + 1]
            # Two parts are the token itself: only its parts are merged.
            if parts > 2:
                for place in range(best - 1, best + 1):
                    if 0 <= place < parts - 1:
                        ranks[place] = _number_of(
                            tokens, np.int64(bounds[place]), np.int64(bounds[place + 2])
                        )
        if parts == 2:
            lefts[token] = _number_of(tokens, start, np.int64(bounds[1]))
            rights[token] = _number_of(tokens, np.int64(bounds[1]), end)


_enter = Kernel(_enter_kernel)
_find = Kernel(_find_kernel)

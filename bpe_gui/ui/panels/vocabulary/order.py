"""Keeping the vocabulary sorted while it grows."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.token_columns import TokenColumns


class Column(IntEnum):
    """The columns of the vocabulary, from left to right."""

    ID = 0
    TOKEN = 1
    BYTES = 2
    COUNT = 3
    PARENTS = 4


class TokenOrder:
    """All known token ids, sorted by one column; equals stand in the order of their ids.

    Tokens sort by their bytes, so capitals come before small letters; a token that was
    there from the start has no count and stands after all that have, whatever the direction,
    and its parents come before all others. What a token sorts by never changes, so new
    tokens only have to be put in between: 500 new ones among 50,000 cost about a millisecond.
    """

    def __init__(self, columns: TokenColumns, column: Column, *, descending: bool) -> None:
        self._columns = columns
        self._descending = descending
        self._keys_from = self._key_function(column)
        self._known = 0
        self._keys = self._keys_from(0, 0)
        self._ids = np.empty(0, np.int64)
        # Numbers are negated to come out descending; bytes cannot be, their order is turned.
        self._turned = descending and column is Column.TOKEN

    @property
    def ids(self) -> NDArray[np.int64]:
        """All ids known at the last `grow`, in order."""
        return self._ids[::-1] if self._turned else self._ids

    def grow(self) -> None:
        """Put the tokens between that came since the last call."""
        start, stop = self._known, len(self._columns)
        if start == stop:
            return
        new = np.arange(start, stop)
        keys = self._keys_from(start, stop)
        if self._turned:
            # So that equals come out in the order of their ids when all is turned.
            new, keys = new[::-1], keys[::-1]
        order = _sorting(keys)
        side: Literal["left", "right"] = "left" if self._turned else "right"
        places = np.searchsorted(self._keys, keys[order], side=side)
        self._keys = np.insert(self._keys, places, keys[order])
        self._ids = np.insert(self._ids, places, new[order])
        self._known = stop

    def _key_function(self, column: Column) -> Callable[[int, int], NDArray[np.generic]]:
        return {
            Column.ID: self._numbers,
            Column.TOKEN: self._contents,
            Column.BYTES: self._lengths,
            Column.COUNT: self._counts,
            Column.PARENTS: self._parents,
        }[column]

    def _signed(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        return -keys if self._descending else keys

    def _numbers(self, start: int, stop: int) -> NDArray[np.int64]:
        return self._signed(np.arange(start, stop))

    def _lengths(self, start: int, stop: int) -> NDArray[np.int64]:
        return self._signed(self._columns.lengths[start:stop].astype(np.int64))

    def _counts(self, start: int, stop: int) -> NDArray[np.int64]:
        steps = self._columns.steps[start:stop]
        counts = np.full(len(steps), np.iinfo(np.int64).max)
        counts[steps >= 0] = self._signed(self._columns.history.count[steps[steps >= 0]])
        return counts

    def _parents(self, start: int, stop: int) -> NDArray[np.int64]:
        steps = self._columns.steps[start:stop]
        made = steps[steps >= 0]
        pairs = np.full(len(steps), -1, np.int64)
        left = self._columns.history.left[made].astype(np.int64)
        pairs[steps >= 0] = left << 32 | self._columns.history.right[made]
        return self._signed(pairs)

    def _contents(self, start: int, stop: int) -> NDArray[np.object_]:
        contents = np.empty(stop - start, object)
        history = self._columns.history
        contents[:] = [history.token_bytes(token) for token in range(start, stop)]
        return contents


def _sorting(keys: NDArray[np.generic]) -> NDArray[np.int64]:
    """The indexes that sort some keys, equals in their order."""
    if keys.dtype != object:
        return np.argsort(keys, kind="stable")
    # Several times faster than numpy's sorting of objects.
    listed = keys.tolist()
    return np.array(sorted(range(len(listed)), key=listed.__getitem__), np.int64)

"""The columns of the vocabulary: the text of each cell, and how rows are sorted by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.token_columns import BEGINNING, FROM_THE_START, TokenColumns
from bpe_gui.analysis.visible import visible_bytes, visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.vocabulary import wording

_ENOUGH = 160
"""Bytes of a token that a row needs: of a longer one, both texts end before an end-of-word
marker."""


Keys = Callable[[TokenColumns, int, int, bool], NDArray[Any]]


class Column(Struct, frozen=True):
    """A column of the vocabulary.

    text: what a cell says of a token, which a merge made, or FROM_THE_START; None where that
        depends on the position.
    keys: what the tokens from one id to before another sort by, also given whether they descend;
        None where that depends on the position.
    widest: for a column of numbers, on the right, the longest that always fits.
    gives_way: which is hidden first, second ... in a narrow table; 0 for one that stays.
    """

    name: str
    tip: str
    text: Callable[[History, int, int], str] | None
    keys: Keys | None
    widest: str = ""
    gives_way: int = 0


def _token(history: History, token: int, step: int) -> str:
    content = history.beginning(token, _ENOUGH)
    return visible_bytes(content) if history.is_fallback_byte(token) else wording.readable(content)


def _bytes(history: History, token: int, step: int) -> str:
    content = history.beginning(token, _ENOUGH)
    data = content if len(content) == _ENOUGH else history.bytes_in_text(token)
    return wording.in_hex(data) or wording.NO_BYTES


def _parents(history: History, token: int, step: int) -> str:
    if step == FROM_THE_START:
        if history.is_fallback_byte(token):
            return wording.FALLBACK
        return wording.SPECIAL if history.is_special(token) else wording.NO_MERGE
    left, right = (
        history.beginning(int(parents[step]), wording.LONGEST_TEXT)
        for parents in (history.left, history.right)
    )
    return visible_pair(left, right)


def _contents(columns: TokenColumns, start: int, stop: int, descending: bool) -> NDArray[Any]:
    """Return how tokens begin, which numpy sorts ten times as fast as Python sorts them whole."""
    return np.array(columns.beginnings[start:stop], f"S{BEGINNING}")


def _counts(columns: TokenColumns, start: int, stop: int, descending: bool) -> NDArray[Any]:
    """Return counts; tokens from the start have none and are last in both orders."""
    steps = columns.steps[start:stop]
    counts = np.full(len(steps), -1 if descending else np.iinfo(np.int64).max)
    counts[steps >= 0] = columns.history.count[steps[steps >= 0]]
    return counts


def _pairs(columns: TokenColumns, start: int, stop: int, descending: bool) -> NDArray[Any]:
    steps = columns.steps[start:stop]
    made = steps[steps >= 0]
    pairs = np.full(len(steps), -1, np.int64)
    left = columns.history.left[made].astype(np.int64)
    pairs[steps >= 0] = left << 32 | columns.history.right[made]
    return pairs


COLUMNS = (
    Column(
        "id",
        wording.ID_TIP,
        lambda history, token, step: str(history.own_id(token)),
        lambda columns, start, stop, descending: columns.history.own_ids(
            np.arange(start, stop, dtype=np.int32)
        ),
        widest="999999",
    ),
    Column(
        "token",
        wording.TOKEN_TIP,
        _token,
        _contents,
    ),
    Column(
        "bytes",
        wording.BYTES_TIP,
        _bytes,
        lambda columns, start, stop, descending: columns.lengths[start:stop],
        gives_way=1,
    ),
    Column(
        "first count",
        wording.COUNT_TIP,
        lambda history, token, step: f"{history.count[step]:,}" if step >= 0 else wording.NO_MERGE,
        _counts,
        widest="999,999",
    ),
    Column("made from", wording.PARENTS_TIP, _parents, _pairs, gives_way=3),
    Column(
        "count now",
        wording.NOW_TIP,
        None,
        None,
        widest="999,999",
        gives_way=2,
    ),
)
"""In the order in which sessions number them."""

ID, TOKEN, BYTES, COUNT, PARENTS, NOW = range(len(COLUMNS))


class TokenOrder:
    """All known token ids, sorted by one column; equals are in the order of their ids.

    The key of a token never changes, so new tokens are only inserted: 500 new ones among
    50,000 cost about a millisecond.
    """

    def __init__(self, columns: TokenColumns, keys: Keys, *, descending: bool) -> None:
        self._columns = columns
        self._keys_of = keys
        self._descending = descending
        self._known = 0
        self._keys = keys(columns, 0, 0, descending)
        self._ids = np.empty(0, np.int64)

    @property
    def ids(self) -> NDArray[np.int64]:
        """All ids known at the last `grow`, in order."""
        return self._ids[::-1] if self._descending else self._ids

    def grow(self) -> None:
        """Insert the tokens that were added since the last call."""
        start, stop = self._known, len(self._columns)
        if start == stop:
            return
        new = np.arange(start, stop)
        keys = self._keys_of(self._columns, start, stop, self._descending)
        side: Literal["left", "right"] = "right"
        if self._descending:
            # So that equals are in the order of their ids when all is reversed.
            new, keys, side = new[::-1], keys[::-1], "left"
        order = np.argsort(keys, kind="stable")
        self._known = stop
        if start == 0:
            self._keys, self._ids = keys[order], new[order]
            return
        places = np.searchsorted(self._keys, keys[order], side=side)
        self._keys = np.insert(self._keys, places, keys[order])
        self._ids = np.insert(self._ids, places, new[order])

"""Merges in an order in which the parts of every token are made before it.

Some files have merges that use a token which only a later merge makes: of Llama 3's ranks 81 do.
Their makers always do the merge of the lowest rank that can be done, so such a merge follows at
once when its second part has been made. A history does all occurrences of one merge before the
next. `parts_first` moves such a merge to behind the one that it waits for, if both ways make the
same tokens of every text. In Qwen 3.5's ranks one merge cannot be moved like that: in いっぱいっぱ
two occurrences of いっぱ want the い between them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.encodings.base import ExportError

_FEW = 1_000
"""At most one token in 1,000 may overlap itself where the order need not be exact."""


def parts_first(merges: NDArray[np.int64], name: str, *, exactly: bool = True) -> NDArray[np.int64]:
    """Order merges, rows of (left, right, merged), so that no row uses what a later one makes.

    exactly: whether no text may have other tokens in that order; else few tokens may be `crowded`.
    Raises ExportError, which names the encoding, if tokens could change.

    >>> rows = np.array([(1, 2, 9), (6, 3, 8), (4, 5, 6)])  # 8 waits for 6
    >>> parts_first(rows, "odd").tolist()
    [[1, 2, 9], [4, 5, 6], [6, 3, 8]]
    >>> parts_first(np.array([(6, 4, 8), (4, 5, 6)]), "odd")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    bpe_gui.encodings.base.ExportError: merges of odd use tokens before they are made, and ...
    """
    if has_parts_first(merges):
        return merges
    error = ExportError(
        f"merges of {name} use tokens before they are made, and in another order some texts would "
        "have other tokens"
    )
    if len(np.unique(merges[:, 2])) < len(merges):
        raise error
    groups = _followers_by_awaited(merges)
    if len(_crowded(merges, groups)) > (0 if exactly else max(1, len(merges) // _FEW)):
        raise error
    ordered: list[int] = []
    following = {step for group in groups.values() for step in group}
    for step in range(len(merges)):
        if step not in following:
            ordered.append(step)
            if step in groups:
                ordered += _followers(merges, step, groups[step])
    return merges[ordered]


def crowded(merges: NDArray[np.int64]) -> list[list[int]]:
    """List the tokens that merges wait for and that may overlap another occurrence of themselves,
    each with the tokens that wait for it.

    >>> crowded(np.array([(6, 4, 8), (4, 5, 6)]))  # 6 begins with what is added behind it
    [[6, 8]]
    """
    return _crowded(merges, _followers_by_awaited(merges))


def _crowded(merges: NDArray[np.int64], groups: Mapping[int, list[int]]) -> list[list[int]]:
    return [
        merges[[step, *followers], 2].tolist()
        for step, followers in groups.items()
        if not _grow_apart(merges[step], merges[followers])
    ]


def _followers_by_awaited(merges: NDArray[np.int64]) -> dict[int, list[int]]:
    """Find the merges that wait for others, by the last one that each waits for."""
    last = _last_parts(merges)
    groups: dict[int, list[int]] = {}
    for step in np.flatnonzero(last != np.arange(len(merges))).tolist():
        groups.setdefault(int(last[step]), []).append(step)
    return groups


def has_parts_first(merges: NDArray[np.int64]) -> bool:
    """Tell whether no merge uses a token that only a later one makes."""
    return bool((_last_parts(merges) == np.arange(len(merges))).all())


def are_done(merges: NDArray[np.int64], symbols: Collection[int]) -> NDArray[np.bool_]:
    """Tell which merges are ever done, if of those that can be done the first always is.

    symbols: the tokens that texts begin with. A token is made in the same way wherever it is made,
    for no merge goes beyond its ends before. So the text of each token is encoded alone.

    >>> rows = np.array([(1, 2, 7), (1, 4, 8), (7, 3, 8), (2, 3, 4)])  # 8 is made of 7 and 3
    >>> are_done(rows, {1, 2, 3}).tolist()
    [True, False, True, True]
    """
    recipe = Recipe(name="tokens", split="none")
    history = History.from_merges(recipe, BaseVocabulary.of(recipe, ()), merges.astype(np.int32))
    spelled = _spelled(merges, symbols)
    sizes = np.array([len(spelling) for spelling in spelled.values()], np.int64)
    flat = np.array([symbol for spelling in spelled.values() for symbol in spelling], np.int32)
    cut = Segmentation(history, flat, np.cumsum(sizes) - sizes)
    borders = np.flatnonzero(cut.merge_step != NEVER)
    steps = cut.merge_step[borders]
    wanted = np.repeat(np.array([*spelled], np.int64), sizes)[borders]
    done = np.zeros(len(merges), np.bool_)
    done[steps[merges[steps, 2] == wanted]] = True
    return done


def _spelled(merges: NDArray[np.int64], symbols: Collection[int]) -> dict[int, list[int]]:
    """Spell tokens with symbols, if merges can make them of these at all."""
    known = {symbol: [symbol] for symbol in symbols}
    waiting = merges.tolist()
    while True:
        later = []
        for left, right, token in waiting:
            if left not in known or right not in known:
                later.append((left, right, token))
            elif token not in known:
                known[token] = known[left] + known[right]
        if len(later) == len(waiting):
            return {token: spelling for token, spelling in known.items() if token not in symbols}
        waiting = later


def _last_parts(merges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each merge the last of all merges by which its token is made, itself included."""
    last = np.arange(len(merges))
    if not len(merges):
        return last
    made_by = np.full(int(merges.max()) + 1, -1)
    made_by[merges[::-1, 2]] = last[::-1]  # the first of several stays
    left, right = made_by[merges[:, 0]], made_by[merges[:, 1]]
    while True:
        of_made = np.append(last, -1)  # what no merge makes is there from the start
        new = np.maximum(last, np.maximum(of_made[left], of_made[right]))
        if np.array_equal(new, last):
            return last
        last = new


def _grow_apart(awaited: NDArray[np.int64], followers: NDArray[np.int64]) -> bool:
    """Tell whether the tokens that merges make of an awaited one never take the same text.

    Each of these merges must add a token to the left or to the right of one that the awaited token
    is in. If no token is added on both sides, and none on the right that the awaited token begins
    with, then what grows from one occurrence is never in the way of the next one, so it does not
    matter whether that is made before or after.
    """
    within = {int(awaited[2]), *followers[:, 2].tolist()}
    at_left, at_right = set(), set()
    for left, right, _ in followers.tolist():
        if (left in within) == (right in within):
            return False
        if left in within:
            at_right.add(right)
        else:
            at_left.add(left)
    return int(awaited[0]) not in at_right and not at_left & at_right


def _followers(merges: NDArray[np.int64], awaited: int, followers: list[int]) -> list[int]:
    """Order the merges that wait for another: of those that can be done the lowest comes first.

    Of the two parts of each, one is the awaited token or made by another of these merges.
    """
    uses: dict[int, list[int]] = {}
    for step in followers:
        for part in merges[step, :2].tolist():
            uses.setdefault(part, []).append(step)
    ready, ordered = [awaited], []
    while ready:
        step = heappop(ready)
        ordered.append(step)
        for user in uses.get(int(merges[step, 2]), ()):
            heappush(ready, user)
    return ordered[1:]

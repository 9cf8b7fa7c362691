"""Where in the corpus tied pairs occur first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby


def placed(
    winner: str, tied: Sequence[str], others: Sequence[str], words: Sequence[int],
    shown: Mapping[int, str],
) -> str:  # fmt: skip
    """Say in which words tied pairs occur first, and in which the `winner` does.

    words: the word of the winner, then one for each pair of `tied`, in ascending order.
    others: what is said of further tied pairs. shown: the words as they are written.

    >>> placed("a + b", ["b + c", "d + e"], ["… and 2 more"], [0, 0, 4], {0: "abc", 4: "de"})
    'b + c, after a + b in abc, d + e in de … and 2 more'
    >>> placed("a + b", ["b + c", "c + d"], [], [0, 0, 0], {0: "abcd"})
    'b + c, c + d, after a + b in abcd'
    >>> placed("a + b", ["d + e"], [], [0, 4], {0: "abc", 4: "de"})
    'd + e in de, after a + b in abc'
    """
    first, *following = words
    told = []
    for word, group in groupby(zip(following, tied, strict=True), key=lambda one: one[0]):
        pairs = ", ".join(pair for _, pair in group)
        after = f", after {winner}" if word == first else ""
        told.append(f"{pairs}{after} in {shown[word]}")
    line = " ".join([", ".join(told), *others])
    return line if first in following else f"{line}, after {winner} in {shown[first]}"

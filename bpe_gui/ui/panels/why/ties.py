"""Where in the corpus tied pairs occur first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby


def placed(tied: Sequence[str], words: Sequence[int], shown: Mapping[int, str]) -> str:
    """Say in which words tied pairs occur first, but for those in the word of the merged pair.

    words: the word of the merged pair, then one for each pair of `tied`, in ascending order.
    shown: the words as they are written.

    >>> placed(["b + c", "d + e"], [0, 0, 4], {0: "abc, word 1", 4: "de, word 5"})
    'b + c, d + e (in de, word 5)'
    """
    first, *following = words
    told = []
    for word, group in groupby(zip(following, tied, strict=True), key=lambda one: one[0]):
        pairs = ", ".join(pair for _, pair in group)
        told.append(pairs if word == first else f"{pairs} (in {shown[word]})")
    return ", ".join(told)

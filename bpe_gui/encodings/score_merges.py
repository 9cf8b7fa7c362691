"""The merges of a byte-pair encoding that is told by scores, as SentencePiece does.

Any two neighbours are merged that make a piece, the piece with the best score first, of equals
the leftmost. So a piece can only come about in one way: whatever stands around it, nothing was
merged across its borders, and what was merged within is what is merged when it stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from bpe_gui.encodings.base import Merge
from bpe_gui.encodings.greedy_merging import merged


class ScoreMerges:
    """The merges that scores come to.

    scores: of all that neighbours are merged to. Training gives the first merge 0, the second
        -1, and so on.
    ids: of the tokens that stay what they are, by text. Others are taken apart again: what they
        were merged from then stands there as if they had not been made.
    """

    def __init__(self, scores: Mapping[str, float], ids: Mapping[str, int]) -> None:
        self._scores = scores
        self._ids = ids
        order = sorted({-score for text, score in scores.items() if text in ids})
        self._rank_of = {cost: rank for rank, cost in enumerate(order)}

    def merge(self, text: str) -> Merge | None:
        """The last merge on the way to a token; None if no merges lead to it.

        Merges are counted in the order of their scores, those with equal scores as one. None
        too if one of the two parts is no token.

        >>> scores = {"lo": -0.0, "low": -1.0, "ow": -2.0}
        >>> merges = ScoreMerges(scores, {"l": 1, "o": 2, "w": 3, "lo": 4, "low": 5, "ow": 6})
        >>> merges.merge("low"), merges.merge("l")
        (Merge(rank=1, left=4, right=3), None)
        """
        if text not in self._scores or text not in self._ids:
            return None
        size = len(text)

        def cost(first: int, stop: int) -> float | None:
            is_whole = stop - first == size
            score = None if is_whole else self._scores.get(text[first:stop])
            return None if score is None else -score

        starts = merged(size, cost)
        if len(starts) != 2:
            return None
        left, right = (self._ids.get(part) for part in (text[: starts[1]], text[starts[1] :]))
        if left is None or right is None:
            return None
        return Merge(self._rank_of[-self._scores[text]], left, right)

"""What an encoding makes of a text, part by part, and how far its numbers can be trusted.

A text has *groups*: its documents, or its lines, or several of these in a row. The numbers of the
text are those of the whole; the groups only tell how much they would change with other documents of
the same kind. Bootstrap (Efron 1979): groups are drawn with replacement, as many as there are, and
each number is computed again; the middle 95 % of 1,000 results are its interval.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.tallying import WHOLE_WORDS, WORD_TOKENS, WORDS
from bpe_gui.analysis.metrics import NOTHING_UNKNOWN, Counts, Unknown, tally, unknown_among
from bpe_gui.bpe.tokenizer import ByteTokens, Tokens

LEVEL = 0.95
"""Share of the resampled numbers that an interval holds."""

RESAMPLINGS = 1000

LEAST_GROUPS = 5
"""With fewer groups there is no interval: too few different samples can be drawn."""

_SEED = 20260101
_AT_ONCE = 1 << 20
"""Numbers that are drawn at once."""

TOKENS, BYTES, WORD_COUNT, WHOLE, TOKENS_OF_WORDS = range(5)
"""Columns of `GroupedCounts.groups`."""


class GroupedCounts(Counts):
    """Count a text as `Counts` does, and its groups.

    group_ends: the bytes at which groups end, ascending and within no word; the last is the end of
        the text. A token counts for the group that it begins in.
    groups: a row for each group, with the columns that are named above.
    """

    def __init__(self, group_ends: NDArray[np.int64]) -> None:
        super().__init__()
        self._ends = group_ends
        self._done = 0
        self.groups = np.zeros((len(group_ends), 5), np.int64)
        self.groups[:, BYTES] = np.diff(group_ends, prepend=0)

    def add(
        self,
        text: bytes,
        document_ends: NDArray[np.int64],
        tokens: Tokens | ByteTokens,
        unknown: Unknown = NOTHING_UNKNOWN,
        *,
        first_tokens: NDArray[np.int64] | None = None,
        times: int = 1,
        compiled: bool | None = None,
    ) -> None:
        """Count the next documents of the text; see `Counts.add`."""
        super().add(
            *(text, document_ends, tokens, unknown),
            first_tokens=first_tokens,
            times=times,
            compiled=compiled,
        )
        first = int(np.searchsorted(self._ends, self._done, side="right"))
        ends = self._ends - self._done
        last = int(np.searchsorted(ends, len(text)))
        self._done += len(text)
        if first >= len(ends):
            first = len(ends) - 1
        rows = ends[first : last + 1]
        starts = np.asarray(tokens.starts, np.int64)
        # An empty token belongs to the text before it, if that is of the same document.
        inside = starts - ((starts == tokens.ends) & (starts > 0))
        if first_tokens is not None:
            begins = np.append(0, document_ends[:-1])[: len(document_ends)]
            inside = np.maximum(inside, np.repeat(begins, np.diff(first_tokens)))
        row = np.minimum(np.searchsorted(rows, inside, side="right"), len(rows) - 1)
        here = self.groups[first : first + len(rows)]
        here[:, TOKENS] += np.bincount(row, minlength=len(rows))
        is_unknown = unknown_among(text, tokens, unknown)
        words = tally(
            *(text, document_ends, tokens, is_unknown, rows),
            first_tokens=first_tokens,
            compiled=compiled,
        )
        here[:, [WORD_COUNT, WHOLE, TOKENS_OF_WORDS]] += words[:, [WORDS, WHOLE_WORDS, WORD_TOKENS]]


class Estimate(NamedTuple):
    """A number of a text, and its interval; None where there are too few groups for one."""

    value: float
    low: float | None = None
    high: float | None = None


@lru_cache(maxsize=4)
def _drawn(groups: int) -> NDArray[np.float64]:
    """Return how often each group is drawn, one row per resampling.

    Texts with equally many groups have the same draws, so translations are resampled sentence by
    sentence.
    """
    generator = np.random.default_rng(_SEED)
    drawn = np.empty((RESAMPLINGS, groups), np.float64)
    step = max(1, _AT_ONCE // groups)
    for begin in range(0, RESAMPLINGS, step):
        rows = drawn[begin : begin + step]
        rows[:] = generator.multinomial(groups, np.full(groups, 1 / groups), len(rows))
    drawn.setflags(write=False)
    return drawn


def estimate(
    numerators: NDArray[np.int64], denominators: NDArray[np.int64]
) -> Estimate | None:
    """Divide the sum of one column by that of another, with an interval from resampling groups.

    Both columns have an entry for each group. None where the denominator is 0.

    >>> estimate(np.array([1, 2, 3]), np.array([2, 2, 2]))
    Estimate(value=1.0, low=None, high=None)
    >>> estimate(np.full(9, 3), np.full(9, 2))
    Estimate(value=1.5, low=1.5, high=1.5)
    """
    below = int(denominators.sum())
    if not below:
        return None
    value = int(numerators.sum()) / below
    if len(numerators) < LEAST_GROUPS:
        return Estimate(value)
    draws = _drawn(len(numerators))
    above, under = draws @ numerators, draws @ denominators
    ratios = above[under > 0] / under[under > 0]
    if not len(ratios):
        return Estimate(value)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return Estimate(value, float(low), float(high))

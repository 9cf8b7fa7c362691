"""The competing pairs as rows, with their counts and the lengths of their bars.

`PairRows.show` takes the numbers of a position; from there the rows move smoothly to those of
the next.

A pair keeps its row while it is among the most frequent, so the eye can follow it up the
ranks. Only its drawn place and the length of its bar are eased: `count` and `rank` are always
those of the position last shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

from bpe_gui.bpe.history import TOP, TopPairs

EASING_SECONDS = 0.04
"""Time constant: after 150 ms a row has gone 98 % of its way."""

_LENGTH_REACHED = 0.001
_RANK_REACHED = 0.01


@dataclass(slots=True)
class PairRow:
    """One pair: its true values, and where its row is drawn on the way there."""

    left: int
    right: int
    count: int
    rank: int
    """0 for the most frequent pair."""
    length: float
    """Length of the bar as a share of the winner's, 0 to 1."""
    drawn_length: float
    drawn_rank: float


class PairRows:
    """The rows of one chart, in the order of their ranks."""

    def __init__(self) -> None:
        self._rows: list[PairRow] = []
        self.winner = 0
        """The rank of the pair that is merged next: 0, but where another was forced."""

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PairRow]:
        return iter(self._rows)

    def __getitem__(self, rank: int) -> PairRow:
        return self._rows[rank]

    def clear(self) -> None:
        """Remove all rows: the next ones appear at their places at once."""
        self._rows = []

    def rank_of(self, left: int, right: int) -> int | None:
        """Return the rank of a pair, None if it is not among the rows."""
        return next((r.rank for r in self._rows if (r.left, r.right) == (left, right)), None)

    def show(self, top: TopPairs, chosen: tuple[int, int] | None = None) -> None:
        """Show the pairs of another position; `chosen` is merged next, or else the first.

        A pair that was shown before starts where it is drawn now. A new one starts at the
        place and with the bar of the pair whose rank it takes, if that pair is gone: so the
        bars stay calm when each frame has twenty new pairs. Otherwise it grows from nothing, or
        enters from below together with the row above it.
        """
        pairs = list(zip(top.left.tolist(), top.right.tolist(), strict=True))
        counts = top.count.tolist()
        before = {(row.left, row.right): row for row in self._rows}
        kept = before.keys() & set(pairs)
        vacated = {row.rank: row for pair, row in before.items() if pair not in kept}
        first = not before
        rows: list[PairRow] = []
        for rank, ((left, right), count) in enumerate(zip(pairs, counts, strict=True)):
            length = count / counts[0]
            source = before.get((left, right)) or vacated.get(rank)
            if source is not None:
                drawn_length, drawn_rank = source.drawn_length, source.drawn_rank
            elif first:
                drawn_length, drawn_rank = length, float(rank)
            else:
                drawn_length, drawn_rank = self._entrance(rows, rank, length)
            rows.append(PairRow(left, right, count, rank, length, drawn_length, drawn_rank))
        self._rows = rows
        self.winner = (self.rank_of(*chosen) if chosen is not None else None) or 0

    @staticmethod
    def _entrance(above: list[PairRow], rank: int, length: float) -> tuple[float, float]:
        """Return the first bar length and rank of a pair without a predecessor."""
        shift = above[-1].drawn_rank - above[-1].rank if above else 0.0
        # No row sets out from farther away than the first place below the chart.
        place = min(rank + shift, float(TOP))
        return (length if rank == TOP - 1 and shift > 0 else 0.0), place

    def advance(self, seconds: float) -> bool:
        """Ease all rows on by some seconds, and return whether any is still moving."""
        stay = exp(-seconds / EASING_SECONDS)
        moving = False
        for row in self._rows:
            length_left = (row.drawn_length - row.length) * stay
            rank_left = (row.drawn_rank - row.rank) * stay
            if abs(length_left) < _LENGTH_REACHED and abs(rank_left) < _RANK_REACHED:
                row.drawn_length, row.drawn_rank = row.length, float(row.rank)
                continue
            row.drawn_length = row.length + length_left
            row.drawn_rank = row.rank + rank_left
            moving = True
        return moving

    def settle(self) -> None:
        """Put all rows at their places at once."""
        for row in self._rows:
            row.drawn_length, row.drawn_rank = row.length, float(row.rank)

    @property
    def settled(self) -> bool:
        """Whether every row is at its place."""
        return all(
            row.drawn_length == row.length and row.drawn_rank == row.rank for row in self._rows
        )

    def ties(self) -> list[tuple[int, int]]:
        """Return the runs of equally frequent pairs, as first and last rank; runs of one are left
        out.

        >>> rows = PairRows()
        >>> import numpy as np
        >>> ids = np.arange(4)
        >>> rows.show(TopPairs(ids, ids, np.array([9, 9, 9, 7])))
        >>> rows.ties()
        [(0, 2)]
        """
        found: list[tuple[int, int]] = []
        start = 0
        for rank in range(1, len(self._rows) + 1):
            if rank == len(self._rows) or self._rows[rank].count != self._rows[start].count:
                if rank - start > 1:
                    found.append((start, rank - 1))
                start = rank
        return found

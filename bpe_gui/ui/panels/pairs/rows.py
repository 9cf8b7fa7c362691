"""The competing pairs as rows, with their counts and the lengths of their bars.

`PairRows.show` takes the numbers of a position; from there the rows move smoothly to those of
the next. After a single merge its bar drains first, see `Drain`.

A pair keeps its row while it is among the most frequent, so the eye can follow it up the
ranks. Rows that pass no other slide there first; then the others appear at their places, so that
no two rows are ever drawn over each other. Only the drawn place and the length of the bar are
eased: `count` and `rank` are always those of the position last shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.bpe.history import TOP, History, TopPairs

_STEADY = 50
"""The merges in which the bars keep their scale, see `steady_end`."""
_LEAST_LEADER = 5
"""The scale is kept until the most frequent pair has less than this part of it."""
_EXACT = 1e-6
_SLID = 0.6
"""The share of the way at which rows that slide are at their places, and the others appear."""


class Scale(Struct, frozen=True):
    """The count at which bars have the whole length; they begin at 0."""

    end: int

    def length(self, count: int) -> float:
        """Return the length of the bar of a count, from 0 to 1."""
        return min(count / self.end, 1.0)


def steady_end(history: History, position: int) -> int:
    """Return the count at which the scale of the bars ends, or 0 for that of the top pair.

    In the first `_STEADY` merges it is kept until the most frequent pair has less than a fifth of
    it, so that one sees the counts fall: while they are 9, 7, 3, 2 and 1, it ends at 9, and then
    at 1.
    """
    if position > _STEADY:
        return 0
    end = 0
    for count in [*history.count[:position].tolist(), *history.top(position).count[:1].tolist()]:
        if count > end or _LEAST_LEADER * count < end:
            end = count
    return end


def former_end(history: History, position: int) -> int:
    """Return the count at which the scale ended a merge before; 0 where it follows the top pair."""
    return steady_end(history, position - 1) if position else 0


def scale_of(counts: list[int], end: int = 0) -> Scale:
    """Return the scale that ends at the greatest count, or at `end` if that is more.

    >>> scale_of([9, 8, 7]), scale_of([7, 7], 9)
    (Scale(end=9), Scale(end=9))
    """
    return Scale(max(max(counts, default=1), end))


class PairRow(Struct):
    """One pair: its true values, and where its row is drawn on the way there."""

    left: int
    right: int
    count: int
    rank: int
    """0 for the most frequent pair."""
    length: float
    """Length of the bar on the scale of the position, 0 to 1."""
    drawn_length: float
    drawn_rank: float
    start_length: float
    start_rank: float
    stays: bool = False
    """Whether the pair had a row at the position before, too."""
    slides: bool = True
    """Whether it slides to its place; or else it appears there when others have slid."""
    hidden: bool = False
    """Whether it is still to appear."""

    def set_out(self, length: float, rank: float) -> None:
        """Be drawn there, and move from there."""
        self.start_length = self.drawn_length = length
        self.start_rank = self.drawn_rank = rank


class Drain(Struct):
    """What a merge does to the bars, before the rows go to their new places.

    rows: those of the position before, at their places. The bar of the merged pair, the first of
        them, runs empty, and the bars of pairs that lost occurrences to it become shorter. Their
        counts stay those of the position before.
    gains: the rows that are new, whose bars come out of that of the merged pair.
    scale: that of the position before.
    after: the counts of `rows` at the position after the merge.
    """

    rows: list[PairRow]
    gains: list[PairRow]
    scale: Scale
    after: list[int]
    share: float = 0.0

    @property
    def reduced(self) -> dict[tuple[int, int], int]:
        """The counts after the merge of the pairs of the rows that lose occurrences."""
        both = zip(self.rows, self.after, strict=True)
        return {(row.left, row.right): after for row, after in both if after < row.count}

    def go_to(self, share: float) -> None:
        """Be done to that share, from 0 to 1."""
        self.share = share
        for row, after in zip(self.rows, self.after, strict=True):
            begin, end = self.scale.length(row.count), self.scale.length(after)
            row.drawn_length = begin + (end - begin) * share


class PairRows:
    """The rows of one chart, in the order of their ranks."""

    def __init__(self) -> None:
        self._rows: list[PairRow] = []
        self.winner = 0
        """The rank of the pair that is merged next: 0, but where another was forced or taken over;
        beyond all rows if it is not among them."""
        self.scale = Scale(1)
        self.drain: Drain | None = None
        """What the last merge does to the bars, as long as that is drawn."""

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PairRow]:
        return iter(self._rows)

    def __getitem__(self, rank: int) -> PairRow:
        return self._rows[rank]

    @property
    def drawn_scale(self) -> Scale:
        """The scale on which bars are drawn now: while a bar drains still the one before."""
        return self.scale if self.drain is None else self.drain.scale

    def clear(self) -> None:
        """Remove all rows: the next ones appear at their places at once."""
        self._rows, self.drain = [], None

    def rank_of(self, left: int, right: int) -> int | None:
        """Return the rank of a pair, None if it is not among the rows."""
        return next((r.rank for r in self._rows if (r.left, r.right) == (left, right)), None)

    def show(
        self, top: TopPairs, chosen: tuple[int, int] | None = None, end: int = 0
    ) -> None:
        """Show the pairs of another position; `chosen` is merged next, or else the first.

        The scale does not end before `end`.

        A pair that was shown before starts where it is drawn now. A new one starts at the
        place and with the bar of the pair whose rank it takes, if that pair is gone: so the
        bars stay calm when each frame has twenty new pairs. Otherwise it grows from nothing, or
        enters from below together with the row above it.
        """
        self.end_drain()
        pairs = list(zip(top.left.tolist(), top.right.tolist(), strict=True))
        counts = top.count.tolist()
        self.scale = scale_of(counts, end)
        # A row that has not appeared yet is nowhere that others could be followed from.
        before = {(row.left, row.right): row for row in self._rows if not row.hidden}
        kept = before.keys() & set(pairs)
        vacated = {row.rank: row for pair, row in before.items() if pair not in kept}
        first = not self._rows
        rows: list[PairRow] = []
        for rank, ((left, right), count) in enumerate(zip(pairs, counts, strict=True)):
            length = self.scale.length(count)
            source = before.get((left, right)) or vacated.get(rank)
            if source is not None:
                start = source.drawn_length, source.drawn_rank
            elif first:
                start = length, float(rank)
            else:
                start = self._entrance(rows, rank, length)
            stays = (left, right) in before
            rows.append(PairRow(left, right, count, rank, length, *start, *start, stays))
        self._rows = rows
        self._choose_sliding()
        place = self.rank_of(*chosen) if chosen is not None else 0
        self.winner = len(rows) if place is None else place

    def show_merge(
        self, top: TopPairs, chosen: tuple[int, int] | None, token: int, end: int = 0
    ) -> None:
        """Do as `show` after a merge that made `token`, but let its bar drain until `end_drain`.

        Rows that are still moving jump to their places first.
        """
        self.settle()
        merged, scale = self.winner, self.scale
        before = [replace(row) for row in self._rows]
        if merged >= len(before):
            self.show(top, chosen, end)
            return
        self.show(top, chosen, end)
        counts = {(row.left, row.right): row.count for row in self._rows}
        first = before.pop(merged)
        left = counts.get((first.left, first.right), 0)
        all_are_known = len(top) < TOP
        after = [
            # A pair that the history does not rank any more may have fallen or been overtaken.
            counts.get((row.left, row.right), 0 if all_are_known else row.count)
            for row in before
        ]
        known = {(row.left, row.right) for row in before}
        gains = [
            row for row in self._rows
            if token in (row.left, row.right) and (row.left, row.right) not in known
        ]  # fmt: skip
        for row in gains:
            row.set_out(scale.length(row.count), float(row.rank))
        rows = [first, *before]
        self.drain = Drain(rows, gains, scale, [left, *after])

    def end_drain(self) -> None:
        """Let the rows set out from where the bars have drained to."""
        if self.drain is None:
            return
        drain, self.drain = self.drain, None
        drain.go_to(1.0)
        drained = {(row.left, row.right): row for row in drain.rows}
        for row in self._rows:
            source = drained.get((row.left, row.right))
            if source is not None:
                row.set_out(source.drawn_length, source.drawn_rank)
        self._choose_sliding()

    def _choose_sliding(self) -> None:
        """Let as many rows slide as can without one passing another, and the others appear.

        Rows of pairs that stay come first.
        """
        # The longest chains of rows, by their last row, whose starts are a row or more apart.
        chains: list[list[PairRow]] = []
        for row in self._rows:
            apart = (c for c in chains if row.start_rank - c[-1].start_rank > 1 - _EXACT)
            chains.append([*max(apart, key=_most, default=[]), row])
        sliding = {row.rank for row in max(chains, key=_most, default=[])}
        for row in self._rows:
            row.slides = row.rank in sliding
            if not row.slides:
                row.set_out(row.start_length, float(row.rank))
                row.hidden = True

    @staticmethod
    def _entrance(above: list[PairRow], rank: int, length: float) -> tuple[float, float]:
        shift = above[-1].drawn_rank - above[-1].rank if above else 0.0
        # No row sets out from farther away than the first place below the chart.
        place = min(rank + shift, float(TOP))
        return (length if rank == TOP - 1 and shift > 0 else 0.0), place

    def move(self, share: float) -> None:
        """Be drawn that far on the way from where the rows set out, from 0 to 1."""
        slid, rest = min(1.0, share / _SLID), max(0.0, (share - _SLID) / (1 - _SLID))
        for row in self._rows:
            row.hidden = not row.slides and share < _SLID
            done = slid if row.slides else rest
            row.drawn_length = row.start_length + (row.length - row.start_length) * done
            row.drawn_rank = row.start_rank + (row.rank - row.start_rank) * done

    def settle(self) -> None:
        self.drain = None
        for row in self._rows:
            row.set_out(row.length, float(row.rank))
            row.hidden = False

    @property
    def settled(self) -> bool:
        return self.drain is None and all(
            row.drawn_length == row.length and row.drawn_rank == row.rank and not row.hidden
            for row in self._rows
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


def _most(chain: list[PairRow]) -> tuple[int, int]:
    return sum(row.stays for row in chain), len(chain)

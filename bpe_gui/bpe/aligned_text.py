"""A changed text whose characters know where they came from, and arrays of code points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CODE_POINTS = 0x110000


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalized text, and where its characters came from.

    `origins[i]` is the index in the source text of the character that made character i, the
    first of them if several did (for a space put beside an ideograph: the ideograph).
    `stops[i]` is the index after the last of them. What was put in where nothing was came
    from no character: its origin and its stop are the place. Both have `len(text) + 1`
    entries, the last is the length of the source. `origins` is None if nothing changed,
    `stops` if every character came from exactly one. The entries ascend, except where a
    normalization form put combining marks into another order.
    """

    text: str
    origins: NDArray[np.int64] | None
    stops: NDArray[np.int64] | None = None

    def after(self, before: Normalized) -> Normalized:
        """This step, told of the source of the step before it."""
        if before.origins is None:
            return self
        if self.origins is None:
            return Normalized(self.text, before.origins, before.stops)
        origins = before.origins[self.origins]
        if self.stops is None:
            stops = None if before.stops is None else before.stops[self.origins]
            return Normalized(self.text, origins, stops)
        ends = _plus_one(before.origins) if before.stops is None else before.stops
        ranges = np.stack((self.origins, self.stops), axis=1).ravel()
        some = self.origins < self.stops
        first = np.minimum.reduceat(before.origins, ranges)[::2]
        last = np.maximum.reduceat(ends, ranges)[::2]
        # `reduceat` takes an empty range for its first entry: that is the place.
        return Normalized(self.text, first, np.where(some, last, first))


def _plus_one(origins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The stops of characters that came from one character each."""
    stops = origins + 1
    stops[-1] = origins[-1]
    return stops


def points_of(text: str) -> NDArray[np.uint32]:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(
        np.uint32, copy=False
    )


def text_of(points: NDArray[np.uint32]) -> str:
    """The inverse of `points_of`."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def kinds_of(points: NDArray[np.uint32]) -> tuple[list[int], NDArray[np.int64]]:
    """The distinct code points in order, and for each character the index of its own.

    As `np.unique` with its inverse, but without sorting: many times faster here.
    """
    present = np.zeros(CODE_POINTS, np.bool_)
    present[points] = True
    kinds = np.flatnonzero(present)
    index = np.empty(CODE_POINTS, np.int64)
    index[kinds] = np.arange(len(kinds))
    return kinds.tolist(), index[points]


def spelled_out(
    points: NDArray[np.uint32], made: list[str], kind: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Each character replaced by what its kind makes; and the source of each made character.

    `made` has a text for each of the kinds that `kinds_of` found.
    """
    lengths = np.array([len(text) for text in made], np.int64)[kind]
    origins = np.repeat(np.arange(len(points)), lengths)
    # The made characters, kind by kind in one row; each source character takes its slice.
    row = points_of("".join(made))
    row_starts = np.cumsum([0, *map(len, made)])[kind]
    made_starts = np.cumsum(lengths) - lengths
    return row[np.arange(len(origins)) + np.repeat(row_starts - made_starts, lengths)], origins

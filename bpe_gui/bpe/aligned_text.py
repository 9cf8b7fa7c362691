"""A changed text whose characters know where they came from, and arrays of code points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CODE_POINTS = 0x110000


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalized text, and where its characters came from.

    Character i came from the source characters from `origins[i]` to `stops[i]`, half-open:
    from one, if it was left alone; from those that it was composed of; from the whole match
    that a regex replaced, each of the characters that it was replaced by; from the whole
    stretch, marks that changed places.

    What was put in where nothing was came from no character: its origin and its stop are its
    place, which is before the character that follows it, or after the last one. Put within
    what one source character was made into (between a letter and its accent, say), it came
    from that character.

    Both columns have `len(text) + 1` entries, the last is the length of the source, and
    neither ever descends: what stands earlier in the text came from no later place. `origins`
    is None if nothing changed, `stops` if every character came from exactly one.
    """

    text: str
    origins: NDArray[np.int64] | None
    stops: NDArray[np.int64] | None = None

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Origins and stops, also where they need not have been written down."""
        origins = np.arange(len(self.text) + 1) if self.origins is None else self.origins
        if self.stops is not None:
            return origins, self.stops
        stops = origins + 1
        stops[-1] = origins[-1]
        return origins, stops

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
        last = self.stops - 1
        stops = before.origins[last] + 1 if before.stops is None else before.stops[last]
        put_in = np.flatnonzero(self.origins == self.stops)
        # Before the character that follows, or after the last; or from the character within
        # whose outcome it is put.
        end_before = np.where(self.stops[put_in] > 0, stops[put_in], 0)
        at_the_end = self.origins[put_in] == len(before.text)
        origins[put_in] = np.where(at_the_end, end_before, origins[put_in])
        stops[put_in] = np.maximum(origins[put_in], end_before)
        origins[-1] = stops[-1] = before.origins[-1]
        return Normalized(self.text, origins, stops)


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

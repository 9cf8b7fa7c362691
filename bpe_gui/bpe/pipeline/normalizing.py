"""What each normalization step changed, and what of a text was lost on the way.

`normalize` only tells the result. To lay it open, a text is followed from step to step:
what a step drops is remembered at its place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.aligned_text import Normalized, points_of
from bpe_gui.bpe.normalize import aligned_steps
from bpe_gui.bpe.pipeline.items import Fate
from bpe_gui.bpe.recipe import Normalizer
from bpe_gui.bpe.recipe_error import RecipeError

MOST_CHARACTERS = 20_000
"""Characters of a normalized text, with those that were dropped, that are laid open."""

NOT_DROPPED = -1
"""Stands for the step that dropped a character where none did."""


@dataclass(frozen=True, eq=False, slots=True)
class StepChange:
    """What one step did.

    text: what it made; starts and stops: which characters of the raw text each of its
        characters came from.
    changed, dropped: how many characters it was given that it made into others, or took
        away. put_in: how many of the text are new, beside what was there.
    places: where it did any of this, as spans of characters of the raw text, shape (n, 2),
        sorted; a span of no length is a place between characters.

    A sheet has the same of the whole text, with bytes of it in place of characters.
    """

    step: Normalizer
    text: str
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    changed: int
    dropped: int
    put_in: int
    places: NDArray[np.int64]

    def within(self, start: int, stop: int) -> str:
        """What became of a stretch of the raw text up to here; of a place, what was put in."""
        if start == stop:
            found = (self.starts == start) & (self.stops == stop)
        else:
            found = (self.starts < stop) & (self.stops > start)
        return "".join([self.text[place] for place in np.flatnonzero(found).tolist()])


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The characters of a normalized text, and between them those that were dropped.

    Columns of equal length: `points` are the code points, `starts` and `stops` the
    characters of the raw text that each came from, `fates` what became of it (see `Fate`),
    `dropped_by` the step that dropped it, or NOT_DROPPED. `normalized` is the text without
    what was dropped.
    """

    points: NDArray[np.uint32]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    fates: NDArray[np.uint8]
    dropped_by: NDArray[np.int64]
    normalized: Normalized

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which of them are in the normalized text."""
        kept: NDArray[np.bool_] = self.fates != Fate.DROPPED
        return kept


def follow(text: str, steps: tuple[Normalizer, ...]) -> tuple[Cells, tuple[StepChange, ...]]:
    """Normalize a text and tell how it went.

    Raises PatternError if a regex takes too long, RecipeError if the text becomes longer
    than `MOST_CHARACTERS`.

    >>> cells, (nfd, remove_mn) = follow("naïve", ("nfd", "remove-mn"))
    >>> nfd.changed, nfd.text, remove_mn.dropped, cells.normalized.text
    (1, 'nai\u0308ve', 1, 'naive')
    >>> [chr(point) for point in cells.points[cells.fates == Fate.DROPPED]]
    ['\u0308']
    """
    so_far = Normalized(text, None)
    lost = _Lost.none()
    changes: list[StepChange] = []
    for number, made in enumerate(aligned_steps(text, steps)):
        comparison = _compare(so_far.text, made)
        lost = lost.after(comparison, so_far, number)
        changes.append(_change(steps[number], comparison, so_far, made))
        so_far = made.after(so_far)
        if len(so_far.text) + len(lost.points) > MOST_CHARACTERS:
            raise RecipeError(
                f"normalizing makes more than {MOST_CHARACTERS:,} characters of {len(text):,}, too "
                "many to lay open; shorten the text, or put less into it"
            )
    return _cells(text, so_far, lost), tuple(changes)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A text before a step and after it.

    starts, stops: where each character after it came from. identical: which of them are
    one from before. put_in: which are new beside what was there. changed, dropped: which
    characters before it were made into others, or taken away.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    identical: NDArray[np.bool_]
    put_in: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    dropped: NDArray[np.bool_]


def spans_of(made: Normalized) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each character came from: the first one and the one after the last."""
    starts, stops = made.columns()
    return starts[:-1], stops[:-1]


def _compare(before: str, made: Normalized) -> _Comparison:
    starts, stops = spans_of(made)
    size = len(before)
    edges = np.zeros(size + 1, np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, stops, -1)
    covered = np.cumsum(edges[:-1]) > 0
    # One more than there is, for what was put in at the end.
    source = np.append(points_of(before), 0)
    alone = stops - starts == 1
    same = np.flatnonzero(alone & (source[starts] == points_of(made.text)))
    kept, first = np.unique(starts[same], return_index=True)
    identical = np.zeros(len(starts), np.bool_)
    identical[same[first]] = True
    stayed = np.zeros(size + 1, np.bool_)
    stayed[kept] = True
    put_in = (starts == stops) | (alone & stayed[starts] & ~identical)
    return _Comparison(starts, stops, identical, put_in, covered & ~stayed[:-1], ~covered)


def _change(
    step: Normalizer, comparison: _Comparison, before: Normalized, made: Normalized
) -> StepChange:
    old_starts, old_stops = spans_of(before)
    after = made.after(before)
    starts, stops = spans_of(after)
    touched = comparison.changed | comparison.dropped
    places = np.concatenate(
        (
            np.stack((old_starts[touched], old_stops[touched]), axis=1),
            np.stack((starts[comparison.put_in], stops[comparison.put_in]), axis=1),
        )
    )
    return StepChange(
        step,
        made.text,
        starts,
        stops,
        int(np.count_nonzero(comparison.changed)),
        int(np.count_nonzero(comparison.dropped)),
        int(np.count_nonzero(comparison.put_in)),
        np.unique(places, axis=0),
    )


@dataclass(frozen=True, slots=True)
class _Lost:
    """Characters that steps have dropped, in the order in which they are shown.

    `places` are the characters of the text as it is now that each stood before.
    """

    places: NDArray[np.int64]
    points: NDArray[np.uint32]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    steps: NDArray[np.int64]

    @staticmethod
    def none() -> _Lost:
        empty = np.empty(0, np.int64)
        return _Lost(empty, np.empty(0, np.uint32), empty, empty, empty)

    def after(self, comparison: _Comparison, before: Normalized, step: int) -> _Lost:
        """With what a step dropped, and placed in what it made."""
        dropped = np.flatnonzero(comparison.dropped)
        starts, stops = spans_of(before)
        places = np.searchsorted(comparison.starts, np.concatenate((self.places, dropped)))
        begins = np.concatenate((self.starts, starts[dropped]))
        order = np.lexsort((begins, places))
        return _Lost(
            places[order],
            np.concatenate((self.points, points_of(before.text)[dropped]))[order],
            begins[order],
            np.concatenate((self.stops, stops[dropped]))[order],
            np.concatenate((self.steps, np.full(len(dropped), step)))[order],
        )


def _cells(raw: str, normalized: Normalized, lost: _Lost) -> Cells:
    comparison = _compare(raw, normalized)
    size = len(normalized.text)
    fates = np.full(size, int(Fate.CHANGED), np.uint8)
    fates[comparison.identical] = Fate.KEPT
    fates[comparison.put_in] = Fate.PUT_IN
    # What was lost comes before the character that it stood before.
    places = np.concatenate((lost.places, np.arange(size)))
    order = np.lexsort((np.arange(len(places)) >= len(lost.places), places))
    gone = np.full(len(lost.places), int(Fate.DROPPED), np.uint8)
    return Cells(
        np.concatenate((lost.points, points_of(normalized.text)))[order],
        np.concatenate((lost.starts, comparison.starts))[order],
        np.concatenate((lost.stops, comparison.stops))[order],
        np.concatenate((gone, fates))[order],
        np.concatenate((lost.steps, np.full(size, NOT_DROPPED)))[order],
        normalized,
    )

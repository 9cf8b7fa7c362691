"""What each normalization step changed, and what of a text was lost on the way.

`normalize` only tells the result. To lay it open, a text is followed from step to step:
what a step drops is remembered at its place.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.pipeline.stages import Status, StepChange
from bpe_gui.bpe.errors import RecipeError
from bpe_gui.bpe.normalize import Normalized, aligned_steps, points_of
from bpe_gui.bpe.recipe import Normalizer

MAX_CHARACTERS = 20_000
"""Characters of a normalized text, with those that were dropped, that are laid open."""

NOT_DROPPED = -1
"""Stands for the step that dropped a character where none did."""


class Cells(Struct, frozen=True, eq=False):
    """The characters of a normalized text, and between them those that were dropped.

    Columns of equal length: `points` are the code points, `starts` and `stops` the
    characters of the raw text that each came from, `statuses` what became of it (see `Status`),
    `dropped_by` the step that dropped it, or NOT_DROPPED. `normalized` is the text without
    what was dropped.
    """

    points: NDArray[np.uint32]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    statuses: NDArray[np.uint8]
    dropped_by: NDArray[np.int64]
    normalized: Normalized

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Tell which of them are in the normalized text."""
        kept: NDArray[np.bool_] = self.statuses != Status.DROPPED
        return kept


def follow(
    text: str, steps: tuple[Normalizer, ...], *, is_first: bool = True
) -> tuple[Cells, tuple[StepChange, ...]]:
    """Normalize a text and tell how it went.

    `is_first` tells that it begins a document. Raises PatternError if a regex takes too long,
    RecipeError if the text becomes longer than `MAX_CHARACTERS`.

    >>> cells, (nfd, remove_mn) = follow("naïve", ("nfd", "remove-mn"))
    >>> nfd.changed, nfd.text, remove_mn.dropped, cells.normalized.text
    (1, 'nai\u0308ve', 1, 'naive')
    >>> [chr(point) for point in cells.points[cells.statuses == Status.DROPPED]]
    ['\u0308']
    """
    so_far = Normalized(text, None)
    lost = _Lost.none()
    changes: list[StepChange] = []
    for number, made in enumerate(aligned_steps(text, steps, is_first=is_first)):
        comparison = compare(so_far.text, made)
        lost = lost.after(comparison, so_far, number)
        changes.append(_change(steps[number], comparison, so_far, made))
        so_far = made.after(so_far)
        if len(so_far.text) + len(lost.points) > MAX_CHARACTERS:
            raise RecipeError(
                f"normalizing makes more than {MAX_CHARACTERS:,} characters of {len(text):,}, too "
                "many to show; shorten the text, or add less to it"
            )
    return _cells(text, so_far, lost), tuple(changes)


class Comparison(Struct, frozen=True):
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
    """Tell where each character came from: the first one and the one after the last."""
    starts, stops = made.columns()
    return starts[:-1], stops[:-1]


def compare(before: str, made: Normalized) -> Comparison:
    """Compare a text with what one step made of it.

    >>> from bpe_gui.bpe.normalize import normalize_aligned
    >>> lowered = compare("aBc", normalize_aligned("aBc", ("lowercase",)))
    >>> lowered.changed.tolist(), lowered.dropped.tolist()
    ([False, True, False], [False, False, False])
    """
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
    return Comparison(starts, stops, identical, put_in, covered & ~stayed[:-1], ~covered)


def _change(
    step: Normalizer, comparison: Comparison, before: Normalized, made: Normalized
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


class _Lost(Struct, frozen=True):
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

    def after(self, comparison: Comparison, before: Normalized, step: int) -> _Lost:
        """Add what a step dropped, placed in what it made."""
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
    comparison = compare(raw, normalized)
    size = len(normalized.text)
    statuses = np.full(size, int(Status.CHANGED), np.uint8)
    statuses[comparison.identical] = Status.KEPT
    statuses[comparison.put_in] = Status.PUT_IN
    # What was lost comes before the character that it stood before.
    places = np.concatenate((lost.places, np.arange(size)))
    order = np.lexsort((np.arange(len(places)) >= len(lost.places), places))
    gone = np.full(len(lost.places), int(Status.DROPPED), np.uint8)
    return Cells(
        np.concatenate((lost.points, points_of(normalized.text)))[order],
        np.concatenate((lost.starts, comparison.starts))[order],
        np.concatenate((lost.stops, comparison.stops))[order],
        np.concatenate((gone, statuses))[order],
        np.concatenate((lost.steps, np.full(size, NOT_DROPPED)))[order],
        normalized,
    )

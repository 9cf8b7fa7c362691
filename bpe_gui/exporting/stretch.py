"""Which positions of a run an animation shows, and how long each of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]
"""One picture of an animation: rows of pixels of red, green and blue."""

MOST_FRAMES = 20_000
"""Of one animation: more than ten minutes at thirty frames a second."""
SLOWEST, FASTEST = Fraction(1, 10), Fraction(50)
"""Frames a second. No viewer shows a GIF faster; many slow down what claims to be."""


class AnimationError(ValueError):
    """What is asked for cannot be animated; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the timeline, from one position to another, both shown.

    merges: how far each frame goes on; the last one goes as far as there is.
    frames_a_second: how many of them are shown in a second.
    hold: seconds that the last frame stays, so that one sees what it came to before an
        animation that repeats begins anew.

    Raises AnimationError for what makes no animation.
    """

    start: int
    stop: int
    merges: int = 1
    frames_a_second: Fraction = Fraction(5)
    hold: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        if self.start < 0 or self.stop < self.start:
            raise AnimationError(
                f"an animation goes from one merge to a later one, and not from {self.start:,} "
                f"to {self.stop:,}"
            )
        if self.merges < 1:
            raise AnimationError("each frame goes on by one merge at least")
        if not SLOWEST <= self.frames_a_second <= FASTEST:
            raise AnimationError(
                f"an animation has between {float(SLOWEST)} and {FASTEST} frames a second"
            )
        if not 0 <= self.hold <= 60:
            raise AnimationError("the last frame stays for a minute at most")
        if len(self) > MOST_FRAMES:
            raise AnimationError(
                f"that makes {len(self):,} frames, and at most {MOST_FRAMES:,} are written; let "
                "each frame go on by more merges"
            )

    @classmethod
    def of_at_most(
        cls, start: int, stop: int, frames: int, frames_a_second: Fraction = Fraction(5)
    ) -> Stretch:
        """The stretch in at most so many frames, all of them equally far apart but the last.

        >>> Stretch.of_at_most(0, 100, 11).merges, len(Stretch.of_at_most(0, 100, 10))
        (10, 10)
        """
        if frames < 2:
            raise AnimationError("an animation has two frames at least")
        merges = max(1, -(-(stop - start) // (frames - 1)))
        return cls(start, stop, merges, frames_a_second)

    def __len__(self) -> int:
        """How many frames there are: one for the start, and the last always at the stop."""
        return -(-(self.stop - self.start) // self.merges) + 1

    def position(self, frame: int) -> int:
        """What a frame shows, counted from 0.

        >>> [Stretch(3, 10, merges=3).position(frame) for frame in range(4)]
        [3, 6, 9, 10]
        """
        return min(self.start + frame * self.merges, self.stop)

    def durations(self, a_second: int) -> list[int]:
        """How long each frame is shown, in units of which a second has so many.

        What is rounded in one frame is made up for in the next: the whole keeps its time.

        >>> Stretch(0, 3, frames_a_second=Fraction(30), hold=Fraction(1)).durations(100)
        [3, 4, 3, 103]
        """
        ends = [Fraction(frame, 1) / self.frames_a_second for frame in range(len(self) + 1)]
        ends[-1] += self.hold
        ticks = [round(end * a_second) for end in ends]
        return [after - before for before, after in pairwise(ticks)]

"""How long the measuring of files still takes, told from what is done."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from bpe_gui.encodings.measuring.file_measuring import MeasureProgress
from bpe_gui.progress import duration_text

_AFTER, _SHARE = 3.0, 0.02
"""Seconds and the share of the work after which its rate is known."""


class TimeLeft:
    """Estimates the time left by the rate of all lanes and by that of the lane that is reported.

    Encodings differ much in speed, so the longer of both times is shown. While the rate of the last
    lane is unknown, none is.

    clock: tells the seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._all: _Rate | None = None
        self._lane: _Rate | None = None
        self._name = ""

    def sentence(self, progress: MeasureProgress) -> str:
        """Say how long it still takes, behind a comma; empty if that cannot be told."""
        share = progress.share
        if share is None:
            return ""
        now, of_lane = self._clock(), share * progress.lanes - progress.lane
        if self._all is None:
            self._all = _Rate(now, share)
        if self._lane is None or self._name != progress.name:
            self._lane, self._name = _Rate(now, of_lane), progress.name
        all_left, lane_left = self._all.left(now, share), self._lane.left(now, of_lane)
        if progress.lane == progress.lanes - 1:
            all_left = lane_left
        if all_left is None:
            return ""
        return f", about {duration_text(max(all_left, lane_left or 0.0))} left"


class _Rate:
    """Measures how fast a share grows from where it was at a time."""

    def __init__(self, begin: float, share: float) -> None:
        self._begin, self._share = begin, share

    def left(self, now: float, share: float) -> float | None:
        """Estimate the seconds until it is 1; None while too little is done for that."""
        seconds, done = now - self._begin, share - self._share
        if seconds < _AFTER or done < _SHARE:
            return None
        return seconds * (1 - share) / done

"""The time that the measuring of files still takes."""

from __future__ import annotations

from bpe_gui.encodings.measuring.file_measuring import MeasureProgress
from bpe_gui.ui.compare.time_left import TimeLeft


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def said_at(left: TimeLeft, clock: Clock, now: float, lane: int, name: str, read: int) -> str:
    clock.now = now
    return left.sentence(MeasureProgress(lane, 3, name, read, 100))


def test_a_slow_last_lane_is_not_taken_for_as_fast_as_those_before() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    assert said_at(left, clock, 0, 0, "a", 0) == ""
    assert said_at(left, clock, 4, 0, "a", 50) == ", about 20 s left"
    assert said_at(left, clock, 8, 1, "b", 0) == ", about 16 s left"
    assert said_at(left, clock, 16, 2, "slow", 0) == ""
    assert said_at(left, clock, 18, 2, "slow", 2) == ""
    # By all lanes it would be 9 seconds.
    assert said_at(left, clock, 26, 2, "slow", 10) == ", about 90 s left"


def test_a_slow_lane_before_the_last_counts_at_once() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    said_at(left, clock, 0, 0, "a", 0)
    said_at(left, clock, 4, 1, "slow", 0)
    assert said_at(left, clock, 14, 1, "slow", 10) == ", about 90 s left"


def test_of_files_of_unknown_size_none_is_told() -> None:
    assert TimeLeft().sentence(MeasureProgress(0, 1, "a", 5, None)) == ""

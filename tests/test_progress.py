"""The progress line: silent in logs, one line on terminals."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui import progress
from bpe_gui.progress import ProgressLine, megabytes


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the progress line sees, as the only entry of a list."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("COLUMNS", "80")
    return now


def drawn(terminal: Terminal) -> list[str]:
    return [line.removesuffix("\x1b[K") for line in terminal.getvalue().split("\r")[1:]]


def test_reading_shows_bytes_and_speed(clock: list[float]) -> None:
    terminal = Terminal()
    with ProgressLine(terminal) as line:
        clock[0] += 2
        line.reading(5_000_000, 20_000_000)
        clock[0] += 2
        line.reading(12_000_000, None)
    assert drawn(terminal) == [
        "reading 5.00 MB of 20.0 MB [####............]  25% 2.50 MB/s",
        "reading 12.0 MB 3.00 MB/s",
        "",
    ]


def test_merging_shows_speed_and_time_left(clock: list[float]) -> None:
    terminal = Terminal()
    with ProgressLine(terminal) as line:
        clock[0] += 60
        line.restart()
        clock[0] += 0.2
        line.merging(10, 50_000)
        clock[0] += 1.8
        line.merging(20_000, 50_000)
        clock[0] += 2
        line.merging(20_001, None)
    assert drawn(terminal) == [
        "10 of 50,000 merges [................]   0% 50 merges/s",
        "20,000 of 50,000 merges [######..........]  40% 10,000 merges/s, 3.0 s left",
        "20,001 merges 5,000 merges/s",
        "",
    ]


def test_long_times_are_minutes(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine(terminal)
    clock[0] += 10
    line.merging(100, 1000)
    clock[0] += 1
    line.merging(110, 200)
    assert [text.rsplit(", ", 1)[1] for text in drawn(terminal)] == ["1:30 min left", "9.0 s left"]


def test_it_draws_ten_times_a_second_at_most(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine(terminal)
    for _ in range(100):
        clock[0] += 0.01
        line.merging(1, None)
    assert 9 <= len(drawn(terminal)) <= 10


def test_a_narrow_terminal_is_not_wrapped(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    line = ProgressLine(terminal)
    clock[0] += 1
    line.merging(20_000, 50_000)
    assert drawn(terminal) == ["20,000 of 50,000 me"]


@pytest.mark.parametrize(("stream", "wanted"), [(io.StringIO(), True), (Terminal(), False)])
def test_it_is_silent_elsewhere(clock: list[float], stream: io.StringIO, wanted: bool) -> None:
    with ProgressLine(stream, wanted=wanted) as line:
        clock[0] += 1
        line.reading(1, 2)
        line.note("anything")
    assert stream.getvalue() == ""


@example(99_960)
@example(999_600)
@example(999_600_000)
@given(st.integers(10_000, 10**13))
def test_sizes_are_written_with_three_digits(size: int) -> None:
    number, unit = megabytes(size).split()
    digits = number.replace(",", "")
    assert len(digits.replace(".", "")) == 3 or unit == "GB"
    assert digits[-1].isdigit()
    assert "e" not in digits
    value = float(digits) * {"kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
    assert abs(value - size) <= 0.0051 * size

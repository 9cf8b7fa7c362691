"""Progress: bars on terminals, silence in logs; sizes in three digits."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.progress import COMPILING, megabytes, terminal_bars


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_every_phase_has_a_bar_that_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with terminal_bars() as tell:
        tell(0, None, "compiling")
        tell(1, 1, "compiling")
        tell(0, 20_000_000, "reading")
        tell(20_000_000, 20_000_000, "reading")
        tell(0, 5_000_000, "reading")
        tell(0, 500, "merging")
    drawn = terminal.getvalue().split("\r")
    assert [text for text in drawn if text.startswith(COMPILING)]
    sizes = [text for text in drawn if text.startswith("reading:   0%")]
    assert ["20.0M" in text for text in sizes] == [True, False]
    assert [text for text in drawn if text.startswith("merging:   0%") and "merges/s" in text]
    assert not drawn[-2].strip()


@pytest.mark.parametrize(
    ("stream", "wanted"), [(io.StringIO(), True), (Terminal(), False), (None, True)]
)
def test_it_is_silent_elsewhere(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None, wanted: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    with terminal_bars(wanted=wanted) as tell:
        tell(1, 2, "reading")
    assert stream is None or stream.getvalue() == ""


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

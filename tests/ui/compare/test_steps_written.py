"""Numbers of merges as they are written: thousands, lists, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.ui.compare.add_menu import StepsError, steps_to_begin_with, steps_written

LONG = 20_000


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("500, 2,000, 10,000", [500, 2000, 10_000]),
        ("500, 2000, 10000", [500, 2000, 10_000]),
        ("500,2000,10000", [500, 2000, 10_000]),
        ("500 2000 10000", [500, 2000, 10_000]),
        ("500; 2,000", [500, 2000]),
        ("500;2,000;10_000", [500, 2000, 10_000]),
        (" 2,000 ,, 2000; 0,", [2000, 0]),
        ("2, 500", [2, 500]),
        ("2,500", [2500]),
    ],
)
def test_what_is_written_is_read(written: str, steps: list[int]) -> None:
    assert steps_written(written, LONG) == steps


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("500,2,000", "“500,2,000” can be read in two ways; write 500; 2,000; 10,000"),
        ("5,100,2000", "can be read in two ways"),
        ("2 000", "“000” is no number of merges"),
        ("2,00", "“00” is no number"),
        ("five", "“five” is no number of merges"),
        ("-1", "“-1” is no number"),
        ("1.5", "“1.5” is no number"),
        ("٣", "“٣” is no number"),
        ("", "There is no number of merges"),
        (" ,; ", "There is no number of merges"),
        ("500, 20,001", "The run ends at 20,000 merges, so it has no step 20,001."),
        ("100,200,300", "The run ends at 20,000 merges, so it has no step 100,200,300."),
        ("9" * 5000, "is no number of merges"),
    ],
)
def test_what_could_be_meant_otherwise_is_refused(written: str, said: str) -> None:
    with pytest.raises(StepsError) as told:
        steps_written(written, LONG)
    assert said in str(told.value)


@given(
    st.lists(st.integers(0, 10**9), min_size=1, unique=True),
    st.sampled_from([", ", "; ", ";", " "]),
    st.booleans(),
)
def test_numbers_come_back_however_they_are_separated(
    steps: list[int], between: str, grouped: bool
) -> None:
    written = between.join(f"{step:,}" if grouped else str(step) for step in steps)
    assert steps_written(written, 10**9) == steps


@given(st.integers(0, 10**9))
def test_what_is_offered_is_accepted(end: int) -> None:
    assert steps_written(steps_to_begin_with(end), end)[-1] == end

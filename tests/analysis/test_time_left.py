"""The time that a training still takes follows the falling counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.time_left import time_left


@given(
    exponent=st.floats(0.6, 1.6),
    first=st.integers(10_000, 10**9),
    done=st.integers(50, 5_000),
    more=st.integers(1, 20_000),
)
def test_a_run_whose_counts_fall_by_a_power_is_foretold(
    exponent: float, first: int, done: int, more: int
) -> None:
    counts = np.maximum(first / np.arange(1, done + more + 1) ** exponent, 1).astype(np.int64)
    costs = (counts + 40) * 1e-7
    told = time_left(counts[:done], done + more, 0, float(costs[:done].sum()))
    assert told is not None
    assert told == pytest.approx(float(costs[done:].sum()), rel=0.5)


def test_the_first_merges_are_not_taken_for_the_rest() -> None:
    counts = (20_000_000 / np.arange(1, 40_001)).astype(np.int64)
    costs = (counts + 40) * 1e-7
    told = time_left(counts[:30], 40_000, 0, float(costs[:30].sum()))
    assert told is not None
    by_their_speed = float(costs[:30].mean()) * 39_970
    assert told < by_their_speed / 20


@pytest.mark.parametrize("done", [0, 1, 19])
def test_too_few_merges_tell_nothing(done: int) -> None:
    assert time_left(np.full(done, 9), 100, 0, 1.0) is None


def test_nothing_is_left_at_the_end() -> None:
    counts = np.full(50, 9)
    assert time_left(counts, 50, 0, 1.0) is None
    assert time_left(counts, 100, 50, 1.0) is None

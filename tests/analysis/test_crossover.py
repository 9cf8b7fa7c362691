"""Which run overtakes which, and at exactly how many merges."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bpe_gui.analysis.crossover import Crossover, crossovers, first_ahead


def seen(first: list[float], second: list[float], *, more: bool = True) -> list[tuple[int, ...]]:
    length = max(len(first), len(second))
    found = crossovers(
        np.arange(length) * 10, [np.array(first), np.array(second)], more_is_ahead=more
    )
    return [(one.low, one.high, one.winner, one.loser) for one in found]


def test_who_is_ahead_depends_on_which_value_is_better() -> None:
    assert seen([1, 2], [2, 1]) == [(0, 10, 0, 1)]
    assert seen([1, 2], [2, 1], more=False) == [(0, 10, 1, 0)]


def test_to_lead_from_the_start_is_no_overtaking() -> None:
    assert seen([1, 2, 3], [1, 1, 1]) == []
    assert seen([2, 2, 3], [1, 1, 1]) == []


def test_to_draw_level_is_no_overtaking_until_one_is_ahead() -> None:
    assert seen([1, 2, 2, 3], [2, 2, 2, 2]) == [(20, 30, 0, 1)]
    assert seen([3, 2, 3], [2, 2, 2]) == []


def test_a_curve_that_ends_is_compared_as_far_as_it_goes() -> None:
    assert seen([1, 1], [2, 2, 0]) == []


def test_places_without_a_value_are_skipped() -> None:
    assert seen([np.nan, 1, np.nan, 3], [1, 2, 2, 2]) == [(20, 30, 0, 1)]


def test_crossings_of_several_runs_stand_in_the_order_of_the_merges() -> None:
    curves = [np.array([1, 1, 1]), np.array([0, 2, 2]), np.array([-1, 0, 3])]
    found = crossovers(np.array([0, 7, 9]), curves, more_is_ahead=True)
    assert found == [Crossover(0, 7, 1, 0), Crossover(7, 9, 2, 0), Crossover(7, 9, 2, 1)]


@given(
    ahead=st.lists(st.booleans(), min_size=2, max_size=3000).filter(
        lambda ahead: not ahead[0] and ahead[-1]
    )
)
def test_the_exact_place_is_one_where_the_winner_gets_ahead(ahead: list[bool]) -> None:
    truth = np.array(ahead)
    crossover = Crossover(0, len(truth) - 1, 0, 1)
    found = first_ahead(crossover, lambda positions: truth[positions])
    assert truth[found]
    assert not truth[found - 1]


@given(place=st.integers(1, 10**6))
def test_few_positions_are_measured(place: int) -> None:
    measured = 0

    def is_ahead(positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        nonlocal measured
        measured += len(positions)
        assert all(a < b for a, b in pairwise(positions.tolist()))
        return positions >= place

    assert first_ahead(Crossover(0, 10**6, 0, 1), is_ahead) == place
    assert measured <= 4 * 64

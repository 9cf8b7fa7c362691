"""Which points are drawn, where axes end, and what is said about a point."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.curves.series import (
    BytesPerToken,
    FewWinningCounts,
    Series,
    TokensLeft,
    WinningCounts,
)
from bpe_gui.ui.widgets.scales import (
    around,
    axis_end,
    evenly,
    geometrically,
    merges_to_show,
    power_text,
    powers,
    tick_texts,
    ticks,
)
from tests.ui.histories import FOUR_WORDS, four_words, invented, trained

SERIES = (WinningCounts(), FewWinningCounts(), BytesPerToken(), TokensLeft())


sizes = st.floats(1e-6, 1e12, allow_subnormal=False)


@given(sizes, sizes)
@example(13_700.0, 15_800.0)
@example(7.0, 7.0)
@example(0.1, 0.3)
def test_an_axis_shows_all_values_and_wastes_little_of_its_height(one: float, two: float) -> None:
    lowest, highest = min(one, two), max(one, two)
    begin, end = around(lowest, highest)
    assert 0 <= begin <= lowest
    assert highest <= end
    if begin:
        assert lowest > highest / 4, "else it may as well begin at zero"
        assert highest - lowest >= 0.8 * (end - begin), "the values have most of the height"
        assert ticks(end, 5, begin), "there are numbers beside it"
    elif lowest < highest:
        assert lowest - begin <= 0.3 * (end - begin)


@given(st.floats(0, 1e6), st.floats(1e-3, 1e6), st.integers(1, 30))
def test_ticks_lie_on_round_numbers_between_the_ends(
    begin: float, room: float, wanted: int
) -> None:
    end = begin + room
    found = ticks(end, wanted, begin)
    assert len(found) <= wanted + 1
    slack = 1e-6 * max(end, 1.0)
    assert all(begin - slack <= value <= end + slack for value in found)


@given(st.integers(0, 2_000_000))
def test_points_begin_and_end_where_the_curve_does(stop: int) -> None:
    for indexes in (evenly(stop), geometrically(stop)):
        assert len(indexes) <= 1200
        assert np.all(np.diff(indexes) > 0)
        if stop:
            assert indexes[0] == 0
            assert indexes[-1] == stop - 1
        else:
            assert len(indexes) == 0


def test_short_curves_are_drawn_in_full() -> None:
    assert evenly(500).tolist() == list(range(500))
    assert geometrically(30).tolist() == list(range(30))


@given(st.integers(1, 100_000))
def test_a_growing_curve_keeps_its_points(stop: int) -> None:
    """So that it does not shimmer: only the last point moves, until the distances double."""
    grown = set(geometrically(stop + 1).tolist())
    assert set(geometrically(stop).tolist()) - grown <= {stop - 1}
    if len(evenly(stop + 1)) >= len(evenly(stop)):
        assert set(evenly(stop).tolist()) - set(evenly(stop + 1).tolist()) <= {stop - 1}


@given(st.floats(1e-3, 1e12))
def test_axes_end_at_or_after_the_value(value: float) -> None:
    end = axis_end(value)
    assert value * 0.999 <= end <= value * 5.001
    marks = ticks(end, 5)
    assert marks[0] == 0
    assert marks[-1] <= end * 1.001
    assert 2 <= len(marks) <= 7
    assert len(set(tick_texts(marks))) == len(marks)


@pytest.mark.parametrize(
    ("exponent", "text"),
    [(0, "1"), (log10(2), "2"), (log10(5), "5"), (4, "10,000"), (5, "100 k"), (7, "10 M")],
)
def test_powers_are_written_out(exponent: float, text: str) -> None:
    assert power_text(exponent) == text


@given(st.floats(0.3, 9), st.integers(2, 8))
@example(1.3125, 3)
def test_powers_stay_within_the_axis(end: float, wanted: int) -> None:
    marks = powers(end, wanted)
    assert marks[0] == 0
    assert marks[-1] <= end + 1e-6
    assert len(marks) <= wanted + 1


def test_ticks_share_a_unit() -> None:
    assert tick_texts([0, 250_000, 500_000]) == ["0", "250 k", "500 k"]
    assert tick_texts([0, 2e9]) == ["0", "2 G"]


# -- the curves of a run -------------------------------------------------------------------


def test_winning_counts_are_logarithms() -> None:
    history = four_words()
    series = WinningCounts()
    points = series.points(len(history))
    assert np.allclose(10 ** series.y(history, points), history.count)
    assert np.allclose(10 ** series.x(points), np.arange(1, len(history) + 1))
    assert len(series.points(0)) == 0


def test_a_count_of_0_has_no_place_on_a_logarithmic_axis() -> None:
    history = four_words()
    history.count[2] = 0
    drawn = WinningCounts().y(history, np.arange(1, 5))
    assert np.isnan(drawn).tolist() == [False, False, True, False]


def test_bytes_per_token_and_tokens_left() -> None:
    history = four_words()
    every = np.arange(len(history) + 1)
    assert BytesPerToken().y(history, every)[0] == history.corpus_bytes / history.tokens[0]
    assert TokensLeft().y(history, every).tolist() == history.tokens.tolist()
    assert TokensLeft().points(3).tolist() == [0, 1, 2, 3]


def test_points_in_words() -> None:
    history = four_words()
    assert WinningCounts().text(history, 1) == "merge 1: e + s  9"
    assert TokensLeft().text(history, 0) == "after 0 merges: 95 tokens"
    assert TokensLeft().text(history, 1) == "after 1 merge: 86 tokens (−9)"
    per_token = history.corpus_bytes / 86
    assert BytesPerToken().text(history, 1) == f"after 1 merge: {per_token:.3f} bytes per token"


@pytest.mark.parametrize("series", SERIES)
@given(st.integers(1, 3000))
def test_the_nearest_point_to_a_point_is_itself(series: Series, position: int) -> None:
    x = float(series.x(np.array([position]))[0])
    assert series.nearest(x, 3000) == position
    assert series.nearest(-50.0, 3000) == series.begins
    assert series.nearest(8.0 if series.logarithmic else 1e8, 3000) == 3000


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("merges", [0, 1, 7, 300, 5000])
def test_every_point_lies_within_the_bounds(series: Series, merges: int) -> None:
    history = invented(merges) if merges else four_words(0)
    points = series.points(len(history))
    bounds = series.bounds(history)
    assert np.all(series.x(points) <= bounds.x)
    assert np.all(series.y(history, points) <= bounds.y)


def test_bounds_stand_still_while_a_run_grows() -> None:
    ends = {merges: merges_to_show(invented(merges)) for merges in (600, 700, 999, 1001)}
    assert ends == {600: 1000, 700: 1000, 999: 1000, 1001: 2000}


def test_the_axis_ends_where_the_run_will_or_did() -> None:
    recipe = preset("whitespace").with_changes(merges=4)
    history = trained(list(FOUR_WORDS), recipe, merges=2)
    assert merges_to_show(history) == 4
    assert merges_to_show(four_words()) == len(four_words())

"""Rows of pairs: true numbers, eased places."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.next_merge import emptiness
from bpe_gui.bpe.history import TopPairs
from bpe_gui.bpe.recipe import Ties, preset
from bpe_gui.ui.panels.pairs.rows import PairRows, scale_of
from bpe_gui.ui.panels.pairs.wording import pair_text, spoken, tooltip
from tests.ui.histories import byte_level, four_words, trained


def top(*pairs: tuple[int, int, int]) -> TopPairs:
    columns = list(zip(*pairs, strict=True)) or [(), (), ()]
    return TopPairs(
        np.array(columns[0], np.int32), np.array(columns[1], np.int32), np.array(columns[2], int)
    )


def rows_of(shown: TopPairs) -> PairRows:
    rows = PairRows()
    rows.show(shown)
    rows.settle()
    return rows


def test_the_first_rows_stand_where_they_belong() -> None:
    rows = PairRows()
    rows.show(top((1, 2, 9), (3, 4, 3)))
    assert rows.settled
    assert [(row.left, row.count, row.rank, row.length) for row in rows] == [
        (1, 9, 0, 1.0),
        (3, 3, 1, 1 / 3),
    ]


def test_a_pair_keeps_its_row_while_it_climbs() -> None:
    rows = rows_of(top((1, 2, 9), (3, 4, 6), (5, 6, 3)))
    rows.show(top((3, 4, 6), (5, 6, 3)))
    climbing = rows[0]
    assert (climbing.left, climbing.right, climbing.count, climbing.rank) == (3, 4, 6, 0)
    assert (climbing.drawn_rank, climbing.drawn_length) == (1.0, 6 / 9)
    rows.move(0.5)
    assert 0 < climbing.drawn_rank < 1
    assert 6 / 9 < climbing.drawn_length < 1


def test_a_new_pair_takes_over_the_bar_of_the_one_that_is_gone() -> None:
    rows = rows_of(top((1, 2, 9), (3, 4, 6)))
    rows.show(top((7, 8, 8), (3, 4, 6)))
    assert (rows[0].drawn_rank, rows[0].drawn_length, rows[0].length) == (0.0, 1.0, 1.0)


def test_a_new_pair_between_the_others_grows_from_nothing() -> None:
    rows = rows_of(top((1, 2, 9), (3, 4, 6)))
    rows.show(top((1, 2, 9), (7, 8, 8), (3, 4, 6)))
    # The rank was taken by a pair that is still there, and makes room first.
    assert (rows[1].drawn_rank, rows[1].drawn_length) == (1.0, 0.0)
    assert rows[1].hidden
    assert rows[2].drawn_rank == 1.0
    rows.move(0.8)
    assert not rows[1].hidden
    assert 0 < rows[1].drawn_length < rows[1].length
    assert rows[2].drawn_rank == 2.0


def test_the_last_of_twenty_comes_in_from_below() -> None:
    pairs = [(n, n, 100 - n) for n in range(20)]
    rows = rows_of(top(*pairs))
    rows.show(top(*pairs[1:], (50, 50, 40)))
    assert rows[19].left == 50
    assert rows[19].drawn_rank == 20.0
    assert rows[19].drawn_length == rows[19].length


def test_rows_set_out_anew_from_where_they_are() -> None:
    rows = rows_of(top((1, 2, 9), (3, 4, 6), (5, 6, 3)))
    rows.show(top((3, 4, 6), (5, 6, 3)))
    rows.move(0.3)
    assert [row.drawn_rank for row in rows] == [0.5, 1.5]
    rows.show(top((5, 6, 3)))
    assert rows[0].drawn_rank == 1.5
    rows.move(1.0)
    assert rows.settled


def test_no_two_rows_pass_each_other() -> None:
    """One that falls below others is gone until they are at their places."""
    rows = rows_of(top((1, 2, 9), (3, 4, 6), (5, 6, 3)))
    rows.show(top((3, 4, 6), (5, 6, 3), (1, 2, 1)))
    rows.move(0.3)
    assert [(row.left, row.drawn_rank, row.hidden) for row in rows] == [
        (3, 0.5, False), (5, 1.5, False), (1, 2.0, True),
    ]  # fmt: skip
    assert not rows.settled
    rows.move(0.7)
    assert [(row.drawn_rank, row.hidden) for row in rows] == [(0, False), (1, False), (2, False)]
    assert rows[2].drawn_length > rows[2].length, "its bar still becomes shorter"


def test_no_pairs() -> None:
    rows = rows_of(top((1, 2, 9)))
    rows.show(top())
    assert len(rows) == 0
    assert rows.settled
    assert rows.ties() == []


@pytest.mark.parametrize(
    ("counts", "ties"),
    [
        ((9,), []),
        ((9, 8, 7), []),
        ((9, 9), [(0, 1)]),
        ((9, 9, 8, 7, 7, 7), [(0, 1), (3, 5)]),
        ((4, 4, 4, 4), [(0, 3)]),
    ],
)
def test_ties(counts: tuple[int, ...], ties: list[tuple[int, int]]) -> None:
    assert rows_of(top(*((n, n, count) for n, count in enumerate(counts)))).ties() == ties


def test_no_row_sets_out_from_beyond_the_chart() -> None:
    rows = PairRows()
    many = [(left, right, 1) for left in range(5) for right in range(4)]
    for pairs in (many[1:17] + many[:1], many[:1], many[:7]):
        rows.show(top(*pairs))
        rows.move(0.0)
        assert all(row.drawn_rank <= 20 for row in rows)


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(1, 5)),
            max_size=20,
            unique_by=lambda pair: pair[:2],
        ),
        max_size=8,
    ),
    st.floats(0, 1),
)
def test_numbers_are_always_the_true_ones(
    positions: list[list[tuple[int, int, int]]], share: float
) -> None:
    rows = PairRows()
    for pairs in positions:
        pairs = sorted(pairs, key=lambda pair: -pair[2])
        rows.show(top(*pairs))
        rows.move(share)
        assert [(row.left, row.right, row.count) for row in rows] == pairs
        assert [row.rank for row in rows] == list(range(len(pairs)))
        assert all(0 <= row.drawn_length <= 1 for row in rows)
        shown = [row.drawn_rank for row in rows if not row.hidden]
        assert all(below - above > 0.999 for above, below in pairwise(shown)), "none over another"
        assert all(-0.5 <= row.drawn_rank <= 21 for row in rows)
    rows.settle()
    assert all(row.drawn_length == rows.scale.length(row.count) for row in rows)


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=20))
def test_bars_are_in_the_order_of_their_counts_and_the_longest_is_whole(counts: list[int]) -> None:
    counts.sort(reverse=True)
    scale = scale_of(counts)
    lengths = [scale.length(count) for count in counts]
    assert lengths[0] == 1
    assert all(0 < length <= 1 for length in lengths)
    for (more, longer), (fewer, shorter) in pairwise(zip(counts, lengths, strict=True)):
        assert longer / shorter == pytest.approx(more / fewer), "also where all are alike"


def drained(rows: PairRows, share: float) -> list[tuple[int, int, float]]:
    """The rows as they are drawn where that share of a merge is done."""
    assert rows.drain is not None
    rows.drain.go_to(share)
    return [(row.left, row.count, round(row.drawn_length, 3)) for row in rows.drain.rows]


def test_the_bar_of_a_merged_pair_drains_before_rows_move() -> None:
    rows = rows_of(top((1, 2, 9), (3, 1, 6), (5, 6, 3)))
    rows.show_merge(top((3, 7, 6), (5, 6, 3), (3, 1, 1)), None, 7)
    assert drained(rows, 0.5) == [(1, 9, 0.5), (3, 6, round((6 + 1) / 2 / 9, 3)), (5, 3, 0.333)]
    assert rows.drain is not None
    assert rows.drain.reduced == {(1, 2): 0, (3, 1): 1}, "one is as frequent as before"
    assert [row.left for row in rows.drain.gains] == [3]
    assert [(row.left, row.right, row.count) for row in rows] == [(3, 7, 6), (5, 6, 3), (3, 1, 1)]
    assert not rows.settled
    rows.end_drain()
    assert rows.drain is None
    assert rows[1].drawn_rank == 2.0, "it sets out from where it was"
    assert rows[2].hidden, "it has fallen below the other"
    rows.move(1.0)
    assert rows.settled


def test_a_pair_that_is_gone_is_empty_before_rows_move() -> None:
    rows = rows_of(top((1, 2, 9), (3, 1, 6)))
    rows.show_merge(top((3, 7, 6)), None, 7)
    assert drained(rows, 1.0)[1] == (3, 6, 0.0)
    assert rows.drain is not None
    assert rows.drain.reduced[3, 1] == 0


def test_a_merge_that_comes_soon_is_seen_as_well() -> None:
    rows = rows_of(top((1, 2, 9), (3, 1, 6), (5, 6, 3)))
    rows.show_merge(top((3, 7, 6), (5, 6, 3)), None, 7)
    drained(rows, 0.25)
    rows.show_merge(top((5, 6, 3)), None, 8)
    assert rows.drain is not None
    first, second = rows.drain.rows
    assert (first.left, first.drawn_rank, first.drawn_length) == (3, 0.0, 1.0), "it is in its place"
    assert (second.left, second.drawn_rank) == (5, 1.0)
    rows.settle()
    assert [(row.left, row.drawn_rank, row.drawn_length) for row in rows] == [(5, 0.0, 1.0)]


# -- sentences ---------------------------------------------------------------------------


def test_the_winner_of_a_tie_says_by_which_rule() -> None:
    history = four_words()
    rows = rows_of(history.top(0))
    words = spoken(history, 0, rows, rows[0])
    assert "9 times" in words
    assert "Merged next, wins the tie of 3 pairs: its first occurrence comes first in" in words
    assert "Rank 2, tied: as frequent as 2 other pairs" in spoken(history, 0, rows, rows[1])
    assert "Rank 4." in spoken(history, 0, rows, rows[3])
    by_id = trained([("ab", 1), ("cd", 1)], preset("whitespace").with_changes(ties=Ties.LOWEST_ID))
    rows = rows_of(by_id.top(0))
    assert "its token ids are the lowest" in spoken(by_id, 0, rows, rows[0])


def test_share_of_the_positions() -> None:
    history = four_words()
    rows = rows_of(history.top(0))
    # l o w </w> 5, l o w e r </w> 2, n e w e s t </w> 6, w i d e s t </w> 3: 95 symbols.
    assert "9 times, at 9.47% of 95 positions" in spoken(history, 0, rows, rows[0])


def test_a_winner_that_is_not_merged_any_more_says_so() -> None:
    recipe = preset("whitespace").with_changes(min_frequency=7)
    history = trained([("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)], recipe)
    end = len(history)
    rows = rows_of(history.top(end))
    words = spoken(history, end, rows, rows[0])
    assert "Would win" in words
    assert "training has stopped: no pair is frequent enough" in words
    rows = rows_of(history.top(0))
    assert "Merged next" in spoken(history, 0, rows, rows[0])


def test_tooltips_show_markup_as_text() -> None:
    history = four_words()
    rows = rows_of(history.top(0))
    marker = next(row for row in rows if history.id_to_token(row.right) == "</w>")
    assert "&lt;/w&gt;" in tooltip(history, 0, rows, marker)
    assert "</w>" not in tooltip(history, 0, rows, marker)
    assert f"tokens {marker.left} and {marker.right}" in tooltip(history, 0, rows, marker)


def test_spaces_and_parts_of_characters_are_visible() -> None:
    history = byte_level("жизнь жизнь жизнь")
    rows = rows_of(history.top(0))
    texts = " ".join(pair_text(history, row) for row in rows)
    assert "␣" in texts
    assert "0xD0" in texts


def test_emptiness() -> None:
    assert "Open a corpus to" in emptiness(None, 0)
    history = four_words()
    assert "No pair is left" in emptiness(history, len(history))
    assert "empty" in emptiness(trained([], preset("whitespace")), 0)

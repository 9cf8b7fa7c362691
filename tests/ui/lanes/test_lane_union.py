"""What lanes have in common, to the byte: borders, units, parts of characters, stretches."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.lanes.layout import ScoreLayout
from bpe_gui.ui.lanes.painting import parts_of
from bpe_gui.ui.lanes.prepared import Coverage, prepare, touched, union_of
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.picture import NOWHERE
from tests.ui.histories import byte_level, trained
from tests.ui.lanes.lane_views import cut_by, differences_of, encodings


@settings(max_examples=60)
@given(st.text(st.sampled_from("etns wids1é🙂ש\n\t"), max_size=30))
def test_the_union_has_every_border_of_every_lane(text: str) -> None:
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    union = union_of(Characters(text), cuts, [Coverage.of(cut) for cut in cuts])
    size = len(text.encode())
    borders = {0, size}
    closing = set()
    for cut in cuts:
        borders |= {*cut.tokens.starts.tolist(), *cut.tokens.ends.tolist()}
        closing |= set(cut.tokens.ends[cut.closes].tolist())
    assert [0, *union.ends.tolist()] == sorted(borders)
    assert union.starts.tolist() == sorted(borders)[:-1]
    assert set(union.ends[union.closes].tolist()) == closing - {0}


@settings(max_examples=40)
@given(text=st.text(st.sampled_from("etns wids1é🙂ש\n\t"), min_size=1, max_size=60))
def test_every_unit_belongs_to_the_token_that_covers_its_bytes(qapp: object, text: str) -> None:
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    layout = ScoreLayout(QApplication.font())
    layout.set_width(160)
    layout.show(prepare(Characters(text), cuts, differences_of(text, cuts)))
    for system in range(len(layout)):
        units = layout.units(system)
        for lane in layout.lanes:
            tokens = lane.cut.tokens
            for unit, token in enumerate(units.tokens_of(lane).tolist()):
                start, end = int(units.starts[unit]), int(units.ends[unit])
                if units.marker[unit]:
                    ending = tokens.ends[token] == end and lane.cut.closes[token]
                    assert (units.left[unit] in units.marks_of(lane)) == (
                        token != NOWHERE and ending
                    )
                    if not ending:
                        going_on = (tokens.starts < end) & (end < tokens.ends)
                        assert (token != NOWHERE) == going_on.any()
                        assert token == NOWHERE or going_on[token]
                    continue
                covering = (tokens.starts <= start) & (start < tokens.ends)
                assert (token != NOWHERE) == covering.any()
                if token != NOWHERE:
                    assert covering[token]
                    assert tokens.ends[token] >= end


def test_a_token_is_one_box_where_another_lane_ends_a_word_within_it(qapp: object) -> None:
    """CLIP ends a word after every digit."""
    single = preset("whitespace").with_changes(split=r"matches:\d")
    runs = [trained([("12", 3)], recipe) for recipe in (preset("gpt2"), single)]
    cuts = [cut_by(TrainedEncoding(run), "12") for run in runs]
    layout = ScoreLayout(QApplication.font())
    layout.show(prepare(Characters("12"), cuts, differences_of("12", cuts)))
    units = layout.units(0)
    assert units.marker.tolist() == [False, True, False, True]
    assert units.tokens_of(layout.lanes[0]).tolist() == [0, 0, 0, NOWHERE]
    assert not len(units.marks_of(layout.lanes[0]))


@settings(max_examples=60)
@given(
    text=st.text(st.sampled_from("etns wids1é🙂ש\n\n\n\t"), min_size=1, max_size=60),
    width=st.integers(60, 500),
)
def test_lines_are_side_by_side_where_they_are_whole_and_have_room(
    qapp: object, text: str, width: int
) -> None:
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    layout = ScoreLayout(QApplication.font())
    layout.set_width(width)
    layout.show(prepare(Characters(text), cuts, differences_of(text, cuts)))
    rows = [layout.shown(system) for system in range(len(layout))]
    layout.set_room(0)
    assert len(layout) <= len(rows)
    end = 0
    for system in range(len(layout)):
        shown = layout.shown(system)
        inside = [row for row in rows if shown.first <= row.first < shown.last]
        assert (shown.first, shown.last) == (end, inside[-1].last)
        end = shown.last
        written = text[shown.first : shown.last]
        if len(inside) > 1:
            assert "ש" not in written
            assert text[: shown.first].endswith("\n") or not shown.first
            # The mark of the last newline may be in the margin, as in any row.
            ends = shown.row.right[:-1] if written.endswith("\n") else shown.row.right
            assert ends.max() <= width + 0.1
            assert (np.diff(shown.row.left) >= 0).all()
    assert end == len(text)


@settings(max_examples=40)
@given(text=st.text(st.sampled_from("aé🙂在 "), min_size=1, max_size=20))
def test_a_split_character_shows_the_bytes_that_each_token_holds(qapp: object, text: str) -> None:
    history = byte_level("é é é 在 在")
    both = [TrainedEncoding(history, 0), TrainedEncoding(history)]
    cuts = [cut_by(encoding, text) for encoding in both]
    layout = ScoreLayout(QApplication.font())
    layout.show(prepare(Characters(text), cuts, differences_of(text, cuts)))
    data = text.encode()
    for number, lane in enumerate(layout.lanes):
        held = {}
        for system in range(len(layout)):
            units = layout.units(system)
            for part in parts_of(layout, units, lane, units.tokens_of(lane)):
                held.setdefault(part.character, []).append(part)
        edges = layout.characters.byte_starts
        for character, parts in held.items():
            whole = data[edges[character] : edges[character + 1]]
            assert b"".join(part.data for part in parts) == whole
            assert all(part.whole == (part.data == whole) for part in parts)
        if number == 0:
            split = {place for place, letter in enumerate(text) if not letter.isascii()}
            assert set(held) == split
            assert all(len(parts) > 1 for parts in held.values())


def column(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def test_which_spans_touch_a_stretch() -> None:
    stretches = np.array([[2, 5], [8, 9]])
    starts, ends = column(0, 1, 2, 5, 7, 8, 9), column(2, 3, 4, 8, 8, 8, 10)
    assert touched(starts, ends, stretches).tolist() == [
        *(False, True, True, False, False),
        *(True, False),
    ]
    assert not touched(starts, ends, np.empty((0, 2), np.int64)).any()


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=8),
    st.lists(st.integers(0, 12), max_size=8, unique=True).map(sorted),
)
def test_spans_that_share_a_byte_with_a_stretch(
    spans: list[tuple[int, int]], edges: list[int]
) -> None:
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    stretches = np.array(pairs, np.int64).reshape(-1, 2)
    starts = column(*(start for start, _ in spans))
    ends = column(*(start + length for start, length in spans))
    inside = {byte for start, end in pairs for byte in range(start, end)}
    expected = [bool(inside & set(range(s, max(s + n, s + 1)))) for s, n in spans]
    assert touched(starts, ends, stretches).tolist() == expected

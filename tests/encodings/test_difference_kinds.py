"""Differences grouped by kind, against a naive grouping; and causes that hold for a whole kind."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, normalizers, pre_tokenizers

from bpe_gui.encodings.alignment import Alignment
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.causes import sentence
from bpe_gui.encodings.difference_kinds import agreement, kinds_of, tokens_within
from bpe_gui.encodings.differences import causes, has_causes_within
from tests.encodings.explained import over
from tests.encodings.test_removed_causes import like_bert, like_llama, merge_lists, merging

ENCODINGS: list[Encoding] = [
    merging([("a", "b"), ("b", "c"), ("ab", "c")]),
    merging([("b", "c"), ("a", "b")], pre_tokenizer=pre_tokenizers.Split(Regex("c"), "isolated")),
    merging([("a", "b")], normalizer=normalizers.Lowercase()),
    like_bert(),
    like_llama([("▁", "l"), ("l", "o")], prepending=True),
]
TEXTS = st.lists(st.sampled_from(["ab", "abc", " ", "c", "low", "Über", "한", "\n"])).map("".join)


def _alike(alignment: Alignment, number: int) -> tuple[object, ...]:
    """All that differences of a kind have in common."""
    start, end = int(alignment.starts[number]), int(alignment.ends[number])
    lanes = []
    for cut in alignment.cuts:
        it = cut.tokens
        tokens = [
            (int(it.ids[at]), int(it.starts[at]) - start, int(it.ends[at]) - start)
            for at in cut.within(start, end)
        ]
        words = () if cut.words is None else [w - start for w in cut.words if start < w < end]
        lanes.append((tuple(tokens), tuple(words)))
    return alignment.data[start:end], tuple(lanes)


@given(text=TEXTS, lanes=st.lists(st.sampled_from(ENCODINGS), min_size=2, max_size=3))
def test_kinds_are_those_of_a_naive_grouping(text: str, lanes: list[Encoding]) -> None:
    alignment = over(text, *lanes)
    found = kinds_of(alignment)
    alike = [_alike(alignment, number) for number in range(alignment.differences)]
    naive = Counter(alike).most_common()
    assert found.counts.tolist() == [count for _, count in naive]
    assert [alike[first] for first in found.firsts.tolist()] == [kind for kind, _ in naive]
    assert [naive[kind][0] for kind in found.of_difference.tolist()] == alike
    for kind, first in enumerate(found.firsts.tolist()):
        start, end = int(alignment.starts[first]), int(alignment.ends[first])
        sizes = [len(cut.within(start, end)) for cut in alignment.cuts]
        assert found.tokens[kind].tolist() == sizes
        assert found.costs(0, 1)[kind] == (sizes[1] - sizes[0]) * found.counts[kind]
        assert found.next(kind, -1) == first
        assert found.of_difference[found.next(kind, first)] == kind


@given(text=TEXTS, lane=st.sampled_from(ENCODINGS))
def test_tokens_within_are_those_of_the_cut(text: str, lane: Encoding) -> None:
    alignment = over(text, lane)
    starts, ends = alignment.shared[:-1], alignment.shared[1:]
    first, after = tokens_within(alignment.cuts[0], starts, ends)
    for place, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        found = list(range(first[place], after[place]))
        assert found == alignment.cuts[0].within(start, end).tolist()


@given(merges=st.lists(merge_lists(), min_size=2, max_size=2), text=st.text("abc ", max_size=30))
def test_the_costs_of_all_kinds_are_the_difference_in_tokens(
    merges: list[list[tuple[str, str]]], text: str
) -> None:
    alignment = over(text, *map(merging, merges))
    sizes = [len(cut) for cut in alignment.cuts]
    assert int(kinds_of(alignment).costs(0, 1).sum()) == sizes[1] - sizes[0]


@given(merges=st.lists(merge_lists(), min_size=2, max_size=2), text=st.text("abc ", max_size=30))
def test_causes_of_the_first_hold_for_all_of_a_kind(
    merges: list[list[tuple[str, str]]], text: str
) -> None:
    alignment = over(text, *map(merging, merges))
    found = kinds_of(alignment)
    said = [
        [sentence(cause, "AB") for cause in causes(alignment, number, 0, 1)]
        for number in range(alignment.differences)
    ]
    for number, kind in enumerate(found.of_difference.tolist()):
        assert said[number] == said[found.firsts[kind]]


@given(text=TEXTS, lanes=st.lists(st.sampled_from(ENCODINGS), min_size=2, max_size=3))
def test_lanes_agree_where_their_hashes_are_equal(text: str, lanes: list[Encoding]) -> None:
    alignment = over(text, *lanes)
    hashes = agreement(alignment)
    for number in range(alignment.differences):
        place = int(alignment.starts[number]), int(alignment.ends[number])
        for first in range(len(lanes)):
            for second in range(first):
                equal = hashes[first, number] == hashes[second, number]
                assert equal == alignment.agree(first, second, *place)


@given(text=TEXTS, lanes=st.lists(st.sampled_from(ENCODINGS), min_size=2, max_size=3))
def test_differences_of_a_kind_have_the_same_causes_where_nothing_around_matters(
    text: str, lanes: list[Encoding]
) -> None:
    """So `compare --differences` may explain such a kind once."""
    alignment = over(text, *lanes)
    names = [f"lane {number}" for number in range(len(lanes))]
    said: dict[int, list[str]] = {}
    for number, kind in enumerate(kinds_of(alignment).of_difference.tolist()):
        here = [
            sentence(cause, names)
            for lane in range(1, len(lanes))
            for cause in causes(alignment, number, 0, lane)
        ]
        if kind in said:
            assert here == said[kind]
        elif has_causes_within(alignment, number, 0):
            said[kind] = here


def test_causes_of_merges_are_within() -> None:
    """What a split does to the merges of the words around it is looked for there."""
    alignment = over("abc abc", merging([("a", "b")]), merging([("b", "c")]))
    alike = [has_causes_within(alignment, number, 0) for number in range(alignment.differences)]
    assert alike == [True, True]
    alignment = over("abc abc", ENCODINGS[0], ENCODINGS[1])
    alike = [has_causes_within(alignment, number, 0) for number in range(alignment.differences)]
    assert alike == [False, False]

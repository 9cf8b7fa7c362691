"""Differences grouped by kind, against a naive grouping; and causes that hold for a whole kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Regex, models, normalizers, pre_tokenizers

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.differences import find_causes
from bpe_gui.encodings.differences.alignment import Alignment
from bpe_gui.encodings.differences.causes import Cause, sentence
from bpe_gui.encodings.differences.explained import ExplainedDifferences, LaneCause
from bpe_gui.encodings.differences.find_causes import by_weight, causes, groups
from bpe_gui.encodings.differences.kinds import agreement, kinds_of, tokens_within
from bpe_gui.encodings.differences.segments import SegmentPair
from tests.encodings.differences.explained import over, run
from tests.encodings.differences.test_removed_causes import (
    library,
    like_bert,
    like_llama,
    merge_lists,
    merging,
)

ENCODINGS: list[Encoding] = [
    merging([("a", "b"), ("b", "c"), ("ab", "c")]),
    merging([("b", "c"), ("a", "b")], pre_tokenizer=pre_tokenizers.Split(Regex("c"), "isolated")),
    merging([("a", "b")], normalizer=normalizers.Lowercase()),
    like_bert(),
    like_llama([("▁", "l"), ("l", "o")], prepending=True),
]
RUNS: list[Encoding] = [
    run(preset("char-bpe").with_changes(merges=9)),
    run(preset("whitespace").with_changes(merges=9)),
    run(preset("gpt2").with_changes(merges=30)),
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
@example(text=" 한 한", lanes=[ENCODINGS[3], ENCODINGS[0], ENCODINGS[4]])  # empty tokens
def test_lanes_agree_where_their_hashes_are_equal(text: str, lanes: list[Encoding]) -> None:
    alignment = over(text, *lanes)
    hashes = agreement(alignment)
    for number in range(alignment.differences):
        place = int(alignment.starts[number]), int(alignment.ends[number])
        for first in range(len(lanes)):
            for second in range(first):
                equal = hashes[first, number] == hashes[second, number]
                assert equal == alignment.agree(first, second, *place)


def _explained_alone(alignment: Alignment, names: list[str], number: int) -> tuple[LaneCause, ...]:
    """What is said of a difference without looking at any other."""
    return tuple(
        LaneCause(
            lane,
            cause.title,
            sentence(cause, names),
            cause.effect if cause.lane == lane else -cause.effect,
        )
        for reason in by_weight(groups(alignment, number, 0))
        for lane, cause in zip(reason.lanes, reason.causes, strict=True)
    )


@given(
    text=TEXTS.map(lambda text: text * 2),
    lanes=st.lists(st.sampled_from([*ENCODINGS, *RUNS]), min_size=2, max_size=4),
)
def test_a_list_of_all_differences_says_of_each_what_is_said_of_it_alone(
    text: str, lanes: list[Encoding]
) -> None:
    alignment = over(text, *lanes)
    names = [f"lane {number}" for number in range(len(lanes))]
    explained = ExplainedDifferences(alignment, names)
    for number in range(alignment.differences):
        assert explained.causes(number) == _explained_alone(alignment, names, number)


def test_merges_of_the_same_words_are_done_again_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lane splits before spaces, and another joins some with the word behind them."""
    split = merging([("a", "b")], pre_tokenizer=pre_tokenizers.Split(" ", "isolated"))
    joined = merging([("a", "b"), (" ", "ab"), ("c", " ")])
    calls: list[int] = []
    redone = find_causes.remaining_causes

    def counted(pair: SegmentPair, lanes: Collection[int]) -> list[Cause] | None:
        calls.append(pair.start)
        return redone(pair, lanes)

    monkeypatch.setattr(find_causes, "remaining_causes", counted)
    words = Random(1).choices(("ab", "aba", "abba", "abc"), k=90)
    alignment = over("".join(f" {word} c c" for word in words), split, joined)
    explained = ExplainedDifferences(alignment, ["split", "joined"])
    titles = {it.title for n in range(alignment.differences) for it in explained.causes(n)}
    assert titles == {"split", "missing merge"}
    assert 0 < len(calls) < 20 < alignment.differences


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (
            "A AA",
            merging([], "aA "),
            library(
                models.WordLevel({"a": 0, " ": 1}, unk_token="a"),
                normalizer=normalizers.Lowercase(),
                pre_tokenizer=pre_tokenizers.Split("a", "isolated"),
            ),
        ),
        (
            "ba bba",
            merging([("b", "a")]),
            merging(
                [("b", "a"), ("b", "ba")],
                pre_tokenizer=pre_tokenizers.Split(Regex("a+|b+"), "isolated"),
            ),
        ),
    ],
    ids=["normalization of neighbours", "merges with neighbours"],
)
def test_equal_differences_have_other_causes_where_what_is_around_matters(
    text: str, one: Encoding, other: Encoding
) -> None:
    alignment = over(text, one, other)
    kinds = kinds_of(alignment).of_difference.tolist()
    assert kinds[0] == kinds[1]
    explained = ExplainedDifferences(alignment, ["one", "other"])
    first, second = map(explained.causes, range(2))
    assert first != second
    assert [first, second] == [_explained_alone(alignment, ["one", "other"], n) for n in (0, 1)]

"""Differences are counted for a cause that can be why they cost what they cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.differences import cause_sums
from bpe_gui.encodings.differences.alignment import align
from bpe_gui.encodings.differences.cause_sums import CauseSum, explained_kinds, sum_causes
from bpe_gui.encodings.differences.causes import MissingMerge, SplitBoundary
from bpe_gui.encodings.differences.find_causes import causes, counted_cause
from bpe_gui.encodings.differences.kinds import list_kinds
from tests.bpe.test_trainer import corpora, texts
from tests.encodings.differences.explained import over, run, why
from tests.encodings.differences.test_alignment import some_lanes
from tests.encodings.differences.test_removed_causes import merging

GPT2 = preset("gpt2").with_changes(vocabulary_size=None)
THREES = run(preset("gpt4").with_changes(vocabulary_size=None, merges=2), [("123", 5)])
"""It splits 1234 into 123 and 4, and has 12 and 123."""
PAIR = run(GPT2.with_changes(merges=1), [("34", 5)])
"""It does not split 1234, and has 34."""
WHOLE = run(GPT2.with_changes(merges=3), [("1234", 5)])
"""It does not split 1234, and has it as one token."""


def test_a_split_is_not_why_the_tokenizer_that_splits_needs_fewer_tokens() -> None:
    """123|4 and 1|2|34: the split is the most important cause, but costs the first one a token."""
    for lanes, more in (((THREES, PAIR), 1), ((PAIR, THREES), -1)):
        ((weightiest, *_),) = why("1234", *lanes)
        assert isinstance(weightiest, SplitBoundary)
        [kind] = explained_kinds(over("1234", *lanes))
        assert isinstance(kind.cause, MissingMerge)
        assert lanes[kind.cause.lane] is THREES
        assert kind.cause.missing[-1].content == b"123"
        [found] = sum_causes([kind], ["one", "other"])
        assert (found.title, found.places, cost(found)) == ("missing merge", 1, more)


def test_a_split_is_why_the_tokenizer_that_splits_needs_more_tokens() -> None:
    """123|4 and 1234."""
    for lanes, more in (((THREES, WHOLE), -1), ((WHOLE, THREES), 1)):
        [found] = sum_causes(explained_kinds(over("1234", *lanes)), ["one", "other"])
        assert (found.title, cost(found)) == ("split", more)


@pytest.mark.parametrize(("added", "saved"), [(1, 1), (2, 1), (1, 2)])
def test_tokens_that_a_cause_adds_and_saves_are_not_netted(added: int, saved: int) -> None:
    """One of the two has ab, the other cd: each lacks a merge of the other."""
    lanes = merging([("a", "b")], "abcd "), merging([("c", "d")], "abcd ")
    text = "ab " * added + "cd " * saved
    [found] = sum_causes(explained_kinds(over(text, *lanes)), ["one", "other"])
    assert (found.title, found.places) == ("missing merge", added + saved)
    assert (found.more_tokens, found.fewer_tokens) == (added, saved)
    assert [example for example, _ in found.examples] == [b"ab", b"cd"]
    assert ["one" in said.split()[0] for _, said in found.examples] == [True, False]


def test_differences_that_cost_no_tokens_are_told_apart() -> None:
    """After a, ab and bc are one token; between the others only the border differs."""
    lanes = merging([("a", "b")], "abc "), merging([("b", "c")], "abc ")
    [found] = sum_causes(explained_kinds(over("abc abc ab", *lanes)), ["one", "other"])
    assert (found.places, found.uneven, cost(found)) == (3, 1, 1)


def test_kinds_behind_the_costliest_are_summed_without_a_cause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes = merging([("a", "b")], "abcd "), merging([("c", "d")], "abcd ")
    monkeypatch.setattr(cause_sums, "_MOST_EXPLAINED", 1)
    kinds = explained_kinds(over("ab ab cd ab", *lanes))
    explained, rest = sum_causes(kinds, ["one", "other"])
    assert (explained.title, explained.places, cost(explained)) == ("missing merge", 3, 3)
    assert (rest.title, rest.places, cost(rest)) == ("not explained", 1, -1)
    [(_, said)] = rest.examples
    assert said == "Only the causes of the 1 kind of differences with most tokens are found."


def cost(found: CauseSum) -> int:
    return found.more_tokens - found.fewer_tokens


def test_the_list_of_differences_has_the_cause_that_counts_first() -> None:
    alignment = over("1234", THREES, PAIR)
    found = list_kinds("1234", alignment.cuts, lambda: None)
    first, *every = found.causes(0)
    assert isinstance(first, MissingMerge)
    assert isinstance(every[0], SplitBoundary)
    assert first in every


def test_the_most_important_cause_counts_where_all_or_none_point_the_other_way() -> None:
    (found,) = why("1234", THREES, PAIR)
    assert counted_cause(found, 0) is found[0]
    assert counted_cause(found[:1], 1) is found[0]


@given(corpus=corpora, text=texts, data=st.data())
def test_some_cause_of_each_difference_does_not_point_the_other_way(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    lanes = some_lanes(data, corpus, text, most=2)
    found = align(text, [lanes[0], lanes[-1]])
    for number in range(found.differences):
        place = int(found.starts[number]), int(found.ends[number])
        first, other = (len(cut.within(*place)) for cut in found.cuts)
        effects = [it.effect * (1 if it.lane else -1) for it in causes(found, number, 0, 1)]
        assert any(effect * (other - first) >= 0 for effect in effects)

"""Causes that are found once for equal words around are those of each place by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, normalizers, pre_tokenizers

from bpe_gui.encodings.differences.causes import sentence
from bpe_gui.encodings.differences.contexts import contexts_of
from bpe_gui.encodings.differences.explained import ExplainedDifferences
from bpe_gui.encodings.differences.find_causes import by_weight, groups
from bpe_gui.encodings.differences.surroundings import UNLIKE, Surroundings
from tests.encodings.differences.explained import over
from tests.encodings.differences.test_removed_causes import Merges, merge_lists, merging

AT_SPACES = pre_tokenizers.Split(Regex(" ?[abc]+|."), "isolated")
STEPS: list[dict[str, Any]] = [
    {},
    {"pre_tokenizer": AT_SPACES},
    {"pre_tokenizer": pre_tokenizers.Split("b", "isolated")},
    {"normalizer": normalizers.Lowercase()},
]


@given(
    merges=st.lists(merge_lists(), min_size=2, max_size=2),
    steps=st.lists(st.sampled_from(STEPS), min_size=2, max_size=2),
    words=st.lists(st.text("abcA", min_size=1, max_size=4), min_size=1, max_size=3),
    data=st.data(),
)
def test_what_is_found_once_is_what_each_place_has(
    merges: list[Merges], steps: list[dict[str, Any]], words: list[str], data: st.DataObject
) -> None:
    """The text repeats a few words, so that there are equal contexts."""
    text = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=12)))
    both = (merging(those, "abcA ", **step) for those, step in zip(merges, steps, strict=True))
    alignment = over(text, *both)
    once = ExplainedDifferences(alignment, ["one", "two"])
    for difference in range(alignment.differences):
        reasons = by_weight(groups(alignment, difference, 0))
        said = [sentence(reason.causes[0], ["one", "two"]) for reason in reasons]
        assert [cause.sentence for cause in once.causes(difference)] == said


def test_equal_words_are_one_context() -> None:
    merges: Merges = [("a", "b"), ("ab", "c")]
    alignment = over(
        "abc abc ab abc", merging(merges, pre_tokenizer=AT_SPACES), merging([("b", "c")])
    )
    found = contexts_of(alignment, alignment.starts, alignment.ends, Surroundings(alignment))
    assert alignment.data[alignment.starts[1] : alignment.ends[1]] == b"abc"
    assert found[1] == found[3] >= 0
    assert len({*found.tolist()}) == 3


def test_a_context_is_not_known_where_a_lane_reads_something_else() -> None:
    alignment = over(
        "Ab ab", merging([("a", "b")], "abA ", normalizer=normalizers.Lowercase()),
        merging([], "abA "),
    )  # fmt: skip
    found = contexts_of(
        alignment, np.array([0, 3]), np.array([2, 5]), Surroundings(alignment)
    )
    assert found[0] == UNLIKE
    assert found[1] >= 0

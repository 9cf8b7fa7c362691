"""Causes that are found once for equal surroundings are those of each place by itself."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Regex, models, normalizers, pre_tokenizers

from bpe_gui.encodings.differences.causes import sentence
from bpe_gui.encodings.differences.explained import ExplainedDifferences
from bpe_gui.encodings.differences.find_causes import by_weight, groups
from bpe_gui.encodings.differences.surroundings import UNLIKE, Surroundings
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from tests.encodings.differences.explained import over
from tests.encodings.differences.test_removed_causes import library, merging

LETTERS = "abcABC .,-é的ﬁ\n"
MERGES = [("a", "b"), ("ab", "c"), (" ", "a"), ("A", "b")]
PIECES = [*"abcé的", "ab", "##a", "##b", "##c", "##bc", "abc", ".", ",", "-", "fi"]

NORMALIZERS: dict[str, Any] = {
    "none": None,
    "lower case": normalizers.Lowercase(),
    "BERT": normalizers.BertNormalizer(lowercase=True),
    "NFKC": normalizers.NFKC(),
    "strip": normalizers.Strip(),
    "squeeze": normalizers.Replace(Regex(" {2,}"), " "),
    "prepend": normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Lowercase()]),
    "across words": normalizers.Replace("b a", "c"),
    "between": normalizers.Replace(Regex("(?<=c)(?=a)"), " "),
    "next to a point": normalizers.Replace(Regex("a(?=[.])"), "b"),
    "single character": normalizers.Replace("-", "A"),
}
SPLITS: dict[str, Any] = {
    "words": pre_tokenizers.Split(Regex(" ?[abcABCé]+|."), "isolated"),
    "BERT": pre_tokenizers.BertPreTokenizer(),
    "white space": pre_tokenizers.WhitespaceSplit(),
}


@cache
def encoding(model: str, normalizer: str, split: str) -> HuggingFaceEncoding:
    steps = {} if NORMALIZERS[normalizer] is None else {"normalizer": NORMALIZERS[normalizer]}
    steps["pre_tokenizer"] = SPLITS[split]
    if model == "merges":
        return merging(MERGES, LETTERS, **steps)
    if model == "other merges":
        return merging(MERGES[::-1], LETTERS, **steps)
    pieces = {piece: number for number, piece in enumerate(["[UNK]", *PIECES])}
    return library(models.WordPiece(pieces, unk_token="[UNK]"), **steps)


lanes = st.tuples(
    st.sampled_from(["merges", "other merges", "pieces"]),
    st.sampled_from([*NORMALIZERS]),
    st.sampled_from([*SPLITS]),
)
FILL = "bb. c, cc bb " * 9
"""It is longer than what normalization may depend on."""


texts = st.lists(st.text("abCAé的ﬁ-", min_size=1, max_size=3), min_size=1, max_size=3).flatmap(
    lambda words: st.lists(st.sampled_from([*words, " ", "  ", "\n", ".", ","]), max_size=24)
)
LOWER = "merges", "lower case", "words"
PLAIN = "merges", "none", "words"


@given(one=lanes, other=lanes, parts=texts)
@example(one=PLAIN, other=LOWER, parts=["Ca CA Ca"])
@example(one=PLAIN, other=("pieces", "lower case", "BERT"), parts=["Ca CA Ca"])
@example(one=PLAIN, other=("pieces", "lower case", "BERT"), parts=["C. C, C- C."])
@example(one=PLAIN, other=("pieces", "between", "BERT"), parts=["c a b a c a b"])
def test_what_is_found_once_is_what_each_place_has(
    one: tuple[str, str, str], other: tuple[str, str, str], parts: list[str]
) -> None:
    """The text repeats a few words, so that there are equal surroundings."""
    text = f"{FILL}{''.join(parts)} {FILL}"
    alignment = over(text, encoding(*one), encoding(*other))
    once = ExplainedDifferences(alignment, ["one", "two"])
    for difference in range(alignment.differences):
        reasons = by_weight(groups(alignment, difference, 0))
        said = [sentence(reason.causes[0], ["one", "two"]) for reason in reasons]
        assert [cause.sentence for cause in once.causes(difference)] == said


class CancelledError(Exception):
    pass


def test_preparing_asks_between_a_few_normalizations_whether_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each word is another, and one lane changes and removes some of it."""
    words = [f"{a}{b.upper()}{c} é{a}{b}  " for a in "abc" for b in "abc" for c in "abcé的"]
    pieces = encoding("pieces", "BERT", "BERT")
    alignment = over("".join(words), encoding(*PLAIN), pieces)
    normalize, since, most = HuggingFaceEncoding.normalized, 0, 0

    def counting(lane: HuggingFaceEncoding, text: str) -> str:
        nonlocal since, most
        since += 1
        most = max(most, since)
        return normalize(lane, text)

    def check() -> None:
        nonlocal since, checks
        since, checks = 0, checks + 1
        if checks == limit:
            raise CancelledError

    monkeypatch.setattr(HuggingFaceEncoding, "normalized", counting)
    checks, limit = 0, -1
    ExplainedDifferences(alignment, ["one", "two"], check)
    assert checks > len(words)
    assert most < 50
    checks, limit = 0, checks // 2
    with pytest.raises(CancelledError):
        ExplainedDifferences(alignment, ["one", "two"], check)


def numbers_of(text: str, places: list[tuple[int, int]], *normalized: str) -> list[int]:
    both = (encoding("merges", one, "words") for one in normalized)
    alignment = over(FILL + text + FILL, *both)
    ends = np.array(places) + len(FILL)
    return Surroundings(alignment).numbers(ends[:, 0], ends[:, 1]).tolist()


def test_words_with_the_same_changes_are_alike_whatever_is_before_them() -> None:
    one, other, changed = numbers_of(
        "ab Abc b Abc. ABc ", [(2, 6), (8, 12), (13, 17)], "none", "lower case"
    )
    assert one >= 0
    assert changed >= 0
    assert changed != one
    assert numbers_of("ab Abc b Abc ", [(2, 6), (8, 12)], "none", "lower case") == [one, one]
    assert other != one  # what is behind a change is said of some


def test_words_that_no_lane_changes_are_alike_whatever_is_around_them() -> None:
    one, other = numbers_of("ab abc. Abc-abc,", [(2, 6), (11, 15)], "none", "lower case")
    assert one == other >= 0


@pytest.mark.parametrize("normalizer", ["across words", "single character"])
def test_what_is_normalized_across_units_is_not_known(normalizer: str) -> None:
    text = {"across words": "cb ac ", "single character": "ab-ab "}[normalizer]
    assert numbers_of(text, [(0, 5)], "none", normalizer) == [UNLIKE]


def test_what_is_at_the_end_of_a_text_is_not_known() -> None:
    alignment = over("Ab ab", *(encoding("merges", it, "words") for it in ("none", "lower case")))
    assert Surroundings(alignment).numbers(np.array([0]), np.array([2])).tolist() == [UNLIKE]

"""Added tokens as causes: they are named, and without those no difference is left."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken as LibraryToken
from tokenizers import Regex, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.encodings.differences.causes import (
    AddedToken,
    Cause,
    Normalization,
    SpecialToken,
    SplitBoundary,
    sentence,
)
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from tests.encodings.differences.explained import all_causes
from tests.encodings.differences.test_removed_causes import Merges, merge_lists


def adding(
    tokens: list[LibraryToken], merges: Merges, letters: str = "abc <>", **steps: Any
) -> HuggingFaceEncoding:
    """A tokenizer that knows some letters and merges, and finds these tokens before."""
    texts = dict.fromkeys([*letters, *(left + right for left, right in merges)])
    made = LibraryTokenizer(models.BPE({text: at for at, text in enumerate(texts)}, merges))
    for step, value in steps.items():
        setattr(made, step, value)
    made.add_tokens(tokens)
    return HuggingFaceEncoding(made, "one")


LOW: Merges = [("a", "b"), ("ab", "c"), (" ", "abc"), ("<", "a")]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        (" abc", LibraryToken("ab")),
        ("a <a> b", LibraryToken("<a>")),
        ("b  <a>", LibraryToken("<a>", lstrip=True)),
        ("c  b", LibraryToken("  ")),
        ("a <a> b", LibraryToken("<a>", normalized=False)),
        ("a bc b", LibraryToken("bc", single_word=True)),
        (" a b", LibraryToken(" a", rstrip=True)),
    ],
)
def test_an_added_token_is_the_only_cause(text: str, token: LibraryToken) -> None:
    one, plain = adding([token], LOW), adding([], LOW)
    found = all_causes(text, one, plain)
    assert {type(cause) for cause in found} == {AddedToken}
    assert {sentence(cause, ["one", "two"]) for cause in found} == {
        f"one has the added token “{token.content.replace(' ', '␣')}” and finds it before any "
        "merge; two does not."
    }
    assert all_causes(text, adding([token], LOW), one) == []


@pytest.mark.parametrize(
    ("text", "token"),
    [("cABc", LibraryToken("ab")), (" A b", LibraryToken(" A", rstrip=True))],
)
def test_an_added_token_is_found_in_normalized_text(text: str, token: LibraryToken) -> None:
    normalizer = normalizers.Lowercase()
    found = all_causes(
        text,
        adding([token], LOW, normalizer=normalizer),
        adding([], LOW, normalizer=normalizer),
    )
    assert [type(cause) for cause in found] == [AddedToken]


def test_a_token_that_is_merged_is_no_added_one_within_a_word() -> None:
    """The added token is a word by itself; here it is merged, and the other has no such merge."""
    one = adding([LibraryToken("ab", single_word=True)], [("a", "b")])
    assert AddedToken not in map(type, all_causes("cab", one, adding([], [])))


def test_a_token_that_is_special_in_one_only_is_told() -> None:
    special = adding([LibraryToken("<a>", special=True)], LOW)
    (cause,) = all_causes("b<a>", special, adding([LibraryToken("<a>")], LOW))
    assert sentence(cause, ["one", "two"]) == (
        "“<a>” is a special token in one; in two it is an added token that is not special."
    )


def test_the_split_of_what_is_a_special_token_in_one_only_is_no_cause() -> None:
    """It is there with and without the space that the token takes."""
    split: dict[str, Any] = {"pre_tokenizer": pre_tokenizers.Split(" ", "isolated")}
    token = LibraryToken("<a>", special=True, rstrip=True)
    found = all_causes("b<a> c", adding([token], LOW, **split), adding([], LOW, **split))
    assert [type(cause) for cause in found] == [SpecialToken]


def test_a_split_beside_an_added_token_is_a_cause_too() -> None:
    split = pre_tokenizers.Split("b", "isolated")
    one = adding([LibraryToken("<a>")], LOW, pre_tokenizer=split)
    found = all_causes("<a>abc", one, adding([], LOW))
    assert {type(cause) for cause in found} == {AddedToken, SplitBoundary}


@st.composite
def added_tokens(draw: st.DrawFn) -> list[LibraryToken]:
    texts = draw(st.lists(st.text("abcA <", min_size=1, max_size=3), unique=True, max_size=4))
    options = st.fixed_dictionaries(
        {option: st.booleans() for option in ("special", "lstrip", "rstrip", "normalized")}
    )
    return [LibraryToken(text, **draw(options)) for text in texts]


@given(
    tokens=added_tokens(),
    merges=merge_lists(),
    text=st.text("abcA <", max_size=20),
    steps=st.sampled_from([
        {},
        {"normalizer": normalizers.Lowercase()},
        {"pre_tokenizer": pre_tokenizers.Split(Regex("b"), "isolated")},
    ]),
)
def test_without_the_tokens_that_are_named_no_difference_is_left(
    tokens: list[LibraryToken], merges: Merges, text: str, steps: dict[str, Any]
) -> None:
    plain = adding([], merges, "abcA <", **steps)
    kinds: set[type[Cause]] = {AddedToken, SpecialToken}
    if "normalizer" in steps and not all(token.normalized for token in tokens):
        kinds.add(Normalization)  # the other changes what such a token leaves as it is
    while found := all_causes(text, adding(tokens, merges, "abcA <", **steps), plain):
        named = _named(found)
        assert named
        assert {type(cause) for cause in found} <= kinds
        left = [token for token in tokens if token.content.lower().strip() not in named]
        assert len(left) < len(tokens)
        tokens = left


def _named(found: list[Cause]) -> set[str]:
    """The tokens that causes name, as they are normalized."""
    texts = [cause.text for cause in found if isinstance(cause, AddedToken | SpecialToken)]
    return {text.decode().lower().strip() for text in texts}

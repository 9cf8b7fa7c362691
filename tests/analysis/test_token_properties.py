"""Properties of tokens, found for all at once, are those that each has by itself."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.token_properties import (
    SCRIPTS,
    has_digit,
    has_script,
    is_broken,
    token_properties,
)

AWKWARD = " \t\na1٣é\u0301\u3000\xa0\u200b\u200dжαअ漢かカ한ㄅ😀Ⴀⰰ!"
texts = st.text(st.sampled_from(AWKWARD), max_size=6)
contents = st.lists(
    texts.map(str.encode)
    | st.binary(max_size=5)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4).map(str.encode),
    max_size=12,
)


@given(contents)
def test_they_are_those_of_each_token(tokens: list[bytes]) -> None:
    found = token_properties(tokens)
    assert found.lengths.tolist() == list(map(len, tokens))
    assert found.broken.tolist() == list(map(is_broken, tokens))
    assert (found.digits > 0).tolist() == list(map(has_digit, tokens))
    for name in SCRIPTS:
        assert found.has_script(name).tolist() == list(map(has_script(name), tokens))
    for row, token in enumerate(tokens):
        text = token.decode("utf-8", "ignore")
        assert found.characters[row] == len(text)
        categories = [unicodedata.category(c) for c in text]
        if "Cn" not in categories:  # the library of regular expressions may know newer letters
            assert found.letters[row] == sum(category[0] in "LM" for category in categories)
        assert found.spaces[row] == sum(c.isspace() and not "\x1c" <= c <= "\x1f" for c in text)
        assert found.starts_with_space[row] == token.startswith(b" ")
        inner = any(b in " \t\u3000" and not a.isspace() for a, b in pairwise(text))
        if not any("\x1c" <= c <= "\x1f" for c in text):
            assert found.inner_space[row] == inner


@pytest.mark.parametrize(
    ("token", "mixed"),
    [
        ("раypal", True), ("漢字かな", False), ("漢한", False), ("かa", True), ("aé1 !", False),
        ("αa", True), ("한かな", True), ("ㄅ漢", False), ("e\u0301", False),
    ],
)  # fmt: skip
def test_scripts_that_no_language_mixes_are_noticed(token: str, mixed: bool) -> None:
    assert token_properties([token.encode()]).mixed.tolist() == [mixed]


@pytest.mark.parametrize(
    ("token", "odd"),
    [
        (" a\n", 0), ("\xa0", 1), ("\u3000\u3000", 0), ("👩\u200d👧", 0), ("\ufeff\u200b", 2),
        ("\x07", 1),
    ],
)  # fmt: skip
def test_white_space_that_is_rarely_typed_is_noticed(token: str, odd: int) -> None:
    assert token_properties([token.encode()]).odd_spaces.tolist() == [odd]


@pytest.mark.parametrize(
    ("token", "inner"), [("漢\u3000", True), ("\u3000漢", False), ("\u3000\u3000", False)]
)
def test_the_wide_space_is_a_space_like_others(token: str, inner: bool) -> None:
    """Chinese and Japanese keyboards write it, and texts begin with it."""
    assert token_properties([token.encode()]).inner_space.tolist() == [inner]

"""Patterns in the dialects of the formats, with the libraries that read them as the judges."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest
import regex
import tiktoken
from hypothesis import HealthCheck, assume, event, example, given, reject, settings
from hypothesis import strategies as st
from tokenizers import Regex, normalizers, pre_tokenizers

from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats.regex_dialects import (
    may_skip,
    split_to_oniguruma,
    to_oniguruma,
    translate,
)
from tests.encodings.formats.test_custom_recipes import EVERY_CHARACTER

CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co"
PROPERTIES = """
    L M N P S Z White_Space Alphabetic Common Inherited Latin Greek Cyrillic Arabic Hebrew Thai
    Devanagari Hangul Han Hiragana Katakana
"""


@cache
def unchanged_characters() -> str:
    """All but those that are new in Unicode or have been given another category since."""
    of_kind = {kind: regex.compile(rf"\p{{{kind}}}") for kind in CATEGORIES.split()}
    known = ((unicodedata.category(character), character) for character in EVERY_CHARACTER)
    return "".join(c for kind, c in known if kind in of_kind and of_kind[kind].match(c))


def by_oniguruma(pattern: str, text: str) -> list[str]:
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return [word for word, _ in split.pre_tokenize_str(text)]


def left_by_oniguruma(pattern: str, text: str) -> str:
    """What no match takes; in a long text of different characters this is found far sooner."""
    return normalizers.Replace(Regex(pattern), "").normalize_str(text)


def by_regex(pattern: str, text: str) -> list[str]:
    return [match.group() for match in regex.finditer(pattern, text)]


def is_by_fancy_regex(pattern: str, text: str, words: list[str]) -> bool:
    """Whether tiktoken splits a text into these words: each is a token, and no part of one."""
    tokens = dict.fromkeys([*(bytes([n]) for n in range(256)), *(w.encode() for w in words)])
    ranks = {token: rank for rank, token in enumerate(tokens)}
    library = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return library.decode_tokens_bytes(library.encode_ordinary(text)) == [w.encode() for w in words]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w", r"\W", r"\p{L}|\p{N}", r"[^\s\p{M}\p{P}]", r"\P{Lo}",
        r"[\w.]", r"[^\w]", r"\s", r"\S", r"\d", r"\D", ".", r"[^\s\d]", r"\p{Lu}",
        r"\P{L}", r"[a-z\-\]]", "[-a]", "[a-]", "[+-.]", r"\x41|\xe9|\u00e8|\U0001f600", r"\.",
        r"\n", r"\ ", r"\U00000041", r"\é", r"[\x2e-\xe9]",
        r"[\x80-\uffff]", r"(?!a)[a-c]", r"(?<!é)[a-cé]", r"\A.", r".\Z", "^a", "é$", "(?>a|b)++",
    ],
)  # fmt: skip
def test_a_pattern_means_the_same_to_both_libraries(pattern: str) -> None:
    found = to_oniguruma(pattern)
    for text in ("abcéabcé", "abcé\n", "\n\n", "é\né"):
        assert by_oniguruma(found, text) == by_regex(pattern, text)
    every = unchanged_characters()
    assert left_by_oniguruma(found, every) == regex.sub(pattern, "", every)


@pytest.mark.parametrize("name", [*CATEGORIES.split(), *PROPERTIES.split()])
def test_every_property_means_the_same_to_all_libraries(name: str) -> None:
    pattern = rf"\p{{{name}}}+"
    every = unchanged_characters()
    words = by_regex(pattern, every)
    assert left_by_oniguruma(to_oniguruma(pattern), every) == regex.sub(pattern, "", every)
    text = "|".join(words)
    translated = translate(pattern, "minbpe", "tiktoken")
    assert is_by_fancy_regex(translated, text, by_regex(pattern, text))


# -- Whatever is accepted -----------------------------------------------------------------------

_SHARED = st.sampled_from(
    [
        *("a", "b", " ", "1", "é", ".", "[ab]", "[^a]", "[-.]", r"\n", r"\s", r"\S", r"\d"),
        *(r"\p{L}", r"\w", r"\W", r"[\w-]", r"[^\s1]", r"\xe9", r"\u4e2d", r"[\x00-\x7f]"),
    ]
)
_DIFFERING = st.sampled_from(
    [
        *("[[ab]", "[a&&b]", "[[:alpha:]]", r"[^\W\d]", r"\h", r"[\h]", "[a||b]", "]", "}"),
        *(r"\pL", r"\p{^L}", r"\R", r"\X", r"\b", r"\K", "a**", "a{2}?", "a{1,2}+", "a{,2}", "^*"),
    ]
)
_CHARACTERS = st.integers(0, 19).flatmap(lambda n: _SHARED if n else _DIFFERING)
_REPEATS = st.sampled_from(
    [""] * 9 + ["*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{2,}"]
    + ["{1,2}?", "{0,1}"]
)  # fmt: skip
_OPENINGS = st.sampled_from(
    ["(?:"] * 8 + ["(", "(?>", "(?=", "(?!", "(?<=", "(?<!"] * 2 + ["(?i:", "(?s:", "(?m:"]
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("{}|{}".format, inner, inner | st.just("")),
        st.builds("{}{}){}".format, _OPENINGS, inner, st.just("") | _REPEATS),
    )


_parts = st.recursive(
    st.builds("{}{}".format, _CHARACTERS, _REPEATS) | st.sampled_from(["^", "$", r"\A", r"\Z"]),
    _grown,
    max_leaves=8,
)
_longer = st.builds("(?:{}){}".format, _parts, _CHARACTERS)
patterns = _parts | _longer
texts = st.text(
    st.sampled_from("aaabb 1é.\n\r[]-&|:\u200d中Ⅷßſ")
    | st.deferred(lambda: st.sampled_from(unchanged_characters())),
    max_size=12,
)
some_texts = st.lists(texts, min_size=1, max_size=8)
often_refused = settings(suppress_health_check=[HealthCheck.filter_too_much])
"""Of patterns that are mostly refused; if all are, Hypothesis complains."""


@often_refused
@given(patterns, some_texts, st.sampled_from(["ours", "tiktoken", "minbpe"]))
@example(r"(?:[^a]?+||.??){2}(?:||)+[^a]", ["a.é.ébéé bb\n"], "ours")
@example(r"(?<!(?:\d){0,}a?+[ab]+)[^a]", ["a a1\n\nb é1é"], "ours")
@example(r"\w+$|\W", ["ab\n", "ab\n\n"], "tiktoken")
@example(r"a(b)", ["ab"], "minbpe")
def test_what_is_accepted_means_the_same(pattern: str, tried: list[str], source: str) -> None:
    try:
        if source == "ours":
            found = to_oniguruma(pattern)
        else:
            found = translate(pattern, source, "tokenizer.json")
    except ExportError as error:
        event(str(error)[-30:])
        reject()  # that all are refused would prove nothing
    for text in tried:
        words = by_regex(pattern, text)
        assert by_oniguruma(found, text) == words
        assert source != "tiktoken" or is_by_fancy_regex(pattern, text, words)
        assert source != "minbpe" or regex.findall(pattern, text) == words


@often_refused
@given(patterns, some_texts, st.sampled_from(["tiktoken", "minbpe"]))
def test_what_is_accepted_from_a_tokenizer_json_means_the_same(
    pattern: str, tried: list[str], target: str
) -> None:
    try:
        found = translate(pattern, "tokenizer.json", target)
    except ExportError as error:
        event(str(error)[-30:])
        reject()  # that all are refused would prove nothing
    for text in tried:
        words = by_oniguruma(pattern, text)
        # A pattern with several groups: what it matches counts, not what they hold.
        assert [match.group() for match in regex.finditer(found, text)] == words
        assert target != "tiktoken" or is_by_fancy_regex(found, text, words)


@settings(often_refused, max_examples=settings.default.max_examples // 3)
@given(_longer, st.sampled_from([r"[^b]", r".|\n", r"\s|\S"]), some_texts)
@example("(?:bb)?+b", "[^b]", ["bb"])
@example("a(?=b)", "[^a]", ["aa"])
def test_nothing_is_skipped_where_that_is_said(begin: str, end: str, tried: list[str]) -> None:
    pattern = f"{begin}|{end}"
    assume(not may_skip(pattern))
    for text in tried:
        assert "".join(by_oniguruma(pattern, text)) == text


@pytest.mark.parametrize("pattern", [r"\w+|\W", r"a(?=b)|(?:\p{L}|\P{L})++|.|\n"])
def test_patterns_that_skip_nothing(pattern: str) -> None:
    assert not may_skip(to_oniguruma(pattern))
    assert split_to_oniguruma(pattern, by_bytes=True) == to_oniguruma(pattern) + r"|[\s\S]"


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"\p{L}+|[^\p{L}—]", r"é(?=b)|[^é]", "(?:中中)?+中|[^中]"]
)
def test_what_may_skip_characters_of_several_bytes_is_refused(pattern: str) -> None:
    assert split_to_oniguruma(pattern, by_bytes=False)
    with pytest.raises(ExportError, match="may skip characters of several bytes"):
        split_to_oniguruma(pattern, by_bytes=True)


@pytest.mark.parametrize("pattern", [r"\w+|\d{1,3}", r"[^\s\p{L}\p{Nd}]|\xe9", r"(?:[\w.]|b)++"])
def test_what_is_spelled_is_read_again_as_it_is(pattern: str) -> None:
    """So that a file of ours can be read back, and its split be carried on."""
    found = to_oniguruma(pattern)
    assert found != pattern
    assert to_oniguruma(found) == found == translate(found, "tokenizer.json", "minbpe")
    text = "a1é२ \u0301中b\u200dⅧ."
    assert by_regex(found, text) == by_regex(pattern, text)

"""Normalization against Hugging Face's library and Python's unicodedata."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, normalizers
from tokenizers.normalizers import BertNormalizer

from bpe_gui.bpe import normalize as module
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.normalize import STEPS, Form, normalize, normalize_aligned
from bpe_gui.bpe.recipe import NORMALIZERS, PRESETS, Normalizer, Prepend, Replace
from tests.bpe.custom_recipes import steps as custom_steps

NEWER_THAN_LIBRARY = {
    *(0x32FF, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69, 0x11938, *range(0x10781, 0x107BB)),
    *(0x1F16C, *range(0x1FBF0, 0x1FBFA)),
}
"""Characters with decompositions that came to Unicode after the library's tables."""
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
SURROGATES = range(0xD800, 0xE000)


LIBRARY = BertNormalizer(
    clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False
)


def _all_characters() -> Iterator[str]:
    """Every code point that a Rust string can hold, 2048 at a time."""
    for start in range(0, 0x110000, 0x800):
        if start not in SURROGATES:
            yield "".join(map(chr, range(start, start + 0x800)))


@cache
def _known_characters() -> list[str]:
    """Those of them that are in both tables."""
    return [
        "".join(
            character
            for character in characters
            if unicodedata.category(character) != "Cn" and ord(character) not in NEWER_THAN_LIBRARY
        )
        for characters in _all_characters()
    ]


# Letters with several marks, Hangul, ideographs, controls, emoji and format characters.
INTERESTING = (
    "aZ é\u1e69\u0323\u0307\u0301\u0345q\u0327각힣中𠀀\uf900\t\n\r\x00\x85\u3000\ufffd\xad\u200d👍"
)
TEXTS = st.text(st.one_of(st.sampled_from(INTERESTING), st.characters(codec="utf-8")))
COMPOSING = st.text(st.sampled_from("aeqs \u0301\u0323\u0307\u0345\u1100\u1161\u11a8ﬁ½éṩİ…\u0344"))
CHARACTER_BY_CHARACTER = (
    *("bert-clean", "bert-chinese", "nfd", "nfkd", "remove-mn", "strip-accents", "lowercase"),
)
"""Steps that make the same of a character whatever stands beside it, but for the order."""
STEP_LISTS = st.lists(st.sampled_from(CHARACTER_BY_CHARACTER), max_size=3).map(tuple)


def test_steps_are_those_that_recipes_may_name() -> None:
    assert tuple(STEPS) == NORMALIZERS
    assert tuple(module._ALIGNED) == NORMALIZERS


def test_bert_steps_equal_the_library_on_every_code_point() -> None:
    names = PRESETS["char-bpe"].normalizers
    assert names == ("bert-clean", "bert-chinese")
    for characters in _all_characters():
        # A letter between the characters shows where a removed one would have been.
        spaced = "x".join(characters)
        expected = LIBRARY.normalize_str(spaced)
        assert normalize(spaced, names) == expected
        assert normalize_aligned(spaced, names).text == expected


@pytest.mark.parametrize(
    ("name", "options"),
    [("bert-clean", {"clean_text": True}), ("bert-chinese", {"handle_chinese_chars": True})],
)
def test_each_bert_step_equals_the_library_on_every_code_point(
    name: str, options: dict[str, bool]
) -> None:
    no_step = {"clean_text": False, "handle_chinese_chars": False}
    library = BertNormalizer(**{**no_step, **options}, strip_accents=False, lowercase=False)
    for characters in _all_characters():
        assert normalize(characters, (name,)) == library.normalize_str(characters)


@given(TEXTS)
def test_bert_steps_equal_the_library_on_any_text(text: str) -> None:
    expected = LIBRARY.normalize_str(text)
    assert normalize(text, ("bert-clean", "bert-chinese")) == expected


def test_nfd_and_remove_mn_equal_unicodedata_on_every_code_point() -> None:
    for characters in _all_characters():
        expected = unicodedata.normalize("NFD", characters)
        assert normalize(characters, ("nfd",)) == expected
        assert normalize_aligned(characters, ("nfd",)).text == expected
        bare = "".join(c for c in characters if unicodedata.category(c) != "Mn")
        assert normalize(characters, ("remove-mn",)) == bare
        assert normalize_aligned(characters, ("remove-mn",)).text == bare


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_forms_equal_unicodedata_on_every_code_point(form: Form) -> None:
    for characters in _all_characters():
        expected = unicodedata.normalize(form, characters)
        assert normalize(characters, (form.lower(),)) == expected
        assert normalize_aligned(characters, (form.lower(),)).text == expected


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("nfc", normalizers.NFC()),
        ("nfd", normalizers.NFD()),
        ("nfkc", normalizers.NFKC()),
        ("nfkd", normalizers.NFKD()),
        ("lowercase", normalizers.Lowercase()),
        ("strip", normalizers.Strip()),
        ("strip-accents", normalizers.Replace(Regex(r"\p{M}"), "")),
    ],
)
def test_named_steps_equal_the_library_on_every_code_point(
    name: str, library: normalizers.Normalizer
) -> None:
    """But for characters that are newer than one of the two tables."""
    for known in _known_characters():
        # Nothing is composed with the end of a line; but only ends of texts are stripped.
        for text in known if name == "strip" else ["\n".join(known)]:
            assert normalize(text, (name,)) == library.normalize_str(text)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(text=COMPOSING | TEXTS | st.text())
def test_forms_equal_unicodedata_on_any_text(form: Form, text: str) -> None:
    expected = unicodedata.normalize(form, text)
    assert normalize(text, (form.lower(),)) == expected
    assert normalize_aligned(text, (form.lower(),)).text == expected


def test_strip_accents_drops_all_marks_on_every_code_point() -> None:
    for characters in _all_characters():
        bare = "".join(c for c in characters if unicodedata.category(c)[0] != "M")
        assert normalize(characters, ("strip-accents",)) == bare
        assert normalize_aligned(characters, ("strip-accents",)).text == bare


@given(TEXTS | st.text(st.sampled_from("aΣσς İIi\u0307ẞß.")))
def test_lowercase_is_that_of_each_character(text: str) -> None:
    expected = "".join(character.lower() for character in text)
    assert normalize(text, ("lowercase",)) == expected
    assert normalize_aligned(text, ("lowercase",)).text == expected


@given(st.text(st.sampled_from(SPACES + "ab\x1c\x1f\u200b")))
def test_strip_equals_the_library(text: str) -> None:
    expected = normalizers.Strip().normalize_str(text)
    assert normalize(text, ("strip",)) == expected
    assert normalize_aligned(text, ("strip",)).text == expected


@given(TEXTS, st.sampled_from(["a", "", "é", r"\s+", r"b*", r"\b", "(?<=a)|z", r"^.|.$"]), TEXTS)
def test_replace_equals_the_regex_module(text: str, pattern: str, by: str) -> None:
    expected = regex.sub(pattern, lambda _: by, text) if text else ""
    assert normalize(text, (Replace(pattern, by),)) == expected
    assert normalize_aligned(text, (Replace(pattern, by),)).text == expected


@given(TEXTS, TEXTS)
def test_prepend_equals_the_library(text: str, before: str) -> None:
    expected = before + text if text else ""
    assert normalize(text, (Prepend(before),)) == expected
    if before:
        assert normalizers.Prepend(before).normalize_str(text) == expected




@given(COMPOSING | TEXTS, st.lists(custom_steps, max_size=4).map(tuple))
def test_aligned_equals_plain_and_covers_what_it_should(
    text: str, steps: tuple[Normalizer, ...]
) -> None:
    aligned = normalize_aligned(text, steps)
    assert aligned.text == normalize(text, steps)
    if aligned.starts is None:
        assert aligned.text == text
        return
    _, ends = aligned.columns()
    assert len(aligned.starts) == len(ends) == len(aligned.text) + 1
    assert aligned.starts[-1] == ends[-1] == len(text)
    assert aligned.starts.tolist() == sorted(aligned.starts.tolist())
    assert ends.tolist() == sorted(ends.tolist())
    for start, end in zip(aligned.starts[:-1].tolist(), ends[:-1].tolist(), strict=True):
        assert 0 <= start <= end <= len(text)


@given(COMPOSING, st.sampled_from(["nfc", "nfkc"]))
def test_composed_characters_cover_the_marks_that_they_took(text: str, name: str) -> None:
    aligned = normalize_aligned(text, (name,))
    if aligned.starts is None:
        return
    assert aligned.ends is not None
    covered = {
        index
        for start, end in zip(aligned.starts[:-1], aligned.ends[:-1], strict=True)
        for index in range(start, end)
    }
    assert covered == set(range(len(text)))
    for character, start, end in zip(
        aligned.text, aligned.starts.tolist(), aligned.ends.tolist(), strict=False
    ):
        parts = unicodedata.normalize("NFKD", text[start:end])
        assert set(unicodedata.normalize("NFKD", character)) <= set(parts)


def test_starts_and_ends_of_each_new_step() -> None:
    def spans(text: str, *steps: Normalizer) -> list[tuple[str, str]]:
        found = normalize_aligned(text, steps)
        assert found.starts is not None
        return [
            (made, text[begin:end])
            for made, begin, end in zip(found.text, *found.columns(), strict=False)
        ]

    assert spans("e\u0301x", "nfc") == [("é", "e\u0301"), ("x", "x")]
    assert spans("a\u0323\u0301", "nfc") == [("ạ", "a\u0323"), ("\u0301", "\u0301")]
    assert spans("ﬁ", "nfkc") == [("f", "ﬁ"), ("i", "ﬁ")]
    assert spans("İ", "lowercase") == [("i", "İ"), ("\u0307", "İ")]
    assert spans(" ab ", "strip") == [("a", "a"), ("b", "b")]
    assert spans("ab", Prepend("_")) == [("_", ""), ("a", "a"), ("b", "b")]
    assert spans("a  b", Replace(" +", "xy")) == [("a", "a"), ("x", "  "), ("y", "  "), ("b", "b")]
    assert spans("ab", Replace("(?=b)", "-")) == [("a", "a"), ("-", ""), ("b", "b")]
    assert spans("e\u0301e\u0301", "nfc", Replace("é+", "E")) == [("E", "e\u0301e\u0301")]
    assert spans("e", Prepend("_"), Replace("_", "\u0301"), "nfc", "nfd") == [
        ("\u0301", ""), ("e", "e"),
    ]  # fmt: skip
    marks = "\u0307\u0323"
    assert spans(f"q{marks}", "nfd")[1:] == [("\u0323", marks), ("\u0307", marks)]
    assert spans("中", "bert-chinese") == [(" ", ""), ("中", "中"), (" ", "")]
    # Within what one character was made into it comes from that character.
    assert spans("é", "nfd", Replace("(?<=e)", "-")) == [("e", "é"), ("-", "é"), ("\u0301", "é")]
    assert spans("é", Prepend("-"), "nfd") == [("-", ""), ("e", "é"), ("\u0301", "é")]


def test_the_place_of_what_is_put_in() -> None:
    def place(text: str, *steps: Normalizer) -> tuple[int, int]:
        found = normalize_aligned(text, steps)
        starts, ends = found.columns()
        index = found.text.index("-")
        return int(starts[index]), int(ends[index])

    assert place("ab", Replace("(?=b)", "-")) == (1, 1)
    assert place("ab", Replace("$", "-")) == (2, 2)
    # What was dropped beside it is not between it and what follows, but at the end.
    assert place("  ab  ", "strip", Prepend("-")) == (2, 2)
    assert place("  ab  ", "strip", Replace("$", "-")) == (4, 4)
    assert place("a\x00b", "bert-clean", Replace("(?=b)", "-")) == (2, 2)


def test_a_pattern_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    step = Replace("(?:a|aa)+b", "x")
    with pytest.raises(PatternError, match=r"takes too long .*aaaa"):
        normalize("a" * 5000, (step,))


def test_a_text_does_not_grow_without_bound() -> None:
    steps = (Replace("a", "x" * (1 << 20)),)
    assert len(normalize("a" * 64, steps)) == 67_108_864, "what is replaced does not count"
    for text in ("a" * 64 + "b", "a" * 10_000):
        with pytest.raises(PatternError, match="would make more than 67,108,864 characters"):
            normalize(text, steps)


def test_many_matches_and_every_kind_of_newline_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.normalize.AT_ONCE", 4)
    assert normalize("a\rb\r\nc\nd" * 9, (Replace("[a-d]", "-"),)) == "-\r-\r\n-\n-" * 9


def test_lines_preset_takes_accents_off() -> None:
    assert normalize("Crème brûlée, Ångström, Việt Nam", PRESETS["lines"].normalizers) == (
        "Creme brulee, Angstrom, Viet Nam"
    )


@given(TEXTS, STEP_LISTS)
def test_aligned_gives_the_same_text_and_well_formed_starts(
    text: str, names: tuple[str, ...]
) -> None:
    aligned = normalize_aligned(text, names)
    assert aligned.text == normalize(text, names)
    if aligned.starts is None:
        assert aligned.text == text
        return
    assert aligned.starts.dtype == np.int64
    assert len(aligned.starts) == len(aligned.text) + 1
    _, ends = aligned.columns()
    assert aligned.starts[-1] == ends[-1] == len(text)
    # Each stretch of the source made what its characters make alone, in whatever order.
    borders = [0, *(int(o) for o, s in zip(aligned.starts[1:], ends[:-1], strict=True) if o >= s)]
    for begin, end in pairwise(sorted({*borders, len(text)})):
        made = [
            character
            for character, came_from, up_to in zip(aligned.text, aligned.starts, ends, strict=False)
            if begin <= came_from and up_to <= end and came_from < up_to
        ]
        alone = [normalize(character, names) for character in text[begin:end]]
        # But for the spaces that are put in.
        left_out = {" "} if "bert-chinese" in names else set()
        assert sorted(set(made) - left_out) == sorted(set("".join(alone)) - left_out)


def test_starts_of_each_step() -> None:
    def starts(text: str, *names: str) -> list[int] | None:
        found = normalize_aligned(text, names).starts
        return None if found is None else found.tolist()

    assert starts("a\x00\tb", "bert-clean") == [0, 2, 3, 4]
    # The spaces are put in, one before the ideograph and one after it.
    assert starts("a中b", "bert-chinese") == [0, 1, 1, 2, 2, 3]
    assert starts("中", "bert-chinese") == [0, 0, 1, 1]
    assert starts("é!", "nfd") == [0, 0, 1, 2]
    # U+0323 (below, class 220) moves before U+0307 (above, class 230): the two share their place.
    assert normalize("q\u0307\u0323", ("nfd",)) == "q\u0323\u0307"
    assert starts("q\u0307\u0323", "nfd") == [0, 1, 1, 3]
    # Also when the mark that moves comes out of a composed letter: ḋ is d + U+0307.
    assert starts("ḋ\u0323", "nfd") == [0, 0, 0, 2]
    assert starts("a\u0301b", "remove-mn") == [0, 2, 3]
    assert starts("\x00é\x00b", "bert-clean", "nfd", "remove-mn") == [1, 3, 4]
    assert starts("각", "nfd") == [0, 0, 0, 1]


@pytest.mark.parametrize("names", [(), *((name,) for name in NORMALIZERS), NORMALIZERS])
def test_nothing_changes_in_plain_text(names: tuple[str, ...]) -> None:
    for text in ("", "plain text.", "γνωση", "\u0b95"):
        assert normalize(text, names) == text
        assert normalize_aligned(text, names).starts is None


def test_lone_surrogates_stay() -> None:
    assert normalize("\ud800é\udfff", NORMALIZERS) == "\ud800e\udfff"
    assert normalize_aligned("\ud800é\udfff", NORMALIZERS).text == "\ud800e\udfff"


def test_unknown_step_is_named() -> None:
    for function in (normalize, normalize_aligned):
        with pytest.raises(ValueError, match=re.escape("'nfx'; the known ones are bert-clean")):
            function("text", ("nfd", "nfx"))


@given(st.lists(TEXTS), st.sampled_from(sorted(set(NORMALIZERS) - {"strip"})))
def test_pieces_that_begin_with_an_ascii_character_join_up(pieces: list[str], name: str) -> None:
    pieces = [" " + piece for piece in pieces]
    joined = "".join([normalize(piece, (name,)) for piece in pieces])
    assert joined == normalize("".join(pieces), (name,))


@given(st.text(st.sampled_from("ab é\u0323\u0307ṩ"), max_size=40))
def test_long_texts_are_decomposed_in_parts(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART", 3)
        assert normalize(text, ("nfd",)) == unicodedata.normalize("NFD", text)

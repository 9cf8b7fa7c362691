"""The scanner against the references: regexes, `str.split`, and the library's splitters."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.kernels.scanning import DROPPED, LETTER, NUMBER, OTHER, SPACE, UNMATCHED, WORD
from bpe_gui.bpe.pre_tokenize import PATTERNS, character_classes, matched_pattern, split_words
from bpe_gui.bpe.recipe import (
    MATCHES,
    SPLITS,
    EndOfWord,
    Recipe,
    RecipeError,
    Symbols,
    sequence_of,
)
from tests.bpe.custom_recipes import OWN_SPLITS

PIECES = st.lists(
    st.sampled_from(
        [
            "a", "B", "é", "ß", "'s", "'S", "'ſ", "'LL", "'ll", "'re", "'VE", "'m", "'", " ", "  ",
            "\n", "\r\n", "\r", "\t", "\u3000", "\xa0", "\x1c", "\x85", "1", "٣", "½", "12345",
            "中", "ǅ", "ʰ", "\u0301", "।", ".", "!?", "/", "//", "😀", "👩‍💻", "\u200d", "\u2028",
            "ไทย", "\x00", "_", "K", "HELLO", "hello", "World", "\u180e", "\ufeff",
        ]
    ),
    max_size=14,
).map("".join)  # fmt: skip
TEXTS = st.one_of(
    PIECES, st.text(max_size=40), st.text(alphabet=" \n\r'sSaA1./\u0301中", max_size=30)
)
LONGER = st.lists(TEXTS, min_size=2, max_size=10).map(" x ".join)
"""Long enough that compiled kernels look at 64 bytes at once."""


def spans(text: str, split: str, compiled: bool = True) -> list[tuple[str, int]]:
    data = text.encode()
    ends, kinds = split_words(np.frombuffer(data, np.uint8), split, compiled=compiled)
    begins = [0, *ends.tolist()][: len(ends)]
    return [
        (data[begin:end].decode(), kind)
        for begin, end, kind in zip(begins, ends.tolist(), kinds.tolist(), strict=True)
    ]


def words(text: str, split: str) -> list[str]:
    return [piece for piece, kind in spans(text, split) if kind == WORD]


@pytest.mark.parametrize("split", PATTERNS)
@given(text=TEXTS | LONGER)
@example("a\n  ")
@example("\n\n x")
@example("  \n")
@example("x'ſ")
@example("'LLama")
@example("A\u0301bC中A's")
def test_equals_the_pattern(split: str, text: str) -> None:
    expected, end = [], 0
    for match in regex.finditer(PATTERNS[split], text):
        expected += [(skipped, UNMATCHED) for skipped in text[end : match.start()]]
        expected.append((match.group(), WORD))
        end = match.end()
    expected += [(skipped, UNMATCHED) for skipped in text[end:]]
    assert spans(text, split) == expected


@given(text=TEXTS | LONGER)
def test_white_space_equals_str_split(text: str) -> None:
    assert words(text, "whitespace") == text.split()


@given(text=TEXTS | LONGER)
def test_lines(text: str) -> None:
    assert words(text, "lines") == [piece for piece in regex.split("([ \n])", text) if piece]


@given(text=TEXTS | LONGER)
def test_bert_equals_the_library(text: str) -> None:
    expected = [piece for piece, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(text)]
    assert words(text, "bert") == expected


@given(text=TEXTS)
def test_gpt2_equals_the_library(text: str) -> None:
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    expected = [text[begin:end] for _, (begin, end) in byte_level.pre_tokenize_str(text)]
    if any(not known_to_the_library(c) for c in text):
        return
    assert words(text, "gpt2") == expected


def known_to_the_library(character: str) -> bool:
    """Whether both Unicode versions have the character, and both call it white space."""
    return not regex.match(r"\p{Cn}|[\x1c-\x1f]", character) and ord(character) < 0x1C80


def neighbours_of_class_borders() -> list[str]:
    """The first and last character of every run of code points of one class."""
    classes = character_classes()
    borders = np.flatnonzero(classes[1:] != classes[:-1])
    points = np.unique(np.concatenate((np.arange(0x300), borders, borders + 1, [0x10FFFF])))
    return [chr(c) for c in points.tolist() if not 0xD800 <= c < 0xE000]


@pytest.mark.parametrize("split", [*PATTERNS, "whitespace", "bert"])
def test_every_kind_of_character_between_letters(split: str) -> None:
    points = neighbours_of_class_borders()
    assert len(points) > 2000
    text = "".join(f"a{c}B1{c}{c} {c}'s\n" for c in points)
    if split in PATTERNS:
        assert words(text, split) == [
            m.group() for m in regex.finditer(PATTERNS[split], text) if m.group()
        ]
    elif split == "whitespace":
        assert words(text, split) == text.split()
    else:
        library = pre_tokenizers.BertPreTokenizer()
        assert words(text, split) == [piece for piece, _ in library.pre_tokenize_str(text)]


@pytest.mark.parametrize(
    ("flag", "pattern"),
    [(LETTER, r"\p{L}"), (NUMBER, r"\p{N}"), (SPACE, r"\s"), (OTHER, r"[^\s\p{L}\p{N}]")],
)
def test_the_classes_are_those_of_the_regex_module(flag: int, pattern: str) -> None:
    points = np.arange(0x110000, dtype="<u4")
    everything = points.tobytes().decode("utf-32-le", "surrogatepass")
    found = np.zeros(0x110000, np.bool_)
    for run in regex.finditer(f"(?:{pattern})+", everything):
        found[run.start() : run.end()] = True
    found[0xD800:0xE000] = flag == OTHER
    assert np.array_equal(character_classes() & flag != 0, found)


@pytest.mark.parametrize("split", SPLITS)
@settings(max_examples=settings.default.max_examples // 3)
@given(text=TEXTS | LONGER)
def test_interpreted_equals_compiled(split: str, text: str) -> None:
    assert spans(text, split, compiled=False) == spans(text, split, compiled=True)


def test_dropped_text_is_white_space_only() -> None:
    assert spans(" a\tb ", "whitespace") == [
        (" ", DROPPED), ("a", WORD), ("\t", DROPPED), ("b", WORD), (" ", DROPPED),
    ]  # fmt: skip


@pytest.mark.parametrize("split", [*OWN_SPLITS, "punctuation", "digits", "digits-3", "scripts"])
@given(text=TEXTS)
def test_matches_are_words_and_the_rest_is_skipped_or_dropped(split: str, text: str) -> None:
    between = DROPPED if split.startswith(MATCHES) else UNMATCHED
    expected, end = [], 0
    pattern = matched_pattern(split)
    for match in regex.finditer(pattern, text):
        if match.group():
            expected += [(text[end : match.start()], between), (match.group(), WORD)]
            end = match.end()
    expected.append((text[end:], between))
    assert spans(text, split) == [span for span in expected if span[0]]


@pytest.mark.parametrize(
    ("splits", "steps"),
    [
        (
            [r"regex:\p{N}{1,3}", r"regex:[一-龥ぁ-ヿ]+", r"regex:\s?\p{L}+|\s+(?!\S)|\s+"],
            [
                pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
                pre_tokenizers.Split(Regex(r"[一-龥ぁ-ヿ]+"), "isolated"),
                pre_tokenizers.Split(Regex(r"\s?\p{L}+|\s+(?!\S)|\s+"), "isolated"),
            ],
        ),
        (["digits", "punctuation"], [pre_tokenizers.Digits(True), pre_tokenizers.Punctuation()]),
    ],
)
@given(text=PIECES | st.lists(PIECES, min_size=2, max_size=10).map(" x ".join))
@example(text="a 12345 中b  \n")
def test_every_step_splits_the_words_of_the_one_before(
    splits: list[str], steps: list[pre_tokenizers.PreTokenizer], text: str
) -> None:
    library = pre_tokenizers.Sequence(steps)
    expected = [piece for piece, _ in library.pre_tokenize_str(text)]
    assert words(text, sequence_of(splits)) == expected


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ("sequence:gpt2", "is not a list of pre-tokenizations"),
        ('sequence:"gpt2"', "is not a list of pre-tokenizations"),
        ("sequence:[1]", "is not a list of pre-tokenizations"),
        ("sequence:[]", "may have 1 to 10 steps, not 0"),
        (sequence_of(["gpt2"] * 11), "may have 1 to 10 steps, not 11"),
        (sequence_of(["digits", "words"]), "unknown pre-tokenization 'words'"),
        (sequence_of([sequence_of(["gpt2"])]), "unknown pre-tokenization 'sequence:"),
        (sequence_of(["whitespace", "gpt2"]), "drops or skips text"),
        (sequence_of(["regex:a)b"]), "is not a regular expression"),
    ],
)
def test_steps_that_are_none_are_refused(split: str, message: str) -> None:
    with pytest.raises((RecipeError, PatternError), match=re.escape(message)):
        Recipe(split=split)


def test_the_scanner_is_a_step_too() -> None:
    assert words("in 1999 it's 7x", sequence_of(["digits", "gpt2"])) == [
        "in", " ", "1", "9", "9", "9", " it", "'s", " ", "7", "x",
    ]  # fmt: skip


@given(TEXTS)
def test_punctuation_and_digits_are_those_of_the_library(text: str) -> None:
    for split, library in (
        ("punctuation", pre_tokenizers.Punctuation()),
        ("digits", pre_tokenizers.Digits(individual_digits=True)),
    ):
        assert words(text, split) == [piece for piece, _ in library.pre_tokenize_str(text)]


@pytest.mark.parametrize(
    ("split", "library"),
    [
        ("punctuation", pre_tokenizers.Punctuation()),
        ("digits", pre_tokenizers.Digits(individual_digits=True)),
    ],
)
def test_every_character_is_one_to_the_library_too(
    split: str, library: pre_tokenizers.PreTokenizer
) -> None:
    points = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
    text = "".join(f"a{chr(c)}" for c in points)
    assert words(text, split) == [piece for piece, _ in library.pre_tokenize_str(text)]


def test_digits_in_threes_come_from_the_left() -> None:
    assert words("in 12345,6 ½²٣x", "digits-3") == ["in ", "123", "45", ",", "6", " ", "½²٣", "x"]


def test_scripts() -> None:
    assert words(" 42 apples, яблоки e\u0301 漢字かなカナ한글!", "scripts") == [
        " 42 apples, ", "яблоки ", "e\u0301 ", "漢字かなカナ", "한글!",
    ]  # fmt: skip
    assert words("1, 2\n", "scripts") == ["1, 2\n"]


def test_every_character_has_the_script_that_unicode_gives_it() -> None:
    """Between two letters of Latin a character of another script stands apart, none else."""
    points = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
    goes_on = regex.compile(r"[\p{Latin}\p{Common}\p{Inherited}\p{Unknown}]")
    expected = "".join("a%sa" % (c if goes_on.match(c) else f"|{c}|") for c in map(chr, points))
    found = "|".join(words("".join(f"a{chr(c)}a" for c in points), "scripts"))
    # The bar itself is among the characters.
    assert found.replace("a|a", "aa") == expected.replace("a|a", "aa")


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("a(b", 2, "'a(b' is not a regular expression: missing ) at character 3"),
        ("[z-a]", 4, "bad character range"),
        ("*a", 0, "nothing to repeat"),
        (r"ab\p{Foo}", 8, "unknown property"),
        (r"a(?R)?", 1, "calls itself"),
        ("a" * 10_001, 10_000, "10,001 characters is not read"),
        ("(" * 5000 + ")" * 5000, None, "nested too deeply"),
        ("", None, 'the regular expression of {"regex": REGEX} is empty'),
    ],
)
def test_patterns_that_do_not_compile(pattern: str, position: int | None, message: str) -> None:
    with pytest.raises(RecipeError, match=regex.escape(message)) as caught:
        Recipe(split=f"regex:{pattern}")
    assert getattr(caught.value, "position", None) == position


def test_a_pattern_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    with pytest.raises(PatternError, match=r"takes too long .*aaaa"):
        spans("a" * 5000, "regex:(?:a|aa)+b")


@pytest.mark.parametrize("split", ["regex:a", "categories"])
def test_single_symbols_have_no_end_of_word(split: str) -> None:
    with pytest.raises(RecipeError, match="end-of-word marker"):
        Recipe(split=split, symbols=Symbols.CHARACTERS, end_of_word=EndOfWord.OWN)

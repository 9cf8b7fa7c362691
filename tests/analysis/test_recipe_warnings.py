"""What is warned of is there, with its true count, and nothing else is warned of."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.corpus_beginning import Beginning
from bpe_gui.analysis.forecast import measure
from bpe_gui.analysis.recipe_warnings import (
    GIANT,
    LARGE,
    RecipeWarning,
    WarningKind,
    lost_and_changed,
    recipe_warnings,
)
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import PRESETS, Prepend, Recipe, Replace


def never() -> bool:
    return False


def beginning_of(text: str, size: int | None = None) -> Beginning:
    """The beginning that is all of its corpus, or of one of another size."""
    length = len(text.encode())
    return Beginning(((text, 1),), length, size or length, size is None)


def warned(recipe: Recipe, beginning: Beginning) -> dict[WarningKind, RecipeWarning]:
    found = recipe_warnings(recipe, measure(beginning, recipe, never), never)
    return {warning.kind: warning for warning in found}


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_said_of_presets_on_plain_text(name: str) -> None:
    assert warned(PRESETS[name], beginning_of("the cat sat on the mat\n" * 100)) == {}


def test_a_large_corpus_without_a_split() -> None:
    part = beginning_of("ab " * 1000, size=50 * LARGE)
    assert "corpus of about 250 MB" in warned(PRESETS["raw"], part)[WarningKind.NO_SPLIT].sentence
    assert WarningKind.NO_SPLIT not in warned(PRESETS["gpt2"], part)
    assert WarningKind.NO_SPLIT not in warned(PRESETS["raw"], beginning_of("ab " * 1000))


def test_one_giant_word() -> None:
    part = beginning_of("x" * GIANT + " y")
    found = warned(PRESETS["gpt2"], part)[WarningKind.GIANT_WORD]
    assert "has 10,000 bytes" in found.sentence
    assert "'xxx" in found.sentence
    assert WarningKind.GIANT_WORD not in warned(PRESETS["raw"], part)


def test_a_vocabulary_smaller_than_its_alphabet() -> None:
    part = beginning_of("abcdef")
    recipe = PRESETS["raw"]
    assert warned(recipe.with_changes(vocabulary_size=7), part) == {}
    full = warned(recipe.with_changes(vocabulary_size=6), part)[WarningKind.SMALL_VOCABULARY]
    assert "no room for a merge" in full.sentence
    small = warned(recipe.with_changes(vocabulary_size=5), part)[WarningKind.SMALL_VOCABULARY]
    assert "use at least 6" in small.sentence


def test_special_tokens_that_the_text_contains() -> None:
    part = beginning_of("<s>a</s><s>b<unk>")
    recipe = Recipe(special_tokens=("</s>", "<s>", "<pad>"))
    found = warned(recipe, part)[WarningKind.SPECIAL_TOKENS]
    assert "'<s>' 2 times, '</s>' once. " in found.sentence
    assert warned(Recipe(special_tokens=("<pad>",)), part) == {}
    reserved = recipe.with_changes(reserved_tokens=("<s>", "</s>"))
    assert warned(reserved, part) == {}


def test_characters_that_normalization_loses() -> None:
    part = beginning_of("naïve e\u0301te\u0301", size=1_000_000)
    recipe = PRESETS["lines"]
    found = warned(recipe, part)[WarningKind.LOST_CHARACTERS]
    assert found.sentence == (
        "Normalization drops 3 characters of the first 14 bytes, which decoding cannot restore: "
        "◌\u0301 (U+0301 combining acute accent) 2 times, ◌\u0308 (U+0308 combining diaeresis) "
        "once"
    )
    assert WarningKind.LOST_CHARACTERS not in warned(PRESETS["gpt2"], part)


LOSE_NOTHING = ("nfc", "nfd", "nfkc", "nfkd", "lowercase", Prepend("x"), Replace(r"\s+", " "))
text = st.text(alphabet="aÉe\u0301\u0327 \t\n\u200d中ﬁ한", max_size=30)


@given(text, st.lists(st.sampled_from(LOSE_NOTHING), max_size=3))
def test_what_becomes_something_else_is_not_lost(
    text: str, steps: list[str | Prepend | Replace]
) -> None:
    assert not lost_and_changed(beginning_of(text), tuple(steps), never)[0]


@given(text, st.sampled_from(["remove-mn", "strip-accents", "strip", Replace("[a ]", "")]))
def test_what_a_step_drops_is_counted_exactly(text: str, step: str | Replace) -> None:
    lost, _ = lost_and_changed(beginning_of(text), (step,), never)
    assert lost == Counter(text) - Counter(normalize(text, (step,)))


@pytest.mark.parametrize(
    ("step", "text", "changed"),
    [
        ("lowercase", "Ab AB", {"A": 2, "B": 1}),
        ("nfkd", "ﬁ²é1", {"ﬁ": 1, "²": 1}),
        (Replace("[A-Z]", "?"), "A?Ab", {"A": 2}),
        (Replace(" +", " "), "a b  c", {" ": 2}),
        (Replace(" ", "▁"), "a b  c", {}),
        (Replace(" ", "_"), "a b  c", {" ": 3}),
        ("nfd", "é한", {}),
        ("strip", " a ", {}),
        (Prepend("x"), "ab", {}),
        ("bert-clean", "a\tb c", {"\t": 1}),
    ],
)
def test_what_others_are_put_in_the_place_of(
    step: str | Replace | Prepend, text: str, changed: dict[str, int]
) -> None:
    assert lost_and_changed(beginning_of(text), (step,), never)[1] == changed


@given(text)
def test_small_letters_are_counted_for_capital_ones(text: str) -> None:
    _, changed = lost_and_changed(beginning_of(text), ("lowercase",), never)
    assert changed == Counter(one for one in text if one.lower() != one)


def test_changed_characters_are_told_of() -> None:
    found = warned(Recipe(normalizers=("lowercase",)), beginning_of("Ab AB"))
    assert found[WarningKind.CHANGED_CHARACTERS].sentence == (
        "Normalization changes characters that decoding cannot restore: 2 different characters of "
        "the corpus, 3 times: A B"
    )


def test_a_split_with_which_nothing_can_merge() -> None:
    part = beginning_of("the cat sat")
    for pattern in ("ZZZQ", "."):
        found = warned(Recipe(split=f"regex:{pattern}"), part)
        assert "nothing can be merged" in found[WarningKind.NO_MERGES].sentence
    found = warned(Recipe(split="regex:the"), part)
    assert found[WarningKind.SKIPPED_TEXT].sentence.startswith("73% of the corpus stays in single")
    assert warned(Recipe(split="regex:[a-z]+"), part) == {}


def test_a_split_between_whose_matches_there_is_more_than_white_space() -> None:
    part = Beginning((("the cat, the é-cat!", 2), (" \n", 1)), 21, 21, True)
    found = warned(Recipe(split="matches:[a-z]+"), part)[WarningKind.DROPPED_TEXT]
    assert (found.field, found.sentence) == (
        "split",
        "The split drops 8 characters of the corpus besides white space, which are in no token: "
        ", (U+002C comma) 2 times, é (U+00E9 latin small letter e with acute) 2 times, "
        "- (U+002D hyphen-minus) 2 times, ! (U+0021 exclamation mark) 2 times",
    )
    for split in (r"matches:\S+", "regex:[a-z]+", r"matches:\w+|[^\w\s]+", "whitespace"):
        assert WarningKind.DROPPED_TEXT not in warned(Recipe(split=split), part)


def test_rows_of_a_table_count_as_often_as_they_say() -> None:
    part = Beginning((("a\u0301", 5), ("<s>", 2)), 10, 10, True, is_table=True)
    recipe = Recipe(normalizers=("remove-mn",), special_tokens=("<s>",))
    found = warned(recipe, part)
    assert "5 times" in found[WarningKind.LOST_CHARACTERS].sentence
    assert "'<s>' 2 times" in found[WarningKind.SPECIAL_TOKENS].sentence


def test_it_can_be_cancelled() -> None:
    part = beginning_of("abc")
    recipe = Recipe(normalizers=("nfc",))
    measured = measure(part, recipe, never)
    with pytest.raises(Cancelled):
        recipe_warnings(recipe, measured, lambda: True)

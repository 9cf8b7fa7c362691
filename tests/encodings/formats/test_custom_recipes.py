"""Recipes of one's own in files: tokenizer.json cuts as we do, and refuses what it cannot hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Prepend, Recipe, Replace, Symbols
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.encodings.save import format_named
from tests.bpe.custom_recipes import custom_recipes
from tests.encodings.runs import INTERESTING, train

NEWER_FORMS = (
    "[\u32ff\ua7f2-\ua7f4\uab69\U00011938\U00010781-\U000107ba\U0001f16c\U0001fbf0-\U0001fbf9]"
)
"""Characters with decompositions that are newer than the library's tables."""

_EMPTY = [
    *((begin, begin + 0x10000) for begin in range(0x40000, 0xE0000, 0x10000)),
    *((0xE1000, 0xF0000), (0xF0000, 0x100000), (0x100000, 0x110000)),
]
"""Planes, and parts of them, in which no version of Unicode has any character that is not private:
each is of one kind throughout."""
EVERY_CHARACTER = "".join(
    chr(point)
    for points in (
        *(range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xE1000)),
        *(range(begin, begin + 0x100) for begin, _ in _EMPTY),
        *(range(end - 0x100, end) for _, end in _EMPTY),
    )
    for point in points
)
"""But for surrogates; of what is empty the beginning and the end."""

characters = st.one_of(
    st.sampled_from(INTERESTING + "ΣİﬁǄⅧ①\u0344\u1100\u1161\u11a8"),
    st.sampled_from("abc 'st\n"),
    st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="ʕ"),
).filter(lambda character: not re.match(NEWER_FORMS, character))
texts = st.text(characters, max_size=40)
corpora = st.lists(st.text(characters, max_size=30).map(lambda text: text * 3), max_size=5)

STEPS = (
    *("nfc", "nfd", "nfkc", "nfkd", "lowercase", "strip", "strip-accents", "bert-clean"),
    Prepend("▁"),
    Prepend("a é"),
    Replace(r"\s+", " "),
    Replace(r"[\w.-]+@\w+", "<mail>"),
    Replace(r"\d", "0"),
    Replace("(?<=a)b|é$", ""),
)
SPLITS = (
    *("punctuation", "digits", "digits-3", "scripts", "gpt2", "none"),
    r"regex:\w+|[^\w\s]+|\s",
    r"regex: ?[^\s\p{N}]+|\p{N}{1,3}|\s+(?!\S)|\s+",
    r"regex:'(?:s|t|re)| ?\p{L}+|(?:\p{N})|[^\p{L}\p{N}]",
    r"regex:[a-z-]+|\x41+|[\u00e9\-b]?\S|\W",
    r"regex:a|[^\x00-\x7f]",
)
SKIPPING = (r"regex:\w+", r"regex:(?<=b)a|\n+$", "regex:^.|é", "regex:.")


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    symbols = draw(st.sampled_from(list(Symbols)))
    splits = SPLITS if symbols is Symbols.BYTES else SPLITS + SKIPPING
    return Recipe(
        normalizers=tuple(draw(st.lists(st.sampled_from(STEPS), max_size=3))),
        split=draw(st.sampled_from(splits)),
        symbols=symbols,
        alphabet=Alphabet.BYTES if symbols is Symbols.BYTES else Alphabet.OBSERVED,
        special_tokens=draw(st.sampled_from([(), ("<s>",)])),
    )


@given(recipes(), corpora, texts)
@example(Recipe(split=r"regex:a|[^\x00-\x7f]", alphabet=Alphabet.BYTES), ["aéaé é é"], "a é<s>b")
def test_the_library_cuts_texts_as_we_do(recipe: Recipe, corpus: list[str], text: str) -> None:
    history = train(recipe, corpus)
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    ours = Tokenizer(history, compiled=False)
    for whole in (text, text + "<s>" + "".join(corpus)):
        expected = [token for token in ours.encode(whole).ids.tolist() if token != NO_TOKEN]
        assert library.encode(whole).ids == expected


@given(custom_recipes(), st.data(), corpora, texts)
def test_whatever_is_not_refused_is_cut_as_we_do(
    recipe: Recipe, data: st.DataObject, corpus: list[str], text: str
) -> None:
    accented = "<é>" if recipe.byte_level else "é"
    specials = data.draw(st.lists(st.sampled_from(("<s>", "ab", accented, " a")), unique=True))
    recipe = recipe.with_changes(
        special_tokens=(*recipe.special_tokens, *specials),
        reserved_tokens=tuple(specials[: data.draw(st.integers(0, 2))]),
        min_frequency=data.draw(st.integers(1, 2)),
    )
    history = train(recipe, corpus)
    position = data.draw(st.integers(0, len(history)))
    try:
        written = huggingface_export.to_json(history, position)
    except ExportError as error:
        event(str(error)[:60])
        return
    event("written")
    library = LibraryTokenizer.from_str(written)
    ours = Tokenizer(history, position, compiled=False)
    for whole in (text, "".join(specials).join(["", text, *corpus])):
        expected = [token for token in ours.encode(whole).ids.tolist() if token != NO_TOKEN]
        assert library.encode(whole).ids == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": r"regex:\w+"}, r"the split pattern '\w+' may skip characters of several"),
        ({"split": r"regex:\bab|[\s\S]"}, r"has '\b', which tokenizer.json may"),
        ({"split": r"regex:(?i:ab)|[\s\S]"}, "has '(?i'"),
        ({"split": r"regex:[[:alpha:]]|[\s\S]"}, "has '['"),
        ({"split": r"regex:\p{N}{1,3}+|[\s\S]"}, "has '+'"),
        ({"split": r"regex:[\w-z]|[\s\S]"}, "tokenizer.json cannot hold the pattern"),
        (
            {"split": r"regex:[a&&b]|[\s\S]"},
            "has '[a&&b]', which tokenizer.json may understand differently, U+0026 for example",
        ),
        ({"split": r"regex:a*|[\s\S]"}, "can match no characters"),
        ({"split": r"regex:(?=a)|[\s\S]"}, "can match no characters"),
        ({"split": r"regex:ba{0,100001}|[\s\S]"}, "tokenizer.json cannot hold the pattern"),
        ({"normalizers": (Replace("^", "_"),)}, "the pattern '^' can match no characters"),
        ({"normalizers": (Replace(r"(a)\1", "_"),)}, r"the pattern '(a)\1' has '\1'"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(changes: dict[str, object], message: str) -> None:
    history = train(Recipe(alphabet=Alphabet.BYTES).with_changes(**changes), ["a"])
    with pytest.raises(ExportError, match=re.escape(message)):
        huggingface_export.to_json(history)


CHARACTERS = {"symbols": Symbols.CHARACTERS, "alphabet": Alphabet.OBSERVED}
UNKNOWN = {"special_tokens": ("<unk>", "e"), "unknown_token": "<unk>"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({**CHARACTERS, **UNKNOWN, "normalizers": ("nfd",)}, "the special token 'e' for"),
        ({**CHARACTERS, **UNKNOWN, "reserved_tokens": ("e",)}, "the special token 'e' for"),
        (
            {"special_tokens": ("<é>",), "reserved_tokens": ("<é>",)},
            "would take the special token '<é>' for the bytes spelled like it",
        ),
    ],
)
def test_special_tokens_that_would_be_taken_for_something_else_are_refused(
    changes: dict[str, object], message: str
) -> None:
    history = train(Recipe(alphabet=Alphabet.BYTES).with_changes(**changes), ["a"])
    with pytest.raises(ExportError, match=re.escape(message)):
        huggingface_export.to_json(history)


def test_reserved_tokens_are_entries_of_the_vocabulary_like_any_other() -> None:
    recipe = Recipe(
        alphabet=Alphabet.BYTES, special_tokens=("<pad>", "<s>"), reserved_tokens=("<pad>",)
    )
    history = train(recipe, ["<pad>"], 0)
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    assert library.token_to_id("<pad>") == 0
    assert list(library.get_added_tokens_decoder()) == [1]
    assert library.encode("<pad><s>").tokens == [*"<pad>", "<s>"]
    assert library.decode([0, 1], skip_special_tokens=False) == "<pad><s>"


@pytest.mark.parametrize("name", ["tiktoken", "gpt2", "minbpe"])
def test_other_formats_look_for_all_special_tokens(name: str, tmp_path: Path) -> None:
    recipe = Recipe(alphabet=Alphabet.BYTES, special_tokens=("<p>",), reserved_tokens=("<p>",))
    with pytest.raises(ExportError, match=r"reserves '<p>', which must not be found"):
        format_named(name).write(train(recipe, ["a"]), tmp_path / "any", None)


@pytest.mark.parametrize("split", ["regex:a|b", "digits", "scripts"])
@pytest.mark.parametrize("name", ["tiktoken", "gpt2", "minbpe"])
def test_other_formats_refuse_own_splits(name: str, split: str, tmp_path: Path) -> None:
    history = train(Recipe(alphabet=Alphabet.BYTES, split=split), ["a"])
    with pytest.raises(ExportError, match=r"save it as tokenizer\.json"):
        format_named(name).write(history, tmp_path / "any", None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tiktoken", "gpt2", "minbpe"])
def test_other_formats_refuse_normalizers_by_name(name: str, tmp_path: Path) -> None:
    recipe = Recipe(alphabet=Alphabet.BYTES, normalizers=("nfc", Prepend("_"), Replace("a", "b")))
    with pytest.raises(ExportError, match=r"has nfc, prepend '_', replace 'a'; save it as"):
        format_named(name).write(train(recipe, ["a"]), tmp_path / "any", None)


def test_every_character_is_cut_as_we_do_by_what_char_bpe_is_saved_as() -> None:
    recipe = PRESETS["char-bpe"].with_changes(min_frequency=1)
    text = "".join(f"a{character} " for character in EVERY_CHARACTER)
    history = train(recipe, ["ab aab ba . 中", text[:40_000]], 20)
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    for begin in range(0, len(text), 1 << 19):
        part = text[begin : begin + (1 << 19)]
        assert library.encode(part).ids == Tokenizer(history).encode(part).ids.tolist()

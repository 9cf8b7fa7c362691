"""Every character that has been in Unicode for long is normalized and split alike by the library.

Newer ones are in some tables and not yet in others; the check after saving finds them in a text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from unicodedata import ucd_3_2_0

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.pre_tokenize import split_words
from bpe_gui.bpe.recipe import NORMALIZERS, SPLITS, Recipe, Symbols
from bpe_gui.encodings.formats.huggingface_export import normalizer_steps, to_json
from bpe_gui.encodings.save import format_named, verify
from tests.encodings.runs import byte_recipe, train

FORMS = ("nfc", "nfd", "nfkc", "nfkd")


@cache
def long_known() -> str:
    """List those of Unicode 3.2, but for one that has been a small letter and is none any more."""
    return "".join(
        character
        for character in map(chr, range(0x110000))
        if ucd_3_2_0.category(character) not in ("Cn", "Cs", "Co") and character != "ʕ"
    )


MARKS = "".join(map(chr, range(0x300, 0x34F))) + "\u05b0\u0345\u09bc\u3099\u1161\u11a8"
TEXTS = st.text(
    st.sampled_from("aeoAEΣ가\u1100ﬁ" + MARKS) | st.deferred(lambda: st.sampled_from(long_known())),
    max_size=20,
)


def theirs(text: str, recipe: Recipe) -> str:
    for step in normalizer_steps(recipe):
        text = step.normalize_str(text)
    return text


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_character_is_normalized_alike(name: str) -> None:
    recipe = Recipe(normalizers=(name,))
    text = "".join(f"a{character}b" for character in long_known())
    assert theirs(text, recipe) == normalize(text, recipe.normalizers)


@given(TEXTS, st.sampled_from([*FORMS, "lowercase", "strip-accents", "bert-clean"]))
def test_texts_are_normalized_alike(text: str, name: str) -> None:
    recipe = Recipe(normalizers=(name,))
    assert theirs(text, recipe) == normalize(text, recipe.normalizers)


_CONTEXTS = ("a{}b ", "A{}9 ", "!{}\n ", " {}{} ", "{}a ", "中{}中 ", "a{}A ", "A{}Aa ")


def _bounds(text: str, split: str) -> set[int]:
    """Where words begin and end, in characters."""
    data = np.frombuffer(text.encode(), np.uint8)
    characters = np.append(0, np.cumsum(data & 0xC0 != 0x80))
    ends, _ = split_words(data, split)
    return {0, *characters[ends].tolist()}


def _their_bounds(text: str, split: str) -> set[int]:
    recipe = Recipe(name=split, split=split, symbols=Symbols.CHARACTERS, special_tokens=("?",),
                    unknown_token="?")
    step = Tokenizer.from_str(to_json(train(recipe, ["ab"]))).pre_tokenizer
    if step is None:
        return {0, len(text)}
    return {place for _, span in step.pre_tokenize_str(text) for place in span}


def _kept_alike(text: str, split: str) -> bool:
    ours, theirs = _bounds(text, split), _their_bounds(text, split)
    if split in ("whitespace", "bert"):
        return theirs <= ours  # what is dropped is no word there
    if split in ("categories", "lines"):
        return ours >= theirs  # and the gaps between words are cut into single symbols
    return ours == theirs


@pytest.mark.parametrize("split", sorted(SPLITS))
def test_every_character_is_split_alike(split: str) -> None:
    characters = long_known()[:0x2800] + long_known()[0x2800::97]
    for context in _CONTEXTS:
        text = "".join(context.replace("{}", character) for character in characters)
        assert _kept_alike(text, split)


def test_a_newer_character_is_found_by_the_check_after_saving(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2").with_changes(normalizers=("nfkc",)), ["low lower"])
    path = tmp_path / "tokenizer.json"
    format_named("tokenizer.json").write(history, path, None)
    assert verify(history, path, ["low"]).agreed
    found = verify(history, path, ["the era ㋿"])
    assert not found.agreed
    assert "differs at character 9" in found.sentence

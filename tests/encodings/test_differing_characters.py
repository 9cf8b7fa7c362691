"""What is said of characters that a saved recipe normalizes otherwise is all, and true."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import NORMALIZERS, Recipe, Replace
from bpe_gui.encodings.differing_characters import Differing, caution, differing
from bpe_gui.encodings.huggingface_steps import normalizer_steps
from bpe_gui.encodings.saving import format_named, verify
from tests.encodings.runs import byte_recipe, train

FORMS = ("nfc", "nfd", "nfkc", "nfkd")
EVERYTHING = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)


def theirs(text: str, recipe: Recipe) -> str:
    for step in normalizer_steps(recipe):
        text = step.normalize_str(text)
    return text


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_other_character_is_normalized_alike(name: str) -> None:
    recipe = Recipe(normalizers=(name,))
    found = differing(recipe).always
    text = "".join(f"a{c}b" for c in EVERYTHING if c not in found)
    assert theirs(text, recipe) == normalize(text, recipe.normalizers)
    for character in found:
        assert theirs(character, recipe) != normalize(character, recipe.normalizers)


@given(st.data(), st.sampled_from([*FORMS, "lowercase", "strip-accents", "bert-clean"]))
def test_texts_without_the_characters_are_normalized_alike(data: st.DataObject, name: str) -> None:
    recipe = Recipe(normalizers=(name,))
    found = differing(recipe)
    said = found.always + found.beside_marks
    near = "".join(chr(ord(c) + side) for c in said for side in (-1, 1))
    marks = (
        "".join(map(chr, range(0x300, 0x370))) + "\u05b0\u0345\u09bc\u3099\u1161\u11a8\U0001d165"
    )
    characters = st.one_of(
        st.sampled_from("aeoAEΣ가\u1100ﬁ" + marks + near),
        st.characters(exclude_categories=["Cs"]),
    ).filter(lambda character: character not in said)
    text = data.draw(st.text(characters, max_size=20))
    assert theirs(text, recipe) == normalize(text, recipe.normalizers)


@pytest.mark.parametrize("name", FORMS)
def test_characters_that_are_named_differ_beside_some_other(name: str) -> None:
    recipe = Recipe(normalizers=(name,))
    for character in differing(recipe).beside_marks:
        beside = [*"\u0334\u0301", "\U00011930", "\U00011935"]
        texts = [text for other in beside for text in (character + other, other + character)]
        assert any(theirs(text, recipe) != normalize(text, (name,)) for text in texts)


def test_what_a_later_step_takes_away_is_not_named() -> None:
    assert not differing(Recipe(normalizers=("nfd", "strip-accents"))).beside_marks
    apart = Recipe(normalizers=("nfd", Replace("a", "b"), "strip-accents"))
    assert differing(apart).beside_marks, "the regex sees the marks before they are gone"
    assert differing(Recipe(normalizers=(Replace("a", "b"),))) == Differing()


def test_who_saves_is_told(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2").with_changes(normalizers=("nfkc",)), ["low lower"])
    path = tmp_path / "tokenizer.json"
    format_named("tokenizer.json").write(history, path, None)
    found = verify(history, path, ["low"])
    assert found.agreed
    assert found.caution == caution(history.recipe)
    assert "one of 72 characters (㋿ U+32FF, ꟲ U+A7F2, ꟳ U+A7F3 and so on)" in found.caution
    found = verify(history, path, ["the era ㋿"])
    assert not found.agreed
    assert found.sentence.endswith("has another version of Unicode for ㋿ U+32FF")
    assert not caution(byte_recipe("gpt2"))

"""What is said of characters that a saved split takes otherwise is all, and true."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from bpe_gui.bpe.recipe import SPLITS, Recipe, Symbols
from bpe_gui.bpe.split import split_words
from bpe_gui.encodings.differing_characters import aside, cause
from bpe_gui.encodings.differing_splits import differing_in
from bpe_gui.encodings.huggingface_export import to_library
from tests.encodings.runs import train

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
    step = to_library(train(recipe, ["ab"])).pre_tokenizer
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


def _some_characters(differing: str) -> list[str]:
    """The first ten thousand, and those at the borders of what differs."""
    points = [ord(character) for character in differing]
    runs = groupby(enumerate(points), lambda pair: pair[1] - pair[0])
    borders = [[point for _, point in run] for _, run in runs]
    near = {point + side for run in borders for point in (run[0], run[-1]) for side in (-1, 1)}
    some = {*range(0x2800), *range(0x2800, 0x32000, 97), *near} - set(range(0xD800, 0xE000))
    return [chr(point) for point in sorted(some - set(points))]


@pytest.mark.parametrize("split", sorted(SPLITS))
def test_every_other_character_is_split_alike(split: str) -> None:
    characters = _some_characters(differing_in(split))
    for context in _CONTEXTS:
        text = "".join(context.replace("{}", character) for character in characters)
        assert _kept_alike(text, split)


@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k", "scripts"])
def test_those_that_are_named_are_split_otherwise(split: str) -> None:
    found = differing_in(split)
    for character in (*found[:20], *found[-3:]):
        texts = [context.replace("{}", character) for context in _CONTEXTS]
        assert not all(_kept_alike(text, split) for text in texts), ascii(character)


def test_the_sentence_names_them() -> None:
    recipe = Recipe(split="gpt2")
    found = differing_in("gpt2")
    assert found, "the library has the newest Unicode: there is nothing to name"
    assert f"one of {len(found):,} characters" in aside(recipe)
    assert f"U+{ord(found[0]):04X}" in aside(recipe)
    assert f"U+{ord(found[0]):04X}" in cause(recipe, f"abc {found[0]}")
    assert not cause(recipe, "abc")
    assert not aside(recipe.with_changes(split="whitespace"))

"""Counting words of documents that come in pieces."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.bpe import pre_tokenize
from bpe_gui.bpe import words as words_module
from bpe_gui.bpe.recipe import (
    NORMALIZERS,
    PRESETS,
    EndOfWord,
    Prepend,
    Recipe,
    RecipeError,
    Replace,
    preset,
)
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounter, WordCounts, distinct_keys
from tests import oracle
from tests.bpe.custom_recipes import custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS


def expected_counts(documents: list[str], recipe: Recipe) -> list[tuple[bytes, int]]:
    counts: Counter[bytes] = Counter()
    for document in documents:
        for word in oracle.words_of(document, recipe):
            counts[word.encode("utf-8", "surrogateescape")] += 1
    return list(counts.items())


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(documents=st.lists(TEXTS, max_size=4), data=st.data())
def test_pieces_do_not_matter(name: str, documents: list[str], data: st.DataObject) -> None:
    assert_pieces_do_not_matter(preset(name), documents, data)


# Letters that are composed, become several or none, or no letters; and what stands around.
BORDERS = st.text(
    st.sampled_from("aAé中я⑴\u037a\uff9e\u0301\u0323İ\u1100\u1161\u11a8ﬁ.(1½\xad\t \n\u3000"),
    max_size=20,
)


@settings(max_examples=3 * settings.default.max_examples)
@given(custom_recipes(), st.lists(TEXTS | BORDERS, max_size=3), st.data())
def test_pieces_do_not_matter_to_recipes_of_ones_own(
    recipe: Recipe, documents: list[str], data: st.DataObject
) -> None:
    assert_pieces_do_not_matter(recipe, documents, data)


@settings(max_examples=5 * settings.default.max_examples)
@given(
    st.lists(st.sampled_from(sorted(set(NORMALIZERS) - {"strip"})), max_size=3).map(tuple),
    st.sampled_from(list(PRESETS)),
    BORDERS,
    st.data(),
)
def test_borders_of_blocks_are_safe_for_every_normalizer(
    steps: tuple[str, ...], name: str, text: str, data: st.DataObject
) -> None:
    recipe = preset(name).with_changes(normalizers=steps)
    assert_pieces_do_not_matter(recipe, [text], data)


def test_a_document_that_has_to_be_held_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pre_tokenize, "MAX_HELD", 1 << 20)
    line = b"some words, and some more of them\n" * 1000
    nowhere = np.array([], np.int64)
    for changes, named in (
        ({"split": "regex:a|b"}, "the pre-tokenization 'regex:a|b' needs to see the whole"),
        ({"normalizers": ("nfc", Replace("a", "b"))}, "the normalizer \"replace 'a'\" needs"),
        ({"normalizers": ("strip",)}, "longer than 1 MB, and the normalizer 'strip' needs"),
    ):
        counter = WordCounter(preset("gpt2").with_changes(**changes))
        for _ in range((1 << 20) // len(line)):
            counter.feed(line, nowhere)
        with pytest.raises(RecipeError, match=re.escape(named)):
            counter.feed(line, nowhere)
        counter.close()
        # As documents of their own the lines are not too long.
        counter = WordCounter(preset("gpt2").with_changes(**changes))
        for _ in range(40):
            counter.feed(line, np.array([len(line)]))
        assert counter.finish().total_bytes > 0
    # What can be cut after letters is no longer document for that.
    counter = WordCounter(preset("gpt2").with_changes(normalizers=("nfkc",)), block=1 << 16)
    for _ in range(40):
        counter.feed(line, nowhere)
    assert counter.finish().total_bytes == 40 * len(line)
    counter = WordCounter(preset("gpt2").with_changes(normalizers=("nfkc",)))
    with pytest.raises(RecipeError, match="no place between words within 1 MB"):
        counter.feed("。\n".encode() * 400_000, nowhere)
    counter.close()


def assert_pieces_do_not_matter(
    recipe: Recipe, documents: list[str], data: st.DataObject
) -> None:
    counter = WordCounter(recipe, block=data.draw(st.sampled_from([1, 2, 8, 1000])))
    text = "".join(documents)
    ends = np.cumsum([len(document) for document in documents]).tolist()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        piece = text[begin:end].encode()
        inside = [len(text[begin:e].encode()) for e in ends if begin < e <= end]
        counter.feed(piece, np.array(inside, np.int64))
    assert list(counter.finish().items()) == expected_counts(documents, recipe)


@pytest.mark.parametrize("text", [" \n00", "\n\nfoo", "a\u3000\nb", ".\n\nfoo", "\n1"])
@pytest.mark.parametrize("name", ["gpt2", "gpt4", "o200k"])
def test_a_block_is_not_cut_within_white_space(name: str, text: str) -> None:
    counter = WordCounter(preset(name), block=1)
    counter.feed(text.encode(), np.array([], np.int64))
    counter.feed(b"", np.array([0], np.int64))
    assert list(counter.finish().items()) == expected_counts([text], preset(name))


@pytest.mark.parametrize("name", ["gpt2", "gpt4", "o200k"])
def test_white_space_may_have_come_with_the_piece_before(name: str) -> None:
    counter = WordCounter(preset(name), block=1)
    for piece in (b"a \t", b"\n1", b"1"):
        counter.feed(piece, np.array([], np.int64))
    assert list(counter.finish().items()) == expected_counts(["a \t\n11"], preset(name))


def test_blocks_on_several_threads_keep_the_order_of_first_appearance() -> None:
    recipe = preset("gpt2")
    text = " ".join(f"word{index % 5000} x{index}" for index in range(60_000))
    counter = WordCounter(recipe, block=1 << 14)
    for begin in range(0, len(text), 10_000):
        counter.feed(text[begin : begin + 10_000].encode(), np.array([], np.int64))
    assert list(counter.finish().items()) == expected_counts([text], recipe)


@given(st.lists(st.integers(0, 0x10FFFF), max_size=30), st.sampled_from([1, 40_000]))
def test_each_code_point_once(codes: list[int], times: int) -> None:
    for kind in (np.uint32, np.int32):
        many = np.repeat(np.array(codes, kind), times)
        assert distinct_keys(many).tolist() == sorted(set(codes))


def test_counts_that_are_given_add_up() -> None:
    counts = WordCounts.from_pairs([("low", 5), ("new", 1), ("low", 2)], preset("whitespace"))
    assert list(counts.items()) == [(b"low", 7), (b"new", 1)]
    assert counts.total_bytes == 24


@pytest.mark.parametrize("count", [0, -1, -(2**70)])
def test_a_count_is_at_least_one(count: int) -> None:
    with pytest.raises(ValueError, match=f"the count of 'low' must be at least 1, not {count}"):
        WordCounts.from_pairs([("new", 1), ("low", count)], preset("whitespace"))


@pytest.mark.parametrize("name", PRESETS)
def test_sums_of_counts_are_exact_up_to_their_bound(name: str) -> None:
    """The most symbols that there can be: each word is one byte, and its end may be another."""
    recipe = preset(name).with_changes(min_frequency=1)
    most = np.int64(2**59)
    words = [(letter, most) for letter in "ab" * 2]
    counts = WordCounts.from_pairs(words, recipe)
    assert list(counts.items()) == [(b"a", 2**60), (b"b", 2**60)]
    tokens = Trainer(counts, recipe).history.tokens
    assert tokens.tolist() == [(4 if recipe.end_of_word is EndOfWord.OWN else 2) * 2**60]
    with pytest.raises(ValueError, match="with 'c' the counts add up to too much; divide them"):
        WordCounts.from_pairs([*words, ("c", 1)], recipe)


@pytest.mark.parametrize("name", PRESETS)
def test_counts_beyond_64_bits_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="with 'a'"):
        WordCounts.from_pairs([("a", 2**64)], preset(name))


def test_sums_are_bounded_after_normalization() -> None:
    recipe = preset("raw").with_changes(normalizers=(Prepend("▁" * 33),))
    with pytest.raises(ValueError, match="with 'b'"):
        WordCounts.from_pairs([("a", 2**55), ("b", 2**55)], recipe)


def test_one_word_larger_than_any_table() -> None:
    recipe = preset("raw")
    text = "abc" * 1_000_000
    counter = WordCounter(recipe)
    counter.feed(text.encode(), np.array([len(text)], np.int64))
    counts = counter.finish()
    assert len(counts) == 1
    assert counts.word(0) == text.encode()
    assert len(text) > words_module.BLOCK

"""Bytes that are no UTF-8: nothing is read that is not there, and both forms of kernels agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.history import History
from bpe_gui.bpe.pre_tokenize import last_split, split_words
from bpe_gui.bpe.recipe import PRESETS, preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounter
from tests.bpe.test_trainer import trained

SPLITS = ["gpt2", "cl100k", "o200k", "categories", "whitespace", "bert", "lines", "none"]
NO_CHARACTERS = (
    *(b"\x80", b"\xbf", b"\xc3", b"\xdf", b"\xe2", b"\xe2\x82", b"\xef\xbf", b"\xf0\x9f\x98"),
    *(b"\xf7\xbf\xbf\xbf", b"\xf4\x90\x80\x80", b"\xed\xa0\x80", b"\xc0\x8a", b"\xc0\xa0", b"\xff"),
)
CHARACTERS = tuple(
    character.encode() for character in ("a", "Z", "'", "'s", "1", ".", " ", "\n", "é", "中", "😀")
)
PIECES = st.lists(st.sampled_from(NO_CHARACTERS + CHARACTERS), max_size=10).map(b"".join)
SHORT = PIECES | st.binary(max_size=20)
# Compiled kernels look at 64 bytes at once.
DATA = SHORT | st.lists(SHORT, min_size=5, max_size=12).map(b" x".join)

_Found = TypeVar("_Found")


def in_both_forms(found: Callable[[bool], _Found]) -> _Found | None:
    """What both forms of the kernels give; None if both take the bytes for no UTF-8."""
    results: list[_Found | None] = []
    for compiled in (False, True):
        try:
            results.append(found(compiled))
        except UnicodeDecodeError:
            results.append(None)
    assert results[0] == results[1]
    return results[0]


@pytest.mark.parametrize("split", SPLITS)
@settings(max_examples=settings.default.max_examples // 3)
@given(data=DATA)
@example(b"\xf7\xbf\xbf\xbf")
@example(b" \xe2")
@example(b"'\xc5")
def test_words_are_within_the_text(split: str, data: bytes) -> None:
    def found(compiled: bool) -> tuple[list[int], list[int]]:
        ends, kinds = split_words(np.frombuffer(data, np.uint8), split, compiled=compiled)
        return ends.tolist(), kinds.tolist()

    both = in_both_forms(found)
    assert both is not None
    ends = [0, *both[0]]
    assert all(begin < end for begin, end in pairwise(ends))
    assert ends[-1] == len(data)
    cut = in_both_forms(lambda compiled: last_split(data, split, compiled=compiled))
    assert cut is not None
    assert 0 <= cut <= len(data)


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(pieces=st.lists(DATA, max_size=4))
def test_counting_and_training(name: str, pieces: list[bytes]) -> None:
    def found(compiled: bool) -> tuple[list[tuple[bytes, int]], list[int]]:
        counter = WordCounter(preset(name), compiled=compiled, block=1)
        try:
            for piece in pieces:
                counter.feed(piece, np.array([len(piece) // 2, len(piece)], np.int64))
            words = counter.finish()
        finally:
            counter.close()
        trainer = Trainer(words, preset(name), compiled=compiled)
        trainer.advance(20)
        return list(words.items()), trainer.history.left.tolist()

    in_both_forms(found)


@cache
def trained_with(name: str) -> History:
    return trained([("a é 1 ab. 中中", 3)], preset(name)).history


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(data=DATA)
def test_encoding(name: str, data: bytes) -> None:
    history = trained_with(name)

    def found(compiled: bool) -> list[int]:
        tokenizer = Tokenizer(history, compiled=compiled)
        try:
            return tokenizer.encode_documents(data, np.array([len(data)]))[1].ids.tolist()
        finally:
            again = tokenizer.encode_documents(b"ab", np.array([2]))[1].ids.tolist()
            assert again == Tokenizer(history).encode("ab").ids.tolist()

    ids = in_both_forms(found)
    if history.recipe.byte_level:
        assert ids is not None
        assert Tokenizer(history).decode_bytes(ids) == data
    else:
        assert (ids is not None) == _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

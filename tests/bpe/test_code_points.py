"""Decoding UTF-8 without the interpreter's lock, held against Python's own decoder."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.kernels.code_points import NOT_UTF8, decode_utf8, note_characters
from bpe_gui.bpe.words import code_points

FORMS = pytest.mark.parametrize("form", [decode_utf8.interpreted, decode_utf8.compiled])
SPOILED = st.binary(max_size=4) | st.sampled_from(
    [
        b"\x80", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf",
        b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80",
        b"\xff", b"\xe2\x82", b"\xc3", b"\xf0\x9f\x99",
    ]
)  # fmt: skip


@FORMS
@given(st.lists(st.text(max_size=5).map(str.encode) | SPOILED, max_size=6).map(b"".join))
def test_the_same_as_python_decodes(form: Callable[..., int], data: bytes) -> None:
    points = np.empty(len(data), np.int32)
    found = form(np.frombuffer(data, np.uint8), points)
    try:
        expected = [ord(character) for character in data.decode()]
    except UnicodeDecodeError:
        assert found == NOT_UTF8
    else:
        assert points[:found].tolist() == expected


@FORMS
@pytest.mark.parametrize("first", [0, 0x7FF, 0xD7FE, 0xDFFF, 0xFFFE, 0x10FFFE])
def test_the_largest_and_smallest_of_each_width(form: Callable[..., int], first: int) -> None:
    for point in range(first, first + 2):
        data = chr(point).encode("utf-8", "surrogatepass")
        points = np.empty(len(data), np.int32)
        found = form(np.frombuffer(data, np.uint8), points)
        if 0xD800 <= point <= 0xDFFF:
            assert found == NOT_UTF8
        else:
            assert points[:found].tolist() == [point]


@pytest.mark.parametrize("form", [note_characters.interpreted, note_characters.compiled])
@given(st.lists(st.text(min_size=1, max_size=4), max_size=5), st.sampled_from([0, 1 << 21]))
def test_which_characters_words_are_made_of(
    form: Callable[..., int], words: list[str], last: int
) -> None:
    texts = [word.encode() for word in words]
    text = np.frombuffer(b"".join(texts), np.uint8)
    starts = np.cumsum([0, *map(len, texts)])
    lengths, occurs = np.empty(len(words), np.int64), np.zeros(1 << 22, np.bool_)
    assert form(text, starts, last, occurs, lengths) == 0
    assert lengths.tolist() == [len(word) for word in words]
    within = {ord(each) for word in words for each in word[:-1]}
    assert set(np.flatnonzero(occurs)) == within | {ord(word[-1]) + last for word in words}


@pytest.mark.parametrize("form", [note_characters.interpreted, note_characters.compiled])
def test_a_character_that_the_end_of_a_word_cuts_is_none(form: Callable[..., int]) -> None:
    text = np.frombuffer("é".encode(), np.uint8)
    lengths, occurs = np.empty(2, np.int64), np.zeros(1 << 22, np.bool_)
    assert form(text, np.array([0, 1, 2]), 0, occurs, lengths) == NOT_UTF8


@pytest.mark.parametrize("repeats", [1, 20_000])
def test_what_is_not_utf8_is_refused_at_any_length(repeats: int) -> None:
    text = "aé".encode() * repeats
    points = code_points(np.frombuffer(text, np.uint8))
    points += 1  # nobody else's array
    assert points[-2:].tolist() == [98, 234]
    with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xc3"):
        code_points(np.frombuffer(text[:-1], np.uint8))

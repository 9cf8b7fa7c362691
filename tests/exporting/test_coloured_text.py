"""What is taken apart to be coloured is still the whole text, and nothing of it is hidden."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting.coloured_text import ColouredText, PartKind, coloured_text
from tests.exporting.cut_texts import cut_texts, in_turns, is_seen, tokens_at


def parts(text: ColouredText) -> list[list[tuple[PartKind, str, str]]]:
    return [[(part.kind, part.text, part.shown) for part in s.parts] for s in text.stretches]


@given(cut_texts())
def test_the_parts_are_the_text_and_the_contents_its_bytes(text: ColouredText) -> None:
    joined = "".join(part.text for stretch in text.stretches for part in stretch.parts)
    assert joined == text.text
    shown = "".join(part.shown for stretch in text.stretches for part in stretch.parts)
    assert all(map(is_seen, shown))


def test_white_space_and_controls_have_marks() -> None:
    text = in_turns("a b\t\x1b\n", tokens_at("a b\t\x1b\n", [3], [7, 8]))
    assert parts(text) == [
        [(PartKind.TEXT, "a", "a"), (PartKind.SPACE, " ", "·"), (PartKind.TEXT, "b", "b")],
        [
            (PartKind.TAB, "\t", "→"),
            (PartKind.NAMED, "\x1b", "‹ESC›"),
            (PartKind.NEWLINE, "\n", "¶"),
        ],
    ]


def test_a_shared_character_belongs_to_the_first_and_stands_as_bytes_in_each() -> None:
    text = in_turns("a–b", tokens_at("a–b", [2, 3], [1, 2, 3]))
    assert parts(text) == [
        [(PartKind.TEXT, "a", "a"), (PartKind.BYTES, "–", "0xE2")],
        [(PartKind.BYTES, "", "0x80")],
        [(PartKind.BYTES, "", "0x93"), (PartKind.TEXT, "b", "b")],
    ]


def test_what_is_in_no_token_is_there_all_the_same() -> None:
    text = in_turns("a b", tokens_at("a b", [1, 2], [5, -2, NO_TOKEN]))
    assert [stretch.number for stretch in text.stretches] == [0, -1, 1]
    assert [stretch.title for stretch in text.stretches] == [
        "a · id 5 · 1 byte", "␣ · in no token", "b · not in the vocabulary · 1 byte",
    ]  # fmt: skip
    assert text.tokens == 2


def test_a_mark_upon_nothing_has_a_circle_and_one_upon_a_letter_has_not() -> None:
    text = "e\u0301"
    assert parts(in_turns(text, tokens_at(text, [], [1]))) == [[(PartKind.TEXT, text, text)]]
    torn = in_turns(text, tokens_at(text, [1], [1, 2]))
    assert parts(torn)[1] == [(PartKind.NAMED, "\u0301", "◌\u0301")]


def test_the_end_of_a_word_has_its_marker() -> None:
    text = in_turns("low", tokens_at("low", [], [4]), closes_word={4: True}.__contains__)
    assert parts(text) == [[(PartKind.TEXT, "low", "low"), (PartKind.MARKER, "", "</w>")]]


def test_tokens_that_cover_no_text_of_their_own_show_their_bytes() -> None:
    columns = ([7, 8, 9, 5], [0, 0, 0, 2], [0, 2, 2, 3], [0, 0, 0, 1], [0, 1, 1, 2])
    ids, *places = (np.array(column, np.int64) for column in columns)
    tokens = Tokens(ids.astype(np.int32), *places)
    contents = {7: b" ", 8: b"1", 9: b"\xe2", 5: b""}
    text = coloured_text("½x", tokens, [0] * 4, token_bytes=contents.__getitem__)
    assert parts(text) == [
        *([(PartKind.NAMED, "", "␣")], [(PartKind.TEXT, "½", "½")], [(PartKind.NAMED, "", "0xE2")]),
        [(PartKind.TEXT, "x", "x")],
    ]
    assert [stretch.title for stretch in text.stretches] == [
        *("␣ · id 7 · 1 byte: 0x20", "1 · id 8 · 1 byte", "0xE2 · id 9 · 1 byte: 0xE2"),
        "x · id 5 · 1 byte",
    ]
    assert parts(coloured_text("½x", tokens, [0] * 4))[0] == [(PartKind.NAMED, "", "‹7›")]


def test_colours_are_those_given() -> None:
    tokens = tokens_at("abc", [1, 2], [1, 2, 3])
    assert [s.colour for s in coloured_text("abc", tokens, [5, 0, 3]).stretches] == [5, 0, 3]


def test_unpaired_surrogates_are_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        in_turns("\ud800", tokens_at("a", [], [1]))

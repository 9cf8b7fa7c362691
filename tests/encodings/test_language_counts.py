"""Tokens by language: each counts once, for the language whose text it holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.parallel import JoinedText, Stretch, joined, language_counts, languages
from bpe_gui.encodings.trained import TrainedEncoding
from tests.ui.histories import byte_level, four_words, trained

THREE = JoinedText(
    "abcde\n\nfghij\n\nklmno",
    {"aa": Stretch(0, 5, 0, 5), "bb": Stretch(7, 12, 7, 12), "cc": Stretch(14, 19, 14, 19)},
)


def cut(*spans: tuple[int, int]) -> Tokens:
    starts = np.array([start for start, _ in spans], np.int64)
    ends = np.array([end for _, end in spans], np.int64)
    return Tokens(np.arange(len(spans), dtype=np.int32), starts, ends, starts, ends)


def counts(*spans: tuple[int, int]) -> list[int]:
    return list(language_counts(cut(*spans), THREE).values())


def obvious(tokens: Tokens, text: JoinedText) -> dict[str, int]:
    found = dict.fromkeys(text.stretches, 0)
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        for code, stretch in text.stretches.items():
            if start == end:
                touches = stretch.start <= start <= stretch.end
            else:
                touches = start < stretch.end and end > stretch.start
            if touches:
                found[code] += 1
                break
    return found


def test_what_stands_between_two_languages_belongs_to_none() -> None:
    assert counts((0, 5), (5, 6), (6, 7), (7, 12), (12, 14), (14, 19)) == [1, 1, 1]


def test_a_token_across_languages_counts_for_the_first() -> None:
    assert counts((0, 3), (3, 9), (9, 19)) == [2, 1, 0]


def test_a_token_that_begins_between_counts_for_the_language_it_reaches() -> None:
    assert counts((0, 5), (5, 8), (8, 12), (13, 19)) == [1, 2, 1]


def test_a_token_of_no_length_counts_where_it_stands() -> None:
    assert counts((5, 5), (6, 6), (7, 7), (9, 9), (19, 19)) == [1, 2, 1]


def test_no_tokens_are_no_tokens() -> None:
    assert counts() == [0, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 8)), max_size=40))
def test_it_is_what_looking_at_each_token_gives(spans: list[tuple[int, int]]) -> None:
    tokens = cut(*((start, min(start + length, 19)) for start, length in sorted(spans)))
    assert language_counts(tokens, THREE) == obvious(tokens, THREE)


@pytest.mark.parametrize(
    "encoding",
    [
        TrainedEncoding(byte_level("the lantern the river the night")),
        TrainedEncoding(four_words()),
        TrainedEncoding(trained([("the fox\n\nder", 3)], preset("raw"))),
    ],
    ids=["bytes", "characters without most of the alphabet", "across everything"],
)
def test_all_tokens_of_the_story_are_counted_once(encoding: TrainedEncoding) -> None:
    story = joined()
    tokens = encoding.encode(story.text)
    found = language_counts(tokens, story)
    assert list(found) == list(languages())
    assert found == obvious(tokens, story)
    between = len(tokens) - sum(found.values())
    assert 0 <= between <= 2 * (len(found) - 1)


def test_a_byte_is_a_token_where_nothing_is_merged() -> None:
    story = joined(["en", "ja"])
    tokens = TrainedEncoding(byte_level("a b"), 0).encode(story.text)
    assert language_counts(tokens, story) == {
        code: len(languages()[code].text.encode()) for code in ("en", "ja")
    }

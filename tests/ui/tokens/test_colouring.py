"""The fills of tokens, by what the viewer has chosen to see in them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.token_colours import COLOUR_OF_END, COLOURS
from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus
from bpe_gui.ui.theme.token_palettes import (
    FIRST_OF_SCALE,
    FIRST_OF_TOKENS,
    OF_SCALE,
    ColourBy,
)
from bpe_gui.ui.tokens.colours import LEGENDS, TokenColouring
from tests.ui.histories import invented, trained

WHITESPACE = preset("whitespace")


@pytest.fixture(scope="module")
def history() -> History:
    return invented(2_000)


def fills(history: History, ids: list[int], by: ColourBy) -> list[int]:
    found = TokenColouring(history).fills(np.array(ids, np.int32), by)
    assert found is not None
    return found.tolist()


def test_a_token_has_one_fill_and_its_neighbours_by_id_have_others(history: History) -> None:
    ids = list(range(COLOURS))
    found = fills(history, ids, ColourBy.TOKEN)
    assert sorted(found) == list(range(FIRST_OF_TOKENS, FIRST_OF_TOKENS + COLOURS))
    assert fills(history, ids * 2, ColourBy.TOKEN) == found * 2


FOUR_WORDS = trained([("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)], WHITESPACE)


def test_no_token_looks_like_its_neighbour_while_four_words_are_merged() -> None:
    words = count_corpus(sample("four-words"), WHITESPACE)
    for position in range(len(FOUR_WORDS) + 1):
        segmented = SegmentedCorpus(words, FOUR_WORDS).segmented(position)
        for word in range(len(words)):
            found = fills(FOUR_WORDS, segmented.tokens(word).tolist(), ColourBy.TOKEN)
            assert all(a != b for a, b in pairwise(found)), (position, word)


def test_no_two_tokens_of_four_words_look_alike_at_any_position() -> None:
    words = count_corpus(sample("four-words"), WHITESPACE)
    for position in range(len(FOUR_WORDS) + 1):
        segmented = SegmentedCorpus(words, FOUR_WORDS).segmented(position)
        in_sight = {token for word in range(len(words)) for token in segmented.tokens(word)}
        found = fills(FOUR_WORDS, sorted(in_sight), ColourBy.TOKEN)
        assert len(set(found)) == len(in_sight), position


def test_the_symbol_that_ends_a_word_has_a_fill_that_no_token_has() -> None:
    ids = range(FOUR_WORDS.vocabulary_size(len(FOUR_WORDS)))
    found = fills(FOUR_WORDS, list(ids), ColourBy.TOKEN)
    own = FIRST_OF_TOKENS + COLOUR_OF_END
    ends = [FOUR_WORDS.id_to_token(token) for token in ids if found[token] == own]
    assert ends == ["</w>"]


def test_a_token_keeps_the_fill_in_which_it_was_announced_while_the_run_grows() -> None:
    trainer = Trainer(count_corpus(sample("story-english"), WHITESPACE), WHITESPACE)
    before: list[int] = []
    while trainer.advance(7):
        size = trainer.history.vocabulary_size(len(trainer.history))
        now = fills(trainer.history, list(range(size + 1)), ColourBy.TOKEN)
        assert now[: len(before)] == before
        before = now


def test_age_goes_by_the_digits_of_the_merge(history: History) -> None:
    made = [int(history.new_id[merge - 1]) for merge in (1, 10, 11, 100, 101, 1_000, 1_001)]
    steps = [fill - FIRST_OF_SCALE for fill in fills(history, [0, *made], ColourBy.AGE)]
    assert steps == [0, 1, 1, 2, 2, 3, 3, 4]
    assert len(LEGENDS[ColourBy.AGE]) == OF_SCALE


def test_length_goes_by_the_bytes_in_the_text(history: History) -> None:
    ids = list(range(history.vocabulary_size(len(history))))
    limits = (1, 2, 3, 5, 8)
    for token, fill in zip(ids, fills(history, ids, ColourBy.LENGTH), strict=True):
        size = len(history.bytes_in_text(token))
        assert fill - FIRST_OF_SCALE == sum(size > limit for limit in limits)
    assert len(LEGENDS[ColourBy.LENGTH]) == OF_SCALE


def test_unknown_tokens_and_places_are_left_to_others(history: History) -> None:
    assert TokenColouring(history).fills(np.array([0], np.int32), ColourBy.PLACE) is None
    for by in (ColourBy.TOKEN, ColourBy.AGE, ColourBy.LENGTH):
        assert len(fills(history, [NO_TOKEN, 0], by)) == 2

"""What is written above a text's symbols, and which positions are picked from a run."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.space_time import TextSymbols, glyphs, log_spaced
from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokenizer
from tests.ui.histories import byte_level, four_words


def symbols_of(history: History, text: str) -> TextSymbols:
    trace = StepwiseEncoding(history, text)
    spelled = trace.spelled
    begins = np.zeros(len(spelled.ids), np.bool_)
    begins[spelled.word_starts] = True
    merge_step = trace.segmentation.merge_step
    return TextSymbols(spelled.ids, spelled.starts, spelled.ends, begins, merge_step)


def written(history: History, text: str) -> list[tuple[int, str]]:
    """How many symbols each glyph has, and its text."""
    found = glyphs(symbols_of(history, text), history, text.encode())
    return [(glyph.last - glyph.first, glyph.text) for glyph in found]


def test_bytes_of_a_character_share_its_glyph() -> None:
    history = byte_level("low lower", 3)
    expected = [(1, "l"), (2, "é"), (1, "␣"), (4, "🙂"), (3, "词"), (2, "◌́"), (1, "↵")]
    assert written(history, "lé 🙂词\u0301\n") == expected


def test_a_lone_byte_is_in_hex() -> None:
    recipe = preset("gpt2")
    history = History(recipe, BaseVocabulary.of(recipe, CHARACTER_OF_BYTE), 0, 0)
    ids = np.array([history.base.texts.index(CHARACTER_OF_BYTE[byte]) for byte in b"\xc3a\x80"])
    columns = np.arange(3), np.arange(1, 4), np.ones(3, np.bool_), np.full(3, NEVER, np.int32)
    symbols = TextSymbols(ids.astype(np.int32), *columns)
    assert [glyph.text for glyph in glyphs(symbols, history, b"???")] == ["0xC3", "a", "0x80"]


def test_end_of_word_and_unknown_characters_are_glyphs() -> None:
    assert written(four_words(), "lowΩ") == [
        (1, "l"), (1, "o"), (1, "w"), (1, "Ω"), (1, "</w>"),
    ]  # fmt: skip


@given(text=st.text("lower nést词", max_size=30), data=st.data())
def test_tokens_begin_where_no_merge_has_removed_a_boundary(
    text: str, data: st.DataObject
) -> None:
    history = byte_level("low lower newest widest")
    symbols = symbols_of(history, text)
    position = data.draw(st.integers(0, len(history)))
    expected = Tokenizer(history, position).encode(text).ids
    assert len(symbols.token_starts(position)) == len(expected)
    in_time = symbols.merge_step[symbols.in_time()]
    assert (np.diff(in_time) >= 0).all()
    assert len(in_time) == len(symbols) - len(symbols.token_starts(len(history)))


@given(end=st.integers(0, 10**7), count=st.integers(3, 20))
def test_positions_go_from_the_start_to_the_end(end: int, count: int) -> None:
    found = log_spaced(end, count)
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (0, end)
    assert len(found) <= count

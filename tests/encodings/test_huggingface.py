"""tokenizer.json: what we write, the library reads and cuts texts the same way."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import PRESETS, Alphabet, EndOfWord, Recipe, Symbols, Ties
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import huggingface
from bpe_gui.encodings.base import EncodingError, ExportError

INTERESTING = (
    "aabbehlorstwxyzABLTſ'’ \t\n\r\f\v\x1c\x1f\x85\xa0\u2003\u2028\u3000"
    "0123456789²½.,;!?-_/<>(){}\\|$^&~#@\0\x07\xad\u200b\ufeff\ufffd\ue000\ue001\ue0ff"
    "éñüßİıǅʰªΩωдЖאبकิ์ไ漢字한글か゛e\u0301\u0308\u0323\u20dd😀👍🏽\U000e0041"
)

characters = st.one_of(
    st.sampled_from(INTERESTING),
    st.sampled_from("abc 'st\n"),
    # What the running Python knows, the library's Unicode tables know too.
    st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="ʕ"),
)
texts = st.text(characters, max_size=60)
corpora = st.lists(st.text(characters, max_size=30).map(lambda text: text * 3), max_size=6)


def train(recipe: Recipe, documents: list[str], merges: int = 1000) -> History:
    words = WordCounts.from_pairs([(text, 1) for text in documents if text], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(merges)
    return trainer.history


def assert_same_tokens(history: History, text: str, position: int | None = None) -> None:
    """The library, given our file, must give our ids, our tokens and our decoding."""
    library = LibraryTokenizer.from_str(huggingface.to_json(history, position))
    ours = Tokenizer(history, position, compiled=False)
    expected = [token for token in ours.encode(text).ids.tolist() if token != NO_TOKEN]
    encoded = library.encode(text)
    assert encoded.ids == expected
    assert encoded.tokens == [history.text(token) for token in expected]
    assert library.decode(expected, skip_special_tokens=False) == ours.decode(expected)


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_the_library_cuts_texts_as_we_do(preset: str, data: st.DataObject) -> None:
    special = data.draw(
        st.sampled_from([(), ("<|endoftext|>",), ("ab", "abc"), ("[a b]", "s"), (" a",)])
    )
    recipe = PRESETS[preset]
    recipe = recipe.with_changes(
        special_tokens=(*recipe.special_tokens, *special),
        vocabulary_size=None,
        min_frequency=data.draw(st.integers(1, 3)),
        ties=data.draw(st.sampled_from(list(Ties))),
    )
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=data.draw(st.sampled_from(list(Alphabet))))
    corpus = data.draw(corpora)
    history = train(recipe, corpus)
    position = data.draw(st.integers(0, len(history)))
    pieces = ["", *corpus, *special]
    text = data.draw(texts) + "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=4)))
    assert_same_tokens(history, text + data.draw(texts), position)

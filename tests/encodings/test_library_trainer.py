"""With ties to the lowest id, training equals Hugging Face's BpeTrainer: merges and ids."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Alphabet, Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.formats.huggingface_export import to_json

BYTE_LEVEL = ["gpt2", "gpt4", "o200k", "categories"]
# What the library's Unicode tables know as well.
TEXTS = st.one_of(
    st.text(alphabet="ab \n", max_size=60),
    st.text(alphabet="the cat sat's 123\n\n.é中ы!'LL", max_size=80),
)


def ours(documents: list[str], recipe: Recipe) -> History:
    words = WordCounts.from_pairs([(document, 1) for document in documents], recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(100_000)
    return trainer.history


def theirs(documents: list[str], recipe: Recipe, history: History) -> dict[str, object]:
    """The model that the library trains behind the same pre-tokenizer."""
    exported = Tokenizer.from_str(to_json(history))
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = exported.pre_tokenizer
    every_byte = recipe.alphabet is Alphabet.BYTES
    trainer = trainers.BpeTrainer(
        vocab_size=recipe.vocabulary_size or 10**6,
        min_frequency=recipe.min_frequency,
        special_tokens=list(recipe.special_tokens),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if every_byte else [],
        show_progress=False,
    )
    tokenizer.train_from_iterator(documents, trainer)
    model: dict[str, object] = json.loads(tokenizer.to_str())["model"]
    return model


def assert_equal(documents: list[str], recipe: Recipe) -> None:
    history = ours(documents, recipe)
    model = theirs(documents, recipe, history)
    merges = [
        [history.id_to_token(left), history.id_to_token(right)]
        for left, right in zip(history.left.tolist(), history.right.tolist(), strict=True)
    ]
    assert merges == model["merges"]
    size = history.vocabulary_size(len(history))
    assert {history.id_to_token(token): token for token in range(size)} == model["vocab"]


@pytest.mark.parametrize("name", BYTE_LEVEL)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    documents=st.lists(TEXTS, min_size=1, max_size=4),
    alphabet=st.sampled_from(list(Alphabet)),
    special=st.lists(st.sampled_from(["<|end|>", "ab", "st"]), unique=True, max_size=2),
    extra=st.integers(0, 30),
)
def test_random_corpora(
    name: str, documents: list[str], alphabet: Alphabet, special: list[str], extra: int
) -> None:
    recipe = preset(name).with_changes(
        ties=Ties.LOWEST_ID,
        alphabet=alphabet,
        special_tokens=tuple(special),
        vocabulary_size=256 + len(special) + extra,
        min_frequency=2,
    )
    assert_equal(documents, recipe)


@pytest.mark.parametrize("name", BYTE_LEVEL)
def test_a_page_of_many_scripts(name: str) -> None:
    text = b"".join(block.text for block in sample("scripts").blocks()).decode()
    recipe = preset(name).with_changes(ties=Ties.LOWEST_ID, vocabulary_size=1500, min_frequency=2)
    assert_equal([text], recipe)

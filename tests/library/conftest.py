"""A tokenizer that was trained on a text, for tests that only ask it."""

from __future__ import annotations

import pytest

from bpe_gui import train
from bpe_gui.library import Tokenizer

STORY = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the "
    "age of foolishness. Naïve 漢字 👍🏽, isn't it? 12345\n\n"
) * 20


@pytest.fixture(scope="package")
def tokenizer() -> Tokenizer:
    return train([STORY], preset="gpt2", vocab_size=300, special_tokens=["<end>"])

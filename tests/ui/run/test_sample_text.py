"""The text at first suits the corpus, unless somebody has written one."""

from __future__ import annotations

import pytest

from bpe_gui.bpe.corpus import SAMPLES, sample
from bpe_gui.ui.run.sample_text import DEFAULT_TEXT, TEXTS_OF_SAMPLES, SampleText

OF_EARLIER_VERSIONS = (
    "Frequent words become one token; rare words are split into several.\n"
    "It began with translation in 2016 and works in every script: слова, 词语, शब्द 🙂"
)


def test_the_text_suits_the_corpus() -> None:
    text = SampleText()
    assert text.text == DEFAULT_TEXT
    for name in SAMPLES:
        text.suit(name)
        assert text.text == TEXTS_OF_SAMPLES.get(name, DEFAULT_TEXT)
    text.suit(("novel.txt",))
    assert text.text == DEFAULT_TEXT
    text.set("my own")
    text.suit("four-words")
    assert text.text == "my own"


def test_the_text_of_an_earlier_version_was_not_written_either() -> None:
    text = SampleText()
    text.set(OF_EARLIER_VERSIONS)
    text.suit("story-english")
    assert text.text == TEXTS_OF_SAMPLES["story-english"]


@pytest.mark.parametrize("name", [name for name in TEXTS_OF_SAMPLES if name != "four-words"])
def test_the_corpus_has_the_letters_of_its_text(name: str) -> None:
    [block] = sample(name).blocks()
    wanted, corpus = TEXTS_OF_SAMPLES[name], block.text.decode()
    assert set(wanted) <= set(corpus)
    assert wanted not in corpus

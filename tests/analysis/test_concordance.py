"""Places of tokens and pairs, held against what training counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.concordance import CONTEXT, Occurrence, find_places
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import History
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus
from tests.bpe.test_trainer import recipes, texts


def segmented(documents: list[str], recipe: Recipe) -> SegmentedCorpus:
    words = count_corpus(Texts(documents), recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(40)
    return SegmentedCorpus(words, trainer.history)


def places(
    documents: list[str], history: History, position: int, *tokens: int, limit: int = 10_000
) -> list[Occurrence]:
    found: list[Occurrence] = []
    find_places(Texts(documents), history, position, tokens, found.extend, limit=limit)
    return found


@given(documents=st.lists(texts, min_size=1, max_size=4), recipe=recipes(), data=st.data())
def test_finds_as_many_as_training_counted(
    documents: list[str], recipe: Recipe, data: st.DataObject
) -> None:
    if not any(documents):
        return
    corpus = segmented(documents, recipe)
    position = data.draw(st.integers(0, corpus.length))
    counts = corpus.token_counts(position)
    whole = [normalize(document, recipe.normalizers).encode() for document in documents]
    for token in counts.nonzero()[0].tolist()[:6]:
        found = places(documents, corpus.history, position, token)
        assert len(found) == counts[token]
        for place in found:
            assert place.parts == (corpus.history.bytes_in_text(token),)
            assert any(place.before + place.parts[0] + place.after in text for text in whole)
    pairs = corpus.pairs(position)
    expected = Counter(
        dict(zip(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True), pairs.count.tolist(),
                 strict=True))
    )  # fmt: skip
    for pair, count in list(expected.items())[:6]:
        assert len(places(documents, corpus.history, position, *pair)) == count


@pytest.mark.parametrize("name", ["gpt2", "raw", "whitespace"])
def test_the_context_ends_with_the_document(name: str) -> None:
    documents = ["the cat", "a cat sat"]
    recipe = preset(name).with_changes(min_frequency=2, vocabulary_size=None)
    history = segmented(documents, recipe).history
    made = [history.id_to_token(token) for token in range(history.vocabulary_size(len(history)))]
    token = next(made.index(text) for text in ("Ġcat", " cat", "cat</w>") if text in made)
    found = places(documents, history, len(history), token)
    assert [place.before.strip() for place in found] == [b"the", b"a"]
    assert [place.after for place in found] == [b"", b" sat"]


def test_the_context_is_of_whole_characters() -> None:
    documents = ["ж" * 500 + "x" + "ж" * 500]
    history = segmented(documents, preset("raw").with_changes(merges=0)).history
    [place] = places(documents, history, 0, history.base.texts.index("x"))
    assert place.before.decode() == place.after.decode() == "ж" * (CONTEXT // 2)


def test_so_many_are_enough() -> None:
    history = segmented(["a" * 50], preset("raw").with_changes(merges=0)).history
    found: list[Occurrence] = []
    assert not find_places(Texts(["a" * 50]), history, 0, (0,), found.extend, limit=7)
    assert len(found) == 7


def test_it_is_given_up_when_nobody_wants_it() -> None:
    def check() -> None:
        raise Cancelled

    history = segmented(["low"], preset("raw")).history
    with pytest.raises(Cancelled):
        find_places(Texts(["low"]), history, 0, (0,), list, check=check)

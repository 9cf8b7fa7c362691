"""The rows of the words, cut at a position: as Qt wants them, and as the oracle cuts them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.word_list import (
    Marked,
    QueriedCorpus,
    WordOrder,
    WordQuery,
    WordSort,
)
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.panels.words.table import WordsModel
from tests import oracle
from tests.bpe.test_trainer import corpora, recipes
from tests.ui.panels.stories import four_words_run, train_words


def test_the_model_is_a_model(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    words, history = four_words_run()
    order = WordOrder(QueriedCorpus(words, history))
    model = WordsModel()
    qtmodeltester.check(model)
    for position, query in (
        (0, WordQuery()),
        (3, WordQuery()),
        (3, WordQuery(WordSort.CORPUS)),
        (15, WordQuery()),
    ):
        model.show(order.answer(position, query))
        qtmodeltester.check(model)
    model.show(None)
    qtmodeltester.check(model)


@settings(max_examples=40)
@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_words_are_cut_as_the_oracle_cuts_them(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    words, trainer = train_words(corpus, recipe, merges=10_000)
    history = trainer.history
    position = data.draw(st.integers(0, len(history)))
    sort = data.draw(st.sampled_from(list(WordSort)))
    model = WordsModel()
    order = WordOrder(QueriedCorpus(words, history, compiled=False))
    model.show(order.answer(position, WordQuery(sort)))
    run = oracle.train(corpus, recipe.with_changes(merges=position))
    cut = model.cut_rows(0, model.rowCount())
    assert Counter(row.tokens for row in cut) == Counter(tuple(word) for word in run.words)
    by_tokens = {row.word: row.tokens for row in cut}
    in_order = [by_tokens[word] for word in range(len(words))]
    assert in_order == [tuple(word) for word in run.words]
    # What glows is what the next merge does.
    glowing = model.words
    assert glowing is not None
    end = min(position + 1, len(history))
    following = oracle.train(corpus, recipe.with_changes(merges=end))
    merges = following.merges[position:]
    changed = [
        word
        for word, (one, other) in enumerate(zip(run.words, following.words, strict=True))
        if one != other
    ]
    assert sorted(row.word for row in cut if row.merging) == changed
    assert glowing.touched == len(changed)
    for row in cut:
        tokens = list(row.tokens)
        for left, right, new in merges:
            assert [tokens[place : place + 2] for place in row.merging] == (
                [[left, right]] * len(row.merging)
            )
            for place in reversed(row.merging):
                tokens[place : place + 2] = [new]
        assert tokens == following.words[row.word]
    if end == position:
        return
    # From behind, the same words are marked, with what the merge has made.
    done = order.answer(end, WordQuery(sort, marked=Marked.LAST))
    assert (done.touched, done.marks_last) == (len(changed), True)
    model.show(done)
    made = merges[0][2]
    for row in model.cut_rows(0, model.rowCount()):
        assert row.merged
        assert row.tokens == tuple(following.words[row.word])
        assert row.merging == tuple(p for p, token in enumerate(row.tokens) if token == made)
        assert bool(row.merging) == (row.word in changed)

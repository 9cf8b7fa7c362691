"""Explanations against the oracle at every step of random runs."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bpe_gui.analysis.explain import MOST_PLACED, Explanation, explain, explain_next, sentence
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import Decision, Intervention
from bpe_gui.bpe.recipe import Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes


def segmented(corpus: list[tuple[str, int]], recipe: Recipe) -> SegmentedCorpus:
    words = WordCounts.from_pairs(corpus, recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(10_000)
    return SegmentedCorpus(words, trainer.history)


def explained(corpus: SegmentedCorpus) -> list[Explanation]:
    return [explain(corpus, step) for step in range(corpus.length)]


@given(corpus=corpora, recipe=recipes())
def test_equals_the_oracle_at_every_step(corpus: list[tuple[str, int]], recipe: Recipe) -> None:
    run = oracle.train(corpus, recipe)
    found = segmented(corpus, recipe)
    for explanation in explained(found):
        position = run.positions[explanation.step]
        left, right, count = position.pairs[0]
        assert (explanation.left, explanation.right, explanation.count) == (left, right, count)
        assert sum(share.total for share in explanation.shares) == count
        tied = [(a, b) for a, b, n in position.pairs[1:] if n == count]
        assert list(explanation.tied) == tied
        after = run.positions[explanation.step + 1]
        assert explanation.saved == position.tokens - after.tokens
        moved = Counter({(a, b): n for a, b, n in after.pairs})
        moved.subtract({(a, b): n for a, b, n in position.pairs if (a, b) != (left, right)})
        moved.pop((left, right), None)
        changes = {(c.left, c.right): c.amount for c in explanation.lost + explanation.gained}
        changes.pop((left, right), None)
        before = {(a, b): n for a, b, n in position.pairs}
        assert all(c.before == before[c.left, c.right] for c in explanation.lost)
        assert changes == {pair: n for pair, n in moved.items() if n}


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_tied_pairs_are_placed_in_the_first_words_that_hold_them(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    found = segmented(corpus, recipe)
    if not found.length:
        return
    explanation = explain(found, data.draw(st.integers(0, found.length - 1)))
    if not explanation.tied or recipe.ties is Ties.LOWEST_ID:
        assert explanation.first_places == ()
        return
    cut = found.segmented(explanation.step)
    pairs_of = [list(pairwise(cut.tokens(word).tolist())) for word in range(len(cut.words))]
    pairs = [(explanation.left, explanation.right), *explanation.tied][: MOST_PLACED + 1]
    places = [
        next((word, held.index(pair)) for word, held in enumerate(pairs_of) if pair in held)
        for pair in pairs
    ]
    assert places == sorted(places), "the rule: the first one wins"
    assert [place.word for place in explanation.first_places] == [word for word, _ in places]


def test_a_tied_pair_far_behind_is_placed() -> None:
    letters = [chr(0x4E00 + index) for index in range(3000)]
    corpus = segmented([("ab", 2), *((letter, 1) for letter in letters), ("cd", 2)],
                       preset("whitespace").with_changes(merges=1))  # fmt: skip
    first = explain(corpus, 0)
    places = [(place.word, place.text) for place in first.first_places]
    assert places == [(0, b"ab"), (0, b"ab"), (3001, b"cd"), (3001, b"cd")]


def test_in_very_long_words_pairs_are_neither_placed_nor_counted_before() -> None:
    recipe = preset("raw").with_changes(merges=1)
    found = explain(segmented([("ab" * 1_250_000 + "cd" * 1_250_000, 1)], recipe), 0)
    assert (found.tied, found.first_places) == (((2, 3),), ())
    assert [(lost.amount, lost.before) for lost in found.lost] == [(-1_249_999, None), (-1, None)]


@pytest.mark.parametrize("others", [[("xy", 1)], [("ab", 1), ("xy", 1)]])
def test_a_run_of_other_words_than_it_says_is_explained_without_places(
    others: list[tuple[str, int]],
) -> None:
    """As in a session whose words somebody has changed."""
    recipe = preset("raw")
    history = segmented([("ab", 1), ("cd", 1)], recipe).history
    # The same characters, of which some pairs occur nowhere.
    words = WordCounts.from_pairs([*others, ("dcba", 1)], recipe)
    corpus = SegmentedCorpus(words, history)
    assert explain(corpus, 0).tied == ((2, 3),)
    assert explain(corpus, 0).first_places == ()


def test_a_merge_that_spells_a_special_token_has_its_id_before_it_is_done() -> None:
    recipe = preset("whitespace").with_changes(special_tokens=("ab",))
    found = segmented([("ab", 1)], recipe)
    before = explain_next(found.words, found.history.until(0))
    assert before == explain(found, 0)
    assert before.new_id == 0


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_a_merge_is_explained_before_it_is_done_as_it_is_afterwards(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    found = segmented(corpus, recipe)
    step = data.draw(st.integers(0, found.length))
    before = explain_next(found.words, found.history.until(step))
    if step < found.length:
        assert before == replace(explain(found, step), stopped=None)
    elif before is not None:
        assert before.step == step


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_pairs_are_counted_as_the_oracle_counts_them(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    found = segmented(corpus, recipe)
    position = data.draw(st.integers(0, found.length))
    pairs = found.pairs(position)
    rows = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.count.tolist(), strict=True)
    assert sorted(rows) == sorted(oracle.train(corpus, recipe).positions[position].pairs)


@pytest.mark.parametrize("compiled", [False, True])
def test_more_pairs_than_the_first_table_holds(compiled: bool) -> None:
    # Each x has a neighbour of its own on either side, so each merge touches many pairs.
    letters = [chr(0x4E00 + index) for index in range(5000)]
    recipe = preset("raw").with_changes(merges=1)
    words = WordCounts.from_pairs([("".join(f"xy{letter}" for letter in letters), 3)], recipe)
    trainer = Trainer(words, recipe, compiled=compiled)
    trainer.advance(1)
    corpus = SegmentedCorpus(words, trainer.history, compiled=compiled)
    explanation = explain(corpus, 0)
    assert explanation.count == 15_000
    assert len(explanation.lost) == len(letters) + len(letters) - 1
    assert {change.amount for change in explanation.lost} == {-3}
    assert len(corpus.pairs(0)) == 1 + 5000 + 4999
    with pytest.raises(IndexError):
        corpus.pairs(2)


def test_cutting_ends_when_nobody_waits_for_it() -> None:
    recipe = preset("raw")
    words = WordCounts.from_pairs([("abcabc", 1)], recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(2)
    with pytest.raises(Cancelled):
        SegmentedCorpus(words, trainer.history, cancelled=lambda: True)


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_words_are_cut_as_the_oracle_cuts_them(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    found = segmented(corpus, recipe)
    position = data.draw(st.integers(0, found.length))
    run = oracle.train(corpus, recipe.with_changes(merges=position))
    cut = found.segmented(position)
    merged = [word for word in run.words if len(word)]
    texts = [[run.vocabulary[token] for token in word] for word in merged]
    shown = [
        [found.history.id_to_token(int(token)) for token in cut.tokens(place)]
        for place in range(len(cut.words))
    ]
    assert sorted(shown) == sorted(texts)


def test_four_words() -> None:
    corpus = segmented(FOUR_WORDS, preset("whitespace"))
    first = explain(corpus, 0)
    assert [(s.text, s.word_count, s.occurrences) for s in first.shares] == [
        (b"newest", 6, 1),
        (b"widest", 3, 1),
    ]
    assert first.margin == 0
    assert sentence(first, corpus.history) == (
        "“e” and “s” are neighbours 9 times in the corpus, as often as 2 other pairs; the tie is "
        "broken by first occurrence, so they become “es”."
    )
    lost = {(corpus.history.id_to_token(c.left), corpus.history.id_to_token(c.right)): c.amount
            for c in first.lost}
    assert lost[("s", "t")] == -9
    last = explain(corpus, corpus.length - 1)
    assert last.stopped is not None


def test_lowest_id_is_named() -> None:
    recipe = preset("whitespace").with_changes(ties=Ties.LOWEST_ID)
    corpus = segmented(FOUR_WORDS, recipe)
    assert "lowest ids" in sentence(explain(corpus, 0), corpus.history)


def test_a_pair_chosen_by_hand_is_told_as_such() -> None:
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(FOUR_WORDS, recipe)
    natural = Trainer(words, recipe).history.top(0)
    forced = Intervention(0, Decision.FORCE, int(natural.left[1]), int(natural.right[1]))
    trainer = Trainer(words, recipe, interventions=[forced])
    trainer.advance(2)
    corpus = SegmentedCorpus(words, trainer.history)
    assert "chosen by hand" in sentence(explain(corpus, 0), corpus.history)
    assert "chosen by hand" not in sentence(explain(corpus, 1), corpus.history)

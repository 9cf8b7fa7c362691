"""The questions of the guessing game, and what is said about them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import Decision, Intervention, StopReason
from bpe_gui.bpe.recipe import Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.ui.panels.guess.game import Guesses, Question, Score, question_at
from bpe_gui.ui.panels.guess.wording import (
    hint,
    no_question,
    reason,
    short_reason,
    spoken_answer,
    spoken_question,
    tooltip,
    verdict,
)
from tests import oracle
from tests.bpe.test_trainer import corpora, recipes
from tests.ui.histories import four_words, invented, trained
from tests.ui.panels.offered import asked, byte, offered
from tests.ui.panels.stories import NEIGHBOURS, many_ties_run


def pairs(question: Question) -> list[tuple[int, int]]:
    return [(candidate.left, candidate.right) for candidate in question.candidates]


def winner(question: Question) -> tuple[int, int]:
    return pairs(question)[question.answer]


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_the_winner_is_offered_with_its_strongest_rivals(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    history = trained(corpus, recipe, 10_000)
    run = oracle.train(corpus, recipe)
    position = data.draw(st.integers(0, len(history)))
    ranked = run.positions[position].pairs
    question = question_at(history, position)
    if position == len(history) or len(ranked) < 2:
        assert question is None
        assert no_question(history, position).endswith(".")
        return
    assert question is not None
    assert winner(question) == run.merges[position][:2]
    offers = [(each.left, each.right, each.count) for each in question.candidates]
    assert sorted(offers) == sorted(ranked[:4])


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_a_replay_asks_the_same(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    whole = trained(corpus, recipe, 10_000)
    if not len(whole):
        return
    position = data.draw(st.integers(0, len(whole) - 1))
    # Also of a run that has not come any further yet.
    begun = trained(corpus, recipe, position)
    assert question_at(begun, position) == question_at(whole, position)


def test_the_place_of_the_answer_tells_nothing() -> None:
    history = invented(800)
    found = Counter(asked(history, position).answer for position in range(700))
    assert set(found) == {0, 1, 2, 3}
    assert all(130 < times < 220 for times in found.values())


def test_the_order_does_not_depend_on_counts_and_ranks() -> None:
    some = [(byte(left), byte(right)) for left, right in ("th", "he", "in", "er")]
    orders = set()
    for turn in range(4):
        ranked = [(*pair, 90 - rank) for rank, pair in enumerate(some[turn:] + some[:turn])]
        question = asked(offered(ranked), 0)
        assert winner(question) == some[turn]
        orders.add(tuple(pairs(question)))
    assert len(orders) == 1


def test_a_merge_that_was_chosen_by_hand_is_not_guessed() -> None:
    words, history = many_ties_run(0)
    top = history.top(0)
    chosen = int(top.left[15]), int(top.right[15])
    forced = Intervention(0, Decision.FORCE, *chosen)
    trainer = Trainer(words, history.recipe, compiled=False, interventions=[forced])
    trainer.advance(1)
    assert question_at(trainer.history, 0) is None
    assert no_question(trainer.history, 0).startswith("This merge was chosen by hand")
    assert question_at(trainer.history, 1) is not None
    # Where the rule would have taken the same pair, it is asked for.
    same = Intervention(0, Decision.FORCE, int(top.left[0]), int(top.right[0]))
    trainer = Trainer(words, history.recipe, compiled=False, interventions=[same])
    trainer.advance(1)
    assert winner(asked(trainer.history, 0)) == (same.left, same.right)


def test_two_pairs_are_a_question_and_one_is_none() -> None:
    two = trained([("ab", 3), ("cd", 2)], preset("raw"))
    assert len(asked(two, 0).candidates) == 2
    assert hint(asked(two, 0)).startswith("Press 1 to 2,")
    assert question_at(two, 1) is None
    assert no_question(two, 1) == "Only one pair is left: there is nothing to guess."
    assert no_question(two, 2) == (
        "No pair is left: every word of the corpus is a single token. "
        "Press Home to guess from the first merge."
    )


def test_after_the_end_nothing_is_asked() -> None:
    recipe = preset("whitespace").with_changes(merges=2)
    history = trained([("low", 5), ("lower", 2)], recipe)
    assert history.stopped is StopReason.MERGES
    assert question_at(history, 2) is None
    assert no_question(history, 2) == (
        "The training has stopped: number of merges reached. "
        "Press Home to guess from the first merge."
    )
    assert question_at(four_words(3), 3) is not None, "more can be trained"


def test_no_corpus_and_an_empty_one() -> None:
    assert no_question(None, 0).startswith("Open a corpus to ")
    empty = trained([], preset("whitespace"))
    assert question_at(empty, 0) is None
    assert no_question(empty, 0) == "The corpus is empty: there are no pairs to count."


def test_positions_outside_are_refused() -> None:
    history = four_words()
    for position in (-1, len(history) + 1):
        with pytest.raises(IndexError, match="outside"):
            question_at(history, position)


# -- the score --------------------------------------------------------------------------------


def test_the_score() -> None:
    assert str(Score()) == ""
    assert str(Score(3, 2)) == "2 of 3 right"
    assert str(Score(1200, 1100)) == "1,100 of 1,200 right"


def test_each_question_counts_once() -> None:
    history, guesses = four_words(), Guesses()
    first, second, third = (asked(history, position) for position in range(3))
    assert guesses.guess(first, first.answer)
    wrong = (second.answer + 1) % 4
    assert not guesses.guess(second, wrong)
    guesses.reveal(2)
    assert guesses.score == Score(2, 1)
    assert guesses.guessed(1) == pairs(second)[wrong]
    assert guesses.guessed(2) is None
    assert [guesses.is_revealed(position) for position in range(4)] == [True, True, True, False]
    guesses.reveal(1)
    assert guesses.guessed(1) == pairs(second)[wrong], "a guess is not forgotten"
    for question in (first, third):
        with pytest.raises(ValueError, match="already"):
            guesses.guess(question, 0)
    assert guesses.score == Score(2, 1)


# -- what is said -----------------------------------------------------------------------------


def test_why_it_won() -> None:
    history = four_words()
    assert reason(history, asked(history, 0)) == (
        "“e” and “s” are neighbours 9 times in the corpus, as often as 2 other pairs; the tie is "
        "broken by first occurrence, so they become “es”."
    )
    assert reason(history, asked(history, 4)) == (
        "“lo” and “w” are neighbours 7 times in the corpus, 1 more than “n” and “e”, so they "
        "become “low”."
    )
    # Several of those that were offered may have its count.
    assert short_reason(history, asked(history, 4)) == "1 more than the runner-up"


@pytest.mark.parametrize(
    ("ties", "rule"),
    [(Ties.FIRST_SEEN, "first occurrence"), (Ties.LOWEST_ID, "the lowest ids")],
)
def test_the_rule_is_told_for_more_ties_than_are_ranked(ties: Ties, rule: str) -> None:
    history = trained([(NEIGHBOURS, 1)], preset("whitespace").with_changes(ties=ties))
    text = reason(history, asked(history, 0))
    assert "are neighbours once in the corpus, as often as at least 19 other pairs; " in text
    assert f"broken by {rule}, so they become “" in text


def test_the_merge_that_is_still_to_come_is_explained() -> None:
    history = four_words(4)
    assert reason(history, asked(history, 4)).endswith("so they become “low”.")


def test_where_the_run_has_ended_since_that_is_told() -> None:
    history = four_words(4)
    question = asked(history, 4)
    history.stopped = StopReason.VOCABULARY_SIZE
    assert reason(history, question) == short_reason(history, question) == (
        "The training has stopped: vocabulary size reached. "
        "Press Home to guess from the first merge."
    )


def test_what_is_tied_with_the_merged_pair_is_right() -> None:
    question, guesses = asked(four_words(), 0), Guesses()
    right = [place for place in range(4) if question.is_right(place)]
    assert {question.candidates[place].count for place in right} == {9}
    assert len(right) == 3
    tied = next(place for place in right if place != question.answer)
    assert verdict(question, tied) == f"Right, tied with pair {question.answer + 1}"
    assert guesses.guess(question, tied)
    assert guesses.score == Score(1, 1)


def test_the_verdict() -> None:
    question = asked(four_words(), 0)
    number = question.answer + 1
    assert verdict(question, question.answer) == f"Right, it is pair {number}"
    assert verdict(question, (question.answer + 1) % 4) == f"No, it is pair {number}"
    assert verdict(question, None) == f"Answer: pair {number}"


def test_what_a_screen_reader_says() -> None:
    history = four_words()
    question = asked(history, 4)
    text = spoken_question(history, question, None)
    assert text.startswith("Which pair is merged next? It is merge 5. 1: ")
    assert "lo + w" in text
    assert text.endswith("Press 1 to 4, or click. R reveals.")
    moved = spoken_question(history, question, 1)
    left, right = (history.id_to_token(token) for token in pairs(question)[1])
    assert moved == f"Pair 2: {left} + {right}. {text}"
    answer = spoken_answer(history, question, question.answer, "1 of 1 right")
    assert answer.startswith(f"Right, it is pair {question.answer + 1}. “lo” and “w” are")
    assert f"{question.answer + 1}: lo + w: 7 times" in answer
    assert answer.endswith("1 of 1 right. Enter goes on to the next question.")


@given(data=st.data())
def test_nothing_that_is_said_before_depends_on_the_answer(data: st.DataObject) -> None:
    ids = st.integers(0, 255)
    some = data.draw(st.lists(st.tuples(ids, ids), min_size=2, max_size=4, unique=True))
    said = []
    for _ in range(2):
        counts = data.draw(st.lists(st.integers(1, 9999), min_size=len(some), max_size=len(some)))
        order = data.draw(st.permutations(some))
        ranked = [(*pair, count) for pair, count in zip(order, sorted(counts)[::-1], strict=True)]
        history = offered(ranked)
        question = asked(history, 0)
        assert winner(question) == order[0]
        tips = [tooltip(history, question, i, revealed=False) for i in range(len(some))]
        said.append((spoken_question(history, question, None), hint(question), tips))
        for place, candidate in enumerate(question.candidates):
            shown = tooltip(history, question, place, revealed=True)
            assert shown.endswith("once" if candidate.count == 1 else f"{candidate.count:,} times")
    assert said[0] == said[1]


def test_the_order_is_that_of_every_process() -> None:
    history = trained([("low", 5), ("lower", 2)], preset("whitespace"))
    question = asked(history, 0)
    shown = [tooltip(history, question, place, revealed=False) for place in range(4)]
    assert shown == ["w + </w>", "w + e", "o + w", "l + o"]

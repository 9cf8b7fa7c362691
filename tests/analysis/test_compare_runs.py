"""Recipes in lockstep, against what their tokens spell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.compare_runs import FROM_START, MISSING, Lockstep, lockstep
from bpe_gui.analysis.kernels import fingerprints
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import EndOfWord, Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes


def trained(corpus: list[tuple[str, int]], recipe: Recipe) -> History:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe), recipe)
    trainer.advance(60)
    return trainer.history


Key = tuple[bytes, bool]


def spelled(history: History, marks: bool) -> tuple[list[Key], list[Key]]:
    """What the symbols stand for, and what each merge makes, put together from its parts.

    A merge may share the id of a special token, whose own content is the text as written.
    """

    def known(token: int) -> Key:
        return history.bytes_in_text(token), marks and history.ends_word(token)

    texts = {token: known(token) for token in range(len(history.base))}
    made = []
    merges = zip(
        history.left.tolist(), history.right.tolist(), history.new_id.tolist(), strict=True
    )
    for left, right, new in merges:
        texts[new] = texts[left][0] + texts[right][0], texts[right][1]
        made.append(texts[new])
    return [known(token) for token in history.base.symbol_ids], made


def expected_steps(symbols: list[Key], made: list[Key]) -> dict[Key, int]:
    steps = dict.fromkeys(symbols, FROM_START)
    for step, text in enumerate(made):
        steps.setdefault(text, step)
    return steps


def assert_equals_oracle(found: Lockstep) -> None:
    histories = found.histories
    marked = [history.recipe.end_of_word is not EndOfWord.NONE for history in histories]
    marks = all(marked)
    assert found.marks_left_out == (any(marked) and not marks)
    texts = [spelled(history, marks) for history in histories]
    made = [merged for _, merged in texts]
    steps = [expected_steps(*text) for text in texts]
    assert found.lengths == tuple(map(len, made))
    common = min(map(len, made))
    parting = [step for step in range(common) if len({keys[step] for keys in made}) > 1]
    assert found.parts_at == (parting[0] if parting else None)
    for run, keys in enumerate(made):
        first = [steps[run][k] == step for step, k in enumerate(keys)]
        assert found.repeats(run).tolist() == [not is_first for is_first in first]
        for other in range(len(histories)):
            expected = [
                steps[other].get(k, MISSING) if is_first else MISSING
                for k, is_first in zip(keys, first, strict=True)
            ]
            assert found.partners(run, other).tolist() == expected
        others = [steps[other] for other in range(len(histories)) if other != run]
        assert found.only(run).tolist() == [
            step
            for step, k in enumerate(keys)
            if first[step] and not any(k in other for other in others)
        ]
    assert found.shared() == sum(
        steps[0][k] == step and all(k in other for other in steps[1:])
        for step, k in enumerate(made[0])
    )


@pytest.mark.parametrize("compiled", [False, True])
@given(corpus=corpora, runs=st.lists(recipes(), min_size=2, max_size=3))
def test_equals_the_oracle(
    compiled: bool, corpus: list[tuple[str, int]], runs: list[Recipe]
) -> None:
    histories = [trained(corpus, recipe) for recipe in runs]
    assert_equals_oracle(lockstep(histories, compiled=compiled))


def test_the_same_recipe_never_parts() -> None:
    history = trained(FOUR_WORDS, preset("whitespace"))
    found = lockstep([history, history])
    assert found.parts_at is None
    assert found.partners(0, 1).tolist() == list(range(len(history)))
    assert found.only(0).tolist() == []
    assert found.shared() == len(history)


def test_marks_count_only_where_all_have_them() -> None:
    own = trained([("est test", 3)], preset("whitespace"))
    joined = trained([("est test", 3)], preset("char-bpe"))
    none = trained([("est test", 3)], preset("gpt2"))
    both = lockstep([own, joined])
    assert not both.marks_left_out
    made = [own.id_to_token(token) for token in own.new_id.tolist()]
    assert both.partners(0, 1)[made.index("est</w>")] >= 0
    mixed = lockstep([own, none])
    assert mixed.marks_left_out
    # Without its mark t</w> is a letter, which is there from the start.
    letters = [step for step, text in enumerate(made) if text == "t</w>"]
    assert mixed.partners(0, 1)[letters].tolist() == [MISSING] * len(letters)
    assert mixed.repeats(0)[letters].all()


def test_a_letter_of_several_bytes_is_there_from_the_start_of_characters() -> None:
    corpus = [("éé éé", 5)]
    by_bytes, by_characters = trained(corpus, preset("gpt2")), trained(corpus, preset("raw"))
    found = lockstep([by_bytes, by_characters])
    made = [by_bytes.token_bytes(token) for token in by_bytes.new_id.tolist()]
    assert found.partners(0, 1)[made.index("é".encode())] == FROM_START
    assert found.parts_at == 0


def test_a_history_that_grows() -> None:
    recipe = preset("gpt2")
    trainer = Trainer(WordCounts.from_pairs([("newest widest", 3)], recipe), recipe)
    trainer.advance(2)
    before = lockstep([trainer.history, trainer.history])
    trainer.advance(3)
    assert before.lengths == (2, 2)
    assert lockstep([trainer.history, trainer.history]).lengths == (5, 5)


def test_fingerprints_are_modulo_different_primes() -> None:
    primes = {
        fingerprints._FIRST, fingerprints._SECOND, fingerprints._THIRD, fingerprints._FOURTH
    }
    assert len(primes) == fingerprints.PRIMES
    for prime in primes:
        assert 2**30 < prime < 2**31
        assert all(prime % factor for factor in range(2, 46_341))

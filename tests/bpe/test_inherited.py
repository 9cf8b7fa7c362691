"""Runs that go on from an encoding: its merges, then those of the corpus, as the oracle has it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.history import Decision, History, Intervention, InterventionError, StopReason
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.recipe import EndOfWord, Recipe, RecipeError, Symbols, Ties, preparation, preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.bpe.test_trainer import assert_equals_oracle, trained

corpora = st.lists(
    st.tuples(st.text(alphabet="abc ", max_size=30), st.integers(1, 5)), min_size=1, max_size=4
)
ties = st.sampled_from(list(Ties))


def inherited_from(history: History, *, first_new_id: int | None = None) -> Inherited:
    """What a run has that goes on from another, with special tokens behind all others."""
    base, size = history.base, history.vocabulary_size(len(history))
    ids = np.roll(np.arange(size, dtype=np.int32), base.special)
    merges = np.stack((history.left, history.right, history.new_id), axis=1)
    symbols = tuple(base.texts[token] for token in base.symbol_ids)
    kept = preparation(history.recipe)
    return Inherited("other", symbols, kept, merges, ids, first_new_id or size, "")


def any_order(
    symbols: str, pairs: list[tuple[int, int]], special: int, split: str = "none"
) -> Inherited:
    """Merges as no training would make them: of pairs chosen at will, some making a token twice."""
    texts = [*map(str, range(special)), *symbols]
    rows = []
    for left, right in pairs:
        left, right = (special + side % (len(texts) - special) for side in (left, right))
        text = texts[left] + texts[right]
        if len(text) > 8 or any(row[:2] == (left, right) for row in rows):
            continue
        if text in texts and rows and texts[rows[-1][2]] != text:
            continue  # an encoding that makes a token again when it is in use is refused
        if text not in texts:
            texts.append(text)
        rows.append((left, right, texts.index(text)))
    merges = np.array(rows, np.int32).reshape(-1, 3)
    recipe = preset("raw").with_changes(split=split, special_tokens=tuple(texts[:special]))
    ids = np.arange(len(texts), dtype=np.int32)
    return Inherited(
        "any", tuple(symbols), preparation(recipe), merges, ids, len(texts), ""
    )


@settings(max_examples=settings.default.max_examples * 2)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12),
    corpora,
    ties,
    st.integers(0, 3),
    st.none() | st.integers(0, 25),
    st.sampled_from(["none", "whitespace"]),
)
def test_merges_of_any_order_come_first(
    pairs: list[tuple[int, int]],
    corpus: list[tuple[str, int]],
    tie: Ties,
    least: int,
    merges: int | None,
    split: str,
) -> None:
    recipe = preset("raw").with_changes(
        split=split, ties=tie, min_frequency=least, vocabulary_size=None, merges=merges,
        special_tokens=("0", "1"), inherited=any_order("ab", pairs, 2, split),
    )  # fmt: skip
    assert_equals_oracle(corpus, recipe, compiled=False)


@given(corpora, corpora, ties, st.integers(0, 40))
def test_compiled_and_bounded_by_size(
    first: list[tuple[str, int]], second: list[tuple[str, int]], tie: Ties, size: int
) -> None:
    recipe = preset("raw").with_changes(
        vocabulary_size=None, merges=5, special_tokens=("<end>", "ab"), ties=tie
    )
    inherited = inherited_from(trained(first, recipe).history)
    known = inherited.vocabulary_size
    new = set("".join(word for word, _ in second)).difference(inherited.symbols)
    # A size that has room for some of the new symbols is refused.
    assume(not known < 6 + size < known + len(new))
    going_on = recipe.with_changes(merges=None, vocabulary_size=6 + size, inherited=inherited)
    assert_equals_oracle(second, going_on, compiled=True)


@given(corpora, st.integers(1, 12), st.integers(0, 12))
def test_on_the_same_corpus_it_is_one_training(
    corpus: list[tuple[str, int]], merges: int, more: int
) -> None:
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=merges)
    first = trained(corpus, recipe, compiled=False).history
    going_on = recipe.with_changes(merges=merges + more, inherited=inherited_from(first))
    whole = trained(corpus, recipe.with_changes(merges=merges + more), compiled=False).history
    history = trained(corpus, going_on, compiled=False).history
    for column in ("left", "right", "new_id", "count", "tokens", "distinct"):
        assert getattr(history, column).tolist() == getattr(whole, column).tolist()


@given(corpora, corpora, st.text(alphabet="abc ", max_size=40))
def test_text_without_new_merges_keeps_its_tokens(
    first: list[tuple[str, int]], second: list[tuple[str, int]], text: str
) -> None:
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=6, special_tokens=("<s>",))
    former = trained([("abc ", 1), *first], recipe, compiled=False).history
    inherited = inherited_from(former)
    going_on = recipe.with_changes(merges=12, inherited=inherited)
    history = trained(second, going_on, compiled=False).history
    old = Tokenizer(former, compiled=False).encode_ids(text)
    new = Tokenizer(history, compiled=False).encode_ids(text)
    if not (new >= former.vocabulary_size(len(former))).any():
        assert history.own_ids(new).tolist() == inherited.ids[old].tolist()


def recipe_of_ab() -> Recipe:
    pairs = [(0, 1), (1, 1)]
    return preset("raw").with_changes(inherited=any_order("ab", pairs, 0))


def test_ids_are_those_of_the_encoding_and_new_ones_come_behind() -> None:
    recipe = preset("raw").with_changes(vocabulary_size=7, special_tokens=("<end>",))
    inherited = Inherited(
        "x", ("a", "b"), preparation(recipe),
        np.array([[1, 2, 3]], np.int32), np.array([9, 4, 2, 7], np.int32), 10, "",
    )  # fmt: skip
    recipe = recipe.with_changes(inherited=inherited)
    history = trained([("abé abé", 1)], recipe, compiled=False).history
    texts = history.texts(len(history))
    assert texts[:6] == ["<end>", " ", "a", "b", "é", "ab"]
    assert history.own_ids(np.arange(7, dtype=np.int32)).tolist() == [9, 10, 4, 2, 11, 7, 12]
    assert history.own_id(-1) == -1


def test_merges_of_the_encoding_cannot_be_decided_otherwise() -> None:
    recipe = recipe_of_ab()
    words = WordCounts.from_pairs([("abab", 1)], recipe)
    decided = [Intervention(1, Decision.FORBID, 0, 1)]
    with pytest.raises(InterventionError, match="merge 2 is one of those of any"):
        Trainer(words, recipe, interventions=decided, compiled=False)


@pytest.mark.parametrize(
    "changes",
    [
        {"special_tokens": ("<end>",)},
        {"split": "lines"},
        {"normalizers": ("nfc",)},
        {"symbols": Symbols.BYTES},
        {"end_of_word": EndOfWord.OWN},
    ],
)
def test_what_its_merges_are_made_of_is_not_changed(changes: dict[str, object]) -> None:
    with pytest.raises(RecipeError, match="that goes on from any normalizes and splits"):
        recipe_of_ab().with_changes(**changes)


def test_a_corpus_without_pairs_still_has_the_merges() -> None:
    trainer = trained([], recipe_of_ab(), compiled=False)
    assert trainer.history.count.tolist() == [0, 0]
    assert trainer.history.stopped is StopReason.NO_PAIR

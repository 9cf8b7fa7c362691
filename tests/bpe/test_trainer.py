"""The trainer against the oracle, against the library, and against published results."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import TOP, History, StopReason
from bpe_gui.bpe.recipe import (
    PRESETS,
    Alphabet,
    EndOfWord,
    Recipe,
    RecipeError,
    Symbols,
    Ties,
    preset,
)
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import Check, WordCounts
from tests import oracle
from tests.bpe.custom_recipes import TELLING, custom_recipes

FOUR_WORDS = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]
COURSE = [
    "This is the Hugging Face Course.",
    "This chapter is about tokenization.",
    "This section shows several tokenizer algorithms.",
    "Hopefully, you will be able to understand how they are trained and generate tokens.",
]
RAW = (
    "\nThis is a much more complex example text for byte pair encoding demonstration.\n"
    "We will observe how it tokenizes common words and subword units effectively.\n"
)


def trained(corpus: list[tuple[str, int]], recipe: Recipe, *, compiled: bool = True) -> Trainer:
    trainer = Trainer(
        WordCounts.from_pairs(corpus, recipe, compiled=compiled), recipe, compiled=compiled
    )
    while trainer.advance(7) == 7:
        pass
    return trainer


def merged_texts(trainer: Trainer) -> list[tuple[str, str]]:
    history = trainer.history
    return [
        (history.id_to_token(left), history.id_to_token(right))
        for left, right in zip(history.left.tolist(), history.right.tolist(), strict=True)
    ]


def assert_equals_oracle(corpus: list[tuple[str, int]], recipe: Recipe, compiled: bool) -> None:
    run = oracle.train(corpus, recipe)
    trainer = trained(corpus, recipe, compiled=compiled)
    history = trainer.history
    merges = zip(
        history.left.tolist(), history.right.tolist(), history.new_id.tolist(), strict=True
    )
    assert list(merges) == run.merges
    size = history.vocabulary_size(len(history))
    assert [history.id_to_token(token) for token in range(size)] == run.vocabulary
    assert history.tokens.tolist() == [position.tokens for position in run.positions]
    assert history.distinct.tolist() == [len(position.pairs) for position in run.positions]
    for index, position in enumerate(run.positions):
        top = history.top(index)
        shown = zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
        assert list(shown) == position.pairs[:TOP]


texts = st.one_of(
    st.text(alphabet="ab", max_size=40),
    st.text(alphabet="abcd eE'st\n.1", max_size=60),
    st.text(alphabet=st.sampled_from("aé中😀 ́ß\n\u3000<>/w🇩"), max_size=30),
    st.text(alphabet=st.sampled_from(TELLING), max_size=30),
    st.text(max_size=30),
)
corpora = st.lists(st.tuples(texts, st.integers(1, 5)), max_size=6)


any_recipe = st.sampled_from(list(PRESETS.values())) | custom_recipes()
special_tokens = st.lists(
    st.sampled_from(["<|end|>", "ab", "a", "aa", "st"]), unique=True, max_size=2
)
some_merges = st.none() | st.integers(0, 20)
a_min_frequency = st.integers(0, 3)
any_ties = st.sampled_from(list(Ties))


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    recipe = draw(any_recipe)
    specials = draw(special_tokens)
    alphabet = recipe.alphabet
    if recipe.byte_level:
        alphabet = draw(st.sampled_from(list(Alphabet)))
    return recipe.with_changes(
        vocabulary_size=None,
        merges=draw(some_merges),
        min_frequency=draw(a_min_frequency),
        special_tokens=(*recipe.special_tokens, *specials),
        reserved_tokens=tuple(specials[: draw(st.integers(0, 1))]),
        alphabet=alphabet,
        ties=draw(any_ties),
    )


marked_texts = st.lists(
    st.tuples(st.text("ab", max_size=3), st.sampled_from(["", "</w>", "</w>", " ", "<"])),
    max_size=3,
).map(lambda parts: "".join(text + end for text, end in parts))
marked_corpora = st.lists(st.tuples(marked_texts, st.integers(1, 20)), max_size=5)


@st.composite
def marked_recipes(draw: st.DrawFn) -> Recipe:
    """Recipes with an end-of-word marker, and special tokens that texts written like it hold."""
    texts = ["</w", "a</w", "</w>b", "a</w>b", "</w></w>a", "w>", "a<", "ab"]
    return Recipe(
        split=draw(st.sampled_from(["whitespace", "none"])),
        symbols=Symbols.CHARACTERS,
        end_of_word=draw(st.sampled_from([EndOfWord.OWN, EndOfWord.JOINED])),
        merges=draw(some_merges),
        min_frequency=draw(a_min_frequency),
        special_tokens=tuple(
            draw(st.lists(st.sampled_from(texts), unique=True, min_size=1, max_size=3))
        ),
        ties=draw(any_ties),
    )


both_forms = pytest.mark.parametrize(
    "compiled", [False, True], ids=["interpreted", "compiled"]
)


@both_forms
@given(corpus=corpora, recipe=recipes())
def test_equals_the_oracle(compiled: bool, corpus: list[tuple[str, int]], recipe: Recipe) -> None:
    assert_equals_oracle(corpus, recipe, compiled)


@both_forms
@settings(max_examples=2 * settings.default.max_examples)
@given(corpus=marked_corpora, recipe=marked_recipes())
def test_text_that_is_written_like_the_marker_equals_the_oracle(
    compiled: bool, corpus: list[tuple[str, int]], recipe: Recipe
) -> None:
    assert_equals_oracle(corpus, recipe, compiled)


@given(corpus=corpora, extra=st.integers(0, 30), ties=any_ties)
def test_vocabulary_size_is_kept(corpus: list[tuple[str, int]], extra: int, ties: Ties) -> None:
    recipe = preset("gpt2").with_changes(vocabulary_size=256 + extra, ties=ties)
    assert_equals_oracle(corpus, recipe, True)


@both_forms
@settings(max_examples=2 * settings.default.max_examples)
@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_a_run_that_goes_on_equals_one_from_the_start(
    compiled: bool, corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    changes = st.fixed_dictionaries({"merges": some_merges, "min_frequency": a_min_frequency})
    steps = [recipe, *(recipe.with_changes(**data.draw(changes)) for _ in range(2))]
    words = WordCounts.from_pairs(corpus, recipe, compiled=compiled)
    trainer = Trainer(words, recipe, compiled=compiled)
    for before, after in pairwise(steps):
        while trainer.advance(7) == 7:
            pass
        if not after.goes_on_from(before):
            with pytest.raises(ValueError, match="beginning"):
                trainer.go_on(after)
            return
        trainer.go_on(after)
    while trainer.advance(7) == 7:
        pass
    expected = trained(corpus, steps[-1], compiled=compiled).history
    history = trainer.history
    assert history.recipe == steps[-1]
    assert history.stopped is expected.stopped
    assert history.equals(expected)
    for index in range(len(history) + 1):
        ours, others = history.top(index), expected.top(index)
        assert ours.count.tolist() == others.count.tolist()
        assert ours.left.tolist() == others.left.tolist()


def test_four_words() -> None:
    trainer = trained(FOUR_WORDS, preset("whitespace"))
    assert merged_texts(trainer)[:3] == [("e", "s"), ("es", "t"), ("est", "</w>")]
    assert trainer.history.count[:3].tolist() == [9, 9, 9]
    assert trainer.history.stopped is StopReason.NO_PAIR


def test_hugging_face_course() -> None:
    recipe = preset("gpt2").with_changes(
        alphabet=Alphabet.OBSERVED, special_tokens=("<|endoftext|>",), vocabulary_size=50
    )
    trainer = trained([(sentence, 1) for sentence in COURSE], recipe)
    merges = merged_texts(trainer)
    counts = trainer.history.count.tolist()
    assert len(merges) == 19
    assert list(zip(merges, counts, strict=True))[:3] == [
        (("Ġ", "t"), 7),
        (("i", "s"), 5),
        (("e", "r"), 5),
    ]
    assert (merges[-1], counts[-1]) == (("Ġtoken", "i"), 2)
    assert trainer.history.stopped is StopReason.VOCABULARY_SIZE


@pytest.mark.parametrize("slices", [[15], [20], [7, 8], [14, 1], [1] * 15])
def test_why_a_run_ends_does_not_depend_on_how_many_merges_are_asked_for_at_once(
    slices: list[int],
) -> None:
    """The last pair is merged when the vocabulary is full: both would be a reason."""
    recipe = preset("whitespace").with_changes(vocabulary_size=26)
    trainer = Trainer(WordCounts.from_pairs(FOUR_WORDS, recipe, compiled=True), recipe)
    for merges in slices:
        trainer.advance(merges)
    assert len(trainer.history) == 15
    assert trainer.history.stopped is StopReason.NO_PAIR


def test_raw_text() -> None:
    trainer = trained([(RAW, 1)], preset("raw").with_changes(merges=3))
    history = trainer.history
    assert [history.id_to_token(token) for token in history.new_id.tolist()] == ["s ", "e ", "or"]
    assert history.stopped is StopReason.MERGES


def test_nothing_to_train_on() -> None:
    trainer = trained([], preset("gpt2"))
    assert len(trainer.history) == 0
    assert len(trainer.history.top(0)) == 0
    assert trainer.history.stopped is StopReason.NO_PAIR


def test_a_vocabulary_smaller_than_the_alphabet_is_refused() -> None:
    recipe = preset("whitespace").with_changes(vocabulary_size=3)
    with pytest.raises(RecipeError, match="at least 11"):
        trained(FOUR_WORDS, recipe)


@pytest.mark.parametrize("size", [None, 50_000])
def test_a_short_run_needs_no_memory_for_the_merges_that_it_did_not_make(size: int | None) -> None:
    recipe = preset("whitespace").with_changes(vocabulary_size=size)
    trained(FOUR_WORDS, recipe)  # what is made once is made now
    tracemalloc.start()
    try:
        history = trained(FOUR_WORDS, recipe).history
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(history) < 20
    assert held < 1_000_000


def test_less_than_no_merges_cannot_be_asked_for() -> None:
    recipe = preset("whitespace")
    trainer = Trainer(WordCounts.from_pairs(FOUR_WORDS, recipe), recipe)
    assert trainer.advance(0) == 0
    with pytest.raises(ValueError, match="-1 merges cannot be done"):
        trainer.advance(-1)


def trained_while(check: Check) -> None:
    recipe = preset("raw")
    trainer = Trainer(WordCounts.from_pairs([("low lower", 1)], recipe), recipe, check=check)
    while not trainer.finished:
        trainer.advance(1)


def test_it_is_given_up_between_any_two_steps() -> None:
    steps: list[None] = []
    trained_while(lambda: steps.append(None))
    assert len(steps) > 4, "words are spelled and linked, pairs are counted and listed"
    for number in range(len(steps)):
        left = iter(range(number))

        def check(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            trained_while(check)


def test_counts_beyond_32_bits() -> None:
    trainer = trained([("ab", 2**33)], preset("raw"))
    assert trainer.history.count.tolist() == [2**33]


def test_runs_are_equal_by_their_merges() -> None:
    def run(merges: int, times: int = 1, **changes: Any) -> History:
        recipe = preset("gpt2").with_changes(**changes)
        pairs = [(word, times * count) for word, count in FOUR_WORDS]
        trainer = Trainer(WordCounts.from_pairs(pairs, recipe), recipe, compiled=False)
        trainer.advance(merges)
        return trainer.history

    first = run(5)
    assert first.equals(run(5, times=2)), "the same merges of a corpus twice as large"
    assert first.equals(run(5, vocabulary_size=300))
    assert not first.equals(run(4))
    assert not first.equals(run(5, ties=Ties.LOWEST_ID))
    assert not first.equals(run(5, special_tokens=("<end>",)))


def test_runs_are_compared_though_neither_recipe_could_have_the_size_of_the_other() -> None:
    of_bytes = trained(FOUR_WORDS, preset("gpt2").with_changes(vocabulary_size=263)).history
    of_characters = trained(FOUR_WORDS, preset("raw").with_changes(vocabulary_size=17)).history
    assert len(of_bytes) == len(of_characters) == 7
    assert not of_bytes.equals(of_characters)
    assert not of_characters.equals(of_bytes)

"""Trees of tokens and derivations of words against the oracle and the tokenizer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.analysis.derivation import (
    NOWHERE,
    MergeTree,
    WordDerivation,
    made_at,
    made_of,
    merge_tree,
    word_span,
)
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary, History
from bpe_gui.bpe.recipe import PRESETS, Recipe, preset
from bpe_gui.bpe.tokenizer import PreTokenizedText, PreTokenizer, Tokenizer
from tests import oracle
from tests.bpe.custom_recipes import NO_SPECIALS, custom_recipes
from tests.bpe.test_trainer import FOUR_WORDS, corpora, recipes, texts, trained

WHITESPACE = preset("whitespace").with_changes(vocabulary_size=None)


def four_words() -> History:
    return trained(FOUR_WORDS, WHITESPACE).history


def chain(merges: int, *, doubling: bool = False) -> History:
    """A run of one letter, whose tokens grow by one symbol, or to twice their length."""
    recipe = preset("raw")
    history = History(recipe, BaseVocabulary.of(recipe, "a"), 1 << 40, 1 << 40)
    columns = history.reserve(merges)
    columns.left[:merges] = range(merges)
    columns.right[:merges] = range(merges) if doubling else 0
    columns.new_id[:merges] = range(1, merges + 1)
    columns.count[:merges] = 1
    history.commit(merges)
    return history


def oracle_leaves(run: oracle.Run, token: int) -> list[int]:
    """The symbols of a token, by taking its merges apart."""
    parts = {new: (left, right) for left, right, new in reversed(run.merges)}
    if token not in parts:
        return [token]
    left, right = parts[token]
    return oracle_leaves(run, left) + oracle_leaves(run, right)


def leaves(tree: MergeTree) -> list[int]:
    return [tree.tokens[node] for node in range(len(tree)) if tree.lefts[node] == NOWHERE]


@given(corpus=corpora, recipe=recipes())
def test_trees_equal_the_oracles(corpus: list[tuple[str, int]], recipe: Recipe) -> None:
    run = oracle.train(corpus, recipe)
    history = trained(corpus, recipe).history
    for token in dict.fromkeys(new for _, _, new in run.merges):
        tree = merge_tree(history, token, 10_000)
        assert leaves(tree) == oracle_leaves(run, token)
        assert tree.symbols[0] == len(leaves(tree))
        assert tree.hidden_merges == 0
        for node in range(1, len(tree)):
            parent = tree.parents[node]
            assert node in (tree.lefts[parent], tree.rights[parent])
            assert tree.depth(node) == tree.depth(parent) + 1
        for node, (left, right) in enumerate(zip(tree.lefts, tree.rights, strict=True)):
            if left == NOWHERE:
                assert tree.steps[node] == NOWHERE
                continue
            merge = (tree.tokens[left], tree.tokens[right], tree.tokens[node])
            assert run.merges[tree.steps[node]] == merge
            assert max(tree.steps[left], tree.steps[right]) < tree.steps[node]


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_what_was_made_of_a_token(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    run = oracle.train(corpus, recipe)
    for token in range(history.vocabulary_size(position)):
        expected = [k for k, merge in enumerate(run.merges[:position]) if token in merge[:2]]
        assert made_of(history, token, position).tolist() == expected


def test_a_tree_by_hand() -> None:
    history = four_words()
    tree = merge_tree(history, next(t for t in range(99) if history.id_to_token(t) == "est</w>"))
    assert [history.id_to_token(t) for t in tree.tokens] == [
        *("est</w>", "est", "es", "e", "s", "t", "</w>")
    ]
    assert tree.steps == (2, 1, 0, -1, -1, -1, -1)
    assert tree.parents == (-1, 0, 1, 2, 2, 1, 0)
    assert [tree.depth(node) for node in range(7)] == [0, 1, 2, 3, 3, 2, 1]


def test_a_symbol_and_a_special_token_are_trees_of_one_node() -> None:
    recipe = WHITESPACE.with_changes(special_tokens=("<|end|>",))
    history = trained(FOUR_WORDS, recipe).history
    for token in (0, 1):
        tree = merge_tree(history, token)
        assert (tree.tokens, tree.steps, tree.hidden_merges) == ((token,), (NOWHERE,), 0)
    with pytest.raises(IndexError):
        merge_tree(history, 10_000)


def test_a_special_token_that_merges_make_twice_has_its_first_tree() -> None:
    recipe = preset("raw").with_changes(special_tokens=("abc",))
    history = History(recipe, BaseVocabulary.of(recipe, "abc"), 9, 9)
    columns = history.reserve(4)
    columns.left[:4], columns.right[:4] = (1, 4, 2, 1), (2, 3, 3, 5)
    columns.new_id[:4] = (4, 0, 5, 0)
    history.commit(4)
    assert history.step(0) == 3
    assert made_at(history, 0) == 1
    tree = merge_tree(history, 0)
    assert [history.id_to_token(token) for token in tree.tokens] == ["abc", "ab", "a", "b", "c"]


def test_a_long_chain_is_folded_and_does_not_recurse() -> None:
    history = chain(100_000, doubling=False)
    tree = merge_tree(history, 100_000, 50)
    assert tree.symbols[0] == 100_001
    assert len(leaves(tree)) == 50
    assert tree.hidden_merges == 100_000 - 49
    folded = [node for node in range(len(tree)) if tree.is_folded(node)]
    assert [tree.tokens[node] for node in folded] == [100_000 - 49]
    # The latest merges are there, so this is how the token was cut before the oldest of them.
    assert sorted(step for step in tree.steps if step >= 0)[1:] == list(range(99_951, 100_000))


def test_a_token_of_a_billion_symbols_is_counted_without_listing_them() -> None:
    tree = merge_tree(chain(40, doubling=True), 40)
    assert tree.symbols[0] == 1 << 40
    assert len(leaves(tree)) == 128
    assert all(tree.is_folded(n) for n in range(len(tree)) if tree.lefts[n] == NOWHERE)


def lowest_rank_first(history: History, symbols: list[int], position: int) -> list[list[int]]:
    """Every state of one word, encoded in the most obvious way; symbols first."""
    rank = {
        pair: step
        for step, pair in enumerate(
            zip(history.left[:position].tolist(), history.right[:position].tolist(), strict=True)
        )
    }
    states = [symbols]
    while True:
        now = states[-1]
        ranked = [(rank[pair], i) for i, pair in enumerate(pairwise(now)) if pair in rank]
        if not ranked:
            return states
        step, i = min(ranked)
        states.append([*now[:i], int(history.new_id[step]), *now[i + 2 :]])


@given(corpus=corpora, recipe=recipes(), text=texts, data=st.data())
def test_words_are_derived_lowest_rank_first(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    recipe = recipe.with_changes(**NO_SPECIALS)
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    # A single byte that is no character is a word that nobody can type.
    words = [w for w in oracle.words_of(text, recipe) if w.encode("utf-8", "ignore").decode() == w]
    assume(words)
    word = data.draw(st.sampled_from(words))
    derivation = WordDerivation(history, word)
    rows = derivation.rows(position)
    states = [derivation.tokens(row)[1].tolist() for row in range(rows + 1)]
    assert states[-1] == Tokenizer(history, position).encode(word).ids.tolist()
    if oracle.words_of(word, recipe) == [word]:
        assert states == lowest_rank_first(history, derivation.symbols.tolist(), position)
    for row in range(1, rows + 1):
        merge = derivation.merge(row)
        before, after = states[row - 1], states[row]
        assert before[merge.place : merge.place + 2] == [merge.left, merge.right]
        assert after == [*before[: merge.place], merge.new_id, *before[merge.place + 2 :]]


@given(corpus=corpora, recipe=recipes(), text=texts)
def test_any_text_ends_as_the_tokenizer_cuts_it(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str
) -> None:
    history = trained(corpus, recipe).history
    derivation = WordDerivation(history, text)
    for position in range(len(history) + 1):
        ids = derivation.tokens(derivation.rows(position))[1]
        assert ids.tolist() == Tokenizer(history, position).encode(text).ids.tolist()


def test_a_derivation_by_hand() -> None:
    history = four_words()
    derivation = WordDerivation(history, "lowest")
    shown = [
        [history.id_to_token(token) for token in derivation.tokens(row)[1]]
        for row in range(derivation.rows(len(history)) + 1)
    ]
    assert shown == [
        ["l", "o", "w", "e", "s", "t", "</w>"],
        ["l", "o", "w", "es", "t", "</w>"],
        ["l", "o", "w", "est", "</w>"],
        ["l", "o", "w", "est</w>"],
        ["lo", "w", "est</w>"],
        ["low", "est</w>"],
    ]
    assert derivation.rows(2) == 2
    assert derivation.merge(4).place == 0
    with pytest.raises(IndexError):
        derivation.rows(len(history) + 1)
    for row in (0, 6):
        with pytest.raises(IndexError):
            derivation.merge(row)


def test_it_goes_on_with_its_history() -> None:
    recipe = WHITESPACE.with_changes(merges=2)
    history = trained(FOUR_WORDS, recipe).history
    derivation = WordDerivation(history, "newest")
    assert derivation.rows(2) == 2
    more = four_words()
    columns = history.reserve(len(more) - 2)
    for name in ("left", "right", "new_id", "count"):
        getattr(columns, name)[: len(more)] = getattr(more, name)
    history.commit(len(more) - 2)
    assert derivation.length == 2
    derivation.extend()
    expected = WordDerivation(more, "newest")
    assert derivation.steps.tolist() == expected.steps.tolist()


def test_unknown_characters_and_the_empty_word() -> None:
    history = four_words()
    derivation = WordDerivation(history, "l中w")
    first, ids = derivation.tokens(0)
    assert ids.tolist()[1] == NO_TOKEN
    contents = [
        derivation.content(*pair) for pair in zip(ids.tolist(), first.tolist(), strict=True)
    ]
    assert contents == [b"l", "中".encode(), b"w", b"</w>"]
    assert WordDerivation(history, "").tokens(0)[1].tolist() == []
    assert WordDerivation(history, "").rows(3) == 0


def spelled_by(history: History, text: str) -> PreTokenizedText:
    return PreTokenizer(history.recipe, history.base).pre_tokenize(text)


def word_at(text: str, spelled: PreTokenizedText, place: int) -> str:
    first, last = word_span(text, spelled, place)
    return text[first:last]


@given(recipe=st.sampled_from(list(PRESETS.values())) | custom_recipes(), text=texts)
def test_the_words_of_a_text(recipe: Recipe, text: str) -> None:
    recipe = recipe.with_changes(normalizers=(), **NO_SPECIALS)
    history = trained([("ab", 1)], recipe.with_changes(vocabulary_size=None)).history
    spelled = spelled_by(history, text)
    data = text.encode()
    places = {len(text[:index].encode()): index for index in range(len(text))}
    done = 0
    for word in oracle.words_of(text, recipe):
        content = word.encode("utf-8", "surrogateescape")
        begin = data.index(content, done)
        dropped = [places[place] for place in range(done, begin) if place in places]
        assert not any(word_at(text, spelled, index) for index in dropped)
        done = begin + len(content)
        for place in range(begin, done):
            if place in places:
                index = places[place]
                expected = content.decode("utf-8", "ignore") or text[index]
                assert word_at(text, spelled, index) == expected
    rest = [places[place] for place in range(done, len(data)) if place in places]
    for index in (-1, *rest, len(text), len(text) + 1):
        assert word_at(text, spelled, index) == ""


def test_words_are_whole_characters_as_they_stand_before_normalization() -> None:
    history = trained([("cafe", 1)], preset("lines").with_changes(vocabulary_size=None)).history
    text = "un café ici"
    assert word_at(text, spelled_by(history, text), 4) == "café"

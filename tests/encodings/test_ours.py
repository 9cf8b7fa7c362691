"""Runs of ours as encodings: the same as the tokenizer, at every position, and what they tell."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import Encoding, EncodingError, MarksEndsOfWords, Model, RankedMerge
from bpe_gui.encodings.ours import TrainedEncoding
from tests import oracle
from tests.bpe.custom_recipes import NO_SPECIALS
from tests.bpe.test_trainer import COURSE, FOUR_WORDS, corpora, recipes, texts, trained

FOUR = preset("whitespace")


def four_words(**changes: object) -> TrainedEncoding:
    return TrainedEncoding(trained(FOUR_WORDS, FOUR.with_changes(**changes)).history)


def columns(tokens: Tokens) -> list[list[int]]:
    return [getattr(tokens, name).tolist() for name in Tokens.__struct_fields__]


def test_it_is_an_encoding() -> None:
    encoding: Encoding = four_words()
    assert encoding.name == "whitespace"
    assert encoding.model is Model.BPE
    assert isinstance(encoding, MarksEndsOfWords)
    assert TrainedEncoding(four_words().history, name="mine").name == "mine"


@given(corpus=corpora, recipe=recipes(), text=texts, other=texts)
def test_equals_the_tokenizer_at_every_position(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str, other: str
) -> None:
    whole = TrainedEncoding(trained(corpus, recipe).history)
    history = whole.history
    for position in range(len(history) + 1):
        encoding = whole.at(position)
        tokenizer = Tokenizer(history, position)
        assert encoding.position == position
        assert encoding.vocabulary_size == history.vocabulary_size(position)
        for asked in (text, other):
            tokens = encoding.encode(asked)
            assert columns(tokens) == columns(tokenizer.encode(asked))
            ids = tokens.ids.tolist()
            assert encoding.decode(ids) == tokenizer.decode(ids)
            assert encoding.decode_bytes(ids) == tokenizer.decode_bytes(ids)


def test_a_run_that_goes_on() -> None:
    """What was cut before is taken up where it stopped."""
    trainer = Trainer(WordCounts.from_pairs(FOUR_WORDS, FOUR), FOUR)
    trainer.advance(2)
    early = TrainedEncoding(trainer.history)
    assert len(early.encode("lowest")) == 5
    assert early.token_to_id(b"est") is not None
    trainer.advance(100)
    late = early.at(len(trainer.history))
    expected = Tokenizer(trainer.history).encode("lowest")
    assert columns(late.encode("lowest")) == columns(expected)
    assert len(early.encode("lowest")) == 5
    assert late.token_to_id(b"lowest") is None
    assert early.token_to_id(b"low") is None
    assert late.token_to_id(b"low") is not None


def test_many_texts_take_no_more_memory_than_a_few() -> None:
    """As when somebody types for an hour: each text before the next key is another one."""
    encoding = four_words()
    tracemalloc.start()
    for number in range(60):
        encoding.encode(f"lowest {number}")
    few = tracemalloc.get_traced_memory()[0]
    for number in range(600):
        encoding.encode(f"lowest {number}")
    many = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert many < 1.5 * few


@given(corpus=corpora, recipe=recipes(), text=texts)
def test_special_tokens_as_text(corpus: list[tuple[str, int]], recipe: Recipe, text: str) -> None:
    """Then the text is cut as if the recipe had none."""
    assume(not any("♠" in document for document, _ in corpus))
    recipe = recipe.with_changes(
        special_tokens=("♠end♠", "♠♠"), reserved_tokens=(), unknown_token=None
    )
    encoding = TrainedEncoding(trained(corpus, recipe).history)
    bare = TrainedEncoding(
        trained(corpus, recipe.with_changes(special_tokens=())).history, encoding.position
    )
    mixed = f"♠end♠{text}♠♠"
    assert (
        columns(encoding.encode(mixed, specials_as_text=True))[1:]
        == (columns(bare.encode(mixed))[1:])
    )
    found = encoding.encode(mixed)
    assert found.ids[0] == 0
    assert found.ids[-1] == 1


def test_unknown_characters() -> None:
    encoding = four_words()
    tokens = encoding.encode("loß")
    assert encoding.is_unknown(NO_TOKEN)
    assert [encoding.is_unknown(token) for token in tokens.ids.tolist()].count(True) == 1
    assert encoding.decode(tokens.ids.tolist()) == "lo"
    recipe = preset("char-bpe").with_changes(special_tokens=("<s>", "<unk>"))
    encoding = TrainedEncoding(trained(FOUR_WORDS, recipe).history)
    (token,) = encoding.encode("ß").ids.tolist()
    assert token == 1
    assert encoding.is_unknown(token)
    assert encoding.is_special(token)
    assert not encoding.is_unknown(0)
    assert not encoding.is_fallback_byte(0)


def test_decoding_ends_with_an_unknown_character() -> None:
    """Where the end of a word is joined to it, there may be no known token at the end."""
    recipe = preset("char-bpe").with_changes(unknown_token=None, special_tokens=())
    encoding = TrainedEncoding(trained(FOUR_WORDS, recipe).history)
    ids = encoding.encode("low ß").ids.tolist()
    assert ids[-1] == NO_TOKEN
    assert encoding.decode(ids) == "low "


@pytest.mark.parametrize("ids", [[10_000], [-2]])
def test_ids_that_are_not_there(ids: list[int]) -> None:
    encoding = four_words().at(2)
    with pytest.raises(EncodingError, match=r"whitespace: the id .* not in the vocabulary"):
        encoding.decode(ids)
    for question in (encoding.id_to_token, encoding.token_bytes, encoding.merge):
        with pytest.raises(EncodingError, match="no token with the id"):
            question(ids[0])


def test_an_id_of_a_later_position_is_not_there() -> None:
    encoding = four_words()
    with pytest.raises(EncodingError, match="no token with the id"):
        encoding.at(2).id_to_token(encoding.vocabulary_size - 1)


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_finding_equals_looking_at_all(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    whole = TrainedEncoding(trained(corpus, recipe).history)
    history = whole.history
    position = data.draw(st.integers(0, len(history)))
    encoding = whole.at(position)
    mergeable = {*history.base.symbol_ids, *history.new_id[:position].tolist()}
    for find, content in (
        (encoding.token_to_id, history.bytes_in_text),
        (encoding.marked_token_to_id, history.token_bytes),
    ):
        contents = [content(token) for token in range(history.vocabulary_size(len(history)))]
        for wanted in contents:
            same = (other for other in mergeable if contents[other] == wanted)
            assert find(wanted) == min(same, default=None)
    assert encoding.token_to_id(b"no such token") is None


def test_the_marker_tells_tokens_apart() -> None:
    encoding = four_words()
    low = encoding.marked_token_to_id(b"low")
    ended = encoding.marked_token_to_id(b"low</w>")
    assert low is not None
    assert ended is not None
    assert encoding.token_bytes(low) == encoding.token_bytes(ended) == b"low"
    assert (encoding.id_to_token(low), encoding.id_to_token(ended)) == ("low", "low</w>")
    assert encoding.marked_token_bytes(ended) == b"low</w>"
    assert encoding.token_to_id(b"low") == min(low, ended)


@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_merges(corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject) -> None:
    history = trained(corpus, recipe).history
    encoding = TrainedEncoding(history, data.draw(st.integers(0, len(history))))
    made: dict[int, RankedMerge] = {}
    for step in range(encoding.position):
        merge = RankedMerge(step, int(history.left[step]), int(history.right[step]))
        made.setdefault(int(history.new_id[step]), merge)
    for token in range(encoding.vocabulary_size):
        assert encoding.merge(token) == made.get(token)


@given(corpus=corpora, recipe=recipes(), text=texts)
def test_words_begin_where_the_oracle_says(
    corpus: list[tuple[str, int]], recipe: Recipe, text: str
) -> None:
    recipe = recipe.with_changes(normalizers=(), **NO_SPECIALS)
    encoding = TrainedEncoding(trained(corpus, recipe).history)
    expected, place = [], 0
    for word in oracle.words_of(text, recipe):
        data = word.encode("utf-8", "surrogateescape")
        place = text.encode().index(data, place)
        expected.append(place)
        place += len(data)
    assert encoding.words(text).tolist() == expected


def test_words_with_special_tokens() -> None:
    recipe = preset("gpt2").with_changes(
        vocabulary_size=None, special_tokens=("<|end|>",), merges=9
    )
    encoding = TrainedEncoding(trained([(s, 1) for s in COURSE], recipe).history)
    text = "a b<|end|>é c"
    assert encoding.words(text).tolist() == [0, 1, 3, 10, 12]
    assert encoding.words(text, specials_as_text=True).tolist() == [0, 1, 3, 5, 8, 10, 12]


def test_the_normalized_text() -> None:
    history = trained([("é", 1)], preset("lines")).history
    assert TrainedEncoding(history).normalized("Café") == "Cafe"
    assert four_words().normalized("Café") == "Café"


def test_lone_surrogates() -> None:
    with pytest.raises(UnicodeEncodeError):
        four_words().encode("a\ud800")

"""The vocabulary of any encoding is its library's, and every token has the kind that it is."""

from __future__ import annotations

import io
from collections import Counter

import numpy as np
import pytest
import sentencepiece
from hypothesis import given, settings
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.vocabulary import (
    KINDS,
    Kind,
    count_uses,
    encode_each,
    vocabulary_of,
)
from tests.encodings.runs import texts, train

CORPUS = ["low lower lowest newest widest the cat and the hat 12 345 a, b; f(x) Low LOW"] * 3


def wordpiece_library() -> Tokenizer:
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=60, special_tokens=["[UNK]", "[CLS]"], show_progress=False
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


def wordpiece() -> HuggingFaceEncoding:
    return HuggingFaceEncoding(wordpiece_library(), "bert.json")


def sentences_model() -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=model, model_type="bpe", vocab_size=300,
        byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
    )
    return model.getvalue()


def sentences() -> Encoding:
    data = sentences_model()
    outline = sentencepiece_models.outline_of(data)
    return sentencepiece_models.SentencePieceEncoding(data, outline, "x.model", "x.model")


ENCODINGS = {
    "gpt2": lambda: TrainedEncoding(train(preset("gpt2"), CORPUS, 30)),
    "whitespace": lambda: TrainedEncoding(train(preset("whitespace"), CORPUS, 30)),
    "char-bpe": lambda: TrainedEncoding(train(preset("char-bpe"), CORPUS, 30)),
    "wordpiece": wordpiece,
    "sentencepiece": sentences,
    "tiktoken": lambda: from_ranks(
        {**{bytes([b]): b for b in range(256)}, b"lo": 256, b"low": 257, b" low": 258},
        "gpt2", {"<end>": 300}, name="ranks",
    ),
}  # fmt: skip


@pytest.fixture(params=ENCODINGS, scope="module")
def encoding(request: pytest.FixtureRequest) -> Encoding:
    return ENCODINGS[request.param]()


def test_all_tokens_are_there(encoding: Encoding) -> None:
    found = vocabulary_of(encoding)
    assert found.ids.tolist() == list(encoding.ids)
    assert found.contents == [encoding.token_bytes(token) for token in encoding.ids]
    for row, token in enumerate(encoding.ids):
        unusual = encoding.is_special(token) or encoding.is_unknown(token)
        assert (KINDS[found.kinds[row]] is Kind.SPECIAL) == unusual
        assert found.row_of(token) == row
    assert found.row_of(10**6) is None
    for content, row in found.ordinary.items():
        assert encoding.token_to_id(content) == found.ids[row]
    lengths = [len(found.contents[row]) for row in np.flatnonzero(~found.special)]
    assert found.length_histogram().tolist() == [lengths.count(n) for n in range(max(lengths) + 1)]
    assert len(found.contents[found.longest(1)[0]]) == max(lengths)
    assert sum(found.kind_counts().values()) == len(found)


@pytest.mark.parametrize("name", ENCODINGS)
@settings(max_examples=settings.default.max_examples // 3)
@given(texts)
def test_a_batch_has_the_tokens_of_each_text(name: str, text: str) -> None:
    encoding = MADE.setdefault(name, ENCODINGS[name]())
    batch = [text, "", "the low", text + " low", " "]
    expected = [
        [t for t in encoding.encode(part, specials_as_text=True).ids.tolist() if t >= 0]
        for part in batch
    ]
    found = [[t for t in ids if t >= 0] for ids in encode_each(encoding, batch)]
    assert found == expected


MADE: dict[str, Encoding] = {}


def test_uses_are_counted() -> None:
    found = vocabulary_of(ENCODINGS["gpt2"]())
    uses = count_uses(found, ["the low", "low é"])
    ids = [t for text in ("the low", "low é") for t in found.encoding.encode(text).ids.tolist()]
    assert {int(found.ids[row]): int(uses[row]) for row in uses.nonzero()[0]} == Counter(ids)


def test_kinds() -> None:
    words = [b"low", b" low", b"est", b" the", b"12", b" 3", b"(x", b"\n", b"\xe2\x80", b" \xe2",
             b"ing ", b"ow ", b" ow ", b"7 ", b"a b", b"  "]  # fmt: skip
    ranks = {**{bytes([b]): b for b in range(256)}, **{w: 300 + i for i, w in enumerate(words)}}
    found = vocabulary_of(from_ranks(ranks, "gpt2", {"<end>": 999}, name="ranks"))
    kinds = {c: KINDS[k] for c, k in zip(found.contents, found.kinds, strict=True)}
    assert [kinds[w] for w in words] == [
        Kind.WORD, Kind.SPACE_INITIAL, Kind.PIECE, Kind.SPACE_INITIAL, Kind.DIGITS, Kind.DIGITS,
        Kind.CODE, Kind.CODE, Kind.BYTE, Kind.BYTE,
        Kind.PIECE, Kind.WORD, Kind.SPACE_INITIAL, Kind.DIGITS, Kind.CODE, Kind.CODE,
    ]  # fmt: skip
    assert (kinds[b"a"], kinds[b"\xff"], kinds[b"<end>"]) == (Kind.PIECE, Kind.BYTE, Kind.SPECIAL)
    row = found.contents.index(b"low")
    assert [found.contents[other] for other in found.variants(row)] == [b"low", b" low"]


def test_a_marker_alone_is_of_its_own_kind() -> None:
    found = vocabulary_of(ENCODINGS["whitespace"]())
    markers = [row for row, kind in enumerate(found.kinds) if KINDS[kind] is Kind.MARKER]
    assert [found.encoding.id_to_token(int(found.ids[row])) for row in markers] == ["</w>"]
    assert not vocabulary_of(ENCODINGS["gpt2"]()).kind_counts()[Kind.MARKER]


def test_a_byte_that_text_falls_back_to_is_no_variant() -> None:
    found = vocabulary_of(sentences())
    byte, letter = (found.contents.index(b"e"), found.ordinary[b"e"])
    assert found.fallback[byte]
    assert byte != letter
    assert byte not in found.variants(letter)
    assert found.variants(byte) == [byte]


def test_markers_tell_words_from_pieces() -> None:
    bert = vocabulary_of(wordpiece())
    for row, token in enumerate(bert.ids.tolist()):
        if KINDS[bert.kinds[row]] in (Kind.WORD, Kind.PIECE):
            is_piece = bert.encoding.id_to_token(token).startswith("##")
            assert (KINDS[bert.kinds[row]] is Kind.PIECE) == is_piece
    ours = vocabulary_of(ENCODINGS["char-bpe"]())
    for row, token in enumerate(ours.ids.tolist()):
        if KINDS[ours.kinds[row]] in (Kind.WORD, Kind.PIECE):
            is_word = ours.encoding.id_to_token(token).endswith("</w>")
            assert (KINDS[ours.kinds[row]] is Kind.WORD) == is_word


def test_special_tokens_that_stand_for_no_text_have_their_names() -> None:
    library = sentencepiece.SentencePieceProcessor(model_proto=sentences_model())
    found = vocabulary_of(sentences())
    special = np.flatnonzero(found.special).tolist()
    names = [library.id_to_piece(int(found.ids[row])) for row in special]
    assert [found.marked(row).decode() for row in special] == names == ["<unk>", "<s>", "</s>"]
